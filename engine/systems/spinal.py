"""Spinal mounts: the nova cannon of the capital ships, which fires along the centreline; of Continuum also the wave
gun, and beams that hit all they touch.

Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]; Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.dice import Dice
from engine.geometry import NEAR
from engine.rolls import HULL, PIERCING, Effect, Shot, Wound, beam_hits, beam_wounds, damage_die
from engine.ruleset import SystemSpec
from engine.sheet import Fit

ARMED_AT = 6.0  # MU before the bow: where the plasma core goes off


@dataclass(frozen=True, slots=True)
class Flare:
    """A turn of a nova template: its radius and how far it moves, in MU, and the dice of damage it does."""

    radius: float
    move: float
    dice: int


# The three turns of a template, from its shot on.
FLARES = (Flare(1.0, 18.0, 6), Flare(2.0, 24.0, 4), Flare(3.0, 24.0, 2))

# model: reach and width of the beam, in MU
BEAMS: dict[str, tuple[float, float]] = {"small": (24.0, 1.0), "medium": (36.0, 1.5), "large": (48.0, 2.0)}
HALF_ARC = 0.2679491924311227  # tangent of 15 degrees: how far to either side of the bow they fire
BEAM_DICE, SINGULARITY_DICE = 12, 2
MASS_A_DIE = 50  # of the target: a die for each hit of a singularity

# A wave's stages: how far it has gone when each ends, in MU, its radius there, and the dice of damage.
WAVE: tuple[tuple[float, float, int], ...] = ((12.0, 1.0, 4), (24.0, 1.5, 3), (36.0, 2.0, 2))
FULL_CHARGE = 6

SPINAL_MOUNTS = (
    SystemSpec(
        "nova-cannon",
        "",
        "Spinal mount nova cannon",
        16,
        50,
        "2e.nova-cannon",
        arcs="fore",
        classifications=("capital",),
        offensive=True,
    ),
)


def burn(flare: Flare, dice: Dice, subject: str) -> tuple[int, ...]:
    """The dice of damage to one object a template sweeps: what they show is what it takes, past any screens.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    return tuple(dice.roll("damage", subject) for _ in range(flare.dice))


def spinal_reach(fit: Fit, _mode: str = "") -> float:
    """MU a spinal mount's beam reaches. Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]"""
    return BEAMS[fit.variant][0]


def ahead_of_bow(ahead: float, right: float) -> bool:
    """Whether a point lies within 15 degrees of the bow, given how far ahead and to starboard it is.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    return ahead > NEAR and abs(right) <= ahead * HALF_ARC + NEAR


def spinal_beam(shot: Shot, dice: Dice) -> Effect:
    """Twelve beam dice, at any range, for everything the beam touches.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    thrown, hits = beam_hits(BEAM_DICE, shot, dice)
    return Effect(thrown, wounds=beam_wounds(hits))


def singularity(shot: Shot, dice: Dice) -> Effect:
    """Two beam dice without re-rolls that no screen hinders; a hit does a die for every 50 mass of the target.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    thrown, hits = beam_hits(SINGULARITY_DICE, shot, dice, rerolls=False, screens=0)
    damage: list[int] = []
    wounds: list[Wound] = []
    for _ in range(hits[0]):
        each = [dice.roll("damage", shot.subject) for _ in range(-(-shot.mass // MASS_A_DIE))]
        damage += each
        wounds.append(Wound(sum(each), PIERCING))
    return Effect(thrown, tuple(damage), tuple(wounds))


def wave_reach(_fit: Fit, _mode: str = "") -> float:
    """MU a wave runs. Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]"""
    return WAVE[-1][0]


def wave(shot: Shot, dice: Dice) -> Effect:
    """What a wave does to a ship: dice by its stage (`shot.size`), past armour; advanced screens weaken each.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    thrown = [damage_die(shot, dice) for _ in range(WAVE[shot.size][2])]
    points = sum(points for _, points in thrown)
    return Effect(damage=tuple(die for die, _ in thrown), wounds=(Wound(points, HULL),))


def nova_reach(_fit: Fit, _mode: str = "") -> float:
    """MU a nova template runs in the turn of its shot. Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]"""
    return ARMED_AT + FLARES[0].move


def nova(shot: Shot, dice: Dice) -> Effect:
    """What a nova template does in the turn of its shot to a ship it touches: past screens and armour.

    Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]
    """
    thrown = burn(FLARES[0], dice, shot.subject)
    return Effect(damage=thrown, wounds=(Wound(sum(thrown), HULL),))
