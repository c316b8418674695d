"""The worth of targets for a captain's craft, and whether a group has anything left to fight with.

Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.captains.common.expected_damage import EMP_WORTH
from engine.captains.common.fighter_tactics import (
    DELAY_FACTOR,
    ROUNDING_MARGIN,
    is_near,
    mean_craft_taken,
    points_with,
    special_hits_with,
)
from engine.captains.continuum.defence_level_tactics import expected_level, points_by_level
from engine.captains.continuum.dogfight_actions import worth_of_fight
from engine.captains.continuum.targets import Target, targets_of
from engine.continuum.boarding import is_boarding_allowed
from engine.continuum.craft.decks import landing_fault
from engine.continuum.craft.loads import launchable_loads
from engine.continuum.craft.morale import attack_chance
from engine.continuum.craft.pilots import more_dice, pilot_modifier
from engine.continuum.craft.squadron_fights import is_by_actions
from engine.continuum.craft.targets import target_of
from engine.continuum.defence_level import is_by_level as goes_by_level
from engine.continuum.defence_plans import defence_weapon_count
from engine.core.geometry import dist
from engine.core.kinds import FIGHTING
from engine.core.orders import Attack, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import Armament, CraftType, no_fire
from engine.craft.fighters import CONTACT
from engine.pieces.group import Group
from engine.view.side_view import SideView
from engine.weapons.guard import SUPPORT_REACH

STAND = 3.0  # MU from its target at which a group stops
STAND_OFF = 6.5  # the same with guns that outrange most point defence
CRAFT_PER_DIE = 0.8  # mean number of craft that a die of point defence destroys
CRAFT_WORTH = 4.0  # points for a hostile craft destroyed
LOAD_POINTS = 1.5  # mean points of a missile or rocket of craft, after point defence
LANDED_POINTS = 2.0  # points for each marine landed


@dataclass(frozen=True, slots=True)
class Prize:
    """A ship to attack.

    Attributes:
        target: The ship, where it will be.
        points: Its cost per box.
        boxes: Boxes left.
        guard: The dice of point defence that guard it.
    """

    target: Target
    points: float
    boxes: int
    guard: int


def prizes_of(view: SideView, state: BattleState, *, ahead: bool) -> list[Prize]:
    """Return the ships identified well enough to attack.

    Args:
        ahead: Where they will be, rather than where they are.
    """
    prizes = []
    for target in targets_of(view.contacts, state, ahead=ahead):
        ship = target.ship
        if target.contact.sheet is None or ship.status != FIGHTING:
            continue
        boxes = ship.sheet.boxes - ship.damage + sum(map(sum, ship.armour))
        prizes.append(
            Prize(
                target,
                ship.sheet.points / max(ship.sheet.boxes, 1),
                boxes,
                defence_weapon_count(ship),
            )
        )
    return prizes


def best_armament(state: BattleState, group: Group, prize: Prize) -> tuple[Armament | None, float]:
    """Return the armament that does most to a ship, and its points."""
    best: Armament | None = None
    best_points = 0.0
    for armament in group.row.armaments:
        if armament.at_ships is no_fire or group.fire_fault(armament, at_ship=True):
            continue
        if armament.rounds:
            dice = group.rounds(armament)
        else:
            dice = group.craft + more_dice(group, armament)
        points = _points_each(state, armament, prize) * dice
        if points > best_points:
            best = armament
            best_points = points
    return best, best_points


def _points_each(state: BattleState, armament: Armament, prize: Prize) -> float:
    """Return the mean worth of one craft at a ship, in points of damage."""
    defence = prize.target.defence
    ship = prize.target.ship
    if goes_by_level(state) and not armament.with_ships:
        return points_by_level(armament, expected_level(ship), defence.screens, defence.advanced)
    emp, marines = special_hits_with(armament, defence.advanced)
    points = points_with(armament, defence.screens, ship.velocity) + emp * EMP_WORTH
    if is_boarding_allowed(state):
        points += marines * LANDED_POINTS
    return points


def attack_worth(
    state: BattleState, group: Group, prize: Prize, craft_sent: Mapping[str, float]
) -> float:
    """Return the worth of a group's attack on a ship.

    It is less the farther away the ship is and the less likely the group is to attack, and more
    when other groups join in.
    """
    points = _attack_points(state, group, prize)
    if points <= 0:
        return 0.0
    stand_off = stand_off_of(group.row)
    craft_lost = 0.0
    if stand_off <= SUPPORT_REACH and not goes_by_level(state):
        craft_lost = prize.guard * CRAFT_PER_DIE
    craft_before = craft_sent.get(prize.target.contact.id, 0.0)
    craft_through = max(craft_before + group.craft - craft_lost, 0.0)
    craft_through -= max(craft_before - craft_lost, 0.0)
    boxes_expected = min(points * craft_through / max(group.craft, 1), float(prize.boxes))
    distance = dist((group.x, group.y), (prize.target.x, prize.target.y))
    turns = max(0.0, (distance - group.row.speed - stand_off) / group.row.speed)
    delay = DELAY_FACTOR**turns
    return float(boxes_expected * prize.points * delay * attack_chance(state, group))


def _attack_points(state: BattleState, group: Group, prize: Prize) -> float:
    """Return the points of a group's best weapon at a ship, without losses to point defence."""
    if landing_load(group.row):
        return LANDED_POINTS * group.craft
    _, points = best_armament(state, group, prize)
    for load in launchable_loads(group):
        if not load.dropped:
            points = max(points, LOAD_POINTS * group.rounds(load))
    return points


