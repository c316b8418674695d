"""Mines on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.events.event import Knowers, Open, Own
from engine.pieces.piece import NOBODY, Piece, Seen


@dataclass(slots=True)
class Mine(Piece):
    """A mine: whose, where, and the turn it was laid in; it is active from the next turn. `known`: bits of the sides
    that know of it. One that others found is nobody's: they know its place alone.

    Rules: 2E "Mines" [2e.mines]
    """

    kind: ClassVar[str] = "mine"
    view_keys: ClassVar[tuple[str, ...]] = ("mines",)
    seen: ClassVar[Seen] = Seen.BY_KNOWERS

    hidden: ClassVar[Mapping[str, Any]] = {"side": NOBODY}

    id: Own[str]
    side: Own[int]
    x: Open[float]
    y: Open[float]
    laid: Own[int]
    known: Knowers
