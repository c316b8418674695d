"""Ground targets: a side's installations on a planet, which only ortillery hits.

Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import Audience, Event, Open, ShipRef, UnitRef
from engine.pieces.piece import Piece, PieceDrawing, Visibility


@dataclass(slots=True)
class Site(Piece):
    """A ground target; its ruins stay.

    Attributes:
        is_behind: The battle has moved elsewhere: no side sees or hits it, but its damage still
            counts.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """

    kind: ClassVar[str] = "site"
    word: ClassVar[str] = phrase("ground target")
    order: ClassVar[int] = 12
    solid: ClassVar[bool] = False
    view_keys: ClassVar[tuple[str, ...]] = ("sites",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True
    omitted_defaults: ClassVar[tuple[str, ...]] = ("is_behind",)

    id: Open[str]
    side: Open[int]
    x: Open[float]
    y: Open[float]
    planet: Open[str]
    boxes: Open[int]
    damage: Open[int] = 0
    is_behind: Open[bool] = False

    @property
    def has_boxes(self) -> bool:
        """Always False: blasts in space do not reach it."""
        return False

    @property
    def is_ruined(self) -> bool:
        """Whether it has no boxes left."""
        return self.damage >= self.boxes

    def leave_behind(self) -> bool:
        """Mark it as left behind; its damage still counts, so it is kept."""
        self.is_behind = True
        return True

    def is_off_table(self, table: tuple[float, float]) -> bool:
        """Return whether it is off a table of this size and was not left behind before."""
        return not self.is_behind and Piece.is_off_table(self, table)

    def view_for(self, side: int, names: Mapping[str, str]) -> Site | None:
        """Return the target as every side knows it, or None if it was left behind."""
        if self.is_behind:
            return None
        return Piece.view_for(self, side, names)

    def shared_view_for(self, side: int, names: Mapping[str, str]) -> Site | None:
        """Return `view_for` without copying, for callers that change nothing."""
        if self.is_behind:
            return None
        return Piece.shared_view_for(self, side, names)

    def mark_damage(self, points: int) -> None:
        """Mark off damage points, at most as many as there are boxes left."""
        self.damage = min(self.damage + points, self.boxes)

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a small mark on its planet with its boxes left."""
        boxes_left = document["boxes"] - document["damage"]
        if boxes_left:
            words = phrase(
                "{} {}, {} of {} boxes left",
                cls.word,
                document["id"],
                boxes_left,
                document["boxes"],
            )
        else:
            words = phrase("{}, in ruins", document["id"])
        return PieceDrawing((document["x"], document["y"]), words, label=document["id"])


@dataclass(frozen=True, slots=True)
class TargetBombarded(Event):
    """A ship's ortillery fired at a ground target or a landed ship: its dice and the damage points.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """

    kind: ClassVar[str] = "bombarded"
    text: ClassVar[str] = phrase("{ship} bombards {target}: {points:point} of damage")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    target: UnitRef
    dice: Open[tuple[int, ...]]
    points: Open[int]

    def apply(self, state: BattleState) -> None:
        site = state.find(Site, self.target)
        if site is not None:
            site.mark_damage(self.points)


@dataclass(frozen=True, slots=True)
class NotOverTarget(Event):
    """A ship was ordered to bombard but is not over the planet."""

    kind: ClassVar[str] = "not-over-target"
    text: ClassVar[str] = phrase("{ship} is not in a position to bombard {target}")
    plural_text: ClassVar[str] = phrase("{ship} are not in a position to bombard {target}")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    target: UnitRef
