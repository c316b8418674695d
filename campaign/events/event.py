"""What an event of a week is, and who may know which of its fields.

An event is a frozen value: one thing that happened in a stage. The umpire's adjudication makes it.
`audience` names the factions that hear of it, and the type of each field marks who may read the
field. A field without a mark is hidden from every faction.

    ships: Open[int]      shown to the whole audience
    crew: Own[str]        shown to those who take part in the event (`is_own`)
    roll: Umpire[int]     stored and shown to the umpire, hidden from every faction

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
Facts = tuple[tuple[str, Fact], ...]  # an event's fields as documents store them


class Audience(Enum):
    """The kinds of audience: whether factions hear of an event that is not their own."""

    OWN = auto()  # all who hear of it take part in it
    OTHERS = auto()  # none who hear of it take part in it
    BOTH = auto()  # some who hear of it take part in it, others do not


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
    """Something that happened at a hex, or to all (`hex` is empty), and the factions that hear of
    it.
    """

    code: ClassVar[str] = ""  # names the class in documents
    heard_by: ClassVar[Audience] = Audience.OWN
    stored_as: ClassVar[Mapping[str, str]] = {}  # fields that documents call otherwise
    optional: ClassVar[tuple[str, ...]] = ()  # fields that documents leave out where they are empty
    reasons: ClassVar[
        tuple[str, ...]
    ] = ()  # fields that say why: documents store a code and values
    of_a_war: ClassVar[bool] = False  # a scenario of a single battle does not tell of it
    loses_ship: ClassVar[bool] = False  # `ship` is lost: reports look for it in the view before

    audience: tuple[str, ...]
    hex: str

    def is_own(self, faction: str) -> bool:  # noqa: ARG002 -- kinds of event ask for it
        """Whether a faction of the audience takes part in the event, so that it may read the `Own`
        fields.

        Raises NotImplementedError where `heard_by` is `BOTH`: such a class says whose event it is.
        """
        if self.heard_by is Audience.BOTH:
            raise NotImplementedError(
                f"{type(self).__name__} needs is_own: with heard_by BOTH, its class says whether a"
                " faction takes part, for example `return faction == self.owner`"
            )
        return self.heard_by is Audience.OWN

    @property
    def facts(self) -> Facts:
        """All fields, as the umpire's documents store them."""
        return self._stored_facts(tuple(FieldMark))

    def facts_for(self, faction: str) -> Facts | None:
        """Return the facts of the event that a faction may read; None where it does not hear of it.

        The facts are built from the marked fields; nothing is cut out of a fuller account.
        """
        if faction not in self.audience:
            return None
        if self.is_own(faction):
            return self._stored_facts((FieldMark.OPEN, FieldMark.OWN))
        return self._stored_facts((FieldMark.OPEN,))

    def to_document(self) -> dict[str, Any]:
        """The event as the umpire's documents store it."""
        return {
            "code": self.code,
            "audience": list(self.audience),
            "hex": self.hex,
            "facts": [[key, _plain(value)] for key, value in self.facts],
        }

    @classmethod
    def from_facts(cls, audience: tuple[str, ...], hex_: str, facts: Facts) -> Self:
        """The event that stored facts tell of. Facts hidden from a faction have their defaults.

        A reason is a `Reason` again; older documents have its English text, which is left as it is.
        """
        values = {key: _worded(value) for key, value in facts}
        arguments = {name: values[key] for name, key, _ in fact_fields(cls) if key in values}
        return cls(audience, hex_, **arguments)

    def _stored_facts(self, marks: tuple[FieldMark, ...]) -> Facts:
        facts: list[tuple[str, Fact]] = []
        for name, key, mark in fact_fields(type(self)):
            if mark not in marks:
                continue
            value = getattr(self, name)
            if isinstance(value, tuple):
                facts += self.stored_pairs(name)
            elif name in self.reasons and isinstance(value, Reason):
                facts.append((key, ReasonFact(**reason_data(value))))
            elif value or name not in self.optional:
                facts.append((key, value))
        return tuple(facts)

    def stored_pairs(self, name: str) -> Facts:
        """The pairs by which documents store a field that holds several facts."""
        pairs: Facts = getattr(self, name)
        return pairs


def number_in(fact: Fact) -> int:
    """Return a fact that is a number."""
    assert not isinstance(fact, ReasonFact)
    return int(fact)


def fields_without_mark(cls: type[WeekEvent]) -> tuple[str, ...]:
    """The names of an event's fields that have no mark, or several."""
    marked = {name for name, _, _ in fact_fields(cls)}
    return tuple(field.name for field in _own_fields(cls) if field.name not in marked)


def fields_without_default(cls: type[WeekEvent]) -> tuple[str, ...]:
    """Return the names of fields that are hidden from a part of the audience and have no
    default.
    """
    hidden = {name for name, _, mark in fact_fields(cls) if mark is not FieldMark.OPEN}
    return tuple(
        field.name
        for field in _own_fields(cls)
        if field.name in hidden and field.default is MISSING
    )


def fact_fields(cls: type[Any]) -> tuple[tuple[str, str, FieldMark], ...]:
    """The marked fields of an event in their order: the name, its key in documents, and the
    mark.
    """
    if cls not in _FACT_FIELDS:
        _FACT_FIELDS[cls] = _fact_fields(cls)
    return _FACT_FIELDS[cls]


_FACT_FIELDS: dict[type[Any], tuple[tuple[str, str, FieldMark], ...]] = {}  # by class, as declared


def _fact_fields(cls: type[Any]) -> tuple[tuple[str, str, FieldMark], ...]:
    hints = get_type_hints(cls, include_extras=True)
    result = []
    for field in _own_fields(cls):
        marks = [mark for mark in get_args(hints[field.name])[1:] if isinstance(mark, FieldMark)]
        if len(marks) == 1:
            key = cls.stored_as.get(field.name, field.name.replace("_", "-"))
            result.append((field.name, key, marks[0]))
    return tuple(result)


def _worded(value: Fact) -> str | int:
    if isinstance(value, ReasonFact):
        words: str = restore_phrase({"code": value.code, "args": value.args})
        return words
    return value


def _plain(value: Fact) -> Any:
    return {"code": value.code, "args": value.args} if isinstance(value, ReasonFact) else value


def _own_fields(cls: type[Any]) -> tuple[Field[Any], ...]:
    shared = {field.name for field in fields(WeekEvent)}
    return tuple(field for field in fields(cls) if field.name not in shared)
