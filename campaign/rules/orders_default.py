"""What a faction does that hands in nothing: its default force, then holding on and its standing orders."""

from __future__ import annotations

from campaign.kinds import StageKind
from campaign.rules.bases import base_for, can_repair
from campaign.rules.forces import default_force
from campaign.rules.orders import Decide, Dock, Move, Orders
from campaign.rules.queries import grounded, in_sight, ship_classes, ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from campaign.rules.view import View


def default_orders(scenario: Scenario, view: View) -> Orders:
    """Lawful orders for any stage: the default force list; hold; the standing order, else a stand-off.

    Holding on means that docked ships stay docked and want what they wanted, and that a fleet which must leave goes
    one hex back.
    """
    scenario = in_sight(scenario, view)
    if view.stage == StageKind.DEPLOY:
        return Orders(deploy=default_force(scenario, view.faction))
    if view.stage == StageKind.ORDERS:
        return Orders(dock=_stay_docked(scenario, view), weasels=_still_on(view), moves=_must_leave(scenario, view))
    if view.stage == StageKind.DECISIONS:
        asked = (item for item in view.asked if item.fixed is None)
        return Orders(decide=tuple(Decide(item.hex, item.toward, item.default) for item in asked))
    return Orders()


def _still_on(view: View) -> tuple[str, ...]:
    return tuple(ship.key for ship in view.ships if ship.weasel_on)


def _stay_docked(scenario: Scenario, view: View) -> tuple[Dock, ...]:
    fleets = {fleet.key: fleet for fleet in view.fleets}
    classes = ship_classes(scenario)
    found = []
    for ship in view.ships:
        fleet = fleets[ship.fleet]
        base = base_for(scenario, view, fleet) if ship.docked else None
        if base is not None:
            repairs = can_repair(base, classes[ship.cls])
            wanted = ship.lost[:3] if repairs else ()
            if repairs or base.replenishes:
                found.append(Dock(ship.key, tuple(sorted(wanted)), base.replenishes, ship.scuttle))
    return tuple(found)


def _must_leave(scenario: Scenario, view: View) -> tuple[Move, ...]:
    classes, crews, chart = ship_classes(scenario), ships_by_fleet(view.ships), star_map(scenario)
    found = []
    for fleet in view.fleets:
        if fleet.must_leave and not grounded(classes, crews.get(fleet.key, ())):
            aside = fleet.back or chart.step_aside(fleet.hex)
            if aside:
                found.append(Move(fleet.key, path=(aside,)))
    return tuple(found)
