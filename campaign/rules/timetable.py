"""When stages close.

A timetable: {schema, zone, hours, closes, early_close, admiral_after, stop_minutes}.

`hours`: stage kind to the hours it stays open, or null. `closes`: stage kind to a time in the
campaign's zone, which goes before `hours`: {"days": n, "time": "20:00"}, on the n-th day after the
opening, or {"weekday": "sunday", "time": "20:00"}, the next such time that leaves at least
`LEAST_HOURS`. A kind that has neither waits for the orders. Wall times stay what they are when the
clocks change; one that does not exist that day is taken as the hour after it, one that exists twice
as the first.

`early_close`: a stage closes as soon as all are in. None: only where at most two factions are, or
one has players; for with more it would tell a third that somebody had nothing to decide. Whatever
it says, where more than two factions are and people play battles, their stage lasts until its
deadline (`BATTLES_LAST`, if the timetable has none): its early end would tell who fights none how
long the others fought.

`admiral_after`: after so many weeks in a row for which a faction's players sealed no orders, a
computer admiral leads it until they do; null or absent: never.

`stop_minutes`: after so many minutes a stop of a battle fought online closes, whoever is in; it
fits the time that the battles of a week have. Null or absent: a stop waits for its orders, as long
as the week lasts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from campaign.kinds import StageKind
from engine.core.errors import Violation
from engine.core.phrase import phrase

WEEK = (StageKind.ORDERS, StageKind.DECISIONS, StageKind.BATTLES)
KINDS = (StageKind.DEPLOY, *WEEK)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
TWO_FACTIONS = 2
BATTLES_LAST = timedelta(
    hours=72
)  # where their end would tell a third faction of them, and no deadline is set
LEAST_HOURS = 12  # between the opening of a stage and the weekday's time at which it closes
MOST_HOURS = 24 * 90
MOST_DAYS = 90
TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
KEYS = frozenset(
    {"schema", "zone", "hours", "closes", "early_close", "admiral_after", "stop_minutes"}
)

WEEKLY: dict[str, Any] = {"schema": 1, "zone": "UTC", "hours": {}, "early_close": None}

# name -> what a campaign is opened with; its zone is the campaign's own
TIMETABLES: dict[str, dict[str, Any]] = {
    # against the computer: a stage closes as soon as the players are in
    "solo": {
        "schema": 1,
        "hours": {},
        "closes": {},
        "early_close": True,
        "admiral_after": None,
        "stop_minutes": None,
    },
    # an evening a week: orders by Sunday, two days for decisions, three for the battles
    "evening": {
        "schema": 1,
        "hours": {},
        "closes": {
            "deploy": {"weekday": "sunday", "time": "20:00"},
            "orders": {"weekday": "sunday", "time": "20:00"},
            "decisions": {"days": 2, "time": "20:00"},
            "battles": {"days": 3, "time": "20:00"},
        },
        "early_close": None,
        "admiral_after": 2,
        "stop_minutes": 120,
    },
    # a stage a day
    "daily": {
        "schema": 1,
        "hours": {},
        "closes": {kind: {"days": 1, "time": "20:00"} for kind in KINDS},
        "early_close": None,
        "admiral_after": 3,
        "stop_minutes": 40,
    },
}


def timetable_of(name: str, zone: str = "UTC") -> dict[str, Any]:
    """A named timetable in a zone. Raises KeyError for an unknown name."""
    return {**TIMETABLES[name], "zone": zone}


def closes_at(timetable: Mapping[str, Any], kind: str, opens: datetime) -> datetime | None:
    """The time at which a stage of this kind closes that opens then, or None where it waits for the
    orders.
    """
    opens = opens.astimezone(UTC)
    rule = timetable.get("closes", {}).get(kind)
    if rule is None:
        hours = timetable.get("hours", {}).get(kind)
        return None if hours is None else opens + timedelta(hours=hours)
    zone, at = ZoneInfo(timetable["zone"]), time.fromisoformat(rule["time"])
    today = opens.astimezone(zone).date()
    if "days" in rule:
        return _instant(today + timedelta(days=rule["days"]), at, zone)
    earliest = opens + timedelta(hours=LEAST_HOURS)
    ahead = (WEEKDAYS.index(rule["weekday"]) - today.weekday()) % len(WEEKDAYS)
    closes = _instant(today + timedelta(days=ahead), at, zone)
    return (
        closes
        if closes >= earliest
        else _instant(today + timedelta(days=ahead + len(WEEKDAYS)), at, zone)
    )


def closes_early(timetable: Mapping[str, Any], factions: int, played: int = TWO_FACTIONS) -> bool:
    """Whether a stage closes as soon as all are in.

    `played`: how many of the factions have players.
    """
    option = timetable.get("early_close")
    return factions <= TWO_FACTIONS or played <= 1 if option is None else bool(option)


def timetable_ahead(
    timetable: Mapping[str, Any], kind: str, closes: datetime | None
) -> list[tuple[str, datetime]]:
    """The published rest of the week: (kind, when it closes) of this stage and those after it, as
    far as is known.
    """
    ahead: list[tuple[str, datetime]] = []
    following = KINDS[KINDS.index(kind) + 1 :] if kind in KINDS and kind != StageKind.DEPLOY else ()
    while closes is not None:
        ahead.append((kind, closes))
        if not following:
            break
        kind, following = following[0], following[1:]
        closes = closes_at(timetable, kind, closes)
    return ahead


def timetable_violations(
    timetable: Mapping[str, Any], factions: int, where: str = "timetable"
) -> tuple[Violation, ...]:
    """All that is wrong with a timetable for a war of so many factions."""
    violations = [
        Violation(f"{where}.{key}", "unknown", phrase("a timetable has no '{}'", key))
        for key in sorted(set(timetable) - KEYS)
    ]
    if not zone_exists(timetable.get("zone")):
        violations.append(
            Violation(
                f"{where}.zone", "unknown-zone", phrase("must be a time zone such as Europe/Berlin")
            )
        )
    for part in ("hours", "closes"):
        table = timetable.get(part, {})
        if not isinstance(table, Mapping):
            violations.append(Violation(f"{where}.{part}", "bad-shape", phrase("must name stages")))
            continue
        for kind, rule in table.items():
            words = phrase("there is no such stage") if kind not in KINDS else _fault(part, rule)
            if words:
                violations.append(Violation(f"{where}.{part}.{kind}", "bad-deadline", words))
    if timetable.get("early_close") not in (None, True, False):
        violations.append(
            Violation(f"{where}.early_close", "bad-option", phrase("must be true, false or null"))
        )
    if (after := timetable.get("admiral_after")) is not None and not _is_whole_number(after, 1, 52):
        violations.append(
            Violation(
                f"{where}.admiral_after",
                "bad-number",
                phrase("must be a number of weeks from 1 to 52, or null"),
            )
        )
    if (minutes := timetable.get("stop_minutes")) is not None:
        most = _window_minutes(timetable)
        if not _is_whole_number(minutes, 1, most):
            words = phrase("must be from 1 to {} minutes, as long as battles have, or null", most)
            violations.append(Violation(f"{where}.stop_minutes", "bad-number", words))
    if not violations and not closes_early(timetable, factions):
        endless = [
            kind
            for kind in KINDS
            if closes_at(timetable, kind, datetime(2026, 1, 1, tzinfo=UTC)) is None
        ]
        words = phrase(
            "without a deadline this stage never ends: set one, or let stages close early"
        )
        violations += [
            Violation(f"{where}.closes.{kind}", "never-closes", words) for kind in endless
        ]
    return tuple(violations)


def _window_minutes(timetable: Mapping[str, Any]) -> int:
    """How many minutes the battles of a week have, at least about; without a deadline the longest
    there is.
    """
    rules = [timetable.get(part) for part in ("closes", "hours")]
    rule, hours = (table.get("battles") if isinstance(table, Mapping) else None for table in rules)
    if isinstance(rule, Mapping) and isinstance(rule.get("days"), int):
        return int(rule["days"]) * 24 * 60
    if isinstance(rule, Mapping):
        return LEAST_HOURS * 60
    return (hours if isinstance(hours, int) and hours > 0 else MOST_HOURS) * 60


def zone_exists(name: object) -> bool:
    """Whether this is the name of a time zone."""
    if not isinstance(name, str) or not name:
        return False
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # unknown, or no name of a zone at all
        return False
    return True


def _fault(part: str, rule: object) -> str:
    """What is wrong with the rule of one stage; nothing: an empty text."""
    if part == "hours":
        return (
            ""
            if rule is None or _is_whole_number(rule, 0, MOST_HOURS)
            else phrase("must be from 0 to {} hours, or null", MOST_HOURS)
        )
    if rule is None:
        return ""
    if (
        not isinstance(rule, Mapping)
        or not isinstance(rule.get("time"), str)
        or not TIME.fullmatch(rule["time"])
    ):
        return phrase("needs a time of day such as 20:00")
    if set(rule) == {"time", "days"}:
        return (
            ""
            if _is_whole_number(rule["days"], 1, MOST_DAYS)
            else phrase("must be from 1 to {} days", MOST_DAYS)
        )
    if set(rule) == {"time", "weekday"}:
        return (
            "" if rule["weekday"] in WEEKDAYS else phrase("must be one of {}", ", ".join(WEEKDAYS))
        )
    return phrase("needs either days or a weekday, and a time")


def _is_whole_number(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The moment of a wall time. One skipped by the clocks is moved on by as much as they skip."""
    return datetime.combine(day, at, zone).astimezone(UTC)
