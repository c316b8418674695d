"""Spinal mounts of Continuum: beams ahead of the bow that hit everything they touch.

Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
"""

from __future__ import annotations

from math import ceil

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.kinds import PIERCING
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, TypedDamage, beam_damage, roll_beams
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.prices.system_price import SystemPrice
from engine.weapons.plasma import roll_plasma
from engine.weapons.weapon import LINE, SHORT_RANGE, BuilderName, FireFunction, Trait, Weapon

# Model: range and width of the beam in MU.
BEAMS: dict[str, tuple[float, float]] = {
    "small": (24.0, 1.0),
    "medium": (36.0, 1.5),
    "large": (48.0, 2.0),
}
SHORT_MEDIUM = 32.0  # MU of medium ones, as an option has it
HALF_ARC = 0.2679491924311227  # tangent of 15 degrees, the limit on either side of the bow
BEAM_DICE, PLASMA_DICE, SINGULARITY_DICE = 12, 6, 2
MASS_PER_DIE = 50  # of the target; a hit of a singularity has one die for each, rounded up
FIRED_LAST_TURN = reason("fired-last-turn", "it fired last turn")


def spinal_reach(fit: Fit, _mode: str = "") -> float:
    """Return the range in MU of a spinal mount's beam.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    if fit.variant == "medium" and SHORT_RANGE in fit.flags:
        return SHORT_MEDIUM
    return BEAMS[fit.variant][0]


def rest_fault(ship: ShipState, fit: Fit, _mode: str, turn: int) -> str:
    """Return the reason why a spinal mount that fired last turn cannot fire, or "".

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    if ship.record.last_fired.get(fit.id) == turn - 1:
        return FIRED_LAST_TURN
    return ""


def is_ahead_of_bow(ahead: float, right: float) -> bool:
    """Return whether a point is within 15 degrees of the bow.

    Args:
        ahead: MU ahead of the ship.
        right: MU to starboard.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    return ahead > NEAR and abs(right) <= ahead * HALF_ARC + NEAR


def fire_spinal_beam(shot: Shot, dice: Dice) -> Effect:
    """Fire twelve beam dice, at any range, at everything the beam touches.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    rolled, hits = roll_beams(BEAM_DICE, shot, dice)
    return Effect(rolled, damage_types=beam_damage(hits))


def fire_spinal_plasma(shot: Shot, dice: Dice) -> Effect:
    """Fire six plasma dice, at any range, at everything the beam touches.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    return roll_plasma(PLASMA_DICE, shot, dice)


def fire_singularity(shot: Shot, dice: Dice) -> Effect:
    """Fire two beam dice without re-rolls; each hit does a die for every 50 mass of the target.

    Screens have no effect. Craft and ordnance take one point for each hit, without a damage die.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    rolled, hits = roll_beams(SINGULARITY_DICE, shot, dice, rerolls=False, screens=0)
    if shot.small:
        return Effect(rolled, damage_types=(TypedDamage(1, PIERCING),) * hits[0])
    dice_per_hit = ceil(shot.mass / MASS_PER_DIE)
    damage: list[int] = []
    damage_types: list[TypedDamage] = []
    for _ in range(hits[0]):
        dice_of_hit = [dice.roll("damage", shot.subject) for _ in range(dice_per_hit)]
        damage += dice_of_hit
        damage_types.append(TypedDamage(sum(dice_of_hit), PIERCING))
    return Effect(rolled, tuple(damage), tuple(damage_types))


# Traits of weapons that fill a part of the table instead of aiming at a ship.
AREA_EFFECT = (Trait.PAST_STEALTH, Trait.PAST_HOLOFIELDS, Trait.PAST_CLOAKS)
MASS = {"small": 8, "medium": 16, "large": 32}
# Models, and the ship builder's names for them.
RANGES = (
    ("small", "short"),
    ("medium", "medium"),
    ("large", "long"),
)


def _mount(
    type_: str,
    title: str,
    rate: int,
    fire: FireFunction,
    traits: tuple[Trait, ...],
    needs: str,
    builder: str,
) -> Weapon:
    """Return the row of a spinal mount of all three sizes.

    Args:
        rate: Points for each mass.
        needs: The technology that it needs.
        builder: Its name in the ship builder.
    """
    system_prices = []
    for model, mass in MASS.items():
        system_prices.append(
            SystemPrice(
                type_,
                f"{model.capitalize()} {title}",
                "pc.spinal-mounts",
                model=model,
                mass=mass,
                rate=rate,
                offensive=True,
                forward=True,
                limit="spinal mounts",
                needs=(needs,),
            )
        )
    return Weapon(
        type_,
        fire,
        spinal_reach,
        at_point=("",),
        unready_fault=rest_fault,
        along=LINE,
        traits=(Trait.RESTS, Trait.SHORTER, *AREA_EFFECT, *traits),
        system_prices=tuple(system_prices),
        builder=tuple(
            BuilderName("weapons", builder, {"range": builder_range}, own_model)
            for own_model, builder_range in RANGES
        ),
    )


CONTINUUM = (
    _mount(
        "spinal-beam",
        "beam spinal mount",
        rate=4,
        fire=fire_spinal_beam,
        traits=(Trait.ENERGY,),
        needs="spinal-beams",
        builder="spinalBeam",
    ),
    _mount(
        "spinal-plasma",
        "plasma spinal mount",
        rate=4,
        fire=fire_spinal_plasma,
        traits=(Trait.ENERGY,),
        needs="spinal-plasma",
        builder="spinalPlasma",
    ),
    _mount(
        "spinal-singularity",
        "point singularity projector",
        rate=5,
        fire=fire_singularity,
        traits=(Trait.BY_MASS,),
        needs="spinal-singularity",
        builder="spinalSingularity",
    ),
)
