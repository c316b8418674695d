"""Pulse torpedoes, which ignore screens: tubes fixed forward, in Continuum for several ranges."""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.kinds import PIERCING, SEMI
from engine.core.orders import Fire
from engine.core.phrase import phrase
from engine.core.rolls import (
    D3,
    D6,
    PROJECTILE_BANDS,
    Effect,
    Shot,
    TypedDamage,
    plain_damage,
    range_band,
    roll_damage_die,
    roll_projectile,
)
from engine.core.sheet import Fit
from engine.core.terms import OVERLOAD
from engine.events.event import Event
from engine.events.fire import TorpedoFired
from engine.prices.system_price import Mounts, SystemPrice, SystemSpec, by_arcs, one_arc
from engine.weapons.weapon import BuilderName, Weapon, fixed_reach, points_of

# The far end of each band in MU (a range exactly on it is in the nearer band), and the die needed
# to hit.
BANDS = (6.0, 12.0, 18.0, 24.0)
HITS_ON = (3, 4, 5, 6)

VARIABLE = "variable"
# The projectile bands of a tube by its model, by overloaded model, and by its setting.
MODELS = {"": "", "short": "short", "long": "long"}
OVERLOADS = {"": "short", "long": ""}
SETTINGS = {"standard": "", "long": "long", "short": "short"}
UNSET = "standard"
OVERLOAD_BONUS = 2
BURSTS_ON = 1  # both dice of an overloaded tube that explodes


def fire_bolt(shot: Shot, dice: Dice) -> Effect:
    """Fire one torpedo: a die to hit by range, and a die of damage; screens have no effect.

    Rules: 2E "Pulse torpedoes" [2e.pulse-torpedoes]
    """
    needed = HITS_ON[range_band(shot.distance, BANDS)]
    die = dice.roll("to-hit", shot.subject)
    if die < needed:
        return Effect((die,), needed=needed)
    points = dice.roll("damage", shot.subject)
    return Effect((die,), (points,), plain_damage(points), needed)


def _torpedo_event(
    turn: int, ship: ShipId, fire: Fire, target: str, _arc: str, shot: Shot, effect: Effect
) -> Event:
    """Return the event of a torpedo's fire."""
    return TorpedoFired(
        turn,
        ship=ship,
        weapon=fire.weapon,
        target=target,
        range=shot.distance,
        needed=effect.needed,
        die=effect.dice[0],
        hits=points_of(effect),
    )


def _bands(variant: str, mode: str) -> str:
    """Return the name of the projectile bands for a model and a mode."""
    if variant == VARIABLE:
        return SETTINGS[mode or UNSET]
    if mode == OVERLOAD:
        return OVERLOADS[variant]
    return MODELS[variant]


def torpedo_reach(fit: Fit, mode: str = "") -> float:
    """Return a tube's range in MU by its model, setting or load.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """
    return PROJECTILE_BANDS[_bands(fit.variant, mode)][-1]


def fire_torpedo(shot: Shot, dice: Dice) -> Effect:
    """Fire a torpedo: a die to hit by range, and a D6 of semi-armour piercing damage.

    Standard screens have no effect. An overloaded torpedo uses the next shorter range, does two
    points more and pierces armour; a 1 to hit followed by another 1 wrecks the tube. A variable
    tube set for long range does a D3; set for short range it does two points more, and ignores
    armour and advanced screens.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """
    reach = _bands(shot.variant, shot.mode)
    needed, die, is_hit = roll_projectile(shot, reach, dice)
    if not is_hit:
        return _torpedo_miss(shot, die, needed, dice)
    is_variable = shot.variant == VARIABLE
    is_strong = shot.mode == OVERLOAD or (is_variable and reach == "short")
    if is_variable and is_strong:
        shot = replace(shot, advanced=0)
    damage_table = D3 if is_variable and reach == "long" else D6
    if is_strong:
        damage_die, points = roll_damage_die(shot, dice, OVERLOAD_BONUS, damage_table)
        damage = TypedDamage(points, PIERCING)
    else:
        damage_die, points = roll_damage_die(shot, dice, 0, damage_table)
        damage = TypedDamage(points, SEMI)
    return Effect((die,), (damage_die,), (damage,), needed)


def _torpedo_miss(shot: Shot, die: int, needed: int, dice: Dice) -> Effect:
    """Return the effect of a miss; an overloaded tube explodes if a second die is also a 1."""
    if shot.mode != OVERLOAD or die != BURSTS_ON:
        return Effect((die,), needed=needed)
    second = dice.roll("to-hit", shot.subject)
    return Effect((die, second), needed=needed, wrecks_weapon=second == BURSTS_ON)


# Model: title, mass by arcs, points for each mass, technology.
PRICES: dict[str, tuple[str, Mounts, int, str]] = {
    "": (phrase("Pulse torpedo"), one_arc(4, mass_per_arc=1, most=3), 3, "pulse-torpedoes"),
    "short": (phrase("Short range pulse torpedo"), by_arcs(one=2, three=3), 3, "pulse-torpedoes"),
    "long": (
        phrase("Long range pulse torpedo"),
        one_arc(8, mass_per_arc=2, most=3),
        3,
        "long-torpedoes",
    ),
    VARIABLE: (
        phrase("Variable pulse torpedo"),
        one_arc(8, mass_per_arc=2, most=3),
        5,
        "variable-torpedoes",
    ),
}


def _torpedo_prices() -> tuple[SystemPrice, ...]:
    """Return the price rows of all models of Continuum's tubes."""
    prices = []
    for model, (title, mounts, rate, technology) in PRICES.items():
        prices.append(
            SystemPrice(
                "pulse-torpedo",
                title,
                "pc.pulse-torpedoes",
                model=model,
                mounts=mounts,
                rate=rate,
                offensive=True,
                turreted=True,
                flags=(OVERLOAD,) if model in OVERLOADS else (),
                needs=(technology,),
            )
        )
    return tuple(prices)


SECOND_EDITION = (
    Weapon(
        "pulse-torpedo",
        fire_bolt,
        fixed_reach(BANDS[-1]),
        control="torpedoes",
        threat_dice=2,
        make_event=_torpedo_event,
        specs=(
            SystemSpec(
                "pulse-torpedo",
                variant="",
                title=phrase("Pulse torpedo tube"),
                mass=5,
                points=15,
                rule="2e.pulse-torpedoes",
                arcs="fore",
                offensive=True,
            ),
        ),
    ),
)

CONTINUUM = (
    Weapon(
        "pulse-torpedo",
        fire_torpedo,
        torpedo_reach,
        settings={VARIABLE: tuple(SETTINGS)},
        overloads=tuple(OVERLOADS),
        usual=Fit("", "pulse-torpedo", "", ()),
        system_prices=_torpedo_prices(),
        builder=(
            BuilderName("weapons", "torpedoPulse"),
            BuilderName("weapons", "torpedoPulse", {"modifier": "short"}, "short"),
            BuilderName("weapons", "torpedoPulse", {"modifier": "long"}, "long"),
        ),
    ),
)
