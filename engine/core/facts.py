"""How a fact about a ship is declared, and what any sheet of declared facts can do: read one, write
one down, leave out what others may not know, list what is written.

A field's type says what the fact is and who may know it: `Open[...]` is read by everybody who has
identified the ship, a field without that mark by its own side alone. `fact` says the words a log
tells it with, and whether it stays on the sheet from one battle to the next. Which facts there are:
`engine.core.ship_facts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from engine.core.cache import rules_cache
from engine.core.geometry import MILLI
from engine.core.ids import ShipId
from engine.core.phrase import phrase
from engine.events.event import FieldMark

FOREVER = 9999  # a turn that never comes

Systems: TypeAlias = frozenset[str]  # systems of the ship that a fact is true of
BySystem: TypeAlias = Mapping[str, int]  # a number for each system that has one
ByLayer: TypeAlias = Mapping[int, int]  # for each layer of armour, the innermost being 0
Place: TypeAlias = tuple[float, float] | None

T = TypeVar("T")


class Kind(Enum):
    """The kinds of facts, by the type of their field."""

    NUMBER = int
    FLAG = bool
    SYSTEMS = Systems
    BY_SYSTEM = BySystem
    BY_LAYER = ByLayer
    PLACE = Place
    # Another ship, NO_SHIP where there is none; a side reads there what it calls that ship
    SHIP = ShipId


TABLES = (Kind.BY_SYSTEM, Kind.BY_LAYER)


def fact(
    default: T,
    *,
    phrases: tuple[str, str] = ("", ""),
    carries_over: bool = False,
    counts_turns: bool = False,
    recomputes: bool = False,
    core_system: str = "",
    most: int = FOREVER,
    outward: bool = False,
) -> T:
    """Declares a fact that is `default` until a rule writes it down.

    `said`: how a log tells that it is written down, and rubbed out; `{of}` is the system it is
    about, `{value}` its number; empty where another line says it. `kept`: it stays on the sheet
    after the battle. `counts_turns`: its number is a turn. `recomputes`: screens or FireCons depend
    on it. `core_system`: it begins when that core system is hit and ends with its repair. `most`:
    the largest number a battle file may begin it with. `outward`: others see it on the table,
    whether they can read its record sheet or not.
    """
    metadata = {
        "phrases": tuple(map(phrase, phrases)),
        "carries_over": carries_over,
        "counts_turns": counts_turns,
        "recomputes": recomputes,
        "core_system": core_system,
        "most": most,
        "outward": outward,
    }
    result = field(
        metadata=metadata, **({"default_factory": dict} if default == {} else {"default": default})
    )
    return cast(T, result)


@dataclass(frozen=True, slots=True)
class Fact:
    """A declared fact: its `field`, its `name` in documents and logs, what it may be, who may know
    it.
    """

    field: str
    name: str
    kind: Kind
    open: bool
    phrases: tuple[str, str]
    carries_over: bool
    counts_turns: bool
    recomputes: bool
    core_system: str
    most: int
    outward: bool

    def key(self, of: str) -> Any:
        """The system, or the layer of armour, that a name in a document goes on with."""
        return int(of) if self.kind is Kind.BY_LAYER else of


class Facts:
    """A sheet of declared facts; a value, shared by copies of a ship until a rule writes another
    fact down.
    """

    __slots__ = ()

    def number(self, name: str, of: str = "") -> int:
        """The number a fact is written down as, 0 where it is not."""
        declared = facts_of(type(self))[name]
        value: Any = getattr(self, declared.field)
        if declared.kind is Kind.SYSTEMS:
            return int(of in value)
        if declared.kind is Kind.SHIP:
            return int(value == of != "")
        return int(value.get(declared.key(of), 0)) if declared.kind in TABLES else int(value)

    def with_fact(self, name: str, number: int, of: str = "") -> Self:
        """A sheet with one fact more, or another number for it; 0 rubs it out.

        Raises KeyError for an unknown one.
        """
        declared = facts_of(type(self))[name]
        old: Any = getattr(self, declared.field)
        new: Any = number
        if declared.kind is Kind.FLAG:
            new = number != 0
        elif declared.kind is Kind.SYSTEMS:
            new = old | {of} if number else old - {of}
        elif declared.kind is Kind.SHIP:
            new = of if number else ""
        elif declared.kind in TABLES:
            new = {key: value for key, value in old.items() if key != declared.key(of)}
            if number:
                new[declared.key(of)] = number
        return self.with_values(**{declared.field: new})

    def with_values(self, **values: Any) -> Self:
        """A sheet with other values in these fields."""
        sheet: Any = self
        result: Self = replace(sheet, **values)
        return result

    def open_only(self) -> Self:
        """The facts with the open ones alone, as others read them.

        Rules: Continuum "Information" 2.6 [pc.open-book]
        """
        if self is blank(type(self)) or not any(_hidden_of(self)):
            return self
        facts = facts_of(type(self)).values()
        return type(self)(
            **{declared.field: getattr(self, declared.field) for declared in facts if declared.open}
        )

    def outward_only(self) -> Self:
        """The facts with those alone that others see on the table.

        Rules: Continuum 12.2 [pc.sensors]
        """
        if self is blank(type(self)):
            return self
        facts = facts_of(type(self)).values()
        return type(self)(
            **{
                declared.field: getattr(self, declared.field)
                for declared in facts
                if declared.outward
            }
        )

    def with_names(self, names: Mapping[str, str]) -> Self:
        """A sheet with ships by what a side calls them (`called`, by their ids); none where it
        calls them nothing.
        """
        if self is blank(type(self)):
            return self
        renamed: dict[str, str] = {}
        for declared in facts_of(type(self)).values():
            if declared.kind is Kind.SHIP:
                ship: str = getattr(self, declared.field)
                if names.get(ship, "") != ship:
                    renamed[declared.field] = names.get(ship, "")
        return self.with_values(**renamed) if renamed else self

    def entries(self) -> Iterator[tuple[str, int]]:
        """The facts as names and numbers."""
        for declared in facts_of(type(self)).values():
            value: Any = getattr(self, declared.field)
            if not value:
                continue
            if declared.kind is Kind.SYSTEMS:
                yield from ((f"{declared.name}:{of}", 1) for of in sorted(value))
            elif declared.kind in TABLES:
                yield from ((f"{declared.name}:{of}", number) for of, number in value.items())
            elif declared.kind is Kind.PLACE:
                yield f"{declared.name}-x", round(value[0] * MILLI)
                yield f"{declared.name}-y", round(value[1] * MILLI)
            elif declared.kind is Kind.SHIP:
                yield f"{declared.name}:{value}", 1
            else:
                yield declared.name, int(value)


F = TypeVar("F", bound=Facts)


def blank(sheet: type[F]) -> F:
    """The sheet of a kind on which nothing is written down: one for all ships."""
    return _blank(sheet)  # type: ignore[arg-type, return-value]  # `cache` forgets the type


@rules_cache
def facts_of(sheet: type[Facts]) -> dict[str, Fact]:
    """The declared facts of a kind of sheet by the names they are written down by.

    Raises TypeError for an open fact that names another ship.
    """
    hints = get_type_hints(sheet, include_extras=True)
    declared: Any = sheet
    facts: dict[str, Fact] = {}
    for declared_field in fields(declared):
        is_marked = get_origin(hints[declared_field.name]) is Annotated
        hint, *marks = (
            get_args(hints[declared_field.name]) if is_marked else (hints[declared_field.name],)
        )
        is_open = marks == [FieldMark.OPEN]
        name = declared_field.name.replace("_", "-")
        kind = Kind(hint)
        if kind is Kind.SHIP and is_open:
            raise TypeError(
                f"{name}: others would read the id of a ship, which its own side alone may know"
            )
        facts[name] = Fact(declared_field.name, name, kind, is_open, **declared_field.metadata)
    return facts


def _hidden_of(sheet: Facts) -> tuple[Any, ...]:
    """The facts of a sheet that its own side alone may know."""
    return _hidden_reader(type(sheet))(sheet)


@rules_cache
def _hidden_reader(sheet: type[Facts]) -> attrgetter[tuple[Any, ...]]:
    return attrgetter(
        *(declared.field for declared in facts_of(sheet).values() if not declared.open)
    )


@cache
def _blank(sheet: type[Facts]) -> Facts:
    return sheet()
