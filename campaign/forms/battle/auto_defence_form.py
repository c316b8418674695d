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
from engine.core.kinds import IN_PLAY
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.order_requests.auto_point_defence import AUTO_POINT_DEFENCE
from engine.sequences import asks_at

AUTOMATED = TickField("officers")
WAS_AUTOMATED = HiddenField("officers-was")
BY_SHIP = HiddenField("officers-said")


@dataclass(frozen=True, slots=True)
class AutoDefenceTick:
    """The tick as it is drawn. `kept`: fields that go along unseen."""

    tick: Checkbox
    hidden_fields: tuple[Option, ...]


def auto_defence_tick(sight: FormSight, payload: Mapping[str, Any]) -> AutoDefenceTick | None:
    """The tick as a payload has it, ticked where officers direct every ship; None where nobody is
    asked.
    """
    ships = _ships(sight)
    if not ships:
        return None
    entry = payload.get(AUTO_POINT_DEFENCE)
    orders = entry if isinstance(entry, Mapping) else {}
    orders_by_ship = {ship.id: orders[ship.id] for ship in ships if ship.id in orders}
    is_on = all(orders_by_ship.get(ship.id, ship.record.officers) is True for ship in ships)
    by_ship = " ".join(
        name if automated is True else f"-{name}" for name, automated in orders_by_ship.items()
    )
    hidden_fields = (WAS_AUTOMATED.draw(value="on" if is_on else ""), BY_SHIP.draw(value=by_ship))
    return AutoDefenceTick(
        AUTOMATED.draw(label=phrase("Automate point defence for this battle"), on=is_on),
        hidden_fields,
    )


def auto_defence_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """The entry as the form says it; none where nothing changes."""
    if not WAS_AUTOMATED.is_sent(post):
        return {}
    is_on = AUTOMATED.read(post)
    if is_on == bool(WAS_AUTOMATED.read(post)):
        names = BY_SHIP.read(post).split()
        orders = {name.removeprefix("-"): not name.startswith("-") for name in names}
    else:
        orders = {ship.id: is_on for ship in _ships(sight) if ship.record.officers != is_on}
    return {AUTO_POINT_DEFENCE: orders} if orders else {}


def _ships(sight: FormSight) -> list[ShipState]:
    """The ships in play of which the stop asks it."""
    if all(ask.key != AUTO_POINT_DEFENCE for ask in asks_at(sight.state)):
        return []
    return [ship for ship in sight.ships if ship.status in IN_PLAY and not ship.dummy]
