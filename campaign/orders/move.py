"""Move: a fleet or dummy counter follows a path, or the umpire finds its route to a hex."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from campaign.orders.dummies import dummies_after
from campaign.orders.line import Line, Word
from campaign.orders.order import (
    Order,
    OrderContext,
    Wording,
    entries,
    fleets_limit,
    tables,
)
from campaign.rules.codec import as_list
from campaign.rules.movement import gate_faults, move_faults
from campaign.rules.orders import Move
from campaign.rules.queries import immobile_ships, ship_classes, ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason

MAX_STEPS = 100  # hexes of one path


class MoveOrder(Order):
    """The moves of a week."""

    key = "moves"
    value = Move
    missing = ("must-leave",)
    fault_anchor = ("fleet", "fleet")
    fleet_name = "fleet"
    lines = (
        Line(
            "move",
            "move FLEET HEX [HEX ...]",
            ("fleet", "to"),
            "one hex: the umpire finds the route; more: the path, hex by hex",
        ),
        Line("move", "move FLEET HEX [HEX ...]", ("fleet", Word("path", "list", least=2))),
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=attrgetter("fleet", "path", "to")))

    def limit(self, view: View) -> int:
        return fleets_limit(view)

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        for n, item in enumerate(items):
            path = item.path if isinstance(item, Move) else entries(item, "path")
            if path:
                yield fault_path(self.key, n, "path"), len(path), MAX_STEPS

    def default(self, scenario: Scenario, view: View) -> tuple[Move, ...]:
        """Return moves of one hex back for fleets that must leave."""
        classes = ship_classes(scenario)
        ships_of = ships_by_fleet(view.ships)
        chart = star_map(scenario)
        moves = []
        for fleet in view.fleets:
            if fleet.must_leave and not immobile_ships(classes, ships_of.get(fleet.key, ())):
                aside = fleet.back or chart.step_aside(fleet.hex)
                if aside:
                    moves.append(Move(fleet.key, path=(aside,)))
        return tuple(moves)

    def judge(self, context: OrderContext) -> list[Violation]:
        scenario = context.scenario
        fleets = context.fleets | dummies_after(context.view, context.orders.dummies)
        faults: list[Violation] = []
        gate_moves: list[tuple[str, Fleet, Sequence[Ship], Move]] = []
        first_place: dict[str, int] = {}
        for n, move in enumerate(self.items(context.orders)):
            if move.fleet in context.fleets_not_formed:
                continue
            where = f"{self.key}[{n}]"
            fleet = fleets.get(move.fleet)
            if fleet is None:
                faults.append(context.unknown_fleet(f"{where}.fleet", move.fleet))
                continue
            if move.fleet in first_place:
                words = reason(
                    "already-moves-moves",
                    "{} already moves in moves[{}]",
                    fleet.name,
                    first_place[move.fleet],
                )
                faults.append(Violation(f"{where}.fleet", "twice", words))
            first_place.setdefault(move.fleet, n)
            ships = context.ships_of.get(fleet.key, ())
            move_violations = move_faults(
                scenario,
                context.classes,
                fleet,
                ships=ships,
                move=move,
                week=context.view.week,
                where=where,
            )
            faults += move_violations
            if scenario.links and not move_violations:
                gate_moves.append((where, fleet, ships, move))
        faults += gate_faults(scenario, context.classes, gate_moves)
        for fleet in fleets.values():
            if fleet.key not in first_place:
                faults += self._staying_faults(context, fleet)
        return faults

    def _staying_faults(self, context: OrderContext, fleet: Fleet) -> list[Violation]:
        """Return the fault of a fleet without a move that must leave its hex and can."""
        ships = context.ships_of.get(fleet.key, ())
        if not fleet.must_leave or immobile_ships(context.classes, ships):
            return []
        words = reason(
            "withdrew-must-leave-week",
            "{} withdrew and must leave {} this week: order it to move",
            fleet.name,
            fleet.hex,
        )
        return [Violation(self.key, "must-leave", words)]

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            path = as_list(item.get("path"))
            fleet = wording.name_of(item.get("fleet"))
            last_hex = path[-1] if path else "?"
            goal = wording.place(item.get("to") or last_hex)
            route = " ".join(str(label) for label in path)
            if route:
                lines.append(phrase("{} moves to {} by {}", fleet, goal, route))
            else:
                lines.append(phrase("{} moves to {}", fleet, goal))
        return lines


MOVE = MoveOrder()
