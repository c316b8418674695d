"""The values with which a class of events registers its sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.events.contacts import Counts
from campaign.words.week.reader import NoticeReader
from engine.english import counted_kind

Words = Mapping[str, str]
Line = tuple[str, str]  # a sentence and its tone: good, bad, warm (worth a look), info or empty


@dataclass(frozen=True, slots=True)
class StoryKind:
    """A kind of story in the newspaper.

    Attributes:
        weight: The event with the lowest weight gives a place its headline.
        headlines: One is chosen by the event.
        sentences: One is chosen by the event.
        of_the_war: It belongs to no place.
    """

    name: str
    weight: int
    headlines: tuple[str, ...]
    sentences: tuple[str, ...] = ()
    of_the_war: bool = False


def same_sentence(sentence: str) -> str:
    """Return the sentence unchanged."""
    return sentence


@dataclass(frozen=True, slots=True)
class Story:
    """An event in the newspaper.

    Attributes:
        words: Values for the kind's sentence and headline.
        complete: Adds further facts to the sentence.
    """

    kind: StoryKind
    words: Words = field(default_factory=dict)
    complete: Callable[[str], str] = same_sentence


def counted_contacts(counts: Counts) -> list[str]:
    """Return the contacts of each classification in words."""
    return [counted_kind(count, kind) for kind, count in counts]


def no_values(_: Any) -> Words:
    """Return no values besides the event's own facts."""
    return {}


@dataclass(frozen=True, slots=True)
class JournalLine:
    """The umpire's line: a message with the event's facts, `{place}` and `{whom}` (the audience).

    A fact that is a faction's id appears as its name. `{place}` is "At Frost": it begins the line.

    Attributes:
        values: Facts that need other words.
    """

    message: str
    values: Callable[[Any], Words] = no_values


@dataclass(frozen=True, slots=True)
class EventWords:
    """The sentences of a class of events, by reader.

    Attributes:
        own_line: For a faction that takes part in it.
        other_line: For other factions of the audience.
        story: For the newspaper; None for a brief, one line in the words of the report.
        journal: For the umpire; None if `umpire/journal.py` derives it from the worlds before and
            after and the battles' results.
        place_first: Reports put the place before the sentence.
    """

    own_line: Callable[[NoticeReader, Any], Line] | None = None
    other_line: Callable[[NoticeReader, Any], Line] | None = None
    story: Callable[[NoticeReader, Any], Story] | None = None
    journal: JournalLine | None = None
    place_first: bool = True


EventWordsTable = Mapping[type[Any], EventWords]
