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
class ShownRow:
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
    yours: bool
    open: bool
    more_open: bool
    foe: bool


def texts_of(stop: str, payload: Mapping[str, Any]) -> dict[str, str] | None:
    """A stop's orders as texts by ship, where that is what it asks for."""
    if stop != PLOT:
        return None
    plots = payload.get(stop)
    return (
        {str(key): str(text) for key, text in plots.items()} if isinstance(plots, Mapping) else {}
    )


def shown_row(
    row: OrderRow,
    ship: ShipState | None,
    seat: int,
    side: int,
    said: Mapping[str, str] | None,
    advised: Mapping[str, str] | None,
    *,
    asked: bool = False,
) -> ShownRow:
    """A row as it is shown.

    `seat`: of whose it is; `side`: the reader's; `said`, `advised`: orders as texts, the captain's;
    `asked`: for all its fields.
    """
    wrong = any(control.faults for control in row.more or ())
    words = None if said is None or ship is None else said.get(row.key, "")
    captains = (advised or {}).get(row.key, "")
    yours = (
        ship is not None
        and words is not None
        and with_bay_ids(ship, words) != with_bay_ids(ship, captains)
    )
    return ShownRow(
        row,
        seat,
        CRAFT if ship is None else ship.sheet.classification,
        "" if ship is None or ship.dummy else ship.sheet.cls,
        None
        if ship is None or ship.dummy
        else strip(ship.sheet.rows, ship.damage, ship.sheet.armour, ship.armour),
        words,
        yours,
        bool(row.faults) or wrong or asked,
        wrong or asked,
        ship is not None and ship.commander != side,
    )


@dataclass(frozen=True, slots=True)
class ShownContact:
    """A contact of the list."""

    id: str
    name: str
    seat: int
    size: str
    words: str
    strip: Strip | None


def shown_contact(contact: Mapping[str, Any]) -> ShownContact:
    """A contact as `campaign.pages.table.table_data` tells it."""
    speed = (
        phrase("velocity not seen") if contact["v"] is None else phrase("velocity {}", contact["v"])
    )
    words = phrase("{}, course {}, {}", contact.get("cls", "bogey"), contact["course"], speed)
    hull = contact.get("hull")
    drawn = None
    if hull is not None:
        layers = tuple((most, 0) for most, _ in hull["armour"])
        drawn = strip(
            hull["rows"], hull["damage"], layers, tuple((now, 0) for _, now in hull["armour"])
        )
    return ShownContact(
        contact["id"], contact["name"], contact["seat"], contact["size"], words, drawn
    )
