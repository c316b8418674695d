"""The moves a ship can make with its thrust, cinematic or vector, and where each takes it.

Moves come in bundles; the first move of each is looked at before the others. In cinematic movement
a bundle is a course change with a kind of velocity change (none, faster, slower), in vector
movement a facing with a direction of burn. Full thrust comes first.
Rules: 2E "Movement" [2e.movement]; Continuum "Cinematic movement" 3 [pc.movement]; Continuum
"Vector movement system" 12.12 [pc.vector]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from math import sqrt
from typing import Any, NamedTuple

from engine.captains.common.range_tables import COMPASSES
from engine.continuum.cores import command_fault
from engine.continuum.drives import Thrust, available_thrust
from engine.continuum.legs import PUSHES_TO
from engine.continuum.squadrons import followers_of
from engine.continuum.weapon_orders import rest_fault
from engine.core.geometry import COURSES, turn_course
from engine.core.orders import HOLD, ROTATIONS, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.second_edition.movement import turn_limit

ANY_MOVE = Plot(thrust=1)
Burns = tuple[tuple[str, int], ...]
# What `engine.captains.common.move_search.score_moves` uses of a move: `wx`, `wy`, `course`, `ux`,
# `uy`, the last two times the slope of arcs, `speed`, `ex`, `ey`, `speed_penalty`. Unpacking a
# plain tuple is three times as fast as a named one.
ScoreInputs = tuple[float, float, int, float, float, float, float, float, float, float, float]
QUARTER_SLOPE = COMPASSES[4].slope  # of the arcs of the second edition
SIXTH_SLOPE = COMPASSES[6].slope  # of the arcs of Continuum
SPEED_PENALTY = 0.06  # per MU of velocity above what its thrust can handle


class Move(NamedTuple):
    """A move, independent of the ship's position.

    Attributes:
        turn: As in a plot.
        second: As in a plot.
        thrust: As in a plot.
        burns: As in a plot.
        wx: Its displacement.
        wy: The same.
        course: The facing at its end.
        ux: The direction that arcs are counted from at its end.
        uy: The same.
        gx: The displacement of a further turn without thrust.
        gy: The same.
        speed: The length of that displacement.
        ex: How far it glides before it can turn away from an edge.
        ey: The same.
        speed_penalty: The cost of its speed.
        score_inputs: These values as a plain tuple.
    """

    turn: int
    second: int
    thrust: int
    wx: float
    wy: float
    course: int
    ux: float
    uy: float
    gx: float
    gy: float
    speed: float
    ex: float
    ey: float
    speed_penalty: float
    score_inputs: ScoreInputs
    burns: Burns = ()


class Moves(NamedTuple):
    """The moves a ship tries: the first of every bundle, and the others of each."""

    firsts: tuple[Move, ...]
    others: tuple[tuple[Move, ...], ...]

    def all(self) -> list[Move]:
        """Return every move."""
        result: list[Move] = []
        for first, rest in zip(self.firsts, self.others, strict=True):
            for move in (first, *rest):
                result.append(move)
        return result


# A function that lists a ship's moves, and its arguments. Equal listers list the same moves.
MoveLister = tuple[Callable[..., Moves], tuple[Any, ...]]


def _bundle_moves(bundles: Iterable[Sequence[Move]]) -> Moves:
    """Return moves as the search takes them: the first of each bundle apart from the others."""
    firsts = []
    others = []
    for bundle in bundles:
        firsts.append(bundle[0])
        others.append(tuple(bundle[1:]))
    return Moves(tuple(firsts), tuple(others))


class Option(NamedTuple):
    """A move from the ship's position.

    Attributes:
        x: Where it ends.
        y: The same.
        course: The ship's facing at its end.
        gx: The displacement of a further turn without thrust.
        gy: The same.
        turn: As in a plot.
        second: As in a plot.
        thrust: As in a plot.
        burns: As in a plot.
        further: Further orders that the move needs.
        otherwise: The plot to fly if emergency thrust fails.
    """

    x: float
    y: float
    course: int
    gx: float
    gy: float
    turn: int = 0
    second: int = 0
    thrust: int = 0
    burns: Burns = ()
    further: tuple[FurtherOrder, ...] = ()
    otherwise: Plot | None = None

    def is_manoeuvre(self) -> bool:
        """Return whether it does anything but fly on."""
        return bool(self.turn or self.second or self.thrust or self.burns or self.further)

    def plot(self) -> Plot:
        """Return the plot of this option."""
        if not self.is_manoeuvre():
            return HOLD
        if not (self.second or self.burns or self.further or self.otherwise):
            return plain_plot(self.turn, self.thrust)
        return Plot(
            self.turn,
            self.thrust,
            second=self.second,
            burns=self.burns,
            further=self.further,
            otherwise=self.otherwise,
        )


@cache
def plain_plot(turn: int, thrust: int) -> Plot:
    """Return a plot of nothing but a turn and a velocity change."""
    return Plot(turn, thrust)


def plain_or_hold(turn: int, thrust: int) -> Plot:
    """Return a plot of a turn and a velocity change; HOLD if both are zero."""
    if turn or thrust:
        return plain_plot(turn, thrust)
    return HOLD


def option_of(ship: ShipState, move: Move) -> Option:
    """Return a move from a ship's position."""
    return Option(
        x=ship.x + move.wx,
        y=ship.y + move.wy,
        course=move.course,
        gx=move.gx,
        gy=move.gy,
        turn=move.turn,
        second=move.second,
        thrust=move.thrust,
        burns=move.burns,
    )


