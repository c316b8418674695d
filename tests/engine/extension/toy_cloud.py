"""A piece that is in no rulebook, added by one file: a cloud of dust that a ship released.

It drifts, blocks sight and fire, and a ship that flies through it takes a die of damage. Everybody
sees it and the ship it came from; only its own side knows how thick it is, and nobody what was
mixed into it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from typing_extensions import override

from engine.core.geometry import COURSES, NEAR, Point, distance_to_path
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import Terms
from engine.events.event import (
    Audience,
    Event,
    LogOrder,
    Open,
    Own,
    PieceRef,
    ShipRef,
    require_value,
)
from engine.pieces.piece import Encounters, Piece, Visibility
from engine.second_edition.damage import mark_damage

SPEED = 3.0  # MU a turn


@dataclass(slots=True)
class Cloud(Piece):
    """A cloud: the ship it came from, its radius, drift, thickness and contents."""

    kind: ClassVar[str] = "haze"
    word: ClassVar[str] = "haze"
    view_keys: ClassVar[tuple[str, ...]] = ("hazes",)
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    body: ClassVar[bool] = True

    id: Open[str]
    side: Open[int]
    ship: ShipRef
    x: Open[float]
    y: Open[float]
    radius: Open[float]
    course: Open[int]
    dust: Own[int] = 0
    recipe: str = ""

    @override
    @classmethod
    def drift(cls, table: Table, encounters: Encounters) -> None:
        for cloud in table.state.pieces_of(Cloud):
            ux, uy = COURSES[cloud.course]
            cloud.x, cloud.y = cloud.x + ux * SPEED, cloud.y + uy * SPEED
            table.tell(CloudDrifted, cloud.id, (cloud.x, cloud.y), cloud.dust)

    @override
    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        for cloud in table.state.pieces_of(Cloud):
            if cloud.holds(path):
                die = table.dice.roll("damage", f"{cloud.id}>{ship.id}")
                table.tell(Dusted, ship.id, cloud.id, cloud.ship, die)
                mark_damage(table, ship, die, f"haze:{cloud.ship}", 0)

    @override
    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        ux, uy = COURSES[self.course]
        there = replace(self, x=self.x + ux * SPEED * turns, y=self.y + uy * SPEED * turns)
        return 0.5 if there.holds(path) else 0.0

    @override
    def blocks(self, a: Point, b: Point) -> bool:
        return distance_to_path(self.x, self.y, a, b) < self.radius - NEAR

    def holds(self, path: tuple[Point, ...]) -> bool:
        return any(self.blocks(a, b) for a, b in pairwise(path))


@dataclass(frozen=True, slots=True)
class CloudDrifted(Event):
    """A cloud drifted."""

    kind: ClassVar[str] = "haze-drifted"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    text: ClassVar[str] = "A dust cloud drifts: it is {at}"
    cloud: PieceRef
    at: Open[tuple[float, float]]
    dust: int

    @override
    def apply(self, state: BattleState) -> None:
        cloud = state.piece(Cloud, require_value(self.cloud))
        cloud.x, cloud.y = self.at


@dataclass(frozen=True, slots=True)
class Dusted(Event):
    """A ship flew through a cloud: the die, which is also the damage."""

    kind: ClassVar[str] = "hazed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    text: ClassVar[str] = "{ship} flies through the dust of {by}"
    ship: ShipRef
    cloud: PieceRef
    by: ShipRef
    die: Open[int]
