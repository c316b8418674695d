"""Defences against fighters and ordnance, for their own ship (point) and its neighbours (area).

All have their own fire control and bear all round, aft included, except that area defence of
Continuum has arcs.
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.ids import ShipId
from engine.core.orders import Fire
from engine.core.phrase import phrase
from engine.core.rolls import D3, Effect, Shot, TypedDamage, beam_damage, clamp_die, roll_beams
from engine.core.sheet import Fit
from engine.events.event import Event
from engine.events.fire import PointDefence
from engine.prices.system_price import CORE, SystemPrice, SystemSpec, by_arcs
from engine.weapons.guard import BY_PDS, SPLIT, Guard, PointDefenceTarget, roll_defence_dice
from engine.weapons.weapon import BuilderName, Trait, Weapon, fixed_reach

AREA_RANGE = 6.0  # MU from an area defence weapon to the group, or to the friend under attack

# Craft destroyed by a die of anti-fighter fire, or of fighters' fire at fighters; index 0 is
# unused.
KILLS = (0, 0, 0, 0, 1, 1, 2)


def fire_anti_fighter(shot: Shot, dice: Dice) -> Effect:
    """Fire a die at a group of fighters.

    Rules: 2E "Anti-fighter defences" [2e.anti-fighter]
    """
    die = dice.roll("point-defence", shot.subject)
    return Effect((die,), craft=KILLS[clamp_die(die, shot.modifier)])


def _point_defence_event(
    turn: int, ship: ShipId, fire: Fire, target: str, _arc: str, shot: Shot, effect: Effect
) -> Event:
    """Return the event of an anti-fighter weapon's fire."""
    return PointDefence(
        turn,
        ship=ship,
        weapon=fire.weapon,
        target=target,
        range=shot.distance,
        dice=effect.dice,
        hits=effect.craft,
    )


SCATTERGUN = "scattergun"
# Continuum: the range of each in MU, against fighters, missiles and ships.
PDS_REACH, ADS_REACH, SCATTER_REACH = 6.0, 12.0, 6.0
ADS_TWICE = 6.0  # MU within which area defence fires both its dice
GRAPESHOT_DICE = 4
SCATTER_LEVEL_DICE = 4  # of a scattergun under the rules for point defence levels


def ads_reach(_fit: Fit, mode: str = "") -> float:
    """Return the range in MU of an area defence system at ships, by its mode.

    Rules: Continuum "Area defence system" 7.13 [pc.ads]
    """
    if mode == SPLIT:
        return ADS_TWICE
    return ADS_REACH


def _roll_pellets(number: int, shot: Shot, dice: Dice) -> Effect:
    """Roll point defence dice at a ship: a 6 is a point, without re-rolls."""
    rolled = tuple(dice.roll("point-defence", shot.subject) for _ in range(number))
    points = sum(die == 6 for die in rolled)
    return Effect(rolled, damage_types=(TypedDamage(points),) if points else ())


def fire_pds(shot: Shot, dice: Dice) -> Effect:
    """Fire a point defence system at a ship: one die.

    Rules: Continuum "Point defence systems" 7.12 [pc.pds]
    """
    return _roll_pellets(1, shot, dice)


def fire_ads(shot: Shot, dice: Dice) -> Effect:
    """Fire an area defence system at a ship: one die, or two within 6 MU unless they are split.

    Rules: Continuum "Area defence system" 7.13 [pc.ads]
    """
    is_single = shot.mode == SPLIT or shot.true_distance > ADS_TWICE + NEAR
    return _roll_pellets(1 if is_single else 2, shot, dice)


def fire_scattergun(shot: Shot, dice: Dice) -> Effect:
    """Fire a scattergun at a ship: one beam die with re-rolls; screens have no effect.

    Rules: Continuum "Scattergun" 7.14 [pc.scatterguns]
    """
    shot.screens = shot.advanced = 0
    rolled, hits = roll_beams(1, shot, dice)
    return Effect(rolled, damage_types=beam_damage(hits))


def fire_grapeshot(shot: Shot, dice: Dice) -> Effect:
    """Fire a grapeshot launcher at a ship: four point defence dice.

    Rules: Continuum "Grapeshot" 7.15 [pc.scatterguns]
    """
    return _roll_pellets(GRAPESHOT_DICE, shot, dice)


def roll_scattergun(
    target_kind: PointDefenceTarget, toughness: int, subject: str, dice: Dice
) -> tuple[tuple[int, ...], int]:
    """Roll a scattergun against ordnance or craft, and return the die and what it destroys.

    It destroys as many as the die shows, a D3 of heavy fighters, one more of light ones. A plasma
    bolt loses one on 4 or 5 and two on 6, without re-rolls. Gunboats take the hits of a beam die.

    Rules: Continuum "Scattergun" 7.14, "Plasma bolt launchers" 6.8, "Heavy" and "Light fighter"
    8.15, "Gunboat rules" 9.1 [pc.scatterguns]
    """
    if target_kind is PointDefenceTarget.GUNBOATS:
        return roll_defence_dice(
            1, kills=KILLS, target_kind=target_kind, modifier=toughness, subject=subject, dice=dice
        )
    die = dice.roll("point-defence", subject)
    if target_kind is PointDefenceTarget.PLASMA_BOLT:
        return (die,), KILLS[die]
    return (die,), D3[die] if toughness < 0 else die + toughness