_FACINGS = tuple(
    (COURSES[course], COURSES[turn_course(course, 1)]) for course in range(len(COURSES))
)


def arc_reference(course: int, beta: bool) -> tuple[float, float]:
    """Return the direction arcs are counted from: the bow; with `beta` 30 degrees to starboard."""
    return _FACINGS[course][beta]


def _make_move(  # noqa: PLR0913, PLR0917 -- a hot function: plain values cost least
    turn: int,
    second: int,
    change: int,
    way: tuple[float, float],
    course: int,
    going: tuple[float, float],
    thrust: int,
    beta: bool,
    slope: float,
    burns: Burns = (),
    speed: float = -1.0,
) -> Move:
    """Return a move with everything that rating it needs.

    Args:
        turn: The first course change in points, and `second` the other of a double one.
        change: The change of velocity.
        way: The displacement of the move.
        course: The facing at its end.
        going: The displacement of a further turn without thrust.
        thrust: The ship's thrust rating.
        beta: Arcs are counted from 30 degrees to starboard.
        slope: Of the edition's arcs; see Compass.
        speed: The length of `going`, if known.
    """
    ux, uy = arc_reference(course, beta)
    gx, gy = going
    if speed < 0:
        speed = sqrt(gx * gx + gy * gy)
    manageable_speed = 2.5 * thrust + 6.0
    glide = 0.5 + speed * 0.35 / (thrust or 1)
    if speed > manageable_speed:
        penalty = (speed - manageable_speed) * SPEED_PENALTY
    else:
        penalty = 0.0
    wx, wy = way
    ex = gx * glide
    ey = gy * glide
    score_inputs = wx, wy, course, ux, uy, ux * slope, uy * slope, speed, ex, ey, penalty
    values = (
        turn,
        second,
        change,
        wx,
        wy,
        course,
        ux,
        uy,
        gx,
        gy,
        speed,
        ex,
        ey,
        penalty,
        score_inputs,
        burns,
    )
    return tuple.__new__(Move, values)  # calling Move takes twice as long


