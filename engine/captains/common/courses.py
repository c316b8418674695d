"""The moves a ship may make with its thrust, and where each takes it: by course and velocity, or by
vectors.

Moves stand in bundles, each with the one first that is looked at before the others. By course and
velocity a bundle is a change of course with a way to change velocity (none, faster, slower), by
vectors a way to face and to burn; first with all thrust.
Rules: 2E "Movement" [2e.movement]; Continuum "Cinematic movement" 3 [pc.movement]; Continuum
"Vector movement system" 12.12 [pc.vector]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from engine.captains.common.range_tables import COMPASSES
from engine.continuum.cores import command_fault
from engine.continuum.drives import Thrust, allowed
from engine.continuum.legs import PUSHES_TO
from engine.continuum.squadrons import led_by
from engine.continuum.weapon_orders import rest_fault
from engine.core.geometry import COURSES, turned
from engine.core.orders import HOLD, ROTATIONS, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.second_edition.movement import turn_limit

ANY_MOVE = Plot(thrust=1)
Burns = tuple[tuple[str, int], ...]
# What `engine.captains.common.helm.judge` reads of a move: `wx`, `wy`, `course`, `ux`, `uy`, the
# same two drawn out by the slope of arcs, `speed`, `ex`, `ey`, `haste`. A plain tuple is taken
# apart three times as fast as one with names.
Judged = tuple[float, float, int, float, float, float, float, float, float, float, float]
QUARTERS, SIXTHS = (
    COMPASSES[4].slope,
    COMPASSES[6].slope,
)  # of arcs, by the second edition and by Continuum
HASTE = 0.06  # a MU of velocity above what its thrust can handle


class Move(NamedTuple):
    """A move, apart from where the ship is.

    `turn`, `second`, `thrust`, `burns`: as of a plot. `wx`, `wy`: the way it makes; `course`: the
    one it faces then; `ux`, `uy`: what its arcs are counted from then; `gx`, `gy`: how far it goes
    on from there in a turn; `speed`: the same in MU; `ex`, `ey`: how far it glides before it can
    turn away from an edge; `haste`: what its speed costs.
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
    haste: float
    judged: Judged
    burns: Burns = ()


class Moves(NamedTuple):
    """The moves a ship tries: the first of every bundle, and the others of each."""

    firsts: tuple[Move, ...]
    others: tuple[tuple[Move, ...], ...]

    def all(self) -> list[Move]:
        """Every move."""
        return [
            move
            for first, rest in zip(self.firsts, self.others, strict=True)
            for move in (first, *rest)
        ]


# How the moves of a ship are found: what lists them, and what it is given. Like ways list the same
# moves.
Way = tuple[Callable[..., Moves], tuple[Any, ...]]


def _bundled(bundles: Iterable[Sequence[Move]]) -> Moves:
    found = list(bundles)
    return Moves(tuple(one[0] for one in found), tuple(tuple(one[1:]) for one in found))


class Option(NamedTuple):
    """A move from where the ship is: where it ends, on which course the ship faces then, how far it
    goes on in a turn.

    `turn`, `second`, `thrust`, `burns`: as of a plot. `further`: the orders the move asks for,
    `otherwise`: what is flown where it asks for emergency thrust and that fails.
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

    def moves(self) -> bool:
        """Whether it asks for anything but to fly on."""
        return bool(self.turn or self.second or self.thrust or self.burns or self.further)

    def plot(self) -> Plot:
        """The plot that flies this option."""
        if not self.moves():
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
    """A plot of nothing but a turn and a change of velocity."""
    return Plot(turn, thrust)


def option_of(ship: ShipState, move: Move) -> Option:
    """A move from where a ship is."""
    return Option(
        ship.x + move.wx, ship.y + move.wy, move.course, move.gx, move.gy, move.turn, move.second, move.thrust,
        move.burns,
    )  # fmt: skip


_FACINGS = tuple((COURSES[course], COURSES[turned(course, 1)]) for course in range(len(COURSES)))


def facing(course: int, beta: bool) -> tuple[float, float]:
    """The direction a ship's arcs are counted from: the bow, or 30 degrees to starboard of it."""
    return _FACINGS[course][beta]


