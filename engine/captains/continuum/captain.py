"""The captain of Continuum, phase by phase.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from dataclasses import replace

from engine.captains.common.doctrine import CaptainContext, Doctrine
from engine.captains.common.foes import Foe, set_weights
from engine.captains.common.gunnery import Aim, fire_orders, policy_of
from engine.captains.common.mine_tactics import add_mine_orders, add_scans
from engine.captains.common.move_options import Option, move_lister_for, thrust_of
from engine.captains.common.move_search import (
    TARGETS_OF_FOES,
    AreaScreenCover,
    SearchRequest,
    predict_foes,
)
from engine.captains.common.nova_tactics import NOVA
from engine.captains.common.objectives import (
    has_reached_aim,
    prey_of,
    raise_prey_weight,
    runners_of,
    takes_move_orders,
)
from engine.captains.common.retreat import undocking_plots
from engine.captains.continuum.anti_boat_fire import with_boat_fire
from engine.captains.continuum.boarding_tactics import as_squadrons_fly, boarding_plots
from engine.captains.continuum.carriers import (
    deck_plots,
    fit_out_groups,
    launch_accompanying,
    launch_riders,
    protect_motherships,
)
from engine.captains.continuum.cloak_tactics import choose_hiders
from engine.captains.continuum.gravity_and_gates import GateExits, add_gate_closing
from engine.captains.continuum.leaving import (
    allowed_moves,
    can_jump,
    is_withdrawing,
    plot_for_edge,
    retreat,
    should_break_off,
    would_pursue,
)
from engine.captains.continuum.line_fire import line_fires, should_arm, wave_fires
from engine.captains.continuum.orbiting import (
    in_orbit,
    leaving_orbit_plots,
    plot_out_of_orbit,
    prefer_orbits,
    with_bombardment,
)
from engine.captains.continuum.ordnance_tactics import with_shaped_bolts
from engine.captains.continuum.ramming import ram_plots
from engine.captains.continuum.stealth_and_decoys import (
    decoy_plots,
    own_defence_orders,
    stays_cloaked,
)
from engine.captains.continuum.steering import bow_bonuses, collision_risk, search_inputs, steer
from engine.captains.continuum.system_targets import emp_targets
from engine.captains.continuum.targets import Target, drift_of, max_fire, targets_of, visible_state
from engine.captains.continuum.weapon_settings import weapon_orders
from engine.captains.continuum.weapon_targets import can_fire, find_aims
from engine.continuum.cores import no_command_reason
from engine.continuum.defence_orders import Cloak
from engine.continuum.drives import FLYING_STATUSES
from engine.continuum.legs import leg_of
from engine.continuum.readings import blinding_fault, scans_of, suites_of
from engine.continuum.squadrons import leader_of
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING, INSTALLATION, RETURNING
from engine.core.orders import HOLD, Fire, FireOrders, Plot
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.core.terms import ADVANCED_SENSORS
from engine.movement.docking import has_docked_ships
from engine.systems.defences import PROJECTORS
from engine.view.side_view import Contact, SideView
from engine.weapons.weapon import BOW

FOE_DOCTRINE = Doctrine()  # the assumed doctrine of foes


def plots(context: CaptainContext, view: SideView) -> dict[str, Plot]:
    """Return the plots of ships that should not just hold course and velocity."""
    doctrine = context.doctrine
    if doctrine.style == "straight" and not is_withdrawing(view.own_ships):
        return {}
    state = visible_state(view)
    targets = targets_of(view.contacts, state, ahead=True)
    if _is_leaving(context, view, targets):
        context.fleeing += 1
        going_home = _leaving_plots(context, view, state, targets)
        going_home |= _undocking_plots(view, leaving=True)
        leaving = protect_motherships(view, going_home)
        return as_squadrons_fly(state, with_shaped_bolts(context, view, leaving), scatter=True)
    set_weights([*targets], doctrine.targets)
    if view.terms.victory:
        raise_prey_weight([*targets], prey_of(view, [*targets]))
    commanded = _ships_under_command(state, view)
    orbiting = in_orbit(state, commanded)
    plots_by_ship = with_bombardment(
        state, orbiting, targets, leaving_orbit_plots(state, orbiting, targets)
    )
    plots_by_ship |= _undocking_plots(view)
    flying = [ship for ship in commanded if ship not in orbiting]
    if not flying:
        return with_shaped_bolts(context, view, launch_riders(view, targets, plots_by_ship))
    if targets:
        _predict_foes(state, targets, flying)
    plots_by_ship |= _move_plots(context, view, state, flying, targets=targets)
    plots_by_ship = _with_special_orders(
        context, view, state, flying, targets=targets, plots_by_ship=plots_by_ship
    )
    return as_squadrons_fly(state, with_shaped_bolts(context, view, plots_by_ship))


def _is_leaving(context: CaptainContext, view: SideView, targets: list[Target]) -> bool:
    """Return whether the side leaves the battle, having fled, lost too much or won."""
    return bool(
        context.fleeing
        or should_break_off(view.own_ships, targets, context.doctrine)
        or (view.terms.victory and has_reached_aim(view))
    )


def _ships_under_command(state: BattleState, view: SideView) -> list[ShipState]:
    """Return the side's ships that take plots of their own, and so not those that are led."""
    pier_ids = {ship.dock for ship in view.own_ships if ship.status == FIGHTING}
    result: list[ShipState] = []
    for ship in view.own_ships:
        holds_for_docked = ship.id in pier_ids and ship.sheet.kind != INSTALLATION
        if _takes_orders(ship) and not holds_for_docked and leader_of(state, ship) is None:
            result.append(ship)
    return result


