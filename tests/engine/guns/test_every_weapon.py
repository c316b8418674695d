"""Every weapon of the price lists has its own row, and every row works for every possible shot."""

from __future__ import annotations

import itertools

import pytest

from engine.continuum.edition import CONTINUUM
from engine.core.dice import Dice
from engine.core.kinds import HULL, PIERCING, PLAIN, SEMI
from engine.core.rolls import Shot
from engine.core.sheet import Fit
from engine.prices.system_price import SystemPrice
from engine.weapons.registry import weapons_of

GUNS = {type_: weapon for type_, weapon in weapons_of("continuum").items() if weapon.is_aimed}
SYSTEM_PRICES = tuple(price for prices in CONTINUUM.system_prices.values() for price in prices)
WEAPONS = tuple(price for price in SYSTEM_PRICES if price.type in GUNS)
# Launched weapons, and systems for landings on planets.
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


def test_every_offensive_system_fires_or_launches() -> None:
    offensive = {price.type for price in SYSTEM_PRICES if price.offensive}
    assert offensive - set(GUNS) <= set(LAUNCHED)
    assert not set(GUNS) & set(LAUNCHED)


@pytest.mark.rule("pc.beams", "pc.screens", "pc.holofield", "pc.damage-kinds")
@pytest.mark.parametrize("price", WEAPONS, ids=lambda price: price.name)
def test_any_weapon_fires_any_shot_within_its_range(price: SystemPrice) -> None:
    """No shot fails or does negative or unknown damage; beyond its range it has no dice."""
    fit = Fit(f"{price.type}-1", price.type, price.model, (), size=price.size)
    gun, dice = GUNS[price.type], Dice(price.name)
    overload = ("overload",) if "overload" in price.flags else ()
    modes = dict.fromkeys((*gun.modes, *gun.settings.get(price.model, ()), *overload))
    for mode, screens, advanced, modifier in itertools.product(modes, range(4), range(3), (0, -2)):
        reach = gun.reach(fit, mode)
        assert reach > 0
        for distance, holofield, stern in (
            (1.0, False, False),
            (reach, True, False),
            (reach / 2, False, True),
        ):
            shot = Shot(
                "r1/x", distance, distance, 0 if gun.along else price.size, price.model, (), mode, screens, advanced,
                modifier, modifier, holofield, stern, 120, 13,
            )  # fmt: skip
            assert gun.fire is not None
            effect = gun.fire(shot, dice)
            assert effect.dice or effect.damage
            assert all(
                typed.points >= 0 and typed.kind in (PLAIN, SEMI, PIERCING, HULL)
                for typed in effect.damage_types
            )
