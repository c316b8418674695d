"""Asteroids and their chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from engine.core.geometry import NEAR, distance_to_path
from engine.events.event import Open
from engine.pieces.piece import Piece, Point, Seen

if TYPE_CHECKING:
    from engine.core.state import BattleState


@dataclass(slots=True)
class Rock(Piece):
    """An asteroid, round, with its drift: course and MU a turn. `boxes` 0: nothing destroys it.

    Rules: 2E "Asteroids" [2e.asteroids]
    """

    kind: ClassVar[str] = "rock"
    view_keys: ClassVar[tuple[str, ...]] = ("rocks",)
    seen: ClassVar[Seen] = Seen.BY_EVERYBODY
    in_order: ClassVar[bool] = True

    id: Open[str]
    x: Open[float]
    y: Open[float]
    radius: Open[float]
    course: Open[int] = 12
    speed: Open[float] = 0.0
    boxes: Open[int] = 0
    damage: Open[int] = 0

    def blocks(self, a: Point, b: Point) -> bool:
        """It lies across a line that comes nearer than its rim; grazing it does not block. Rules: 2E [2e.asteroids]"""
        return distance_to_path(self.x, self.y, a, b) < self.radius - NEAR

    def off(self, table: Point) -> bool:
        """Its whole body is off the table."""
        r = self.radius
        return not (-r <= self.x <= table[0] + r and -r <= self.y <= table[1] + r)

    def break_up(self, state: BattleState, chunks: tuple[tuple[str, float, int, int], ...]) -> None:
        """Put its chunks (name, radius, course, speed) in its place. Rules: 2E "Asteroids" [2e.asteroids]"""
        state.take_off(self)
        state.pieces += [Rock(id_, self.x, self.y, radius, course, float(mu)) for id_, radius, course, mu in chunks]
