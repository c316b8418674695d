"""The tick by which a side leaves point defence to its officers, on the pages of plots and of point
defence. Pure.

It stands for all ships whose orders are the reader's. What orders say ship by ship, as programs
may, goes along unseen while the tick stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.field import Checkbox, HiddenField, Option, TickField
from engine.asks.officers import OFFICERS
from engine.core.kinds import IN_PLAY
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.sequences import asks_at

AUTOMATED = TickField("officers")
WAS_AUTOMATED = HiddenField("officers-was")
BY_SHIP = HiddenField("officers-said")


@dataclass(frozen=True, slots=True)
class OfficersTick:
    """The tick as it is drawn. `kept`: fields that go along unseen."""

    tick: Checkbox
    kept: tuple[Option, ...]


def officers_tick(seen: FormSight, payload: Mapping[str, Any]) -> OfficersTick | None:
    """The tick as a payload has it, ticked where officers direct every ship; None where nobody is
    asked.
    """
    ships = _ships(seen)
    if not ships:
        return None
    given = payload.get(OFFICERS)
    orders = given if isinstance(given, Mapping) else {}
    said = {ship.id: orders[ship.id] for ship in ships if ship.id in orders}
    on = all(said.get(ship.id, ship.record.officers) is True for ship in ships)
    by_ship = " ".join(
        name if automated is True else f"-{name}" for name, automated in said.items()
    )
    kept = (WAS_AUTOMATED.draw(value="on" if on else ""), BY_SHIP.draw(value=by_ship))
    return OfficersTick(
        AUTOMATED.draw(label=phrase("Automate point defence for this battle"), on=on), kept
    )


def officers_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """The entry as the form says it; none where nothing changes."""
    if not WAS_AUTOMATED.is_sent(posted):
        return {}
    on = AUTOMATED.read(posted)
    if on == bool(WAS_AUTOMATED.read(posted)):
        names = BY_SHIP.read(posted).split()
        orders = {name.removeprefix("-"): not name.startswith("-") for name in names}
    else:
        orders = {ship.id: on for ship in _ships(seen) if ship.record.officers != on}
    return {OFFICERS: orders} if orders else {}


def _ships(seen: FormSight) -> list[ShipState]:
    """The ships in play of which the stop asks it."""
    if all(ask.key != OFFICERS for ask in asks_at(seen.state)):
        return []
    return [ship for ship in seen.ships if ship.status in IN_PLAY and not ship.dummy]
