"""Which symbol of `static/img/battle.svg` stands for what: a system, an arc of its mount, a
silhouette.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.core.kinds import FtlDrive
from engine.core.sheet import Fit, Sheet

UNKNOWN: Final = "unknown"  # of what a test has to find a symbol for
STAR, LOST_SYMBOL = "star", "lost"
# Symbols with room for a number in the middle.
EMPTY: Final = ("drive", "beam", "battery", "graser", "heavy-graser", "phaser")
# Systems that look otherwise with what their ship's sheet says of them: (type, what the sheet says)
# -> symbol.
DRIVES: Final = {
    ("drive", "advanced"): "advanced-drive",
    ("ftl", FtlDrive.ADVANCED.value): "ftl-advanced",
    ("ftl", FtlDrive.TUG.value): "ftl-tug",
}


def symbol_of(fit: Fit, sheet: Sheet) -> str:
    """The symbol of one system of a ship: its type's, but for drives, which come in kinds."""
    variant = {"drive": sheet.drive, "ftl": sheet.ftl}.get(fit.type, "")
    return DRIVES.get((fit.type, variant), fit.type)


def arc_symbols(arcs: tuple[str, ...], of: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """The segments of the ring around a weapon, one for each arc of the edition (`of`): (symbol,
    whether it bears).
    """
    return tuple((f"w{len(of)}-{arc}", arc in arcs) for arc in of)


def silhouette(classification: str) -> str:
    """The outline of a ship by its classification, bow up."""
    return f"ship-{classification}"


@dataclass(frozen=True, slots=True)
class Carried:
    """A row of a design's systems with its symbol.

    `mark`: what stands in the middle of it, "" where nothing does.
    """

    symbol: str
    mark: str
    words: str


def carried_systems(
    systems: Iterable[Mapping[str, Any]], words: Iterable[str]
) -> tuple[Carried, ...]:
    """The systems of a design, as its document has them, with what is said of each."""
    return tuple(
        Carried(
            row["type"],
            str(row.get("battery") or row.get("class") or "") if row["type"] in EMPTY else "",
            text,
        )
        for row, text in zip(systems, words, strict=True)
    )
