"""What a captain's craft attack: ships, other craft or ordnance, also with aces and marines.

Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.captains.common.doctrine import CaptainContext
from engine.captains.common.fighter_tactics import mean_craft_taken, points_with
from engine.captains.continuum.craft_flights import secondary_flights
from engine.captains.continuum.craft_prizes import (
    CRAFT_WORTH,
    Prize,
    attack_worth,
    best_armament,
    best_at_craft,
    landing_load,
    prizes_of,
)
from engine.captains.continuum.defence_level_tactics import with_assistance
from engine.captains.continuum.dogfight_actions import with_fight_plan
from engine.captains.continuum.system_targets import best_system
from engine.captains.continuum.targets import visible_state
from engine.continuum.craft.morale import attack_chance
from engine.continuum.craft.pilots import ACE_ALONE, TURKEY_MODIFIER, more_dice, pilot_modifier
from engine.continuum.craft.squadron_fights import is_by_actions
from engine.continuum.craft.targets import (
    attackers_of,
    may_attack,
    orders_losses,
    target_of,
)
from engine.continuum.defence_level import is_by_level as goes_by_level
from engine.continuum.defences import protection_of
from engine.core.kinds import ACE, FIGHTING, TURKEY
from engine.core.orders import Attack
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import Armament
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.systems.outfit import marines_of
from engine.view.side_view import SideView

NEEDLE_POINTS = 0.5 + 4.0 / 6.0  # mean worth of an ace's die at a system, which is worth four boxes
# Dice of craft that destroy one missile, by the skill of pilots.
DICE_PER_KILL = {
    0: 3,
    TURKEY_MODIFIER: 6,
}
FIGHTS_LEFT = 3  # fights a group must have endurance for, to make the enemy ace worth two dice


def attacks(context: CaptainContext, view: SideView) -> dict[str, tuple[Attack, ...]]:
    """Return the attacks of the side's groups.

    Each attacks the ship it hurts most, or craft or ordnance in reach if that is worth more.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
    """
    groups = _after_secondary_moves(context, view)
    if not groups or context.fleeing:
        return {}
    state = visible_state(view)
    prizes = prizes_of(view, state, ahead=False)
    marines_left: dict[str, int] = {}
    for ship in view.own_ships:
        if ship.status == FIGHTING:  # those of a lost ship are lost with it
            marines_left[ship.id] = len(marines_of(ship))
    plan = _AttackPlan(state, view, prizes, marines_left=marines_left)
    orders: dict[str, tuple[Attack, ...]] = {}
    for group in groups:
        group_attacks: tuple[Attack, ...] = ()
        if not group.is_exhausted and not group.escorts:
            group_attacks = _attacks_of(plan, group)
        group_attacks = with_fight_plan(state, view, group, group_attacks)
        if group_attacks:
            orders[group.id] = group_attacks
    if goes_by_level(state):
        orders = with_order_of_losses(state, orders, groups)
        return with_assistance(orders, groups, _protection_by_ship(prizes))
    return orders


def with_order_of_losses(
    state: BattleState, orders: Mapping[str, tuple[Attack, ...]], groups: Sequence[Group]
) -> dict[str, tuple[Attack, ...]]:
    """Return the attacks with the order in which groups of a type at one ship take losses.

    Green pilots go first and aces last, and among equals the smallest group.

    Rules: Fighters by point defence level 1.5 [pdl.casualty-choice]
    """
    result = dict(orders)
    if not orders_losses(state):
        return result
    groups_at: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        attacks_of_group = result.get(group.id, ())
        if attacks_of_group and attacks_of_group[0].targets:
            target = attacks_of_group[0].targets[0]
            groups_at.setdefault((target, group.row.id), []).append(group)
    for alike in groups_at.values():
        if len(alike) == 1:
            continue
        alike.sort(key=lambda group: (_worth_of_pilots(group), group.craft, group.id))
        for place, group in enumerate(alike, start=1):
            first, *more = result[group.id]
            result[group.id] = (replace(first, falls=place), *more)
    return result


def _worth_of_pilots(group: Group) -> int:
    """Return 0 for green pilots, 2 for an ace's group and 1 for others."""
    if group.pilots == TURKEY:
        return 0
    return 2 if group.pilots == ACE else 1


@dataclass(slots=True)
class _AttackPlan:
    """The attacks of a side's groups, so far.

    Attributes:
        prizes: The ships that may be attacked.
        craft_sent: Craft that attack each ship already, by its id.
        marines_left: Marines not yet sent, by the ship they are on.
    """

    state: BattleState
    view: SideView
    prizes: list[Prize]
    marines_left: dict[str, int]
    craft_sent: dict[str, float] = field(default_factory=dict)


def _attacks_of(plan: _AttackPlan, group: Group) -> tuple[Attack, ...]:
    """Return the best attack of a group, and that of its ace; note the craft and marines sent."""
    state = plan.state
    attack, worth = _at_ship(plan, group)
    alternative = best_at_craft(state, plan.view, group) or _at_ordnance(state, plan.view, group)
    if alternative is not None and alternative[1] > worth:
        attack = alternative[0]
    elif attack is not None:
        name = attack.targets[0]
        attacking_craft = group.craft * attack_chance(state, group)
        plan.craft_sent[name] = plan.craft_sent.get(name, 0.0) + attacking_craft
        if attack.marines:
            plan.marines_left[group.ship] -= attack.marines
    if attack is None:
        return ()
    return (attack, *_ace_attacks(state, group, attack, plan.prizes))


