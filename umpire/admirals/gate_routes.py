"""Detours for moves that exceed the capacity of a gate."""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.movement import apply_detach, gate_faults, move_faults
from campaign.rules.orders import Move, Orders
from campaign.rules.queries import ships_by_fleet
from campaign.rules.starmap import StarMap, star_map
from umpire.admirals.situation import Situation

GATE_FAULTS = ("no-way", "too-far")  # fault codes of moves that a gate cannot carry


def reroute_at_gates(situation: Situation, orders: Orders) -> Orders:
    """Return the orders with every move that exceeds a gate's capacity led round that gate.

    A detour ends where the movement of the week ends.

    Rules: Continuum 11.9 [camp.gates]
    """
    scenario, view = situation.scenario, situation.view
    if all(link.mass is None for link in scenario.links):
        return orders
    fleets, ships = apply_detach(
        {fleet.key: fleet for fleet in view.fleets},
        {ship.key: ship for ship in view.ships},
        orders.detach,
    )
    ships_of = ships_by_fleet(ships.values())
    classes = situation.estimator.classes
    # A map without the gates that limit mass: no fleet of this mass passes them.
    chart = star_map(scenario, max(link.mass or 0 for link in scenario.links) + 1)
    moves: list[Move] = []
    for move in orders.moves:
        fleet = fleets[move.fleet]
        gate_uses = []
        for item in (*moves, move):
            gate_uses.append(("", fleets[item.fleet], ships_of.get(item.fleet, []), item))
        faults = move_faults(
            scenario, classes, fleet, ships_of.get(move.fleet, []), move, view.week, ""
        )
        is_blocked = any(fault.code in GATE_FAULTS for fault in faults)
        if is_blocked or gate_faults(scenario, classes, gate_uses):
            end = move.to or move.path[-1]
            path = _detour(chart, fleet.hex, end, scenario.hexes_per_week)
            if path:
                moves.append(Move(move.fleet, path=path))
        else:
            moves.append(move)
    return replace(orders, moves=tuple(moves))


def _detour(chart: StarMap, start: str, end: str, limit: int) -> tuple[str, ...]:
    """Return this week's part of a route on a map; without one a step aside, or nothing.

    Args:
        limit: The hexes of movement in a week.
    """
    path: list[str] = []
    for hex_ in chart.route(start, end) or ():
        if (chart.path_cost(start, (*path, hex_)) or 0) > limit:
            break
        path.append(hex_)
    if path:
        return tuple(path)
    aside = chart.step_aside(start)
    return (aside,) if aside else ()
