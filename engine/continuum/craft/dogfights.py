"""Phase 8: simultaneous fights of craft against craft, and interception of ordnance.

Rules: Continuum "Dogfights" 8.10, "Multiple group dogfights" 8.11 [pc.dogfights]; Continuum
"Interception of missiles" 8.12 [pc.fighter-targets]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.continuum.craft.morale import rolls_to_attack
from engine.continuum.craft.moves import in_order, leave_fight
from engine.continuum.craft.pilots import duel, more_dice, pilot_modifier, reveal_pilots, rival
from engine.continuum.craft.refusals import can_catch, refuses_dogfight
from engine.continuum.craft.runs import shot_count
from engine.continuum.craft.squadron_fights import DOGFIGHT, fight_by_actions, is_by_actions
from engine.continuum.craft.targets import at_groups
from engine.continuum.defences import craft_cover, tell_cover
from engine.core.geometry import NEAR, dist
from engine.core.rolls import Shot
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament, CraftType, Fire, no_fire
from engine.craft.fire import interception_dice
from engine.pieces.craft_events import GroupFiredAtOrdnance
from engine.pieces.dogfight_events import DogfightOutrun
from engine.pieces.group import Group
from engine.pieces.group_events import FightersFired
from engine.pieces.marker import Marker
from engine.pieces.pilot_events import AceLost

FIGHTER = "fighter"
CRASHES_ON = 6  # the die on which a missile shot down destroys a craft too


def fight_all(table: Table, answering: Sequence[Group] = ()) -> None:
    """Fight all dogfights, ordered by their first group, and then all interceptions.

    Args:
        answering: Groups that only fire back, which needs no morale roll.

    Rules: Continuum "Dogfights" 8.10, "Interception of missiles" 8.12 [pc.dogfights]
    """
    for groups in dogfights(table.state):
        fight(table, groups, answering)
    for group in in_order(table.state):
        _intercept(table, group)


def dogfights(state: BattleState) -> list[list[Group]]:
    """Return the groups of each dogfight, in canonical order."""
    fights: list[list[Group]] = []
    for group in in_order(state):
        linked = [group, *at_groups(state, group)]
        if len(linked) > 1:
            fights = _join_fights(fights, linked)
    places = {group.id: number for number, group in enumerate(in_order(state))}
    for fight in fights:
        fight.sort(key=lambda group: places[group.id])
    return sorted(fights, key=lambda fight: places[fight[0].id])


def _join_fights(fights: list[list[Group]], linked: list[Group]) -> list[list[Group]]:
    """Return the dogfights after groups join, which merges all those that have one of them."""
    separate: list[list[Group]] = []
    merged: list[Group] = []
    for fight in fights:
        if any(group in fight for group in linked):
            merged += fight
        else:
            separate.append(fight)
    merged += [group for group in linked if group not in merged]
    return [*separate, merged]


def fight(table: Table, groups: Sequence[Group], answering: Sequence[Group]) -> None:
    """Fight one dogfight; all groups fire before any losses are removed.

    If all groups fight by actions, that option's rules apply instead.

    Rules: Continuum "Dogfights" 8.10, "Multiple group dogfights" 8.11 [pc.dogfights]
    """
    if all(is_by_actions(table.state, group) for group in groups):
        fight_by_actions(table, groups, answering)
        return
    hits, shot_down = _fire_dogfight(table, groups, answering)
    for group, foes, craft in hits:
        for foe, share in zip(foes, split_hits(craft, len(foes)), strict=True):
            foe.take_damage(table, share, f"fire:{group.id}")
    for group, ace_group in shot_down:
        if ace_group.craft > 0:
            table.carry_out(AceLost(table.turn, ace_group.id))
            ace_group.take_damage(table, points=1, cause=f"fire:{group.id}")
    for group in groups:
        if group.craft > 0 and refuses_dogfight(table.state, group):
            leave_fight(table, group)


def _fire_dogfight(
    table: Table, groups: Sequence[Group], answering: Sequence[Group]
) -> tuple[list[tuple[Group, list[Group], int]], list[tuple[Group, Group]]]:
    """Roll the fire of all groups in a dogfight, without removing losses.

    Returns:
        Each group's foes and the craft it hit; and for each ace shot down, the group whose ace did
        it and the ace's group.
    """
    hits: list[tuple[Group, list[Group], int]] = []
    shot_down: list[tuple[Group, Group]] = []
    for group in groups:
        attacked = at_groups(table.state, group)
        foes = [foe for foe in attacked if can_catch(table.state, group, foe)]
        for foe in attacked:
            if foe not in foes:
                table.tell(DogfightOutrun, group.id, foe.id)
        if foes and (group in answering or rolls_to_attack(table, group)):
            ace_group = rival(group, foes)
            craft = _fire_in_dogfight(table, group, foes, ace_duels=ace_group is not None)
            hits.append((group, foes, craft))
            if ace_group is not None and _duel(table, group, ace_group):
                shot_down.append((group, ace_group))
    return hits, shot_down


def split_hits(hits: int, among: int) -> list[int]:
    """Divide hits as equally as possible; the first shares get the remainder.

    Rules: Continuum 8.11 [pc.dogfights]
    """
    share, remainder = divmod(hits, among)
    return [share + (number < remainder) for number in range(among)]


def _duel(table: Table, group: Group, foe: Group) -> bool:
    """Roll a group's ace against an opposing ace; return whether it shoots the other down.

    Rules: Continuum 8.18 [pc.aces]
    """
    distance = dist((group.x, group.y), (foe.x, foe.y))
    tell_cover(table, foe)
    cover = craft_cover(table.state, foe, energy=group.row.guns.energy)
    shot = Shot(
        group.id,
        distance,
        distance,
        screens=cover.screens,
        advanced=cover.advanced,
        covered=cover.covered,
        modifier=foe.row.modifier,
        purpose=DOGFIGHT,
    )
    return duel(table, group, foe, shot)


def _fire_in_dogfight(table: Table, group: Group, foes: Sequence[Group], *, ace_duels: bool) -> int:
    """Fire a group's weapons in a dogfight and return how many craft they hit.

    An exhausted group uses the exhausted fire of its craft type.

    Args:
        ace_duels: Whether the group's ace fights another ace instead.
    """
    row = group.row
    first = foes[0]
    distance = dist((group.x, group.y), (first.x, first.y))
    if group.is_exhausted:
        if row.exhausted_fire is no_fire:
            return 0
        return _roll_fire(
            table,
            group,
            foe=first,
            distance=distance,
            fire=row.exhausted_fire,
            dice_count=group.craft,
        )
    hits = 0
    all_boats = all(foe.row.berth for foe in foes)
    for guns, craft in row.guns.by_type(group.craft):
        fire = (guns.at_boats if all_boats else None) or guns.at_craft
        number = shot_count(group, guns) if guns.rounds else craft
        if fire is no_fire or not number or _is_out_of_range(row, guns, distance):
            continue
        reveal_pilots(table, group, at_ship=False)
        hits += _roll_fire(
            table,
            group,
            foe=first,
            distance=distance,
            fire=fire,
            dice_count=number + more_dice(group, guns, ace_duels=ace_duels),
            guns=guns,
        )
    return hits


def _is_out_of_range(row: CraftType, guns: Armament, distance: float) -> bool:
    """Return whether the guns of one type in a mixed squadron do not reach so far."""
    return bool(row.guns.type_weapons) and distance > guns.reach_at_craft() + NEAR


def _roll_fire(
    table: Table,
    group: Group,
    foe: Group,
    distance: float,
    fire: Fire,
    dice_count: int,
    guns: Armament | None = None,
) -> int:
    """Roll a group's dice against another and return how many craft they hit.

    Args:
        guns: The weapons fired; a mixed squadron uses up their rounds.
    """
    protection = tell_cover(table, foe)
    cover = craft_cover(table.state, foe, energy=(guns or group.row.guns).energy)
    shot = Shot(
        group.id,
        distance,
        distance,
        screens=cover.screens,
        advanced=cover.advanced,
        covered=cover.covered,
        modifier=foe.row.modifier + pilot_modifier(group),
        purpose=DOGFIGHT,
    )
    effect = fire(shot, table.dice, dice_count)
    load = guns if guns is not None and guns.rounds and group.row.guns.type_weapons else None
    group.fight(load)
    if load is not None:
        weapon_name = load.name
    else:
        weapon_name = DOGFIGHT
    table.tell(
        FightersFired,
        group=group.id,
        target=foe.id,
        armament=weapon_name,
        range=distance,
        screens=protection.screens,
        dice=effect.dice,
        hits=effect.craft,
    )
    return effect.craft


def _intercept(table: Table, group: Group) -> None:
    """Fire a group at the ordnance it intercepts; each kill may destroy a craft too.

    Rules: Continuum "Interception of missiles" 8.12 [pc.fighter-targets]; Continuum "Point defense
    vs. missiles" 6.4 [pc.point-defence]
    """
    state = table.state
    markers = []
    for marker in state.pieces_of(Marker):
        if marker.id in group.this_turn.engaged_markers:
            markers.append(marker)
    if not markers or group.row.guns.at_ordnance is None or group.craft <= 0:
        return
    if not rolls_to_attack(table, group):
        return
    first = markers[0]
    reveal_pilots(table, group, at_ship=False)
    rolls, hits = _roll_at_ordnance(table, group, first)
    group.fight()
    craft_lost = 0
    for marker, share in zip(markers, split_hits(hits, len(markers)), strict=True):
        killed = min(share, marker.strength - marker.destroyed)
        marker.destroyed += killed
        table.tell(
            GroupFiredAtOrdnance,
            group=group.id,
            marker=marker.id,
            range=dist((group.x, group.y), (marker.x, marker.y)),
            dice=rolls if marker is first else (),
            hits=killed,
        )
        craft_lost += sum(table.dice.roll("damage", group.id) == CRASHES_ON for _ in range(killed))
    group.take_damage(table, craft_lost, f"fire:{group.id}")


def _roll_at_ordnance(table: Table, group: Group, marker: Marker) -> tuple[tuple[int, ...], int]:
    """Roll a group's dice against ordnance and return them with the number of hits.

    In a mixed group only types in range fire, and only with weapons of unlimited rounds.
    """
    target_kind = marker.row(table.state).defence_target
    distance = dist((group.x, group.y), (marker.x, marker.y))
    dice: list[int] = []
    hit_count = 0
    is_mixed = bool(group.row.guns.type_weapons)
    for guns, craft in group.row.guns.by_type(group.craft):
        if guns.at_ordnance is None:
            continue
        if is_mixed and (guns.rounds or distance > guns.reach_at_craft() + NEAR):
            continue
        modifier = guns.at_ordnance + marker.toughness + pilot_modifier(group)
        if guns.bursts is None:
            shots = craft + more_dice(group, guns)
        else:
            shots = shot_count(group, guns)
        rolls, hits = interception_dice(
            guns,
            shots,
            target_kind=target_kind,
            modifier=modifier,
            away=distance,
            subject=group.id,
            dice=table.dice,
            purpose=FIGHTER,
        )
        dice += rolls
        hit_count += hits
    return tuple(dice), hit_count
