"""Fighter groups in flight: up to 12 MU a turn in any direction, sides alternating group by group.

Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from engine.combat.detection import reveal_ship
from engine.core.errors import Violation
from engine.core.geometry import COURSES, NEAR, Point, is_within, squared_length
from engine.core.orders import STAY, Flight
from engine.core.reason import reason
from engine.core.rolls import Rolls, rank_sides
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.versions import GROUPS_BY_NAME
from engine.events.fire import Initiative
from engine.fighters.hangars import come_aboard, landing_fault
from engine.fighters.strikes import are_hostile, contacts_of, parting_shots, separation
from engine.pieces.dogfight_events import DogfightBrokenOff, DogfightStarted
from engine.pieces.group import Group
from engine.pieces.group_events import FlightRefused, GroupMoved
from engine.systems.outfit import LANDINGS

CONTACT = 1.0  # MU between the centres of two bases that touch

DRAWN_IN = reason("drawn-in", "an enemy group has drawn it into a dogfight")


def move_groups(table: Table, flights: Mapping[str, Flight]) -> None:
    """Move every group by its orders; groups without orders keep their place and facing.

    Sides alternate group by group, each in the order of its groups' names. The side with the most
    groups on the table starts. Equal numbers are decided by dice, but only if there is a dogfight
    or an order for one; otherwise the sequence does not matter.

    Rules: 2E "Fighters" [2e.fighters]; 2E "Sequence of play" [2e.sequence]
    """
    flying: dict[str, Group] = {group.id: group for group in table.state.pieces_of(Group)}
    waiting: dict[int, list[Group]] = {}
    for name, flight in by_name(table, flights):
        if name in flying and _is_move(flight):
            waiting.setdefault(flying[name].side, []).append(flying[name])
    landed: dict[str, int] = {}
    order = _side_order(table, flights, sorted(waiting))
    while waiting:
        for side in order:
            groups = waiting.get(side, [])
            _move_next_group(table, flights, groups, landed)
            if not groups:
                waiting.pop(side, None)


def by_name(table: Table, flights: Mapping[str, Flight]) -> list[tuple[str, Flight]]:
    """Return orders of groups in the order of names.

    A database may sort the entries of orders, so older rules, which keep the order in which they
    are written, depend on the database.
    """
    if table.state.terms.follows(GROUPS_BY_NAME):
        return sorted(flights.items())
    return list(flights.items())


def _move_next_group(
    table: Table, flights: Mapping[str, Flight], groups: list[Group], landed: dict[str, int]
) -> None:
    """Move the first of a side's waiting groups that still can move, and take it from the list."""
    while groups:
        group = groups.pop(0)
        if group.craft > 0 and not group.this_turn.has_moved:
            _fly(table, flights, group, landed)
            return


def _is_move(flight: Flight) -> bool:
    """Return whether orders use up a group's turn; a group that stays may still evade."""
    return bool(flight.to or flight.dogfight or flight.land or flight.face)


def _side_order(table: Table, flights: Mapping[str, Flight], moving: list[int]) -> list[int]:
    """Return the order in which sides move their groups; dice decide only if it matters."""
    state = table.state
    if len(moving) < 2:
        return moving
    if not _is_any_dogfight(state, flights):
        return moving
    rolls: Rolls = []
    numbers = {}
    for side in moving:
        numbers[side] = sum(group.side == side for group in state.pieces_of(Group))
    order = rank_sides(numbers, state.sides, table.dice, rolls)
    if rolls and table.listens:
        table.tell(Initiative, tuple(rolls), tuple(state.sides[side] for side in order))
    return order


def _is_any_dogfight(state: BattleState, flights: Mapping[str, Flight]) -> bool:
    """Return whether any group is in a dogfight or has orders for one."""
    if any(group.dogfight for group in state.pieces_of(Group)):
        return True
    return any(flight.dogfight for flight in flights.values())


def flight_fault(state: BattleState, group: Group, flight: Flight) -> str:
    """Return why a group cannot fly as ordered, or "" if it can.

    Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    if flight.to is not None and (fault := _point_fault(state, group, flight.to)):
        return fault
    if flight.dogfight:
        foe = state.find(Group, flight.dogfight)
        if foe is None or not are_hostile(state, group, foe):
            return reason(
                "only-hostile-fighters-flight", "it can dogfight only hostile fighters in flight"
            )
    if flight.land:
        return _landing_order_fault(state, group, flight.land)
    return ""


def _point_fault(state: BattleState, group: Group, to: Point) -> str:
    """Return why a group cannot fly to a point: off the table or too far; "" if it can."""
    x, y = to
    width, height = state.table
    if not (-NEAR <= x <= width + NEAR and -NEAR <= y <= height + NEAR):
        return reason("fighters-cannot-leave-table", "fighters cannot leave the table")
    if not is_within(squared_length(x - group.x, y - group.y), group.row.speed):
        return reason("flies-mu-turn", "it can fly only {:g} MU a turn", group.row.speed)
    return ""


def _landing_order_fault(state: BattleState, group: Group, ship_name: str) -> str:
    """Return why a group cannot land on the named ship this turn, or "" if it can."""
    ship = next((ship for ship in state.ships if ship.id == ship_name), None)
    if ship is None:
        return reason("fighters-land-only-ships", "fighters can land only on ships")
    if fault := landing_fault(state, group, ship):
        return fault
    speed = group.row.speed
    if not is_within(squared_length(ship.x - group.x, ship.y - group.y), speed):
        return reason("farther-mu", "{} is more than {:g} MU away", ship.id, speed)
    return ""


def flight_violations(
    state: BattleState, flights: Mapping[str, Flight], where: str
) -> list[Violation]:
    """Return every fault of a side's flights; a ship recovers one group a turn."""
    faults: list[Violation] = []
    landing: list[str] = []
    for name, flight in flights.items():
        fault = flight_fault(state, state.piece(Group, name), flight)
        if not fault and flight.land and landing.count(flight.land) >= LANDINGS:
            fault = reason(
                "recover-group-turn", "{} can recover only one group a turn", flight.land
            )
        landing.append(flight.land)
        if fault:
            faults.append(
                Violation(
                    f"{where}.{name}", "flight-impossible", reason("named", "{}: {}", name, fault)
                )
            )
    return faults


