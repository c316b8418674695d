"""Wave guns: charged over turns, they send a wave straight ahead of the bow that grows as it goes.

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

# A wave's stages: how far it has gone when each ends, in MU, its radius there, and the dice of
# damage.
WAVE: tuple[tuple[float, float, int], ...] = ((12.0, 1.0, 4), (24.0, 1.5, 3), (36.0, 2.0, 2))
FULL_CHARGE = 6
UNCHARGED = reason("capacitors-not-charged", "its capacitors are not charged")


def charge_fault(ship: ShipState, fit: Fit, _mode: str, _turn: int) -> str:
    """A wave gun fires with full capacitors. Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]"""
    return UNCHARGED if ship.record.charge.get(fit.id, 0) < FULL_CHARGE else ""


def fire_wave(shot: Shot, dice: Dice) -> Effect:
    """The effect of a wave on a ship: dice by its stage (`shot.size`), past armour; advanced
    screens weaken each.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    rolled = [roll_damage_die(shot, dice) for _ in range(WAVE[shot.size][2])]
    points = sum(points for _, points in rolled)
    return Effect(damage=tuple(die for die, _ in rolled), damage_types=(TypedDamage(points, HULL),))


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
            SystemPrice("wave-gun", "Wave gun", "pc.wave-gun", mass=12, points=36, offensive=True, forward=True,
                 limit="spinal mounts", option=SCIENCE_FICTION),
        ),
        builder=(BuilderName("weapons", "spinalWave"),),
    ),
)  # fmt: skip
