"""How facts about ships are declared, and what every sheet of declared facts can do.

The type of a field says what the fact is and who may know it: `Open[...]` facts are visible to
every side that has identified the ship, other facts only to its own side. `fact` sets the words of
the log and whether the fact carries over to the next battle. `engine.core.ship_facts` declares the
facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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

Systems: TypeAlias = frozenset[str]  # the systems of the ship for which a fact is true
BySystem: TypeAlias = Mapping[str, int]  # a number for each system that has one
ByLayer: TypeAlias = Mapping[int, int]  # a number for each layer of armour; 0 is the innermost
Place: TypeAlias = tuple[float, float] | None

T = TypeVar("T")


class FactKind(Enum):
    """The kinds of facts, by the type of their field."""

    NUMBER = int
    FLAG = bool
    SYSTEMS = Systems
    BY_SYSTEM = BySystem
    BY_LAYER = ByLayer
    PLACE = Place
    # Another ship, or NO_SHIP. Each side sees its own name for that ship here.
    SHIP = ShipId


MAPPING_KINDS = (FactKind.BY_SYSTEM, FactKind.BY_LAYER)


def fact(
    default: T,
    *,
    phrases: tuple[str, str] | tuple[str, str, str, str] = ("", ""),
    carries_over: bool = False,
    counts_turns: bool = False,
    recomputes: bool = False,
    core_system: str = "",
    most: int = FOREVER,
    outward: bool = False,
) -> T:
    """Declare a fact that has the value `default` until a rule sets it.

    Args:
        phrases: The words of the log for setting and clearing the fact; `{of}` is the system that
            it concerns, `{value}` its number. Empty if another line of the log reports it. Two
            more words are the same for several ships, which are listed ship by ship without them.
        carries_over: The fact stays on the sheet after the battle.
        counts_turns: Its number is a turn.
        recomputes: The ship must recompute its screens and FireCons when the fact changes.
        core_system: The fact starts when this core system is hit and ends when it is repaired.
        most: The largest number with which a battle file may start the fact.
        outward: Other sides see it on the table, even if the record sheet is closed to them.
    """
    metadata = {
        "phrases": tuple(map(phrase, phrases[:2])),
        "plural_phrases": tuple(map(phrase, phrases[2:])) or ("", ""),
        "carries_over": carries_over,
        "counts_turns": counts_turns,
        "recomputes": recomputes,
        "core_system": core_system,
        "most": most,
        "outward": outward,
    }
    if default == {}:
        return cast(T, field(metadata=metadata, default_factory=dict))
    return field(metadata=metadata, default=default)


@dataclass(frozen=True, slots=True)
class Fact:
    """A declared fact: its field, its name in documents and logs, its kind, and who may know it.

    `fact` explains the other attributes.

    Attributes:
        is_open: Every side that has identified the ship may know it.
    """

    field: str
    name: str
    kind: FactKind
    is_open: bool
    phrases: tuple[str, str]
    plural_phrases: tuple[str, str]
    carries_over: bool
    counts_turns: bool
    recomputes: bool
    core_system: str
    most: int
    outward: bool

    def mapping_key(self, key: str) -> Any:
        """Return the key of the fact's mapping for a key in documents: layers are numbers."""
        if self.kind is FactKind.BY_LAYER:
            return int(key)
        return key


