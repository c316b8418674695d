"""Templates of the nova cannon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events.event import Open, ShipRef
from engine.pieces.piece import Piece, Seen


@dataclass(slots=True)
class Nova(Piece):
    """The template of a nova cannon between its moves: which ship fired it, where it is, which way it flies.

    `age`: how many turns it has moved (1 to 3; after the third it burns out).
    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """

    kind: ClassVar[str] = "nova"
    view_keys: ClassVar[tuple[str, ...]] = ("novas",)
    seen: ClassVar[Seen] = Seen.BY_EVERYBODY
    in_order: ClassVar[bool] = True

    id: Open[str]
    side: Open[int]
    ship: ShipRef
    x: Open[float]
    y: Open[float]
    course: Open[int]
    age: Open[int]
