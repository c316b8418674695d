"""What each kind of ship's weapon does when it fires: its reach, the FireCon it asks for, and its dice.

A weapon's own rules stand in `engine.systems`; this is the table that finds them by the type of the fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.dice import Dice
from engine.events import Shot, Sink
from engine.geometry import ARC_NAMES, NEAR
from engine.orders import Fire
from engine.state import ShipState
from engine.systems.beams import BANDS, DICE_BY_BAND, volley
from engine.systems.screens import BEAM_POINTS

# What a FireCon is set to: guns and packs share one for each target, torpedoes have their own, needles one a system.
GUNS, TORPEDOES, NEEDLES = "guns", "torpedoes", "needles"

_SQUARED = tuple((limit + NEAR) ** 2 for limit in BANDS)


@dataclass(slots=True)
class Salvo:
    """One ship's firing turn: damage points by target so far, systems needled, FireCons set, fits used up."""

    hits: dict[str, int] = field(default_factory=dict)
    needled: list[tuple[str, str]] = field(default_factory=list)
    controls: list[tuple[str, str, str]] = field(default_factory=list)
    fired: list[int] = field(default_factory=list)

    def hit(self, target: str, points: int) -> None:
        """Add damage points to what a target will take at the end of the firing turn."""
        self.hits[target] = self.hits.get(target, 0) + points


@dataclass(frozen=True, slots=True)
class Aim:
    """A weapon about to fire: the fit's place and name, whom it fires at, how far (MU), through which arc (its bit)."""

    ship: ShipState
    index: int
    fire: Fire
    target: ShipState
    distance: float
    arc: int
    turn: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """A kind of weapon.

    `control`: what its FireCon is set to. `reaches`: whether a fit of this variant does anything at a squared range.
    `shoot`: throws its dice, says so, and adds what it did to the salvo.
    """

    control: str
    reaches: Callable[[str, float], bool]
    shoot: Callable[[Aim, Salvo, Dice, Sink | None], None]


def beam_band(squared: float) -> int:
    """The range band (0, 1, 2) of a squared range, -1 beyond 36 MU. Rules: 2E "Weapon ranges" [2e.beams]"""
    if squared > _SQUARED[2]:
        return -1
    return 0 if squared <= _SQUARED[0] else (1 if squared <= _SQUARED[1] else 2)


def _beam_reaches(variant: str, squared: float) -> bool:
    band = beam_band(squared)
    return band >= 0 and DICE_BY_BAND[variant][band] > 0


def _beam(aim: Aim, salvo: Salvo, dice: Dice, sink: Sink | None) -> None:
    """One battery's fire: all its dice at one target. Rules: 2E "Beam weapon batteries" [2e.beams]"""
    ship, target, weapon = aim.ship, aim.target, aim.fire.weapon
    number = DICE_BY_BAND[ship.sheet.fits[aim.index].variant][beam_band(aim.distance * aim.distance)]
    thrown, points = volley(number, BEAM_POINTS[target.screens], dice, f"{ship.id}/{weapon}")
    salvo.hit(target.id, points)
    if sink is not None:
        arc = ARC_NAMES[aim.arc]
        sink(Shot(aim.turn, ship.id, weapon, target.id, aim.distance, arc, target.screens, thrown, points))


WEAPONS: dict[str, Weapon] = {
    "battery": Weapon(GUNS, _beam_reaches, _beam),
}
