"""Which symbol of `static/img/battle.svg` shows a system, an arc of its mount, or a silhouette."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.core.kinds import FtlDrive
from engine.core.sheet import Fit, Sheet

UNKNOWN: Final = "unknown"  # shown for anything without a symbol
STAR, LOST_SYMBOL = "star", "lost"
# Symbols with room for a number in the middle.
EMPTY: Final = ("drive", "beam", "battery", "graser", "heavy-graser", "phaser")
# Symbols of drives by type and kind on the ship's sheet.
DRIVES: Final = {
    ("drive", "advanced"): "advanced-drive",
    ("ftl", FtlDrive.ADVANCED.value): "ftl-advanced",
    ("ftl", FtlDrive.TUG.value): "ftl-tug",
}


def symbol_of(fit: Fit, sheet: Sheet) -> str:
    """Return the symbol of a system: that of its type, or for drives of its kind."""
    variant = {"drive": sheet.drive, "ftl": sheet.ftl}.get(fit.type, "")
    return DRIVES.get((fit.type, variant), fit.type)


def arc_symbols(arcs: tuple[str, ...], of: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """Return the segments of a weapon's ring, one per arc: symbol, whether it bears."""
    return tuple((f"w{len(of)}-{arc}", arc in arcs) for arc in of)


def silhouette(classification: str) -> str:
    """Return the symbol of a ship's outline, bow up, by its classification."""
    return f"ship-{classification}"


@dataclass(frozen=True, slots=True)
class Carried:
    """A row of a design's systems with its symbol.

    Attributes:
        mark: Text in the middle of the symbol, or empty.
    """

    symbol: str
    mark: str
    words: str


def carried_systems(
    systems: Iterable[Mapping[str, Any]], words: Iterable[str]
) -> tuple[Carried, ...]:
    """Return the systems of a design's document, each with its description."""
    result: list[Carried] = []
    for row, text in zip(systems, words, strict=True):
        mark = ""
        if row["type"] in EMPTY:
            mark = str(row.get("battery") or row.get("class") or "")
        result.append(Carried(symbol=row["type"], mark=mark, words=text))
    return tuple(result)