def _fly(
    table: Table,
    flights: Mapping[str, Flight],
    group: Group,
    landed: dict[str, int],
    pursuer: Group | None = None,
) -> None:
    """Move a group by its orders. A group that cannot follow them stays, or evades its pursuer.

    Args:
        landed: How many groups each ship has recovered this turn; a landing is added.
        pursuer: The group that has closed with it and that it evades.
    """
    state = table.state
    flight = flights.get(group.id, STAY)
    if fault := flight_fault(state, group, flight) or _recovery_fault(flight, landed):
        if table.listens:
            table.tell(FlightRefused, group=group.id, order=flight.words(), reason=fault)
        if pursuer is None:
            return
        flight = STAY
    group.set_turn(has_moved=True)
    contacts = contacts_of(state, group)
    foe = state.find(Group, flight.dogfight)
    if foe in contacts:
        return
    moves_away = flight.to is not None or bool(flight.land) or foe is not None
    if (moves_away or pursuer is not None) and not _break_off(table, group, contacts, pursuer):
        return
    if foe is not None:
        _close_with(table, flights, group=group, foe=foe, face=flight.face, landed=landed)
    elif flight.land:
        _land(table, group, flight, landed)
    else:
        _fly_to(table, group, flight.to or _evasion_point(state, group, pursuer), flight.face)


def _recovery_fault(flight: Flight, landed: Mapping[str, int]) -> str:
    """Return the fault that the ship a group lands on has recovered another one, or ""."""
    if flight.land and landed.get(flight.land, 0) >= LANDINGS:
        return reason("recover-group-turn", "{} can recover only one group a turn", flight.land)
    return ""


def _land(table: Table, group: Group, flight: Flight, landed: dict[str, int]) -> None:
    """Fly a group to the ship it lands on, and take it aboard."""
    ship = table.state.ship_by_name(flight.land)
    _fly_to(table, group, (ship.x, ship.y), flight.face)
    landed[ship.id] = landed.get(ship.id, 0) + 1
    reveal_ship(table, ship)
    come_aboard(table, group, ship)


def _fly_to(table: Table, group: Group, to: Point, face: int) -> None:
    """Move a group to a point.

    Args:
        face: The ordered facing, or 0 for the direction of flight.
    """
    start = (group.x, group.y)
    dx, dy = to[0] - start[0], to[1] - start[1]
    group.x, group.y = to
    if face:
        group.course = face
    elif dx or dy:
        group.course = heading(dx, dy)
    group.set_turn(has_moved=True)
    table.tell(GroupMoved, group=group.id, path=(start, to), course=group.course)


def _close_with(
    table: Table,
    flights: Mapping[str, Flight],
    group: Group,
    foe: Group,
    face: int,
    landed: dict[str, int],
) -> None:
    """Fly at a hostile group until the bases touch, or as far as the craft can go.

    The other group may evade if it has not moved.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    distance = separation(group, foe)
    if distance <= CONTACT:
        share = 0.0
    else:
        share = min(group.row.speed, distance - CONTACT) / distance
    end = (group.x + (foe.x - group.x) * share, group.y + (foe.y - group.y) * share)
    _fly_to(table, group, end, face)
    if separation(group, foe) > CONTACT + NEAR:
        return
    answer = flights.get(foe.id, STAY)
    has_another_move = not foe.this_turn.has_moved and answer.dogfight != group.id
    if has_another_move and answer.evade:
        _fly(table, flights, foe, landed, pursuer=group)
        return
    if has_another_move and _is_move(answer) and table.listens:
        table.tell(FlightRefused, group=foe.id, order=answer.words(), reason=DRAWN_IN)
    group.dogfight = foe.id
    foe.set_turn(has_moved=True)
    table.tell(DogfightStarted, group.id, foe.id)


def _break_off(table: Table, group: Group, contacts: list[Group], pursuer: Group | None) -> bool:
    """Leave every group in contact, under parting shots; return whether any craft are left.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    parting_shots(table, group, [*contacts, pursuer] if pursuer is not None else contacts)
    if group.craft <= 0:
        return False
    if contacts:
        group.leave_dogfight(table.state)
        table.tell(DogfightBrokenOff, group.id)
    return True


def _evasion_point(state: BattleState, group: Group, pursuer: Group | None) -> Point:
    """Return the point straight away from a pursuer, as far as speed and table allow.

    Without a pursuer it is the group's own place.
    """
    if pursuer is None:
        return group.x, group.y
    dx, dy = group.x - pursuer.x, group.y - pursuer.y
    distance = sqrt(dx * dx + dy * dy)
    ux, uy = (dx / distance, dy / distance) if distance > NEAR else COURSES[group.course]
    width, height = state.table
    speed = group.row.speed
    return min(max(group.x + ux * speed, 0.0), width), min(max(group.y + uy * speed, 0.0), height)


def heading(dx: float, dy: float) -> int:
    """Return the course from 1 to 12 nearest to a direction; of two equally near, the lower."""
    return max(
        range(1, 13),
        key=lambda course: (COURSES[course][0] * dx + COURSES[course][1] * dy, -course),
    )
