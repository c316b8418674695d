"""Damage control: the parties left, what they can repair, and their orders.

Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Crew casualties" 10.5
[pc.damage-control]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.continuum.boarding import (
    boarding_decision_ships,
    hostile_sides_aboard,
    is_boarding_allowed,
)
from engine.continuum.cores import CREWED, dump_or_abandon
from engine.continuum.damage import SPACES
from engine.core.errors import Violation
from engine.core.kinds import FIGHTING
from engine.core.orders import AT_HULL, AT_MARINES, Control, Repair
from engine.core.phrase import join_phrases
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ADVANCED_SENSORS, BOARDING, NO_REPAIRS
from engine.events.damage import RepairRolled
from engine.events.movement import OrderRefused
from engine.systems.outfit import MARINES, PARTY, parties_of
from engine.weapons.weapon import Trait

MAX_PARTIES = 3  # on one job

# What parties cannot repair, and why. One-shot weapons (`Fit.expendable`) belong here too.
BEYOND_REPAIR: dict[str, str] = {
    PARTY: reason("people-dead-wounded", "the people in it are dead or wounded"),
    MARINES: reason("people-dead-wounded", "the people in it are dead or wounded"),
    "magazine": reason("contents-lost", "its contents are lost"),
    **dict.fromkeys(SPACES, reason("contents-lost", "its contents are lost")),
}
MINES_LOST = reason("mines-lost", "its mines are lost")
ONE_SHOT_SPENT = reason("shot-weapon-cannot-repaired", "a one-shot weapon cannot be repaired")
LOST_FOR_GOOD = reason("lost-for-good", "it cannot be repaired during a battle")


def repair_fault(ship: ShipState, index: int) -> str:
    """Return the reason why no party could repair a system, by its place in `fits`, or "".

    Rules: Continuum "Damage to systems" 10.1 [pc.damage-control]; "Boarding torpedoes" 5.18
    [pc.boarding-torpedoes]
    """
    fit = ship.sheet.fits[index]
    if fit.id in ship.record.irreparable:
        return LOST_FOR_GOOD
    if Trait.LAYS_MINES in ship.profile.weapons[index].traits:
        return MINES_LOST
    if index in ship.profile.sturdy:
        return ""
    return BEYOND_REPAIR.get(fit.type, ONE_SHOT_SPENT if fit.expendable else "")


def repairable_systems(ship: ShipState) -> tuple[str, ...]:
    """Return the lost or halved systems that a party could repair, in canonical order."""
    full_counts = ship.profile.undamaged
    fits = ship.sheet.fits
    if tuple(ship.alive) == full_counts:
        return ()
    repairable: list[str] = []
    for index, count in enumerate(ship.alive):
        if count < full_counts[index] and not repair_fault(ship, index):
            repairable.append(fits[index].id)
    return tuple(repairable)


def has_control(ship: ShipState, options: Sequence[str]) -> bool:
    """Return whether a crew has anything to decide at damage control.

    That is a system to repair, boarders to fight, or a damaged power core.

    Args:
        options: The options in force.
    """
    if ship.dummy or ship.status not in CREWED:
        return False
    if ship.record.reactor or (BOARDING in options and has_foreign_boarders(ship)):
        return True
    return NO_REPAIRS not in options and bool(repairable_systems(ship) and parties_of(ship))


def has_foreign_boarders(ship: ShipState) -> bool:
    """Return whether a ship has boarders of a side other than its commander's."""
    return bool(ship.record.boarders) and any(
        side != ship.commander for side in ship.boarders_by_side()
    )


def control_decision_ships(state: BattleState) -> list[ShipState]:
    """Return the ships whose orders make a damage-control decision point necessary.

    These are ships whose sheet is open to all, boarded ships, and one ship of each side with
    boarders aboard another. Unidentified contacts do not count: the decision point would reveal
    their damage.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """
    options = state.terms.options
    # With closed record sheets the decision point always happens, or it would reveal damage.
    always_happens = ADVANCED_SENSORS in options and NO_REPAIRS not in options
    ships = []
    for ship in state.ships:
        if ship.status != FIGHTING or ship.bogey:
            continue
        if always_happens or has_control(ship, options):
            ships.append(ship)
    if BOARDING in options:
        return [*ships, *boarding_decision_ships(state)]
    return ships


