"""Rams, resolved at the end of ship movement.

Rules: 2E "Collisions and ramming" [2e.ramming]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.q_ships import reveal_by_thrust
from engine.core.geometry import is_within, squared_length
from engine.core.kinds import FIGHTING, INSTALLATION, PLAIN, DamageType, RamOutcome
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import NO_RAMMING
from engine.events.movement import RamAttempted
from engine.ruleset import rules_of

REACH = 2.0  # MU between the two ships


def mark_damage_points(
    table: Table, ship: ShipState, points: int, cause: str, die: int, kind: DamageType = PLAIN
) -> None:
    """Mark damage points off a ship, with the checks that follow.

    Args:
        kind: How the points go through armour (`engine.core.rolls`).

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    rules_of(table.state.terms.edition).harm(table, ship, points, cause, die, kind)


def ram_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot try to ram, or "" if it can or its plot orders no ram.

    Rules: 2E "Ramming" [2e.ramming]; Continuum "Ramming" 16.7 [pc.ramming]
    """
    if not plot.ram:
        return ""
    if NO_RAMMING in state.terms.options:
        return reason("ramming-not-allowed-battle", "ramming is not allowed in this battle")
    target = next((other for other in state.ships if other.id == plot.ram), None)
    if (
        target is None
        or target.status != FIGHTING
        or not state.hostile[ship.commander] >> target.commander & 1
    ):
        return reason("only-hostile-ship-table", "only a hostile ship on the table can be rammed")
    if ship.dummy:
        return reason("drone-cannot-ram", "a decoy cannot ram")
    if ship.sheet.kind == INSTALLATION:
        return reason("installation-cannot-ram", "an installation cannot ram")
    return ""


def ram(table: Table, plots: Mapping[str, Plot]) -> None:
    """Resolve the rams of a turn in file order.

    Rules: 2E "Collisions and ramming" [2e.ramming]
    """
    state = table.state
    for ship in state.ships:
        plot = plots.get(ship.id)
        if plot is not None and plot.ram and ship.status == FIGHTING:
            target = state.ship_by_name(plot.ram)
            if target.status == FIGHTING and target.docking != BERTHED:
                _resolve_ram(table, ship, target)


def _resolve_ram(table: Table, ship: ShipState, target: ShipState) -> None:
    """Resolve one ram within 2 MU: a roll for the crew's will, then die plus thrust of both ships.

    The rammer needs the higher sum; on a tie the target evades. Both take their damage at once. The
    crew of a ship built to ram needs no roll.

    Rules: 2E "Collisions and ramming" [2e.ramming]; Continuum "Ramming" 16.7 [pc.ramming]
    """
    needed = 0 if ship.sheet.rams else table.state.terms.rams_on(ship.commander)

    def report(
        outcome: str,
        will_die: int,
        rolls: tuple[int, ...] = (),
        sums: tuple[int, ...] = (),
        damage_dice: tuple[int, ...] = (),
    ) -> None:
        if table.listens:
            table.tell(
                RamAttempted,
                ship=ship.id,
                target=target.id,
                outcome=outcome,
                will=will_die,
                needs=needed,
                dice=rolls,
                sums=sums,
                blows=damage_dice,
            )

    if not is_within(squared_length(ship.x - target.x, ship.y - target.y), REACH):
        report(RamOutcome.FAR, 0)
        return
    will_die = table.dice.roll("ram", ship.id) if needed else 0
    if will_die < needed:
        report(RamOutcome.REFUSED, will_die)
        return
    ram_die = table.dice.roll("ram", f"{ship.id}>{target.id}")
    evasion_die = table.dice.roll("ram", f"{target.id}<{ship.id}")
    rolls = (ram_die, evasion_die)
    for rammer in (ship, target):
        reveal_by_thrust(table, rammer)
    sums = (ram_die + ship.thrust, evasion_die + target.thrust)
    if sums[0] <= sums[1]:
        report(RamOutcome.EVADED, will_die, rolls, sums)
        return
    die_at_target = table.dice.roll("damage", f"{ship.id}>{target.id}")
    die_at_ship = table.dice.roll("damage", f"{target.id}>{ship.id}")
    report(RamOutcome.RAMMED, will_die, rolls, sums, damage_dice=(die_at_target, die_at_ship))
    damage_dealt = die_at_target * (ship.sheet.boxes - ship.damage)
    damage_taken = die_at_ship * (target.sheet.boxes - target.damage)
    mark_damage_points(
        table, target, points=damage_dealt, cause=f"ram:{ship.id}", die=die_at_target
    )
    mark_damage_points(table, ship, points=damage_taken, cause=f"ram:{target.id}", die=die_at_ship)
