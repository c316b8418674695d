"""A report to a faction as lines: notices in their order, each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TypeGuard

from campaign.events.bases import RepairFailed, RepairSucceeded
from campaign.events.battles import ShipLost
from campaign.events.cargo import GoodsLoaded
from campaign.events.contacts import Chase, ContactDecision, ForceWithdrew, Survivors
from campaign.events.event import WeekEvent
from campaign.events.registry import WEEK_EVENTS, event_class
from campaign.kinds import StageKind
from campaign.rules.perception import event_of_notice
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice
from campaign.words.week.battles import destroyed_together
from campaign.words.week.cargo import loaded_together
from campaign.words.week.reader import NO_LINKS, NoticeLinks, NoticeReader
from campaign.words.week.registry import WEEK_WORDS, line_of

REPAIR_CODES = (RepairSucceeded.code, RepairFailed.code)
SETTLED_BEFORE_MOVEMENT = (ContactDecision, Chase, ForceWithdrew, Survivors)


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """A notice in words.

    Attributes:
        place: Where it happened; empty for the whole war.
        tone: good, bad, warm (of note), info or empty.
    """

    code: str
    hex: str
    place: str
    words: str
    tone: str = ""

    @property
    def is_repair(self) -> bool:
        """Whether it tells the roll of a repair; a fleet after a battle has dozens."""
        return self.code in REPAIR_CODES


def lines_of(
    scenario: Scenario, faction: str, notices: Iterable[Notice], links: NoticeLinks = NO_LINKS
) -> tuple[NoticeLine, ...]:
    """Return notices as lines for their faction: those of the whole war first, then place by place.

    Ships that were destroyed at one place are one line, and so are ships that loaded the same
    goods there.

    Args:
        links: Addresses for the names in them.

    Raises:
        KeyError: A code has no words.
    """
    reader = NoticeReader(scenario, faction, links)
    ordered = sorted(notices, key=lambda notice: (notice.hex, notice_rank(notice)))
    events = [event_of_notice(notice) for notice in ordered]
    if reader.single:
        events = [event for event in events if not event.of_a_war]
    lines: list[NoticeLine] = []
    for (label, code, _), group in groupby(events, key=_group_key):
        lines += _group_lines(reader, label, code, list(group))
    return tuple(lines)


def notice_rank(notice: Notice) -> tuple[bool, int]:
    """Return the position of a notice among those of its place and stage: roughly when it happened.

    Choices in a contact of an earlier week are settled before the fleets move, and scans are made
    after that. Fleets that meet in the week are scanned before they choose, in an earlier stage.
    """
    cls = event_class(notice.code)
    is_before_movement = notice.stage == StageKind.ORDERS and cls in SETTLED_BEFORE_MOVEMENT
    return not is_before_movement, WEEK_EVENTS.index(cls)


def _group_lines(
    reader: NoticeReader, label: str, code: str, events: list[WeekEvent]
) -> list[NoticeLine]:
    """Return the lines of events with the same code in one hex."""
    place = ""
    if WEEK_WORDS[type(events[0])].place_first:
        place = reader.place(label)
    destroyed_ships = [event for event in events if is_destroyed(event)]
    loads = [event for event in events if isinstance(event, GoodsLoaded)]
    if len(destroyed_ships) > 1:
        texts = [destroyed_together(reader, destroyed_ships)]
    elif len(loads) > 1:
        texts = loaded_together(reader, loads)
    else:
        texts = [line_of(reader, event) for event in events]
    return [
        NoticeLine(code=code, hex=label, place=place, words=words, tone=tone)
        for words, tone in texts
    ]


def _group_key(event: WeekEvent) -> tuple[str, str, bool]:
    """Return place and code of an event, and whether it is grouped as a destroyed ship."""
    return event.hex, event.code, is_destroyed(event)


def is_destroyed(event: WeekEvent) -> TypeGuard[ShipLost]:
    """Return whether it reports a destroyed ship; those are grouped."""
    return isinstance(event, ShipLost) and event.destroyed
