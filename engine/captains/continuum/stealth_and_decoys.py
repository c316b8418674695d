"""Reflex fields, stealth and ECM of a captain's ships, and the movement of decoy drones.

Decoys fly beside real ships, so that they are taken for such.

Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]; Continuum "Reflex field" 7.25
[pc.reflex-field]; Continuum "Dummy bogeys and weasel boats" 12.3 [pc.sensors]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.captains.common.fighter_tactics import CRAFT_PER_DIE, points_with
from engine.captains.common.move_options import Option, arc_reference
from engine.captains.common.move_search import fire_worth
from engine.captains.continuum.targets import (
    Target,
    armament_of,
    armour_boxes,
    armour_ratio_of,
    defence_of,
    max_fire,
)
from engine.continuum.defence_orders import Cloak, Jam, RaiseReflexField, SwitchStealth
from engine.continuum.defence_plans import defence_weapon_count
from engine.continuum.defences import is_cloaked_ship, stealth_of, working_count
from engine.continuum.drives import FLYING_STATUSES, move_fault, plot_limits
from engine.continuum.readings import suites_of
from engine.core.geometry import COURSES, is_within, squared_length
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import SENSOR_ECM
from engine.pieces.group import Group
from engine.systems.defences import (
    CLOAKS,
    MAX_STEALTH,
    aiming_range,
    effective_range,
    hull_level,
    stealth_level,
)
from engine.view.side_view import SideView
from engine.weapons.weapon import Trait

HANGARS = ("hangar", "combined-hangar")
ORDERED = frozenset((*CLOAKS, "reflex-field", "stealth-field", "ecm"))
# How much the fire a ship avoids must outweigh the fire it gives up.
REFLECTS = 1.3
LOSS = 2.0  # factor for fire that could destroy a ship
# Share of attacking craft that point defence must destroy to make the field useless against them.
CRAFT_SHARE = 0.7
SECOND_MOVE = 12.0  # MU of a craft's secondary move
LEAST = 0.2  # points of expected damage below which no ship hides


class FireExchange(NamedTuple):
    """The expected fire of a turn at the end of a move: damage done, and damage taken."""

    dealt: float
    feared: float


def fire_exchange(
    state: BattleState,
    ship: ShipState,
    option: Option,
    targets: list[Target],
    never: tuple[str, ...],
    level: int | None = None,
) -> FireExchange:
    """Return the fire a ship expects to give and take at the end of a move.

    It fires at its best target; foes share their fire among all they see.

    Args:
        level: The level of stealth, if not the present one.
    """
    defence, range_factor = defence_of(state, ship)
    if level is None:
        level = stealth_of(ship)
    if ship.sheet.stealth or level:
        range_factor = effective_range(1.0, level)
    own = armament_of(ship, never)
    armour_ratio = armour_ratio_of(ship)
    slope = own.compass.slope
    facing = arc_reference(option.course, ship.sheet.beta)
    farthest = aiming_range(level)
    points_dealt = points_taken = 0.0
    for target in targets:
        dx, dy = target.x - option.x, target.y - option.y
        if dx * dx + dy * dy <= farthest * farthest:
            table = own.table(target.defence, target.armour_ratio)
            worth = fire_worth(
                table, dx, dy, facing=facing, slope=slope, range_factor=target.range_factor
            )
            points_dealt = max(points_dealt, worth)
        points_taken += fire_worth(
            target.fire_at(defence, armour_ratio),
            dx=-dx,
            dy=-dy,
            facing=(target.ux, target.uy),
            slope=slope,
            range_factor=range_factor,
        )
    boxes_left = ship.sheet.boxes - ship.damage + armour_boxes(ship)
    factor = LOSS if points_taken > boxes_left else 1.0
    return FireExchange(points_dealt, points_taken * _share(state, ship, never) * factor)


def _share(state: BattleState, ship: ShipState, never: tuple[str, ...]) -> float:
    """Return the share of the foes' fire that a ship draws, by its own fire and its boxes."""
    attraction = {}
    for friend in state.ships:
        if friend.commander == ship.commander and friend.status in FLYING_STATUSES:
            attraction[friend.id] = (max_fire(friend, never) + 1.0) / (
                friend.sheet.boxes - friend.damage + armour_boxes(friend) + 2.0
            )
    return attraction[ship.id] / sum(attraction.values())


