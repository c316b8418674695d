"""Every ship's weapon of Continuum by the type of its fit: how far it reaches, how it fires, what it asks for.

A weapon's own rules stand in `engine.systems`; when ships fire stands in `engine.combat.volleys`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.dice import Dice
from engine.rolls import Effect, Shot
from engine.sheet import Fit
from engine.systems import beams


@dataclass(frozen=True, slots=True)
class Gun:
    """A kind of weapon.

    `reach`: MU at which a fit does anything at all, by the way it fires. `fire`: throws its dice. `modes`: the ways it
    may be told to fire, the first where nothing is said. `controlled`: it asks for a FireCon. `at_system`: each shot
    is at one system of its target, and so is its FireCon. `once`: it fires what it has in stock. `astern`: it bears
    through the stern even under thrust. `bare_only`: it hurts only ships without any field and armour.
    """

    reach: Callable[[Fit, str], float]
    fire: Callable[[Shot, Dice], Effect]
    modes: tuple[str, ...] = ("",)
    controlled: bool = True
    at_system: bool = False
    once: bool = False
    astern: bool = False
    bare_only: bool = False


GUNS: dict[str, Gun] = {
    "beam": Gun(beams.beam_reach, beams.beam),
}
