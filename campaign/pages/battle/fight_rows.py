"""Rows beside the table on a battle page: a ship or group with its orders, or a contact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.drawings.strips import Strip, strip
from campaign.forms.battle.fight_form import OrderRow
from campaign.words.plot_text import with_bay_ids
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import PLOT
from engine.design.designations import ROLES

CRAFT_SILHOUETTE = "fighter"  # for groups that are no ships


@dataclass(frozen=True, slots=True)
class ListRow:
    """A ship or group in the list, with its order fields."""

    order: OrderRow
    seat: int
    silhouette: str
    cls: str  # "" for craft and dummies
    strip: Strip | None  # the damage track; None for craft and dummies
    words: str | None  # the order as text; None if this phase has no order texts
    is_changed: bool  # whether the order differs from the captain's
    is_open: bool  # whether the order fields start expanded
    is_more_open: bool  # whether the rarely used fields start expanded too
    is_foe: bool  # an enemy ship with boarders of the reader's side on it


def texts_of(phase: str, payload: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the order texts by ship, or None if the phase does not use order texts."""
    if phase != PLOT:
        return None
    plots = payload.get(phase)
    if isinstance(plots, Mapping):
        return {str(key): str(text) for key, text in plots.items()}
    return {}


def list_row(
    row: OrderRow,
    ship: ShipState | None,
    *,
    seat: int,
    side: int,
    order_texts: Mapping[str, str] | None,
    captain_texts: Mapping[str, str] | None,
    is_requested: bool = False,
    is_listed: bool = False,
) -> ListRow:
    """Build the list row of a ship, or of a group of craft or a body of the set-up (ship None).

    Args:
        seat: The seat number of the ship's faction.
        side: The reader's side.
        order_texts: The player's orders as texts, by ship; None if this phase has no order texts.
        captain_texts: The captain's orders likewise.
        is_requested: Whether the reader asked for all fields of this row.
        is_listed: Whether the fields of all rows are shown, as a table of the ships.
    """
    is_more_open = is_requested or any(control.faults for control in row.more_controls or ())
    is_open = is_more_open or is_listed or bool(row.faults)
    if ship is None:
        return ListRow(
            order=row,
            seat=seat,
            silhouette="" if is_listed else CRAFT_SILHOUETTE,
            cls="",
            strip=None,
            words=None,
            is_changed=False,
            is_open=is_open,
            is_more_open=is_more_open,
            is_foe=False,
        )
    text = None if order_texts is None else order_texts.get(row.key, "")
    captain_text = (captain_texts or {}).get(row.key, "")
    return ListRow(
        order=row,
        seat=seat,
        silhouette=ship.sheet.classification,
        cls="" if ship.dummy else phrase(ship.sheet.cls),
        strip=_damage_strip(ship),
        words=text,
        is_changed=text is not None and not _are_same_order(ship, text, captain_text),
        is_open=is_open,
        is_more_open=is_more_open,
        is_foe=ship.commander != side,
    )


def _damage_strip(ship: ShipState) -> Strip | None:
    """Return a ship's damage track, or None for a dummy."""
    if ship.dummy:
        return None
    return strip(ship.sheet.rows, ship.damage, ship.sheet.armour, ship.armour)


def _are_same_order(ship: ShipState, first_text: str, second_text: str) -> bool:
    """Return whether two order texts mean the same, however they name the ship's bays."""
    return with_bay_ids(ship, first_text) == with_bay_ids(ship, second_text)


@dataclass(frozen=True, slots=True)
class ContactRow:
    """A contact in the list."""

    id: str
    name: str
    seat: int
    silhouette: str
    words: str  # class, course and velocity
    strip: Strip | None  # the damage track as far as it is known


def contact_row(contact: Mapping[str, Any]) -> ContactRow:
    """Build the row of a contact from the data of `campaign.pages.table.table_data`."""
    if contact["v"] is None:
        speed = phrase("velocity unknown")
    else:
        speed = phrase("velocity {}", contact["v"])
    cls = contact.get("cls") or phrase("bogey")
    if role := contact.get("role"):
        cls = phrase("{} ({}, {})", cls, phrase(contact["size"]), ROLES[role])
    words = phrase("{}, course {}, {}", cls, contact["course"], speed)
    hull = contact.get("hull")
    damage_strip = None
    if hull is not None:
        full_layers = tuple((full, 0) for full, _ in hull["armour"])
        layers_now = tuple((now, 0) for _, now in hull["armour"])
        damage_strip = strip(hull["rows"], hull["damage"], full_layers, layers_now)
    return ContactRow(
        id=contact["id"],
        name=contact["name"],
        seat=contact["seat"],
        silhouette=contact["size"],
        words=words,
        strip=damage_strip,
    )
