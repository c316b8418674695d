"""One turn of Continuum: its fifteen phases between decision points.

The decision points are plots, attacks of craft, point defence, fire and damage control.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.disengaging import disengage
from engine.continuum.blasts import pending_blasts
from engine.continuum.boarding import BoarderOrders, boarding_phase, come_aboard
from engine.continuum.checks import checks_phase
from engine.continuum.craft.decks import launch_groups
from engine.continuum.craft.dogfights import fight_all
from engine.continuum.craft.loads import launch_loads
from engine.continuum.craft.moves import follow_ships, make_secondary_moves, move_craft
from engine.continuum.craft.scramble import resolve_late_groups, scramble
from engine.continuum.craft.shuttles import lose_passengers, passenger_groups
from engine.continuum.craft.targets import Attacks, declare
from engine.continuum.damage import regenerate_armour
from engine.continuum.damage_control import damage_control
from engine.continuum.defence_level import is_by_level, resolve_by_level
from engine.continuum.defence_orders import cloaks_end, cloaks_fail
from engine.continuum.defence_plans import Defences
from engine.continuum.drives import before_rolls, roll_emergency_thrust
from engine.continuum.fire_phase import fire_phase
from engine.continuum.flak import burst_all_flak
from engine.continuum.fleet_morale import check_losses, is_withdrawing
from engine.continuum.ftl import place_arrival_markers
from engine.continuum.gates import activate_needed_gates, transfer_ships
from engine.continuum.homing import has_chasing_rockets, home_ordnance
from engine.continuum.launching import Launches, launch_all
from engine.continuum.mines import start_sweeping
from engine.continuum.movement import apply_orders_before_moves, move_ships
from engine.continuum.point_defence import drop_ordnance, resolve_ordnance
from engine.continuum.reactors import drift_hulks, end_of_turn
from engine.continuum.riders import share_carrier_fate
from engine.continuum.squadrons import break_up_stands, form_up
from engine.continuum.suicide_charges import detonate, detonate_destroyed, roll_damaged_charges
from engine.continuum.towing import make_links, release_ships
from engine.continuum.weapon_orders import arm_cannons
from engine.core.kinds import CARRIED
from engine.core.orders import Control, Flight, Plot
from engine.core.table import Table
from engine.core.terms import FLEET_MORALE
from engine.events.fire import OrderOfOthersSet
from engine.movement.docking import cast_off
from engine.order_requests.auto_point_defence import record_auto_defence
from engine.order_requests.engage import FireAndPursuit
from engine.order_requests.order_of_others import OthersOrders
from engine.order_requests.plot import valid_plots
from engine.pieces.flak import Flak
from engine.pieces.group import Group
from engine.sequences import end_turn


def open_orders(table: Table, plots: Mapping[str, Plot]) -> dict[str, Plot]:
    """Open the orders (phase 1) and return the plots carried out, by ship.

    A ship that cannot carry out its plot holds its course and speed. Ships in a squadron get their
    leader's plot. Ships whose emergency thrust fails get their fallback plot.

    Rules: Continuum "Write orders phase" 2.6 [pc.sequence]
    """
    orders = valid_plots(table, plots)
    place_arrival_markers(table)
    form_up(table, orders)
    release_ships(table, orders)
    roll_emergency_thrust(table, orders)
    apply_orders_before_moves(table, orders)
    activate_needed_gates(table)
    start_sweeping(table, orders)
    arm_cannons(table, orders)
    return orders


def move(
    table: Table,
    plots: Mapping[str, Plot],
    launches: Launches,
    flights: Mapping[str, Flight],
    secondary: Mapping[str, Flight],
    auto_defences: Mapping[str, bool],
) -> None:
    """Resolve phases 1 to 5: open orders, launch ordnance and craft, move craft, then ships.

    Without craft, ordnance also finds its targets (phase 7).

    Rules: Continuum 2.6 [pc.sequence]
    """
    record_auto_defence(table, auto_defences)
    orders = open_orders(table, plots)
    with before_rolls(table.state, orders):
        launch_all(table, launches)
    launch_loads(table, launches)
    launch_groups(table, orders)
    if flights or table.state.has(Group):
        move_craft(table, flights, orders)
        make_secondary_moves(table, secondary, robots=True)
    drift_hulks(table, move_ships(table, orders))
    make_links(table, orders)
    cloaks_end(table)
    detonate_destroyed(table)
    if table.state.has(Group):
        follow_ships(table)
    if table.state.has(Flak):
        burst_all_flak(table)
        detonate_destroyed(table)
    if not table.state.has(Group):
        home_ordnance(table)


def attack(table: Table, attacks: Attacks, secondary: Mapping[str, Flight]) -> None:
    """Resolve phases 6 to 8 of craft: secondary moves, homing, attacks declared, dogfights.

    Rules: Continuum 2.6 [pc.sequence]
    """
    make_secondary_moves(table, secondary, robots=False)
    home_ordnance(table)
    answering = declare(table, attacks)
    carriers = passenger_groups(table.state)
    fight_all(table, answering)
    lose_passengers(table, carriers)


def defend(table: Table, orders: Defences, auto_defences: Mapping[str, bool]) -> None:
    """Resolve phases 9 and 10: scrambles, point defence, and the attacks that get through.

    Rules: Continuum 2.6 [pc.sequence]
    """
    record_auto_defence(table, auto_defences)
    if is_by_level(table.state):
        resolve = resolve_by_level
    else:
        resolve = resolve_ordnance
    carriers = passenger_groups(table.state)
    late = scramble(table, orders)
    resolve(table, orders)
    resolve_late_groups(table, late)
    lose_passengers(table, carriers)
    detonate_destroyed(table)


def resolve_unopposed(table: Table) -> None:
    """Resolve phase 10 without orders, if no enemy ship is near ordnance that explodes.

    Blasts may still hit craft, ordnance, mines and friends, and rockets may hit gunboats.

    Rules: Continuum 2.6 [pc.sequence]; Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    if pending_blasts(table.state) or has_chasing_rockets(table.state):
        defend(table, {}, {})


