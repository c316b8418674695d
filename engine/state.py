"""Ships on the table: the record sheet (fixed) and the state of a ship in battle (what a turn changes)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Fit:
    """One system fitted: `id` is its type and number in the design's order (`battery-2`), arcs in the edition's order."""

    id: str
    type: str
    variant: str
    arcs: tuple[str, ...]
    offensive: bool = False
    expendable: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A ship record sheet: everything about a ship that no battle changes.

    `fits` stand in canonical order: the design's order, implied FireCons after them, then drive, then ftl. `rows` are
    the boxes of each row of the damage track, upper row first; `boxes` their sum. `ftl`: none, standard or tug.
    """

    cls: str
    edition: str
    kind: str
    classification: str
    mass: int
    thrust: int
    ftl: str
    points: int
    boxes: int
    rows: tuple[int, ...]
    fits: tuple[Fit, ...]
    design: dict[str, Any] = field(default_factory=dict, compare=False)
