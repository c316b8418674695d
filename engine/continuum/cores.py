"""Core systems, an option: hits on the command bridge, life support and the power core.

`engine.continuum.reactors` resolves their effects at the end of a turn.

Rules: Continuum "Core systems" 10.3 [pc.core-systems]
"""

from __future__ import annotations

from engine.core.facts import FOREVER
from engine.core.kinds import CLOAKED, FIGHTING, HULK, DerelictCause
from engine.core.notes import write_fact
from engine.core.orders import HOLD, Control, Plot
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.ship_facts import core_fact, core_system_of
from engine.core.table import Table
from engine.events.damage import CoreHit, ShipBecameDerelict

BRIDGE, LIFE_SUPPORT, POWER_CORE = CORE = ("bridge", "life-support", "power-core")
CREWED = (FIGHTING, CLOAKED)  # the states of crewed ships in battle


BRIDGE_GONE_ON = 6  # the die that loses the bridge for the whole battle
EXPLODES_ON = 5  # the lowest die on which a damaged power core explodes


def core_hits(table: Table, ship: ShipState, lost_ids: list[str]) -> None:
    """Apply the immediate effects of hits on core systems, in canonical order.

    A die gives the number of turns, this one included, without command (on a 6: for good), or until
    life support fails. A damaged power core may explode from this turn on.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    for system in lost_ids:
        if system == POWER_CORE:
            die = 0
            value = EXPLODES_ON
        else:
            die = table.dice.roll("core", f"{ship.id}/{system}")
            is_gone = system == BRIDGE and die == BRIDGE_GONE_ON
            value = FOREVER if is_gone else table.turn + die - 1
        ship.hit_core(system, value)
        table.tell(CoreHit, ship=ship.id, system=system, die=die, value=value)


def noted_system(name: str) -> str:
    """Return the lost system that a record's note is about, or "".

    Such a note lasts as long as its system is lost.
    """
    kind, _, of = name.partition(":")
    if kind == "irreparable":
        return of
    return core_system_of(kind)


def unrecorded_core_damage(ship: ShipState) -> list[str]:
    """Return the core systems that were lost before the battle and have no note yet."""
    result: list[str] = []
    for system in CORE:
        place = ship.profile.index_of.get(system, -1)
        if place < 0 or ship.alive[place]:
            continue
        if not ship.fact(core_fact(system)) and system not in ship.record.irreparable:
            result.append(system)
    return result


def no_command_reason(ship: ShipState) -> str:
    """Return the reason why a ship takes no orders to move or attack, or "".

    Such a ship keeps its course and velocity. Its screens and armour work; its point defence does
    not fire.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]; Continuum "Natural jump gates" 11.10
    [pc.gates]
    """
    if ship.this_turn.dazed:
        return reason(
            "jump-point-dazed-crew", "the jump point has disoriented its crew until the next turn"
        )
    until = ship.record.out_of_control
    if not until:
        return ""
    if until == FOREVER:
        return reason("bridge-out", "its bridge is out of action: it takes no orders")
    return reason(
        "bridge-out-until",
        "its bridge is out of action: it takes no orders before turn {}",
        until + 1,
    )


def command_fault(ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship takes no plot at all, or "".

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    if ship.record.out_of_control and plot != HOLD:
        return no_command_reason(ship)
    return ""


def dump_or_abandon(table: Table, ship: ShipState, control: Control) -> None:
    """Carry out the order to dump a damaged power core or to abandon the ship.

    A ship without its core drifts and may be salvaged. The core of an abandoned ship stays
    unstable.

    Rules: Continuum "Core systems" 10.3 [pc.core-systems]
    """
    if not control.dump and not control.abandon:
        return
    if not ship.record.reactor or ship.status not in CREWED:
        return
    if control.dump:
        write_fact(table, ship, "reactor", 0)
        write_fact(table, ship, "irreparable", 1, key=POWER_CORE)
    make_hulk(table, ship, DerelictCause.DUMPED if control.dump else DerelictCause.ABANDONED)


def make_hulk(table: Table, ship: ShipState, cause: str) -> None:
    """Turn a ship into a hulk, which belongs to no side and stays on the table."""
    ship.status = HULK
    table.tell(ShipBecameDerelict, ship.id, cause)
