"""The worth of a ship in battle in its present state, from its fire and its endurance.

Weapons fire by their own rules with even dice (`engine.captains.common.expected_damage`), so a new
weapon, screen or kind of armour needs no number here. Systems without effect in a battle are worth
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from engine.captains.common.expected_damage import STEPS, DefenceProfile
from engine.captains.common.foes import MEAN_POINTS
from engine.captains.common.range_tables import ONE_SHOT_FACTOR, PLACES, shot_worths
from engine.captains.continuum.targets import armament_of, armour_boxes, defence_of
from engine.core.edition import Edition
from engine.core.facts import FOREVER
from engine.core.ship import ShipState
from engine.core.state import PLOT, BattleState
from engine.weapons.nova import FLARES
from engine.weapons.registry import types_with, weapons_of
from engine.weapons.weapon import Trait

# Steps of range at which fire is averaged: up to 24 MU, where fleets on a table of 72 by 48 spend
# their battles.
RANGE_STEPS = range(8)
SALVOES = 5.0  # turns over which a one-shot weapon is averaged
CRAFT_SHARE = 0.6  # share of a group's craft that reach a ship when they attack
NOVA_SHARE = 0.1  # share of a nova's possible damage, because ships easily leave its template

# The defences of typical targets, and of typical ships that fire back.
TARGETS = (DefenceProfile(mass=90, velocity=12), DefenceProfile(screens=1, mass=90, velocity=12))
TARGET_ARMOUR_RATIO = 0.25
BARE = DefenceProfile(mass=90, velocity=12)


@dataclass(frozen=True, slots=True)
class Measures:
    """How to measure a rulebook's ships.

    Attributes:
        fire: Points that a ship's fire destroys a turn.
        endurance: Points that a ship can take.
    """

    fire: Callable[[ShipState], float]
    endurance: Callable[[ShipState], float]


def strength(ship: ShipState) -> float:
    """Return a ship's worth in battle as it is now, without a unit.

    It is 0 for a ship that cannot harm any other, or whose bridge is out for good. Otherwise it is
    the root of its fire times its endurance, times the eighth root of its thrust. The worth of a
    force is the sum over its ships. In 600 battles by captains between random fleets the stronger
    force won 88 of 100 in the second edition and 83 in Continuum; the one with more points won 71
    and 65.
    """
    by = MEASURES[ship.sheet.edition]
    fire = by.fire(ship)
    if fire <= 0 or ship.record.out_of_control == FOREVER:
        return 0.0
    return sqrt(fire * by.endurance(ship)) * sqrt(sqrt(sqrt(max(ship.thrust, 1))))


def _volley(ship: ShipState, never: tuple[str, ...]) -> float:
    """Return the mean of a ship's fire over ranges and targets, in its best arc."""
    armament = armament_of(ship, never, is_own=False)
    total = 0.0
    for defence in TARGETS:
        rows = armament.table(defence, TARGET_ARMOUR_RATIO).rows
        arc_totals = []
        for arc in range(PLACES):
            arc_totals.append(sum(rows[arc * STEPS + step] for step in RANGE_STEPS))
        total += max(arc_totals)
    return total / len(TARGETS) / len(RANGE_STEPS)


def _fire(ship: ShipState) -> float:
    """Return the points a turn of all weapons; those with few shots count in part."""
    edition = ship.sheet.edition
    # Of use only against wrecks, or rarely.
    never = types_with(edition, Trait.BARE_ONLY, Trait.ARMED_BY_PLOT)
    scarce = tuple(type_ for type_, kind in weapons_of(edition).items() if kind.is_scarce)
    lasting_fire = _volley(ship, (*never, *scarce))
    all_fire = _volley(ship, never)
    return lasting_fire + (all_fire - lasting_fire) / (SALVOES * ONE_SHOT_FACTOR)


def _second_edition_fire(ship: ShipState) -> float:
    """Return the points a turn of all weapons, fighters and nova cannons.

    Rules: 2E "Fighters" [2e.fighters]; 2E "Nova cannon" [2e.nova-cannon]
    """
    mean_die = sum(MEAN_POINTS[defence.screens] for defence in TARGETS) / len(TARGETS)
    craft = sum(ship.stock[bay] for bay in ship.profile.bays if ship.alive[bay])
    points = craft * CRAFT_SHARE * mean_die
    if ship.firecons:
        places = ship.profile.having.get(Trait.ARMED_BY_PLOT, ())
        cannons = sum(ship.alive[place] for place in places)
        points += cannons * NOVA_SHARE * 3.5 * FLARES[0].dice
    return points + _fire(ship)


def _second_edition_endurance(ship: ShipState) -> float:
    """Return the boxes left, behind screens that weaken beams.

    Rules: 2E "Defensive screens" [2e.screens]
    """
    return (ship.sheet.boxes - ship.damage) * MEAN_POINTS[0] / MEAN_POINTS[ship.screens]


def _continuum_endurance(ship: ShipState) -> float:
    """Return the boxes of hull and armour left, divided by the share of fire that hits them."""
    alone = BattleState(
        sides=("",), hostile=(0,), table=(1.0, 1.0), bogeys=False, turn=1, stop=PLOT, ships=[ship]
    )
    defence, range_factor = defence_of(alone, ship)
    armour = armour_boxes(ship)
    hull = ship.sheet.boxes - ship.damage
    armour_ratio = armour / max(hull, 1)
    lengthened_steps = [int((step + 0.5) * range_factor) for step in RANGE_STEPS]
    shares = []
    for kind in weapons_of(ship.sheet.edition).values():
        if kind.usual is None:
            continue
        bare = shot_worths(kind, fit=kind.usual, mode="", defence=BARE, armour_ratio=0.0)
        weakened = shot_worths(
            kind, fit=kind.usual, mode="", defence=defence, armour_ratio=armour_ratio
        )
        shares.append(_sum_at(weakened, lengthened_steps) / _sum_at(bare, RANGE_STEPS))
    return (hull + armour) * len(shares) / sum(shares)


def _sum_at(worths: Sequence[float], steps: Iterable[int]) -> float:
    """Return the sum of a weapon's worths at steps of range; it has none beyond its reach."""
    return sum(worths[step] for step in steps if step < len(worths))


MEASURES: Mapping[str, Measures] = {
    Edition.SECOND_EDITION: Measures(_second_edition_fire, _second_edition_endurance),
    Edition.CONTINUUM: Measures(_fire, _continuum_endurance),
}
