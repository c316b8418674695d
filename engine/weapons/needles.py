"""Needle beams, which aim at single systems.

In the second edition each mount has one arc only.
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.orders import Fire
from engine.core.phrase import phrase
from engine.core.rolls import Effect, Shot, TypedDamage, clamp_die, dice_in_range
from engine.events.event import Event
from engine.events.fire import NeedleFired
from engine.prices.system_price import Mounts, SystemSpec, by_class, one_arc
from engine.weapons.beams import beam_reach
from engine.weapons.weapon import BuilderName, Weapon, fixed_reach

REACH = 9.0  # MU
KILLS_ON = 6
HITS_ON = 4  # for a point of damage, in Continuum
# MU within which a ship can aim at a system, with ordinary and with enhanced sensors.
PLAIN_SIGHT, ENHANCED_SIGHT = 12.0, 24.0


def fire_needle_beam(shot: Shot, dice: Dice) -> Effect:
    """Fire one shot at one system; a hit knocks it out and does no other damage.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    die = dice.roll("to-hit", shot.subject)
    return Effect((die,), needed=KILLS_ON, needled=die >= KILLS_ON)


def _needle_event(
    turn: int, ship: ShipId, fire: Fire, target: str, _arc: str, shot: Shot, effect: Effect
) -> Event:
    """Return the event of a needle beam's fire."""
    return NeedleFired(
        turn,
        ship=ship,
        weapon=fire.weapon,
        target=target,
        system=fire.system,
        range=shot.distance,
        die=effect.dice[0],
    )


def fire_needle(shot: Shot, dice: Dice) -> Effect:
    """Fire a needle beam: a point on each 4 or more, and the system too on a natural 6.

    It has one die for each class, one fewer in each further band of 12 MU. Screens have no effect.
    The system is safe if the target is cloaked (the only modifier of re-rolls), in a holofield, or
    beyond the range of the ship's sensors.

    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]
    """
    rolled = tuple(
        dice.roll("to-hit", shot.subject) for _ in range(dice_in_range(shot.size, shot.distance))
    )
    if shot.holofield:
        return Effect(rolled, needed=HITS_ON)
    needed = KILLS_ON if shot.stern else HITS_ON
    hits = sum(clamp_die(die, shot.modifier) >= needed for die in rolled)
    needled = KILLS_ON in rolled and not (shot.rerolls_modified or shot.no_sensors)
    return Effect(rolled, damage_types=(TypedDamage(1),) * hits, needed=needed, needled=needled)


MASS: dict[int, Mounts] = {  # class: mass by arcs
    1: ((2, 2), (3, 3)),
    2: one_arc(4, mass_per_arc=2, most=3),
    3: one_arc(8, mass_per_arc=4, most=3),
    4: one_arc(16, mass_per_arc=8, most=3),
}

SECOND_EDITION = (
    Weapon(
        "needle",
        fire_needle_beam,
        fixed_reach(REACH),
        at_system=("",),
        control="needles",
        make_event=_needle_event,
        specs=(
            SystemSpec(
                "needle",
                variant="",
                title=phrase("Needle beam"),
                mass=2,
                points=6,
                rule="2e.needle-beams",
                arcs="one",
                offensive=True,
            ),
        ),
    ),
)

CONTINUUM = (
    Weapon(
        "needle",
        fire_needle,
        beam_reach,
        at_system=("",),
        snipes=("",),
        system_prices=by_class(
            "needle",
            title=phrase("Needle beam"),
            rule="pc.needle-beams",
            mounts=MASS,
            needs="needles",
        ),
        builder=(BuilderName("weapons", "needle"),),
    ),
)