def _moved(
    turn: int, second: int, change: int, way: tuple[float, float], course: int, going: tuple[float, float],
    thrust: int, beta: bool, slope: float, burns: Burns = (), speed: float = -1.0,
) -> Move:  # fmt: skip
    ux, uy = facing(course, beta)
    gx, gy = going
    if speed < 0:
        speed = (gx * gx + gy * gy) ** 0.5
    fast = 2.5 * thrust + 6.0
    glide = 0.5 + speed * 0.35 / (thrust or 1)
    haste = (speed - fast) * HASTE if speed > fast else 0.0
    (wx, wy), ex, ey = way, gx * glide, gy * glide
    judged = wx, wy, course, ux, uy, ux * slope, uy * slope, speed, ex, ey, haste
    told = turn, second, change, wx, wy, course, ux, uy, gx, gy, speed, ex, ey, haste, judged, burns
    return tuple.__new__(Move, told)  # by its own name it takes twice as long


def _changes(left: int) -> tuple[int, ...]:
    """The changes of velocity tried with so much thrust: none, all and half of it, either way."""
    return tuple(dict.fromkeys((0, left, -left, left // 2, -(left // 2))))


def moves(thrust: int) -> tuple[tuple[int, int], ...]:
    """The (turn, change of velocity) tried for a thrust rating of the second edition."""
    tried: dict[tuple[int, int], None] = {}
    for points in range(turn_limit(thrust) + 1):
        for change in _changes(thrust - points):
            for turn in dict.fromkeys((points, -points)):
                tried[turn, change] = None
    return tuple(tried)


@lru_cache(maxsize=16384)
def halved_turns(thrust: int, course: int, velocity: int) -> Moves:
    """The moves tried by the second edition, where an odd velocity is halved exactly.

    Rules: 2E "Making course changes" [2e.movement]
    """
    bundles: dict[tuple[int, int], list[Move]] = {}
    for turn, change in moves(thrust):
        speed = velocity + change
        if speed < 0:
            continue
        ax, ay = COURSES[turned(course, turn // 2 if turn > 0 else -(-turn // 2))]
        last = turned(course, turn)
        ux, uy = COURSES[last]
        way = (ax + ux) * 0.5 * speed, (ay + uy) * 0.5 * speed
        move = _moved(
            turn,
            0,
            change,
            way,
            last,
            (ux * speed, uy * speed),
            thrust,
            False,
            QUARTERS,
            speed=speed,
        )
        bundles.setdefault((turn, (change > 0) - (change < 0)), []).append(move)
    return _bundled(bundles.values())


def facings(course: int) -> tuple[Move, ...]:
    """The ways a ship at rest may face, point by point to starboard, the first: as it does."""
    return tuple(
        _moved(points, 0, 0, (0.0, 0.0), turned(course, points), (0.0, 0.0), 0, False, QUARTERS)
        for points in range(12)
    )


def options_of(state: BattleState, ship: ShipState) -> list[Option]:
    """Every move a captain of Continuum looks at, the first of them: fly on."""
    return [option_of(ship, move) for move in moves_with(ship, thrust_of(state, ship)).all()]


def moves_with(ship: ShipState, given: Thrust) -> Moves:
    """The moves that so much thrust allows by Continuum."""
    lists, told = way_with(ship, given)
    return lists(*told)


def way_with(ship: ShipState, given: Thrust) -> Way:
    """How they are found."""
    rest = (given.main, given.turning, ship.course, ship.thrust, ship.sheet.beta)
    return (
        (_sailing, (ship.velocity, *rest))
        if ship.drift is None
        else (_burning, (ship.drift, *rest))
    )


def thrust_of(state: BattleState, ship: ShipState) -> Thrust:
    """The thrust a ship may use; none while nobody commands it, its spinal mounts cool, or its FTL
    drive warms up. One that leads a squadron has as much as every ship in it.
    """
    if ship.warm or command_fault(ship, ANY_MOVE) or rest_fault(state, ship, ANY_MOVE):
        return Thrust(0, 0)
    given = allowed(ship, state.turn)
    for other in led_by(state, ship):
        least = Thrust(0, 0) if rest_fault(state, other, ANY_MOVE) else allowed(other, state.turn)
        given = Thrust(min(given.main, least.main), min(given.turning, least.turning))
    return given


@lru_cache(maxsize=16384)
def _sailing(velocity: int, thrust: int, limit: int, course: int, rating: int, beta: bool) -> Moves:
    """The moves by course and velocity, where the first half of an odd velocity is rounded down.

    Rules: Continuum "Making course changes", "Double course change" 3.4, 3.5 [pc.movement]
    """
    found: list[list[Move]] = []
    for points in range(limit + 1):
        ways = [(points, 0), (-points, 0)]
        if points and points % 2 == 0:
            ways += [(points // 2, -points // 2), (-points // 2, points // 2)]
        for turn, second in dict.fromkeys(ways):
            ax, ay = COURSES[turned(course, turn if second else int(turn / 2))]
            last = turned(course, turn + second)
            ux, uy = COURSES[last]
            bundle: dict[int, list[Move]] = {}
            for change in _changes(thrust - points):
                speed = velocity + change
                if speed >= 0:
                    half, rest = speed // 2, speed - speed // 2
                    way = ax * half + ux * rest, ay * half + uy * rest
                    going = ux * speed, uy * speed
                    move = _moved(
                        turn, second, change, way, last, going, rating, beta, SIXTHS, speed=speed
                    )
                    bundle.setdefault((change > 0) - (change < 0), []).append(move)
            found += bundle.values()
    return _bundled(found)


def _burning(
    drift: tuple[float, float], thrust: int, thrusters: int, course: int, rating: int, beta: bool
) -> Moves:
    """The moves by vectors."""
    gx, gy = drift
    return _bundled(
        [
            _moved(
                0, 0, 0, (gx + dx, gy + dy), last, (gx + dx, gy + dy), rating, beta, SIXTHS, burns
            )
            for dx, dy, last, burns in bundle
        ]
        for bundle in _burns(thrust, thrusters, course)
    )


@cache
def _burns(
    thrust: int, thrusters: int, course: int
) -> tuple[tuple[tuple[float, float, int, Burns], ...], ...]:
    """The burns tried: (how far they move a ship in x and y, the course it faces then, the burns).

    The main drive, all of it or half, before or after a rotation; the first of all: fly on.
    """
    found: list[tuple[tuple[float, float, int, Burns], ...]] = []
    for points in sorted(range(-5, 7), key=abs) if thrusters else (0,):
        spin = (("TS" if points > 0 else "TP", abs(points)),) if points else ()
        last = turned(course, points)
        idle = (0.0, 0.0, last, spin)
        if not points:
            found.append((idle,))
        for first, axis in ((False, last), (True, course))[: 2 if points and thrust else 1]:
            ux, uy = COURSES[axis]
            rows = []
            for main in dict.fromkeys((thrust, (thrust + 1) // 2)) if thrust else ():
                burn = (("MD", main),)
                rows.append((ux * main, uy * main, last, burn + spin if first else spin + burn))
            if points and not first:
                rows.append(idle)
            if rows:
                found.append(tuple(rows))
    return tuple(found)


def pushed(ship: ShipState, move: Move, thrusters: int) -> list[Move]:
    """A move by vectors with the thrusters pushing as well, as hard as a rotation leaves them.

    Rules: Continuum "Thruster pushes", "Combining manoeuvres" 12.12 [pc.vector]
    """
    left = thrusters - (1 if any(burn in ROTATIONS for burn, _ in move.burns) else 0)
    if left <= 0:
        return []
    found = []
    for push, way in PUSHES_TO.items():
        ux, uy = COURSES[turned(move.course, way)]
        dx, dy = ux * left, uy * left
        found.append(
            _moved(
                0, 0, 0, (move.wx + dx, move.wy + dy), move.course, (move.gx + dx, move.gy + dy), ship.thrust,
                ship.sheet.beta, SIXTHS, (*move.burns, (push, left)),
            )
        )  # fmt: skip
    return found
