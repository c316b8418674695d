"""Timetables in words, and as a form of a few fields; and how battles are fought."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from campaign.kinds import BattleMode, ClosingRule, StageKind, words_of
from campaign.rules.timetable import (
    KINDS,
    TIMETABLES,
    TWO_FACTIONS,
    WEEK,
    closes_at,
    closes_early,
    timetable_of,
)
from campaign.selectors.due import Closing
from engine.core.phrase import phrase
from engine.english import counted_noun

# name of a timetable -> (what it is called, what it means)
FORMS = {
    "solo": (
        phrase("As fast as we play"),
        phrase("A stage closes as soon as every player has sealed. No deadlines."),
    ),
    "evening": (
        phrase("An evening a week"),
        phrase(
            "Orders by Sunday 20:00, two days for decisions, three for battles; earlier if both of "
            "two sides have sealed, or if all of more sides say that they are ready to go on."
        ),
    ),
    "daily": (
        phrase("A stage a day"),
        phrase(
            "Every stage closes at 20:00 the next day; earlier if both of two sides have sealed, "
            "or if all of more sides say that they are ready to go on."
        ),
    ),
}
# how battles are fought -> (what it is called, what it means)
BATTLES = {
    BattleMode.CAPTAINS.value: (
        phrase("By computer captains"),
        phrase("They follow the doctrine of your fleets. No player has to be present."),
    ),
    BattleMode.ONLINE.value: (
        phrase("Online, turn by turn"),
        phrase(
            "Players give orders for every turn here. Where one misses a deadline, a computer captain decides."
        ),
    ),
    BattleMode.TABLE.value: (
        phrase("At a table at home"),
        phrase("You print the sheets, fight with miniatures, and every side enters the result."),
    ),
}
STAGE_NAMES = {kind: words.capitalize() for kind, words in words_of(StageKind).items()}
OWN = "own"
SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)


@cache
def zones() -> tuple[str, ...]:
    """The names of time zones that people choose among, sorted."""
    return (
        "UTC",
        *sorted(
            name for name in available_timezones() if "/" in name and not name.startswith("Etc/")
        ),
    )


def name_of(timetable: Mapping[str, Any]) -> str:
    """The name of a timetable among the named ones; `own` where it is another."""
    zone = str(timetable.get("zone", "UTC"))
    for name in TIMETABLES:
        if timetable_of(name, zone) == dict(timetable):
            return name
    return OWN


def lines_of(timetable: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """(stage, when it closes) in words; one line where all close alike."""
    lines = tuple((STAGE_NAMES[kind], _closing(timetable, kind)) for kind in KINDS)
    first = lines[0][1]
    return ((phrase("Every stage"), first),) if all(when == first for _, when in lines) else lines


def early_words(timetable: Mapping[str, Any], factions: int, battles_keep_deadline: bool) -> str:
    """Whether stages close early in a war of so many factions, in words.

    Args:
        battles_keep_deadline: Whether battles last to their deadline where several factions have
            players (see `campaign.selectors.due`).
    """
    words = _early_words(timetable, factions)
    if not battles_keep_deadline or closes_at(timetable, StageKind.BATTLES, SOME_DAY) is None:
        return words
    return phrase(
        "{}. With players in several factions the battles last until their deadline in any case",
        words,
    )


def _early_words(timetable: Mapping[str, Any], factions: int) -> str:
    option = timetable.get("early_close")
    if option or (option is None and factions <= TWO_FACTIONS):
        return phrase("A stage closes as soon as everybody has sealed")
    if option is None:
        return phrase(
            "With players in several factions a stage keeps its deadline, unless every side says "
            "that it is ready to go on; with players in one it closes when they have sealed"
        )
    return phrase("A stage keeps its deadline, unless every side says that it is ready to go on")


def stage_early_words(closing: Closing) -> str:
    """What closes the open stage besides its deadline, as a sentence; empty: nothing does."""
    if closing.rule == ClosingRule.SEALED:
        return phrase("The stage closes as soon as everybody has sealed.")
    if closing.rule == ClosingRule.READY:
        return phrase("It closes earlier if every side says that it is ready to go on.")
    return ""


def begin_words(
    timetable: Mapping[str, Any], factions: int, played: int, battles_keep_deadline: bool
) -> str:
    """How the stages of a war close that begins with players in so many of its factions."""
    has_deadlines = all(closes_at(timetable, kind, SOME_DAY) is not None for kind in WEEK)
    if not played and has_deadlines:
        return phrase("Every stage closes at its deadline.")
    if not played:
        return phrase("There are no deadlines, so that takes minutes.")
    if closes_early(timetable, factions, played):
        words = phrase("A stage closes as soon as everybody has sealed.")
    else:
        words = phrase("A stage closes at its deadline, or once every side is ready to go on.")
    if battles_keep_deadline and has_deadlines and played > 1:
        return phrase("{} The battles last until their deadline in any case.", words)
    return words


def absence_words(timetable: Mapping[str, Any]) -> str:
    """The rule, in words, for a faction whose players seal nothing."""
    after = timetable.get("admiral_after")
    if after is None:
        return phrase("If a player seals nothing, standing orders are used")
    return phrase(
        "After {} without orders a computer admiral leads until the player returns",
        counted_noun(after, "week"),
    )


def _closing(timetable: Mapping[str, Any], kind: str) -> str:
    rule = (timetable.get("closes") or {}).get(kind)
    if rule is None:
        hours = (timetable.get("hours") or {}).get(kind)
        return (
            phrase("when everybody has sealed")
            if hours is None
            else phrase("after {}", counted_noun(hours, "hour"))
        )
    if "weekday" in rule:
        return phrase("{}, {}", phrase(str(rule["weekday"]).capitalize()), rule["time"])
    days = rule["days"]
    return (
        phrase("{}, the next day", rule["time"])
        if days == 1
        else phrase("{}, {} days later", rule["time"], days)
    )
