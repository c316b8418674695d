"""Timetables in words and as a short form, and ways of fighting battles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from campaign.kinds import BattleMode, BattleSetting, ClosingRule, StageKind, StageStatus, words_of
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.rules.timetable import (
    KINDS,
    TIMETABLES,
    TWO_FACTIONS,
    WEEK,
    closes_at,
    closes_early,
    grace_of,
    timetable_of,
)
from campaign.selectors.due import Closing
from campaign.services.outbox import moment_in
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.english import counted_noun

# timetable -> (title, description)
FORMS = {
    "solo": (
        phrase("As fast as we play"),
        phrase("A stage closes as soon as every player has sealed. No deadlines."),
    ),
    "live": (
        phrase("Live"),
        phrase(
            "A stage closes as soon as every player has sealed; a phase of an online battle after "
            "ten minutes at the latest."
        ),
    ),
    "evening": (
        phrase("An evening a week"),
        phrase(
            "Orders by Sunday 20:00, two days for decisions, three for battles. With two sides "
            "a stage closes earlier once both have sealed; with more, once all are ready to go "
            "on."
        ),
    ),
    "daily": (
        phrase("A stage a day"),
        phrase(
            "Every stage closes at 20:00 the next day. With two sides it closes earlier once "
            "both have sealed; with more, once all are ready to go on."
        ),
    ),
}
# how a war's battles are fought -> (title, description)
BATTLES = {
    BattleSetting.CAPTAINS.value: (
        phrase("By computer captains"),
        phrase("They follow the doctrine of your fleets. No player has to be present."),
    ),
    BattleSetting.MIXED.value: (
        phrase("By computer captains, or by you"),
        phrase(
            "Whenever fleets meet, each player lets the captain fight or takes command of the "
            "battle, turn by turn."
        ),
    ),
    BattleSetting.ONLINE.value: (
        phrase("Online, turn by turn"),
        phrase(
            "Players give orders for every turn here. If one misses a deadline, a computer "
            "captain decides."
        ),
    ),
    BattleSetting.TABLE.value: (
        phrase("At a table at home"),
        phrase("You print the sheets, fight with miniatures, and every side enters the result."),
    ),
}
STAGE_NAMES = {kind: words.capitalize() for kind, words in words_of(StageKind).items()}
OWN = "own"  # name of a timetable that is not one of the named ones
GRACE_HOURS = (0, 1, 2, 4, 6, 12, 24, 48)  # choices for late orders
SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)  # any day: only whether there is a deadline counts


@cache
def zones() -> tuple[str, ...]:
    """Return the names of the time zones that users can choose: UTC, then the others sorted."""
    regional = []
    for name in available_timezones():
        if "/" in name and not name.startswith("Etc/"):
            regional.append(name)
    return ("UTC", *sorted(regional))


def battle_choices(*, is_single_battle: bool) -> list[tuple[str, tuple[str, str]]]:
    """Return the ways to fight battles that a form offers, with their titles and descriptions."""
    settings = set(BattleMode) if is_single_battle else set(BattleSetting)
    return [(setting, words) for setting, words in BATTLES.items() if setting in settings]


def name_of(timetable: Mapping[str, Any]) -> str:
    """Return the name of a timetable, or `own` if it is not one of the named ones."""
    zone = str(timetable.get("zone", "UTC"))
    without_grace = {key: value for key, value in timetable.items() if key != "grace_hours"}
    for name in TIMETABLES:
        if timetable_of(name, zone) == without_grace:
            return name
    return OWN


def lines_of(timetable: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return (stage, when it closes) in words; one line if all stages close alike."""
    lines = tuple((STAGE_NAMES[kind], _closing_words(timetable, kind)) for kind in KINDS)
    _, first_closing = lines[0]
    if all(closing == first_closing for _, closing in lines):
        return ((phrase("Every stage"), first_closing),)
    return lines


def early_words(timetable: Mapping[str, Any], factions: int, battles_keep_deadline: bool) -> str:
    """Return whether stages close early in a war of so many factions, in words.

    Args:
        battles_keep_deadline: Whether battles last until their deadline if several factions have
            players (see `campaign.selectors.due`).
    """
    words = _early_words(timetable, factions)
    if not battles_keep_deadline or closes_at(timetable, StageKind.BATTLES, SOME_DAY) is None:
        return words
    return phrase(
        "{}. With players in several factions battles always last until their deadline",
        words,
    )


