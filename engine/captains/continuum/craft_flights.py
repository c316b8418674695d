"""Where a captain's craft fly: to a target, to a ship that they screen, or home.

Rules: Continuum "Movement" 8.5, "Screens and pursuits" 8.6 [pc.fighter-move]
"""

from __future__ import annotations

from collections import Counter
from math import dist

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
from engine.captains.continuum.targets import drift_of, visible_state
from engine.continuum.craft.decks import is_boats, landing_fault, landings_per_turn
from engine.continuum.craft.guard_boats import guards_of
from engine.continuum.craft.morale import attack_chance
from engine.continuum.craft.moves import is_robot, secondary_speed, speed
from engine.continuum.craft.targets import may_attack
from engine.continuum.defence_level import is_by_level as goes_by_level
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Flight
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.fighters.flights import heading
from engine.pieces.group import Group
from engine.view.side_view import SideView

ENDURANCE_KEPT = 1  # turns of endurance that secondary moves must leave
EVASION_THRESHOLD = 4  # weapons of a ship from which on a group with spare endurance evades


def flight_orders(context: CaptainContext, view: SideView) -> dict[str, Flight]:
    """Return orders for the side's groups, including those about to be launched.

    Rules: Continuum "Movement" 8.5, "Screens and pursuits" 8.6 [pc.fighter-move]
    """
    groups = [*view.own_pieces_of(Group), *_launching(context, view)]
    if not groups:
        return {}
    state = visible_state(view)
    prizes = [] if context.fleeing else prizes_of(view, state, ahead=True)
    raiders = []
    for flyer in view.foreign_pieces_of(Group):
        if view.is_hostile(flyer):
            raiders.append(flyer)
    craft_sent: dict[str, float] = {}
    landed: Counter[tuple[str, bool]] = Counter()
    orders: dict[str, Flight] = {}
    for group in groups:
        flight = _flight(
            context,
            view,
            state,
            group,
            prizes=prizes,
            raiders=raiders,
            craft_sent=craft_sent,
            landed=landed,
        )
        if flight is not None:
            orders[group.id] = flight
    return orders


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


def _flight(
    context: CaptainContext,
    view: SideView,
    state: BattleState,
    group: Group,
    prizes: list[Prize],
    raiders: list[Group],
    craft_sent: dict[str, float],
    landed: Counter[tuple[str, bool]],
) -> Flight | None:
    """Return one group's order: home if spent, screen a ship, or attack the one it hurts most.

    Args:
        landed: How many groups of fighters, or of boats, already land on each ship.
    """
    if must_return(group) or context.fleeing:
        return _homeward(context, view, group, landed)
    guarded_ship = _to_screen(view, group) if raiders and is_guard_type(group.row) else None
    if guarded_ship is not None:
        return Flight(screen=guarded_ship.id)
    if is_guard_type(group.row) and guards_of(group.row) and not goes_by_level(state):
        return guard_flight(
            context, view, group, far=speed(group, view.turn), boats_sent=craft_sent
        )
    bombs = bombs_of(group.row)
    if bombs is not None:
        ships = [prize.target.ship for prize in prizes]
        at = bombing_run(state, group, bombs, ships, far=speed(group, view.turn))
        if at is None:
            return None
        return Flight(to=at)
    rated = [
        (attack_worth(state, group, prize, craft_sent), number)
        for number, prize in enumerate(prizes)
    ]
    worth, number = max(rated, default=(0.0, 0))
    if not rated:
        return None
    target = prizes[number].target
    craft_sent[target.contact.id] = craft_sent.get(target.contact.id, 0.0) + (
        group.craft * attack_chance(state, group) if worth > 0 else 0
    )
    far = speed(group, view.turn)
    to = _towards(
        (group.x, group.y),
        to=(target.x, target.y),
        far=far,
        table=view.table,
        stand=stand_off_of(group.row),
    )
    if group.has_endurance_for(3) and not group.row.berth:
        evades_at = EVASION_THRESHOLD
    else:
        evades_at = 0
    return Flight(to=to, face=heading(target.x - to[0], target.y - to[1]), evades_at=evades_at)


def _to_screen(view: SideView, group: Group) -> ShipState | None:
    """Return the most valuable ship that a group can screen this turn."""
    far = speed(group, view.turn)
    fighting = [
        ship for ship in view.own_ships if ship.status == FIGHTING and not ship.record.concealed
    ]
    near = [ship for ship in fighting if is_near(group, ship, far)]
    return max(
        near, key=lambda ship: (bool(ship.profile.bays), ship.sheet.points, ship.id), default=None
    )


def _towards(at: Point, to: Point, far: float, table: Point, stand: float = STAND) -> Point:
    """Return the nearest point to a place in reach and on the table, at least `stand` MU away."""
    away = dist(at, to)
    if away:
        step = min(far - ROUNDING_MARGIN, max(away - stand, 0.0)) / away
    else:
        step = 0.0
    x, y = at[0] + (to[0] - at[0]) * step, at[1] + (to[1] - at[1]) * step
    return round(min(max(x, 0.0), table[0]), 2), round(min(max(y, 0.0), table[1]), 2)


def _homeward(
    context: CaptainContext, view: SideView, group: Group, landed: Counter[tuple[str, bool]]
) -> Flight | None:
    """Return the flight that lands a group, or brings it nearer to a ship with room.

    A ship recovers groups while it keeps its course.
    """
    ships = [ship for ship in view.own_ships if not landing_fault(group, ship, HOLD)]
    boats = is_boats(group)
    for ship in ships:
        plot = context.plotted.get(ship.id, HOLD)
        if landed[ship.id, boats] < landings_per_turn(ship, boats=boats) and can_land(
            group, ship, plot
        ):
            landed[ship.id, boats] += 1
            return Flight(land=ship.id)
    if not ships:
        return None
    home = min(ships, key=lambda ship: dist((ship.x, ship.y), (group.x, group.y)))
    gx, gy = drift_of(home)
    return Flight(
        to=_towards((group.x, group.y), (home.x + gx, home.y + gy), group.row.speed, view.table)
    )


def secondary_flights(context: CaptainContext, view: SideView) -> dict[str, Flight]:
    """Return secondary moves for groups whose target got away and that have no craft to fight.

    Rules: Continuum "Movement" 8.5 [pc.fighter-move]
    """
    groups = []
    for group in view.own_pieces_of(Group):
        if (
            not is_robot(group.row)
            and not group.escorts
            and not must_return(group)
            and group.has_endurance_for(ENDURANCE_KEPT + 2)
        ) and (
            bombs_of(group.row) is None and not (is_guard_type(group.row) and guards_of(group.row))
        ):
            groups.append(group)
    if not groups or context.fleeing:
        return {}
    state = visible_state(view)
    prizes = prizes_of(view, state, ahead=False)
    orders: dict[str, Flight] = {}
    for group in groups:
        if any(
            may_attack(state, group, armament, prize.target.ship)
            for prize in prizes
            for armament in group.row.armaments
        ):
            continue
        if best_at_craft(state, view, group) is not None:
            continue
        far = secondary_speed(group.row)
        able = [
            prize
            for prize in prizes
            if dist((group.x, group.y), (prize.target.x, prize.target.y))
            <= far + stand_off_of(group.row)
        ]
        if able:
            target = max(able, key=lambda prize: attack_worth(state, group, prize, {})).target
            to = _towards(
                (group.x, group.y),
                to=(target.x, target.y),
                far=far,
                table=view.table,
                stand=stand_off_of(group.row),
            )
            orders[group.id] = Flight(to=to, face=heading(target.x - to[0], target.y - to[1]))
    return orders
