"""What each kind of ship's weapon does when it fires: its reach, the FireCon it asks for, and its dice.

A weapon's own rules stand in `engine.systems`; this is the table that finds them by the type of the fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.events.fire import NeedleFired, PackFired, Shot, TorpedoFired
from engine.geometry import ARC_NAMES, NEAR, within
from engine.orders import Fire
from engine.ship import ShipState
from engine.systems import missiles, needles, torpedoes
from engine.systems.beams import BANDS, DICE_BY_BAND, volley
from engine.systems.screens import BEAM_POINTS
from engine.table import Table

# What a FireCon is set to: guns and packs share one for each target, torpedoes have their own, needles one a system.
GUNS, TORPEDOES, NEEDLES = "guns", "torpedoes", "needles"

_SQUARED = tuple((limit + NEAR) ** 2 for limit in BANDS)


class Salvo:
    """One ship's firing turn: damage points by target so far, systems needled, FireCons set, fits used up."""

    __slots__ = ("controls", "fired", "hits", "needled")

    def __init__(self) -> None:
        self.hits: dict[str, int] = {}
        self.needled: list[tuple[str, str]] = []
        self.controls: list[tuple[str, str, str]] = []
        self.fired: list[int] = []

    def hit(self, target: str, points: int) -> None:
        """Add damage points to what a target will take at the end of the firing turn."""
        self.hits[target] = self.hits.get(target, 0) + points


class Aim:
    """A weapon about to fire: the fit's place and name, whom it fires at, how far (MU), through which arc (its bit)."""

    __slots__ = ("arc", "distance", "fire", "index", "ship", "target", "turn")

    def __init__(
        self, ship: ShipState, index: int, fire: Fire, target: ShipState, distance: float, arc: int, turn: int
    ) -> None:
        self.ship = ship
        self.index = index
        self.fire = fire
        self.target = target
        self.distance = distance
        self.arc = arc
        self.turn = turn


@dataclass(frozen=True, slots=True)
class Weapon:
    """A kind of weapon.

    `control`: what its FireCon is set to. `reaches`: whether a fit of this variant does anything at a squared range.
    `shoot`: throws its dice, says so, and adds what it did to the salvo. `stocked`: it fires only what it has in stock.
    """

    control: str
    reaches: Callable[[str, float], bool]
    shoot: Callable[[Table, Aim, Salvo], None]
    stocked: bool = False


def beam_band(squared: float) -> int:
    """The range band (0, 1, 2) of a squared range, -1 beyond 36 MU. Rules: 2E "Weapon ranges" [2e.beams]"""
    if squared > _SQUARED[2]:
        return -1
    return 0 if squared <= _SQUARED[0] else (1 if squared <= _SQUARED[1] else 2)


def _beam_reaches(variant: str, squared: float) -> bool:
    band = beam_band(squared)
    return band >= 0 and DICE_BY_BAND[variant][band] > 0


def _beam(table: Table, aim: Aim, salvo: Salvo) -> None:
    """One battery's fire: all its dice at one target. Rules: 2E "Beam weapon batteries" [2e.beams]"""
    ship, target, weapon = aim.ship, aim.target, aim.fire.weapon
    number = DICE_BY_BAND[ship.sheet.fits[aim.index].variant][beam_band(aim.distance * aim.distance)]
    thrown, points = volley(number, BEAM_POINTS[target.screens], table.dice, f"{ship.id}/{weapon}")
    salvo.hit(target.id, points)
    if table.listens:
        arc = ARC_NAMES[aim.arc]
        table.tell(Shot, ship.id, weapon, target.id, aim.distance, arc, target.screens, thrown, points)


def band_of(distance: float, bands: tuple[float, ...]) -> int:
    """The place of the band a range in MU falls into, a range exactly on a limit in the nearer one; -1 beyond all."""
    return next((place for place, limit in enumerate(bands) if distance <= limit + NEAR), -1)


def _up_to(limit: float) -> Callable[[str, float], bool]:
    """The reach of a weapon that has one range in MU, whatever its variant."""
    return lambda _, squared: within(squared, limit)


def _torpedo(table: Table, aim: Aim, salvo: Salvo) -> None:
    """One torpedo; no screen stops it. Rules: 2E "Pulse torpedoes" [2e.pulse-torpedoes]"""
    ship, target, weapon = aim.ship, aim.target, aim.fire.weapon
    band = band_of(aim.distance, torpedoes.BANDS)
    die, points = torpedoes.bolt(band, table.dice, f"{ship.id}/{weapon}")
    salvo.hit(target.id, points)
    if table.listens:
        needed = torpedoes.HITS_ON[band]
        table.tell(TorpedoFired, ship.id, weapon, target.id, aim.distance, needed, die, points)


def _needle(table: Table, aim: Aim, salvo: Salvo) -> None:
    """One shot at one system; what it knocks out goes when the damage is marked.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    ship, target, fire = aim.ship, aim.target, aim.fire
    die, hit = needles.snipe(table.dice, f"{ship.id}/{fire.weapon}")
    if hit:
        salvo.needled.append((target.id, fire.system))
    if table.listens:
        table.tell(NeedleFired, ship.id, fire.weapon, target.id, fire.system, aim.distance, die)


def _pack(table: Table, aim: Aim, salvo: Salvo) -> None:
    """A whole pack at one target, its dice read as a beam's against no screens; then it is gone.

    Rules: 2E "Submunition packs" [2e.submunitions]
    """
    ship, target, weapon = aim.ship, aim.target, aim.fire.weapon
    number = missiles.DICE[band_of(aim.distance, missiles.BANDS)]
    thrown, points = volley(number, BEAM_POINTS[0], table.dice, f"{ship.id}/{weapon}")
    ship.stock[aim.index] = 0
    salvo.hit(target.id, points)
    if table.listens:
        table.tell(PackFired, ship.id, weapon, target.id, aim.distance, ARC_NAMES[aim.arc], thrown, points)


WEAPONS: dict[str, Weapon] = {
    "battery": Weapon(GUNS, _beam_reaches, _beam),
    "pulse-torpedo": Weapon(TORPEDOES, _up_to(torpedoes.BANDS[-1]), _torpedo),
    "needle": Weapon(NEEDLES, _up_to(needles.REACH), _needle),
    "submunition": Weapon(GUNS, _up_to(missiles.BANDS[-1]), _pack, stocked=True),
}
