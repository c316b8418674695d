"""Boarding torpedoes: projectiles from a magazine that carry marines into the ship they hit."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.kinds import HULL
from engine.core.reason import reason
from engine.core.rolls import PROJECTILE_BANDS, Effect, Shot, TypedDamage, roll_projectile
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.prices.continuum import TORPEDOES
from engine.prices.system_price import SystemPrice, three_arcs
from engine.systems.outfit import magazine_fault
from engine.weapons.weapon import BuilderName, Trait, Weapon, fixed_reach

MARINES_BROUGHT = 2
THROUGH_THE_HULL = (TypedDamage(1, HULL),)


def torpedo_fault(ship: ShipState, fit: Fit, _mode: str, _turn: int) -> str:
    """Return the reason why a launcher has no torpedo, "" if its magazine has one.

    Rules: Continuum "Boarding torpedoes" 5.18 [pc.boarding-torpedoes]
    """
    if fault := magazine_fault(ship, fit):
        return fault
    if ship.stock[ship.profile.index_of[fit.magazine]]:
        return ""
    return reason("no-torpedo-left", "its {} has no torpedo left", fit.magazine)


def fire_boarding_torpedo(shot: Shot, dice: Dice) -> Effect:
    """Fire a boarding torpedo: a hit does one point through all armour and lands two marines.

    There is no damage die that advanced screens could reduce.

    Rules: Continuum "Boarding torpedoes" 5.18 [pc.boarding-torpedoes]
    """
    needed, die, is_hit = roll_projectile(shot, "", dice)
    if not is_hit:
        return Effect((die,), needed=needed)
    return Effect(
        (die,), damage_types=THROUGH_THE_HULL, needed=needed, marines_landed=MARINES_BROUGHT
    )


CONTINUUM = (
    Weapon(
        "boarding-torpedo",
        fire_boarding_torpedo,
        fixed_reach(PROJECTILE_BANDS[""][-1]),
        unready_fault=torpedo_fault,
        fed=TORPEDOES,
        traits=(Trait.SHIPS_ALONE,),
        system_prices=(
            SystemPrice(
                "boarding-torpedo",
                "Boarding torpedo launcher",
                "pc.boarding-torpedoes",
                mounts=three_arcs(2),
                rate=3,
                offensive=True,
                turreted=True,
                needs=("boarding-torpedoes",),
                fires=(TORPEDOES,),
            ),
        ),
        builder=(BuilderName("weapons", "boardingTorpedoLauncher"),),
    ),
)