def stays_cloaked(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship will still be cloaked when fire begins this turn."""
    return ship.record.cloaked > state.turn


def has_hiding_gear(ship: ShipState) -> bool:
    """Return whether a ship has any defences that take orders."""
    return ship.sheet.stealth == MAX_STEALTH or not ORDERED.isdisjoint(ship.profile.indexes_by_type)


def _should_raise_reflex(
    state: BattleState,
    ship: ShipState,
    option: Option,
    targets: list[Target],
    never: tuple[str, ...],
) -> bool:
    """Return whether an outgunned ship raises its reflex field, behind which it cannot fire."""
    if "reflex-field" in never or not working_count(ship, "reflex-field"):
        return False
    if is_cloaked_ship(ship) or stays_cloaked(state, ship):
        return False
    exchange = fire_exchange(state, ship, option, targets, never=never)
    feared = exchange.feared + _points_feared_from_craft(state, ship, option)
    return feared > LEAST and feared > exchange.dealt * REFLECTS


def _points_feared_from_craft(state: BattleState, ship: ShipState, option: Option) -> float:
    """Return the expected points from craft whose weapons the reflex field affects.

    It is 0 if point defence would stop most of them anyway.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    feared = craft = 0.0
    for group in state.pieces_of(Group):
        if group.is_exhausted or not state.hostile[ship.commander] >> group.commander & 1:
            continue
        guns = group.row.guns
        reach = guns.reach + SECOND_MOVE
        is_near = is_within(squared_length(group.x - option.x, group.y - option.y), reach)
        has_only_guns = guns.energy and not any(load.fires() for load in group.row.loads)
        if is_near and has_only_guns:
            feared += points_with(guns, defence_of(state, ship)[0].screens) * group.craft
            craft += group.craft
    if defence_weapon_count(ship) * CRAFT_PER_DIE < craft * CRAFT_SHARE:
        return feared
    return 0.0


def own_defence_orders(
    state: BattleState,
    ship: ShipState,
    option: Option,
    targets: list[Target],
    never: tuple[str, ...],
) -> list[FurtherOrder]:
    """Return a ship's orders about its own defences, except cloaks, for a plot with this move."""
    orders: list[FurtherOrder] = []
    if not targets or ship.status != FIGHTING or not has_hiding_gear(ship):
        return orders
    cloaks = any(isinstance(order, Cloak) for order in option.further)
    if not cloaks and _should_raise_reflex(state, ship, option, targets, never=never):
        orders.append(RaiseReflexField())
    orders += _stealth_orders(state, ship, option, targets, never=never)
    if working_count(ship, "ecm") and "ecm" not in never and _should_jam(state, ship, targets):
        orders.append(Jam(("ecm",)))
    return orders


def _should_jam(state: BattleState, ship: ShipState, targets: list[Target]) -> bool:
    """Return whether a ship switches on its own ECM.

    It helps against weapons that lock on, while the ship is a bogey, and against scans of its
    record sheet, unless the ship has to scan itself.

    Rules: Continuum "ECM" 7.18, "Electronic counter measures" 12.4 [pc.ecm]
    """
    if any(_locks_on(target.ship) for target in targets):
        return True
    if SENSOR_ECM in state.terms.options and suites_of(state, ship):
        return False
    return ship.bogey or SENSOR_ECM in state.terms.options


def _locks_on(ship: ShipState) -> bool:
    """Return whether a ship has weapons that lock on to targets: missiles or fighters."""
    return Trait.LOCKS_ON in ship.profile.having or any(
        name in ship.profile.indexes_by_type for name in HANGARS
    )


def _stealth_orders(
    state: BattleState,
    ship: ShipState,
    option: Option,
    targets: list[Target],
    never: tuple[str, ...],
) -> list[FurtherOrder]:
    """Return the order that switches a very stealthy ship's sensors, if it should.

    Active sensors let it fire farther but make it easier to hit.
    """
    fields = working_count(ship, "stealth-field")
    if stealth_level(hull_level(ship.sheet, ship.damage), fields, active=False) < MAX_STEALTH:
        return []
    passive = fire_exchange(state, ship, option, targets, never=never, level=MAX_STEALTH)
    active = fire_exchange(state, ship, option, targets, never=never, level=1)
    should_be_active = active.dealt - active.feared > passive.dealt - passive.feared
    if should_be_active == ship.record.stealth_active:
        return []
    return [SwitchStealth("active" if should_be_active else "passive")]


COURSE_COUNT = len(COURSES) - 1


def decoy_plots(state: BattleState, view: SideView, plots: Mapping[str, Plot]) -> dict[str, Plot]:
    """Return plots for decoys, each of which keeps with the real ship nearest to it.

    A decoy without such a ship flies on, as does one in orbit, which cannot turn.

    Args:
        plots: The plots of the real ships.
    """
    plots_by_decoy: dict[str, Plot] = {}
    real_ships = [ship for ship in view.own_ships if ship.status == FIGHTING and not ship.dummy]
    for decoy in view.own_ships:
        if not decoy.dummy or decoy.status != FIGHTING or not real_ships or decoy.orbits:
            continue
        leader = min(
            real_ships,
            key=lambda ship: (squared_length(ship.x - decoy.x, ship.y - decoy.y), ship.id),
        )
        plot = _follow_plot(state, decoy, leader, plots.get(leader.id, HOLD))
        if plot != HOLD and not move_fault(state, decoy, plot):
            plots_by_decoy[decoy.id] = plot
    return plots_by_decoy


def _follow_plot(state: BattleState, decoy: ShipState, leader: ShipState, plot: Plot) -> Plot:
    """Return the move that brings a decoy nearest to its leader's next course and velocity.

    Args:
        plot: The leader's.
    """
    if decoy.drift is not None or leader.drift is not None:
        return Plot(burns=plot.burns)
    turn_limit, thrust_limit = plot_limits(state, decoy)
    next_course = leader.course + plot.turn + plot.second
    half_circle = COURSE_COUNT // 2
    points_off = (next_course - decoy.course + half_circle) % COURSE_COUNT - half_circle
    turn = max(-turn_limit, min(turn_limit, points_off))
    faster = leader.velocity + plot.thrust - decoy.velocity
    thrust_left = thrust_limit - abs(turn)
    return Plot(turn=turn, thrust=max(-min(thrust_left, decoy.velocity), min(thrust_left, faster)))
