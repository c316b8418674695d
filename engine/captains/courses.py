"""The moves a ship of Continuum may make with its thrust, and where each takes it.

Rules: Continuum "Cinematic movement" 3 [pc.movement]; Continuum "Vector movement system" 12.12 [pc.vector]
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.geometry import COURSES, turned
from engine.orders import HOLD, Plot
from engine.state import ShipState


class Option(NamedTuple):
    """A move: where it ends, on which course the ship faces then, and how far it goes on from there in a turn.

    `turn`, `second`, `thrust`, `burns`: as of a plot.
    """

    x: float
    y: float
    course: int
    gx: float
    gy: float
    turn: int = 0
    second: int = 0
    thrust: int = 0
    burns: tuple[tuple[str, int], ...] = ()

    def moves(self) -> bool:
        """Whether it asks for any thrust."""
        return bool(self.turn or self.second or self.thrust or self.burns)

    def plot(self) -> Plot:
        return Plot(self.turn, self.thrust, second=self.second, burns=self.burns) if self.moves() else HOLD


def options_of(ship: ShipState) -> list[Option]:
    """Every move a captain looks at, the first of them: fly on."""
    if ship.drift is not None:
        return _burning(ship, ship.drift)
    velocity = ship.velocity
    found = []
    for turn, second, thrust, ax, ay, course in _turns(ship.thrust, turns_allowed(ship), ship.course):
        speed = velocity + thrust
        if speed < 0:
            continue
        ux, uy = COURSES[course]
        half = speed // 2
        rest = speed - half
        x, y = ship.x + ax * half + ux * rest, ship.y + ay * half + uy * rest
        found.append(Option(x, y, course, ux * speed, uy * speed, turn, second, thrust))
    return found


def turns_allowed(ship: ShipState) -> int:
    """Points of course a ship may turn through: half its thrust rounded down, all of it with an advanced drive.

    Rules: Continuum "Thrust ratings" 3.2, "Advanced drives" 3.3 [pc.movement]
    """
    return ship.thrust if ship.sheet.drive == "advanced" else ship.thrust // 2


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


def _burning(ship: ShipState, drift: tuple[float, float]) -> list[Option]:
    x0, y0 = ship.x + drift[0], ship.y + drift[1]
    found = []
    for dx, dy, course, burns in _burns(ship.thrust, ship.course):
        found.append(Option(x0 + dx, y0 + dy, course, drift[0] + dx, drift[1] + dy, burns=burns))
    return found


@cache
def _burns(thrust: int, course: int) -> tuple[tuple[float, float, int, tuple[tuple[str, int], ...]], ...]:
    """The burns tried: (how far they move a ship in x and y, the course it faces then, the burns).

    The main drive before or after a rotation, all of it or half; then the thrusters push with all they have left.
    """
    thrusters = thrust // 2
    found: list[tuple[float, float, int, tuple[tuple[str, int], ...]]] = []
    for points in range(-5, 7) if thrusters else (0,):
        spin = (("TS" if points > 0 else "TP", abs(points)),) if points else ()
        last = turned(course, points)
        for main in dict.fromkeys((0, thrust, (thrust + 1) // 2)):
            burn = (("MD", main),) if main else ()
            for axis, burns in ((last, spin + burn), (course, burn + spin)):
                if axis != last and not main:
                    continue
                ux, uy = COURSES[axis]
                found.append((ux * main, uy * main, last, burns))
                left = thrusters - (1 if points else 0)
                for push, way in (("PS", 3), ("PP", -3), ("PR", 6)) if left > 0 and axis == last else ():
                    px, py = COURSES[turned(last, way)]
                    found.append((ux * main + px * left, uy * main + py * left, last, (*burns, (push, left))))
                if not points:
                    break
    found.sort(key=lambda one: len(one[3]))
    return tuple(found)
