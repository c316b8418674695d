"""The checkbox that automates point defence, on the pages of plots and of point defence. Pure.

It applies to all ships the reader commands. Orders for single ships, as API programs may send them,
are kept in hidden fields while the checkbox stays unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.field import Checkbox, HiddenField, Option, TickField, as_mapping
from engine.core.kinds import IN_PLAY
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.order_requests.auto_point_defence import AUTO_POINT_DEFENCE
from engine.sequences import asks_at

AUTOMATED = TickField("officers")
WAS_AUTOMATED = HiddenField("officers-was")
BY_SHIP = HiddenField("officers-said")  # ids of ships, after "-" if theirs is not automated


@dataclass(frozen=True, slots=True)
class AutoDefenceTick:
    """The checkbox as it is drawn, with its hidden fields."""

    tick: Checkbox
    hidden_fields: tuple[Option, ...]


def auto_defence_tick(sight: FormSight, payload: Mapping[str, Any]) -> AutoDefenceTick | None:
    """Return the checkbox for a payload, or None if the phase does not ask for it.

    It is ticked if point defence is automated for every ship.
    """
    ships = _ships(sight)
    if not ships:
        return None
    orders = as_mapping(payload.get(AUTO_POINT_DEFENCE))
    orders_by_ship = {ship.id: orders[ship.id] for ship in ships if ship.id in orders}
    is_on = all(orders_by_ship.get(ship.id, ship.record.officers) is True for ship in ships)
    single_orders = []
    for name, is_automated in orders_by_ship.items():
        single_orders.append(name if is_automated is True else f"-{name}")
    return AutoDefenceTick(
        AUTOMATED.draw(label=phrase("Automate point defence for this battle"), on=is_on),
        hidden_fields=(
            WAS_AUTOMATED.draw(value="on" if is_on else ""),
            BY_SHIP.draw(value=" ".join(single_orders)),
        ),
    )


def auto_defence_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the entry in the form; empty if nothing changes."""
    if not WAS_AUTOMATED.is_sent(post):
        return {}
    is_on = AUTOMATED.read(post)
    if is_on == bool(WAS_AUTOMATED.read(post)):
        orders = {}
        for name in BY_SHIP.read(post).split():
            orders[name.removeprefix("-")] = not name.startswith("-")
    else:
        orders = {ship.id: is_on for ship in _ships(sight) if ship.record.officers != is_on}
    if orders:
        return {AUTO_POINT_DEFENCE: orders}
    return {}


def _ships(sight: FormSight) -> list[ShipState]:
    """Return the ships in play for which the phase asks about automatic point defence."""
    asked_keys = [request.key for request in asks_at(sight.state)]
    if AUTO_POINT_DEFENCE not in asked_keys:
        return []
    return [ship for ship in sight.ships if ship.status in IN_PLAY and not ship.dummy]
