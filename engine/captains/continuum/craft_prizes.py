"""What a captain's craft are worth against what is before them, by Continuum: ships as prizes,
hostile craft, and whether a group has anything left to fight with.

Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import dist

from engine.captains.common.flying import PATIENCE, SHORT, close_to, points_with, taken_by
from engine.captains.continuum.dogfighting import worth_of_fight
from engine.captains.continuum.level_runs import expected_level, points_by_level
from engine.captains.continuum.marks import Mark, marks_of
from engine.continuum.craft.decks import landing_fault
from engine.continuum.craft.loads import launching
from engine.continuum.craft.morale import nerve
from engine.continuum.craft.pilots import more_dice, skill
from engine.continuum.craft.squadron_fights import is_by_actions
from engine.continuum.craft.targets import target_of
from engine.continuum.defence_level import by_level as goes_by_level
from engine.continuum.defence_plans import standing
from engine.core.kinds import FIGHTING
from engine.core.orders import Attack, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import Armament, CraftType, no_fire
from engine.craft.fighters import CONTACT
from engine.pieces.group import Group
from engine.view.side_view import SideView
from engine.weapons.guard import SUPPORT_REACH

STAND = 3.0  # MU from its target a group takes its place
STAND_OFF = 6.5  # and one that reaches farther than most point defence
TAKEN = 0.8  # craft that a die of point defence takes, in the mean
CRAFT_WORTH = 4.0  # points of a hostile craft shot down
LOAD_POINTS = 1.5  # of a missile or rocket that craft launch, in the mean, with what is shot down
LANDED_POINTS = 2.0  # that a marine who lands is worth


@dataclass(frozen=True, slots=True)
class Prize:
    """A ship to attack: where it will be, points a box, boxes left, and the dice of point defence
    that guard it.
    """

    mark: Mark
    points: float
    boxes: int
    guard: int


def prizes_of(view: SideView, state: BattleState, *, ahead: bool) -> list[Prize]:
    """The ships that a side sees well enough to attack, where they are, or where they will be
    (`ahead`).
    """
    found = []
    for mark in marks_of(view.contacts, state, ahead=ahead):
        ship = mark.ship
        if mark.contact.sheet is None or ship.status != FIGHTING:
            continue
        boxes = ship.sheet.boxes - ship.damage + sum(map(sum, ship.armour))
        found.append(
            Prize(mark, ship.sheet.points / max(ship.sheet.boxes, 1), boxes, standing(ship))
        )
    return found


def best_armament(state: BattleState, group: Group, prize: Prize) -> tuple[Armament | None, float]:
    """What a group does most with at a ship, and the points of that."""
    best: tuple[Armament | None, float] = (None, 0.0)
    for one in group.row.armaments:
        if one.at_ships is no_fire or group.why_not(one, at_ship=True):
            continue
        points = _each(state, one, prize) * (
            group.rounds(one) if one.rounds else group.craft + more_dice(group, one)
        )
        if points > best[1]:
            best = (one, points)
    return best


def _each(state: BattleState, armament: Armament, prize: Prize) -> float:
    """The points that one craft makes at a ship, in the mean."""
    ward = prize.mark.ward
    if not goes_by_level(state) or armament.with_ships:
        return points_with(armament, ward.screens)
    return points_by_level(armament, expected_level(prize.mark.ship), ward.screens, ward.advanced)


def worth_of(state: BattleState, group: Group, prize: Prize, sent: Mapping[str, float]) -> float:
    """What a group's attack on a ship is worth, the farther away the less, and the more join in the
    more; less where it may not dare.
    """
    _, points = best_armament(state, group, prize)
    points = max(
        [points, *(LOAD_POINTS * group.rounds(one) for one in launching(group) if not one.dropped)]
    )
    if lander(group.row):
        points = LANDED_POINTS * group.craft
    if points <= 0:
        return 0.0
    before = sent.get(prize.mark.contact.id, 0.0)
    met = (
        prize.guard * TAKEN
        if stand_of(group.row) <= SUPPORT_REACH and not goes_by_level(state)
        else 0.0
    )
    through = max(before + group.craft - met, 0.0) - max(before - met, 0.0)
    done = min(points * through / max(group.craft, 1), float(prize.boxes)) * prize.points
    away = dist((group.x, group.y), (prize.mark.x, prize.mark.y))
    turns = max(0.0, (away - group.row.speed - stand_of(group.row)) / group.row.speed)
    return float(done * PATIENCE**turns * nerve(state, group))


def stand_of(row: CraftType) -> float:
    """MU from its target at which craft of a type take their place: out of reach of point defence,
    where they can.
    """
    if lander(row):
        return CONTACT / 2
    if row.guns.reach <= SUPPORT_REACH:
        return STAND
    return row.guns.near - SHORT if row.guns.near else STAND_OFF


def lander(row: CraftType) -> Armament | None:
    """What craft of a type set people down with, None where they do not."""
    return next((one for one in row.loads if one.lands), None)


def fights(row: CraftType) -> bool:
    """Whether craft of a type can fire at anything."""
    return any(one.fires() or one.launches for one in row.armaments)


def guards(row: CraftType) -> bool:
    """Whether craft are better at others than at ships: they guard rather than attack."""
    return taken_by(row) > points_with(row.guns, 0) and not row.loads


def spent(group: Group) -> bool:
    """Whether a group has to go home: its endurance is spent, or there are few of them left."""
    able = any(not group.why_not(one, at_ship=True) for one in group.row.armaments) or any(
        launching(group)
    )
    able = able or (guards(group.row) and not group.why_not(group.row.guns, at_ship=False))
    return group.craft < 2 or not able


def may_land(group: Group, ship: ShipState, plot: Plot) -> bool:
    """Whether a ship with this plot can take a group aboard, which reaches it this turn."""
    return not landing_fault(group, ship, plot) and close_to(group, ship, group.row.speed)


def best_at_craft(state: BattleState, view: SideView, group: Group) -> tuple[Attack, float] | None:
    """The attack on hostile craft in reach that takes most."""
    guns = group.row.guns
    if guns.at_craft is no_fire:
        return None
    best: tuple[Attack, float] | None = None
    for flyer in view.others_of(Group):
        attack = Attack(guns.name, (flyer.id,))
        if not view.is_hostile(flyer) or target_of(state, group, attack, flyer.id) is None:
            continue
        taken = (group.craft + more_dice(group, guns)) * taken_by(group.row, skill(group))
        taken = worth_of_fight(state, group, flyer) if is_by_actions(state, group) else taken
        worth = CRAFT_WORTH * min(float(flyer.craft), taken) * nerve(state, group)
        if worth > 0 and (best is None or worth > best[1]):
            best = (attack, worth)
    return best
