"""Fields of the forms of a battle's stops: lists, ticks, texts and numbers, and the controls made of them. Pure.

A control is what says one part of a ship's plot: a word with what belongs to it. What it says of values sent is read by
the same function that tells what it says as it is shown, so that a form knows what was changed in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

Option = tuple[str, str]
Values = Mapping[str, list[str]]  # what fields hold, by their names


@dataclass(frozen=True, slots=True)
class Pick:
    """A field with a choice of values, and the one chosen. `many`: several at once."""

    name: str
    label: str
    options: tuple[Option, ...]
    chosen: tuple[str, ...]
    many: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """A box to tick. `value`: what it sends; `on`: it is ticked."""

    name: str
    value: str
    label: str
    on: bool


@dataclass(frozen=True, slots=True)
class Written:
    """A field for text. `hint`: what is written there. `bounds`: it is a number, between these."""

    name: str
    label: str
    value: str
    hint: str = ""
    bounds: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields that stand together."""

    picks: tuple[Pick, ...]
    ticks: tuple[Tick, ...]
    written: tuple[Written, ...]

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self.picks or self.ticks or self.written)


@dataclass(frozen=True, slots=True)
class Control:
    """The fields that say one part of a plot. `key`: of that part; `id`: of its place on the page; `reads`: the part
    from the values of its fields, "" where they say nothing. `faults`: what is wrong with it.
    """

    key: str
    id: str
    label: str
    fields: Fields
    reads: Callable[[Values], str] = field(compare=False)
    help: str = ""
    faults: tuple[str, ...] = ()

    @property
    def grouped(self) -> bool:
        """Whether it has several fields, under one label."""
        return len(self.fields.picks) + len(self.fields.ticks) + len(self.fields.written) > 1


def shown_values(fields: Iterable[Fields]) -> dict[str, list[str]]:
    """What fields hold as they are shown, as a browser sends them."""
    found: dict[str, list[str]] = {}
    for some in fields:
        for pick in some.picks:
            offered = [value for value, _ in pick.options]
            found[pick.name] = [value for value in pick.chosen if value in offered] or offered[:1]
        for tick in some.ticks:
            found.setdefault(tick.name, []).extend([tick.value] if tick.on else [])
        for written in some.written:
            found[written.name] = [written.value]
    return found


def first(values: Values, name: str) -> str:
    """The value of a field that has one, without spaces about it; "" where it has none."""
    return next((value.strip() for value in values.get(name, ())), "")
