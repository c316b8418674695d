"""Gunboats in the ships' fire phase.

They fire after all ships, with as many boats as they had at the start of the firing.

Rules: Continuum "Gunboat rules" 9.1, "Gunboat types" 9.2 [pc.gunboats]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.continuum.aiming import has_system
from engine.continuum.boarding import is_boarding_allowed
from engine.continuum.craft.moves import in_order
from engine.continuum.craft.reflex_fire import resolve_craft_fire, roll_reflex_field
from engine.continuum.craft.runs import shot_at, shot_count
from engine.continuum.craft.targets import in_front
from engine.continuum.damage import excess_of, is_wrecked, mark_damage
from engine.continuum.fire_control import FirePhase
from engine.core.geometry import NEAR, dist
from engine.core.kinds import FIGHTING
from engine.core.rolls import Effect, Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament, no_fire
from engine.events.boarding import LandingNotAgreed
from engine.events.fire import NO_TARGET, ShotRefused
from engine.pieces.craft_events import BoatsFired, CraftEmpFired
from engine.pieces.group import Group


@dataclass(frozen=True, slots=True)
class GunboatRun:
    """A squadron's planned fire at one ship.

    Attributes:
        armament: What it fires; in a mixed squadron, the combined weapons of all its types.
        boats: The squadron's boats at the start of the firing.
    """

    group: Group
    armament: Armament
    ship: ShipState
    boats: int


def planned_runs(state: BattleState) -> list[GunboatRun]:
    """Return the fire of gunboats at ships this turn, by squadron.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """
    runs: list[GunboatRun] = []
    for group in in_order(state):
        if not group.this_turn.targets:
            continue
        target_ships = [ship for ship in state.ships if ship.id in group.this_turn.targets]
        for name in group.this_turn.using:
            armament = group.row.armament(name)
            if armament is None or not armament.with_ships or armament.at_ships is no_fire:
                continue
            runs += [GunboatRun(group, armament, ship, group.craft) for ship in target_ships]
    return runs


def fire_boats(phase: FirePhase, runs: list[GunboatRun]) -> None:
    """Fire all squadrons, with the boats they had at the start of the firing.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """
    for run in runs:
        if run.ship.status != FIGHTING or is_wrecked(run.ship):
            phase.table.tell(
                ShotRefused,
                ship=run.group.id,
                weapon=run.armament.name,
                targets=(run.ship.id,),
                reason=NO_TARGET,
            )
        else:
            _fire_squadron(phase, run)


def _fire_squadron(phase: FirePhase, run: GunboatRun) -> None:
    """Fire each type of a squadron's boats whose weapons are in range and in arc."""
    group = run.group
    ship = run.ship
    distance = dist((group.x, group.y), (ship.x, ship.y))
    is_mixed = bool(run.armament.type_weapons)
    for weapon, boats in run.armament.by_type(run.boats):
        if weapon.at_ships is no_fire or not boats:
            continue
        bears = in_front(group, ship.x, ship.y, narrow=weapon.narrow)
        # Other squadrons were checked when they declared the attack.
        if is_mixed and (distance > weapon.reach + NEAR or not bears):
            continue
        if ship.status == FIGHTING and not is_wrecked(ship):
            _fire_boats_of_type(phase, run, weapon, boats)


def _fire_boats_of_type(phase: FirePhase, run: GunboatRun, weapon: Armament, boats: int) -> None:
    """Roll the dice of a squadron's boats with one weapon, and mark the damage.

    Args:
        boats: How many boats carry the weapon.
    """
    table = phase.table
    group = run.group
    ship = run.ship
    state = table.state
    shot = shot_at(state, group, ship)
    shot.no_sensors = weapon.snipes and not has_system(ship, group.this_turn.system)
    effect, craft_with_damage = resolve_craft_fire(
        table,
        ship,
        armament=weapon,
        shot=shot,
        number=shot_count(group, weapon, run.boats) if weapon.rounds else boats,
    )
    table.carry_out(_event_of_fire(table, run, weapon, shot, effect))
    roll_reflex_field(table, group, ship=ship, effect=effect, craft_with_damage=craft_with_damage)
    if effect.needled:
        phase.aftermath.needled.append((ship.id, group.this_turn.system, group.id))
    if effect.emp:
        systems = (group.this_turn.system,) if group.this_turn.system else ()
        phase.aftermath.emp.append((ship.id, effect.emp, systems, group.id))
    if effect.marines_landed and is_boarding_allowed(state):
        phase.aftermath.brought.append((ship.id, effect.marines_landed, group.commander))
    elif effect.marines_landed:
        table.tell(LandingNotAgreed, group.id, run.armament.name)
    if effect.damage_types:
        excess = excess_of(state, ship, effect.damage_types)
        if excess is not None:
            phase.aftermath.excess[ship.id] = excess
        mark_damage(table, ship, effect.damage_types, f"fire:{group.id}")


def _event_of_fire(
    table: Table, run: GunboatRun, weapon: Armament, shot: Shot, effect: Effect
) -> BoatsFired | CraftEmpFired:
    """Return the event of a squadron's fire with one weapon.

    In a squadron of several types only the weapons that aim at systems name one.
    """
    group = run.group
    is_aimed = weapon.snipes or weapon.jams or not run.armament.type_weapons
    system = group.this_turn.system if is_aimed else ""
    if weapon.jams:
        return CraftEmpFired(
            table.turn,
            group.id,
            target=run.ship.id,
            armament=run.armament.name,
            system=system,
            range=shot.distance,
            dice=effect.dice,
            hits=effect.emp,
        )
    return BoatsFired(
        table.turn,
        group.id,
        target=run.ship.id,
        armament=run.armament.name,
        system=system,
        range=shot.distance,
        screens=shot.screens,
        dice=effect.dice,
        damage=effect.damage,
        hits=sum(typed.points for typed in effect.damage_types),
    )