def _velocity_changes(thrust: int) -> tuple[int, ...]:
    """Return the velocity changes to try with a thrust: none, all and half, either way."""
    return tuple(dict.fromkeys((0, thrust, -thrust, thrust // 2, -(thrust // 2))))


def tried_moves(thrust: int) -> tuple[tuple[int, int], ...]:
    """Return the (turn, velocity change) pairs to try for a thrust rating of the second edition."""
    tried: dict[tuple[int, int], None] = {}
    for points in range(turn_limit(thrust) + 1):
        for change in _velocity_changes(thrust - points):
            for turn in dict.fromkeys((points, -points)):
                tried[turn, change] = None
    return tuple(tried)


def possible_moves(ship: ShipState) -> list[tuple[int, int]]:
    """Return the pairs of `tried_moves` that a ship can fly: not backwards, no turn at rest."""
    result = []
    for turn, change in tried_moves(ship.thrust):
        speed = ship.velocity + change
        if speed > 0 or (speed == 0 and not turn):
            result.append((turn, change))
    return result


@lru_cache(maxsize=16384)
def second_edition_moves(thrust: int, course: int, velocity: int) -> Moves:
    """Return the moves to try in the second edition, which halves an odd velocity exactly.

    Rules: 2E "Making course changes" [2e.movement]
    """
    bundles: dict[tuple[int, int], list[Move]] = {}
    for turn, change in tried_moves(thrust):
        speed = velocity + change
        if speed < 0:
            continue
        first_points = turn // 2 if turn > 0 else -(-turn // 2)
        ax, ay = COURSES[turn_course(course, first_points)]
        last_course = turn_course(course, turn)
        ux, uy = COURSES[last_course]
        move = _make_move(
            turn,
            second=0,
            change=change,
            way=((ax + ux) * 0.5 * speed, (ay + uy) * 0.5 * speed),
            course=last_course,
            going=(ux * speed, uy * speed),
            thrust=thrust,
            beta=False,
            slope=QUARTER_SLOPE,
            speed=speed,
        )
        bundles.setdefault((turn, _sign(change)), []).append(move)
    return _bundle_moves(bundles.values())


def _sign(change: int) -> int:
    """Return 1 for a ship that goes faster, -1 for slower and 0 for neither."""
    return (change > 0) - (change < 0)


def moves_at_rest(course: int) -> tuple[Move, ...]:
    """Return the facings of a ship at rest, to starboard point by point, starting with its own."""
    result: list[Move] = []
    for points in range(12):
        move = _make_move(
            points,
            second=0,
            change=0,
            way=(0.0, 0.0),
            course=turn_course(course, points),
            going=(0.0, 0.0),
            thrust=0,
            beta=False,
            slope=QUARTER_SLOPE,
        )
        result.append(move)
    return tuple(result)


def options_of(state: BattleState, ship: ShipState) -> list[Option]:
    """Return every move a captain of Continuum looks at; the first is to fly on."""
    result: list[Option] = []
    for move in moves_for_thrust(ship, thrust_of(state, ship)).all():
        result.append(option_of(ship, move))
    return result


def moves_for_thrust(ship: ShipState, thrust: Thrust) -> Moves:
    """Return the moves that a thrust allows in Continuum."""
    lists, arguments = move_lister_for(ship, thrust)
    return lists(*arguments)


def move_lister_for(ship: ShipState, thrust: Thrust) -> MoveLister:
    """Return the function that lists a ship's moves, with its arguments."""
    rest = (thrust.main, thrust.turning, ship.course, ship.thrust, ship.sheet.beta)
    if ship.drift is None:
        return (_course_moves, (ship.velocity, *rest))
    return (_vector_moves, (ship.drift, *rest))


def thrust_of(state: BattleState, ship: ShipState) -> Thrust:
    """Return the thrust a ship may use.

    It is none without command, while spinal mounts cool and while the FTL drive warms up. The
    leader of a squadron has as much as its slowest ship.
    """
    if ship.warm or command_fault(ship, ANY_MOVE) or rest_fault(state, ship, ANY_MOVE):
        return Thrust(0, 0)
    thrust = available_thrust(ship, state.turn)
    for follower in followers_of(state, ship):
        if rest_fault(state, follower, ANY_MOVE):
            least = Thrust(0, 0)
        else:
            least = available_thrust(follower, state.turn)
        thrust = Thrust(min(thrust.main, least.main), min(thrust.turning, least.turning))
    return thrust


@lru_cache(maxsize=16384)
def _course_moves(
    velocity: int, thrust: int, limit: int, course: int, rating: int, beta: bool
) -> Moves:
    """Return cinematic moves, where the first half of an odd velocity is rounded down.

    Args:
        thrust: What the ship may spend on turns and velocity together.
        limit: The most points of turn.
        rating: The ship's thrust rating, for the cost of speeds it cannot handle.
        beta: Arcs are counted from 30 degrees to starboard.

    Rules: Continuum "Making course changes", "Double course change" 3.4, 3.5 [pc.movement]
    """
    bundles: list[list[Move]] = []
    for points in range(limit + 1):
        turns = [(points, 0), (-points, 0)]
        if points and points % 2 == 0:
            turns += [(points // 2, -points // 2), (-points // 2, points // 2)]
        for turn, second in dict.fromkeys(turns):
            ax, ay = COURSES[turn_course(course, turn if second else int(turn / 2))]
            last_course = turn_course(course, turn + second)
            ux, uy = COURSES[last_course]
            bundle: dict[int, list[Move]] = {}
            for change in _velocity_changes(thrust - points):
                speed = velocity + change
                if speed < 0:
                    continue
                first_half = speed // 2
                second_half = speed - first_half
                move = _make_move(
                    turn,
                    second,
                    change,
                    way=(ax * first_half + ux * second_half, ay * first_half + uy * second_half),
                    course=last_course,
                    going=(ux * speed, uy * speed),
                    thrust=rating,
                    beta=beta,
                    slope=SIXTH_SLOPE,
                    speed=speed,
                )
                bundle.setdefault(_sign(change), []).append(move)
            bundles += bundle.values()
    return _bundle_moves(bundles)


def _vector_moves(
    drift: tuple[float, float], thrust: int, thrusters: int, course: int, rating: int, beta: bool
) -> Moves:
    """Return the moves of vector movement."""
    drift_x, drift_y = drift
    bundles = []
    for burn_options in _burns(thrust, thrusters, course):
        bundle = []
        for dx, dy, last_course, burns in burn_options:
            going = (drift_x + dx, drift_y + dy)
            move = _make_move(
                0,
                0,
                0,
                going,
                course=last_course,
                going=going,
                thrust=rating,
                beta=beta,
                slope=SIXTH_SLOPE,
                burns=burns,
            )
            bundle.append(move)
        bundles.append(bundle)
    return _bundle_moves(bundles)


@cache
def _burns(
    thrust: int, thrusters: int, course: int
) -> tuple[tuple[tuple[float, float, int, Burns], ...], ...]:
    """Return the burns to try: displacement in x and y, the facing at the end, the burns.

    The main drive at full or half thrust, before or after a rotation. The first is to fly on.
    """
    bundles: list[tuple[tuple[float, float, int, Burns], ...]] = []
    rotations = sorted(range(-5, 7), key=abs) if thrusters else [0]
    main_thrusts = list(dict.fromkeys((thrust, (thrust + 1) // 2))) if thrust else []
    for points in rotations:
        last_course = turn_course(course, points)
        if not points:
            bundles.append(((0.0, 0.0, course, ()),))
            bundles += _main_burns(main_thrusts, course, last_course, spin=())
            continue
        spin: Burns = (("TS" if points > 0 else "TP", abs(points)),)
        idle = (0.0, 0.0, last_course, spin)
        after_rotation = [
            (*bundle, idle)
            for bundle in _main_burns(main_thrusts, last_course, last_course, spin=spin)
        ]
        bundles += after_rotation or [(idle,)]
        bundles += _main_burns(main_thrusts, course, last_course, spin=spin, burns_first=True)
    return tuple(bundles)


def _main_burns(
    main_thrusts: list[int], axis: int, last_course: int, spin: Burns, *, burns_first: bool = False
) -> list[tuple[tuple[float, float, int, Burns], ...]]:
    """Return the bundle of burns of the main drive along a course, or none without thrust.

    Args:
        axis: The course that the drive accelerates along.
        spin: The rotation of the same turn.
        burns_first: The drive burns before the rotation.
    """
    ux, uy = COURSES[axis]
    rows = []
    for main in main_thrusts:
        burn: Burns = (("MD", main),)
        burns = burn + spin if burns_first else spin + burn
        rows.append((ux * main, uy * main, last_course, burns))
    if not rows:
        return []
    return [tuple(rows)]


def thruster_pushes(ship: ShipState, move: Move, thrusters: int) -> list[Move]:
    """Return a vector move with thruster pushes added, as strong as a rotation leaves them.

    Rules: Continuum "Thruster pushes", "Combining manoeuvres" 12.12 [pc.vector]
    """
    rotates = any(burn in ROTATIONS for burn, _ in move.burns)
    spare_thrust = thrusters - (1 if rotates else 0)
    if spare_thrust <= 0:
        return []
    new_moves = []
    for push, points_off_bow in PUSHES_TO.items():
        ux, uy = COURSES[turn_course(move.course, points_off_bow)]
        dx, dy = ux * spare_thrust, uy * spare_thrust
        new_moves.append(
            _make_move(
                0,
                0,
                0,
                (move.wx + dx, move.wy + dy),
                course=move.course,
                going=(move.gx + dx, move.gy + dy),
                thrust=ship.thrust,
                beta=ship.sheet.beta,
                slope=SIXTH_SLOPE,
                burns=(*move.burns, (push, spare_thrust)),
            )
        )
    return new_moves
