"""Building blocks for sentences about events of a battle, and the registry of sentences.

Each class of event has one sentence: in a module here, registered by `words_of`, or on the class
itself if a template with its fields in braces is enough (`Event.text`). `campaign.words.battle.log`
uses both. If the same can happen to several ships or groups at once, the plural of the sentence is
registered beside it, by `plural_words_of` or `ship_words_of` or as `Event.plural_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from string import Formatter
from typing import Any, Protocol, TypeVar, overload

from engine.core.phrase import join_phrases, phrase
from engine.english import Count, counted_noun, join_names, system_words
from engine.events.event import Event, FieldMark, field_marks_of

Words = tuple[str, str]  # what happened, and its dice or other details


class BattleNames(Protocol):
    """The names a side has for ships and groups, by the keys of its log."""

    def of(self, ship: object) -> str: ...

    def bogey(self, code: object) -> str: ...

    def side(self, key: str) -> str: ...


A = TypeVar("A", bound=Event)
B = TypeVar("B", bound=Event)
EventSentence = Callable[[A, BattleNames], Words]
# Sentences by class of event, for classes without their own text.
WORDS: dict[type[Event], EventSentence[Any]] = {}
# Their plurals: sentences about one event, whose subject is a list of ships or their number.
PLURAL_WORDS: dict[type[Event], EventSentence[Any]] = {}


# With two classes the function must accept an event of either
@overload
def words_of(cls: type[A], /) -> Callable[[EventSentence[A]], EventSentence[A]]: ...
@overload
def words_of(
    cls: type[A], other: type[B], /
) -> Callable[[EventSentence[A | B]], EventSentence[A | B]]: ...
def words_of(*classes: type[Event]) -> Callable[[EventSentence[Any]], EventSentence[Any]]:
    """Register the function that describes events of these classes."""

    def register(say: EventSentence[Any]) -> EventSentence[Any]:
        for cls in classes:
            assert cls not in WORDS, f"{cls.__name__} has words already"
            WORDS[cls] = say
        return say

    return register


def plural_words_of(
    *classes: type[Event],
) -> Callable[[EventSentence[Any]], EventSentence[Any]]:
    """Register the function that tells events of these classes of several ships or groups."""

    def register(say: EventSentence[Any]) -> EventSentence[Any]:
        for cls in classes:
            assert cls not in PLURAL_WORDS, f"{cls.__name__} has a plural already"
            PLURAL_WORDS[cls] = say
        return say

    return register


def ship_words_of(cls: type[Event], text: str, plural_text: str) -> None:
    """Register the sentence of an event and its plural: templates that follow the names."""
    words_of(cls)(of_ship(text))
    plural_words_of(cls)(of_ship(plural_text))


@dataclass(frozen=True, slots=True)
class JointNames:
    """The names of a side, with one name for all subjects of a plural sentence.

    Attributes:
        subject: The key of the ship or group of the event that stands for all events.
        subjects: The names of all their ships or groups, or their number.
    """

    names: BattleNames
    subject: str
    subjects: str

    def of(self, ship: object) -> str:
        """Return the name of a ship or group, or those of all subjects."""
        return self.subjects if str(ship) == self.subject else self.names.of(ship)

    def bogey(self, code: object) -> str:
        """Return the name of an unidentified contact, or those of all subjects."""
        return self.subjects if str(code) == self.subject else self.names.bogey(code)

    def side(self, key: str) -> str:
        """Return the name of a side."""
        return self.names.side(key)


def by_template(text: str) -> EventSentence[Event]:
    """Return a sentence that fills a template with an event's fields, and shows its dice.

    Fields that name ships and groups show their names, and a number may have a noun:
    `{craft:craft}`.
    """
    fields = _fields_in(text)

    def say(event: Event, names: BattleNames) -> Words:
        dice = dice_words(getattr(event, "dice", ())) or die(getattr(event, "die", 0))
        return _filled(text, fields, event, names), dice

    return say


def of_ship(text: str) -> EventSentence[Event]:
    """Return a sentence that begins with a ship's or group's name, followed by a template."""
    fields = _fields_in(text)

    def say(event: Event, names: BattleNames) -> Words:
        return phrase("{} {}", names.of(event.subject), _filled(text, fields, event, names)), ""

    return say


def _fields_in(template: str) -> tuple[str, ...]:
    """Return the names of the fields in a template."""
    return tuple(field for _, field, _, _ in Formatter().parse(template) if field)


def _filled(template: str, fields: Iterable[str], event: Event, names: BattleNames) -> str:
    """Return a template filled with an event's fields."""
    marks = field_marks_of(type(event))
    values = {}
    for field in fields:
        values[field] = _value(field, getattr(event, field), marks[field], names)
    return template.format(**values)