def _takes_orders(ship: ShipState) -> bool:
    """Return whether a ship flies by itself and has a bridge to take orders."""
    if ship.status not in FLYING_STATUSES or ship.docking != FREE or ship.dummy:
        return False
    return not no_command_reason(ship)


def _move_plots(
    context: CaptainContext,
    view: SideView,
    state: BattleState,
    flying: list[ShipState],
    targets: list[Target],
) -> dict[str, Plot]:
    """Return the plots of moves to the best places, with orders for weapons and defences."""
    doctrine = context.doctrine
    never = doctrine.never
    runners = runners_of(view) if view.terms.victory else ()
    fleet_centre = _middle(flying)
    covers: list[AreaScreenCover] = []

    def best_option(ship: ShipState, *, unseen: bool) -> Option:
        return steer(
            state,
            ship,
            targets,
            fleet_centre,
            doctrine=doctrine,
            dice=context.dice,
            covers=covers,
            unseen=unseen,
        )

    options: dict[str, Option] = {}
    # The others gather around those with area screens.
    for ship in sorted(flying, key=lambda ship: -_projected(ship, never)):
        option = best_option(ship, unseen=stays_cloaked(state, ship))
        options[ship.id] = option
        if levels := _projected(ship, never):
            covers.append(AreaScreenCover(option.x, option.y, levels))
    turns_hidden = choose_hiders(state, options, targets, never)
    plots_by_ship: dict[str, Plot] = {}
    for ship in flying:
        if ship.id in runners:
            plot = plot_for_edge(state, ship, view.terms.jump_edge(view.side))
        elif _should_arm_nova(state, ship, targets, never):
            plot = NOVA
        else:
            option = options[ship.id]
            if ship.id in turns_hidden:
                option = best_option(ship, unseen=True)
                cloak = Cloak(turns_hidden[ship.id])
                option = option._replace(further=(*option.further, cloak))
            plot = _plot_of(state, ship, option, targets, never=never)
        if plot is not HOLD:
            plots_by_ship[ship.id] = plot
    return plots_by_ship


def _should_arm_nova(
    state: BattleState, ship: ShipState, targets: list[Target], never: tuple[str, ...]
) -> bool:
    """Return whether a ship puts its power into a nova cannon this turn."""
    if BOW not in ship.profile.along:
        return False
    return should_arm(state, ship, targets, never, guns=max_fire(ship, never))


