"""The base class of a week's events, and the marks that say who may read which field.

An event is a frozen value: one thing that happened in a stage. The umpire's adjudication makes it.
`audience` names the factions that are notified of it, and the type of each field marks who may read
the field. A field without a mark is hidden from every faction.

  ships: Open[int]        shown to the whole audience
  crew: OwnerOnly[str]    shown to those who take part in the event (`is_own`)
  roll: Umpire[int]       stored and shown to the umpire, hidden from every faction

Rules: 2E "Use of an umpire" [camp.hidden]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum, auto
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_args, get_type_hints

from engine.core.phrase_data import reason_data, restore_phrase
from engine.core.reason import Reason

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReasonFact:
    """A reason as documents store it (`engine.core.phrase_data.reason_data`)."""

    code: str
    args: list[Any] | dict[str, Any]


Fact = str | int | ReasonFact
Facts = tuple[tuple[str, Fact], ...]  # the fields of an event as documents store them


class Audience(Enum):
    """Whether the factions in an event's audience take part in it."""

    OWN = auto()  # every faction in the audience takes part
    OTHERS = auto()  # no faction in the audience takes part
    BOTH = auto()  # some factions in the audience take part, others do not


class FieldMark(Enum):
    """Who may read a field of an event."""

    OPEN = auto()
    OWN = auto()
    UMPIRE = auto()


Open = Annotated[T, FieldMark.OPEN]
OwnerOnly = Annotated[T, FieldMark.OWN]
Umpire = Annotated[T, FieldMark.UMPIRE]


@dataclass(frozen=True, slots=True)
class WeekEvent:
    """Something that happened at a hex, or everywhere (empty `hex`), and its audience.

    Attributes:
        audience: The factions that are notified of it.
    """

    code: ClassVar[str] = ""  # the name of the class in documents
    heard_by: ClassVar[Audience] = Audience.OWN
    stored_as: ClassVar[Mapping[str, str]] = {}  # fields with another name in documents
    optional: ClassVar[tuple[str, ...]] = ()  # fields that documents leave out if they are empty
    reasons: ClassVar[tuple[str, ...]] = ()  # fields stored as the code and values of a reason
    of_a_war: ClassVar[bool] = False  # left out in a scenario of a single battle
    loses_ship: ClassVar[bool] = False  # `ship` is lost: reports take its name from the view before

    audience: tuple[str, ...]
    hex: str

    def is_own(self, faction: str) -> bool:  # noqa: ARG002 -- kinds of event ask for it
        """Return whether a faction of the audience takes part and may read the `OwnerOnly` fields.

        Raises:
            NotImplementedError: `heard_by` is `BOTH`, and the class does not override this method.
        """
        if self.heard_by is Audience.BOTH:
            raise NotImplementedError(
                f"{type(self).__name__} needs is_own: with heard_by BOTH, its class says whether a"
                " faction takes part, for example `return faction == self.owner`"
            )
        return self.heard_by is Audience.OWN

    @property
    def facts(self) -> Facts:
        """Return all fields, as the umpire's documents store them."""
        return self._stored_facts(tuple(FieldMark))

    def facts_for(self, faction: str) -> Facts | None:
        """Return the facts that a faction may read; None if it is not in the audience.

        The facts are built from the marked fields; nothing is removed from a fuller document.
        """
        if faction not in self.audience:
            return None
        if self.is_own(faction):
            return self._stored_facts((FieldMark.OPEN, FieldMark.OWN))
        return self._stored_facts((FieldMark.OPEN,))

    def to_document(self) -> dict[str, Any]:
        """Return the event as the umpire's documents store it."""
        return {
            "code": self.code,
            "audience": list(self.audience),
            "hex": self.hex,
            "facts": [[key, json_value(value)] for key, value in self.facts],
        }

    @classmethod
    def from_facts(cls, audience: tuple[str, ...], hex_: str, facts: Facts) -> Self:
        """Build the event from stored facts. Facts hidden from a faction have their defaults."""
        values = {key: _field_value(value) for key, value in facts}
        arguments = {}
        for name, key, _ in fact_fields(cls):
            if key in values:
                arguments[name] = values[key]
        return cls(audience, hex_, **arguments)

    def _stored_facts(self, marks: tuple[FieldMark, ...]) -> Facts:
        """Return the fields with these marks, as documents store them."""
        facts: list[tuple[str, Fact]] = []
        for name, key, mark in fact_fields(type(self)):
            if mark not in marks:
                continue
            value = getattr(self, name)
            is_left_out = name in self.optional and not value
            if isinstance(value, tuple):
                facts += self.stored_pairs(name)
            elif name in self.reasons and isinstance(value, Reason):
                facts.append((key, ReasonFact(**reason_data(value))))
            elif not is_left_out:
                facts.append((key, value))
        return tuple(facts)

    def stored_pairs(self, name: str) -> Facts:
        """Return the pairs as which documents store a field with several facts."""
        pairs: Facts = getattr(self, name)
        return pairs


def number_in(fact: Fact) -> int:
    """Return a numeric fact as an integer."""
    assert not isinstance(fact, ReasonFact)
    return int(fact)


def fields_without_mark(cls: type[WeekEvent]) -> tuple[str, ...]:
    """Return the names of an event's fields that have no mark, or several."""
    marked = {name for name, _, _ in fact_fields(cls)}
    return tuple(field.name for field in _own_fields(cls) if field.name not in marked)


def fields_without_default(cls: type[WeekEvent]) -> tuple[str, ...]:
    """Return the names of fields hidden from part of the audience that have no default."""
    hidden = {name for name, _, mark in fact_fields(cls) if mark is not FieldMark.OPEN}
    result: list[str] = []
    for field in _own_fields(cls):
        if field.name in hidden and field.default is MISSING:
            result.append(field.name)
    return tuple(result)


def fact_fields(cls: type[Any]) -> tuple[tuple[str, str, FieldMark], ...]:
    """Return the marked fields of an event in order: name, key in documents, and mark."""
    if cls not in _FACT_FIELDS:
        _FACT_FIELDS[cls] = _fact_fields(cls)
    return _FACT_FIELDS[cls]


_FACT_FIELDS: dict[type[Any], tuple[tuple[str, str, FieldMark], ...]] = {}  # by class


def _fact_fields(cls: type[Any]) -> tuple[tuple[str, str, FieldMark], ...]:
    """Return the marked fields of an event, from its annotations."""
    hints = get_type_hints(cls, include_extras=True)
    result = []
    for field in _own_fields(cls):
        marks = []
        for mark in get_args(hints[field.name])[1:]:
            if isinstance(mark, FieldMark):
                marks.append(mark)
        if len(marks) == 1:
            key = cls.stored_as.get(field.name, field.name.replace("_", "-"))
            result.append((field.name, key, marks[0]))
    return tuple(result)


def _field_value(value: Fact) -> str | int:
    """Return a stored fact as the value of a field: a reason becomes a translatable text."""
    if isinstance(value, ReasonFact):
        words: str = restore_phrase({"code": value.code, "args": value.args})
        return words
    return value


def json_value(value: Fact) -> Any:
    """Return a fact as JSON."""
    if isinstance(value, ReasonFact):
        return {"code": value.code, "args": value.args}
    return value


def _own_fields(cls: type[Any]) -> tuple[Field[Any], ...]:
    """Return the fields of an event besides those that all events have."""
    shared = {field.name for field in fields(WeekEvent)}
    return tuple(field for field in fields(cls) if field.name not in shared)
