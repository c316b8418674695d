"""Threshold checks of Continuum: one for all rows that ended in a phase, each further row adding to the dice.

Rules: Continuum "Threshold points" 4.11 [pc.thresholds]
"""

from __future__ import annotations

from engine.combat.wounds import wound, wrecked
from engine.dice import Dice
from engine.events import Destroyed, Sink, Threshold
from engine.rigging import knock_out, refit
from engine.rolls import Wound
from engine.state import DESTROYED, ShipState

# What checks with a modifier of its own: core systems and what is buried as deep, fragile sensors. A system of this
# table is hit as though its die showed so much more.
CHECK_MODIFIERS: dict[str, int] = {}


def rows_ended(ship: ShipState, before: int) -> list[int]:
    """Places (from 0) of the rows that ended since the ship had `before` damage points."""
    return [place for place, (end, _) in enumerate(ship.rig.row_ends) if before < end <= ship.damage]


def settle(ship: ShipState, before: int, cause: str, turn: int, dice: Dice, sink: Sink | None) -> None:
    """After a phase that hurt a ship: destroyed where no box is left, else one check for all rows that ended in it.

    Rules: Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    if wrecked(ship):
        if ship.status != DESTROYED:
            ship.status = DESTROYED
            if sink is not None:
                sink(Destroyed(turn, ship.id, cause))
        return
    rows = rows_ended(ship, before)
    if rows:
        check(ship, rows[-1], len(rows) - 1, turn, dice, sink)


def hurt(ship: ShipState, wounds: tuple[Wound, ...], cause: str, turn: int, dice: Dice, sink: Sink | None) -> None:
    """Damage of a phase that checks at once (movement, missiles, explosions). Rules: Continuum 4.11 [pc.thresholds]"""
    before = ship.damage
    wound(ship, wounds, cause, turn, sink)
    settle(ship, before, cause, turn, dice, sink)


def check(ship: ShipState, row: int, extra: int, turn: int, dice: Dice, sink: Sink | None) -> None:
    """A die for every surviving system in canonical order: the last row that ended says what loses one, `extra` rows
    beside it add to each die.

    Rules: Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    loses_on = ship.rig.row_ends[row][1]
    rolls: list[tuple[str, int]] = []
    lost: list[str] = []
    for index, fit in enumerate(ship.sheet.fits):
        if not ship.alive[index]:
            continue
        die = dice.roll("threshold", f"{ship.id}/{fit.id}")
        rolls.append((fit.id, die))
        if die + extra + CHECK_MODIFIERS.get(fit.type, 0) >= loses_on:
            knock_out(ship, index)
            lost.append(fit.id)
    if lost:
        refit(ship)
    if sink is not None:
        sink(Threshold(turn, ship.id, row + 1, loses_on - extra, tuple(rolls), tuple(lost)))
