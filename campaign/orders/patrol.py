"""Patrol: a fleet stays in its hex, and its long range scan also covers the neighbouring hexes.

Scenarios allow it by `patrols`. A patrol sees what any long range scan shows, including decoys and
weasels, and the scanned factions are not notified. This is no printed rule:
docs/decisions/0117-an-order-is-one-file.md describes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.orders.line import Line
from campaign.orders.order import Control, Order, OrderContext, Wording, fleets_limit, tables
from campaign.rules.hexes import neighbours
from campaign.rules.orders import Orders, OrderValue
from campaign.rules.queries import pending_entry_week, side_of
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, World
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason


@dataclass(frozen=True, slots=True)
class Patrol(OrderValue):
    """An order that a fleet patrols this week."""

    fleet: str


class PatrolOrder(Order):
    """The patrols of a week."""

    key = "patrol"
    value = Patrol
    fault_anchor = ("fleet", "fleet")
    fleet_name = "fleet"
    lines = (Line("patrol", "patrol FLEET", ("fleet",)),)
    title = phrase("Patrol")
    help = phrase(
        "Where the scenario allows patrols, a fleet that stays in its hex can patrol. Its long "
        "range scan then also covers the six neighbouring hexes, even between the stars. "
        "Fleets scanned by a patrol are not notified.",
    )

    def limit(self, view: View) -> int:
        return fleets_limit(view)

    def judge(self, context: OrderContext) -> list[Violation]:
        items = self.items(context.orders)
        if items and not context.scenario.patrols:
            words = reason("no-patrols", "this war has no patrols")
            return [Violation(self.key, "no-patrols", words)]
        moving = {move.fleet for move in context.orders.moves}
        faults: list[Violation] = []
        first_place: dict[str, int] = {}
        for n, item in enumerate(items):
            if item.fleet in context.fleets_not_formed:
                continue
            where = fault_path(self.key, n, "fleet")
            fleet = context.fleets.get(item.fleet)
            if fleet is None:
                faults.append(context.unknown_fleet(where, item.fleet))
                continue
            if item.fleet in first_place:
                words = reason(
                    "already-patrols-patrol",
                    "{} already patrols in patrol[{}]",
                    fleet.name,
                    first_place[item.fleet],
                )
                faults.append(Violation(where, "twice", words))
            first_place.setdefault(item.fleet, n)
            if item.fleet in moving:
                words = reason(
                    "moves-week-fleet-patrol",
                    "{} moves this week: a fleet on patrol stays in its hex",
                    fleet.name,
                )
                faults.append(Violation(where, "moves", words))
            faults += _patrol_faults(context, fleet, where)
        return faults

    def scans_afar(self, scenario: Scenario) -> bool:
        return scenario.patrols

    def scanned_hexes(
        self,
        scenario: Scenario,
        world: World,
        orders: Orders,
        before: Mapping[str, str],
    ) -> set[str]:
        """Return the hex and its neighbours of each fleet on patrol that did not have to leave."""
        on_patrol = {item.fleet for item in self.items(orders)}
        if not on_patrol:
            return set()
        hexes: set[str] = set()
        for fleet in world.fleets:
            stayed = before.get(fleet.key) == fleet.hex and not fleet.in_ftl
            if fleet.key in on_patrol and stayed:
                hexes |= {fleet.hex, *neighbours(fleet.hex, scenario.columns, scenario.rows)}
        return hexes

    def advise(self, scenario: Scenario, view: View, orders: Orders) -> tuple[Any, ...]:
        """Return patrols of fleets that stay at, or next to, a system worth watching.

        These are all systems, and the hexes next to those that the side does not hold.
        """
        if not scenario.patrols:
            return ()
        leaving_ships: set[str] = set()
        for item in orders.detach:
            leaving_ships.update(item.ships)
        fleets_left = {ship.fleet for ship in view.ships if ship.key not in leaving_ships}
        staying = fleets_left - {move.fleet for move in orders.moves}
        hexes = _hexes_worth_patrolling(scenario, view)
        result: list[Any] = []
        for fleet in view.fleets:
            is_well_placed = fleet.key in staying and fleet.hex in hexes
            if is_well_placed and _can_stay(scenario, view, fleet):
                result.append(Patrol(fleet.key))
        return tuple(result)

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        words: list[str] = []
        for item in tables(items):
            words.append(phrase("{} patrols", wording.name_of(item.get("fleet"))))
        return words

    def changes(self, items: Sequence[Any], names: Mapping[str, str]) -> list[str]:
        if items:
            return [phrase("patrols")]
        return []

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        if not scenario.patrols:
            return ()
        return (
            Control(
                name=self.key,
                label=phrase("Patrols"),
                kind="flag",
                value="on" if items else "",
                hint=phrase("It stays in its hex and also scans the six neighbouring hexes."),
            ),
        )

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        result: list[Any] = []
        for fleet, controls in posted.items():
            if controls.get(self.key):
                result.append({"fleet": fleet})
        return result


def _patrol_faults(context: OrderContext, fleet: Fleet, where: str) -> list[Violation]:
    """Return the faults of a patrol by a fleet that must leave or is not on the map yet."""
    faults = []
    if fleet.must_leave or fleet.in_ftl:
        words = reason(
            "must-leave-cannot-patrol",
            "{} must leave {} and cannot patrol there",
            fleet.name,
            fleet.hex,
        )
        faults.append(Violation(where, "must-move", words))
    week = pending_entry_week(context.scenario, fleet, context.view.week)
    if week is not None:
        words = reason("not-yet", "{} enters the map in week {}", fleet.name, week)
        faults.append(Violation(where, "not-yet", words))
    return faults


def _can_stay(scenario: Scenario, view: View, fleet: Fleet) -> bool:
    """Return whether a fleet may stay in its hex this week."""
    if fleet.must_leave or fleet.in_ftl:
        return False
    return pending_entry_week(scenario, fleet, view.week) is None


def _hexes_worth_patrolling(scenario: Scenario, view: View) -> set[str]:
    """Return the hexes of systems, and those next to systems that the side does not hold."""
    own_side = side_of(scenario, view.faction)
    holders = {entry.system: entry.holder for entry in view.systems}
    hexes = {system.hex for system in scenario.systems}
    for system in scenario.systems:
        if holders.get(system.id) not in own_side:
            hexes |= {*neighbours(system.hex, scenario.columns, scenario.rows)}
    return hexes


PATROL = PatrolOrder()
