"""Pulsers: beam mounts set for short, medium or long range before a battle."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.rolls import Effect, Shot, beam_damage, roll_beams
from engine.core.sheet import Fit
from engine.prices.system_price import without_classes
from engine.weapons.guard import BY_PDS, Guard
from engine.weapons.weapon import BuilderName, Trait, Weapon

# Setting: range in MU, dice.
SETTINGS: dict[str, tuple[float, int]] = {
    "medium": (24.0, 2),
    "short": (12.0, 6),
    "long": (48.0, 1),
}
UNSET = "medium"


def pulser_reach(_fit: Fit, mode: str = "") -> float:
    """Return a pulser's range in MU by its setting.

    Rules: Continuum "Pulsers" 5.21 [pc.pulsers]
    """
    return SETTINGS[mode or UNSET][0]


def fire_pulser(shot: Shot, dice: Dice) -> Effect:
    """Fire the beam dice of its setting, the same at any range.

    Rules: Continuum "Pulsers" 5.21 [pc.pulsers]
    """
    rolled, hits = roll_beams(SETTINGS[shot.mode or UNSET][1], shot, dice)
    return Effect(rolled, damage_types=beam_damage(hits))


CONTINUUM = (
    Weapon(
        "pulser",
        fire_pulser,
        pulser_reach,
        guard=Guard(BY_PDS),
        settings={"": tuple(SETTINGS)},
        traits=(Trait.ENERGY, Trait.SET_IN_PORT),
        system_prices=(
            without_classes("pulser", title="Pulser", rule="pc.pulsers", rate=5, needs="pulsers"),
        ),
        builder=(BuilderName("weapons", "pulser"),),
    ),
)
