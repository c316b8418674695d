"""The record sheet of a ship: everything about it that no battle changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

INSTALLATION = "installation"


@dataclass(frozen=True, slots=True)
class Fit:
    """One system fitted: `id` is its type and number in the design's order (`battery-2`)."""

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
    Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
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


class Rig:
    """What a sheet means on the table, worked out once: where its systems stand in `fits`, and what its batteries roll.

    `batteries`: (place in fits, arc bits, dice within 12, 24 and 36 MU). `bays`: fighter bays; `places`: every place of
    a type, for types that are not looked up in the heat of battle; `bears`: the arc bits of every fit. `row_ends`:
    (damage that ends the row, the die that loses a system there); rows without boxes are left out, the last row too.
    """

    __slots__ = ("batteries", "bays", "bears", "drive", "firecons", "ftl", "index_of", "places", "row_ends", "screens")

    def __init__(
        self,
        batteries: tuple[tuple[int, int, tuple[int, int, int]], ...],
        screens: tuple[int, ...],
        firecons: tuple[int, ...],
        drive: int,
        ftl: int,
        row_ends: tuple[tuple[int, int], ...],
        index_of: dict[str, int],
        places: dict[str, tuple[int, ...]],
        bears: tuple[int, ...],
    ) -> None:
        self.batteries = batteries
        self.screens = screens
        self.firecons = firecons
        self.drive = drive
        self.ftl = ftl
        self.row_ends = row_ends
        self.index_of = index_of
        self.places = places
        self.bears = bears
        self.bays = places.get("fighter-bay", ())
