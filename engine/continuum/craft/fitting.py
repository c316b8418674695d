"""Multi-role groups that are fitted out for another mission in their bays, by the word `set` of
their ship's plot.

Rules: Continuum "Multi-role fighters" 8.15 [pc.fighter-types]
"""

from __future__ import annotations

from engine.core.notes import write_fact
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.registry import craft_type
from engine.craft.roles import roles_of

IN_FLIGHT = reason("in-flight", "its group is not aboard")


def ways_of_bay(state: BattleState, ship: ShipState, bay: str) -> tuple[str, ...]:
    """What the group of a ship's bay may be fitted out as; none of what is no such bay."""
    index = ship.profile.index_of.get(bay, -1)
    type_ = ship.profile.craft[index] if index in ship.profile.bays else ""
    return roles_of(craft_type(type_), state.terms.options) if type_ else ()


def fitting_fault(state: BattleState, ship: ShipState, bay: str, role: str, plot: Plot) -> str:
    """The reason why the group of a ship's bay cannot be fitted out so, "" where it can.

    Rules: Continuum "Multi-role fighters" 8.15, "Re-arming" 8.16 [pc.fighter-types]
    """
    ways = ways_of_bay(state, ship, bay)
    if role not in ways:
        return reason(
            "group-fitted-out", "the group of '{}' is fitted out as one of {}", bay, ", ".join(ways)
        )
    index = ship.profile.index_of[bay]
    if not ship.alive[index] or not ship.stock[index]:
        return IN_FLIGHT
    if bay in plot.launch and state.turn > 1 and ways[ship.record.setting.get(bay, 0)] != role:
        return reason(
            "group-fitted-out-turn",
            "the group of {} is fitted out this turn, and flies in the next",
            bay,
        )
    return ""


def fit_out(table: Table, ship: ShipState, bay: str, role: str) -> None:
    """A group aboard is fitted out in place: for nothing before the first turn's launches or while
    it is rearmed, else until the next turn.

    Rules: Continuum "Multi-role fighters" 8.15 [pc.fighter-types]
    """
    place = ways_of_bay(table.state, ship, bay).index(role)
    if place == ship.record.setting.get(bay, 0):
        return
    write_fact(table, ship, "setting", place, bay)
    if table.turn > 1 and ship.record.ready.get(bay, 0) <= table.turn:
        write_fact(table, ship, "ready", table.turn + 1, bay)
