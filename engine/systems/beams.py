"""Beam batteries: the main guns of the second edition, in classes A, B and C, and of Continuum, in classes 1 to 5.

Their kin of Continuum, read by the same dice: Gatling batteries, particle arrays, meson projectors, EMP projectors.
"""

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


# Range in MU and dice of the mounts without classes.
GATLING, PARTICLE_ARRAY, MESON = (12.0, 6), (24.0, 2), (48.0, 1)


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


def gatling(shot: Shot, dice: Dice) -> Effect:
    """Six beam dice to 12 MU. Rules: Continuum "Gatling battery" 5.10 [pc.gatling]"""
    return _fixed(GATLING[1], shot, dice)


def particle_array(shot: Shot, dice: Dice) -> Effect:
    """Two beam dice to 24 MU. Rules: Continuum "Twin particle array" 5.11 [pc.twin-particle-array]"""
    return _fixed(PARTICLE_ARRAY[1], shot, dice)


def meson(shot: Shot, dice: Dice) -> Effect:
    """One beam die to 48 MU. Rules: Continuum "Meson projector" 5.12 [pc.meson]"""
    return _fixed(MESON[1], shot, dice)


def _fixed(number: int, shot: Shot, dice: Dice) -> Effect:
    thrown, hits = beam_hits(number, shot, dice)
    return Effect(thrown, wounds=beam_wounds(hits))


def emp(shot: Shot, dice: Dice) -> Effect:
    """An EMP projector's fire: beam dice that hurt neither armour nor hull; of all screens only advanced ones count.

    Rules: Continuum "EMP projectors" 5.4 [pc.emp]
    """
    thrown, hits = beam_hits(dice_in_range(shot.size, shot.distance), shot, dice, screens=shot.advanced)
    return Effect(thrown, emp=sum(hits))