def _with_special_orders(
    context: CaptainContext,
    view: SideView,
    state: BattleState,
    flying: list[ShipState],
    targets: list[Target],
    plots_by_ship: dict[str, Plot],
) -> dict[str, Plot]:
    """Return the plots with all other orders: craft, rams, boarding, mines, orbits and scans."""
    doctrine = context.doctrine
    if any(ship.profile.bays for ship in flying):
        plots_by_ship |= deck_plots(state, view, flying, doctrine)
        launch_accompanying(state, view, ships=flying, plots=plots_by_ship, never=doctrine.never)
        fit_out_groups(view, flying, plots_by_ship)
    plots_by_ship |= ram_plots(state, flying, targets)
    plots_by_ship |= boarding_plots(state, flying, targets)
    add_mine_orders(
        view, ships=flying, plots=plots_by_ship, foes=targets, doctrine=doctrine, path_of=_way
    )
    plots_by_ship = with_bombardment(
        state, flying, targets, prefer_orbits(state, flying, plots_by_ship)
    )
    add_gate_closing(state, view, plots_by_ship)
    launch_riders(view, targets, plots_by_ship)
    _scans(state, view, flying, plots=plots_by_ship, targets=targets)
    if view.bogeys:
        plots_by_ship |= decoy_plots(state, view, plots_by_ship)
    return plots_by_ship


def _scans(
    state: BattleState,
    view: SideView,
    flying: list[ShipState],
    plots: dict[str, Plot],
    targets: list[Target],
) -> None:
    """Add active scans to plots, in place, except for ships that their own area ECM blinds.

    Rules: Continuum "Sensors and ECM" 12.1, "Advanced sensors" 12.2 [pc.sensors]
    """
    if not (view.bogeys or ADVANCED_SENSORS in view.terms.options):
        return
    sheets_readable = {ship.id: len(suites_of(state, ship)) for ship in flying}

    def scan_count(ship: ShipState) -> int:
        plot = plots.get(ship.id, HOLD)
        silent = plot.nova or blinding_fault(state, ship, replace(plot, scan=("",)))
        if silent or ship.id not in sheets_readable:
            return 0
        return scans_of(ship)

    add_scans(
        view,
        plots,
        foes=[*targets],
        end_of=_end_of,
        scans=scan_count,
        readers={name: count for name, count in sheets_readable.items() if count},
    )


def _end_of(ship: ShipState, plot: Plot) -> Point:
    """Return where a ship's move by a plot ends."""
    return _way(ship, plot)[-1]


def _way(ship: ShipState, plot: Plot) -> tuple[Point, ...]:
    """Return the points of a ship's path by a plot."""
    return leg_of(ship, plot).path


def _predict_foes(state: BattleState, targets: list[Target], own_ships: list[ShipState]) -> None:
    """Move foes to where they will be if they think as this captain does."""
    seen_ships = []
    for ship in own_ships:
        if ship.status == FIGHTING:
            contact = Contact(ship, hostile=True, name=ship.contact)
            seen_ships.append(Target(contact, ship, state, ahead=True))
    if not seen_ships:
        return
    set_weights([*seen_ships], TARGETS_OF_FOES)
    fleet_centre = _centre_of(targets)
    ship_by_contact = {target.contact.id: target.ship for target in targets}
    watched = [target.factors() for target in seen_ships]

    def search_of(foe: Foe) -> SearchRequest | None:
        ship = ship_by_contact[foe.contact.id]
        can_steer = foe.contact.is_speed_known and ship.thrust and ship.status == FIGHTING
        if not can_steer or foe.known_armament() is None:
            return None
        return SearchRequest(
            search_inputs(
                state, ship, watched, fleet_centre, doctrine=FOE_DOCTRINE, covers=[], known_foe=foe
            ),
            move_lister_for(ship, thrust_of(state, ship)),
            bonuses=bow_bonuses(ship, seen_ships, ()),
            risk=collision_risk(state, ship),
        )

    predict_foes(targets, search_of)


def _centre_of(targets: list[Target]) -> Point:
    """Return the centre of foes, where they will be."""
    x = sum(target.x for target in targets) / len(targets)
    y = sum(target.y for target in targets) / len(targets)
    return x, y


def _undocking_plots(view: SideView, *, leaving: bool = False) -> dict[str, Plot]:
    """Return the plots of docked ships that cast off; without a bridge a ship takes no orders."""
    undocking = undocking_plots(view, leaving=leaving)
    result: dict[str, Plot] = {}
    for ship in view.own_ships:
        if ship.id in undocking and not no_command_reason(ship):
            result[ship.id] = undocking[ship.id]
    return result


