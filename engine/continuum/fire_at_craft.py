"""Fire of ships at craft outside dogfights, and their evasion; gunboats are normal targets.

Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]; Continuum "Gunboat rules"
9.1 [pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.continuum.craft.targets import in_dogfight, is_engaged
from engine.continuum.defences import craft_cover, tell_cover
from engine.continuum.fire_at_bodies import aim_weapon, unscreened_shot
from engine.continuum.fire_control import FireControl, FirePhase, spend_shot
from engine.core.dice import Dice
from engine.core.orders import Fire
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.fire import BOAT_VELOCITY, boats_destroyed
from engine.pieces.craft_events import GroupEvaded, GroupShotAt
from engine.pieces.group import Group
from engine.weapons.weapon import Trait, Weapon

EVADING = reason("group-evades", "the group evades")


def aim_at_group(
    state: BattleState, ship: ShipState, index: int, fire: Fire, name: str
) -> tuple[Group, Shot] | None:
    """Return the named group and the shot at it before any die, or None if illegal.

    The group must be hostile, not engaged, in range, in arc and in sight. Gunboats that attack
    ships can still be fired at.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]; Continuum "Gunboat
    rules" 9.1 [pc.gunboats]
    """
    group = state.find(Group, name)
    if group is None or not state.hostile[ship.commander] >> group.commander & 1:
        return None
    is_boats = group.row.berth > 0
    is_busy = in_dogfight(state, group) if is_boats else is_engaged(state, group)
    if is_busy:
        return None
    weapon = ship.profile.weapons[index]
    if Trait.SHIPS_ALONE in weapon.traits:
        return None
    shot = unscreened_shot(state, ship, index=index, fire=fire, piece=group)
    if shot is None:
        return None
    energy = Trait.ENERGY in weapon.traits
    shot.screens, shot.advanced, shot.covered = craft_cover(state, group, energy=energy)
    if not is_boats:
        return group, shot
    if weapon.fire is None:
        return None
    shot.modifier, shot.velocity, shot.mass = group.row.modifier, BOAT_VELOCITY, 1
    return group, shot


def resolve_evasion(phase: FirePhase, ship: ShipState, fires: Sequence[Fire]) -> None:
    """Let groups evade before a ship fires, if enough of its weapons aim at them.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    state = phase.table.state
    for group in state.pieces_of(Group):
        if not group.this_turn.evades_at or group.this_turn.evading or group.is_exhausted:
            continue
        if is_engaged(state, group):
            continue
        weapon_count = 0
        for fire in fires:
            if fire.targets[:1] != (group.id,):
                continue
            index = ship.profile.index_of[fire.weapon]
            if aim_at_group(state, ship, index=index, fire=fire, name=group.id) is not None:
                weapon_count += 1
        if weapon_count >= group.this_turn.evades_at:
            group.evade()
            phase.table.tell(GroupEvaded, group.id)


def effect_on_craft(weapon: Weapon, shot: Shot, dice: Dice, *, boats: bool) -> Effect:
    """Return the effect of a ship's weapon on gunboats or fighters; computer captains use it too.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]; Continuum "Gunboat
    rules" 9.1 [pc.gunboats]; Continuum "Fusion array" 5.19 [pc.fusion-array]
    """
    if not boats or weapon.fire is None:
        return weapon.at_fighters(shot, dice)
    effect = weapon.fire(shot, dice)
    effect.craft = boats_destroyed(effect)
    if Trait.ONE_HIT in weapon.traits:
        effect.craft = min(effect.craft, 1)
    return effect


def fire_at_group(
    phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl, group: Group, shot: Shot
) -> str:
    """Roll a weapon's die against fighters, or its own dice against gunboats, one boat a hit.

    Returns:
        The reason why it does not fire, or "".

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]; Continuum "Gunboat
    rules" 9.1 [pc.gunboats]
    """
    if group.this_turn.evading:
        return EVADING
    if fault := aim_weapon(phase, ship, fire=fire, control=control, piece=group):
        return fault
    table = phase.table
    index = ship.profile.index_of[fire.weapon]
    weapon = ship.profile.weapons[index]
    tell_cover(table, group)
    effect = effect_on_craft(weapon, shot, table.dice, boats=group.row.berth > 0)
    hits = effect.craft
    dice = (*effect.dice, *effect.damage)
    table.tell(
        GroupShotAt,
        ship=ship.id,
        weapon=fire.weapon,
        group=group.id,
        range=shot.true_distance,
        dice=dice,
        hits=hits,
    )
    spend_shot(table, ship, index=index, mode=shot.mode, effect=effect)
    group.take_damage(table, hits, f"fire:{ship.id}")
    return ""