def stand_off_of(row: CraftType) -> float:
    """Return the MU from a target at which a type stops, outside point defence if possible."""
    if landing_load(row):
        return CONTACT / 2
    if row.guns.reach <= SUPPORT_REACH:
        return STAND
    if row.guns.near:
        return row.guns.near - ROUNDING_MARGIN
    return STAND_OFF


def landing_load(row: CraftType) -> Armament | None:
    """Return the load with which a type lands people, or None."""
    return next((load for load in row.loads if load.lands), None)


def can_fire_at_all(row: CraftType) -> bool:
    """Return whether craft of a type can fire at anything."""
    return any(armament.fires() or armament.launches for armament in row.armaments)


def is_guard_type(row: CraftType) -> bool:
    """Return whether a type is better against craft than against ships, and so guards."""
    return mean_craft_taken(row) > points_with(row.guns, 0) and not row.loads


def must_return(group: Group) -> bool:
    """Return whether a group has to go home: spent, or nearly destroyed."""
    if group.craft < 2:
        return True
    row = group.row
    if any(not group.fire_fault(armament, at_ship=True) for armament in row.armaments):
        return False
    if any(launchable_loads(group)):
        return False
    return not is_guard_type(row) or bool(group.fire_fault(row.guns, at_ship=False))


def can_land(group: Group, ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship with this plot can recover a group that reaches it this turn."""
    return not landing_fault(group, ship, plot) and is_near(group, ship, group.row.speed)


def best_at_craft(state: BattleState, view: SideView, group: Group) -> tuple[Attack, float] | None:
    """Return the best attack on hostile craft in reach, and its worth."""
    guns = group.row.guns
    if guns.at_craft is no_fire:
        return None
    best: tuple[Attack, float] | None = None
    for flyer in view.foreign_pieces_of(Group):
        attack = Attack(guns.name, (flyer.id,))
        if not view.is_hostile(flyer) or target_of(state, group, attack, flyer.id) is None:
            continue
        if is_by_actions(state, group):
            craft_taken = worth_of_fight(state, group, flyer)
        else:
            dice = group.craft + more_dice(group, guns)
            craft_taken = dice * mean_craft_taken(group.row, pilot_modifier(group))
        worth = CRAFT_WORTH * min(float(flyer.craft), craft_taken) * attack_chance(state, group)
        if worth > 0 and (best is None or worth > best[1]):
            best = (attack, worth)
    return best
