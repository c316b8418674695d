"""The tick by which a side leaves point defence to its officers, on the pages of plots and of point defence. Pure.

It stands for all ships whose orders are the reader's. What orders say ship by ship, as programs may, goes along unseen
while the tick stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.fields import text
from engine.asks.officers import OFFICERS
from engine.core.kinds import IN_PLAY
from engine.core.ship import ShipState
from engine.sequences import asks_at

WAS, SAID = f"{OFFICERS}-was", f"{OFFICERS}-said"


@dataclass(frozen=True, slots=True)
class OfficersTick:
    """The tick. `on`: officers direct the point defence of every ship. `said`: the ships of which the orders say so or
    the opposite, these with a minus before them.
    """

    on: bool
    said: str


def officers_tick(seen: FormSight, payload: Mapping[str, Any]) -> OfficersTick | None:
    """The tick as a payload has it; None where nobody is asked."""
    ships = _ships(seen)
    if not ships:
        return None
    given = payload.get(OFFICERS)
    said = {ship.id: given[ship.id] for ship in ships if ship.id in given} if isinstance(given, Mapping) else {}
    on = all(said.get(ship.id, ship.record.officers) is True for ship in ships)
    return OfficersTick(on, " ".join(name if one is True else f"-{name}" for name, one in said.items()))


def officers_payload(seen: FormSight, posted: QueryDict) -> dict[str, Any]:
    """The entry as the form says it; none where nothing changes."""
    if WAS not in posted:
        return {}
    ships, on = _ships(seen), bool(posted.get(OFFICERS))
    if on == bool(text(posted, WAS)):
        names = text(posted, SAID).split()
        found = {name.removeprefix("-"): not name.startswith("-") for name in names}
    else:
        found = {ship.id: on for ship in ships if ship.record.officers != on}
    return {OFFICERS: found} if found else {}


def _ships(seen: FormSight) -> list[ShipState]:
    """The ships in play of which the stop asks it."""
    if all(ask.key != OFFICERS for ask in asks_at(seen.state)):
        return []
    return [ship for ship in seen.ships if ship.status in IN_PLAY and not ship.dummy]
