"""The nova cannon of capital ships, whose template moves along the bow and burns for three turns.

Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]; Continuum "Nova cannon" 7.23 [pc.nova-cannon]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.dice import Dice
from engine.core.kinds import HULL
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, TypedDamage
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.terms import SCIENCE_FICTION
from engine.prices.system_price import SystemPrice, SystemSpec
from engine.weapons.spinal import AREA_EFFECT
from engine.weapons.weapon import BOW, BuilderName, Trait, Weapon, fixed_reach

ARMED_AT = 6.0  # MU ahead of the bow at which the plasma core explodes


@dataclass(frozen=True, slots=True)
class Flare:
    """One turn of a nova template: its radius and movement in MU, and its damage dice."""

    radius: float
    move: float
    dice: int


MEAN_DIE = 3.5

# The three turns of a template, beginning with the shot.
FLARES = (Flare(1.0, 18.0, 6), Flare(2.0, 24.0, 4), Flare(3.0, 24.0, 2))


def roll_burn(flare: Flare, dice: Dice, subject: str) -> tuple[int, ...]:
    """Roll the damage dice for one object in a template; screens have no effect.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    return tuple(dice.roll("damage", subject) for _ in range(flare.dice))


UNARMED = reason("not-armed-turn", "it was not armed this turn")


def arming_fault(ship: ShipState, _fit: Fit, _mode: str, _turn: int) -> str:
    """Return the reason why a nova cannon cannot fire, "" if it was armed this turn.

    Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]
    """
    if ship.armed:
        return ""
    return UNARMED


def fire_nova(shot: Shot, dice: Dice) -> Effect:
    """Roll a nova template's damage to a ship in the turn of the shot.

    Screens and armour have no effect.

    Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]
    """
    rolled = roll_burn(FLARES[0], dice, shot.subject)
    return Effect(damage=rolled, damage_types=(TypedDamage(sum(rolled), HULL),))


TRAITS = (Trait.ARMED_BY_PLOT, Trait.HURTS_ALL, *AREA_EFFECT)
REACH = ARMED_AT + FLARES[0].move  # MU a template moves in the turn of its shot

SECOND_EDITION = (
    Weapon(
        "nova-cannon",
        fire_nova,
        fixed_reach(REACH),
        along=BOW,
        unready_fault=arming_fault,
        traits=TRAITS,
        controlled=False,
        threat_dice=6,
        specs=(
            SystemSpec(
                "nova-cannon",
                variant="",
                title=phrase("Spinal mount nova cannon"),
                mass=16,
                points=50,
                rule="2e.nova-cannon",
                arcs="fore",
                classifications=("capital",),
                offensive=True,
            ),
        ),
    ),
)

CONTINUUM = (
    Weapon(
        "nova-cannon",
        fire_nova,
        fixed_reach(REACH),
        along=BOW,
        unready_fault=arming_fault,
        traits=TRAITS,
        controlled=False,
        system_prices=(
            SystemPrice(
                "nova-cannon",
                "Nova cannon",
                "pc.nova-cannon",
                mass=20,
                points=60,
                offensive=True,
                forward=True,
                limit="spinal mounts",
                classifications=("capital",),
                option=SCIENCE_FICTION,
            ),
        ),
        builder=(BuilderName("weapons", "spinalNova"),),
    ),
)
