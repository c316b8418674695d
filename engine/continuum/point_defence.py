"""Phases 9 and 10: point defence against ordnance and craft, and the attacks that get through.

All ships choose their targets before any die is rolled. A ship without orders spreads its unused
weapons over its attackers.

Rules: Continuum "Point defense vs. missiles" 6.4, "Damage" 6.5, "Point defense" 8.8
[pc.point-defence]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.combat.detection import reveal_ship
from engine.continuum.blasts import SHOT_DOWN, detonate, full_blast_dice, resolve_blasts
from engine.continuum.craft.guard_boats import fire_guards, planned_boats
from engine.continuum.craft.runs import resolve_runs
from engine.continuum.damage import check_after_damage, excess_of, mark_damage
from engine.continuum.defence_plans import (
    Defences,
    Shot,
    ShotPlan,
    attackers,
    distance_to,
    in_flight,
    make_plans,
)
from engine.continuum.defences import protection_of, ship_distance, tell_cover, tell_guard_cover
from engine.continuum.fire_at_gunboats import fire_gun
from engine.continuum.homing import TARGET_GONE
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING, IN_PLAY, PLAIN
from engine.core.notes import write_fact
from engine.core.rolls import TypedDamage
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import SCATTERGUN_FOUR
from engine.events.fire import WeaponUsed
from engine.pieces.craft_events import PointDefenceAtCraft
from engine.pieces.debris import break_up_ship
from engine.pieces.group import Group
from engine.pieces.marker import (
    Marker,
    OrdnanceRemoved,
    OrdnanceStruck,
    PointDefenceAtOrdnance,
    RocketsStruck,
    cause_of,
)
from engine.pieces.point_defence_targets import point_defence_target
from engine.weapons.guard import Guard
from engine.weapons.point_defence import FOUR_PELLETS, roll_scattergun
from engine.weapons.weapon import Weapon

# Resolves all attacks on a ship. Returns for each the points beyond those needed to destroy the
# ship, or None if it survived.
Strikes = Callable[[ShipState, Sequence[Marker]], list[int | None]]


def resolve_ordnance(table: Table, orders: Defences) -> None:
    """Resolve phases 9 and 10: aim and fire all point defence, then resolve attacks ship by ship.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    before = damage_now(table.state)
    intercepted_ids = _fire_point_defence(table, orders)
    for group in table.state.pieces_of(Group):
        intercepted_ids.update(group.this_turn.engaged_markers)
    resolve_blasts(table, full_blast_dice)

    def strikes(ship: ShipState, markers: Sequence[Marker]) -> list[int | None]:
        excesses = []
        for marker in markers:
            was_intercepted = marker.id in intercepted_ids
            excesses.append(_strike(table, marker, ship, was_intercepted=was_intercepted))
        return [*excesses, *resolve_runs(table, ship)]

    resolve_strikes(table, before, strikes)


def damage_now(state: BattleState) -> dict[ShipId, int]:
    """Return the damage points of every ship."""
    return {ship.id: ship.damage for ship in state.ships}


