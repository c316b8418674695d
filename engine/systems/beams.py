"""Beam batteries: the main guns of the second edition, in classes A, B and C, and of Continuum, in classes 1 to 5."""

from __future__ import annotations

from engine.dice import Dice
from engine.rolls import Effect, Shot, beam_hits, beam_wounds, dice_in_range
from engine.ruleset import SystemSpec
from engine.sheet import Fit

# Far end of each band in MU; a range exactly on it is in the nearer band.
BANDS = (12.0, 24.0, 36.0)

# Dice of each class in each band.
DICE_BY_BAND: dict[str, tuple[int, int, int]] = {
    "A": (3, 2, 1),
    "B": (2, 1, 0),
    "C": (1, 0, 0),
}

BATTERIES = (
    SystemSpec("battery", "A", "Class A battery", 3, 4, "2e.beams", points_per_arc=3, arcs="adjacent", offensive=True),
    SystemSpec("battery", "B", "Class B battery", 2, 3, "2e.beams", points_per_arc=2, arcs="adjacent", offensive=True),
    SystemSpec(
        "battery",
        "C",
        "Class C battery",
        1,
        2,
        "2e.beams",
        points_per_arc=1,
        arcs="adjacent",
        offensive=True,
        civil=True,
    ),
)


def volley(count: int, points_by_die: tuple[int, ...], dice: Dice, subject: str) -> tuple[tuple[int, ...], int]:
    """Throw a battery's dice: the dice and the damage points they make. There is no re-roll.

    `points_by_die[die]` is what the target's screens let through.
    Rules: 2E "Weapon ranges, firing and damage" [2e.beams]
    """
    if count == 1:
        die = dice.roll("beam", subject)
        return (die,), points_by_die[die]
    thrown = tuple(dice.roll("beam", subject) for _ in range(count))
    return thrown, sum(points_by_die[die] for die in thrown)


def beam_reach(fit: Fit, _mode: str = "") -> float:
    """MU a beam of a class reaches: 12 for each. Rules: Continuum "Beam weapons" 5.3 [pc.beams]"""
    return 12.0 * fit.size


def beam(shot: Shot, dice: Dice) -> Effect:
    """A beam's fire: a die a class, one fewer in each further band of 12 MU, re-rolls past screens and armour.

    Rules: Continuum "Beam weapons" 4.5, 4.6, 5.3 [pc.beams]
    """
    thrown, hits = beam_hits(dice_in_range(shot.size, shot.distance), shot, dice)
    return Effect(thrown, wounds=beam_wounds(hits))
