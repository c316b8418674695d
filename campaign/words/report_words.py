"""Reports to a faction in words, of a stage or a battle, the same for pages and API.

Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

from campaign.events.registry import event_class
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice
from campaign.words.notices import NoticeLine, lines_of
from campaign.words.week.reader import NoticeReader, counted_words
from engine.core.phrase import phrase

BATTLE = "battle"
_NOTICES = TypeAdapter(tuple[Notice, ...])


def notices_of(body: Mapping[str, Any]) -> tuple[Notice, ...]:
    """Return the notices of a stored stage report."""
    return _NOTICES.validate_python(body["notices"])


def loses_ships(notices: Iterable[Notice]) -> bool:
    """Return whether a report names ships that the faction no longer has."""
    return any(event_class(notice.code).loses_ship for notice in notices)


def report_lines(
    scenario: Scenario, faction: str, body: Mapping[str, Any]
) -> tuple[NoticeLine, ...]:
    """Return the lines of a report to its faction: a stage's notices, or how a battle ended."""
    if "notices" in body:
        return lines_of(scenario, faction, notices_of(body))
    turns = counted_words(body["turns"], "turn")
    if not body["winner"]:
        words = phrase("The battle was drawn; it lasted {}.", turns)
        tone = ""
    elif body["winner"] == body["side"]:
        words = phrase("You won the battle; it lasted {}.", turns)
        tone = "good"
    else:
        words = phrase("You lost the battle; it lasted {}.", turns)
        tone = "bad"
    place = NoticeReader(scenario, faction).place(body["hex"])
    return (NoticeLine(code=BATTLE, hex=body["hex"], place=place, words=words, tone=tone),)
