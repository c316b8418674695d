"""Submunition packs, which fire one salvo at short range, and launchers of missiles and rockets.

Missiles home in on targets; rockets are aimed at a ship (`engine.pieces.marker`).
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.orders import Fire
from engine.core.phrase import phrase
from engine.core.rolls import Effect, Shot, beam_damage, plain_damage, range_band, roll_beams
from engine.core.terms import NO_MULTI_STAGE
from engine.events.event import Event
from engine.events.fire import PackFired
from engine.prices.system_price import MISSILES, SystemPrice, SystemSpec, three_arcs
from engine.systems.defences import BEAM_POINTS
from engine.weapons.beams import roll_volley
from engine.weapons.guard import PointDefenceTarget
from engine.weapons.ordnance import (
    ROCKET_NEEDS,
    SALVO,
    TWO_STAGE,
    Ordnance,
    heavy_strike,
    rocket_strike,
    salvo_strike,
)
from engine.weapons.weapon import BuilderName, Trait, Weapon, fixed_reach, points_of

# The far end of each band in MU (a range exactly on it is in the nearer band), and the dice.
BANDS = (6.0, 12.0, 18.0)
DICE = (3, 2, 1)


def fire_submunitions(shot: Shot, dice: Dice) -> Effect:
    """Fire a whole pack at one target, as beam dice against no screens.

    Rules: 2E "Submunition packs" [2e.submunitions]
    """
    rolled, points = roll_volley(
        DICE[range_band(shot.distance, BANDS)], BEAM_POINTS[0], dice, shot.subject
    )
    return Effect(rolled, damage_types=plain_damage(points))


def _pack_event(
    turn: int, ship: ShipId, fire: Fire, target: str, arc: str, shot: Shot, effect: Effect
) -> Event:
    """Return the event of a submunition pack's fire."""
    return PackFired(
        turn,
        ship=ship,
        weapon=fire.weapon,
        target=target,
        range=shot.distance,
        arc=arc,
        dice=effect.dice,
        hits=points_of(effect),
    )


def fire_pack(shot: Shot, dice: Dice) -> Effect:
    """Fire a pack: beam dice by range with re-rolls, which only advanced screens reduce.

    Rules: Continuum "Submunition pack" 5.15 [pc.submunitions]; Continuum "Advanced screens" 7.3
    [pc.advanced-screens]
    """
    rolled, hits = roll_beams(
        DICE[range_band(shot.distance, BANDS)], shot, dice, screens=shot.advanced
    )
    return Effect(rolled, damage_types=beam_damage(hits))


#              model        title             mass  points  technology
SALVO_RACKS = (
    ("", phrase("Salvo missile rack"), 4, 12, "salvo-racks"),
    ("extended", phrase("Extended range salvo missile rack"), 5, 15, "extended-salvoes"),
    ("two-stage", phrase("Two stage salvo missile rack"), 6, 24, "extended-salvoes"),
)
HEAVY_MISSILES = (
    ("", phrase("Heavy missile"), 2, 6, "heavy-missiles"),
    ("extended", phrase("Extended range heavy missile"), 3, 9, "heavy-missiles"),
    ("two-stage", phrase("Two stage heavy missile"), 4, 12, "heavy-missiles"),
)
MODELS = {"extended": "er", "two-stage": "twostage"}  # the ship builder's names of models


def _model_prices(
    type_: str, rule: str, rows: tuple[tuple[str, str, int, int, str], ...]
) -> tuple[SystemPrice, ...]:
    """Return the price rows of a weapon's models from a table like SALVO_RACKS."""
    prices: list[SystemPrice] = []
    for model, title, mass, points, technology in rows:
        prices.append(
            SystemPrice(
                type_,
                title,
                rule,
                model=model,
                mounts=three_arcs(mass),
                points=points,
                offensive=True,
                expendable=True,
                needs=(technology,),
                unless=NO_MULTI_STAGE if model == TWO_STAGE else "",
            )
        )
    return tuple(prices)


