"""Fusion arrays: projectiles that spread into beams.

They are set as flares for long range or as torpedoes for short range.
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, beam_damage, range_band, roll_beams, roll_to_hit
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.prices.system_price import SystemPrice, one_arc
from engine.weapons.weapon import BuilderName, Trait, Weapon, fixed_reach

BANDS = (6.0, 12.0, 18.0, 24.0, 30.0, 36.0)  # far ends in MU
# Setting: in each band the die needed to hit, and the beam dice of a hit.
SETTINGS: dict[str, tuple[tuple[int, int], ...]] = {
    "flare": ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)),
    "torpedo": ((6, 6), (5, 5), (4, 4), (3, 3), (2, 2), (1, 1)),
}
UNSET = "flare"
CHANGED = reason("off-line-while-setting", "it cannot be used while its setting is being changed")


def setting_fault(ship: ShipState, fit: Fit, _mode: str, _turn: int) -> str:
    """Return the reason why a weapon cannot fire while its setting is changed, or "".

    Rules: Continuum "Fusion array" 5.19 [pc.fusion-array]
    """
    if fit.id in ship.this_turn.off_line:
        return CHANGED
    return ""


def fire_fusion_array(shot: Shot, dice: Dice) -> Effect:
    """Fire a fusion array: a die to hit by range and setting, then beam dice.

    Only advanced screens reduce the beam dice. A holofield, or a shot through the stern, affects
    only the die to hit.

    Rules: Continuum "Fusion array" 5.19 [pc.fusion-array]
    """
    die_needed, beam_dice = SETTINGS[shot.mode or UNSET][range_band(shot.distance, BANDS)]
    needed, die, is_hit = roll_to_hit(shot, die_needed, dice)
    if not is_hit:
        return Effect((die,), needed=needed)
    beam_shot = Shot(shot.subject, shot.distance, shot.true_distance, screens=shot.advanced)
    rolled, hits = roll_beams(beam_dice, beam_shot, dice)
    return Effect((die,), rolled, beam_damage(hits), needed)


CONTINUUM = (
    Weapon(
        "fusion-array",
        fire_fusion_array,
        fixed_reach(BANDS[-1]),
        settings={"": tuple(SETTINGS)},
        unready_fault=setting_fault,
        traits=(Trait.OFF_LINE_TO_SET, Trait.ONE_HIT),
        system_prices=(
            SystemPrice(
                "fusion-array",
                "Fusion array",
                "pc.fusion-array",
                mounts=one_arc(3, mass_per_arc=1, most=3),
                rate=3,
                offensive=True,
                turreted=True,
                needs=("fusion-arrays",),
            ),
        ),
        builder=(BuilderName("weapons", "fusion"),),
    ),
)
