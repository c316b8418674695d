"""Counters to cut out and put on the table: a ship's silhouette, bow up, with its name and class.

Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.drawings.condition import Condition
from campaign.drawings.lettering import cut, fitted
from campaign.drawings.symbols import silhouette
from engine.core.phrase import phrase
from engine.core.sheet import Sheet

SIDE = 100.0  # units of a counter, which is square
ROOM = 92.0


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter. `size`: of the letters of its name."""

    name: str
    size: float
    cls: str
    symbol: str
    alt: str


def counter(sheet: Sheet, condition: Condition) -> Counter:
    """The counter of a ship."""
    called = condition.name or sheet.cls
    name, size = fitted(called, ROOM, 13, 7)
    return Counter(
        name,
        size,
        cut(sheet.cls, ROOM, 8),
        silhouette(sheet.classification),
        phrase("Counter of {}", called),
    )