def _protection_by_ship(prizes: Sequence[Prize]) -> dict[str, tuple[ShipState, int, int]]:
    """Return each ship that may be attacked, with its levels of screens and of advanced ones."""
    result = {}
    for prize in prizes:
        defence = prize.target.defence
        result[prize.target.contact.id] = (prize.target.ship, defence.screens, defence.advanced)
    return result


def _after_secondary_moves(context: CaptainContext, view: SideView) -> list[Group]:
    """Return the side's groups after the secondary moves ordered in the same phase."""
    groups = view.own_pieces_of(Group)
    if not groups or context.fleeing:
        return []
    moves = secondary_flights(context, view)
    if not moves:
        return groups
    moved_groups: list[Group] = []
    for group in groups:
        to = moves[group.id].to if group.id in moves else None
        if to is not None:
            group = group.copy()
            group.fly(to, moves[group.id].face or group.course)
        moved_groups.append(group)
    return moved_groups


def _ace_attacks(
    state: BattleState, group: Group, attack: Attack, prizes: Sequence[Prize]
) -> tuple[Attack, ...]:
    """Return the separate attack of a group's ace, if it is worth more than two dice of guns.

    It may attack a system of the ship that the guns attack, as behind screens; or a revealed ace of
    the enemy group, if that would survive the group's fire.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    guns = group.row.guns
    if attack.weapon != guns.name or attack.system or guns.jams:
        return ()
    name = attack.targets[0]
    foe = state.find(Group, name)
    if foe is not None:
        if not is_by_actions(state, group) and _is_duel_of_aces(group, foe):
            return (Attack(ACE_ALONE, attack.targets),)
        return ()
    targets = [prize.target for prize in prizes if prize.target.contact.id == name]
    if not targets or not more_dice(group, guns):
        return ()
    system = best_system(targets[0].ship)
    if not system or 2 * points_with(guns, targets[0].defence.screens) >= NEEDLE_POINTS:
        return ()
    return (Attack(ACE_ALONE, attack.targets, system=system),)


def _is_duel_of_aces(group: Group, foe: Group) -> bool:
    """Return whether both groups have an ace, and the enemy's is likely to survive the fire."""
    if not group.pilots == foe.known_pilots == ACE:
        return False
    craft_taken = (group.craft + 1) * mean_craft_taken(group.row, pilot_modifier(group))
    return foe.craft > craft_taken and group.has_endurance_for(FIGHTS_LEFT)


def _at_ship(plan: _AttackPlan, group: Group) -> tuple[Attack | None, float]:
    """Return a group's best attack on a ship, and its worth."""
    if shuttles := landing_load(group.row):
        return _landing(plan, group, shuttles)
    best_attack: Attack | None = None
    best_worth = 0.0
    for prize in plan.prizes:
        armament, _ = best_armament(plan.state, group, prize)
        target = prize.target
        if armament is None or not may_attack(plan.state, group, armament, target.ship):
            continue
        system = best_system(target.ship) if armament.snipes else ""
        if armament.snipes and not system:
            continue
        worth = attack_worth(plan.state, group, prize, plan.craft_sent)
        if best_attack is None or worth > best_worth:
            best_attack = Attack(armament.name, (target.contact.id,), system=system)
            best_worth = worth
    return best_attack, best_worth


def _landing(plan: _AttackPlan, group: Group, shuttles: Armament) -> tuple[Attack | None, float]:
    """Return the landing of all marines that shuttles can carry; not through advanced screens.

    Rules: Continuum "Assault shuttles" 8.15 [pc.assault-shuttles]
    """
    state = plan.state
    marines = min(plan.marines_left.get(group.ship, 0), group.craft)
    rated = []
    for prize in plan.prizes:
        ship = prize.target.ship
        is_open = not protection_of(state, ship).advanced
        if is_open and may_attack(state, group, shuttles, ship):
            rated.append((attack_worth(state, group, prize, plan.craft_sent), prize))
    if not marines or not rated:
        return None, 0.0
    worth, best = max(rated, key=lambda row: row[0])
    return Attack(shuttles.name, (best.target.contact.id,), marines=marines), worth


def _at_ordnance(state: BattleState, view: SideView, group: Group) -> tuple[Attack, float] | None:
    """Return an attack on ordnance in reach that attacks a ship of the side, and its worth."""
    guns = group.row.guns
    own_ids = [ship.id for ship in view.own_ships]
    for marker in state.pieces_of(Marker):
        if marker.target not in own_ids or attackers_of(state, group):
            continue
        attack = Attack(guns.name, (marker.id,))
        if target_of(state, group, attack, marker.id) is not None:
            dice = group.craft + more_dice(group, guns)
            hits = min(marker.strength, dice / DICE_PER_KILL[pilot_modifier(group)])
            return attack, CRAFT_WORTH * hits * attack_chance(state, group)
    return None
