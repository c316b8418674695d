"""What an event's words consist of: the values that a class registers its sentences by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.words.week.reader import NoticeReader

Words = Mapping[str, str]
Line = tuple[str, str]  # a sentence and its tone: good, bad, warm (worth a look), info or empty


@dataclass(frozen=True, slots=True)
class StoryKind:
    """A kind of story in the newspaper.

    `weight`: the event of the lowest weight gives a place its headline.

    `headlines` and `sentences`: of which one is chosen by the event. `of_the_war`: it is told of no
    place.
    """

    name: str
    weight: int
    headlines: tuple[str, ...]
    sentences: tuple[str, ...] = ()
    of_the_war: bool = False


def same_sentence(sentence: str) -> str:
    """The sentence as it is."""
    return sentence


@dataclass(frozen=True, slots=True)
class Story:
    """An event in the newspaper: its kind, and what fills the kind's sentence and headline.

    `complete`: adds what else there is to say.
    """

    kind: StoryKind
    words: Words = field(default_factory=dict)
    complete: Callable[[str], str] = same_sentence


def no_values(_: Any) -> Words:
    """No values beside the event's own facts."""
    return {}


@dataclass(frozen=True, slots=True)
class JournalLine:
    """The umpire's line: a message with the event's facts, its `{place}` and `{whom}`, those who
    heard of it.

    A fact that is a faction's id is written as its short name. `values`: facts that are told in
    other words.
    """

    message: str
    values: Callable[[Any], Words] = no_values


@dataclass(frozen=True, slots=True)
class EventWords:
    """The sentences of a class of events, by who reads them.

    `own`: a faction that takes part in it; `others`: factions of the audience that do not;
    `story`: the newspaper, None for a brief: one line among others, in the words of the report;
    `journal`: the umpire, None where `umpire/journal.py` tells it from the worlds before and after
    and from the battles' results themselves.
    `place_first`: reports put the place before the sentence.
    """

    own_line: Callable[[NoticeReader, Any], Line] | None = None
    other_line: Callable[[NoticeReader, Any], Line] | None = None
    story: Callable[[NoticeReader, Any], Story] | None = None
    journal: JournalLine | None = None
    place_first: bool = True


EventWordsTable = Mapping[type[Any], EventWords]
