"""Threshold checks of Continuum: one for all rows that ended in a phase, each further row adding to the dice.

Rules: Continuum "Threshold points" 4.11 [pc.thresholds]
"""

from __future__ import annotations

from engine.combat.cargo import crossed_off
from engine.continuum.backfire import BACKFIRE, backfire
from engine.continuum.cores import CORE, core_hits
from engine.continuum.damage import wound, wrecked
from engine.core.dice import Dice
from engine.core.notes import FOR_GOOD, note
from engine.core.rolls import Wound
from engine.core.ship import DESTROYED, ShipState
from engine.core.table import Table
from engine.core.terms import CORE_SYSTEMS, DRIVE_DAMAGE
from engine.events.damage import Destroyed, Marked, Threshold
from engine.ship_profiles import capacity
from engine.weapons.weapon import Trait

# What checks with a modifier of its own: what is buried as deep as the core systems, and fragile sensors. A system of
# this table is hit as though its die showed so much more.
CHECK_MODIFIERS: dict[str, int] = dict.fromkeys(CORE, -1) | {
    "enhanced-sensors": 1,
    "superior-sensors": 1,
}
BURIED_MODIFIER = -1  # of weapons that lie as deep as core systems
# What a die of 6 as it fell loses for the rest of the battle.
SHATTERED_BY_SIX = ("enhanced-sensors", "superior-sensors")

FLAW = "flawed-design"  # the name its check goes by; no system of the sheet
FLAW_BURIED_ABOVE = 90  # mass of ships whose flaw is as protected as core systems
FLAW_BURIED = -1


def rows_ended(ship: ShipState, before: int) -> list[int]:
    """Places (from 0) of the rows that ended since the ship had `before` damage points."""
    return [place for place, (end, _) in enumerate(ship.rig.row_ends) if before < end <= ship.damage]


def settle(table: Table, ship: ShipState, before: int, cause: str, *, phase_13: bool = False) -> None:
    """After a phase that hurt a ship: destroyed where no box is left, else one check for all rows that ended in it.

    `phase_13`: it is the phase of checks after the ships' fire, where a drive may have to be rolled for twice.
    Rules: Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    if wrecked(ship):
        _destroyed(table, ship, cause)
        return
    rows = rows_ended(ship, before)
    if rows:
        twice = phase_13 and len(rows) > 1 and DRIVE_DAMAGE in table.state.terms.options
        check(table, ship, rows[-1], len(rows) - 1, drive_rolls=2 if twice else 1)


def hurt(table: Table, ship: ShipState, wounds: tuple[Wound, ...], cause: str) -> None:
    """Damage of a phase that checks at once (movement, missiles, explosions). Rules: Continuum 4.11 [pc.thresholds]"""
    before = ship.damage
    wound(table, ship, wounds, cause)
    settle(table, ship, before, cause)


def harm(table: Table, ship: ShipState, points: int, cause: str, _: int, kind: str) -> None:
    """Mark damage points of one kind off a ship, with the checks that follow at once."""
    if points > 0 and ship.status != DESTROYED:
        hurt(table, ship, (Wound(points, kind),), cause)


def check(table: Table, ship: ShipState, row: int, extra: int, *, drive_rolls: int = 1) -> None:
    """A die for every surviving system in canonical order: the last row that ended says what loses one, `extra` rows
    beside it add to each die. What no die could lose is not rolled for, nor is what has been fired off.

    A system that stands two hits is lost by the second; a drive that is rolled for twice may take both. A flawed design
    is rolled for last. A wave gun that is lost lets go its charge, which may end further rows.
    Rules: Continuum "Threshold points" 4.11, 10.1 [pc.thresholds]; Continuum "Core systems" 10.3 [pc.core-systems];
    Continuum "Flawed design" 13.13 [pc.flawed-design]
    """
    loses_on = ship.rig.row_ends[row][1] - extra
    core = CORE_SYSTEMS in table.state.terms.options
    rolls, failed = _thrown(ship, loses_on, drive_rolls, table.dice, core=core)
    flaw = ship.sheet.flawed and _flaw(ship, loses_on, table.dice, rolls)
    lost = crossed_off(ship, [index for index, _ in failed])
    fits = ship.sheet.fits
    names = [fits[index].id for index in lost]
    ship.lose(names)
    if table.listens:
        table.tell(Threshold, ship.id, row + 1, loses_on, tuple(rolls), tuple(names))
    for index, die in failed:
        if die == 6 and fits[index].type in SHATTERED_BY_SIX:
            ship.notes[note(FOR_GOOD, fits[index].id)] = 1
            if table.listens:
                table.tell(Marked, ship.id, note(FOR_GOOD, fits[index].id), 1)
    if flaw:
        _destroyed(table, ship, FLAW)
    elif core:
        core_hits(table, ship, [fits[index].id for index in lost if fits[index].type in CORE])
    held = ship.damage
    if backfire(table, ship, names):
        settle(table, ship, held, BACKFIRE)


def _thrown(
    ship: ShipState, loses_on: int, drive_rolls: int, dice: Dice, *, core: bool
) -> tuple[list[tuple[str, int]], list[tuple[int, int]]]:
    """The dice of a check: each system's name and die, and of those that fail their place in `fits` and die."""
    rolls: list[tuple[str, int]] = []
    failed: list[tuple[int, int]] = []
    for index, fit in enumerate(ship.sheet.fits):
        least = loses_on - check_modifier(ship, index)
        if least > 6 or _fired_off(ship, index) or (fit.type in CORE and not core):
            continue
        for _ in range(min(ship.alive[index], drive_rolls if fit.type == "drive" else 1)):
            die = dice.roll("threshold", f"{ship.id}/{fit.id}")
            rolls.append((fit.id, die))
            if die >= least:
                failed.append((index, die))
    return rolls, failed


def check_modifier(ship: ShipState, index: int) -> int:
    """What is added to the die of a system (its place in `fits`). Rules: Continuum 4.11 [pc.thresholds]"""
    if Trait.BURIED in ship.rig.weapons[index].traits:
        return BURIED_MODIFIER
    return CHECK_MODIFIERS.get(ship.sheet.fits[index].type, 0)


def _fired_off(ship: ShipState, index: int) -> bool:
    """Whether a system is a weapon of one shot that is gone: there is nothing left of it to hit."""
    fit = ship.sheet.fits[index]
    return fit.expendable and not ship.stock[index] and capacity(ship.sheet.edition, fit.type) > 0


def _flaw(ship: ShipState, loses_on: int, dice: Dice, rolls: list[tuple[str, int]]) -> bool:
    """Whether a check hits the flaw of a flawed design, which destroys the ship; on the largest it lies deep.

    Rules: Continuum "Flawed design" 13.13 [pc.flawed-design]
    """
    least = loses_on - (FLAW_BURIED if ship.sheet.mass > FLAW_BURIED_ABOVE else 0)
    if least > 6:
        return False
    die = dice.roll("threshold", f"{ship.id}/{FLAW}")
    rolls.append((FLAW, die))
    return die >= least


def _destroyed(table: Table, ship: ShipState, cause: str) -> None:
    if ship.status != DESTROYED:
        ship.destroy()
        table.tell(Destroyed, ship.id, cause)
