"""Point defence: the weapons that fire at ordnance and craft, their dice, and whom they protect.

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
AREA_REACH = 12.0  # MU of area defence; beyond SUPPORT_REACH it has one die
SPLIT = "split"  # mode in which area defence fires its two dice at different targets
AREA = "area"  # mode in which a mount fires as area defence by an advanced FireCon
AREA_SPLIT = "area-split"  # the same at two targets
BY_FIRECON = (AREA, AREA_SPLIT)  # modes that need no ADFC


class PointDefenceTarget(StrEnum):
    """The kinds of targets that point defence distinguishes."""

    MISSILES = "missiles"
    HEAVY_MISSILE = "heavy"
    PLASMA_BOLT = "bolt"
    FIGHTERS = "fighters"
    GUNBOATS = "gunboats"


# The number of targets of each kind that a die destroys, by the die (index 0 is unused).
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
# The fire of fighters at ordnance.
BY_CRAFT: Kills = {
    **BY_LIGHT_BEAM,
    PointDefenceTarget.PLASMA_BOLT: BY_PDS[PointDefenceTarget.PLASMA_BOLT],
}
# Plasma bolts are too fast for anti-ship guns.
BY_GUN: Kills = {
    target_kind: BY_PDS[target_kind]
    for target_kind in BY_PDS
    if target_kind is not PointDefenceTarget.PLASMA_BOLT
}
# The targets against which a natural 6 earns another die.
REROLLED = (
    PointDefenceTarget.MISSILES,
    PointDefenceTarget.FIGHTERS,
    PointDefenceTarget.GUNBOATS,
)
AT_BOATS = -2  # to point defence dice, because gunboats are well armoured

# Rolls a weapon's dice and returns them with what they destroy: (kind of target, modifier for heavy
# or light craft, subject, dice).
DefenceFire = Callable[[PointDefenceTarget, int, str, Dice], tuple[tuple[int, ...], int]]


def is_any_mount(_ship: ShipState, _fit: Fit) -> bool:
    """Accept every mount as point defence."""
    return True


def is_class_one(_ship: ShipState, fit: Fit) -> bool:
    """Accept only class 1 mounts as point defence."""
    return fit.size == 1


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A weapon's use as point defence.

    Attributes:
        kills: What a die destroys, for each kind of target that it may be fired at.
        modifier: The modifier of its dice.
        special_roll: How its dice are rolled, if not like point defence dice.
        fires_without_orders: It fires at attackers of its ship if its side orders nothing.
        protects_others: It can protect other ships.
        needs_no_adfc: It protects others even if its ship has no ADFC.
        is_area_defence: It reaches 12 MU, with one die beyond 6 MU.
        can_be_area_defence: It does so when ordered to, under an advanced FireCon.
        bears_astern: It bears through the stern.
        endangers_friends: With a 1, the friend that it protects takes a point of damage.
        is_not_resisted: Heavy craft do not resist it.
        fires_solid_shot: Only advanced screens affect it.
        rerolls: Sixes are rolled again.
        level_dice: Its dice under the rules for point defence levels.
        in_bursts: Whether, under those rules, it cannot protect a ship together with weapons that
            do not fire in bursts.
        accepts_mount: Whether a mount of the weapon serves as point defence.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]
    """

    kills: Kills
    dice: int = 1
    modifier: int = 0
    special_roll: DefenceFire | None = None
    fires_without_orders: bool = False
    protects_others: bool = True
    needs_no_adfc: bool = False
    is_area_defence: bool = False
    can_be_area_defence: bool = False
    bears_astern: bool = True
    endangers_friends: bool = False
    is_not_resisted: bool = False
    fires_solid_shot: bool = False
    rerolls: bool = True
    level_dice: int = 1
    in_bursts: bool = False
    accepts_mount: Callable[[ShipState, Fit], bool] = is_any_mount

    def reach(self, mode: str) -> float:
        """Return the range in MU to the ship it protects, or to craft that attack no ship."""
        if (self.is_area_defence or mode == AREA) and mode != SPLIT:
            return AREA_REACH
        return SUPPORT_REACH

    def dice_count(self, distance: float, mode: str) -> int:
        """Return the number of dice for a ship at this distance in MU."""
        is_area_fire = (self.is_area_defence or mode == AREA) and mode != SPLIT
        if is_area_fire and distance <= SUPPORT_REACH + NEAR:
            return 2
        return self.dice

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
        """Fire at one target, and return the dice with their re-rolls, and what they destroy.

        Scatterguns ignore `distance` and `screens`.

        Args:
            distance: MU from its ship to the ship it protects, 0 for its own.
            toughness: The modifier for heavy or light craft.
            screens: Levels of screens that cover the target, and how many of them are advanced.

        Rules: Continuum "Heavy", "Light fighter" 8.15, "Gunboat rules" 9.1 [pc.fighter-types]
        """
        if self.is_not_resisted:
            toughness = max(toughness, 0)
        if self.special_roll is not None:
            return self.special_roll(target_kind, toughness, subject, dice)
        modifier = self.modifier + toughness
        if target_kind is PointDefenceTarget.GUNBOATS:
            modifier += AT_BOATS
        return roll_defence_dice(
            self.dice_count(distance, mode),
            kills=self.kills[target_kind],
            target_kind=target_kind,
            modifier=modifier,
            subject=subject,
            dice=dice,
            rerolls=self.rerolls,
            screens=screens[1] if self.fires_solid_shot else screens[0],
        )


def roll_defence_dice(  # noqa: PLR0913 -- what the dice depend on
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
    """Roll point defence dice, and return them with their re-rolls, and what they destroy.

    Modifiers neither cause re-rolls nor apply to them.

    Args:
        screens: Levels of area screens in the way. Re-rolls ignore them, but the third level
            prevents re-rolls.

    Rules: Continuum "Point defense vs. missiles" 6.4 [pc.point-defence]; Continuum "Area screens"
    7.16 [pc.area-screens]
    """
    rolled = [dice.roll(purpose, subject) for _ in range(number)]
    first_kills = kills_through_screens(kills, screens)
    killed = sum(first_kills[clamp_die(die, modifier)] for die in rolled)
    has_rerolls = target_kind in REROLLED and rerolls and screens < NO_REROLL_LEVEL
    reroll_count = rolled.count(6) if has_rerolls else 0
    while reroll_count:
        rerolled = [dice.roll("re-roll", subject) for _ in range(reroll_count)]
        killed += sum(kills[die] for die in rerolled)
        reroll_count = rerolled.count(6)
        rolled += rerolled
    return tuple(rolled), killed