class Facts:
    """An immutable sheet of facts; copies of a ship share it until a rule changes one of them.

    A `key` is the part of a document name after the colon: the id of the system or ship, or the
    number of the layer of armour, that the fact concerns. Facts about the whole ship have none.
    """

    __slots__ = ()

    def number(self, name: str, key: str = "") -> int:
        """Return the number of a fact, 0 if it is not set."""
        declared = facts_of(type(self))[name]
        value: Any = getattr(self, declared.field)
        if declared.kind is FactKind.SYSTEMS:
            return int(key in value)
        if declared.kind is FactKind.SHIP:
            return int(value == key != "")
        if declared.kind in MAPPING_KINDS:
            return int(value.get(declared.mapping_key(key), 0))
        return int(value)

    def with_fact(self, name: str, number: int, key: str = "") -> Self:
        """Return the sheet with one fact set to a number; 0 clears it.

        Raises:
            KeyError: There is no such fact.
        """
        declared = facts_of(type(self))[name]
        old: Any = getattr(self, declared.field)
        new: Any = number
        if declared.kind is FactKind.FLAG:
            new = number != 0
        elif declared.kind is FactKind.SYSTEMS:
            new = old | {key} if number else old - {key}
        elif declared.kind is FactKind.SHIP:
            new = key if number else ""
        elif declared.kind in MAPPING_KINDS:
            new = dict(old)
            new.pop(declared.mapping_key(key), None)
            if number:
                new[declared.mapping_key(key)] = number
        return self.with_values(**{declared.field: new})

    def with_values(self, **values: Any) -> Self:
        """Return the sheet with other values in these fields."""
        sheet: Any = self
        result: Self = replace(sheet, **values)
        return result

    def open_only(self) -> Self:
        """Return the sheet with only its open facts, as other sides see it.

        Rules: Continuum "Information" 2.6 [pc.open-book]
        """
        if self is blank(type(self)) or not any(_hidden_of(self)):
            return self
        open_facts = [fact for fact in facts_of(type(self)).values() if fact.is_open]
        return self._only(open_facts)

    def outward_only(self) -> Self:
        """Return the sheet with only the facts that other sides see on the table.

        Rules: Continuum 12.2 [pc.sensors]
        """
        if self is blank(type(self)):
            return self
        outward_facts = [fact for fact in facts_of(type(self)).values() if fact.outward]
        return self._only(outward_facts)

    def _only(self, facts: Iterable[Fact]) -> Self:
        """Return a new sheet with only these facts; all others have their defaults."""
        return type(self)(**{fact.field: getattr(self, fact.field) for fact in facts})

    def with_names(self, names: Mapping[str, str]) -> Self:
        """Return the sheet with a side's names for other ships in place of their ids.

        Args:
            names: The side's name of each ship by its id. A ship without a name is removed.
        """
        if self is blank(type(self)):
            return self
        renamed: dict[str, str] = {}
        for declared in facts_of(type(self)).values():
            if declared.kind is FactKind.SHIP:
                ship: str = getattr(self, declared.field)
                if names.get(ship, "") != ship:
                    renamed[declared.field] = names.get(ship, "")
        if renamed:
            return self.with_values(**renamed)
        return self

    def entries(self) -> Iterator[tuple[str, int]]:
        """Yield the names and numbers of the facts that are set."""
        for declared in facts_of(type(self)).values():
            value: Any = getattr(self, declared.field)
            if not value:
                continue
            if declared.kind is FactKind.SYSTEMS:
                for system in sorted(value):
                    yield f"{declared.name}:{system}", 1
            elif declared.kind in MAPPING_KINDS:
                for key, number in value.items():
                    yield f"{declared.name}:{key}", number
            elif declared.kind is FactKind.PLACE:
                yield f"{declared.name}-x", round(value[0] * MILLI)
                yield f"{declared.name}-y", round(value[1] * MILLI)
            elif declared.kind is FactKind.SHIP:
                yield f"{declared.name}:{value}", 1
            else:
                yield declared.name, int(value)


F = TypeVar("F", bound=Facts)


def blank(sheet: type[F]) -> F:
    """Return the empty sheet of a kind, which all ships share."""
    return _blank(sheet)  # type: ignore[arg-type, return-value]  # `cache` forgets the type


@rules_cache
def facts_of(sheet: type[Facts]) -> dict[str, Fact]:
    """Return the declared facts of a kind of sheet by their names in documents.

    Raises:
        TypeError: An open fact names another ship.
    """
    hints = get_type_hints(sheet, include_extras=True)
    declared: Any = sheet
    facts: dict[str, Fact] = {}
    for declared_field in fields(declared):
        hint = hints[declared_field.name]
        marks: list[Any] = []
        if get_origin(hint) is Annotated:
            hint, *marks = get_args(hint)
        is_open = marks == [FieldMark.OPEN]
        name = declared_field.name.replace("_", "-")
        kind = FactKind(hint)
        if kind is FactKind.SHIP and is_open:
            raise TypeError(
                f"{name}: others would read the id of a ship, which its own side alone may know"
            )
        facts[name] = Fact(declared_field.name, name, kind, is_open, **declared_field.metadata)
    return facts


def _hidden_of(sheet: Facts) -> tuple[Any, ...]:
    """Return the facts of a sheet that only its own side may know."""
    return _hidden_reader(type(sheet))(sheet)


@rules_cache
def _hidden_reader(sheet: type[Facts]) -> attrgetter[tuple[Any, ...]]:
    """Return a function that reads all facts of a sheet that are not open."""
    return attrgetter(
        *(declared.field for declared in facts_of(sheet).values() if not declared.is_open)
    )


@cache
def _blank(sheet: type[Facts]) -> Facts:
    """Return the empty sheet of a kind, created once."""
    return sheet()
