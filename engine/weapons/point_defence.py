"""Defences against fighters and ordnance: point defence guards its own ship, area defence its neighbours too.

All carry their own fire control and bear all round, aft included (area defence of Continuum through its arcs).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.ids import ShipId
from engine.core.orders import Fire
from engine.core.rolls import D3, Effect, Shot, TypedDamage, beam_damage, beam_hits, clamped
from engine.core.sheet import Fit
from engine.events.event import Event
from engine.events.fire import PointDefence
from engine.pricelists.ware import SystemSpec, Ware, by_arcs
from engine.weapons.weapon import BuilderName, Trait, Weapon, to

AREA_RANGE = 6.0  # MU from an area defence weapon to the group, or to the friend that is attacked

# Craft a die of anti-fighter fire takes, and of fighters' fire at fighters; place 0 is no die.
KILLS = (0, 0, 0, 0, 1, 1, 2)


def anti_fighter(shot: Shot, dice: Dice) -> Effect:
    """A die at a group of fighters: the craft it takes. Rules: 2E "Anti-fighter defences" [2e.anti-fighter]"""
    die = dice.roll("point-defence", shot.subject)
    return Effect((die,), craft=KILLS[clamped(die, shot.modifier)])


def _defended(turn: int, ship: ShipId, fire: Fire, target: str, _arc: str, shot: Shot, effect: Effect) -> Event:
    return PointDefence(turn, ship, fire.weapon, target, shot.distance, effect.dice, effect.craft)


SCATTERGUN = "scattergun"
# Continuum: MU that each reaches, fighters, missiles and ships alike.
PDS_REACH, ADS_REACH, SCATTER_REACH = 6.0, 12.0, 6.0
ADS_TWICE = 6.0  # MU within which area defence fires both its dice
SPLIT = "split"  # area defence told to fire its two dice at different targets
GRAPESHOT_DICE = 4
SUPPORT_REACH = 6.0  # MU from a ship to the friend it helps

# What a kind of small target takes of a scattergun: all points of a die, half of it, or a beam die.
SCATTER_DIE, SCATTER_D3, SCATTER_BEAM = "1d6", "1d3", "beam"
SCATTER: dict[str, str] = {
    "fighters": SCATTER_DIE,
    "missiles": SCATTER_DIE,
    "heavy-fighters": SCATTER_D3,
    "plasma-bolts": SCATTER_BEAM,
    "gunboats": SCATTER_BEAM,
}

# Friends that each fire control lets a ship help in a turn; None: any number.
ONE_FRIEND, ANY_FRIENDS = 1, None
HELPS: dict[str, int | None] = {"adfc": ONE_FRIEND, "advanced-adfc": ANY_FRIENDS}
HELPS_BY_ITSELF = (SCATTERGUN,)  # what carries such fire control within itself


def ads_reach(_: Fit, mode: str = "") -> float:
    """MU an area defence system fires at ships, by how. Rules: Continuum "Area defence system" 7.13 [pc.ads]"""
    return ADS_TWICE if mode == SPLIT else ADS_REACH


def _pellets(number: int, shot: Shot, dice: Dice) -> Effect:
    """Dice of point defence at a ship: a 6 is a point, and no die is thrown again."""
    thrown = tuple(dice.roll("point-defence", shot.subject) for _ in range(number))
    points = sum(die == 6 for die in thrown)
    return Effect(thrown, damage_types=(TypedDamage(points),) if points else ())


def pds(shot: Shot, dice: Dice) -> Effect:
    """A point defence system at a ship: one die. Rules: Continuum "Point defence systems" 7.12 [pc.pds]"""
    return _pellets(1, shot, dice)


def ads(shot: Shot, dice: Dice) -> Effect:
    """An area defence system at a ship: a die, two within 6 MU unless they are split between targets.

    Rules: Continuum "Area defence system" 7.13 [pc.ads]
    """
    return _pellets(1 if shot.mode == SPLIT or shot.true_distance > ADS_TWICE + NEAR else 2, shot, dice)


def scattergun(shot: Shot, dice: Dice) -> Effect:
    """A scattergun at a ship: one beam die with its re-rolls, past any screens.

    Rules: Continuum "Scattergun" 7.14 [pc.scatterguns]
    """
    shot.screens = shot.advanced = 0
    thrown, hits = beam_hits(1, shot, dice)
    return Effect(thrown, damage_types=beam_damage(hits))


def grapeshot(shot: Shot, dice: Dice) -> Effect:
    """A grapeshot launcher at a ship: four dice of point defence. Rules: Continuum "Grapeshot" 7.15 [pc.scatterguns]"""
    return _pellets(GRAPESHOT_DICE, shot, dice)


def scatter_hits(kind: str, subject: str, dice: Dice) -> tuple[tuple[int, ...], int]:
    """A scattergun at fighters or ordnance of a kind (SCATTER): its dice and how many hits they are.

    Rules: Continuum "Scattergun" 7.14 [pc.scatterguns]
    """
    if SCATTER[kind] == SCATTER_BEAM:
        thrown, hits = beam_hits(1, Shot(subject, 0.0, 0.0), dice)
        return thrown, sum(hits)
    die = dice.roll("point-defence", subject)
    return (die,), die if SCATTER[kind] == SCATTER_DIE else D3[die]


def strays(die: int) -> int:
    """Points that the friend takes whom a scattergun helped, by the die it showed. Rules: Continuum 7.14
    [pc.scatterguns]
    """
    return 1 if die == 1 else 0


@dataclass(frozen=True, slots=True)
class Support:
    """A weapon of point defence that is to fire for a friend: the fit's type, and the friend's id."""

    weapon: str
    type: str
    friend: str


def friends_helped(controls: tuple[str, ...]) -> int | None:
    """How many friends a ship's working ADFCs (types) let it help in a turn; None: any number.

    Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]
    """
    given = [HELPS[type_] for type_ in controls]
    if ANY_FRIENDS in given:
        return None
    return sum(number for number in given if number is not None)


def support_faults(
    controls: tuple[str, ...], supports: tuple[Support, ...], distances: Mapping[str, float], *, flew: bool
) -> tuple[str, ...]:
    """Everything that is wrong with how a ship wants to help its friends, in plain words.

    `controls`: types of its working ADFCs; `distances`: MU to each friend; `flew`: it launched or recovered fighters
    this turn, when no ADFC may be used. Each weapon fires once; scatterguns need no ADFC.
    Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]; Continuum "Scattergun" 7.14 [pc.scatterguns]
    """
    wrong = [f"{one.friend} is not within {SUPPORT_REACH:g} MU" for one in supports if _far(distances, one.friend)]
    weapons = [one.weapon for one in supports]
    wrong += [f"{name} fires once a turn" for name in dict.fromkeys(weapons) if weapons.count(name) > 1]
    helped = list(dict.fromkeys(one.friend for one in supports if one.type not in HELPS_BY_ITSELF))
    if helped and not controls:
        wrong.append("without a working ADFC it can defend only itself")
    elif helped and flew:
        wrong.append("a ship that launched or recovered fighters this turn cannot use its ADFC")
    elif helped:
        most = friends_helped(controls)
        if most is not None and len(helped) > most:
            wrong.append(f"its ADFCs let it help {most} this turn, not {len(helped)}")
    return tuple(dict.fromkeys(wrong))


def _far(distances: Mapping[str, float], friend: str) -> bool:
    return friend not in distances or distances[friend] > SUPPORT_REACH + NEAR


TO_SHIPS = (Trait.ASTERN, Trait.PAST_STEALTH)  # what goes for whatever comes near

SECOND_EDITION = (
    Weapon(
        "pdaf",
        anti_fighter,
        controlled=False,
        traits=(Trait.ANTI_FIGHTER,),
        tells=_defended,
        specs=(SystemSpec("pdaf", "", "Point defence anti-fighter system", 1, 3, "2e.anti-fighter", civil=True),),
        word="PDAF",
    ),
    Weapon(
        "adaf",
        anti_fighter,
        to(AREA_RANGE),
        controlled=False,
        traits=(Trait.ANTI_FIGHTER, Trait.AREA_DEFENCE),
        tells=_defended,
        specs=(SystemSpec("adaf", "", "Area defence anti-fighter system", 3, 10, "2e.anti-fighter"),),
        word="ADAF",
    ),
)

CONTINUUM = (
    Weapon(
        "pds",
        pds,
        to(PDS_REACH),
        controlled=False,
        traits=(*TO_SHIPS, Trait.BARE_ONLY),
        wares=(Ware("pds", "Point defence system", "pc.pds", mass=1, points=3, needs=("pds",)),),
        builder=(BuilderName("weapons", "pds"),),
        word="PDS",
    ),
    Weapon(
        "ads",
        ads,
        ads_reach,
        modes=("", SPLIT),
        twice=(SPLIT,),
        controlled=False,
        traits=(*TO_SHIPS, Trait.BARE_ONLY),
        wares=(
            Ware("ads", "Area defence system", "pc.ads", mounts=by_arcs(three=2, six=3), rate=3, needs=("ads",)),
        ),
        builder=(BuilderName("weapons", "ads"),),
        word="ADS",
    ),
    Weapon(
        SCATTERGUN,
        scattergun,
        to(SCATTER_REACH),
        controlled=False,
        traits=TO_SHIPS,
        once=True,
        stock=1,
        wares=(
            Ware(SCATTERGUN, "Scattergun", "pc.scatterguns", mass=1, points=5, expendable=True, needs=("scattergun",)),
        ),
        builder=(BuilderName("weapons", "scatterGun"),),
    ),
    Weapon(
        "grapeshot",
        grapeshot,
        to(SCATTER_REACH),
        controlled=False,
        traits=(*TO_SHIPS, Trait.BARE_ONLY),
        once=True,
        stock=1,
        wares=(
            Ware("grapeshot", "Grapeshot launcher", "pc.scatterguns", mass=1, points=4, expendable=True,
                 needs=("grapeshot",)),
        ),
        builder=(BuilderName("weapons", "grapeshot"),),
    ),
)  # fmt: skip
