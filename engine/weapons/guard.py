"""Point defence: which weapons meet ordnance on its way, with which dice, and for whom besides
their own ship.

Rules: Continuum "Point defense vs. missiles" 6.4, "Point defense" 8.8 [pc.point-defence]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.rolls import NO_REROLL_LEVEL, clamped, taken_through
from engine.core.sheet import Fit
from engine.core.ship import ShipState

SUPPORT_REACH = 6.0  # MU from a ship to the friend that it helps
AREA_REACH = 12.0  # MU of area defence, with one die beyond the reach of the others
SPLIT = "split"  # area defence told to fire its two dice at different targets
AREA = "area"  # a mount told to fire as area defence by its ship's advanced FireCon
AREA_SPLIT = "area-split"  # the same at two targets
BY_FIRECON = (AREA, AREA_SPLIT)  # ways to fire that ask for no ADFC


class Quarry(StrEnum):
    """What point defence tells apart."""

    MISSILES = "missiles"
    HEAVY_MISSILE = "heavy"
    PLASMA_BOLT = "bolt"
    FIGHTERS = "fighters"
    GUNBOATS = "gunboats"


# What a die takes of each quarry, by what it shows; place 0 is no die.
Kills = Mapping[Quarry, tuple[int, ...]]
BY_PDS: Kills = {
    Quarry.MISSILES: (0, 0, 0, 0, 1, 1, 2),
    Quarry.HEAVY_MISSILE: (0, 0, 0, 0, 0, 1, 1),
    Quarry.PLASMA_BOLT: (0, 0, 0, 0, 0, 0, 1),
    Quarry.FIGHTERS: (0, 0, 0, 0, 1, 1, 2),
    Quarry.GUNBOATS: (0, 0, 0, 0, 1, 1, 2),
}
BY_LIGHT_BEAM: Kills = {
    Quarry.MISSILES: (0, 0, 0, 0, 0, 1, 1),
    Quarry.HEAVY_MISSILE: (0, 0, 0, 0, 0, 0, 1),
    Quarry.FIGHTERS: (0, 0, 0, 0, 0, 1, 1),
}
# What fighters' guns take of ordnance.
BY_CRAFT: Kills = {**BY_LIGHT_BEAM, Quarry.PLASMA_BOLT: BY_PDS[Quarry.PLASMA_BOLT]}
# Bolts are too fast for guns that have other work.
BY_GUN: Kills = {
    quarry: kills for quarry, kills in BY_PDS.items() if quarry is not Quarry.PLASMA_BOLT
}
REROLLED = (
    Quarry.MISSILES,
    Quarry.FIGHTERS,
    Quarry.GUNBOATS,
)  # a natural 6 at these earns another die
AT_BOATS = -2  # to dice of point defence: gunboats are well armoured

# The dice of a weapon at a quarry and what they take: (quarry, what heavy or light craft add,
# subject, dice).
Shoots = Callable[[Quarry, int, str, Dice], tuple[tuple[int, ...], int]]


def any_mount(_ship: ShipState, _fit: Fit) -> bool:
    """Every mount of its type serves."""
    return True


def class_one(_ship: ShipState, fit: Fit) -> bool:
    """The smallest of its type serves."""
    return fit.size == 1


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """How a weapon serves as point defence.

    `kills`: what a die takes of each quarry it may be fired at. `dice`: how many it throws;
    `modifier` to them. `shoots`: how its dice are thrown where that is not so. `by_itself`: it
    fires without orders at what attacks its ship; other weapons have other work. `helps`: under an
    ADFC it guards others; `alone`: it needs none for that. `area`: it reaches 12 MU, with one die
    beyond 6; `as_area`: it does where it is told to and an advanced FireCon directs it. `astern`:
    it bears through the stern. `strays`: a 1 costs the friend it helps a point. `strong`: heavy
    craft are no harder for it. `rerolls`: its sixes are thrown again. `solid`: it fires solid shot,
    which standard screens let pass and advanced ones do not. `serves`: which mounts of its type do.
    Where point defence goes by level: `level_dice` are what it throws, and what fires `in_bursts`
    guards no ship together with what does not.
    Rules: Continuum "Point defense" 8.8 [pc.point-defence]
    """

    kills: Kills
    dice: int = 1
    modifier: int = 0
    shoots: Shoots | None = None
    by_itself: bool = False
    helps: bool = True
    alone: bool = False
    area: bool = False
    as_area: bool = False
    astern: bool = True
    strays: bool = False
    strong: bool = False
    solid: bool = False
    rerolls: bool = True
    level_dice: int = 1
    in_bursts: bool = False
    serves: Callable[[ShipState, Fit], bool] = any_mount

    def reach(self, mode: str) -> float:
        """MU from its ship to whom it guards, or to craft that attack nobody."""
        return AREA_REACH if (self.area or mode == AREA) and mode != SPLIT else SUPPORT_REACH

    def throws(self, distance: float, mode: str) -> int:
        """Dice it throws for a ship so many MU away."""
        near = (self.area or mode == AREA) and mode != SPLIT and distance <= SUPPORT_REACH + NEAR
        return 2 if near else self.dice

    def fire(
        self,
        quarry: Quarry,
        distance: float,
        mode: str,
        subject: str,
        dice: Dice,
        toughness: int = 0,
        screens: tuple[int, int] = (0, 0),
    ) -> tuple[tuple[int, ...], int]:
        """Its dice at one target, re-rolls after those that earned them, and how much they take of
        it.

        `distance`: MU from its ship to whom it guards, 0 for itself. `toughness`: what heavy or
        light craft add to the dice. `screens`: levels of screens that cover the target, and how
        many of them are advanced. Scatterguns pass both. Rules: Continuum "Heavy", "Light fighter"
        8.15, "Gunboat rules" 9.1 [pc.fighter-types]
        """
        if self.strong:
            toughness = max(toughness, 0)
        if self.shoots is not None:
            return self.shoots(quarry, toughness, subject, dice)
        modifier = self.modifier + toughness + (AT_BOATS if quarry is Quarry.GUNBOATS else 0)
        return defence_dice(
            self.throws(distance, mode),
            self.kills[quarry],
            quarry,
            modifier,
            subject,
            dice,
            rerolls=self.rerolls,
            screens=screens[1] if self.solid else screens[0],
        )


def defence_dice(
    number: int,
    kills: tuple[int, ...],
    quarry: Quarry,
    modifier: int,
    subject: str,
    dice: Dice,
    *,
    purpose: str = "point-defence",
    rerolls: bool = True,
    screens: int = 0,
) -> tuple[tuple[int, ...], int]:
    """Dice of point defence at a quarry: first all of them, then what their sixes earned, and how
    much they take.

    Modifiers make no re-roll, and re-rolls have none. `screens`: levels of area screens that the
    dice meet; re-rolls pass them, and the third lets none be thrown.
    Rules: Continuum "Point defense vs. missiles" 6.4 [pc.point-defence]; Continuum "Area screens"
    7.16 [pc.area-screens]
    """
    thrown = [dice.roll(purpose, subject) for _ in range(number)]
    through = taken_through(kills, screens)
    taken = sum(through[clamped(die, modifier)] for die in thrown)
    again = quarry in REROLLED and rerolls and screens < NO_REROLL_LEVEL
    earned = thrown.count(6) if again else 0
    while earned:
        more = [dice.roll("re-roll", subject) for _ in range(earned)]
        taken += sum(kills[die] for die in more)
        earned = more.count(6)
        thrown += more
    return tuple(thrown), taken