def control_violations(
    state: BattleState, ship: ShipState, control: Control, where: str
) -> tuple[Violation, ...]:
    """Return the violations in a ship's orders at damage control.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Core systems"
    10.3 [pc.core-systems]
    """
    violations: list[Violation] = []
    for fault in (*_order_faults(state, ship, control), *_fight_faults(state, ship, control)):
        text = reason("named", "{}: {}", ship.id, fault.text)
        violations.append(Violation(f"{where}{fault.place}", fault.code, text))
    return tuple(dict.fromkeys(violations))


class RepairFault(NamedTuple):
    """A fault in a ship's orders at damage control.

    Attributes:
        entry: The part not carried out: the number of a repair, BURNING, EVERYTHING or NONE.
        place: Its path under the ship.
    """

    entry: int
    place: str
    code: str
    text: str


# EVERYTHING: all of a ship's orders. BURNING: those for its power core. NONE: no part of them.
EVERYTHING, BURNING, NONE = -3, -2, -1


def _order_faults(state: BattleState, ship: ShipState, control: Control) -> Iterator[RepairFault]:
    """Yield the faults of the repairs in their order, then of the orders for the power core."""
    if ship.dummy or ship.status not in CREWED:
        yield RepairFault(
            EVERYTHING,
            place="",
            code="no-crew",
            text=reason("no-crew-take-orders", "it has no crew to carry out orders"),
        )
        return
    if NO_REPAIRS in state.terms.options:
        for number in range(len(control.repairs)):
            yield RepairFault(
                number,
                ".repairs",
                "no-repairs",
                reason("there-no-repairs-battle", "repairs are not allowed in this battle"),
            )
    else:
        yield from _repair_faults(ship, control)
    if (control.dump or control.abandon) and not ship.record.reactor:
        yield RepairFault(
            BURNING,
            place="",
            code="core-holds",
            text=reason(
                "power-core-under-control",
                "its power core is under control: there is no need to dump it or abandon ship",
            ),
        )
    if control.dump and control.abandon:
        yield RepairFault(
            BURNING,
            place="",
            code="dump-or-abandon",
            text=reason(
                "crew-dump-power-core", "a crew can dump its power core or abandon ship, not both"
            ),
        )


def _fight_faults(state: BattleState, ship: ShipState, control: Control) -> Iterator[RepairFault]:
    """Yield the faults of orders against boarders.

    Rules: Continuum "Boarding" 12.7 [pc.boarding]
    """
    if not control.repel and control.marines is None:
        return
    if not is_boarding_allowed(state) or not hostile_sides_aboard(state, ship):
        yield RepairFault(
            NONE,
            place="",
            code="not-boarded",
            text=reason("nobody-aboard-whom-could", "it has no boarders to repel"),
        )
    for number, (party_count, task) in enumerate(control.repel):
        where = f".repel[{number}]"
        if not 1 <= party_count <= MAX_PARTIES:
            yield RepairFault(
                NONE,
                where,
                "parties",
                reason(
                    "parties-repel-boarder",
                    "send 1 to {} parties against each boarder",
                    MAX_PARTIES,
                ),
            )
        if task not in (AT_HULL, AT_MARINES):
            yield RepairFault(
                NONE,
                where,
                "task",
                reason("boarders-at-either", "boarders attack '{}' or '{}'", AT_HULL, AT_MARINES),
            )


def _repair_faults(ship: ShipState, control: Control) -> Iterator[RepairFault]:
    """Yield the faults of single repairs; parties are assigned in the order of the list.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """
    earlier_systems: list[str] = []
    jobs_without_parties: list[int] = []
    parties_repelling = sum(parties for parties, _ in control.repel)
    available = max(parties_of(ship) - parties_repelling, 0)
    parties_left = available
    for number, job in enumerate(control.repairs):
        faults = list(_job_faults(ship, job, earlier_systems))
        earlier_systems.append(job.system)
        for key, code, text in faults:
            yield RepairFault(number, f".repairs[{number}].{key}", code, text)
        if faults:
            continue
        if job.parties > parties_left:
            jobs_without_parties.append(number)
        else:
            parties_left -= job.parties
    parties_sent = sum(max(job.parties, 0) for job in control.repairs)
    if parties_sent <= available:
        return
    for number in jobs_without_parties or (NONE,):
        yield RepairFault(
            number,
            ".repairs",
            "too-many-parties",
            reason(
                "parties-sent-left",
                "{} parties are sent, but only {} are available",
                parties_sent,
                available,
            ),
        )


