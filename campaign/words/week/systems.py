"""The sentences about systems that change hands, and about targets on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from campaign.events.systems import GroundHit, HoldingChanged
from campaign.words.week.contacts import CONTESTED
from campaign.words.week.reader import NoticeReader, counted_words
from campaign.words.week.words import (
    EventWords,
    EventWordsTable,
    JournalLine,
    Line,
    Story,
    StoryKind,
)
from engine.core.phrase import phrase

GAINED = StoryKind(
    "gained",
    100,
    (phrase("{place} is ours"), phrase("Our flag over {place}"), phrase("We hold {place}")),
    (phrase("{system} is held by us"), phrase("We hold {system}")),
)
FALLEN = StoryKind(
    "fallen",
    110,
    (
        phrase("{place} is held by {power}"),
        phrase("The flag of {power} over {place}"),
        phrase("{power} at {place}"),
    ),
    (phrase("{system} is held by {power}"), phrase("{Power} holds {system}")),
)
EMPTY = StoryKind(
    "empty",
    120,
    (
        phrase("Nobody holds {place}"),
        phrase("{place} without a flag"),
        phrase("{place} belongs to no one"),
    ),
    (phrase("{system} is held by nobody"), phrase("Nobody holds {system}")),
)
DISPUTED = StoryKind(
    CONTESTED.name, CONTESTED.weight, CONTESTED.headlines, (phrase("{system} is contested."),)
)


@dataclass(frozen=True, slots=True)
class Superiority:
    """The templates of the reader's superiority in a system, after the words about its holder."""

    won: str
    kept: str  # in a stand-off: the side that had superiority keeps it while it is there


YOUR_SUPERIORITY = Superiority(
    phrase("{}; you have superiority"), phrase("{}; you keep superiority")
)
OUR_SUPERIORITY = Superiority(phrase("{}; we have superiority"), phrase("{}; we keep superiority"))


def _held_line(reader: NoticeReader, event: HoldingChanged) -> Line:
    tone = "good" if event.superior == reader.faction else ""
    return _changed(reader, event, phrase("You hold {}", reader.system(event.system)), tone)


def _held_by_others_line(reader: NoticeReader, event: HoldingChanged) -> Line:
    name = reader.system(event.system)
    if event.holder:
        holder = reader.power(event.holder)
        return _changed(reader, event, phrase("{} holds {}", holder, name), "bad")
    return _changed(reader, event, phrase("Nobody holds {}", name), "")


def _changed(reader: NoticeReader, event: HoldingChanged, holder_words: str, tone: str) -> Line:
    """Return the line of a changed system, with its holder in words unless it is contested."""
    if event.state == "contested":
        return phrase("{} is contested.", reader.system(event.system)), "warm"
    words = _holder_and_superiority(reader, event, holder_words, YOUR_SUPERIORITY)
    return phrase("{}.", words), tone


def _holder_and_superiority(
    reader: NoticeReader, event: HoldingChanged, holder_words: str, own: Superiority
) -> str:
    """Describe the holder of a system, with any stand-off and superiority.

    Args:
        holder_words: The holder in words.
        own: The templates for the reader's own superiority.
    """
    is_stand_off = event.state == "stand-off"
    if is_stand_off:
        holder_words = phrase("{}, in a stand-off", holder_words)
    if not event.superior and not reader.faction:  # newspapers do not speak of superiority
        return holder_words
    if not event.superior:
        return phrase("{}; nobody has superiority", holder_words)
    if event.superior == reader.faction:
        template = own.kept if is_stand_off else own.won
        return template.format(holder_words)
    power = reader.power(event.superior)
    if is_stand_off:
        return phrase("{}; {} keeps superiority", holder_words, power)
    return phrase("{}; {} has superiority", holder_words, power)


def _holding_story(reader: NoticeReader, event: HoldingChanged) -> Story:
    words = {"system": reader.system(event.system), "power": reader.us(event.holder)}
    if event.state == "contested":
        return Story(DISPUTED, words)
    kind = FALLEN if event.holder else EMPTY
    if event.is_own(reader.faction):
        kind = GAINED
    return Story(kind, words, partial(_complete, reader, event))


def _complete(reader: NoticeReader, event: HoldingChanged, holder_words: str) -> str:
    """Return the sentence of a story, with any stand-off and superiority."""
    words = _holder_and_superiority(reader, event, holder_words, OUR_SUPERIORITY)
    return phrase("{}.", words)


def _own_ground_hit_line(_: NoticeReader, event: GroundHit) -> Line:
    if not event.remaining:
        return phrase("On the ground, your {} is in ruins.", event.target), "bad"
    boxes = counted_words(event.boxes, "box")
    words = phrase(
        "On the ground, your {} has {} of {} left.", event.target, event.remaining, boxes
    )
    return words, "bad"


def _ground_hit_line(reader: NoticeReader, event: GroundHit) -> Line:
    power = reader.power(event.owner)
    if not event.remaining:
        return phrase("On the ground, {}'s {} is in ruins.", power, event.target), "good"
    boxes = counted_words(event.boxes, "box")
    words = phrase(
        "On the ground, {}'s {} has {} of {} left.", power, event.target, event.remaining, boxes
    )
    return words, "good"


WORDS: EventWordsTable = {
    HoldingChanged: EventWords(
        own_line=_held_line,
        other_line=_held_by_others_line,
        story=_holding_story,
        place_first=False,
    ),
    GroundHit: EventWords(
        own_line=_own_ground_hit_line,
        other_line=_ground_hit_line,
        journal=JournalLine(
            phrase(
                "{place}: {target} of {owner} is bombarded, {how}: {remaining} of {boxes:box} left"
            ),
            lambda event: {"how": phrase(event.cause)},
        ),
    ),
}
