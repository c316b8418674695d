"""What a captain's craft attack: ships, other craft or ordnance, also with aces and marines.

Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from engine.continuum.craft.targets import attackers_of, may_attack, target_of
from engine.continuum.defence_level import is_by_level as goes_by_level
from engine.continuum.defences import protection_of
from engine.core.kinds import ACE
from engine.core.orders import Attack
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
    craft_sent: dict[str, float] = {}
    marines_left: dict[str, int] = {}
    for ship in view.own_ships:
        marines_left[ship.id] = len(marines_of(ship))
    orders: dict[str, tuple[Attack, ...]] = {}
    for group in groups:
        if group.is_exhausted or group.escorts:
            orders |= _as_orders(group, with_fight_plan(state, view, group, ()))
            continue
        attack, worth = _at_ship(state, group, prizes, craft_sent, marines_left=marines_left)
        alternative = best_at_craft(state, view, group) or _at_ordnance(state, view, group)
        if alternative is not None and alternative[1] > worth:
            attack = alternative[0]
        elif attack is not None:
            craft_sent[attack.targets[0]] = craft_sent.get(
                attack.targets[0], 0.0
            ) + group.craft * attack_chance(state, group)
            if attack.marines:
                marines_left[group.ship] -= attack.marines
        group_attacks = (
            (attack, *_ace_attacks(state, group, attack, prizes)) if attack is not None else ()
        )
        orders |= _as_orders(group, with_fight_plan(state, view, group, group_attacks))
    if goes_by_level(state):
        wards = {}
        for candidate in prizes:
            wards[candidate.target.contact.id] = (
                candidate.target.ship,
                candidate.target.defence.screens,
                candidate.target.defence.advanced,
            )
        return with_assistance(orders, groups, wards)
    return orders


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


def _as_orders(group: Group, attacks: tuple[Attack, ...]) -> dict[str, tuple[Attack, ...]]:
    if attacks:
        return {group.id: attacks}
    return {}


def _ace_attacks(
    state: BattleState, group: Group, attack: Attack, prizes: Sequence[Prize]
) -> tuple[Attack, ...]:
    """Return the separate attack of a group's ace, if it is worth more than two dice of guns.

    It may attack a system of the ship that the guns attack, as behind screens; or a revealed ace of
    the enemy group, if that would survive the group's fire.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    guns = group.row.guns
    foe = state.find(Group, attack.targets[0])
    if foe is not None:
        if is_by_actions(state, group):
            return ()
        aces = group.pilots == foe.known_pilots == ACE and attack.weapon == guns.name
        outlasts = foe.craft > (group.craft + 1) * mean_craft_taken(
            group.row, pilot_modifier(group)
        ) and group.has_endurance_for(FIGHTS_LEFT)
        if aces and outlasts:
            return (Attack(ACE_ALONE, attack.targets),)
        return ()
    ship_target = next(
        (
            candidate.target
            for candidate in prizes
            if candidate.target.contact.id == attack.targets[0]
        ),
        None,
    )
    if ship_target is None or attack.weapon != guns.name or not more_dice(group, guns):
        return ()
    system = best_system(ship_target.ship)
    if not system or 2 * points_with(guns, ship_target.defence.screens) >= NEEDLE_POINTS:
        return ()
    return (Attack(ACE_ALONE, attack.targets, system=system),)


def _at_ship(
    state: BattleState,
    group: Group,
    prizes: list[Prize],
    craft_sent: Mapping[str, float],
    marines_left: Mapping[str, int],
) -> tuple[Attack | None, float]:
    """Return a group's best attack on a ship, and its worth.

    Args:
        marines_left: Marines not yet sent, by the ship they are on.
    """
    best: tuple[Attack | None, float] = (None, 0.0)
    if shuttles := landing_load(group.row):
        return _landing(
            state, group, shuttles, prizes, craft_sent=craft_sent, marines_left=marines_left
        )
    for candidate in prizes:
        armament, _ = best_armament(state, group, candidate)
        if armament is None or not may_attack(state, group, armament, candidate.target.ship):
            continue
        if armament.snipes:
            system = best_system(candidate.target.ship)
        else:
            system = ""
        worth = attack_worth(state, group, candidate, craft_sent)
        if (system or not armament.snipes) and (best[0] is None or worth > best[1]):
            best = (Attack(armament.name, (candidate.target.contact.id,), system=system), worth)
    return best


def _landing(
    state: BattleState,
    group: Group,
    shuttles: Armament,
    prizes: list[Prize],
    craft_sent: Mapping[str, float],
    marines_left: Mapping[str, int],
) -> tuple[Attack | None, float]:
    """Return the landing of all marines that shuttles can carry; not through advanced screens.

    Rules: Continuum "Assault shuttles" 8.15 [pc.assault-shuttles]
    """
    marines = min(marines_left.get(group.ship, 0), group.craft)
    able = [
        candidate
        for candidate in prizes
        if may_attack(state, group, shuttles, candidate.target.ship)
        and not protection_of(state, candidate.target.ship).advanced
    ]
    if not marines or not able:
        return None, 0.0
    best = max(able, key=lambda candidate: attack_worth(state, group, candidate, craft_sent))
    return Attack(shuttles.name, (best.target.contact.id,), marines=marines), attack_worth(
        state, group, best, craft_sent
    )


def _at_ordnance(state: BattleState, view: SideView, group: Group) -> tuple[Attack, float] | None:
    """Return an attack on ordnance in reach that attacks a ship of the side, and its worth."""
    guns = group.row.guns
    mine = [ship.id for ship in view.own_ships]
    for marker in state.pieces_of(Marker):
        if marker.target in mine and not attackers_of(state, group):
            attack = Attack(guns.name, (marker.id,))
            if target_of(state, group, attack, marker.id) is not None:
                dice = group.craft + more_dice(group, guns)
                return attack, CRAFT_WORTH * min(
                    marker.strength, dice / DICE_PER_KILL[pilot_modifier(group)]
                ) * attack_chance(state, group)
    return None
