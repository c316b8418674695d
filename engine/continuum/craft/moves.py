"""How craft fly: in any direction before ships move, beside a ship as it moves, and once more for
their endurance.

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
from engine.core.geometry import NEAR, Point, is_within
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
from engine.fighters.flights import heading
from engine.pieces.craft_events import (
    EvasionOrdered,
    GroupAccompanied,
    GroupFollowed,
    SecondaryMove,
)
from engine.pieces.group import EXHAUSTED, Group, groups_from
from engine.pieces.group_events import FlightRefused, GroupMoved

SECONDARY = 12.0  # MU of a secondary move at most; slower craft fly half their speed
SCREEN_DISTANCE = 1.0  # MU between a group and whom it screens
NO_SUCH_ORDER = reason(
    "no-such-order", "by Continuum it is told whom to attack when all have moved"
)
ROBOT = reason(
    "computer-flies-secondary-move", "a computer flies its secondary move before ships move"
)
PILOT = reason("pilots-fly-secondary-move", "its pilots fly a secondary move when ships have moved")
NOT_IN_FLIGHT = reason("not-in-flight", "it is not in flight")
OFF_TABLE = reason("fighters-cannot-leave-table", "fighters cannot leave the table")
NOT_ITS_SIDE = reason(
    "not-its-side", "it can screen only ships and groups of its own side in flight"
)
SCREENS_ITSELF = reason("screens-itself", "a group that screens others is not screened itself")
NOT_STRUCK = reason("not-struck", "it can pursue only a ship that it attacked last turn")
LATER = reason("lands-later-turn", "it lands in a later turn")
BOATS_EVADE_NOT = reason("boats-evade-not", "gunboats are too large to evade fire")

# The groups that have landed this turn: on which ship, and whether they are gunboats.
Landed = Counter[tuple[str, bool]]


def in_order(state: BattleState, subset: list[Group] | None = None) -> list[Group]:
    """The groups in flight, by their ships and bays; those whose ships are not known, to a captain,
    last as they lie.

    `some`: these alone, given as they lie.
    Rules: Continuum 2.6 [pc.sequence]
    """
    groups = state.pieces_of(Group) if subset is None else subset
    if len(groups) < 2:
        return groups
    numbers = {ship.id: number for number, ship in enumerate(state.ships)}

    def place(group: Group) -> tuple[int, int]:
        number = numbers.get(group.ship, len(numbers))
        return number, state.ships[number].profile.index_of[
            group.bay
        ] if group.ship in numbers else 0

    return sorted(groups, key=place)


def speed(group: Group, turn: int) -> float:
    """MU of its move: half as far in the turn of its launch."""
    return group.row.speed / 2 if group.launched == turn else group.row.speed


def secondary_speed(row: CraftType) -> float:
    """MU of a secondary move: 12, of gunboats 9.

    Rules: Continuum "Movement" 8.5, "Gunboat rules" 9.1 [pc.fighter-move]
    """
    return min(SECONDARY, row.speed / 2)


def _to_fault(state: BattleState, at: Point, far: float, to: Point) -> str:
    width, height = state.table
    if not (-NEAR <= to[0] <= width + NEAR and -NEAR <= to[1] <= height + NEAR):
        return OFF_TABLE
    return (
        ""
        if is_within((to[0] - at[0]) ** 2 + (to[1] - at[1]) ** 2, far)
        else reason("flies-mu", "it flies {:g} MU", far)
    )


def flight_fault(
    state: BattleState, group: Group, flight: Flight, plots: Mapping[str, Plot], landed: Landed
) -> str:
    """Why a group cannot fly as it is told, nothing where it can.

    `plots`: as ships will fly; `landed`: groups that a ship has taken aboard this turn.

    Rules: Continuum "Movement" 8.5 [pc.fighter-move]; Continuum "Screens and pursuits" 8.6
    [pc.fighter-screens]
    """
    far = speed(group, state.turn)
    if flight.dogfight or flight.evade:
        return NO_SUCH_ORDER
    if flight.evades_at and group.row.berth:
        return BOATS_EVADE_NOT
    if flight.to is not None:
        return _to_fault(state, (group.x, group.y), far, flight.to)
    if flight.land:
        return _landing_fault(state, group, flight, plots, landed) or _reach_fault(
            state, group, flight.land, far
        )
    if flight.screen:
        return _screen_fault(state, group, flight.screen) or _reach_fault(
            state, group, flight.screen, far
        )
    if flight.pursue:
        ship = find_ship_on_table(state, flight.pursue)
        return "" if ship is not None and group.struck == ship.id else NOT_STRUCK
    return ""


def _landing_fault(
    state: BattleState, group: Group, flight: Flight, plots: Mapping[str, Plot], landed: Landed
) -> str:
    ship = next((candidate for candidate in state.ships if candidate.id == flight.land), None)
    if ship is None:
        return reason("fighters-land-only-ships", "fighters can land only on ships")
    if fault := landing_fault(group, ship, plots.get(ship.id, HOLD), at_once=flight.at_once):
        return fault
    if not flight.at_once and landed[ship.id, is_boats(group)] >= landings_per_turn(
        ship, boats=is_boats(group)
    ):
        return reason("recover-no-more-groups", "{} can recover no more groups this turn", ship.id)
    return ""


def _screen_fault(state: BattleState, group: Group, name: str) -> str:
    unit = find_unit(state, name)
    if unit is None or unit is group or state.hostile[group.commander] >> unit.commander & 1:
        return NOT_ITS_SIDE
    return SCREENS_ITSELF if isinstance(unit, Group) and unit.escorts else ""


def _reach_fault(state: BattleState, group: Group, name: str, far: float) -> str:
    unit = find_unit(state, name)
    if unit is None or is_within((unit.x - group.x) ** 2 + (unit.y - group.y) ** 2, far):
        return ""
    return reason("farther-mu", "{} is farther than {:g} MU", name, far)


def find_ship_on_table(state: BattleState, name: str) -> ShipState | None:
    """The ship of a name, where it is on the table."""
    return next((ship for ship in state.ships if ship.id == name and ship.status == FIGHTING), None)


def find_unit(state: BattleState, name: str) -> ShipState | Group | None:
    """The ship on the table, or the group in flight, of a name."""
    return state.find(Group, name) or find_ship_on_table(state, name)


def flight_violations(
    state: BattleState, flights: Mapping[str, Flight], where: str
) -> list[Violation]:
    """What of a side's flights cannot be carried out, as far as that can be known before anything
    moves.

    A group that is still aboard flies as it is told where its ship launches it.
    """
    violations: list[Violation] = []
    landed: Landed = Counter()
    for name, flight in flights.items():
        flying = state.find(Group, name)
        group = flying or _about_to_fly(state, name)
        fault = group if isinstance(group, str) else flight_fault(state, group, flight, {}, landed)
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


def _about_to_fly(state: BattleState, name: str) -> Group | str:
    """A group that is still aboard, as it will be once it is launched, or why it cannot be."""
    for ship in state.ships:
        for id_, index in groups_from(ship):
            if id_ == name:
                fault = launch_fault(state, ship, Plot(launch=(ship.sheet.fits[index].id,)))
                return fault or Group.aboard(
                    ship, index, "", (ship.x, ship.y), ship.course, state.turn
                )
    return NOT_IN_FLIGHT


def move_craft(table: Table, flights: Mapping[str, Flight], plots: Mapping[str, Plot]) -> None:
    """Phase 4 in place: what was launched moves first, then the others; each as it was told, or it
    stays.

    `plots`: as the ships fly. Rules: Continuum "Launch and recovery" 8.1, "Movement" 8.5
    [pc.fighter-move]
    """
    state = table.state
    landed: Landed = Counter()
    groups = in_order(state)
    flying = {group.id for group in groups}
    for name, order in flights.items():
        if name not in flying:
            table.tell(FlightRefused, GroupId(name), order.words(), NOT_IN_FLIGHT)
    for group in sorted(groups, key=lambda flown: flown.launched != table.turn):
        flight = flights.get(group.id)
        if flight is None:
            continue
        if fault := flight_fault(state, group, flight, plots, landed):
            table.tell(FlightRefused, group.id, flight.words(), fault)
            continue
        _carry_out(table, group, flight)
        if flight.land:
            landed[flight.land, is_boats(group)] += 1
    _beside_groups(table)


def _carry_out(table: Table, group: Group, flight: Flight) -> None:
    state = table.state
    if flight.evades_at:
        group.set_turn(evades_at=flight.evades_at)
        table.tell(EvasionOrdered, group.id, flight.evades_at)
    if flight.land:
        ship = state.ship_by_name(flight.land)
        _go(table, group, (ship.x, ship.y), flight.face)
        if group.craft > 0:
            recover(table, group, ship, at_once=flight.at_once)
    elif flight.screen or flight.pursue:
        unit = find_unit(state, flight.screen or flight.pursue)
        assert unit is not None  # it has been looked for
        if flight.screen:
            _go(table, group, (unit.x, unit.y), flight.face)
        if group.craft > 0:
            group.accompany(unit.id, pursues=bool(flight.pursue))
            table.tell(GroupAccompanied, group.id, unit.id, bool(flight.pursue))
    elif flight.to is not None or flight.face:
        _go(table, group, flight.to or (group.x, group.y), flight.face)


def _go(table: Table, group: Group, to: Point, face: int) -> None:
    start = (group.x, group.y)
    course = _faces(group, to, face)
    group.fly(to, course)
    table.tell(GroupMoved, group.id, (start, to), course)
    resolve_fly_by(table, group, start, to)


def _faces(group: Group, to: Point, face: int) -> int:
    dx, dy = to[0] - group.x, to[1] - group.y
    return face or (heading(dx, dy) if dx * dx + dy * dy > NEAR else group.course)


def _beside_groups(table: Table) -> None:
    """Groups that screen others are where those are."""
    for group in in_order(table.state):
        unit = find_unit(table.state, group.escorts) if group.escorts else None
        if isinstance(unit, Group):
            _follow(table, group, unit)


def follow_ships(table: Table) -> None:
    """Phase 5 in place: groups that screen a ship, or pursue one, are where it is now, however far
    that was.

    Rules: Continuum "Screens and pursuits" 8.6 [pc.fighter-screens]
    """
    for group in in_order(table.state):
        if name := group.escorts or group.this_turn.pursues:
            ship = find_ship_on_table(table.state, name)
            if ship is not None:
                _follow(table, group, ship)


def _follow(table: Table, group: Group, unit: ShipState | Group) -> None:
    if (group.x, group.y, group.course) != (unit.x, unit.y, unit.course):
        start = group.x, group.y
        group.x, group.y, group.course = unit.x, unit.y, unit.course
        table.tell(GroupFollowed, group.id, (group.x, group.y), group.course)
        resolve_fly_by(table, group, start, (group.x, group.y))


def screens_of(state: BattleState, unit: ShipState | Group) -> list[Group]:
    """The groups that screen a ship or a group, beside it."""
    nearby = [
        group
        for group in state.pieces_of(Group)
        if group.escorts == unit.id
        and is_within((group.x - unit.x) ** 2 + (group.y - unit.y) ** 2, SCREEN_DISTANCE)
    ]
    return in_order(state, nearby)


def leave_fight(table: Table, group: Group) -> None:
    """A group that is out of a dogfight flies where it was told to, as far as it flies in a turn;
    it has paid for that.

    Rules: Dogfight actions [dog.actions]
    """
    if not group.this_turn.leaves_to:
        return
    x, y, *_ = group.this_turn.leaves_to
    to = (x, y)
    if fault := leaving_fault(table.state, group, to):
        table.tell(FlightRefused, group.id, Flight(to=to).words(), fault)
    else:
        _go(table, group, to, 0)


def leaving_fault(state: BattleState, group: Group, to: Point) -> str:
    """Return why a group does not fly there out of a dogfight, "" where it may.

    To refuse a dogfight takes its move, which is half as far in the turn of its launch.
    Rules: Dogfight actions [dog.actions]; Continuum "Dogfights" 8.10 [pc.dogfights]
    """
    refuses = REFUSE_DOGFIGHTS in state.terms.options
    far = speed(group, state.turn) if refuses else group.row.speed
    return _to_fault(state, (group.x, group.y), far, to)


def is_robot(row: CraftType) -> bool:
    """Whether computers fly it. Rules: Continuum "Robot fighters" 8.15 [pc.fighter-types]"""
    return CraftTrait.ROBOT in row.traits


def secondary_fault(state: BattleState, group: Group, flight: Flight, *, robots: bool) -> str:
    """Why a group makes no such secondary move, nothing where it may.

    `robots`: before ships move, when they alone do.

    Rules: Continuum "Movement" 8.5, "Robot fighters" 8.15 [pc.fighter-move]
    """
    if is_robot(group.row) is not robots:
        return PILOT if robots else ROBOT
    if group.is_exhausted:
        return EXHAUSTED
    if flight.unit_names() or flight.evade or flight.evades_at:
        return reason("secondary-move-says-no", "a secondary move says no more than to and face")
    return (
        ""
        if flight.to is None
        else _to_fault(state, (group.x, group.y), secondary_speed(group.row), flight.to)
    )


def secondary_violations(
    state: BattleState, flights: Mapping[str, Flight], where: str, *, robots: bool
) -> list[Violation]:
    """What of a side's secondary moves cannot be carried out now; of robots before they have flown,
    who flies them is all that is known.
    """
    violations = []
    for name, flight in flights.items():
        if robots:
            fault = "" if is_robot(_row_of(state, name)) else PILOT
        else:
            fault = secondary_fault(state, state.piece(Group, name), flight, robots=False)
        if fault:
            violations.append(
                Violation(
                    f"{where}.{name}", "flight-impossible", reason("named", "{}: {}", name, fault)
                )
            )
    return violations


def _row_of(state: BattleState, name: str) -> CraftType:
    group = state.find(Group, name)
    if group is not None:
        return group.row
    bays = {id_: (ship, index) for ship in state.ships for id_, index in groups_from(ship)}
    return row_in(*bays[GroupId(name)])


def make_secondary_moves(table: Table, flights: Mapping[str, Flight], *, robots: bool) -> None:
    """Secondary moves in place: those of `robots` at the end of phase 4, all others in phase 6.

    Rules: Continuum "Movement" 8.5, "Robot fighters" 8.15 [pc.fighter-move]
    """
    for group in in_order(table.state):
        flight = flights.get(group.id)
        if flight is None or is_robot(group.row) is not robots:
            continue
        if fault := secondary_fault(table.state, group, flight, robots=robots):
            table.tell(FlightRefused, group.id, flight.words(), fault)
            continue
        to = flight.to or (group.x, group.y)
        course, start = _faces(group, to, flight.face), (group.x, group.y)
        group.fly_on(table.state, to, course)
        table.tell(SecondaryMove, group.id, (start, to), course)
        resolve_fly_by(table, group, start, to)