def _early_words(timetable: Mapping[str, Any], factions: int) -> str:
    """Return whether stages close early, in words, without the exception for battles."""
    early_close = timetable.get("early_close")  # True, False, or None for the usual rule
    if early_close or (early_close is None and factions <= TWO_FACTIONS):
        return phrase("A stage closes as soon as everybody has sealed")
    if early_close is None:
        return phrase(
            "With players in several factions a stage closes at its deadline, or earlier if "
            "every side is ready to go on; with players in only one it closes when they have "
            "sealed"
        )
    return phrase("A stage closes at its deadline, or earlier if every side is ready to go on")


def stage_early_words(closing: Closing) -> str:
    """Return what closes the open stage before its deadline, as a sentence; empty for nothing."""
    if closing.rule == ClosingRule.SEALED:
        return phrase("The stage closes as soon as everybody has sealed.")
    if closing.rule == ClosingRule.READY:
        return phrase("It closes earlier if every side is ready to go on.")
    return ""


def begin_words(
    timetable: Mapping[str, Any], factions: int, played: int, battles_keep_deadline: bool
) -> str:
    """Return how stages will close in a war that begins with so many played factions."""
    has_deadlines = all(closes_at(timetable, kind, SOME_DAY) is not None for kind in WEEK)
    if not played and has_deadlines:
        return phrase("Every stage closes at its deadline.")
    if not played:
        return phrase("There are no deadlines, so this takes only minutes.")
    if closes_early(timetable, factions, played):
        words = phrase("A stage closes as soon as everybody has sealed.")
    else:
        words = phrase("A stage closes at its deadline, or once every side is ready to go on.")
    if battles_keep_deadline and has_deadlines and played > 1:
        return phrase("{} Battles always last until their deadline.", words)
    return words


def absence_words(timetable: Mapping[str, Any]) -> str:
    """Return the rule for a faction whose players seal nothing, in words."""
    if all(closes_at(timetable, kind, SOME_DAY) is None for kind in WEEK):
        return phrase("There are no deadlines: every stage waits until everybody has sealed")
    weeks = timetable.get("admiral_after")
    if weeks is None:
        return phrase("If a player seals nothing, standing orders are used")
    return phrase(
        "After {} without orders a computer admiral commands until the player returns",
        counted_noun(weeks, "week"),
    )


def grace_choices(chosen: object) -> list[tuple[int, str, bool]]:
    """Return the choices of how long late orders are accepted: hours, words, and whether chosen.

    Args:
        chosen: The hours in the form or the timetable.
    """
    choices = []
    for hours in GRACE_HOURS:
        words = counted_noun(hours, "hour") if hours else phrase("not at all")
        choices.append((hours, words, str(hours) == str(chosen or 0)))
    return choices


def grace_in(text: str) -> dict[str, int]:
    """Return the entry of a timetable for the hours chosen in a form.

    Raises:
        RuleViolations: It is none of the choices.
    """
    if text not in ("", *(str(hours) for hours in GRACE_HOURS)):
        words = phrase("choose one of the durations offered")
        raise RuleViolations([Violation("grace", "bad-number", words)])
    return {"grace_hours": int(text)} if text not in ("", "0") else {}


def grace_words(timetable: Mapping[str, Any]) -> str:
    """Return how long late orders are accepted, as a sentence; empty if they are not."""
    grace = grace_of(timetable)
    if grace is None:
        return ""
    hours = int(grace.total_seconds()) // 3600
    return phrase(
        "Orders that come at most {} after a deadline are accepted.", counted_noun(hours, "hour")
    )


def late_orders_words(campaign: Campaign, stage: Stage) -> str:
    """Return until when late orders are accepted in an open stage, as a sentence; empty: not."""
    if stage.grace_until is None or stage.closes is None or stage.status != StageStatus.OPEN:
        return ""
    until = moment_in(campaign, stage.grace_until)
    if stage.closes == stage.grace_until:
        return phrase("The deadline has passed. Late orders are accepted until {}.", until)
    return phrase("Late orders are accepted until {}.", until)


def _closing_words(timetable: Mapping[str, Any], kind: str) -> str:
    """Return when stages of a kind close, in words: at a time of day, or after some hours."""
    rule = (timetable.get("closes") or {}).get(kind)
    if rule is None:
        hours = (timetable.get("hours") or {}).get(kind)
        if hours is None:
            return phrase("when everybody has sealed")
        return phrase("after {}", counted_noun(hours, "hour"))
    if "weekday" in rule:
        return phrase("{}, {}", phrase(str(rule["weekday"]).capitalize()), rule["time"])
    days = rule["days"]
    if days == 1:
        return phrase("{}, the next day", rule["time"])
    return phrase("{}, {} days later", rule["time"], days)
