"""Wave guns: charged over several turns, they send a growing wave straight ahead of the bow.

Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.kinds import HULL
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, TypedDamage, roll_damage_die
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.terms import SCIENCE_FICTION
from engine.prices.system_price import SystemPrice
from engine.weapons.spinal import AREA_EFFECT
from engine.weapons.weapon import BOW, BuilderName, Trait, Weapon, fixed_reach

# The stages of a wave: the distance in MU at which each ends, its radius there, and its damage
# dice.
WAVE: tuple[tuple[float, float, int], ...] = ((12.0, 1.0, 4), (24.0, 1.5, 3), (36.0, 2.0, 2))
FULL_CHARGE = 6
UNCHARGED = reason("capacitors-not-charged", "its capacitors are not charged")


def charge_fault(ship: ShipState, fit: Fit, _mode: str, _turn: int) -> str:
    """Return the reason why a wave gun cannot fire, "" if its capacitors are full.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    if ship.record.charge.get(fit.id, 0) < FULL_CHARGE:
        return UNCHARGED
    return ""


def fire_wave(shot: Shot, dice: Dice) -> Effect:
    """Roll a wave's damage dice against a ship, by stage (`shot.size`).

    Armour has no effect; advanced screens reduce each die.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    _, _, dice_count = WAVE[shot.size]
    rolled: list[int] = []
    total = 0
    for _ in range(dice_count):
        die, points = roll_damage_die(shot, dice)
        rolled.append(die)
        total += points
    return Effect(damage=tuple(rolled), damage_types=(TypedDamage(total, HULL),))


CONTINUUM = (
    Weapon(
        "wave-gun",
        fire_wave,
        fixed_reach(WAVE[-1][0]),
        along=BOW,
        stage=WAVE[0][0],
        unready_fault=charge_fault,
        traits=(Trait.CAPACITORS, *AREA_EFFECT),
        controlled=False,
        system_prices=(
            SystemPrice(
                "wave-gun",
                "Wave gun",
                "pc.wave-gun",
                mass=12,
                points=36,
                offensive=True,
                forward=True,
                limit="spinal mounts",
                option=SCIENCE_FICTION,
            ),
        ),
        builder=(BuilderName("weapons", "spinalWave"),),
    ),
)