def roll_four_pellets(
    target_kind: PointDefenceTarget, toughness: int, subject: str, dice: Dice
) -> tuple[tuple[int, ...], int]:
    """Roll a scattergun as four point defence dice, as an option has it.

    Against plasma bolts and gunboats it rolls as usual.

    Rules: Continuum "Point defense" 8.8 [pc.scatterguns]
    """
    if target_kind in (PointDefenceTarget.GUNBOATS, PointDefenceTarget.PLASMA_BOLT):
        return roll_scattergun(target_kind, toughness, subject, dice)
    return roll_defence_dice(
        SCATTER_LEVEL_DICE,
        kills=BY_PDS[target_kind],
        target_kind=target_kind,
        modifier=toughness,
        subject=subject,
        dice=dice,
    )


TO_SHIPS = (Trait.ASTERN, Trait.PAST_STEALTH)  # traits of weapons that fire at anything near

SECOND_EDITION = (
    Weapon(
        "pdaf",
        fire_anti_fighter,
        group=CORE,
        controlled=False,
        traits=(Trait.ANTI_FIGHTER,),
        make_event=_point_defence_event,
        specs=(
            SystemSpec(
                "pdaf",
                variant="",
                title=phrase("Point defence anti-fighter system"),
                mass=1,
                points=3,
                rule="2e.anti-fighter",
                civil=True,
            ),
        ),
        word="PDAF",
    ),
    Weapon(
        "adaf",
        fire_anti_fighter,
        fixed_reach(AREA_RANGE),
        group=CORE,
        controlled=False,
        traits=(Trait.ANTI_FIGHTER, Trait.AREA_DEFENCE),
        make_event=_point_defence_event,
        specs=(
            SystemSpec(
                "adaf",
                variant="",
                title=phrase("Area defence anti-fighter system"),
                mass=3,
                points=10,
                rule="2e.anti-fighter",
            ),
        ),
        word="ADAF",
    ),
)

SCATTERGUN_GUARD = Guard(
    BY_PDS,
    special_roll=roll_scattergun,
    needs_no_adfc=True,
    endangers_friends=True,
    level_dice=SCATTER_LEVEL_DICE,
    in_bursts=True,
)
FOUR_PELLETS = replace(SCATTERGUN_GUARD, special_roll=roll_four_pellets)  # by an option

CONTINUUM = (
    Weapon(
        "pds",
        fire_pds,
        fixed_reach(PDS_REACH),
        group=CORE,
        guard=Guard(BY_PDS, fires_without_orders=True),
        controlled=False,
        traits=(*TO_SHIPS, Trait.BARE_ONLY),
        system_prices=(
            SystemPrice("pds", "Point defence system", "pc.pds", mass=1, points=3, needs=("pds",)),
        ),
        builder=(BuilderName("weapons", "pds"),),
        word="PDS",
    ),
    Weapon(
        "ads",
        fire_ads,
        ads_reach,
        guard=Guard(BY_PDS, fires_without_orders=True, is_area_defence=True),
        modes=("", SPLIT),
        twice=(SPLIT,),
        controlled=False,
        traits=(*TO_SHIPS, Trait.BARE_ONLY),
        system_prices=(
            SystemPrice(
                "ads",
                "Area defence system",
                "pc.ads",
                mounts=by_arcs(three=2, six=3),
                rate=3,
                needs=("ads",),
            ),
        ),
        builder=(BuilderName("weapons", "ads"),),
        word="ADS",
    ),
    Weapon(
        SCATTERGUN,
        fire_scattergun,
        fixed_reach(SCATTER_REACH),
        guard=SCATTERGUN_GUARD,
        controlled=False,
        traits=TO_SHIPS,
        once=True,
        stock=1,
        system_prices=(
            SystemPrice(
                SCATTERGUN,
                "Scattergun",
                "pc.scatterguns",
                mass=1,
                points=5,
                expendable=True,
                needs=("scattergun",),
            ),
        ),
        builder=(BuilderName("weapons", "scatterGun"),),
    ),
    Weapon(
        "grapeshot",
        fire_grapeshot,
        fixed_reach(SCATTER_REACH),
        guard=Guard(BY_PDS, dice=GRAPESHOT_DICE, level_dice=GRAPESHOT_DICE, in_bursts=True),
        controlled=False,
        traits=(*TO_SHIPS, Trait.BARE_ONLY),
        once=True,
        stock=1,
        system_prices=(
            SystemPrice(
                "grapeshot",
                "Grapeshot launcher",
                "pc.scatterguns",
                mass=1,
                points=4,
                expendable=True,
                needs=("grapeshot",),
            ),
        ),
        builder=(BuilderName("weapons", "grapeshot"),),
    ),
)
