"""Every weapon of the price lists fires by a row of its own, and every row by any shot it may be
asked for.
"""

from __future__ import annotations

import itertools

import pytest

from engine.continuum.edition import CONTINUUM
from engine.core.dice import Dice
from engine.core.kinds import HULL, PIERCING, PLAIN, SEMI
from engine.core.rolls import Shot
from engine.core.sheet import Fit
from engine.pricelists.ware import Ware
from engine.weapons.registry import weapons_of

GUNS = {type_: weapon for type_, weapon in weapons_of("continuum").items() if weapon.aimed}
WARES = tuple(ware for wares in CONTINUUM.wares.values() for ware in wares)
WEAPONS = tuple(ware for ware in WARES if ware.type in GUNS)
# What is launched rather than fired, and what serves landings on planets.
LAUNCHED = (
    *(
        "salvo-launcher",
        "salvo-rack",
        "heavy-missile",
        "antimatter-missile",
        "rocket-pod",
        "plasma-bolt",
        "minelayer",
    ),
    "ortillery",
)


def test_every_offensive_system_fires_or_is_launched() -> None:
    offensive = {ware.type for ware in WARES if ware.offensive}
    assert offensive - set(GUNS) <= set(LAUNCHED)
    assert not set(GUNS) & set(LAUNCHED)


@pytest.mark.rule("pc.beams", "pc.screens", "pc.holofield", "pc.damage-kinds")
@pytest.mark.parametrize("ware", WEAPONS, ids=lambda ware: ware.name)
def test_any_weapon_fires_by_any_shot_within_its_reach(ware: Ware) -> None:
    """No shot breaks, hurts less than nothing or by an unknown kind; what meets no die at its reach
    is none.
    """
    fit = Fit(f"{ware.type}-1", ware.type, ware.model, (), size=ware.size)
    gun, dice = GUNS[ware.type], Dice(ware.name)
    overload = ("overload",) if "overload" in ware.flags else ()
    modes = dict.fromkeys((*gun.modes, *gun.settings.get(ware.model, ()), *overload))
    for mode, screens, advanced, modifier in itertools.product(modes, range(4), range(3), (0, -2)):
        reach = gun.reach(fit, mode)
        assert reach > 0
        for distance, holofield, stern in (
            (1.0, False, False),
            (reach, True, False),
            (reach / 2, False, True),
        ):
            shot = Shot(
                "r1/x", distance, distance, 0 if gun.along else ware.size, ware.model, (), mode, screens, advanced,
                modifier, modifier, holofield, stern, 120, 13,
            )  # fmt: skip
            assert gun.fire is not None
            effect = gun.fire(shot, dice)
            assert effect.dice or effect.damage
            assert all(
                typed.points >= 0 and typed.kind in (PLAIN, SEMI, PIERCING, HULL)
                for typed in effect.damage_types
            )
