"""A captain's carriers, riders and groups before launch.

Carriers launch their craft, or hold their course to recover them. Riders detach where there is an
enemy to fight, and bear damage for a mothership that flees. When a battle begins, craft with FTL
drives fly along, and multi-role groups get their roles.

Rules: Continuum "Launch and recovery" 8.1 [pc.fighter-launch]; Continuum "Battleriders and
motherships" 11.7 [pc.tugs]; Continuum "Fighter types" 8.15 [pc.fighter-types]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.fighter_tactics import MIN_CRAFT, stays_on_table
from engine.captains.common.objectives import dangerous_pieces
from engine.captains.continuum.craft_prizes import (
    can_fire_at_all,
    can_land,
    landing_load,
    must_return,
)
from engine.captains.continuum.gravity_and_gates import loss_odds_holding
from engine.captains.continuum.targets import Target
from engine.continuum.boarding import is_boarding_allowed
from engine.continuum.craft.decks import launch_fault
from engine.continuum.defence_orders import hidden_fault
from engine.continuum.riders import BearDamage, Detach
from engine.continuum.weapon_orders import SetWeapon
from engine.core.geometry import Point, dist, length_of
from engine.core.kinds import ACE, CARRIED, ON_TABLE
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import CraftType, no_fire
from engine.craft.registry import craft_type
from engine.craft.roles import roles_of, row_in
from engine.pieces.group import Group
from engine.systems.outfit import marines_of
from engine.view.side_view import SideView

LAUNCH_RANGE = 60.0  # MU to the nearest foe at which carriers launch


def deck_plots(
    state: BattleState, view: SideView, ships: Sequence[ShipState], doctrine: Doctrine
) -> dict[str, Plot]:
    """Return the plots of carriers that launch what they can, or hold their course for a landing.

    Rules: Continuum "Launch and recovery" 8.1 [pc.fighter-launch]
    """
    foes = [(contact.x, contact.y) for contact in view.contacts if contact.hostile]
    for flyer in view.foreign_pieces_of(Group):
        if view.is_hostile(flyer):
            foes.append((flyer.x, flyer.y))
    bodies = dangerous_pieces(state.pieces)
    has_craft_to_meet = _has_craft_to_meet(view)
    plots: dict[str, Plot] = {}
    for ship in ships:
        if not ship.profile.bays or not _may_hold(ship, view.table):
            continue
        if bodies and loss_odds_holding(state, bodies, ship):
            continue
        launched: tuple[str, ...] = ()
        if _is_in_launch_range(ship, foes):
            launched = _launch(state, ship, doctrine, has_craft_to_meet=has_craft_to_meet)
        if launched:
            plots[ship.id] = Plot(launch=launched)
        elif _has_group_to_land(view, ship):
            plots[ship.id] = HOLD
    return plots


def _is_in_launch_range(ship: ShipState, foes: list[tuple[float, float]]) -> bool:
    """Return whether one of the positions of foes is near enough for a ship to launch."""
    return any(dist((ship.x, ship.y), foe) <= LAUNCH_RANGE for foe in foes)


def _has_group_to_land(view: SideView, ship: ShipState) -> bool:
    """Return whether a spent group can land on a ship that holds its course."""
    for group in view.own_pieces_of(Group):
        if must_return(group) and can_land(group, ship, HOLD):
            return True
    return False


def _may_hold(ship: ShipState, table: Point) -> bool:
    """Return whether a ship is free to hold its course, and stays on the table by it."""
    return stays_on_table(ship, table) and not ship.warm and not ship.record.concealed


def _has_craft_to_meet(view: SideView) -> bool:
    """Return whether foes may have craft or ordnance, the only targets of interceptors."""
    if any(view.is_hostile(group) for group in view.foreign_pieces_of(Group)):
        return True
    for contact in view.contacts:
        profile = contact.profile
        if contact.hostile and (profile is None or profile.bays or profile.launchers):
            return True
    return False


def _launch(
    state: BattleState, ship: ShipState, doctrine: Doctrine, *, has_craft_to_meet: bool
) -> tuple[str, ...]:
    """Return the bays that a ship can launch from together, the strongest groups first.

    Craft that cannot harm ships are launched only with `has_craft_to_meet`.
    """

    def strength(index: int) -> int:
        return ship.stock[index] + (ship.record.pilots_of(ship.sheet.fits[index].id) == ACE)

    can_board = is_boarding_allowed(state) and bool(marines_of(ship))
    launched: tuple[str, ...] = ()
    for index in sorted(ship.profile.bays, key=strength, reverse=True):
        fit = ship.sheet.fits[index]
        if fit.type in doctrine.never or ship.stock[index] < MIN_CRAFT:
            continue
        row = row_in(ship, index)
        if not _has_use(row, can_board=can_board, has_craft_to_meet=has_craft_to_meet):
            continue
        if not launch_fault(state, ship, Plot(launch=(*launched, fit.id))):
            launched = (*launched, fit.id)
    return launched


def _has_use(row: CraftType, *, can_board: bool, has_craft_to_meet: bool) -> bool:
    """Return whether craft of a type would find something to do in flight."""
    if not can_fire_at_all(row) or (landing_load(row) and not can_board):
        return False
    harms_ships = bool(row.loads) or row.guns.at_ships is not no_fire
    return harms_ships or has_craft_to_meet


NEAR_ENOUGH = 48.0  # MU from an enemy within which a rider detaches
DAMAGE_SHARE = 0.5  # share of its boxes a mothership has lost before a rider bears its damage


def launch_riders(
    view: SideView, targets: Sequence[Target], plots: dict[str, Plot]
) -> dict[str, Plot]:
    """Add plots by which riders detach once an enemy is near; they keep their course."""
    own_ships = {ship.id: ship for ship in view.own_ships}
    for ship in view.own_ships:
        carrier = own_ships.get(ship.dock) if ship.status == CARRIED else None
        if carrier is None or carrier.status not in ON_TABLE or carrier.warm:
            continue
        for target in targets:
            if length_of(target.x - carrier.x, target.y - carrier.y) <= NEAR_ENOUGH:
                plots[ship.id] = Plot(further=(Detach(),))
    return plots


def protect_motherships(view: SideView, plots: dict[str, Plot]) -> dict[str, Plot]:
    """Let riders bear damage for motherships that have lost half of their boxes.

    It is the rider with most boxes left, if it has more than its mothership.
    """
    for ship in view.own_ships:
        riders = []
        for rider in view.own_ships:
            if rider.status == CARRIED and rider.dock == ship.id:
                riders.append(rider)
        if not riders or ship.id not in plots or ship.damage < ship.sheet.boxes * DAMAGE_SHARE:
            continue
        best = max(riders, key=_boxes_left)
        if _boxes_left(best) > _boxes_left(ship) and ship.record.bearer != best.id:
            plot = plots.get(ship.id, HOLD)
            plots[ship.id] = replace(plot, further=(*plot.further, BearDamage(best.id)))
    return plots


def _boxes_left(ship: ShipState) -> int:
    """Return the boxes of hull that a ship has left."""
    return ship.sheet.boxes - ship.damage


def launch_accompanying(
    state: BattleState,
    view: SideView,
    ships: Sequence[ShipState],
    plots: dict[str, Plot],
    never: tuple[str, ...],
) -> None:
    """Launch craft with FTL drives at the start of a battle, in place, whatever their ships do.

    Rules: Continuum "FTL fighters" 8.15 [pc.fighter-types]; Continuum "FTL gunboats" 9.2
    [pc.gunboats]
    """
    foes = [(contact.x, contact.y) for contact in view.contacts if contact.hostile]
    for ship in ships:
        if not _is_in_launch_range(ship, foes):
            continue
        for index in ship.profile.bays:
            if not _may_accompany(ship, index, view.turn, never):
                continue
            plot = plots.get(ship.id, HOLD)
            bay = ship.sheet.fits[index].id
            if bay in plot.launch:
                continue
            with_launch = replace(plot, launch=(*plot.launch, bay))
            if not launch_fault(state, ship, with_launch) and not hidden_fault(
                state, ship, with_launch
            ):
                plots[ship.id] = with_launch


def _may_accompany(ship: ShipState, index: int, turn: int, never: tuple[str, ...]) -> bool:
    """Return whether the craft of a bay arrive in flight this turn and can fight."""
    if ship.sheet.fits[index].type in never or not ship.stock[index]:
        return False
    row = row_in(ship, index)
    return row.arrives_in_flight(turn) and can_fire_at_all(row)


# Roles of multi-role groups in the order in which captains want them.
ATTACKS_SHIPS = (
    *("attack", "torpedo", "graser", "plasma", "mkp", "missile", "standard", "interceptor"),
    "assault-shuttle",
)
MEETS_CRAFT = ("interceptor", "standard", *ATTACKS_SHIPS)


def fit_out_groups(view: SideView, ships: list[ShipState], plots: dict[str, Plot]) -> None:
    """Give multi-role groups their roles before launch, in place.

    They attack ships; if foes have craft, every other group intercepts those.

    Rules: Continuum "Multi-role fighters" 8.15 [pc.fighter-types]
    """
    if view.turn > 1:
        return
    has_craft_to_meet = _has_known_craft(view)
    number = 0
    for ship in ships:
        for index in ship.profile.bays:
            bay = ship.sheet.fits[index].id
            row = craft_type(ship.profile.craft[index])
            roles = roles_of(row, view.terms.options, view.terms.multi_role)
            if not roles or not ship.stock[index]:
                continue
            if ship.record.setting.get(bay, 0) != row.all_roles.index(roles[0]):
                continue  # its owner chose a role
            wishes = MEETS_CRAFT if has_craft_to_meet and number % 2 else ATTACKS_SHIPS
            role = next(role for role in wishes if role in roles)
            number += 1
            plot = plots.get(ship.id, HOLD)
            plots[ship.id] = replace(plot, further=(*plot.further, SetWeapon(bay, role)))


def _has_known_craft(view: SideView) -> bool:
    """Return whether craft of other sides are in flight, or in bays of identified foes."""
    if view.foreign_pieces_of(Group):
        return True
    for contact in view.contacts:
        is_identified = contact.hostile and contact.sheet is not None
        if is_identified and contact.profile is not None and contact.profile.bays:
            return True
    return False