def _builder_names(name: str) -> tuple[BuilderName, ...]:
    """Return the names of a weapon's models in the ship builder."""
    names = [BuilderName("ordnance", name)]
    for own_model, builder_model in MODELS.items():
        names.append(BuilderName("ordnance", name, {"modifier": builder_model}, own_model))
    return tuple(names)


SALVO_MISSILES = Ordnance(
    "salvo",
    word=phrase("salvo of missiles"),
    defence_target=PointDefenceTarget.MISSILES,
    strikes=salvo_strike,
    strength=SALVO,
    has_rolled_number=True,
)
HEAVY_MISSILE = Ordnance(
    "heavy", phrase("heavy missile"), PointDefenceTarget.HEAVY_MISSILE, heavy_strike
)
ROCKETS = Ordnance(
    "rockets",
    "rockets",
    PointDefenceTarget.MISSILES,
    rocket_strike,
    strength=2,
    controlled=False,
    needs=ROCKET_NEEDS,
    at_boats=True,
)

SECOND_EDITION = (
    Weapon(
        "submunition",
        fire_submunitions,
        fixed_reach(BANDS[-1]),
        group=MISSILES,
        once=True,
        stock=1,
        threat_dice=1,
        make_event=_pack_event,
        specs=(
            SystemSpec(
                "submunition",
                variant="",
                title=phrase("Submunition pack"),
                mass=1,
                points=3,
                rule="2e.submunitions",
                civil=True,
                offensive=True,
                expendable=True,
            ),
        ),
    ),
)

CONTINUUM = (
    Weapon(
        "submunition",
        fire_pack,
        fixed_reach(BANDS[-1]),
        once=True,
        stock=1,
        system_prices=(
            SystemPrice(
                "submunition",
                "Submunition pack",
                "pc.submunitions",
                mounts=three_arcs(1),
                rate=3,
                offensive=True,
                expendable=True,
                turreted=True,
                needs=("submunitions",),
            ),
        ),
        builder=(BuilderName("weapons", "submunition"),),
    ),
    Weapon(
        "salvo-launcher",
        group=MISSILES,
        ordnance=SALVO_MISSILES,
        traits=(Trait.LOCKS_ON,),
        system_prices=(
            SystemPrice(
                "salvo-launcher",
                "Salvo missile launcher",
                "pc.salvo-missiles",
                mounts=three_arcs(3),
                rate=3,
                offensive=True,
                needs=("salvo-launchers",),
                fires=("standard", "extended", "two-stage"),
            ),
        ),
        builder=(BuilderName("ordnance", "salvoLauncher"),),
    ),
    Weapon(
        "salvo-rack",
        group=MISSILES,
        ordnance=SALVO_MISSILES,
        once=True,
        stock=1,
        traits=(Trait.LOCKS_ON,),
        system_prices=_model_prices("salvo-rack", "pc.salvo-missiles", SALVO_RACKS),
        builder=_builder_names("salvo"),
    ),
    Weapon(
        "heavy-missile",
        group=MISSILES,
        ordnance=HEAVY_MISSILE,
        once=True,
        stock=1,
        traits=(Trait.LOCKS_ON,),
        system_prices=_model_prices("heavy-missile", "pc.heavy-missiles", HEAVY_MISSILES),
        builder=_builder_names("missile"),
    ),
    Weapon(
        "rocket-pod",
        group=MISSILES,
        reach=fixed_reach(ROCKET_NEEDS[-1][0]),
        ordnance=ROCKETS,
        once=True,
        stock=1,
        system_prices=(
            SystemPrice(
                "rocket-pod",
                "Rocket pod",
                "pc.rocket-pods",
                mounts=three_arcs(1),
                rate=3,
                offensive=True,
                expendable=True,
                needs=("rocket-pods",),
            ),
        ),
        builder=(BuilderName("ordnance", "rocketPod"),),
    ),
)
