"""Beam batteries: classes A, B and C in the second edition, classes 1 to 5 in Continuum.

Continuum's Gatling batteries, particle arrays and meson projectors use the same dice.
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.geometry import squared_limit
from engine.core.ids import ShipId
from engine.core.orders import Fire
from engine.core.phrase import phrase
from engine.core.rolls import Effect, Shot, beam_damage, dice_in_range, plain_damage, roll_beams
from engine.core.sheet import Fit
from engine.events.event import Event
from engine.events.fire import BeamsFired as BatteryFired
from engine.prices.system_price import (
    CORE,
    HALF_OF_FIVE,
    LIGHT,
    Mounts,
    SystemPrice,
    SystemSpec,
    by_class,
    one_arc,
    without_classes,
)
from engine.systems.defences import BEAM_POINTS
from engine.weapons.guard import BY_LIGHT_BEAM, BY_PDS, Guard, is_class_one
from engine.weapons.weapon import BuilderName, Trait, Weapon, fixed_reach, points_of

# The far end of each band in MU; a range exactly on it is in the nearer band.
BANDS = (12.0, 24.0, 36.0)

_SQUARED_BANDS = tuple(squared_limit(limit) for limit in BANDS)

# The dice of each class in each band.
DICE_BY_BAND: dict[str, tuple[int, int, int]] = {
    "A": (3, 2, 1),
    "B": (2, 1, 0),
    "C": (1, 0, 0),
}

BEAM = "beam"  # the type of Continuum's beams

# The range in MU and the dice of mounts without classes.
GATLING, PARTICLE_ARRAY, MESON = (12.0, 6), (24.0, 2), (48.0, 1)


def roll_volley(
    count: int, points_by_die: tuple[int, ...], dice: Dice, subject: str
) -> tuple[tuple[int, ...], int]:
    """Roll a battery's dice without re-rolls, and return the dice and the damage points.

    Args:
        points_by_die: The damage points by die after the target's screens.

    Rules: 2E "Weapon ranges, firing and damage" [2e.beams]
    """
    if count == 1:
        die = dice.roll("beam", subject)
        return (die,), points_by_die[die]
    rolled = tuple(dice.roll("beam", subject) for _ in range(count))
    return rolled, sum(points_by_die[die] for die in rolled)


def beam_band(squared: float) -> int:
    """Return the range band (0, 1, 2) of a squared range, or -1 beyond 36 MU.

    Rules: 2E "Weapon ranges" [2e.beams]
    """
    if squared > _SQUARED_BANDS[2]:
        return -1
    if squared <= _SQUARED_BANDS[0]:
        return 0
    if squared <= _SQUARED_BANDS[1]:
        return 1
    return 2


def battery_reach(fit: Fit, _mode: str = "") -> float:
    """Return the greatest range in MU at which a battery still has dice.

    Rules: 2E "Weapon ranges" [2e.beams]
    """
    return max(
        limit for limit, number in zip(BANDS, DICE_BY_BAND[fit.variant], strict=True) if number
    )


def fire_battery(shot: Shot, dice: Dice) -> Effect:
    """Fire all dice of one battery at one target.

    Rules: 2E "Beam weapon batteries" [2e.beams]
    """
    number = DICE_BY_BAND[shot.variant][beam_band(shot.distance * shot.distance)]
    rolled, points = roll_volley(number, BEAM_POINTS[shot.screens], dice, shot.subject)
    return Effect(rolled, damage_types=plain_damage(points))


def _battery_event(
    turn: int, ship: ShipId, fire: Fire, target: str, arc: str, shot: Shot, effect: Effect
) -> Event:
    """Return the event of a battery's fire."""
    return BatteryFired(
        turn,
        ship=ship,
        weapon=fire.weapon,
        target=target,
        range=shot.distance,
        arc=arc,
        screens=shot.screens,
        dice=effect.dice,
        hits=points_of(effect),
    )


def beam_reach(fit: Fit, _mode: str = "") -> float:
    """Return a beam's range in MU: 12 for each class.

    Rules: Continuum "Beam weapons" 5.3 [pc.beams]
    """
    return 12.0 * fit.size


def fire_beam(shot: Shot, dice: Dice) -> Effect:
    """Fire a beam: one die for each class, one fewer in each further band of 12 MU.

    Re-rolls ignore screens and armour.

    Rules: Continuum "Beam weapons" 4.5, 4.6, 5.3 [pc.beams]
    """
    rolled, hits = roll_beams(dice_in_range(shot.size, shot.distance), shot, dice)
    return Effect(rolled, damage_types=beam_damage(hits))


def fire_gatling(shot: Shot, dice: Dice) -> Effect:
    """Fire six beam dice, up to 12 MU.

    Rules: Continuum "Gatling battery" 5.10 [pc.gatling]
    """
    return fire_beam_volley(GATLING[1], shot, dice)