def resolve_strikes(table: Table, before: dict[ShipId, int], strikes: Strikes) -> None:
    """Resolve the attacks on all ships, ship by ship.

    Each ship checks as soon as its attacks are over, and once more if a later blast hurts it.

    Args:
        before: The damage of each ship at the start of the phase.
        strikes: Resolves the attacks on one ship.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    state = table.state
    for marker in state.pieces_of(Marker):
        if marker.target_boats:
            strike_gunboats(table, marker)
    for ship in list(state.ships):
        coming = [marker for marker in attackers(state) if marker.target == ship.id]
        attacked = coming or any(
            ship.id in group.this_turn.targets for group in state.pieces_of(Group)
        )
        excess = None
        if attacked:
            excess = next((points for points in strikes(ship, coming) if points is not None), None)
        _settle_strikes(table, ship, before[ship.id], excess)
        before[ship.id] = ship.damage
    for ship in state.ships:
        _settle_strikes(table, ship, before[ship.id], excess=None)


def _settle_strikes(table: Table, ship: ShipState, before: int, excess: int | None) -> None:
    """Check a ship damaged by ordnance; with excess points it may blow up.

    Rules: Continuum 2.6 [pc.sequence]; Continuum "Battle debris" 17.5 [pc.debris]
    """
    if ship.damage > before and ship.status in IN_PLAY:
        check_after_damage(table, ship, before, "ordnance")
        if excess is not None:
            break_up_ship(table, ship, excess)


def _fire_point_defence(table: Table, orders: Defences) -> set[str]:
    """Aim all point defence of ships and boats, then fire it, and return the ids of its targets."""
    shots: list[Shot] = []
    for plan in make_plans(table, orders, ShotPlan):
        shots += plan.shots
    boat_shots = planned_boats(table, orders)
    target_ids: set[str] = set()
    weapons_fired: list[tuple[str, int]] = []
    for shot in shots:
        weapon = (shot.ship.id, shot.index)
        _fire_shot(table, shot, again=weapon in weapons_fired)
        weapons_fired.append(weapon)
        target_ids.add(shot.prey.id)
    for boat_shot in boat_shots:
        fire_guards(table, boat_shot)
        target_ids.add(boat_shot.aim.prey.id)
    return target_ids


def _fire_shot(table: Table, shot: Shot, *, again: bool) -> None:
    """Roll a weapon's dice at its target and apply the hits.

    Args:
        again: Whether this is the second of the weapon's two targets.
    """
    ship = shot.ship
    index = shot.index
    if shot.gun is not None:
        assert isinstance(shot.prey, Group)  # boats
        fire_gun(table, ship, index=index, group=shot.prey, shot=shot.gun)
        return
    fit = ship.sheet.fits[index]
    weapon = ship.profile.weapons[index]
    guard = weapon.guard
    assert guard is not None
    guard = guard_in_force(table.state, guard)
    reveal_ship(table, ship, fit.id)
    prey = shot.prey
    distance = _defence_distance(table.state, shot)
    subject = f"{ship.id}/{fit.id}"
    target_kind = point_defence_target(table.state, prey)
    if isinstance(prey, Group):
        toughness = prey.row.modifier
        screens = tell_guard_cover(table, prey)[:2]
    else:
        toughness = prey.toughness
        screens = (0, 0)
    rolls, hits = guard.fire(
        target_kind,
        distance,
        mode=shot.mode,
        subject=subject,
        dice=table.dice,
        toughness=toughness,
        screens=screens,
    )
    if isinstance(prey, Group):
        table.tell(
            PointDefenceAtCraft,
            ship=ship.id,
            weapon=fit.id,
            group=prey.id,
            guarded=shot.guarded.id,
            range=distance,
            dice=rolls,
            hits=hits,
        )
        prey.take_damage(table, hits, f"fire:{ship.id}")
    else:
        prey.destroyed += hits
        table.tell(
            PointDefenceAtOrdnance,
            ship=ship.id,
            weapon=fit.id,
            marker=prey.id,
            guarded=shot.guarded.id,
            range=distance,
            dice=rolls,
            hits=hits,
        )
    if not again:
        use_up(table, ship, index, weapon)
    if guard.endangers_friends and shot.guarded is not ship and 1 in rolls:
        mark_damage(table, shot.guarded, (TypedDamage(1, PLAIN),), f"fire:{ship.id}")


def _defence_distance(state: BattleState, shot: Shot) -> float:
    """Return the MU that count for a weapon's range.

    Against gunboats and units that attack nothing it is the distance to the target, against all
    others the distance to the guarded ship.
    """
    prey = shot.prey
    if isinstance(prey, Group):
        counts_to_target = not prey.this_turn.targets or prey.row.berth > 0
    else:
        counts_to_target = not prey.target and prey.row(state).bursts is None
    if counts_to_target:
        return distance_to(shot.ship, prey)
    return ship_distance(shot.ship, shot.guarded)


def guard_in_force(state: BattleState, guard: Guard) -> Guard:
    """Return a type of point defence as the battle's options have it.

    Rules: Continuum "Point defense" 8.8 [pc.scatterguns]
    """
    if guard.special_roll is roll_scattergun and SCATTERGUN_FOUR in state.terms.options:
        return FOUR_PELLETS
    return guard


def use_up(table: Table, ship: ShipState, index: int, weapon: Weapon) -> None:
    """Record that a weapon has fired this turn; a one-shot weapon is spent."""
    fit = ship.sheet.fits[index]
    if weapon.once:
        ship.stock[index] -= 1
        table.tell(WeaponUsed, ship=ship.id, weapon=fit.id, remaining=ship.stock[index])
    if weapon.is_aimed:
        write_fact(table, ship, "point-defence-weapons", 1, key=fit.id)


def strike_gunboats(table: Table, marker: Marker) -> None:
    """Destroy one gunboat for each rocket that was not shot down.

    Under advanced area screens a rocket's damage die must leave at least one point.

    Rules: Continuum "Rocket pods" 6.7, "Rocket gunboat" 9.2 [pc.rocket-pods]; Continuum "Area
    screens" 7.16 [pc.area-screens]
    """
    group = table.state.find(Group, marker.target_boats)
    through = max(marker.strength - marker.destroyed, 0)
    cause = cause_of(table.state, marker)
    if group is not None and through and protection_of(table.state, group).advanced:
        advanced = tell_cover(table, group).advanced
        row = marker.row(table.state)
        strike = row.strikes(through, advanced, marker.id, table.dice, 0)
        through = sum(typed.points > 0 for typed in strike.damage_types)
    table.state.take_off(marker)
    if group is None:
        table.tell(OrdnanceRemoved, marker.id, TARGET_GONE)
        return
    table.tell(RocketsStruck, marker=marker.id, group=group.id, through=through)
    group.take_damage(table, through, cause)


def _strike(table: Table, marker: Marker, ship: ShipState, *, was_intercepted: bool) -> int | None:
    """Resolve ordnance that reaches its target: how much gets through, and its damage.

    For a salvo, a die decides how many missiles are on target, minus those it is short of. At least
    one gets through if no point defence met the salvo, in this turn or an earlier stage.

    Rules: Continuum "Point defense vs. missiles" 6.4, "Damage" 6.5 [pc.salvo-missiles]
    """
    row = marker.row(table.state)
    die = 0
    if row.has_rolled_number:
        die = table.dice.roll("missiles", marker.id)
        on_target = die - (marker.full_strength - marker.strength)
        through = max(on_target - marker.destroyed, 0 if was_intercepted or marker.destroyed else 1)
    else:
        through = max(marker.strength - marker.destroyed, 0)
    return strike_ship(table, marker, ship=ship, die=die, through=through)


def strike_ship(
    table: Table, marker: Marker, ship: ShipState, die: int, through: int, dice_lost: int = 0
) -> int | None:
    """Apply the damage of a marker that reaches its target, and remove the marker.

    Args:
        die: The die that decided how much gets through; 0 for none.
        through: How much gets through.
        dice_lost: Damage dice removed by point defence.

    Returns:
        The points beyond those needed to destroy the ship, or None if it survived.

    Rules: Continuum "Damage" 6.5 [pc.salvo-missiles]
    """
    burst = marker.row(table.state).bursts
    if burst is not None and through - dice_lost > 0:
        detonate(
            table,
            marker,
            at=(ship.x, ship.y),
            remaining=through - dice_lost,
            dice=lambda _, away: burst(through - dice_lost, away),
        )
        return None
    table.state.take_off(marker)
    if not through or ship.status != FIGHTING:
        table.tell(
            OrdnanceStruck,
            marker=marker.id,
            ship=ship.id,
            die=die,
            through=0,
            screens=0,
            dice=(),
            points=0,
        )
        return None
    advanced = protection_of(table.state, ship).advanced
    strike = marker.row(table.state).strikes(through, advanced, marker.id, table.dice, dice_lost)
    points = sum(typed.points for typed in strike.damage_types)
    table.tell(
        OrdnanceStruck,
        marker=marker.id,
        ship=ship.id,
        die=die,
        through=through,
        screens=advanced,
        dice=strike.dice,
        points=points,
    )
    excess = excess_of(table.state, ship, strike.damage_types)
    if strike.damage_types:
        mark_damage(table, ship, strike.damage_types, cause_of(table.state, marker))
    return excess


def drop_ordnance(table: Table) -> None:
    """Remove ordnance left at the end of a turn: without a target, or shot down in flight.

    Rules: Continuum "Multi-stage missiles" 6.6 [pc.multi-stage]
    """
    for marker in attackers(table.state):
        table.state.take_off(marker)
        table.tell(OrdnanceRemoved, marker.id, TARGET_GONE)
    for marker in in_flight(table.state):
        if marker.destroyed >= marker.strength:
            marker.destroy(table, SHOT_DOWN)