def _projected(ship: ShipState, never: tuple[str, ...]) -> int:
    """Return the levels of the area screens that a ship projects.

    Args:
        never: The types of system that its side leaves unused.
    """
    if not ship.profile.area:
        return 0
    levels = 0
    for type_ in PROJECTORS:
        if type_ not in never and type_ in ship.profile.indexes_by_type:
            levels += sum(ship.alive[place] for place in ship.profile.indexes_by_type[type_])
    return levels


def _leaving_plots(
    context: CaptainContext, view: SideView, state: BattleState, targets: list[Target]
) -> dict[str, Plot]:
    """Return plots by which all ships leave, over the jump edge if there is one."""
    edge = view.terms.jump_edge(view.side)
    plots: dict[str, Plot] = {}
    gates = GateExits(state, view)
    for ship in view.own_ships:
        if not _may_leave(state, ship):
            continue
        if edge and ship.status == FIGHTING:
            if ship.orbits:
                plots[ship.id] = plot_out_of_orbit(state, ship)
            else:
                plots[ship.id] = plot_for_edge(state, ship, edge)
            continue
        jumps = can_jump(state, ship, view)
        plot = None
        if not ship.orbits:
            plot = gates.plot_of(ship, allowed_moves(state, ship), jumps=jumps)
        plots[ship.id] = plot or retreat(state, ship, view, targets, waited=context.fleeing)
    return plots


def _may_leave(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship takes orders to leave; it holds its course while others are docked."""
    if ship.status not in (*FLYING_STATUSES, RETURNING) or not takes_move_orders(ship):
        return False
    return not no_command_reason(ship) and not has_docked_ships(state, ship)


def fire(context: CaptainContext, view: SideView) -> FireOrders:
    """Return fire orders, with ships in the order of their firing turns."""
    state = visible_state(view)
    never = context.doctrine.never
    targets = []
    for target in targets_of(view.contacts, state, ahead=False):
        if target.contact.sheet is not None:
            targets.append(target)
    if not targets:
        return with_boat_fire(state, view, [], never)
    set_weights([*targets], context.doctrine.targets)
    if view.terms.victory:
        raise_prey_weight([*targets], prey_of(view, [*targets]))
    ship_by_contact = {target.contact.id: target.ship for target in targets}

    def line_fire(ship: ShipState, aims: list[Aim]) -> tuple[tuple[Fire, ...], bool]:
        """Return fire along lines; a ship with a wave gun or nova cannon fires nothing else."""
        wave = wave_fires(state, ship, targets, never, guns=sum(aim.worth for aim in aims))
        if wave:
            return (wave, True)
        return (line_fires(state, ship, targets, never), False)

    def spread(foe: Foe, number: int) -> tuple[str, ...]:
        return emp_targets(ship_by_contact[foe.contact.id], number)

    plans = []
    for ship in view.own_ships:
        if can_fire(state, ship):
            plans.append((ship, find_aims(state, ship, targets, never)))
    orders = fire_orders(
        plans,
        foes=[*targets],
        doctrine=context.doctrine,
        other_fire=line_fire,
        spread=spread,
        policy=policy_of(state.terms),
    )
    return with_boat_fire(state, view, orders, never)


def pursues(context: CaptainContext, view: SideView) -> bool:
    """Return whether its side pursues one that disengages."""
    return would_pursue(
        view, context.doctrine, fleeing=context.fleeing > 0 or is_withdrawing(view.own_ships)
    )


def _middle(ships: list[ShipState]) -> Point:
    """Return where the centre of the ships will be if all fly on."""
    x = y = 0.0
    for ship in ships:
        drift_x, drift_y = drift_of(ship)
        x += ship.x + drift_x
        y += ship.y + drift_y
    return x / len(ships), y / len(ships)


def _plot_of(
    state: BattleState,
    ship: ShipState,
    option: Option,
    targets: list[Target],
    never: tuple[str, ...],
) -> Plot:
    """Return a ship's plot: its move, and the orders for weapons and defences at its end.

    Args:
        never: The ids of contacts at which the ship must not fire.

    Rules: Continuum "Orders" 3.5 [pc.movement]
    """
    further = (
        *option.further,
        *weapon_orders(state, ship, option, targets, never=never),
        *own_defence_orders(state, ship, option, targets, never=never),
    )
    if further:
        return replace(option.plot(), further=further)
    return option.plot()
