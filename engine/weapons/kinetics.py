"""K-guns and multiple kinetic penetrators: solid shot that ignores screens and most armour."""

from __future__ import annotations

from fractions import Fraction

from engine.core.dice import Dice
from engine.core.kinds import PIERCING
from engine.core.phrase import phrase
from engine.core.rolls import (
    PROJECTILE_BANDS,
    Effect,
    Shot,
    TypedDamage,
    clamp_die,
    roll_projectile,
    roll_to_hit,
)
from engine.core.sheet import Fit
from engine.core.terms import FLAK, NO_SHORT_K_GUNS, TABLE_PRICES
from engine.prices.system_price import Mounts, SystemPrice, all_round, by_arcs, one_arc
from engine.weapons.guard import BY_GUN, Guard, is_class_one
from engine.weapons.weapon import BuilderName, Weapon, fixed_reach, hit_on_six

FLAK_REACH = {"": 18.0, "long": 24.0, "short": 12.0}  # MU from the gun to the burst
FLAK_RADIUS = 2.0  # MU
FLAK_MODIFIER = -1  # to its point defence dice
FLAK_HURTS_ON = 1  # the die with which a ship in the burst takes a point

PENETRATOR_REACH = 12.0  # MU
PENETRATOR_NEEDS = 4  # the die that hits
PENETRATOR_POINTS = 4  # for each hit
PENETRATOR_HITS = (0, 0, 0, 0, 1, 1, 2)  # by the die; index 0 is unused


def k_gun_reach(fit: Fit, mode: str = "") -> float:
    """Return a K-gun's range in MU by its model.

    Rules: Continuum "K-guns" 5.16 [pc.k-guns]
    """
    if mode == FLAK:
        return FLAK_REACH[fit.variant]
    return PROJECTILE_BANDS[fit.variant][-1]


def fire_k_gun(shot: Shot, dice: Dice) -> Effect:
    """Fire a K-gun: a hit does as many points as its class.

    A second die of at most its class doubles the points; a 6 never does.

    Rules: Continuum "K-guns" 5.16 [pc.k-guns]
    """
    needed, die, is_hit = roll_projectile(shot, shot.variant, dice)
    if not is_hit:
        return Effect((die,), needed=needed)
    second = dice.roll("double", shot.subject)
    is_doubled = second <= shot.size and second != 6
    points = 2 * shot.size if is_doubled else shot.size
    return Effect((die,), (second,), (TypedDamage(points, PIERCING),), needed)


def fire_k_gun_at_fighters(shot: Shot, dice: Dice) -> Effect:
    """Fire a K-gun at fighters.

    Class 1 destroys one where it would hit a ship at that range, larger classes on a 6.

    Rules: Continuum "K-guns" 5.16 [pc.k-guns]
    """
    if shot.size > 1:
        return hit_on_six(shot, dice)
    needed, die, is_hit = roll_projectile(shot, shot.variant, dice)
    return Effect((die,), needed=needed, craft=int(is_hit))


def roll_flak_burst(subject: str, dice: Dice) -> tuple[int, int]:
    """Roll for one ship in a burst of flak, and return the die and the points.

    Rules: Continuum 5.16 [pc.k-guns]
    """
    die = dice.roll("damage", subject)
    return die, int(die <= FLAK_HURTS_ON)


def fire_penetrator(shot: Shot, dice: Dice) -> Effect:
    """Fire a penetrator: one hit on 4 or more, two on a 6, four points each.

    Rules: Continuum "Multiple kinetic penetrators" 5.17 [pc.mkp]
    """
    needed, die, is_hit = roll_to_hit(shot, PENETRATOR_NEEDS, dice)
    if not is_hit:
        return Effect((die,), needed=needed)
    hits = PENETRATOR_HITS[clamp_die(die, shot.modifier)]
    damage = (TypedDamage(PENETRATOR_POINTS, PIERCING),) * hits
    return Effect((die,), damage_types=damage, needed=needed)


# Model: title, mass by arcs of classes 1 to 6, technology.
PRICES: dict[str, tuple[str, tuple[Mounts, ...], str]] = {
    "": (
        "K-gun",
        (
            all_round(2),
            one_arc(3, mass_per_arc=1, most=2),
            one_arc(5),
            one_arc(8),
            one_arc(11),
            one_arc(14),
        ),
        "k-guns",
    ),
    "short": (
        phrase("Short range K-gun"),
        (all_round(Fraction(3, 2)), by_arcs(two=2), one_arc(3), one_arc(4), one_arc(6), one_arc(7)),
        "k-guns",
    ),
    "long": (
        phrase("Long range K-gun"),
        (
            all_round(4),
            one_arc(6, mass_per_arc=2, most=2),
            one_arc(10),
            one_arc(16),
            one_arc(22),
            one_arc(28),
        ),
        "long-k-guns",
    ),
}
RATE = 4
PAIRED = ("short", 1)  # the model and class sold in pairs
SINGLE_AT_TABLE_PRICE = ((TABLE_PRICES, (("mounts", all_round(1)), ("in_pairs", None))),)


def _k_gun_prices() -> tuple[SystemPrice, ...]:
    """Return the price rows of all models and classes of K-guns."""
    prices = []
    for model, (title, mounts_by_class, technology) in PRICES.items():
        for size, mounts in enumerate(mounts_by_class, 1):
            is_paired = (model, size) == PAIRED
            prices.append(
                SystemPrice(
                    "k-gun",
                    title=f"{title} {size}",
                    rule="pc.k-guns",
                    size=size,
                    model=model,
                    mounts=mounts,
                    rate=RATE,
                    offensive=True,
                    turreted=True,
                    flags=(FLAK,) if size > 1 else (),
                    in_pairs="" if is_paired else None,
                    needs=(technology,),
                    unless=NO_SHORT_K_GUNS if is_paired else "",
                    by_option=SINGLE_AT_TABLE_PRICE if is_paired else (),
                )
            )
    return tuple(prices)


CONTINUUM = (
    Weapon(
        "k-gun",
        fire_k_gun,
        k_gun_reach,
        at_fighters=fire_k_gun_at_fighters,
        guard=Guard(
            BY_GUN,
            modifier=-1,
            protects_others=False,
            bears_astern=False,
            is_not_resisted=True,
            fires_solid_shot=True,
            accepts_mount=is_class_one,
        ),
        modes=("", FLAK),
        at_point=(FLAK,),
        system_prices=_k_gun_prices(),
        builder=(
            BuilderName("weapons", "kgun"),
            BuilderName("weapons", "kgun", {"modifier": "short"}, "short"),
            BuilderName("weapons", "kgun", {"modifier": "long"}, "long"),
        ),
        word="K-gun",
    ),
    Weapon(
        "mkp",
        fire_penetrator,
        fixed_reach(PENETRATOR_REACH),
        once=True,
        stock=1,
        system_prices=(
            SystemPrice(
                "mkp",
                "Multiple kinetic penetrator",
                "pc.mkp",
                mounts=one_arc(1),
                rate=4,
                offensive=True,
                expendable=True,
                turreted=True,
                needs=("mkp",),
            ),
        ),
        builder=(BuilderName("weapons", "mkp"),),
        word="MKP",
    ),
)