def _value(field: str, value: Any, mark: FieldMark, names: BattleNames) -> Any:
    """Return the value of an event's field as it appears in a sentence."""
    if type(value) is int:
        return Count(value)
    if field == "at":
        return point_words(value)
    if mark is FieldMark.REASON:
        return value
    if field == "side":
        return names.side(value)
    if field in ("weapon", "marker"):
        return system_words(value)
    if mark is FieldMark.UNIT:
        return names.of(value)
    return value


class Ranged(Protocol):
    """An event of fire, with its range in MU and its dice."""

    @property
    def range(self) -> float: ...

    @property
    def dice(self) -> tuple[int, ...]: ...


class Guarding(Protocol):
    """An event of point defence, with the ship that fires and the one it protects."""

    @property
    def ship(self) -> str: ...

    @property
    def guarded(self) -> str: ...


def dice_words(dice: Iterable[int]) -> str:
    """Return dice in words, or an empty text without any."""
    numbers = " ".join(str(number) for number in dice)
    if numbers:
        return phrase("dice {}", numbers)
    return ""


def titled_dice_words(title: str, dice: Iterable[int]) -> str:
    """Return dice with a title, or an empty text without any."""
    numbers = " ".join(str(number) for number in dice)
    if numbers:
        return phrase("{} {}", title, numbers)
    return ""


def boarders_words(marines: int, parties: int) -> str:
    """Return marines and damage control parties with their numbers; neither: no boarders."""
    counts = []
    if marines:
        counts.append(counted_noun(marines, "marine"))
    if parties:
        counts.append(counted_noun(parties, "party"))
    return join_names(counts) if counts else phrase("no boarders")


def die(number: int) -> str:
    """Return a die in words, or an empty text if none was rolled (0)."""
    if number:
        return phrase("die {}", number)
    return ""


def hits_words(hits: int) -> str:
    """Return the hits of a weapon's fire in words."""
    if hits:
        return phrase("hits for {}", hits)
    return phrase("misses")


def range_words(event: Ranged, *details: str, screens: int = 0) -> str:
    """Return the range, other details and the dice of a weapon's fire."""
    return details_words(
        f"{event.range:.0f} MU",
        *details,
        phrase("screens {}", screens) if screens else "",
        dice_words(event.dice),
    )


def details_words(*details: str | None) -> str:
    """Return the details that are not empty as a list in words."""
    return join_phrases(", ", [detail for detail in details if detail])


def rolls_words(rolls: Iterable[tuple[str, int]]) -> str:
    """Return systems with the die rolled for each as a list in words."""
    return join_phrases(
        ", ", [phrase("{} rolled {}", system_words(system), die) for system, die in rolls]
    )


def systems_words(names: Iterable[str]) -> str:
    """Return names of systems as a list in words."""
    return join_phrases(", ", (system_words(name) for name in names))


def point_words(at: tuple[float, float]) -> str:
    """Return a place on the table in words."""
    x, y = at
    return phrase("at {:.0f}, {:.0f}", x, y)


def guarded_ship_name(event: Guarding, names: BattleNames) -> str:
    """Return the ship that point defence protects, or an empty text if it protects itself."""
    if event.guarded == event.ship:
        return ""
    return names.of(event.guarded)


def point_defence_shot_words(ship: str, weapon: str, target: str, guarded: str, result: str) -> str:
    """Describe a shot of point defence, with the protected ship if one is named."""
    if guarded:
        return phrase("{} fires {} at {} for {}: {}", ship, weapon, target, guarded, result)
    return phrase("{} fires {} at {}: {}", ship, weapon, target, result)
