"""Every ship's weapon of Continuum by the type of its fit: how far it reaches, how it fires, what it asks for.

A weapon's own rules stand in `engine.systems`; when ships fire stands in `engine.combat.volleys`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.combat.readiness import armed, boarders, charged, on_line, rested
from engine.dice import Dice
from engine.rolls import Effect, Shot
from engine.sheet import Fit
from engine.ship import ShipState
from engine.systems import (
    beams,
    fusion,
    grasers,
    gravitic,
    kinetics,
    missiles,
    needles,
    phasers,
    plasma,
    point_defence,
    pulsers,
    spinal,
    torpedoes,
    transporters,
)

# What a weapon fires along instead of at one target: a line to whatever it is aimed at, or straight ahead of the bow.
LINE, BOW = "line", "bow"


def _ready(_ship: ShipState, _fit: Fit, _mode: str, _turn: int) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Gun:
    """A kind of weapon.

    `reach`: MU at which a fit does anything at all, by the way it fires. `fire`: throws its dice. `modes`: the ways it
    may be told to fire, the first where nothing is said. `controlled`: it asks for a FireCon. `at_system`: the modes
    whose each shot is at one system of its target; `snipes`: those that take a FireCon for it, and good sensors far
    off. `advanced`: the modes that ask for an advanced FireCon. `unready`: why it does not fire this turn (ship, fit,
    mode, turn). `along`: what it sweeps (LINE, BOW), "" where it fires at one target. `once`: it fires what it has in
    stock. `twice`: the modes in which it fires twice. `astern`: it bears through the stern even under thrust.
    `bare_only`: it hurts only ships without any field and armour.
    """

    reach: Callable[[Fit, str], float]
    fire: Callable[[Shot, Dice], Effect]
    modes: tuple[str, ...] = ("",)
    controlled: bool = True
    at_system: tuple[str, ...] = ()
    snipes: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()
    unready: Callable[[ShipState, Fit, str, int], str] = _ready
    along: str = ""
    once: bool = False
    twice: tuple[str, ...] = ()
    astern: bool = False
    bare_only: bool = False


def _to(limit: float) -> Callable[[Fit, str], float]:
    """The reach of a weapon that has one range in MU."""

    def reach(_fit: Fit, _mode: str = "") -> float:
        return limit

    return reach


def _phaser(shot: Shot, dice: Dice) -> Effect:
    """A phaser, which fires like a needle beam where it is told to. Rules: Continuum "Phasers" 5.8 [pc.phasers]"""
    return needles.needle(shot, dice) if shot.mode == phasers.NEEDLE else phasers.phaser(shot, dice)


# fmt: off
GUNS: dict[str, Gun] = {
    "beam":           Gun(beams.beam_reach, beams.beam),
    "emp":            Gun(beams.beam_reach, beams.emp),
    "plasma-cannon":  Gun(beams.beam_reach, plasma.plasma_cannon),
    "graser":         Gun(beams.beam_reach, grasers.graser),
    "heavy-graser":   Gun(grasers.heavy_reach, grasers.heavy_graser),
    "phaser":         Gun(beams.beam_reach, _phaser, ("", phasers.NEEDLE), at_system=(phasers.NEEDLE,),
                          snipes=(phasers.NEEDLE,), advanced=(phasers.NEEDLE,)),
    "transporter":    Gun(beams.beam_reach, transporters.transporter, ("", transporters.RAID),
                          at_system=(transporters.RAID,), unready=boarders),
    "gatling":        Gun(_to(beams.GATLING[0]), beams.gatling),
    "particle-array": Gun(_to(beams.PARTICLE_ARRAY[0]), beams.particle_array),
    "meson":          Gun(_to(beams.MESON[0]), beams.meson),
    "needle":         Gun(beams.beam_reach, needles.needle, at_system=("",), snipes=("",)),
    "pulse-torpedo":  Gun(torpedoes.torpedo_reach, torpedoes.torpedo),
    "submunition":    Gun(missiles.pack_reach, missiles.pack, once=True),
    "k-gun":          Gun(kinetics.k_gun_reach, kinetics.k_gun, ("", kinetics.FLAK)),
    "mkp":            Gun(kinetics.penetrator_reach, kinetics.penetrator, once=True),
    "fusion-array":   Gun(fusion.fusion_reach, fusion.fusion_array, unready=on_line),
    "gravitic":       Gun(beams.beam_reach, gravitic.gravitic),
    "pulser":         Gun(pulsers.pulser_reach, pulsers.pulser),
    "spinal-beam":        Gun(spinal.spinal_reach, spinal.spinal_beam, unready=rested, along=LINE),
    "spinal-plasma":      Gun(spinal.spinal_reach, plasma.spinal_plasma, unready=rested, along=LINE),
    "spinal-singularity": Gun(spinal.spinal_reach, spinal.singularity, unready=rested, along=LINE),
    "nova-cannon":    Gun(spinal.nova_reach, spinal.nova, controlled=False, unready=armed, along=BOW),
    "wave-gun":       Gun(spinal.wave_reach, spinal.wave, controlled=False, unready=charged, along=BOW),
    "pds":            Gun(point_defence.pds_reach, point_defence.pds, controlled=False, astern=True, bare_only=True),
    "ads":            Gun(point_defence.ads_reach, point_defence.ads, ("", point_defence.SPLIT), controlled=False,
                          twice=(point_defence.SPLIT,), astern=True, bare_only=True),
    "scattergun":     Gun(point_defence.scatter_reach, point_defence.scattergun, controlled=False, once=True,
                          astern=True),
    "grapeshot":      Gun(point_defence.scatter_reach, point_defence.grapeshot, controlled=False, once=True,
                          astern=True, bare_only=True),
}
# fmt: on
