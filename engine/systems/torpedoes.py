"""Pulse torpedoes, whose bolts go through screens: tubes fixed forward; of Continuum for four ranges."""

from __future__ import annotations

from dataclasses import replace

from engine.dice import Dice
from engine.rolls import D3, D6, PIERCING, PROJECTILE_BANDS, SEMI, Effect, Shot, Wound, damage_die, projectile_hits
from engine.ruleset import SystemSpec
from engine.sheet import Fit

# Far end of each band in MU, a range exactly on it in the nearer band, and the die that hits there.
BANDS = (6.0, 12.0, 18.0, 24.0)
HITS_ON = (3, 4, 5, 6)

VARIABLE = "variable"
OVERLOADED = "overload"  # its way of firing a hotter bolt
# Whose bands a tube fires by, by its model, and by how it is set or loaded.
MODELS = {"": "", "short": "short", "long": "long"}
OVERLOADS = {"": "short", "long": ""}
SETTINGS = {"standard": "", "long": "long", "short": "short"}
UNSET = "standard"
OVERLOAD_BONUS = 2
BURSTS_ON = 1  # a 1 to hit, and a 1 after it

PULSE_TORPEDOES = (
    SystemSpec("pulse-torpedo", "", "Pulse torpedo tube", 5, 15, "2e.pulse-torpedoes", arcs="fore", offensive=True),
)


def bolt(band: int, dice: Dice, subject: str) -> tuple[int, int]:
    """One torpedo in a range band (0 to 3): the die to hit, and the damage points, 0 for a miss.

    Rules: 2E "Pulse torpedoes" [2e.pulse-torpedoes]
    """
    die = dice.roll("to-hit", subject)
    return die, dice.roll("damage", subject) if die >= HITS_ON[band] else 0


def _bands(variant: str, mode: str) -> str:
    if variant == VARIABLE:
        return SETTINGS[mode or UNSET]
    return OVERLOADS[variant] if mode == OVERLOADED else MODELS[variant]


def torpedo_reach(fit: Fit, mode: str = "") -> float:
    """MU a tube reaches by its model, its setting or its load.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """
    return PROJECTILE_BANDS[_bands(fit.variant, mode)][-1]


def torpedo(shot: Shot, dice: Dice) -> Effect:
    """A torpedo: a die to hit by range, a D6 of semi-armour piercing damage; no standard screen stops it.

    Overloaded, it fires by the next shorter range, hits for two points more and pierces armour; a 1 to hit, and a 1
    after it, wreck the tube. A variable tube set for long range does a D3; for short range two points more, past
    armour and advanced screens.
    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """
    overloaded = shot.mode == OVERLOADED
    reach = _bands(shot.variant, shot.mode)
    needed, die, hit = projectile_hits(shot, reach, dice)
    if not hit:
        if overloaded and die == BURSTS_ON:
            second = dice.roll("to-hit", shot.subject)
            return Effect((die, second), needed=needed, burst=second == BURSTS_ON)
        return Effect((die,), needed=needed)
    variable = shot.variant == VARIABLE
    hot = overloaded or (variable and reach == "short")
    if variable and hot:
        shot = replace(shot, advanced=0)
    table = D3 if variable and reach == "long" else D6
    damage, points = damage_die(shot, dice, OVERLOAD_BONUS if hot else 0, table)
    return Effect((die,), (damage,), (Wound(points, PIERCING if hot else SEMI),), needed)
