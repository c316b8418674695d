"""The moves a ship of Continuum may make with its thrust, and where each takes it.

Rules: Continuum "Cinematic movement" 3 [pc.movement]; Continuum "Vector movement system" 12.12 [pc.vector]
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.continuum.cores import command_fault
from engine.continuum.drives import Thrust, allowed
from engine.continuum.legs import PUSHES_TO
from engine.continuum.weapon_orders import rest_fault
from engine.core.geometry import COURSES, turned
from engine.core.orders import HOLD, ROTATIONS, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState

ANY_MOVE = Plot(thrust=1)
Burns = tuple[tuple[str, int], ...]


class Option(NamedTuple):
    """A move: where it ends, on which course the ship faces then, and how far it goes on from there in a turn.

    `turn`, `second`, `thrust`, `burns`: as of a plot. `further`: the orders the move asks for, `otherwise`: what is
    flown where it asks for emergency thrust and that fails.
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
        if not self.moves():
            return HOLD
        return Plot(
            self.turn, self.thrust, second=self.second, burns=self.burns, further=self.further, otherwise=self.otherwise
        )


def options_of(state: BattleState, ship: ShipState) -> list[Option]:
    """Every move a captain looks at, the first of them: fly on."""
    return options_with(ship, thrust_of(state, ship))


def options_with(ship: ShipState, given: Thrust) -> list[Option]:
    """The moves that so much thrust allows."""
    thrust, limit = given.main, given.turning
    if ship.drift is not None:
        return _burning(ship, ship.drift, thrust, limit)
    return _sailing(ship, thrust, limit)


def thrust_of(state: BattleState, ship: ShipState) -> Thrust:
    """The thrust a ship may use; none while nobody commands it, its spinal mounts cool, or its FTL drive warms up."""
    if ship.warm or command_fault(ship, ANY_MOVE) or rest_fault(state, ship, ANY_MOVE):
        return Thrust(0, 0)
    return allowed(ship, state.turn)


def _sailing(ship: ShipState, thrust: int, limit: int) -> list[Option]:
    """The moves by course and velocity."""
    found = []
    for turn, second, change, ax, ay, course in _turns(thrust, limit, ship.course):
        speed = ship.velocity + change
        if speed < 0:
            continue
        ux, uy = COURSES[course]
        half = speed // 2
        rest = speed - half
        x, y = ship.x + ax * half + ux * rest, ship.y + ay * half + uy * rest
        found.append(Option(x, y, course, ux * speed, uy * speed, turn, second, change))
    return found


@cache
def _turns(thrust: int, limit: int, course: int) -> tuple[tuple[int, int, int, float, float, int], ...]:
    """The moves tried: (turn, second turn, change of velocity, x and y of the first half's course, last course)."""
    tried: dict[tuple[int, int, int], None] = {(0, 0, 0): None}
    for points in range(limit + 1):
        left = thrust - points
        for change in (0, left, -left, left // 2, -(left // 2)):
            for turn in (points, -points):
                tried[turn, 0, change] = None
            if points and points % 2 == 0:
                for turn in (points // 2, -points // 2):
                    tried[turn, -turn, change] = None
    found = []
    for turn, second, change in tried:
        first = turn if second else int(turn / 2)
        last = turned(course, turn + second)
        found.append((turn, second, change, *COURSES[turned(course, first)], last))
    return tuple(found)


def _burning(ship: ShipState, drift: tuple[float, float], thrust: int, thrusters: int) -> list[Option]:
    """The moves by vectors."""
    x0, y0 = ship.x + drift[0], ship.y + drift[1]
    return [
        Option(x0 + dx, y0 + dy, course, drift[0] + dx, drift[1] + dy, burns=burns)
        for dx, dy, course, burns in _burns(thrust, thrusters, ship.course)
    ]


@cache
def _burns(thrust: int, thrusters: int, course: int) -> tuple[tuple[float, float, int, Burns], ...]:
    """The burns tried: (how far they move a ship in x and y, the course it faces then, the burns).

    The main drive, all of it or half, before or after a rotation.
    """
    found: list[tuple[float, float, int, Burns]] = []
    for points in range(-5, 7) if thrusters else (0,):
        spin = (("TS" if points > 0 else "TP", abs(points)),) if points else ()
        last = turned(course, points)
        for main in dict.fromkeys((0, thrust, (thrust + 1) // 2)):
            burn = (("MD", main),) if main else ()
            for axis, burns in ((last, spin + burn), (course, burn + spin))[: 2 if points and main else 1]:
                ux, uy = COURSES[axis]
                found.append((ux * main, uy * main, last, burns))
    found.sort(key=lambda one: len(one[3]))
    return tuple(found)


def pushed(option: Option, thrusters: int) -> list[Option]:
    """A move by vectors with the thrusters pushing as well, as hard as a rotation leaves them.

    Rules: Continuum "Thruster pushes", "Combining manoeuvres" 12.12 [pc.vector]
    """
    left = thrusters - (1 if any(burn in ROTATIONS for burn, _ in option.burns) else 0)
    if left <= 0:
        return []
    found = []
    for push, way in PUSHES_TO.items():
        ux, uy = COURSES[turned(option.course, way)]
        dx, dy = ux * left, uy * left
        burns = (*option.burns, (push, left))
        found.append(Option(option.x + dx, option.y + dy, option.course, option.gx + dx, option.gy + dy, burns=burns))
    return found
