"""What craft may be expected to do at each target in their reach, and what point defence takes of
what it meets: for people who give orders. By captains' means, of the battle as a side knows it.

Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]; Continuum "Point defense" 8.8
[pc.point-defence]; 2E "Fighter-to-fighter combat" [2e.dogfights]; 2E "Fighter attacks"
[2e.fighters]
"""

from __future__ import annotations

from math import dist
from typing import NamedTuple

from engine.captains.common.expected import THROWS, EvenDice
from engine.captains.common.flying import close_to, points_with, taken_by
from engine.captains.continuum.boat_guards import mean_met, takes
from engine.captains.continuum.level_runs import expected_level, points_by_level
from engine.continuum.craft.on_guard import open_to_boats
from engine.continuum.craft.pilots import more_dice, skill
from engine.continuum.craft.runs import shooters
from engine.continuum.craft.targets import target_of
from engine.continuum.defence_level import by_level
from engine.continuum.defence_plans import ONE, guard_of, open_to
from engine.continuum.defences import protection_of
from engine.core.kinds import FIGHTING
from engine.core.orders import Attack
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import Armament, no_fire
from engine.craft.gunboats import BOATS
from engine.fighters.flights import CONTACT
from engine.fighters.strikes import may_strike
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.quarry import Prey, quarry_of
from engine.weapons.guard import Guard, Quarry

POINTS, CRAFT, MISSILES = phrase("points"), phrase("craft"), phrase("missiles")
BOLTS = phrase("of its strength")
ANY = "drive"  # a system that every ship has: who aims at one is asked which later


class Sortie(NamedTuple):
    """A weapon at a target: what it does on average, and of what.

    `weapon`: an armament of a group, or a ship's.
    """

    weapon: str
    target: str
    mean: float
    unit: str


def sorties(state: BattleState, group: Group) -> list[Sortie]:
    """Every armament of a group of Continuum at everything that it may attack from where it is."""
    pieces = [one.id for one in (*state.of(Group), *state.of(Marker)) if one is not group]
    names = [*(str(ship.id) for ship in state.ships if ship.status == FIGHTING), *pieces]
    found: list[Sortie] = []
    for armament in group.row.armaments:
        if not armament.fires() or (armament.rounds and not group.rounds(armament)):
            continue
        for name in names:
            attack = Attack(armament.name, (name,), system=ANY if armament.snipes else "")
            target = target_of(state, group, attack, name)
            if target is not None:
                found.append(Sortie(armament.name, name, *_mean(state, group, armament, target)))
    return found


def _mean(
    state: BattleState, group: Group, armament: Armament, target: object
) -> tuple[float, str]:
    dice = group.rounds(armament) if armament.rounds else group.craft + more_dice(group, armament)
    if isinstance(target, ShipState):
        if armament.at_ships is no_fire:
            return 0.0, POINTS
        return round(dice * _points(state, armament, target), 1), POINTS
    if isinstance(target, Group):
        taken = 0.0
        if armament.at_craft is not no_fire:
            screens = protection_of(state, target)[:2]
            taken = dice * taken_by(group.row, skill(group), screens)
        return round(min(taken, float(target.craft)), 1), CRAFT
    assert isinstance(target, Marker)
    modifier = (armament.at_ordnance or 0) + target.toughness + skill(group)
    throws = dice if armament.bursts is None else shooters(group, armament)
    away = float(round(dist((group.x, group.y), (target.x, target.y))))
    taken = throws * mean_met(armament, quarry_of(state, target), modifier, away)
    return round(min(taken, float(target.strength)), 1), unit_of(state, target)


def _points(state: BattleState, armament: Armament, ship: ShipState) -> float:
    """The points that one craft makes at a ship, in the mean."""
    screens, advanced = protection_of(state, ship)[:2]
    if not by_level(state) or armament.with_ships:
        return points_with(armament, screens)
    return points_by_level(armament, expected_level(ship), screens, advanced)


def unit_of(state: BattleState, prey: Prey) -> str:
    """What is taken of it."""
    if isinstance(prey, Group):
        return CRAFT
    return BOLTS if quarry_of(state, prey) is Quarry.PLASMA_BOLT else MISSILES


def intercepts(state: BattleState, ship: ShipState) -> list[Sortie]:
    """Every weapon of a ship that may fire as point defence now at everything it may fire at,
    guarding its own ship.
    """
    at = open_to(state, ship)
    prey: dict[str, Prey] = {one.id: one for one in state.of(Marker)}
    prey |= {one.id: one for one in state.of(Group)}
    found: list[Sortie] = []
    for weapon, names in at.items():
        guard = guard_of(ship, ship.profile.index_of[weapon])
        for name in names:
            one = prey[name]
            quarry = quarry_of(state, one)
            if guard is None or (guard.shoots is None and quarry not in guard.kills):
                mean = 0.0  # a gun that meets boats with its own dice
            else:
                toughness = one.row.modifier if isinstance(one, Group) else one.toughness
                mean = _taken(guard, quarry, toughness, protection_of(state, one)[:2])
            found.append(Sortie(weapon, name, round(mean, 2), unit_of(state, one)))
    return found


def guards(state: BattleState, group: Group) -> list[Sortie]:
    """All boats of a squadron on guard at everything that it may meet now as point defence."""
    prey: dict[str, Prey] = {one.id: one for one in state.of(Marker)}
    prey |= {one.id: one for one in state.of(Group)}
    found: list[Sortie] = []
    for name, (aim, boats) in open_to_boats(state, group).items():
        one = prey[name]
        whole = one.craft if isinstance(one, Group) else one.strength
        mean = round(min(takes(state, boats, one, aim.away), float(whole)), 1)
        found.append(Sortie(BOATS, name, mean, unit_of(state, one)))
    return found


def _taken(guard: Guard, quarry: Quarry, toughness: int, screens: tuple[int, int]) -> float:
    dice = EvenDice()
    total = 0
    for _ in range(THROWS):
        _, hits = guard.fire(quarry, 0.0, ONE[0], "", dice, toughness, screens)
        total += hits
    return total / THROWS


def dogfights(state: BattleState, group: Group) -> list[Sortie]:
    """The hostile groups that a group of the second edition may meet in a dogfight now, with the
    craft it takes.
    """
    hostile = state.hostile[group.side]
    return [
        Sortie(
            group.row.guns.name,
            one.id,
            round(min(group.craft * taken_by(group.row), float(one.craft)), 1),
            CRAFT,
        )
        for one in state.of(Group)
        if hostile >> one.side & 1 and close_to(group, one, group.row.speed + CONTACT)
    ]


def strikes(state: BattleState, group: Group) -> list[Sortie]:
    """Every armament of a group of the second edition at everything that it may attack in the fire
    part of a turn.
    """
    pieces: list[Group | ShipState] = [
        *state.ships,
        *(one for one in state.of(Group) if one is not group),
    ]
    found: list[Sortie] = []
    for armament in group.row.armaments:
        if armament.rounds and not group.rounds(armament):
            continue
        for piece in pieces:
            if not may_strike(state, group, armament, piece):
                continue
            if isinstance(piece, ShipState):
                mean, unit = group.craft * points_with(armament, piece.screens), POINTS
            else:
                mean, unit = min(group.craft * taken_by(group.row), float(piece.craft)), CRAFT
            found.append(Sortie(armament.name, str(piece.id), round(mean, 2), unit))
    return found
