"""A body that is in no rulebook, added by one file: a world in a haze.

Its zone attracts ships, or slows them where it is thick, once a turn; a ship that ends its move
there feels it in the next. Ships in the zone are hard to find, and find others with difficulty.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import ClassVar

from typing_extensions import override

from engine.core.geometry import NEAR, Point
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.event import Audience, Event, LogOrder, Open, PieceRef, ShipRef
from engine.pieces.piece import Piece, Pull, Visibility

FOUND_ON = 4


@dataclass(slots=True)
class World(Piece):
    """A world: the radius and pull of its zone, how much its haze slows, and its screens."""

    kind: ClassVar[str] = "world"
    word: ClassVar[str] = "world"
    view_keys: ClassVar[tuple[str, ...]] = ("worlds",)
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    body: ClassVar[bool] = True

    id: Open[str]
    x: Open[float]
    y: Open[float]
    radius: Open[float]
    strength: Open[int] = 0
    thick: Open[int] = 0
    dust: Open[int] = 0

    def holds(self, at: Point) -> bool:
        return dist((self.x, self.y), at) < self.radius - NEAR

    @override
    def pull(
        self,
        path: tuple[Point, ...],
        heading: Point | None = None,
    ) -> Pull | None:
        if not (self.strength or self.thick) or (self.holds(path[-1]) and not self.holds(path[0])):
            return None
        far = 0.0
        for (ax, ay), (bx, by) in pairwise(path):
            step = dist((ax, ay), (bx, by))
            if step < NEAR:
                continue
            ux, uy = (bx - ax) / step, (by - ay) / step
            ahead, right = (
                (self.x - ax) * ux + (self.y - ay) * uy,
                (self.x - ax) * uy - (self.y - ay) * ux,
            )
            half = self.radius**2 - right**2
            enters = ahead - half**0.5 if half > 0 else -1.0
            if self.holds((ax, ay)):
                enters = 0.0
            if half > 0 and 0.0 <= enters <= step:
                return self._pull_towards(far + enters, ahead - enters, right)
            far += step
        return None

    def _pull_towards(self, far: float, ahead: float, right: float) -> Pull:
        if self.thick:
            return Pull(far, velocity=-self.thick)
        if abs(ahead) > abs(right):
            return Pull(far, velocity=self.strength if ahead > 0 else -self.strength)
        return Pull(far, self.strength if right > 0 else -self.strength, self.strength // 2)

    @override
    def tell_pull(self, table: Table, ship: ShipState, pull: Pull) -> None:
        table.tell(PulledOffCourse, ship.id, self.id, pull.turn, pull.velocity)

    @override
    def hide_chance(self, a: Point, b: Point) -> float:
        return 0.5 if self.holds(a) or self.holds(b) else 0.0

    @override
    def dimming_levels(self, a: Point, b: Point) -> int:
        return self.dust if self.holds(a) or self.holds(b) else 0

    @override
    def roll_to_find(self, table: Table, ship: ShipState, target: ShipState) -> bool:
        die = table.dice.roll("damage", f"{ship.id}>{target.id}")
        table.tell(SearchRolled, ship.id, target.id, self.id, die)
        return die >= FOUND_ON


@dataclass(frozen=True, slots=True)
class PulledOffCourse(Event):
    """A world bent a ship's course: points of turn to starboard, and MU a turn of extra velocity."""

    kind: ClassVar[str] = "drawn"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    text: ClassVar[str] = "{ship} is drawn off its way"
    ship: ShipRef
    world: PieceRef
    turn_by: Open[int]
    faster: Open[int]

    @override
    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).bend_course(self.turn_by, self.faster)


@dataclass(frozen=True, slots=True)
class SearchRolled(Event):
    """A ship searched for its target in the haze: the die."""

    kind: ClassVar[str] = "sought"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    text: ClassVar[str] = "{ship} looks for {target} in the haze"
    ship: ShipRef
    target: ShipRef
    world: PieceRef
    die: Open[int]
