"""Counters to cut out for the table: a ship's silhouette, bow up, with name and class.

Pure functions.
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.drawings.condition import Condition
from campaign.drawings.lettering import fit_text, truncate
from campaign.drawings.symbols import silhouette
from engine.core.phrase import phrase
from engine.core.sheet import Sheet

SIDE = 100.0  # size of a square counter, in units
TEXT_WIDTH = 92.0


@dataclass(frozen=True, slots=True)
class CounterDrawing:
    """A counter.

    Attributes:
        size: Font size of its name.
    """

    name: str
    size: float
    cls: str
    symbol: str
    alt: str


def counter_drawing(sheet: Sheet, condition: Condition) -> CounterDrawing:
    """Return the counter of a ship."""
    title = condition.name or sheet.cls
    name, size = fit_text(title, TEXT_WIDTH, 13, 7)
    return CounterDrawing(
        name=name,
        size=size,
        cls=truncate(sheet.cls, TEXT_WIDTH, 8),
        symbol=silhouette(sheet.classification),
        alt=phrase("Counter of {}", title),
    )
