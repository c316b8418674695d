"""A captain's fire at gunboats, and at fighters with weapons that destroy several of them.

Such fire is worth more there than at ships.

Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]; Continuum "K-guns" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from dataclasses import replace

from engine.captains.common.expected_damage import THROWS, EvenDice
from engine.captains.common.gunnery import fire_at, within_fire_control
from engine.captains.common.range_tables import is_usable
from engine.captains.continuum.weapon_targets import can_fire
from engine.continuum.craft.targets import in_dogfight
from engine.continuum.defence_plans import ShotPlan
from engine.continuum.fire_at_craft import aim_at_group, effect_on_craft
from engine.continuum.fire_at_gunboats import can_fire_at_boats
from engine.continuum.fire_phase import wave_gun_fire
from engine.core.orders import Defence, Fire, FireOrders
from engine.core.rolls import Shot
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import no_fire
from engine.craft.fire import BOAT_VELOCITY
from engine.pieces.group import Group
from engine.view.side_view import SideView
from engine.weapons.weapon import Weapon, hit_on_six

LEAST = 1.0  # mean number of boats a ship must destroy, otherwise it fires at ships
BY_LUCK = 0.2  # mean number of fighters that any weapon destroys, or little more
ENOUGH = 1.25  # enough fire, as a multiple of the boats there


def boats_worth_firing_at(state: BattleState, view: SideView) -> dict[str, float]:
    """Return how many boats of each hostile squadron in flight are worth firing at."""
    boats: dict[str, float] = {}
    for group in view.foreign_pieces_of(Group):
        if group.row.berth and _is_threat(state, view, group):
            boats[group.id] = group.craft * ENOUGH
    return boats


def _is_threat(state: BattleState, view: SideView, group: Group) -> bool:
    """Return whether hostile craft are worth a ship's fire: able to harm ships, in no dogfight."""
    harms = any(
        armament.at_ships is not no_fire or armament.launches or armament.lands
        for armament in group.row.armaments
    )
    return harms and view.is_hostile(group) and not in_dogfight(state, group)


def boat_defence_orders(
    state: BattleState,
    ship: ShipState,
    plan: ShotPlan,
    boats_by_group: dict[str, float],
    never: tuple[str, ...],
) -> tuple[Defence, ...]:
    """Return the weapons of a ship that fire at boats before these fire, if that destroys enough.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """
    has_boats = any(boats > 0 for boats in boats_by_group.values())
    if not has_boats or not can_fire(state, ship) or ship.armed:
        return ()
    orders = []
    for fire in _fires(state, ship, boats_by_group, never):
        order = Defence(fire.weapon, fire.targets)
        index = ship.profile.index_of[fire.weapon]
        if can_fire_at_boats(ship, index) and not fire.mode and not plan.take(order):
            orders.append(order)
    return tuple(orders)


def with_boat_fire(
    state: BattleState, view: SideView, orders: FireOrders, never: tuple[str, ...]
) -> FireOrders:
    """Return a side's fire, preceded by the ships' fire at gunboats and fighters.

    No more is fired at craft than they are likely to need. Beside a wave gun nothing else fires.
    """
    craft_by_group: dict[str, float] = {}
    for group in view.foreign_pieces_of(Group):
        if _is_threat(state, view, group):
            craft_by_group[group.id] = group.craft * ENOUGH
    if not craft_by_group:
        return orders
    fires_by_ship = dict(orders)
    for ship in view.own_ships:
        other_fires = fires_by_ship.get(ship.id, ())
        if not can_fire(state, ship) or ship.armed or wave_gun_fire(state, ship, other_fires):
            continue
        fires = _fires(state, ship, craft_by_group, never)
        if fires:
            used = [fire.weapon for fire in fires]
            rest = [fire for fire in other_fires if fire.weapon not in used]
            fires_by_ship[ship.id] = within_fire_control(ship, (*fires, *rest))
    return list(fires_by_ship.items())


