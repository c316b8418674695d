"""A weapon that is in no rulebook, added by one file: a heat lance, for both editions.

At short range it rolls two dice, farther off one; each 5 and 6 counts as points. In Continuum it is
set wide or narrow: narrow it reaches twice as far with a die less.
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.rolls import Effect, Shot, plain_damage
from engine.core.sheet import Fit
from engine.prices.system_price import SystemPrice, SystemSpec, one_arc
from engine.weapons.beams import fire_beam_volley
from engine.weapons.weapon import BuilderName, Trait, Weapon, fixed_reach

TYPE = "heat-lance"
NEAR, FAR = 9.0, 18.0  # MU
POINTS = (0, 0, 0, 0, 0, 1, 2)  # by die; index 0 is unused
SETTINGS: dict[str, tuple[float, int]] = {
    "wide": (12.0, 3),
    "narrow": (24.0, 2),
}  # range in MU, dice


def burn(shot: Shot, dice: Dice) -> Effect:
    """Roll two dice near, one far, ignoring screens."""
    thrown = tuple(
        dice.roll("beam", shot.subject) for _ in range(2 if shot.distance <= NEAR else 1)
    )
    return Effect(thrown, damage_types=plain_damage(sum(POINTS[die] for die in thrown)))


def lance_reach(_fit: Fit, mode: str) -> float:
    """Return the range in MU for its setting."""
    return SETTINGS[mode or "wide"][0]


def lance(shot: Shot, dice: Dice) -> Effect:
    """Return the beam dice for its setting."""
    return fire_beam_volley(SETTINGS[shot.mode or "wide"][1], shot, dice)


SECOND_EDITION = Weapon(
    TYPE,
    burn,
    fixed_reach(FAR),
    control="lances",
    threat_dice=2,
    specs=(SystemSpec(TYPE, "", "Heat lance", 3, 11, "2e.beams", arcs="one", offensive=True),),
    word="Heat-Lance",
)

CONTINUUM = Weapon(
    TYPE,
    lance,
    lance_reach,
    settings={"": tuple(SETTINGS)},
    traits=(Trait.ENERGY,),
    system_prices=(
        SystemPrice(
            TYPE,
            "Heat lance",
            "pc.beams",
            mounts=one_arc(3),
            rate=4,
            offensive=True,
            turreted=True,
            needs=("meson",),
        ),
    ),
    builder=(BuilderName("weapons", "heatLance"),),
    word="Heat-Lance",
)

BY_EDITION = {"second-edition": SECOND_EDITION, "continuum": CONTINUUM}
