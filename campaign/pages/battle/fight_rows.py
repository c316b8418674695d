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

CRAFT = "fighter"  # silhouette for groups that are no ships


@dataclass(frozen=True, slots=True)
class ListRow:
    """A ship or group in the list, with its order fields."""

    order: OrderRow
    seat: int
    size: str
    cls: str
    strip: Strip | None
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
    seat: int,
    side: int,
    order_texts: Mapping[str, str] | None,
    advised: Mapping[str, str] | None,
    *,
    is_asked: bool = False,
) -> ListRow:
    """Build the list row of a ship or group.

    Args:
        seat: The seat number of the ship's faction.
        side: The reader's side.
        order_texts: The player's orders as texts, by ship.
        advised: The captain's orders as texts, by ship.
        is_asked: Whether the reader asked for all fields of this row.
    """
    has_faults = any(control.faults for control in row.more_controls or ())
    text = None if order_texts is None or ship is None else order_texts.get(row.key, "")
    captains = (advised or {}).get(row.key, "")
    is_changed = (
        ship is not None
        and text is not None
        and with_bay_ids(ship, text) != with_bay_ids(ship, captains)
    )
    return ListRow(
        row,
        seat,
        CRAFT if ship is None else ship.sheet.classification,
        "" if ship is None or ship.dummy else ship.sheet.cls,
        None
        if ship is None or ship.dummy
        else strip(ship.sheet.rows, ship.damage, ship.sheet.armour, ship.armour),
        text,
        is_changed,
        bool(row.faults) or has_faults or is_asked,
        has_faults or is_asked,
        ship is not None and ship.commander != side,
    )


@dataclass(frozen=True, slots=True)
class ContactRow:
    """A contact in the list."""

    id: str
    name: str
    seat: int
    size: str
    words: str
    strip: Strip | None


def contact_row(contact: Mapping[str, Any]) -> ContactRow:
    """Build the row of a contact from the data of `campaign.pages.table.table_data`."""
    if contact["v"] is None:
        speed = phrase("velocity unknown")
    else:
        speed = phrase("velocity {}", contact["v"])
    words = phrase("{}, course {}, {}", contact.get("cls", "bogey"), contact["course"], speed)
    hull = contact.get("hull")
    strip_drawing = None
    if hull is not None:
        layers = tuple((most, 0) for most, _ in hull["armour"])
        strip_drawing = strip(
            hull["rows"], hull["damage"], layers, tuple((now, 0) for _, now in hull["armour"])
        )
    return ContactRow(
        contact["id"], contact["name"], contact["seat"], contact["size"], words, strip_drawing
    )
