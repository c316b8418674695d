"""A report to a faction in lines: notices in the order in which they are told, each with its
place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from campaign.events.battles import ShipLost
from campaign.events.event import WeekEvent
from campaign.events.registry import WEEK_EVENTS
from campaign.rules.perceive import told_event
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice
from campaign.words.week.battles import destroyed_together
from campaign.words.week.reader import NO_LINKS, NoticeLinks, NoticeReader
from campaign.words.week.registry import WEEK_WORDS, line_of


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """A notice in words.

    `place`: where, empty for all; `tone`: good, bad, warm (of note), info or empty.
    """

    code: str
    hex: str
    place: str
    words: str
    tone: str = ""


def lines_of(
    scenario: Scenario, faction: str, notices: Iterable[Notice], links: NoticeLinks = NO_LINKS
) -> tuple[NoticeLine, ...]:
    """Notices as the faction they are addressed to reads them: what concerns all first, then place
    by place.

    Ships that were destroyed at one place are one line. `links`: what the names in them lead to.

    Raises KeyError for a code that has no words.
    """
    reader = NoticeReader(scenario, faction, links)
    rank = {cls: number for number, cls in enumerate(WEEK_EVENTS)}
    events = [told_event(notice) for notice in notices]
    if reader.single:
        events = [event for event in events if not event.of_a_war]
    in_order = sorted(events, key=lambda event: (event.hex, rank[type(event)]))
    found: list[NoticeLine] = []
    for (hex_, code, gone), grouped in groupby(in_order, key=_alike):
        several = list(grouped)
        place = reader.place(hex_) if WEEK_WORDS[type(several[0])].place_first else ""
        told = [line_of(reader, event) for event in several]
        lost = [event for event in several if isinstance(event, ShipLost)]
        if gone and len(lost) > 1:
            told = [destroyed_together(reader, lost)]
        found += [NoticeLine(code, hex_, place, words, tone) for words, tone in told]
    return tuple(found)


def _alike(event: WeekEvent) -> tuple[str, str, bool]:
    """Place and code of an event, and whether it is of a ship destroyed, which is told together
    with others.
    """
    return event.hex, event.code, is_destroyed(event)


def is_destroyed(event: WeekEvent) -> bool:
    """Whether it is of a ship destroyed, which is told together with others."""
    return isinstance(event, ShipLost) and event.destroyed
