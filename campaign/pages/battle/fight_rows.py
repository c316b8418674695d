"""Rows of a battle's page beside its table: a ship or group with its orders, a contact. Pure."""

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

CRAFT = "fighter"  # the silhouette of what is no ship


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row of the list.

    `words`: its order as text, None where the stop asks for no text; `yours`: it is another than
    the captain's; `open`, `more_open`: its fields are shown at once, those of what is seldom said
    too; `foe`: it is another side's, with people of the reader's aboard.
    """

    order: OrderRow
    seat: int
    size: str
    cls: str
    strip: Strip | None
    words: str | None
    is_changed: bool
    is_open: bool
    is_more_open: bool
    is_foe: bool


def texts_of(stop: str, payload: Mapping[str, Any]) -> dict[str, str] | None:
    """A stop's orders as texts by ship, where that is what it asks for."""
    if stop != PLOT:
        return None
    plots = payload.get(stop)
    return (
        {str(key): str(text) for key, text in plots.items()} if isinstance(plots, Mapping) else {}
    )


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
    """A row as it is shown.

    `seat`: of whose it is; `side`: the reader's; `said`, `advised`: orders as texts, the captain's;
    `asked`: for all its fields.
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
    """A contact of the list."""

    id: str
    name: str
    seat: int
    size: str
    words: str
    strip: Strip | None


def contact_row(contact: Mapping[str, Any]) -> ContactRow:
    """A contact as `campaign.pages.table.table_data` tells it."""
    speed = (
        phrase("velocity not seen") if contact["v"] is None else phrase("velocity {}", contact["v"])
    )
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
