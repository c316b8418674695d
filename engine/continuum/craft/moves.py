"""Movement of craft: free moves before ships move, escorting ships, and secondary moves.

Rules: Continuum "Movement" 8.5 [pc.fighter-move]; Continuum "Screens and pursuits" 8.6
[pc.fighter-screens]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engine.continuum.craft.decks import (
    is_boats,
    landing_fault,
    landings_per_turn,
    launch_fault,
    recover,
)
from engine.continuum.fly_by import resolve_fly_by
from engine.core.errors import Violation
from engine.core.geometry import NEAR, Point, is_within, squared_length
from engine.core.ids import GroupId
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Flight, Plot
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import REFUSE_DOGFIGHTS
from engine.craft.craft_type import CraftTrait, CraftType
from engine.craft.roles import row_in
from engine.fighters.flights import by_name, heading
from engine.pieces.craft_events import (
    EvasionOrdered,
    GroupAccompanied,
    GroupFollowed,
    SecondaryMove,
)
from engine.pieces.group import EXHAUSTED, Group, groups_from
from engine.pieces.group_events import FlightRefused, GroupMoved

SECONDARY = 12.0  # MU of the longest secondary move; slower craft fly half their speed
SCREEN_DISTANCE = 1.0  # the most MU between a group and the unit it screens
NO_SUCH_ORDER = reason(
    "no-such-order", "in Continuum, groups choose their targets after everything has moved"
)
ROBOT = reason(
    "computer-flies-secondary-move", "robot fighters make their secondary move before ships move"
)
PILOT = reason(
    "pilots-fly-secondary-move",
    "craft with pilots make their secondary move after ships have moved",
)
NOT_IN_FLIGHT = reason("not-in-flight", "it is not in flight")
OFF_TABLE = reason("fighters-cannot-leave-table", "fighters cannot leave the table")
NOT_ITS_SIDE = reason(
    "not-its-side", "it can screen only ships and groups of its own side in flight"
)
SCREENS_ITSELF = reason("screens-itself", "a group that screens others cannot be screened itself")
NOT_STRUCK = reason("not-struck", "it can pursue only a ship that it attacked last turn")
LATER = reason("lands-later-turn", "it can land only in a later turn")
BOATS_EVADE_NOT = reason("boats-evade-not", "gunboats are too large to evade fire")

# The number of groups landed this turn, by ship and whether they are gunboats.
Landed = Counter[tuple[str, bool]]


def in_order(state: BattleState, subset: list[Group] | None = None) -> list[Group]:
    """Return the groups in flight by ship and bay; groups of unknown ships come last.

    Args:
        subset: Only these groups, in their order on the table.

    Rules: Continuum 2.6 [pc.sequence]
    """
    if subset is None:
        groups = state.pieces_of(Group)
    else:
        groups = subset
    if len(groups) < 2:
        return groups
    numbers = {ship.id: number for number, ship in enumerate(state.ships)}

    def place(group: Group) -> tuple[int, int]:
        number = numbers.get(group.ship)
        if number is None:
            return len(numbers), 0
        return number, state.ships[number].profile.index_of[group.bay]

    return sorted(groups, key=place)


def speed(group: Group, turn: int) -> float:
    """Return how far a group moves this turn in MU; half as far in the turn of its launch."""
    if group.launched_turn == turn:
        return group.row.speed / 2
    return group.row.speed


def secondary_speed(row: CraftType) -> float:
    """Return how far a secondary move goes in MU: 12, or 9 for gunboats.

    Rules: Continuum "Movement" 8.5, "Gunboat rules" 9.1 [pc.fighter-move]
    """
    return min(SECONDARY, row.speed / 2)


def _point_fault(state: BattleState, start: Point, range_mu: float, to: Point) -> str:
    """Return the reason why craft cannot fly to a point: off the table or too far, or ""."""
    width, height = state.table
    if not (-NEAR <= to[0] <= width + NEAR and -NEAR <= to[1] <= height + NEAR):
        return OFF_TABLE
    if is_within(squared_length(to[0] - start[0], to[1] - start[1]), range_mu):
        return ""
    return reason("flies-mu", "it can fly only {:g} MU", range_mu)


def flight_fault(
    state: BattleState, group: Group, flight: Flight, plots: Mapping[str, Plot], landed: Landed
) -> str:
    """Return the reason why a group cannot fly as ordered, or "".

    Args:
        plots: How the ships will fly.
        landed: The number of groups each ship has recovered this turn.

    Rules: Continuum "Movement" 8.5 [pc.fighter-move]; Continuum "Screens and pursuits" 8.6
    [pc.fighter-screens]
    """
    range_mu = speed(group, state.turn)
    if flight.dogfight or flight.evade:
        return NO_SUCH_ORDER
    if flight.evades_at and is_boats(group):
        return BOATS_EVADE_NOT
    if flight.to is not None:
        return _point_fault(state, (group.x, group.y), range_mu, flight.to)
    if flight.pursue:
        return _pursuit_fault(state, group, flight.pursue)
    if flight.land:
        fault = _landing_fault(state, group, flight=flight, plots=plots, landed=landed)
    elif flight.screen:
        fault = _screen_fault(state, group, flight.screen)
    else:
        return ""
    return fault or _distance_fault(state, group, flight.land or flight.screen, range_mu)


def _pursuit_fault(state: BattleState, group: Group, ship_name: str) -> str:
    """Return the reason why a group cannot pursue the named ship, or "".

    Rules: Continuum "Screens and pursuits" 8.6 [pc.fighter-screens]
    """
    ship = find_ship_on_table(state, ship_name)
    if ship is not None and group.last_target == ship.id:
        return ""
    return NOT_STRUCK


def _landing_fault(
    state: BattleState, group: Group, flight: Flight, plots: Mapping[str, Plot], landed: Landed
) -> str:
    """Return the reason why a group cannot land as ordered, whatever the distance, or ""."""
    ship = next((candidate for candidate in state.ships if candidate.id == flight.land), None)
    if ship is None:
        return reason("fighters-land-only-ships", "fighters can land only on ships")
    if fault := landing_fault(group, ship, plots.get(ship.id, HOLD), at_once=flight.at_once):
        return fault
    if flight.at_once:
        return ""
    boats = is_boats(group)
    if landed[ship.id, boats] < landings_per_turn(ship, boats=boats):
        return ""
    return reason("recover-no-more-groups", "{} can recover no more groups this turn", ship.id)


def _screen_fault(state: BattleState, group: Group, name: str) -> str:
    """Return the reason why a group cannot screen the named unit, whatever the distance, or ""."""
    unit = find_unit(state, name)
    if unit is None or unit is group or state.hostile[group.commander] >> unit.commander & 1:
        return NOT_ITS_SIDE
    if isinstance(unit, Group) and unit.escorts:
        return SCREENS_ITSELF
    return ""


def _distance_fault(state: BattleState, group: Group, name: str, range_mu: float) -> str:
    """Return the fault that the named unit is too far away, or ""."""
    unit = find_unit(state, name)
    if unit is None or is_within(squared_length(unit.x - group.x, unit.y - group.y), range_mu):
        return ""
    return reason("farther-mu", "{} is more than {:g} MU away", name, range_mu)


def find_ship_on_table(state: BattleState, name: str) -> ShipState | None:
    """Return the named ship if it is on the table."""
    return next((ship for ship in state.ships if ship.id == name and ship.status == FIGHTING), None)


def find_unit(state: BattleState, name: str) -> ShipState | Group | None:
    """Return the named ship on the table or group in flight."""
    return state.find(Group, name) or find_ship_on_table(state, name)


def flight_violations(
    state: BattleState, flights: Mapping[str, Flight], where: str
) -> list[Violation]:
    """Return the violations in a side's flights that can be known before any unit moves.

    A group still aboard is checked as it will be after its launch.
    """
    violations: list[Violation] = []
    landed: Landed = Counter()
    for name, flight in flights.items():
        flying = state.find(Group, name)
        group = flying or _group_after_launch(state, name)
        if isinstance(group, str):
            fault = group
        else:
            fault = flight_fault(state, group, flight=flight, plots={}, landed=landed)
        if not fault and flight.land:
            fault = LATER if flying is None else ""
            if isinstance(group, Group):
                landed[flight.land, is_boats(group)] += 1
        if fault:
            violations.append(
                Violation(
                    f"{where}.{name}", "flight-impossible", reason("named", "{}: {}", name, fault)
                )
            )
    return violations


def _group_after_launch(state: BattleState, name: str) -> Group | str:
    """Return a group still aboard as it will be after its launch, or why it cannot launch."""
    for ship in state.ships:
        for id_, index in groups_from(ship):
            if id_ != name:
                continue
            fault = launch_fault(state, ship, Plot(launch=(ship.sheet.fits[index].id,)))
            if fault:
                return fault
            return Group.aboard(
                ship, index, contact="", at=(ship.x, ship.y), course=ship.course, turn=state.turn
            )
    return NOT_IN_FLIGHT


def move_craft(table: Table, flights: Mapping[str, Flight], plots: Mapping[str, Plot]) -> None:
    """Move craft as ordered in phase 4: newly launched groups first, then the others.

    Args:
        plots: How the ships fly.

    Rules: Continuum "Launch and recovery" 8.1, "Movement" 8.5 [pc.fighter-move]
    """
    state = table.state
    landed: Landed = Counter()
    groups = in_order(state)
    flying = {group.id for group in groups}
    for name, order in by_name(table, flights):
        if name not in flying:
            table.tell(
                FlightRefused, group=GroupId(name), order=order.words(), reason=NOT_IN_FLIGHT
            )
    for group in sorted(groups, key=lambda flown: flown.launched_turn != table.turn):
        flight = flights.get(group.id)
        if flight is None:
            continue
        if fault := flight_fault(state, group, flight=flight, plots=plots, landed=landed):
            table.tell(FlightRefused, group=group.id, order=flight.words(), reason=fault)
            continue
        _fly(table, group, flight)
        if flight.land:
            landed[flight.land, is_boats(group)] += 1
    _follow_screened_groups(table)


def _fly(table: Table, group: Group, flight: Flight) -> None:
    """Carry out a group's legal flight order.

    Fire at a group on its way may destroy it; then it neither lands nor accompanies a unit.
    """
    if flight.evades_at:
        group.set_turn(evades_at=flight.evades_at)
        table.tell(EvasionOrdered, group.id, flight.evades_at)
    if flight.land:
        ship = table.state.ship_by_name(flight.land)
        _fly_to(table, group, (ship.x, ship.y), flight.face)
        if group.craft > 0:
            recover(table, group, ship, at_once=flight.at_once)
    elif flight.screen or flight.pursue:
        _accompany(table, group, flight)
    elif flight.to is not None or flight.face:
        _fly_to(table, group, flight.to or (group.x, group.y), flight.face)


def _accompany(table: Table, group: Group, flight: Flight) -> None:
    """Start screening or pursuing a unit; a screening group flies to it at once."""
    pursues = bool(flight.pursue)
    unit = find_unit(table.state, flight.screen or flight.pursue)
    assert unit is not None  # flight_fault() has found it
    if flight.screen:
        _fly_to(table, group, (unit.x, unit.y), flight.face)
    if group.craft > 0:
        group.accompany(unit.id, pursues=pursues)
        table.tell(GroupAccompanied, group=group.id, unit=unit.id, pursues=pursues)


def _fly_to(table: Table, group: Group, to: Point, face: int) -> None:
    """Move a group to a point and resolve the fire at it on its way.

    Args:
        face: The ordered facing, or 0 for the direction of flight.
    """
    start = (group.x, group.y)
    course = _course_after_flight(group, to, face)
    group.fly(to, course)
    table.tell(GroupMoved, group=group.id, path=(start, to), course=course)
    resolve_fly_by(table, group, start, to)


def _course_after_flight(group: Group, to: Point, face: int) -> int:
    """Return the course of a group at the end of a flight: as ordered, else as it flew."""
    dx, dy = to[0] - group.x, to[1] - group.y
    if face:
        return face
    if dx * dx + dy * dy > NEAR:
        return heading(dx, dy)
    return group.course


def _follow_screened_groups(table: Table) -> None:
    """Move groups that screen other groups to them."""
    for group in in_order(table.state):
        unit = find_unit(table.state, group.escorts) if group.escorts else None
        if isinstance(unit, Group):
            _follow(table, group, unit)


def follow_ships(table: Table) -> None:
    """Move groups that screen or pursue a ship to its new place, at any distance (phase 5).

    Rules: Continuum "Screens and pursuits" 8.6 [pc.fighter-screens]
    """
    for group in in_order(table.state):
        if name := group.escorts or group.this_turn.pursues:
            ship = find_ship_on_table(table.state, name)
            if ship is not None:
                _follow(table, group, ship)


def _follow(table: Table, group: Group, unit: ShipState | Group) -> None:
    """Move a group to the place and course of the unit it accompanies."""
    if (group.x, group.y, group.course) != (unit.x, unit.y, unit.course):
        start = group.x, group.y
        group.x, group.y, group.course = unit.x, unit.y, unit.course
        table.tell(GroupFollowed, group=group.id, at=(group.x, group.y), course=group.course)
        resolve_fly_by(table, group, start, (group.x, group.y))


def screens_of(state: BattleState, unit: ShipState | Group) -> list[Group]:
    """Return the groups beside a ship or group that screen it."""
    nearby = []
    for group in state.pieces_of(Group):
        if group.escorts == unit.id and is_within(
            squared_length(group.x - unit.x, group.y - unit.y), SCREEN_DISTANCE
        ):
            nearby.append(group)
    return in_order(state, nearby)


def leave_fight(table: Table, group: Group) -> None:
    """Fly a group out of a dogfight to where it was ordered, up to its speed.

    The group has already paid for this in endurance.

    Rules: Dogfight actions [dog.actions]
    """
    if not group.this_turn.leaves_to:
        return
    x, y, *_ = group.this_turn.leaves_to
    to = (x, y)
    if fault := leaving_fault(table.state, group, to):
        table.tell(FlightRefused, group=group.id, order=Flight(to=to).words(), reason=fault)
    else:
        _fly_to(table, group, to, face=0)


def leaving_fault(state: BattleState, group: Group, to: Point) -> str:
    """Return the reason why a group cannot fly to a point out of a dogfight, or "".

    Refusing a dogfight uses the group's move, which is half as far in the turn of its launch.

    Rules: Dogfight actions [dog.actions]; Continuum "Dogfights" 8.10 [pc.dogfights]
    """
    if REFUSE_DOGFIGHTS in state.terms.options:
        range_mu = speed(group, state.turn)
    else:
        range_mu = group.row.speed
    return _point_fault(state, (group.x, group.y), range_mu, to)


def is_robot(row: CraftType) -> bool:
    """Return whether computers fly the craft type.

    Rules: Continuum "Robot fighters" 8.15 [pc.fighter-types]
    """
    return CraftTrait.ROBOT in row.traits


def secondary_fault(state: BattleState, group: Group, flight: Flight, *, robots: bool) -> str:
    """Return the reason why a group cannot make a secondary move, or "".

    Args:
        robots: Whether this is before ships move, when only robot fighters move.

    Rules: Continuum "Movement" 8.5, "Robot fighters" 8.15 [pc.fighter-move]
    """
    if is_robot(group.row) is not robots:
        if robots:
            return PILOT
        return ROBOT
    if group.is_exhausted:
        return EXHAUSTED
    if flight.unit_names() or flight.evade or flight.evades_at:
        return reason("secondary-move-says-no", "a secondary move allows only to and face")
    if flight.to is None:
        return ""
    return _point_fault(state, (group.x, group.y), secondary_speed(group.row), flight.to)


def secondary_violations(
    state: BattleState, flights: Mapping[str, Flight], where: str, *, robots: bool
) -> list[Violation]:
    """Return the violations in a side's secondary moves.

    Before robot fighters have flown, only whether a group is robotic can be checked.
    """
    violations = []
    for name, flight in flights.items():
        if robots:
            fault = "" if is_robot(_craft_type_of(state, name)) else PILOT
        else:
            fault = secondary_fault(state, state.piece(Group, name), flight, robots=False)
        if fault:
            violations.append(
                Violation(
                    f"{where}.{name}", "flight-impossible", reason("named", "{}: {}", name, fault)
                )
            )
    return violations


def _craft_type_of(state: BattleState, name: str) -> CraftType:
    """Return the craft type of a named group, in flight or aboard."""
    group = state.find(Group, name)
    if group is not None:
        return group.row
    bays = {}
    for ship in state.ships:
        for id_, index in groups_from(ship):
            bays[id_] = (ship, index)
    return row_in(*bays[GroupId(name)])


def make_secondary_moves(table: Table, flights: Mapping[str, Flight], *, robots: bool) -> None:
    """Make the secondary moves: robot fighters at the end of phase 4, all others in phase 6.

    Rules: Continuum "Movement" 8.5, "Robot fighters" 8.15 [pc.fighter-move]
    """
    for group in in_order(table.state):
        flight = flights.get(group.id)
        if flight is None or is_robot(group.row) is not robots:
            continue
        if fault := secondary_fault(table.state, group, flight, robots=robots):
            table.tell(FlightRefused, group=group.id, order=flight.words(), reason=fault)
            continue
        to = flight.to or (group.x, group.y)
        course = _course_after_flight(group, to, flight.face)
        start = (group.x, group.y)
        group.fly_on(table.state, to, course)
        table.tell(SecondaryMove, group=group.id, path=(start, to), course=course)
        resolve_fly_by(table, group, start, to)
