"""Events of mines in systems: laid, seen, swept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from campaign.events.event import Open, WeekEvent

Places = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class MinesLaid(WeekEvent):
    """Mines that a ship laid before the week's moves."""

    code: ClassVar[str] = "mines-laid"
    ship: Open[str]
    mines: Open[int]


@dataclass(frozen=True, slots=True)
class MinesSeen(WeekEvent):
    """The mines of others that a faction knows to lie where it fought or swept.

    Attributes:
        places: Where they are: x and y of each in thousandths of a MU from the middle of the table,
            as `places_text` writes them.
    """

    code: ClassVar[str] = "mines-seen"
    mines: Open[int]
    places: Open[str]


@dataclass(frozen=True, slots=True)
class MinesSwept(WeekEvent):
    """What the minesweepers of a ship did at the week's end.

    Attributes:
        swept: The mines that are gone.
        missed: The mines that are still there.
        exploded: The mines that attacked the ship.
        damage: The damage points that it took.
    """

    code: ClassVar[str] = "mines-swept"
    ship: Open[str]
    swept: Open[int]
    missed: Open[int]
    exploded: Open[int]
    damage: Open[int]


@dataclass(frozen=True, slots=True)
class SweepPrevented(WeekEvent):
    """A ship that could not sweep, because foes were there or it was in no system."""

    code: ClassVar[str] = "sweep-prevented"
    ship: Open[str]


@dataclass(frozen=True, slots=True)
class MinesLost(WeekEvent):
    """Mines of the faction that others swept or set off at the week's end."""

    code: ClassVar[str] = "mines-lost"
    mines: Open[int]


def places_text(places: Places) -> str:
    """Return places as a text: `-6000,4000 0,1500`."""
    return " ".join(f"{x},{y}" for x, y in places)


def places_in(text: str) -> list[tuple[int, int]]:
    """Return the places of a text."""
    places = []
    for word in text.split():
        x, _, y = word.partition(",")
        places.append((int(x), int(y)))
    return places
