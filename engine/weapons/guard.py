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
from engine.core.rolls import NO_REROLL_LEVEL, clamp_die, kills_through_screens
from engine.core.sheet import Fit
from engine.core.ship import ShipState

SUPPORT_REACH = 6.0  # MU from a ship to the friend that it helps
AREA_REACH = 12.0  # MU of area defence, with one die beyond the reach of the others
SPLIT = "split"  # area defence told to fire its two dice at different targets
AREA = "area"  # a mount told to fire as area defence by its ship's advanced FireCon
AREA_SPLIT = "area-split"  # the same at two targets
BY_FIRECON = (AREA, AREA_SPLIT)  # ways to fire that ask for no ADFC


class PointDefenceTarget(StrEnum):
    """What point defence tells apart."""

    MISSILES = "missiles"
    HEAVY_MISSILE = "heavy"
    PLASMA_BOLT = "bolt"
    FIGHTERS = "fighters"
    GUNBOATS = "gunboats"


# What a die takes of each quarry, by what it shows; place 0 is no die.
Kills = Mapping[PointDefenceTarget, tuple[int, ...]]
BY_PDS: Kills = {
    PointDefenceTarget.MISSILES: (0, 0, 0, 0, 1, 1, 2),
    PointDefenceTarget.HEAVY_MISSILE: (0, 0, 0, 0, 0, 1, 1),
    PointDefenceTarget.PLASMA_BOLT: (0, 0, 0, 0, 0, 0, 1),
    PointDefenceTarget.FIGHTERS: (0, 0, 0, 0, 1, 1, 2),
    PointDefenceTarget.GUNBOATS: (0, 0, 0, 0, 1, 1, 2),
}
BY_LIGHT_BEAM: Kills = {
    PointDefenceTarget.MISSILES: (0, 0, 0, 0, 0, 1, 1),
    PointDefenceTarget.HEAVY_MISSILE: (0, 0, 0, 0, 0, 0, 1),
    PointDefenceTarget.FIGHTERS: (0, 0, 0, 0, 0, 1, 1),
}
# What fighters' guns take of ordnance.
BY_CRAFT: Kills = {
    **BY_LIGHT_BEAM,
    PointDefenceTarget.PLASMA_BOLT: BY_PDS[PointDefenceTarget.PLASMA_BOLT],
}
# Bolts are too fast for guns that have other work.
BY_GUN: Kills = {
    quarry: kills
    for quarry, kills in BY_PDS.items()
    if quarry is not PointDefenceTarget.PLASMA_BOLT
}
REROLLED = (
    PointDefenceTarget.MISSILES,
    PointDefenceTarget.FIGHTERS,
    PointDefenceTarget.GUNBOATS,
)  # a natural 6 at these earns another die
AT_BOATS = -2  # to dice of point defence: gunboats are well armoured

# The dice of a weapon at a quarry and what they take: (quarry, what heavy or light craft add,
# subject, dice).
DefenceFire = Callable[[PointDefenceTarget, int, str, Dice], tuple[tuple[int, ...], int]]


def is_any_mount(_ship: ShipState, _fit: Fit) -> bool:
    """Every mount of its type serves."""
    return True


def is_class_one(_ship: ShipState, fit: Fit) -> bool:
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
    shoots: DefenceFire | None = None
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
    serves: Callable[[ShipState, Fit], bool] = is_any_mount

    def reach(self, mode: str) -> float:
        """MU from its ship to whom it guards, or to craft that attack nobody."""
        return AREA_REACH if (self.area or mode == AREA) and mode != SPLIT else SUPPORT_REACH

    def dice_count(self, distance: float, mode: str) -> int:
        """Dice it throws for a ship so many MU away."""
        near = (self.area or mode == AREA) and mode != SPLIT and distance <= SUPPORT_REACH + NEAR
        return 2 if near else self.dice

    def fire(
        self,
        target_kind: PointDefenceTarget,
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
            return self.shoots(target_kind, toughness, subject, dice)
        modifier = (
            self.modifier
            + toughness
            + (AT_BOATS if target_kind is PointDefenceTarget.GUNBOATS else 0)
        )
        return roll_defence_dice(
            self.dice_count(distance, mode),
            self.kills[target_kind],
            target_kind,
            modifier,
            subject,
            dice,
            rerolls=self.rerolls,
            screens=screens[1] if self.solid else screens[0],
        )


def roll_defence_dice(
    number: int,
    kills: tuple[int, ...],
    target_kind: PointDefenceTarget,
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
    rolled = [dice.roll(purpose, subject) for _ in range(number)]
    through = kills_through_screens(kills, screens)
    killed = sum(through[clamp_die(die, modifier)] for die in rolled)
    again = target_kind in REROLLED and rerolls and screens < NO_REROLL_LEVEL
    earned = rolled.count(6) if again else 0
    while earned:
        extra = [dice.roll("re-roll", subject) for _ in range(earned)]
        killed += sum(kills[die] for die in extra)
        earned = extra.count(6)
        rolled += extra
    return tuple(rolled), killed
