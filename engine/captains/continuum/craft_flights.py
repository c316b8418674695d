"""Where a captain's craft fly: to a target, to a ship that they screen, or home.

Rules: Continuum "Movement" 8.5, "Screens and pursuits" 8.6 [pc.fighter-move]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from engine.captains.common.doctrine import CaptainContext
from engine.captains.common.fighter_tactics import ROUNDING_MARGIN, is_near
from engine.captains.continuum.bombing import bombing_run, bombs_of
from engine.captains.continuum.craft_prizes import (
    STAND,
    Prize,
    attack_worth,
    best_at_craft,
    can_land,
    is_guard_type,
    must_return,
    prizes_of,
    stand_off_of,
)
from engine.captains.continuum.guard_boat_tactics import guard_flight
from engine.captains.continuum.targets import Target, drift_of, visible_state
from engine.continuum.craft.decks import is_boats, landing_fault, landings_per_turn
from engine.continuum.craft.guard_boats import guards_of
from engine.continuum.craft.morale import attack_chance
from engine.continuum.craft.moves import in_order, is_robot, secondary_speed, speed
from engine.continuum.craft.targets import may_attack
from engine.continuum.defence_level import is_by_level as goes_by_level
from engine.core.facts import FOREVER
from engine.core.geometry import Point, dist
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Flight
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.versions import LANDINGS_THAT_FIT
from engine.fighters.flights import heading
from engine.pieces.group import Group
from engine.view.side_view import SideView

ENDURANCE_KEPT = 1  # turns of endurance that secondary moves must leave
EVASION_THRESHOLD = 4  # weapons of a ship from which on a group with spare endurance evades


def flight_orders(context: CaptainContext, view: SideView) -> dict[str, Flight]:
    """Return orders for the side's groups, including those about to be launched.

    Rules: Continuum "Movement" 8.5, "Screens and pursuits" 8.6 [pc.fighter-move]
    """
    launching = _launching(context, view)
    groups = [*view.own_pieces_of(Group), *launching]
    if not groups:
        return {}
    state = visible_state(view)
    prizes = [] if context.fleeing else prizes_of(view, state, ahead=True)
    plan = _FlightPlan(context, view, state, prizes)
    orders: dict[str, Flight] = {}
    aboard = {group.id for group in launching}  # which land in a later turn at the earliest
    if view.terms.follows(LANDINGS_THAT_FIT):
        groups = in_order(state, groups)  # as they land: a group may leave no room for the next
    for group in groups:
        flight = _flight(plan, group)
        if flight is not None and not (flight.land and group.id in aboard):
            orders[group.id] = flight
    return orders


@dataclass(slots=True)
class _FlightPlan:
    """The flights of a side's groups, so far.

    Attributes:
        prizes: The ships that may be attacked.
        craft_sent: Craft already on their way to each ship, by its id.
        landed: How many groups of fighters, or of boats, already land on each ship.
        decks: Copies of the ships on which groups land, with these groups aboard, by id.
    """

    context: CaptainContext
    view: SideView
    state: BattleState
    prizes: list[Prize]
    craft_sent: dict[str, float] = field(default_factory=dict)
    landed: Counter[tuple[str, bool]] = field(default_factory=Counter)
    decks: dict[str, ShipState] = field(default_factory=dict)


def _launching(context: CaptainContext, view: SideView) -> list[Group]:
    """Return the groups that the side's ships were just ordered to launch, as they will be."""
    result: list[Group] = []
    for ship in view.own_ships:
        for bay in context.plotted.get(ship.id, HOLD).launch:
            result.append(
                Group.aboard(
                    ship,
                    index=ship.profile.index_of[bay],
                    contact="",
                    at=(ship.x, ship.y),
                    course=ship.course,
                    turn=view.turn,
                )
            )
    return result


def _flight(plan: _FlightPlan, group: Group) -> Flight | None:
    """Return one group's order: home if spent, screen a ship, or attack the one it hurts most."""
    context, view, state = plan.context, plan.view, plan.state
    if must_return(group) or context.fleeing:
        return _homeward(plan, group)
    far = speed(group, view.turn)
    if is_guard_type(group.row):
        guarded_ship = _ship_to_screen(view, group)
        if guarded_ship is not None:
            return Flight(screen=guarded_ship.id)
        if guards_of(group.row) and not goes_by_level(state):
            return guard_flight(context, view, group, far=far, boats_sent=plan.craft_sent)
    bombs = bombs_of(group.row)
    if bombs is not None:
        ships = [prize.target.ship for prize in plan.prizes]
        drop_point = bombing_run(state, group, bombs, ships, far=far)
        return Flight(to=drop_point) if drop_point is not None else None
    return _attack_flight(plan, group, far)


def _attack_flight(plan: _FlightPlan, group: Group, far: float) -> Flight | None:
    """Return the flight to the ship that a group hurts most; None if there is no ship to attack.

    Args:
        far: The MU that the group can fly.
    """
    rated = []
    for number, prize in enumerate(plan.prizes):
        rated.append((attack_worth(plan.state, group, prize, plan.craft_sent), number))
    if not rated:
        return None
    worth, number = max(rated)
    target = plan.prizes[number].target
    target_id = target.contact.id
    attacking_craft = group.craft * attack_chance(plan.state, group) if worth > 0 else 0
    plan.craft_sent[target_id] = plan.craft_sent.get(target_id, 0.0) + attacking_craft
    has_spare_endurance = group.has_endurance_for(3) and not group.row.berth
    return replace(
        _flight_to(group, target, far, plan.view.table),
        evades_at=EVASION_THRESHOLD if has_spare_endurance else 0,
    )


