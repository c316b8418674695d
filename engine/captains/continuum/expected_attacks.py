"""The expected effect of craft at each target in reach, and of point defence, for players.

It uses the captains' means, and the battle as a side knows it.

Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]; Continuum "Point defense" 8.8
[pc.point-defence]; 2E "Fighter-to-fighter combat" [2e.dogfights]; 2E "Fighter attacks"
[2e.fighters]
"""

from __future__ import annotations

from typing import NamedTuple

from engine.captains.common.expected_damage import EMP_WORTH, THROWS, EvenDice
from engine.captains.common.fighter_tactics import (
    is_near,
    mean_craft_taken,
    points_with,
    special_hits_with,
)
from engine.captains.continuum.defence_level_tactics import expected_level, points_by_level
from engine.captains.continuum.guard_boat_tactics import expected_taken, mean_hits
from engine.continuum.craft.guard_boats import targets_for_boats
from engine.continuum.craft.pilots import more_dice, pilot_modifier
from engine.continuum.craft.runs import shot_count
from engine.continuum.craft.targets import target_of
from engine.continuum.defence_level import is_by_level
from engine.continuum.defence_plans import SINGLE_TARGET_MODES, guard_of, open_targets
from engine.continuum.defences import craft_cover, guard_cover, protection_of
from engine.continuum.point_defence import guard_in_force
from engine.core.geometry import dist
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
from engine.pieces.point_defence_targets import IncomingUnit, point_defence_target
from engine.weapons.guard import Guard, PointDefenceTarget

POINTS = phrase("points")
EMP_HITS = phrase("hits on electronics")
CRAFT = phrase("craft")
MISSILES = phrase("missiles")
BOLTS = phrase("of its strength")
ANY_SYSTEM = "drive"  # a system that every ship has, until the player chooses one


class ExpectedAttack(NamedTuple):
    """A weapon at a target, with its mean effect.

    Attributes:
        weapon: An armament of a group, or a ship's weapon.
        target: The id of the target.
        mean: What it destroys on average.
        unit: The unit of the mean.
    """

    weapon: str
    target: str
    mean: float
    unit: str


def expected_attacks(state: BattleState, group: Group) -> list[ExpectedAttack]:
    """Return the effect of each armament of a Continuum group at everything it may attack now."""
    names = _names_of_targets(state, group)
    attacks: list[ExpectedAttack] = []
    for armament in group.row.armaments:
        if not armament.fires() or (armament.rounds and not group.rounds(armament)):
            continue
        system = ANY_SYSTEM if armament.snipes else ""
        for name in names:
            target = target_of(state, group, Attack(armament.name, (name,), system=system), name)
            if target is not None:
                mean, unit = _mean(state, group, armament, target)
                attacks.append(ExpectedAttack(armament.name, name, mean, unit))
    return attacks


def _names_of_targets(state: BattleState, group: Group) -> list[str]:
    """Return the ids of the ships, other groups and ordnance on the table."""
    names = [str(ship.id) for ship in state.ships if ship.status == FIGHTING]
    for piece in (*state.pieces_of(Group), *state.pieces_of(Marker)):
        if piece is not group:
            names.append(piece.id)
    return names


def _mean(
    state: BattleState, group: Group, armament: Armament, target: object
) -> tuple[float, str]:
    """Return what an armament of a group destroys of a target on average, and the unit."""
    if armament.rounds:
        dice = group.rounds(armament)
    else:
        dice = group.craft + more_dice(group, armament)
    if isinstance(target, ShipState):
        if armament.at_ships is no_fire:
            return 0.0, POINTS
        if armament.jams:
            return round(dice * _emp_hits(state, armament, target), 1), EMP_HITS
        return round(dice * _points(state, armament, target), 1), POINTS
    if isinstance(target, Group):
        hits = 0.0
        if armament.at_craft is not no_fire:
            cover = craft_cover(state, target, energy=armament.energy)
            hits = dice * mean_craft_taken(group.row, pilot_modifier(group), cover)
        return round(min(hits, float(target.craft)), 1), CRAFT
    assert isinstance(target, Marker)
    modifier = (armament.at_ordnance or 0) + target.toughness + pilot_modifier(group)
    shots = dice if armament.bursts is None else shot_count(group, armament)
    distance = float(round(dist((group.x, group.y), (target.x, target.y))))
    hits = shots * mean_hits(armament, point_defence_target(state, target), modifier, distance)
    return round(min(hits, float(target.strength)), 1), unit_of(state, target)


def _points(state: BattleState, armament: Armament, ship: ShipState) -> float:
    """Return the mean points of one craft at a ship."""
    screens, advanced = protection_of(state, ship)[:2]
    if not is_by_level(state) or armament.with_ships:
        return points_with(armament, screens, ship.velocity)
    return points_by_level(armament, expected_level(ship), screens, advanced)


