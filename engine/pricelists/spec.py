"""A row of the systems table of editions that sell systems by the piece: what fitting one costs, where it may stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ArcRule = Literal["none", "adjacent", "one", "fore"]


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A row of the systems table: what fitting one costs and where it may stand.

    `variant` tells the rows of one type apart (battery A, B, C; weasel cruiser, capital). `points_per_arc` is added
    for every arc, the first included. `kinds` and `classifications` that are empty mean: any.
    """

    type: str
    variant: str
    title: str
    mass: int
    points: int
    rule: str
    points_per_arc: int = 0
    arcs: ArcRule = "none"
    most: int | None = None
    civil: bool = False  # merchants may carry it
    most_on_merchant: int | None = None
    classifications: tuple[str, ...] = ()
    offensive: bool = False
    expendable: bool = False
