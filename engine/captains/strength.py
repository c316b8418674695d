"""What a ship is worth in a battle as it is now, by its captains' own means: its fire, and how long it lasts.

Weapons fire by their own rules with even dice (`engine.captains.expected`), so that a weapon, a screen or a kind of
armour the engine knows needs no number here; what does nothing in a battle is worth nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt

from engine.captains.estimate import MEAN_POINTS
from engine.captains.expected import NEEDLE_WORTH, STEP, STEPS, Ward
from engine.captains.marks import bearer_of, boxes_of, defences
from engine.captains.ordnance import Mount, chance, kit_of, total_points
from engine.captains.range_tables import ARCS, range_table, worths
from engine.core.edition import Edition
from engine.core.rolls import band as band_of
from engine.core.ship import ShipState
from engine.core.ship_facts import FOREVER
from engine.core.state import PLOT, BattleState
from engine.weapons.beams import BANDS
from engine.weapons.nova import FLARES
from engine.weapons.registry import types_with, weapons_of
from engine.weapons.weapon import Trait

# Steps of range at which fire is weighed, all alike: to 24 MU, where fleets on a table of 72 by 48 spend their battles.
RANGES = range(8)
SALVOES = 5.0  # turns over which a weapon that fires but once is counted
CRAFT_SHARE = 0.6  # of a group's craft get at a ship in a turn on which they attack
NOVA_SHARE = 0.1  # of what a nova cannon would burn does it catch: a template is easily left

# Whom the fire is thrown at, and what fires back: mounts of most navies.
TARGETS = (Ward(mass=90, velocity=12), Ward(screens=1, mass=90, velocity=12))
TARGET_SHELL = 0.25
BARE = Ward(mass=90, velocity=12)


@dataclass(frozen=True, slots=True)
class Measures:
    """How a rulebook's ships are measured: the points a ship's fire takes of a ship a turn, and those it outlasts."""

    fire: Callable[[ShipState], float]
    staying: Callable[[ShipState], float]


def strength(ship: ShipState) -> float:
    """A ship's worth in battle as it is now, in no unit but its own: nothing where it can hurt nobody, or where its
    bridge is out for good.

    The root of its fire times its staying power, a little more where it is nimble (the eighth root of its thrust);
    forces add it up ship by ship. Over 600 battles by captains between chance fleets it told the winner in 88 of 100 by
    the second edition and in 83 by Continuum, points in 71 and 65.
    """
    by = MEASURES[ship.sheet.edition]
    fire = by.fire(ship)
    if fire <= 0 or ship.record.out_of_control == FOREVER:
        return 0.0
    return sqrt(fire * by.staying(ship)) * sqrt(sqrt(sqrt(max(ship.thrust, 1))))


def _by_arcs(ship: ShipState, distance: float) -> float:
    """Dice of a ship's batteries at a range in MU, through its best arc."""
    band = band_of(distance, BANDS)
    return float(max(ship.power[band::3])) if band >= 0 else 0.0


def _second_edition_fire(ship: ShipState) -> float:
    """Points a turn: batteries, torpedoes and needle beams where they reach, packs once, fighters over and over.

    Rules: 2E "Weapon ranges, firing and damage" [2e.beams]; 2E "Fighters" [2e.fighters]
    """
    die = sum(MEAN_POINTS[ward.screens] for ward in TARGETS) / len(TARGETS)
    craft = sum(ship.stock[bay] for bay in ship.profile.bays if ship.alive[bay])
    points = craft * CRAFT_SHARE * die
    if not ship.firecons:
        return points
    cannons = sum(ship.alive[place] for place in ship.profile.having.get(Trait.ARMED_BY_PLOT, ()))
    points += cannons * NOVA_SHARE * 3.5 * FLARES[0].dice
    kit = kit_of(ship, ())
    for step in RANGES:
        distance = (step + 0.5) * STEP
        fire = _by_arcs(ship, distance) * die
        if kit is not None:
            fire += _points(kit.tubes, distance)
            fire += _points(kit.packs, distance) / SALVOES
            reaching = [one for one in kit.needles if distance <= one.reach]
            fire += len(reaching) * (chance(reaching[0]) * NEEDLE_WORTH) if reaching else 0.0
        points += fire / len(RANGES)
    return points


def _points(mounts: list[Mount], distance: float) -> float:
    """Mean damage points of weapons at a range, over the targets."""
    return sum(total_points(mounts, ward.screens, distance) for ward in TARGETS) / len(TARGETS)


def _second_edition_staying(ship: ShipState) -> float:
    """Boxes left, behind screens that weaken beams. Rules: 2E "Defensive screens" [2e.screens]"""
    return (ship.sheet.boxes - ship.damage) * MEAN_POINTS[0] / MEAN_POINTS[ship.screens]


def _continuum_fire(ship: ShipState) -> float:
    """Points a turn of all that fires, what fires but once by its share."""
    never = types_with(ship.sheet.edition, Trait.BARE_ONLY)  # of use against wrecks alone
    once = tuple(type_ for type_, kind in weapons_of(ship.sheet.edition).items() if kind.once)
    lasting, whole = (_volley(ship, unused) for unused in ((*never, *once), never))
    return lasting + (whole - lasting) / SALVOES


def _volley(ship: ShipState, never: tuple[str, ...]) -> float:
    """The mean of a ship's fire over ranges and targets, through its best arc."""
    bearer = bearer_of(ship, never, own=False)
    tables = [range_table(bearer, ship.sheet, ward, TARGET_SHELL) for ward in TARGETS]
    best = (max(sum(table[arc * STEPS + step] for step in RANGES) for arc in range(len(ARCS))) for table in tables)
    return sum(best) / len(tables) / len(RANGES)


def _continuum_staying(ship: ShipState) -> float:
    """Boxes of hull and armour left, by the share that its defences let through of the guns most navies have."""
    alone = BattleState(("",), (0,), (1.0, 1.0), False, 1, PLOT, [ship])
    ward, stretch = defences(alone, ship)
    boxes, hull = boxes_of(ship), ship.sheet.boxes - ship.damage
    shell = boxes / max(hull, 1)
    shares = []
    for kind in weapons_of(ship.sheet.edition).values():
        if kind.usual is None:
            continue
        bare, met = worths(kind, kind.usual, "", BARE, 0.0), worths(kind, kind.usual, "", ward, shell)
        whole = sum(bare[step] for step in RANGES if step < len(bare))
        far = [int((step + 0.5) * stretch) for step in RANGES]
        shares.append(sum(met[step] for step in far if step < len(met)) / whole)
    return (hull + boxes) * len(shares) / sum(shares)


MEASURES: Mapping[str, Measures] = {
    Edition.SECOND_EDITION: Measures(_second_edition_fire, _second_edition_staying),
    Edition.CONTINUUM: Measures(_continuum_fire, _continuum_staying),
}