def _flight_to(group: Group, target: Target, far: float, table: Point) -> Flight:
    """Return the flight to a place from which a group can attack a target, facing it."""
    to = _towards(
        (group.x, group.y),
        to=(target.x, target.y),
        far=far,
        table=table,
        stand_off=stand_off_of(group.row),
    )
    return Flight(to=to, face=heading(target.x - to[0], target.y - to[1]))


def _ship_to_screen(view: SideView, group: Group) -> ShipState | None:
    """Return the most valuable ship that a group can screen this turn; None without a threat."""
    if not any(view.is_hostile(flyer) for flyer in view.foreign_pieces_of(Group)):
        return None
    far = speed(group, view.turn)
    in_reach = []
    for ship in view.own_ships:
        is_here = ship.status == FIGHTING and not ship.record.concealed
        if is_here and is_near(group, ship, far):
            in_reach.append(ship)
    return max(
        in_reach,
        key=lambda ship: (bool(ship.profile.bays), ship.sheet.points, ship.id),
        default=None,
    )


def _towards(at: Point, to: Point, far: float, table: Point, stand_off: float = STAND) -> Point:
    """Return the nearest point to a place in reach and on the table, not nearer than `stand_off`.

    Args:
        far: The MU that can be flown.
    """
    distance = dist(at, to)
    step = 0.0
    if distance:
        step = min(far - ROUNDING_MARGIN, max(distance - stand_off, 0.0)) / distance
    x, y = at[0] + (to[0] - at[0]) * step, at[1] + (to[1] - at[1]) * step
    return round(min(max(x, 0.0), table[0]), 2), round(min(max(y, 0.0), table[1]), 2)


def _homeward(plan: _FlightPlan, group: Group) -> Flight | None:
    """Return the flight that lands a group, or brings it nearer to a ship with room.

    A ship recovers groups while it keeps its course.
    """
    view = plan.view
    ships = [ship for ship in view.own_ships if not landing_fault(group, ship, HOLD)]
    boats = is_boats(group)
    for ship in ships:
        plot = plan.context.plotted.get(ship.id, HOLD)
        has_deck = plan.landed[ship.id, boats] < landings_per_turn(ship, boats=boats)
        deck = plan.decks.get(ship.id, ship)
        if has_deck and can_land(group, deck, plot):
            plan.landed[ship.id, boats] += 1
            if view.terms.follows(LANDINGS_THAT_FIT):
                plan.decks[ship.id] = _with_aboard(deck, group)
            return Flight(land=ship.id)
    if not ships:
        return None
    home = min(ships, key=lambda ship: dist((ship.x, ship.y), (group.x, group.y)))
    gx, gy = drift_of(home)
    to = _towards(
        (group.x, group.y), (home.x + gx, home.y + gy), far=group.row.speed, table=view.table
    )
    return Flight(to=to)


def _with_aboard(ship: ShipState, group: Group) -> ShipState:
    """Return a copy of a ship that has recovered a group, as far as its room is concerned."""
    deck = ship.copy()
    deck.stow_craft(group.craft, group.bay if ship.id == group.ship else "", group.type)
    for index in deck.profile.bays:
        if deck.stock[index] > ship.stock[index]:
            deck.write_fact("ready", FOREVER, key=deck.sheet.fits[index].id)
    return deck


def secondary_flights(context: CaptainContext, view: SideView) -> dict[str, Flight]:
    """Return secondary moves for groups whose target got away and that have no craft to fight.

    Rules: Continuum "Movement" 8.5 [pc.fighter-move]
    """
    groups = [group for group in view.own_pieces_of(Group) if _may_move_again(group)]
    if not groups or context.fleeing:
        return {}
    state = visible_state(view)
    prizes = prizes_of(view, state, ahead=False)
    orders: dict[str, Flight] = {}
    for group in groups:
        if _has_target(state, group, prizes) or best_at_craft(state, view, group) is not None:
            continue
        far = secondary_speed(group.row)
        rated = []
        for prize in _prizes_within(group, prizes, far + stand_off_of(group.row)):
            rated.append((attack_worth(state, group, prize, {}), prize))
        if rated:
            target = max(rated, key=_worth_first)[1].target
            orders[group.id] = _flight_to(group, target, far, view.table)
    return orders


def _prizes_within(group: Group, prizes: list[Prize], reach: float) -> list[Prize]:
    """Return the ships within so many MU of a group."""
    here = (group.x, group.y)
    return [prize for prize in prizes if dist(here, (prize.target.x, prize.target.y)) <= reach]


def _worth_first(row: tuple[float, Prize]) -> float:
    """Return the worth of a rated prize."""
    return row[0]


def _may_move_again(group: Group) -> bool:
    """Return whether a group is free, and has endurance left, for a secondary move.

    Groups that guard ships and those with bombs stay where they are.
    """
    if is_robot(group.row) or group.escorts or must_return(group):
        return False
    if not group.has_endurance_for(ENDURANCE_KEPT + 2) or bombs_of(group.row) is not None:
        return False
    return not (is_guard_type(group.row) and guards_of(group.row))


def _has_target(state: BattleState, group: Group, prizes: list[Prize]) -> bool:
    """Return whether a group may attack one of the ships from where it is."""
    for prize in prizes:
        for armament in group.row.armaments:
            if may_attack(state, group, armament, prize.target.ship):
                return True
    return False
