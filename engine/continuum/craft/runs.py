"""Phase 10: craft that got through attack their ship.

Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
"""

from __future__ import annotations

from math import dist

from engine.combat.lines import dimmed
from engine.continuum.craft.morale import goes_through
from engine.continuum.craft.pilots import more_dice, shoot_out, show, snipe, snipes
from engine.continuum.craft.reflected import fire_of, reflects
from engine.continuum.craft.shuttles import land
from engine.continuum.craft.targets import attackers_of
from engine.continuum.damage import excess_of, mark_damage
from engine.continuum.defences import known_weakness, protection_of
from engine.core.kinds import FIGHTING
from engine.core.rolls import Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament, no_fire
from engine.pieces.group import STRIKE, Group
from engine.pieces.group_events import FightersFired
from engine.systems.defences import blurs


def run_at(table: Table, ship: ShipState) -> list[int | None]:
    """The attack runs on a ship, group by group: by how many points more than it took each has
    destroyed it, None where it has not.

    Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
    """
    found: list[int | None] = []
    hits: list[tuple[str, Group]] = []
    for group in attackers_of(table.state, ship):
        armaments = runs_with(group)
        if not armaments or ship.status != FIGHTING or not goes_through(table, group):
            continue
        for armament in armaments:
            if ship.status == FIGHTING and armament.lands:
                land(table, group, armament, ship)
            elif ship.status == FIGHTING:
                found.append(_fire(table, group, armament, ship))
        if snipes(group) and ship.status == FIGHTING:
            excess, hit = snipe(table, group, ship, shot_at(table.state, group, ship))
            found.append(excess)
            hits += [(group.this_turn.system, group)] if hit else []
    shoot_out(table, ship, hits)
    return found


def runs_with(group: Group) -> list[Armament]:
    """What a group was told to use that is used in an attack run."""
    told = (one for one in map(group.row.armament, group.this_turn.using) if one is not None)
    return [
        one for one in told if one.lands or (one.at_ships is not no_fire and not one.with_ships)
    ]


def _fire(table: Table, group: Group, armament: Armament, ship: ShipState) -> int | None:
    """What one armament of a group does to a ship."""
    state = table.state
    shot = shot_at(state, group, ship)
    shot.purpose = "fighter"
    if not armament.rounds:
        show(table, group, at_ship=True)
    number = shooters(group, armament) + more_dice(group, armament, apart=snipes(group))
    effect, hitting = fire_of(table, ship, armament, shot, number)
    group.fight(armament, at_ship=True)
    how = armament.name if armament.rounds else STRIKE
    points = sum(one.points for one in effect.damage_types)
    table.tell(
        FightersFired, group.id, ship.id, how, shot.distance, shot.screens, effect.dice, points
    )
    reflects(table, group, ship, effect, hitting)
    excess = excess_of(state, ship, effect.damage_types)
    if effect.damage_types:
        mark_damage(table, ship, effect.damage_types, f"fire:{group.id}")
    return excess


def shot_at(state: BattleState, group: Group, ship: ShipState) -> Shot:
    """A shot of craft at a ship, before any die: how far, and through what."""
    here, there = (group.x, group.y), (ship.x, ship.y)
    away = dist(here, there)
    protection = protection_of(state, ship)
    return Shot(
        group.id,
        away,
        away,
        screens=dimmed(state.pieces, here, there, protection.screens),
        advanced=protection.advanced,
        holofield=protection.holofield and blurs(away),
        mass=ship.sheet.mass,
        velocity=ship.velocity,
        modifier=known_weakness(state, group.owner, group.commander, ship),
    )


def shooters(group: Group, armament: Armament, craft: int = 0) -> int:
    """How many shots a group fires with what it has: one a craft, or the rounds it was told to.

    `craft`: as many as it had when the firing began, 0: as now.
    """
    craft = craft or group.craft
    if not armament.rounds:
        return craft
    return min(
        group.rounds(armament, craft),
        armament.carriers(craft) * (group.this_turn.count or armament.rounds),
    )