def _fires(
    state: BattleState, ship: ShipState, craft_by_group: dict[str, float], never: tuple[str, ...]
) -> tuple[Fire, ...]:
    """Return a ship's fire at the group of craft of which it destroys most.

    Args:
        craft_by_group: Craft of each group that are likely to survive other fire; updated.
    """
    most_taken = 0.0
    best_name = ""
    best_weapons: list[tuple[float, str]] = []
    for name, craft in craft_by_group.items():
        weapons = _bearing_weapons(state, ship, name, never) if craft > 0 else []
        craft_taken = min(sum(hits for hits, _ in weapons), craft)
        if craft_taken > most_taken:
            most_taken, best_name, best_weapons = craft_taken, name, weapons
    if most_taken < LEAST:
        return ()
    fires: list[Fire] = []
    for hits, weapon in best_weapons:
        if craft_by_group[best_name] > 0:
            craft_by_group[best_name] -= hits
            fires.append(fire_at(weapon, (best_name,)))
    return tuple(fires)


def _bearing_weapons(
    state: BattleState, ship: ShipState, name: str, never: tuple[str, ...]
) -> list[tuple[float, str]]:
    """Return a ship's weapons that bear on a group: the mean craft destroyed, and the id.

    One-shot weapons are kept for ships.
    """
    weapons: list[tuple[float, str]] = []
    group = state.find(Group, name)
    at_fighters = group is not None and not group.row.berth
    for index, fit in enumerate(ship.sheet.fits):
        weapon = ship.profile.weapons[index]
        if not _is_for_craft(weapon, at_fighters=at_fighters):
            continue
        if not _is_free(ship, index) or not is_usable(ship, index, fit.type, never):
            continue
        aimed = aim_at_group(state, ship, index, fire=Fire(fit.id, (name,)), name=name)
        if aimed is not None:
            aimed_group, shot = aimed
            is_boats = aimed_group.row.berth > 0
            hits = _hits(
                weapon,
                fit=_as_dice_see_it(fit),
                mode=shot.mode,
                distance=float(round(shot.distance)),
                modifier=shot.modifier,
                cover=(shot.screens, shot.advanced, shot.covered),
                boats=is_boats,
            )
            if is_boats or hits > BY_LUCK:
                weapons.append((hits, fit.id))
    return sorted(weapons, reverse=True)


def _is_for_craft(weapon: Weapon, *, at_fighters: bool) -> bool:
    """Return whether a weapon is worth firing at boats or, with `at_fighters`, at fighters."""
    if weapon.fire is None or not weapon.is_aimed or weapon.is_scarce or weapon.along:
        return False
    return not (at_fighters and weapon.at_fighters is hit_on_six)


def _is_free(ship: ShipState, index: int) -> bool:
    """Return whether a weapon has not fired yet this turn and has a FireCon if it needs one."""
    id_ = ship.sheet.fits[index].id
    if id_ in ship.this_turn.point_defence_weapons or id_ in ship.this_turn.flak_guns:
        return False
    return ship.firecons > 0 or not ship.profile.weapons[index].controlled


def _as_dice_see_it(fit: Fit) -> Fit:
    """Return a system without what does not affect its dice, so that equal means are cached."""
    return replace(fit, id=fit.type, arcs=(), turret="")


def _hits(
    weapon: Weapon,
    fit: Fit,
    mode: str,
    distance: float,
    modifier: int,
    cover: tuple[int, int, int],
    boats: bool,
) -> float:
    """Return the mean number of gunboats or fighters that a weapon destroys at a distance in MU."""
    dice = EvenDice()
    total = 0
    for _ in range(THROWS):
        shot = Shot(
            subject="",
            distance=distance,
            true_distance=distance,
            size=fit.size,
            variant=fit.variant,
            flags=fit.flags,
            mode=mode,
            modifier=modifier,
        )
        shot.velocity = BOAT_VELOCITY
        shot.mass = 1
        shot.screens, shot.advanced, shot.covered = cover
        total += effect_on_craft(weapon, shot, dice, boats=boats).craft
    return total / THROWS
