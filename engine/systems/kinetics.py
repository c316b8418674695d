"""K-guns and multiple kinetic penetrators: solid shot, which armour hardly slows and no screen stops."""

from __future__ import annotations

from engine.dice import Dice
from engine.rolls import PIERCING, PROJECTILE_BANDS, Effect, Shot, Wound, clamped, projectile_hits, to_hit
from engine.sheet import Fit

FLAK = "flak"
FLAK_REACH = {"": 18.0, "long": 24.0, "short": 12.0}  # MU from the gun to where its shell goes off
FLAK_RADIUS = 2.0  # MU
FLAK_HURTS_ON = 1  # a ship within the burst takes a point

PENETRATOR_REACH = 12.0  # MU
PENETRATOR_POINTS = 4  # of each hit
PENETRATOR_HITS = (0, 0, 0, 0, 1, 1, 2)  # by the die; place 0 is no die


def k_gun_reach(fit: Fit, mode: str = "") -> float:
    """MU a K-gun reaches by its model. Rules: Continuum "K-guns" 5.16 [pc.k-guns]"""
    return FLAK_REACH[fit.variant] if mode == FLAK else PROJECTILE_BANDS[fit.variant][-1]


def k_gun(shot: Shot, dice: Dice) -> Effect:
    """A slug: as many points as its class, twice as many on a die of at most its class, on a 6 never.

    Rules: Continuum "K-guns" 5.16 [pc.k-guns]
    """
    needed, die, hit = projectile_hits(shot, shot.variant, dice)
    if not hit:
        return Effect((die,), needed=needed)
    double = dice.roll("double", shot.subject)
    points = shot.size * (2 if double <= shot.size and double != 6 else 1)
    return Effect((die,), (double,), (Wound(points, PIERCING),), needed)


def flak_burst(subject: str, dice: Dice) -> tuple[int, int]:
    """What a burst of flak does to one ship near it: the die and the points. Rules: Continuum 5.16 [pc.k-guns]"""
    die = dice.roll("damage", subject)
    return die, int(die <= FLAK_HURTS_ON)


def penetrator_reach(_fit: Fit, _mode: str = "") -> float:
    """MU a penetrator reaches. Rules: Continuum "Multiple kinetic penetrators" 5.17 [pc.mkp]"""
    return PENETRATOR_REACH


def penetrator(shot: Shot, dice: Dice) -> Effect:
    """One shot: hits on 4 or more, twice on a 6, four points each.

    Rules: Continuum "Multiple kinetic penetrators" 5.17 [pc.mkp]
    """
    needed, die, hit = to_hit(shot, 4, dice)
    if not hit:
        return Effect((die,), needed=needed)
    number = PENETRATOR_HITS[clamped(die, shot.modifier)]
    return Effect((die,), wounds=(Wound(PENETRATOR_POINTS, PIERCING),) * number, needed=needed)
