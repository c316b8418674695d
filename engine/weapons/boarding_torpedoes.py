"""Boarding torpedoes: projectiles out of a magazine that carry marines into the ship they hit."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.kinds import HULL
from engine.core.reason import reason
from engine.core.rolls import PROJECTILE_BANDS, Effect, Shot, TypedDamage, projectile_hits
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.pricelists.continuum import TORPEDOES
from engine.pricelists.ware import Ware, three_arcs
from engine.systems.outfit import unfed
from engine.weapons.weapon import BuilderName, Trait, Weapon, to

MARINES_BROUGHT = 2
THROUGH_THE_HULL = (TypedDamage(1, HULL),)


def torpedo_left(ship: ShipState, fit: Fit, _mode: str, _turn: int) -> str:
    """A launcher needs a torpedo of the magazine that feeds it.

    Rules: Continuum "Boarding torpedoes" 5.18 [pc.boarding-torpedoes]
    """
    if why := unfed(ship, fit):
        return why
    return (
        ""
        if ship.stock[ship.profile.index_of[fit.magazine]]
        else reason("no-torpedo-left", "its {} has no torpedo left", fit.magazine)
    )


def boarding_torpedo(shot: Shot, dice: Dice) -> Effect:
    """A projectile's die to hit; a hit is a point of damage past all armour, and two marines
    aboard.

    It throws no die of damage for advanced screens to lessen.
    Rules: Continuum "Boarding torpedoes" 5.18 [pc.boarding-torpedoes]
    """
    needed, die, hit = projectile_hits(shot, "", dice)
    if not hit:
        return Effect((die,), needed=needed)
    return Effect((die,), damage_types=THROUGH_THE_HULL, needed=needed, brought=MARINES_BROUGHT)


CONTINUUM = (
    Weapon(
        "boarding-torpedo",
        boarding_torpedo,
        to(PROJECTILE_BANDS[""][-1]),
        unready=torpedo_left,
        fed=TORPEDOES,
        traits=(Trait.SHIPS_ALONE,),
        wares=(
            Ware("boarding-torpedo", "Boarding torpedo launcher", "pc.boarding-torpedoes", mounts=three_arcs(2),
                 rate=3, offensive=True, turreted=True, needs=("boarding-torpedoes",), fires=(TORPEDOES,)),
        ),
        builder=(BuilderName("weapons", "boardingTorpedoLauncher"),),
    ),
)  # fmt: skip
