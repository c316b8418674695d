"""Grasers, heavy grasers and high intensity grasers: gamma-ray lasers, semi-armour piercing."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.kinds import SEMI
from engine.core.phrase import phrase
from engine.core.rolls import D3, Effect, Shot, dice_in_range, roll_beams, roll_hit_damage
from engine.core.sheet import Fit
from engine.prices.system_price import HEAVY, Mounts, SystemPrice, by_arcs, by_class, one_arc
from engine.weapons.beams import beam_reach
from engine.weapons.weapon import SHORT_RANGE, BuilderName, Trait, Weapon

HEAVY_BAND = 18.0  # MU of a range band of heavy grasers
SHORT_REACH = 48.0  # MU of the farthest heavy graser, as an option has it
HIGH_INTENSITY = "high-intensity"


def fire_graser(shot: Shot, dice: Dice) -> Effect:
    """Fire a graser: beam dice; each hit does a D3 of semi-armour piercing damage.

    Rules: Continuum "Grasers" 5.6 [pc.grasers]
    """
    rolled, hits = roll_beams(dice_in_range(shot.size, shot.distance), shot, dice)
    damage, damage_types = roll_hit_damage(hits, shot=shot, dice=dice, kind=SEMI, table=D3)
    return Effect(rolled, damage, damage_types)


def heavy_reach(fit: Fit, _mode: str = "") -> float:
    """Return a heavy graser's range in MU: 18 times its class.

    Rules: Continuum "Heavy grasers" 5.7 [pc.heavy-grasers]
    """
    reach = HEAVY_BAND * fit.size
    return min(reach, SHORT_REACH) if SHORT_RANGE in fit.flags else reach


def fire_heavy_graser(shot: Shot, dice: Dice) -> Effect:
    """Fire a heavy graser: beam dice; each hit does a D6 of semi-armour piercing damage.

    Range bands are 18 MU. Only high intensity grasers have re-rolls.

    Rules: Continuum "Heavy grasers" 5.7 [pc.heavy-grasers]
    """
    number = dice_in_range(shot.size, shot.distance, HEAVY_BAND)
    rolled, hits = roll_beams(number, shot, dice, rerolls=shot.variant == HIGH_INTENSITY)
    damage, damage_types = roll_hit_damage(hits, shot, dice, SEMI)
    return Effect(rolled, damage, damage_types)


HEAVY_MASS: dict[int, Mounts] = {  # class: mass by arcs
    1: by_arcs(one=2, three=3, six=4),
    2: one_arc(9, mass_per_arc=3, most=6),
    3: one_arc(24, mass_per_arc=6, most=6),
}
# Model, title, points for each mass.
HEAVY_MODELS = (
    ("", phrase("Heavy graser"), 3),
    (HIGH_INTENSITY, phrase("High intensity graser"), 4),
)


def _heavy_graser_prices() -> tuple[SystemPrice, ...]:
    """Return the price rows of all classes of both models of heavy grasers."""
    prices: list[SystemPrice] = []
    for model, title, rate in HEAVY_MODELS:
        prices += by_class(
            "heavy-graser",
            title=title,
            rule="pc.heavy-grasers",
            mounts=HEAVY_MASS,
            needs="heavy-grasers",
            model=model,
            rate=rate,
        )
    return tuple(prices)


CONTINUUM = (
    Weapon(
        "graser",
        fire_graser,
        beam_reach,
        traits=(Trait.ENERGY, Trait.DIMMED),
        usual=Fit("", "graser", "", (), size=1),
        system_prices=by_class(
            "graser", title="Graser", rule="pc.grasers", mounts=HEAVY, needs="grasers"
        ),
        builder=(BuilderName("weapons", "graser"),),
    ),
    Weapon(
        "heavy-graser",
        fire_heavy_graser,
        heavy_reach,
        traits=(Trait.ENERGY, Trait.DIMMED, Trait.SHORTER),
        system_prices=_heavy_graser_prices(),
        builder=(
            BuilderName("weapons", "graser", {"heavy": True}),
            BuilderName(
                "weapons", "graser", {"heavy": True, "highIntensity": True}, HIGH_INTENSITY
            ),
        ),
    ),
)
