"""The sentences of all classes of events, and the lines made from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaign.events.battles import ShipLost
from campaign.events.event import WeekEvent
from campaign.words.week import bases, battles, cargo, contacts, mines, systems, umpire, war
from campaign.words.week.reader import NoticeReader
from campaign.words.week.words import EventWords, Line, Story

WEEK_WORDS: dict[type[Any], EventWords] = {
    **war.WORDS,
    **contacts.WORDS,
    **battles.WORDS,
    **systems.WORDS,
    **bases.WORDS,
    **cargo.WORDS,
    **mines.WORDS,
    **umpire.WORDS,
}


def line_of(reader: NoticeReader, event: WeekEvent) -> Line:
    """Return the line of an event in a faction's report.

    Raises:
        KeyError: The class has no sentences.
        LookupError: There is no sentence for this reader.
    """
    words = WEEK_WORDS[type(event)]
    line = words.own_line if event.is_own(reader.faction) else words.other_line
    if line is None:
        raise LookupError(event.code)
    return line(reader, event)


def story_of(reader: NoticeReader, events: Sequence[WeekEvent]) -> Story | None:
    """Return an event's story, or that of several ships destroyed together, or None."""
    lost_ships = [event for event in events if isinstance(event, ShipLost)]
    if len(lost_ships) > 1:
        return battles.destroyed_together_story(reader, lost_ships)
    event = events[0]
    story = WEEK_WORDS[type(event)].story
    if story is None:
        return None
    return story(reader, event)


def is_story(event: WeekEvent) -> bool:
    """Return whether the event makes a story; others are briefs in the words of reports."""
    return WEEK_WORDS[type(event)].story is not None
