"""Refitting multi-role groups for another mission in their bays, by the plot's word `set`.

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


def roles_of_bay(state: BattleState, ship: ShipState, bay: str) -> tuple[str, ...]:
    """Return the roles that the group of a bay may be fitted for; none if it is no craft bay."""
    index = ship.profile.index_of.get(bay, -1)
    if index not in ship.profile.bays or not ship.profile.craft[index]:
        return ()
    terms = state.terms
    return roles_of(craft_type(ship.profile.craft[index]), terms.options, terms.multi_role)


def present_role(ship: ShipState, bay: str) -> str:
    """Return the role of the multi-role group in a bay."""
    row = craft_type(ship.profile.craft[ship.profile.index_of[bay]])
    return row.all_roles[ship.record.setting.get(bay, 0)]


def fitting_fault(state: BattleState, ship: ShipState, bay: str, role: str, plot: Plot) -> str:
    """Return the reason why the group of a bay cannot be fitted for a role, or "".

    Rules: Continuum "Multi-role fighters" 8.15, "Re-arming" 8.16 [pc.fighter-types]
    """
    roles = roles_of_bay(state, ship, bay)
    if role not in roles:
        return reason(
            "group-fitted-out",
            "the group of '{}' can be fitted out as one of these: {}",
            bay,
            ", ".join(roles),
        )
    index = ship.profile.index_of[bay]
    if not ship.alive[index] or not ship.stock[index]:
        return IN_FLIGHT
    if bay in plot.launch and state.turn > 1 and present_role(ship, bay) != role:
        return reason(
            "group-fitted-out-turn",
            "the group of {} is being fitted out; it can fly next turn",
            bay,
        )
    return ""


def fit_out(table: Table, ship: ShipState, bay: str, role: str) -> None:
    """Fit a group aboard for a role.

    This costs no time before the first turn's launches or during re-arming. Otherwise the group is
    ready in the next turn.

    Rules: Continuum "Multi-role fighters" 8.15 [pc.fighter-types]
    """
    row = craft_type(ship.profile.craft[ship.profile.index_of[bay]])
    place = row.all_roles.index(role)
    if place == ship.record.setting.get(bay, 0):
        return
    write_fact(table, ship, "setting", place, key=bay)
    if table.turn > 1 and ship.record.ready.get(bay, 0) <= table.turn:
        write_fact(table, ship, "ready", table.turn + 1, key=bay)
