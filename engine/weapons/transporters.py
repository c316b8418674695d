"""Transporter beams, which land boarders on other ships or commandos at single systems."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, dice_in_range, roll_beams
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.prices.system_price import LIGHT, by_class
from engine.systems.outfit import marines_of, parties_of
from engine.weapons.beams import beam_reach
from engine.weapons.weapon import BuilderName, Trait, Weapon

RAID = "raid"
# The outcome of a raid by its die (index 0 is unused): whether the system is destroyed, and whether
# the marines are lost.
RAIDS: tuple[tuple[bool, bool], ...] = (
    (False, False),
    (False, False),
    (False, True),
    (False, True),
    (False, True),  # unless another die brings them home
    (True, True),
    (True, False),
)
SECOND_CHANCE = 4  # the die that allows another die for the marines' return
RETURNS_ON = 4  # the lowest such die with which they return
NO_MARINES = reason("no-marines", "it has no marines left to send")
NOBODY_TO_SEND = reason("nobody-left-send", "it has nobody left to send")


def boarders_fault(ship: ShipState, _fit: Fit, mode: str, _turn: int) -> str:
    """Return the reason why a ship has no boarders to send, "" if it has some.

    Raids need marines; other landings need marines or damage control parties.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    if marines_of(ship):
        return ""
    if mode == RAID:
        return NO_MARINES
    if parties_of(ship):
        return ""
    return NOBODY_TO_SEND


def fire_transporter(shot: Shot, dice: Dice) -> Effect:
    """Fire beam dice without re-rolls; each hit lands a unit.

    A raid sends one unit, which rolls for its success.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    rolled, hits = roll_beams(dice_in_range(shot.size, shot.distance), shot, dice, rerolls=False)
    if shot.mode != RAID:
        return Effect(rolled, units_landed=hits[0])
    if not hits[0]:
        return Effect(rolled)
    die = dice.roll("boarding", shot.subject)
    is_destroyed, are_marines_lost = RAIDS[die]
    if die != SECOND_CHANCE:
        return Effect(rolled, (die,), needled=is_destroyed, units_lost=int(are_marines_lost))
    second = dice.roll("boarding", shot.subject)
    return Effect(rolled, (die, second), needled=is_destroyed, units_lost=int(second < RETURNS_ON))


CONTINUUM = (
    Weapon(
        "transporter",
        fire_transporter,
        beam_reach,
        modes=("", RAID),
        at_system=(RAID,),
        unready_fault=boarders_fault,
        traits=(Trait.CREWED_SHOTS, Trait.SHIPS_ALONE),
        system_prices=by_class(
            "transporter",
            title=phrase("Transporter beam"),
            rule="pc.transporters",
            mounts=LIGHT,
            needs="transporters",
        ),
        builder=(BuilderName("weapons", "transporter"),),
    ),
)