def _emp_hits(state: BattleState, armament: Armament, ship: ShipState) -> float:
    """Return the mean hits on electronics of one craft at a ship."""
    screens, advanced = protection_of(state, ship)[:2]
    if not is_by_level(state) or armament.with_ships:
        return special_hits_with(armament, advanced)[0]
    return points_by_level(armament, expected_level(ship), screens, advanced) / EMP_WORTH


def unit_of(state: BattleState, prey: IncomingUnit) -> str:
    """Return the unit in which hits on a unit are counted."""
    if isinstance(prey, Group):
        return CRAFT
    if point_defence_target(state, prey) is PointDefenceTarget.PLASMA_BOLT:
        return BOLTS
    return MISSILES


def expected_point_defence(state: BattleState, ship: ShipState) -> list[ExpectedAttack]:
    """Return the effect of each point defence weapon of a ship, guarding itself, at each target."""
    prey = _incoming_units(state)
    attacks: list[ExpectedAttack] = []
    for weapon, names in open_targets(state, ship).items():
        guard = guard_of(ship, ship.profile.index_of[weapon])
        if guard is not None:
            guard = guard_in_force(state, guard)
        for name in names:
            piece = prey[name]
            target_kind = point_defence_target(state, piece)
            if guard is None or (guard.special_roll is None and target_kind not in guard.kills):
                mean = 0.0  # a gun that fires at boats with its own dice
            else:
                toughness = piece.row.modifier if isinstance(piece, Group) else piece.toughness
                mean = _mean_hits(guard, target_kind, toughness, guard_cover(state, piece)[:2])
            attacks.append(ExpectedAttack(weapon, name, round(mean, 2), unit_of(state, piece)))
    return attacks


def _incoming_units(state: BattleState) -> dict[str, IncomingUnit]:
    """Return the markers of ordnance and the groups of craft on the table, by their names."""
    units: dict[str, IncomingUnit] = {piece.id: piece for piece in state.pieces_of(Marker)}
    return units | {piece.id: piece for piece in state.pieces_of(Group)}


def expected_guard_fire(state: BattleState, group: Group) -> list[ExpectedAttack]:
    """Return the expected effect of the fire of a guarding squadron at each of its targets."""
    prey = _incoming_units(state)
    attacks: list[ExpectedAttack] = []
    for name, (aim, boats) in targets_for_boats(state, group).items():
        piece = prey[name]
        size = piece.craft if isinstance(piece, Group) else piece.strength
        mean = round(min(expected_taken(state, boats, piece, aim.distance), float(size)), 1)
        attacks.append(ExpectedAttack(BOATS, name, mean, unit_of(state, piece)))
    return attacks


def _mean_hits(
    guard: Guard, target_kind: PointDefenceTarget, toughness: int, screens: tuple[int, int]
) -> float:
    """Return the mean hits of one point defence weapon at a target that it guards against."""
    dice = EvenDice()
    total = 0
    for _ in range(THROWS):
        _, hits = guard.fire(
            target_kind,
            distance=0.0,
            mode=SINGLE_TARGET_MODES[0],
            subject="",
            dice=dice,
            toughness=toughness,
            screens=screens,
        )
        total += hits
    return total / THROWS


def expected_dogfights(state: BattleState, group: Group) -> list[ExpectedAttack]:
    """Return the effect of a second edition group at each group it may dogfight now."""
    hostile = state.hostile[group.side]
    reach = group.row.speed + CONTACT
    craft_taken = group.craft * mean_craft_taken(group.row)
    dogfights: list[ExpectedAttack] = []
    for foe in state.pieces_of(Group):
        if hostile >> foe.side & 1 and is_near(group, foe, reach):
            mean = round(min(craft_taken, float(foe.craft)), 1)
            dogfights.append(ExpectedAttack(group.row.guns.name, foe.id, mean, CRAFT))
    return dogfights


def expected_strikes(state: BattleState, group: Group) -> list[ExpectedAttack]:
    """Return the effect of a second edition group's armaments at each target in the fire phase."""
    pieces: list[Group | ShipState] = [
        *state.ships,
        *(other for other in state.pieces_of(Group) if other is not group),
    ]
    attacks: list[ExpectedAttack] = []
    for armament in group.row.armaments:
        if armament.rounds and not group.rounds(armament):
            continue
        for piece in pieces:
            if not may_strike(state, group, armament, piece):
                continue
            if isinstance(piece, ShipState):
                mean = group.craft * points_with(armament, piece.screens)
                unit = POINTS
            else:
                mean = min(group.craft * mean_craft_taken(group.row), float(piece.craft))
                unit = CRAFT
            attacks.append(ExpectedAttack(armament.name, str(piece.id), round(mean, 2), unit))
    return attacks