def _job_faults(
    ship: ShipState, job: Repair, earlier_systems: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield the faults of one repair as (key, code, text).

    Args:
        earlier_systems: The systems named before it.
    """
    index = ship.profile.index_of.get(job.system, -1)
    if index < 0:
        repairable = ", ".join(repairable_systems(ship)) or reason("nothing-at-all", "nothing")
        yield (
            "system",
            "unknown-system",
            reason(
                "nothing-to-repair-called",
                "it has no '{}'; it can repair: {}",
                job.system,
                repairable,
            ),
        )
    elif ship.alive[index] >= ship.profile.undamaged[index]:
        yield "system", "not-lost", reason("system-works", "'{}' is working", job.system)
    elif fault := repair_fault(ship, index):
        yield (
            "system",
            "beyond-repair",
            reason("cannot-repaired", "'{}' cannot be repaired: {}", job.system, fault),
        )
    if job.system in earlier_systems:
        yield (
            "system",
            "system-twice",
            reason(
                "all-parties-make-roll",
                "all parties at '{}' make one roll together: give them in one entry",
                job.system,
            ),
        )
    if not 1 <= job.parties <= MAX_PARTIES:
        yield (
            "parties",
            "parties",
            reason("parties-work-system", "send 1 to {} parties to each system", MAX_PARTIES),
        )


def damage_control(table: Table, orders: Mapping[str, Control]) -> None:
    """Resolve phase 14: all repairs by ship and system, then orders for damaged power cores.

    A repair works if the die is no higher than the number of parties. Each order that cannot be
    carried out is refused alone; the ship's others stand.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """
    state = table.state
    legal_orders: list[tuple[ShipState, Control]] = []
    for ship in state.ships:
        control = orders.get(ship.id)
        if control is None:
            continue
        faults = list(_order_faults(state, ship, control))
        carried_out, refused = _split_orders(control, [fault.entry for fault in faults])
        if faults and table.listens:
            words = join_phrases("; ", dict.fromkeys(fault.text for fault in faults))
            table.tell(OrderRefused, ship=ship.id, order=refused.words(), reason=words)
        legal_orders.append((ship, carried_out))
    for ship, control in legal_orders:
        _repair_systems(table, ship, control)
    for ship, control in legal_orders:
        dump_or_abandon(table, ship, control)


def _repair_systems(table: Table, ship: ShipState, control: Control) -> None:
    """Roll for all repairs of a ship, in canonical order of the systems."""
    jobs = sorted((ship.profile.index_of[job.system], job.parties) for job in control.repairs)
    for index, parties in jobs:
        _repair(table, ship, index, parties)


def _split_orders(control: Control, entries: Sequence[int]) -> tuple[Control, Control]:
    """Split a ship's orders into those carried out and the rest.

    Args:
        entries: The entries of the faults (see `RepairFault`).
    """
    if EVERYTHING in entries:
        return Control(), control
    legal_repairs: list[Repair] = []
    refused_repairs: list[Repair] = []
    for number, job in enumerate(control.repairs):
        if number in entries:
            refused_repairs.append(job)
        else:
            legal_repairs.append(job)
    refuses_core = BURNING in entries
    carried_out = Control(
        repairs=tuple(legal_repairs),
        dump=control.dump and not refuses_core,
        abandon=control.abandon and not refuses_core,
        repel=control.repel,
    )
    refused = Control(
        repairs=tuple(refused_repairs),
        dump=control.dump and refuses_core,
        abandon=control.abandon and refuses_core,
    )
    return carried_out, refused


def _repair(table: Table, ship: ShipState, index: int, parties: int) -> None:
    """Roll once for all parties at a system; a lost drive comes back at half strength.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """
    system = ship.sheet.fits[index].id
    die = table.dice.roll("repair", f"{ship.id}/{system}")
    repaired = die <= parties
    if repaired:
        ship.restore(system)
    table.tell(
        RepairRolled, ship=ship.id, system=system, parties=parties, die=die, succeeded=repaired
    )
