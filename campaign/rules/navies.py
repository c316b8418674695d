"""Lists of class names: what a navy calls its ship classes and its fighters.

Scenarios name such a list by its id in `class_names`. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

ClassNames = Mapping[str, Mapping[str, str]]  # a navy's name of each class, by navy and class
NO_NAVIES: ClassNames = {}


@dataclass(frozen=True, slots=True)
class Navy:
    """A list of class names.

    Attributes:
        classes: The catalogue's name of each class and the navy's name for it, smallest first.
        fighters: The name of its fighters; "" if it has none.
    """

    id: str
    name: str
    short: str
    adjective: str
    classes: tuple[tuple[str, str], ...]
    fighters: str = ""


def read_navies(rows: Iterable[Mapping[str, Any]]) -> tuple[Navy, ...]:
    """Return the navies of the project's own file, in its order."""
    return tuple(_navy(row) for row in rows)


def _navy(row: Mapping[str, Any]) -> Navy:
    """Return the navy of an entry of the file."""
    return Navy(
        id=row["id"],
        name=row["name"],
        short=row["short"],
        adjective=row["adjective"],
        classes=tuple(row["classes"].items()),
        fighters=row.get("fighters", ""),
    )


def class_names_of(navies: Iterable[Navy]) -> ClassNames:
    """Return the names of classes of each navy by its id."""
    return {navy.id: dict(navy.classes) for navy in navies}