def fire_particle_array(shot: Shot, dice: Dice) -> Effect:
    """Fire two beam dice, up to 24 MU.

    Rules: Continuum "Twin particle array" 5.11 [pc.twin-particle-array]
    """
    return fire_beam_volley(PARTICLE_ARRAY[1], shot, dice)


def fire_meson(shot: Shot, dice: Dice) -> Effect:
    """Fire one beam die, up to 48 MU.

    Rules: Continuum "Meson projector" 5.12 [pc.meson]
    """
    return fire_beam_volley(MESON[1], shot, dice)


def fire_beam_volley(number: int, shot: Shot, dice: Dice) -> Effect:
    """Fire this many beam dice with re-rolls at a target.

    Rules: Continuum "Beam fire" 4.5 [pc.beams]
    """
    rolled, hits = roll_beams(number, shot, dice)
    return Effect(rolled, damage_types=beam_damage(hits))


def _battery(
    model: str, *, mass: int, points: int, points_per_arc: int, civil: bool = False
) -> SystemSpec:
    """Return the price row of a class of batteries."""
    return SystemSpec(
        "battery",
        variant=model,
        title=phrase("Class {} battery", model),
        mass=mass,
        points=points,
        rule="2e.beams",
        points_per_arc=points_per_arc,
        arcs="adjacent",
        offensive=True,
        civil=civil,
    )


BROADSIDE_CLASS, BROADSIDE_BEAM = 2, 1  # the class sold with two broadside arcs, and its mass
LIGHT_TO = 3  # the largest class of lighter beams
HEAVIEST: dict[int, Mounts] = {5: one_arc(16, mass_per_arc=4, most=6)}


def _beam_prices() -> tuple[SystemPrice, ...]:
    """Return the price rows of beams; class 2 has a broadside mount, large classes need more."""
    prices = []
    for price in by_class(
        "beam", title="Beam", rule="pc.beams", mounts=LIGHT | HEAVIEST, needs="beams"
    ):
        broadside = BROADSIDE_BEAM if price.size == BROADSIDE_CLASS else 0
        needs = price.needs if price.size <= LIGHT_TO else ("heavy-beams",)
        prices.append(replace(price, broadside=broadside, needs=needs))
    return tuple(prices)


SECOND_EDITION = (
    Weapon(
        "battery",
        fire_battery,
        battery_reach,
        group=CORE,
        traits=(Trait.BREAKS_ROCKS,),
        beam_dice=DICE_BY_BAND,
        model_key="battery",
        make_event=_battery_event,
        specs=(
            _battery("A", mass=3, points=4, points_per_arc=3),
            _battery("B", mass=2, points=3, points_per_arc=2),
            _battery("C", mass=1, points=2, points_per_arc=1, civil=True),
        ),
    ),
)

CONTINUUM = (
    Weapon(
        BEAM,
        fire_beam,
        beam_reach,
        group=CORE,
        guard=Guard(
            BY_LIGHT_BEAM, protects_others=False, is_not_resisted=True, accepts_mount=is_class_one
        ),
        traits=(Trait.ENERGY, Trait.DIMMED),
        usual=Fit("", "beam", "", (), size=3),
        system_prices=_beam_prices(),
        builder=(BuilderName("weapons", "beam"),),
    ),
    Weapon(
        "gatling",
        fire_gatling,
        fixed_reach(GATLING[0]),
        guard=Guard(BY_PDS),
        traits=(Trait.ENERGY,),
        system_prices=(
            without_classes(
                "gatling",
                title=phrase("Gatling battery"),
                rule="pc.gatling",
                rate=4,
                needs="gatling",
                broadside=HALF_OF_FIVE,
            ),
        ),
        builder=(BuilderName("weapons", "gatling"),),
    ),
    Weapon(
        "particle-array",
        fire_particle_array,
        fixed_reach(PARTICLE_ARRAY[0]),
        guard=Guard(BY_PDS),
        traits=(Trait.ENERGY,),
        system_prices=(
            without_classes(
                "particle-array",
                title=phrase("Twin particle array"),
                rule="pc.twin-particle-array",
                rate=4,
                needs="particle-array",
                broadside=HALF_OF_FIVE,
            ),
        ),
        builder=(BuilderName("weapons", "particle"),),
    ),
    Weapon(
        "meson",
        fire_meson,
        fixed_reach(MESON[0]),
        guard=Guard(BY_PDS),
        traits=(Trait.ENERGY,),
        system_prices=(
            without_classes(
                "meson", title=phrase("Meson projector"), rule="pc.meson", rate=4, needs="meson"
            ),
        ),
        builder=(BuilderName("weapons", "meson"),),
    ),
)