def engage(table: Table, engagement: FireAndPursuit, others: OthersOrders) -> None:
    """Resolve phases 8 to 13: all fire, then the checks.

    Ships that left over an edge disengage before damage control, so that sides choose about pursuit
    at only one decision point.

    Rules: Continuum 2.6 [pc.sequence]
    """
    for side, names in others.standing.items():
        if names != table.state.lets.get(side, ()):
            table.carry_out(OrderOfOthersSet(table.turn, table.state.sides[side], names))
    fire = table.state.by_commander(engagement.fire)
    aftermath = fire_phase(table, fire, others)
    if aftermath.landed or aftermath.brought:
        come_aboard(table, aftermath)
    detonate(table)
    checks_phase(table, aftermath)
    disengage(
        table, tuple(side for side in engagement.pursue if not is_withdrawing(table.state, side))
    )


def control(table: Table, orders: Mapping[str, Control], boards: BoarderOrders) -> None:
    """Resolve phases 12 and 14: fights aboard ships with their checks, then damage control.

    Fire has been checked before, so crews know what to repair when they choose who repels boarders.

    Rules: Continuum 2.6 [pc.sequence]
    """
    boarding_phase(table, orders, boards)
    damage_control(table, orders)


def finish(table: Table) -> None:
    """Resolve phase 15 and the end of a turn, which may end the battle.

    Rules: Continuum 2.6 [pc.sequence]
    """
    if table.state.pieces:
        drop_ordnance(table)
    end_of_turn(table)
    roll_damaged_charges(table)
    regenerate_armour(table)
    cloaks_fail(table)
    if any(ship.record.stand for ship in table.state.ships):
        break_up_stands(table)
    if FLEET_MORALE in table.state.terms.options:
        check_losses(table)
    if table.state.pieces:
        transfer_ships(table)
    if any(ship.status == CARRIED for ship in table.state.ships):
        share_carrier_fate(table)
    table.state.end_turn()
    cast_off(table)
    end_turn(table)
