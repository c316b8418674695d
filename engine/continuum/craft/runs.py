"""Phase 10: attack runs of the craft that got through to their ship.

Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.combat.line_of_sight import screens_through
from engine.continuum.aiming import has_system
from engine.continuum.checks import check_electronics
from engine.continuum.craft.morale import rolls_to_attack
from engine.continuum.craft.pilots import (
    ace_fire,
    ace_picks_system,
    destroy_aced_systems,
    more_dice,
    reveal_pilots,
)
from engine.continuum.craft.reflex_fire import resolve_craft_fire, roll_reflex_field
from engine.continuum.craft.shuttles import land
from engine.continuum.craft.targets import attackers_of
from engine.continuum.damage import excess_of, is_wrecked, mark_damage
from engine.continuum.defences import protection_of, weakness_against
from engine.core.geometry import dist
from engine.core.kinds import FIGHTING
from engine.core.rolls import Effect, Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament, no_fire
from engine.pieces.craft_events import CraftEmpFired
from engine.pieces.group import STRIKE, Group
from engine.pieces.group_events import FightersFired
from engine.systems.defences import is_blurred


def resolve_runs(table: Table, ship: ShipState) -> list[int | None]:
    """Resolve the attack runs on a ship, group by group.

    Returns:
        For each attack, the points beyond those needed to destroy the ship, or None if it survived.

    Rules: Continuum "Attack runs" 8.9 [pc.fighter-attack]
    """
    excesses: list[int | None] = []
    hits = SystemHits()
    for group in attackers_of(table.state, ship):
        armaments = run_armaments(group)
        if not armaments or ship.status != FIGHTING or not rolls_to_attack(table, group):
            continue
        excesses += _use_armaments(table, group, armaments, ship, hits)
        if ace_picks_system(group) and ship.status == FIGHTING:
            excess, is_hit = ace_fire(table, group, ship, shot_at(table.state, group, ship))
            excesses.append(excess)
            if is_hit:
                hits.needled.append((group.this_turn.system, group))
    hits.settle(table, ship)
    return excesses


@dataclass(slots=True)
class SystemHits:
    """The hits of attack runs on single systems of a ship.

    Attributes:
        needled: The systems hit by needle beams and aces, each with the group that hit it.
        emp: The EMP hits of each group, and the systems they are assigned to.
    """

    needled: list[tuple[str, Group]] = field(default_factory=list)
    emp: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)

    def note(self, group: Group, effect: Effect) -> None:
        """Add the hits of a group's fire."""
        system = group.this_turn.system
        if effect.needled:
            self.needled.append((system, group))
        if effect.emp:
            self.emp.append((effect.emp, (system,) if system else ()))

    def settle(self, table: Table, ship: ShipState) -> None:
        """Destroy the systems hit, and then test electronics.

        Rules: Continuum "EMP projectors" 5.4, "Needle beams" 5.13 [pc.named-craft]
        """
        destroy_aced_systems(table, ship, self.needled)
        if self.emp and ship.status == FIGHTING and not is_wrecked(ship):
            check_electronics(table, ship, self.emp, rows=0)


def _use_armaments(
    table: Table, group: Group, armaments: list[Armament], ship: ShipState, hits: SystemHits
) -> list[int | None]:
    """Land or fire a group's armaments one after the other, as long as the ship is there.

    Returns:
        For each one fired, the points beyond those needed to destroy the ship, or None if it
        survived.
    """
    excesses: list[int | None] = []
    for armament in armaments:
        if ship.status != FIGHTING:
            break
        if armament.lands:
            land(table, group, armament, ship)
        else:
            excesses.append(_fire_at_ship(table, group, armament, ship, hits))
    return excesses


def run_armaments(group: Group) -> list[Armament]:
    """Return the armaments that a group was ordered to use in an attack run."""
    armaments: list[Armament] = []
    for name in group.this_turn.using:
        armament = group.row.armament(name)
        if armament is None:
            continue
        if armament.lands or (armament.at_ships is not no_fire and not armament.with_ships):
            armaments.append(armament)
    return armaments


def _fire_at_ship(
    table: Table, group: Group, armament: Armament, ship: ShipState, hits: SystemHits
) -> int | None:
    """Fire one armament of a group at a ship.

    Returns:
        The points beyond those needed to destroy the ship, or None if it survived.
    """
    state = table.state
    shot = run_shot(state, group, armament, ship)
    if not armament.rounds:
        reveal_pilots(table, group, at_ship=True)
    number = shot_count(group, armament)
    number += more_dice(group, armament, ace_duels=ace_picks_system(group))
    effect, craft_with_damage = resolve_craft_fire(
        table, ship, armament=armament, shot=shot, number=number
    )
    group.fight(armament, at_ship=True)
    report_fire(table, group, armament, ship, shot=shot, effect=effect, dice=effect.dice)
    hits.note(group, effect)
    roll_reflex_field(table, group, ship=ship, effect=effect, craft_with_damage=craft_with_damage)
    excess = excess_of(state, ship, effect.damage_types)
    if effect.damage_types:
        mark_damage(table, ship, effect.damage_types, f"fire:{group.id}")
    return excess


def run_shot(state: BattleState, group: Group, armament: Armament, ship: ShipState) -> Shot:
    """Return a shot of an attack run before any die."""
    shot = shot_at(state, group, ship)
    shot.purpose = "fighter"
    shot.no_sensors = armament.snipes and not has_system(ship, group.this_turn.system)
    return shot


def report_fire(
    table: Table,
    group: Group,
    armament: Armament,
    ship: ShipState,
    shot: Shot,
    effect: Effect,
    dice: tuple[int, ...],
) -> None:
    """Report a group's fire at a ship, of EMP projectors by their hits on electronics."""
    if armament.jams:
        table.tell(
            CraftEmpFired,
            group=group.id,
            target=ship.id,
            armament=armament.name,
            system=group.this_turn.system,
            range=shot.distance,
            dice=dice,
            hits=effect.emp,
        )
        return
    table.tell(
        FightersFired,
        group=group.id,
        target=ship.id,
        armament=armament.name if armament.rounds else STRIKE,
        range=shot.distance,
        screens=shot.screens,
        dice=dice,
        hits=sum(typed.points for typed in effect.damage_types),
    )


def shot_at(state: BattleState, group: Group, ship: ShipState) -> Shot:
    """Return a shot of craft at a ship before any die, with distance and defences."""
    start = (group.x, group.y)
    end = (ship.x, ship.y)
    distance = dist(start, end)
    protection = protection_of(state, ship)
    return Shot(
        group.id,
        distance,
        distance,
        screens=screens_through(state.pieces, start, end, protection.screens),
        advanced=protection.advanced,
        holofield=protection.holofield and is_blurred(distance),
        mass=ship.sheet.mass,
        velocity=ship.velocity,
        modifier=weakness_against(state, group.owner, group.commander, ship),
    )


def shot_count(group: Group, armament: Armament, craft: int = 0) -> int:
    """Return how many shots a group fires: one for each craft, or the rounds ordered.

    Args:
        craft: The craft at the start of the firing; 0 means as many as now.
    """
    craft = craft or group.craft
    if not armament.rounds:
        return craft
    return min(
        group.rounds(armament, craft),
        armament.carriers(craft) * (group.this_turn.count or armament.rounds),
    )
