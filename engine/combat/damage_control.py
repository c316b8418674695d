"""Damage control: how many parties a ship has left, what they may repair, their orders judged and carried out.

Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Crew casualties" 10.5 [pc.damage-control]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.combat.cores import CREWED, core_restored, dump_or_abandon
from engine.combat.spaces import SPACES
from engine.dice import Dice
from engine.errors import Violation
from engine.events import OrderRefused, Sink
from engine.events_hull import Repaired
from engine.notes import FOR_GOOD, REACTOR, note
from engine.orders import Control
from engine.rigging import refit
from engine.state import FIGHTING, BattleState, ShipState
from engine.terms import NO_REPAIRS

MOST_PARTIES = 3  # on one job

PARTY = "damage-control"  # the type of an extra party
# What no party brings back, and why. One-shot weapons (`Fit.expendable`) stand with the magazines.
BEYOND_REPAIR: dict[str, str] = {
    PARTY: "its people are dead or wounded",
    "marines": "its people are dead or wounded",
    "magazine": "what was in it is gone",
    **dict.fromkeys(SPACES, "what was in it is gone"),
}
SPENT = "a weapon of one shot is lost for good"
LOST_FOR_GOOD = "it is beyond repair in battle"


def crew_left(ship: ShipState) -> int:
    """Crew factors that are left: those whose box on the damage track is not crossed off.

    Rules: Continuum "Crew casualties" 10.5 [pc.damage-control]
    """
    return sum(box > ship.damage for box in ship.sheet.crew)


def parties_of(ship: ShipState) -> int:
    """Damage control parties that can work: one for each crew factor left, and extra ones that live.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Additional damage control parties"
    13.13 [pc.berthing]
    """
    return crew_left(ship) + sum(ship.alive[place] for place in ship.rig.places.get(PARTY, ()))


def beyond_repair(ship: ShipState, index: int) -> str:
    """Why no party could bring a system (its place in `fits`) back, nothing where one could.

    Rules: Continuum "Damage to systems" 10.1 [pc.damage-control]
    """
    fit = ship.sheet.fits[index]
    if note(FOR_GOOD, fit.id) in ship.notes:
        return LOST_FOR_GOOD
    return BEYOND_REPAIR.get(fit.type, SPENT if fit.expendable else "")


def fixable(ship: ShipState) -> tuple[str, ...]:
    """The systems lost (or halved) that a party could bring back, in canonical order."""
    return tuple(
        fit.id
        for index, fit in enumerate(ship.sheet.fits)
        if ship.alive[index] < ship.rig.whole[index] and not beyond_repair(ship, index)
    )


def has_control(ship: ShipState, options: Sequence[str]) -> bool:
    """Whether a ship's crew has anything to decide at damage control: systems to repair, or a power core to leave.

    `options`: those in force.
    """
    if ship.dummy or ship.status not in CREWED:
        return False
    if REACTOR in ship.notes:
        return True
    return NO_REPAIRS not in options and bool(parties_of(ship) and fixable(ship))


def calls_for_control(state: BattleState) -> list[ShipState]:
    """The ships for whose sake a turn stops for damage control: those whose sheet everybody may read.

    A contact that nobody has identified calls for none, or the stop itself would tell that it is damaged.
    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """
    options = state.terms.options
    return [ship for ship in state.ships if ship.status == FIGHTING and not ship.bogey and has_control(ship, options)]


def control_violations(state: BattleState, ship: ShipState, control: Control, where: str) -> tuple[Violation, ...]:
    """Everything that is wrong with a ship's orders at damage control.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Core systems" 10.3 [pc.core-systems]
    """
    return tuple(
        Violation(f"{where}{at}", code, f"{ship.id}: {why}") for at, code, why in _faults(state, ship, control)
    )


def _faults(state: BattleState, ship: ShipState, control: Control) -> Iterator[tuple[str, str, str]]:
    """Each fault as its place under the ship, its code and its words."""
    if ship.dummy or ship.status not in CREWED:
        yield "", "no-crew", "nobody aboard takes orders"
        return
    if control.repairs and NO_REPAIRS in state.terms.options:
        yield ".repairs", "no-repairs", "nothing is repaired in this battle"
    seen: list[str] = []
    for number, job in enumerate(control.repairs):
        spot = f".repairs[{number}]"
        index = ship.rig.index_of.get(job.system, -1)
        if index < 0:
            known = ", ".join(fixable(ship)) or "nothing"
            yield f"{spot}.system", "unknown-system", f"it has no '{job.system}'; to be repaired: {known}"
        elif ship.alive[index] >= ship.rig.whole[index]:
            yield f"{spot}.system", "not-lost", f"'{job.system}' works"
        elif why := beyond_repair(ship, index):
            yield f"{spot}.system", "beyond-repair", f"'{job.system}' cannot be repaired: {why}"
        if job.system in seen:
            yield f"{spot}.system", "system-twice", f"all parties at '{job.system}' make one roll together"
        seen.append(job.system)
        if not 1 <= job.parties <= MOST_PARTIES:
            yield f"{spot}.parties", "parties", f"one to {MOST_PARTIES} parties work on a system"
    sent, there = sum(max(job.parties, 0) for job in control.repairs), parties_of(ship)
    if sent > there:
        yield ".repairs", "too-many-parties", f"{sent} parties are sent, {there} are left"
    if (control.dump or control.abandon) and REACTOR not in ship.notes:
        yield "", "core-holds", "its power core is under control: it is neither dumped nor left"
    if control.dump and control.abandon:
        yield "", "dump-or-abandon", "a crew dumps its power core or abandons ship, not both"


def damage_control(state: BattleState, orders: Mapping[str, Control], turn: int, dice: Dice, sink: Sink | None) -> None:
    """Phase 14: all repairs in the order of ships and systems, then what crews do about power cores that still burn.

    A system works again where the die is no higher than the parties at it. Orders that cannot be carried out are
    refused whole. Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """
    obeyed: list[tuple[ShipState, Control]] = []
    for ship in state.ships:
        control = orders.get(ship.id)
        if control is None:
            continue
        wrong = [why for _, _, why in _faults(state, ship, control)]
        if not wrong:
            obeyed.append((ship, control))
        elif sink is not None:
            sink(OrderRefused(turn, ship.id, control.words(), "; ".join(wrong)))
    for ship, control in obeyed:
        jobs = sorted((ship.rig.index_of[job.system], job.parties) for job in control.repairs)
        for index, parties in jobs:
            _repair(ship, index, parties, turn, dice, sink)
    for ship, control in obeyed:
        dump_or_abandon(ship, control, turn, sink)


def _repair(ship: ShipState, index: int, parties: int, turn: int, dice: Dice, sink: Sink | None) -> None:
    """One roll for all parties at a system; a drive that was out comes back halved.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """
    system = ship.sheet.fits[index].id
    die = dice.roll("repair", f"{ship.id}/{system}")
    done = die <= parties
    if done:
        ship.alive[index] += 1
        core_restored(ship, system)
        refit(ship)
    if sink is not None:
        sink(Repaired(turn, ship.id, system, parties, die, done))
