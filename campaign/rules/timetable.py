"""When stages close.

A timetable is a document with the keys `schema`, `zone`, `hours`, `closes`, `early_close`,
`admiral_after` and `phase_minutes`.

`hours` maps a stage kind to the hours it stays open, or null. `closes` maps a stage kind to a time
in the campaign's zone, and takes precedence over `hours`: {"days": n, "time": "20:00"}, on the n-th
day after the opening, or {"weekday": "sunday", "time": "20:00"}, the next such time at least
`LEAST_HOURS` ahead. A kind that has neither waits for the orders. Wall times are kept when the
clocks change; one that does not exist that day is moved on by the hour skipped, and of one that
exists twice the first counts.

`early_close` says whether a stage closes as soon as all are sealed. None means: only if there are
at most two factions, or only one has players; otherwise an early end would reveal to a third
faction that another had nothing to decide. In any case, if there are more than two factions and
people play battles, the stage of battles lasts until its deadline (`BATTLES_LAST`, if the timetable
has none): an early end would reveal to others how long the battle took.

`admiral_after` is the number of weeks in a row without sealed orders of a faction's players after
which a computer admiral takes over until they seal again; null or absent: never.

`phase_minutes` is the number of minutes after which a phase of an online battle closes, sealed or
not; it must fit into the time for a week's battles. Null or absent: a phase waits for its orders as
long as the stage lasts.
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
# How long battles last without a deadline if their end would reveal them to a third faction.
BATTLES_LAST = timedelta(hours=72)
LEAST_HOURS = 12  # between the opening of a stage and a weekday's time at which it closes
DAYS_OF_WEEK = len(WEEKDAYS)
MAX_WEEKS = 52  # without orders, until a computer admiral takes over
MAX_HOURS = 24 * 90
MAX_DAYS = 90
MAX_GRACE = 72  # hours
CLOCK_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
KEYS = frozenset(
    {
        *("schema", "zone", "hours", "closes", "early_close"),
        *("admiral_after", "phase_minutes", "grace_hours"),
    }
)

WEEKLY: dict[str, Any] = {"schema": 1, "zone": "UTC", "hours": {}, "early_close": None}

# The timetables that a campaign can be opened with, by name; the zone is the campaign's own.
TIMETABLES: dict[str, dict[str, Any]] = {
    # Against the computer: a stage closes as soon as the players have sealed.
    "solo": {
        "schema": 1,
        "hours": {},
        "closes": {},
        "early_close": True,
        "admiral_after": None,
        "phase_minutes": None,
    },
    # Players sit at their screens at the same time: a phase of a battle closes after ten minutes.
    "live": {
        "schema": 1,
        "hours": {},
        "closes": {},
        "early_close": True,
        "admiral_after": None,
        "phase_minutes": 10,
    },
    # An evening a week: orders by Sunday, two days for decisions, three for the battles.
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
        "phase_minutes": 120,
    },
    # A stage a day.
    "daily": {
        "schema": 1,
        "hours": {},
        "closes": {kind: {"days": 1, "time": "20:00"} for kind in KINDS},
        "early_close": None,
        "admiral_after": 3,
        "phase_minutes": 40,
    },
}


def timetable_of(name: str, zone: str = "UTC") -> dict[str, Any]:
    """Return a named timetable in a zone. Raises KeyError for an unknown name."""
    return {**TIMETABLES[name], "zone": zone}


def closes_at(timetable: Mapping[str, Any], kind: str, opens: datetime) -> datetime | None:
    """Return when a stage that opens then closes; None if it waits for the orders."""
    opens = opens.astimezone(UTC)
    rule = timetable.get("closes", {}).get(kind)
    if rule is None:
        hours = timetable.get("hours", {}).get(kind)
        if hours is None:
            return None
        return opens + timedelta(hours=hours)
    zone = ZoneInfo(timetable["zone"])
    at = time.fromisoformat(rule["time"])
    today = opens.astimezone(zone).date()
    if "days" in rule:
        return _instant(today + timedelta(days=rule["days"]), at, zone)
    earliest = opens + timedelta(hours=LEAST_HOURS)
    days_ahead = (WEEKDAYS.index(rule["weekday"]) - today.weekday()) % DAYS_OF_WEEK
    closes = _instant(today + timedelta(days=days_ahead), at, zone)
    if closes >= earliest:
        return closes
    return _instant(today + timedelta(days=days_ahead + DAYS_OF_WEEK), at, zone)


def grace_of(timetable: Mapping[str, Any]) -> timedelta | None:
    """Return how long late orders are accepted after a deadline; None: not at all."""
    hours = timetable.get("grace_hours")
    return timedelta(hours=hours) if hours else None


def closes_early(timetable: Mapping[str, Any], factions: int, played: int = TWO_FACTIONS) -> bool:
    """Return whether a stage closes as soon as all are sealed.

    Args:
        factions: The number of factions.
        played: How many of them have players.
    """
    option = timetable.get("early_close")
    if option is None:
        return factions <= TWO_FACTIONS or played <= 1
    return bool(option)


def timetable_ahead(
    timetable: Mapping[str, Any], kind: str, closes: datetime | None
) -> list[tuple[str, datetime]]:
    """Return (kind, closing time) of this stage and the later ones of its week, as far as known."""
    if closes is None:
        return []
    ahead = [(kind, closes)]
    later_kinds = WEEK[WEEK.index(StageKind(kind)) + 1 :] if kind in WEEK else ()
    opens = closes
    for later_kind in later_kinds:
        later_closes = closes_at(timetable, later_kind, opens)
        if later_closes is None:
            break
        ahead.append((later_kind, later_closes))
        opens = later_closes
    return ahead


def timetable_violations(
    timetable: Mapping[str, Any], factions: int, where: str = "timetable"
) -> tuple[Violation, ...]:
    """Return the faults of a timetable for a war of this many factions."""
    violations = []
    for key in sorted(set(timetable) - KEYS):
        words = phrase("a timetable has no '{}'", key)
        violations.append(Violation(f"{where}.{key}", "unknown", words))
    if not zone_exists(timetable.get("zone")):
        words = phrase("must be a time zone such as Europe/Berlin")
        violations.append(Violation(f"{where}.zone", "unknown-zone", words))
    for part in ("hours", "closes"):
        violations += _deadline_violations(timetable.get(part, {}), part, f"{where}.{part}")
    if timetable.get("early_close") not in (None, True, False):
        words = phrase("must be true, false or null")
        violations.append(Violation(f"{where}.early_close", "bad-option", words))
    violations += _number_violations(timetable, where)
    if not violations and not closes_early(timetable, factions):
        violations += _endless_violations(timetable, where)
    return tuple(violations)


def _number_violations(timetable: Mapping[str, Any], where: str) -> list[Violation]:
    """Return the faults of the numbers of a timetable that belong to no kind of stage."""
    violations = []
    weeks = timetable.get("admiral_after")
    if weeks is not None and not _is_whole_number(weeks, 1, MAX_WEEKS):
        words = phrase("must be a number of weeks from 1 to 52, or null")
        violations.append(Violation(f"{where}.admiral_after", "bad-number", words))
    grace = timetable.get("grace_hours")
    if grace is not None and not _is_whole_number(grace, 0, MAX_GRACE):
        words = phrase("must be from 0 to {} hours, or null", MAX_GRACE)
        violations.append(Violation(f"{where}.grace_hours", "bad-number", words))
    minutes = timetable.get("phase_minutes")
    most = _window_minutes(timetable)
    if minutes is not None and not _is_whole_number(minutes, 1, most):
        words = phrase("must be from 1 to {} minutes (the time that battles have), or null", most)
        violations.append(Violation(f"{where}.phase_minutes", "bad-number", words))
    return violations


def _deadline_violations(table: object, part: str, where: str) -> list[Violation]:
    """Return the faults of the rules of all stages in `hours` or `closes`."""
    if not isinstance(table, Mapping):
        return [Violation(where, "bad-shape", phrase("must name stages"))]
    violations = []
    for kind, rule in table.items():
        if kind not in KINDS:
            words = phrase("there is no such stage")
        else:
            words = _hours_fault(rule) if part == "hours" else _closing_fault(rule)
        if words:
            violations.append(Violation(f"{where}.{kind}", "bad-deadline", words))
    return violations


def _endless_violations(timetable: Mapping[str, Any], where: str) -> list[Violation]:
    """Return the faults of stages that never close."""
    words = phrase("without a deadline this stage never ends: set one, or let stages close early")
    opens = datetime(2026, 1, 1, tzinfo=UTC)
    violations: list[Violation] = []
    for kind in KINDS:
        if closes_at(timetable, kind, opens) is None:
            violations.append(Violation(f"{where}.closes.{kind}", "never-closes", words))
    return violations


def _window_minutes(timetable: Mapping[str, Any]) -> int:
    """Return about how many minutes a week's battles have; without a deadline, the most allowed."""
    closes = timetable.get("closes")
    rule = closes.get("battles") if isinstance(closes, Mapping) else None
    if isinstance(rule, Mapping):
        if isinstance(rule.get("days"), int):
            return int(rule["days"]) * 24 * 60
        return LEAST_HOURS * 60
    all_hours = timetable.get("hours")
    hours = all_hours.get("battles") if isinstance(all_hours, Mapping) else None
    if isinstance(hours, int) and hours > 0:
        return hours * 60
    return MAX_HOURS * 60


def zone_exists(name: object) -> bool:
    """Return whether this is the name of a time zone."""
    if not isinstance(name, str) or not name:
        return False
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # an unknown or malformed name
        return False
    return True


def _hours_fault(hours: object) -> str:
    """Return what is wrong with the hours that a stage stays open; "": nothing."""
    if hours is None or _is_whole_number(hours, 0, MAX_HOURS):
        return ""
    return phrase("must be from 0 to {} hours, or null", MAX_HOURS)


def _closing_fault(rule: object) -> str:
    """Return what is wrong with the time at which a stage closes; "": nothing."""
    if rule is None:
        return ""
    if not isinstance(rule, Mapping) or not _is_clock_time(rule.get("time")):
        return phrase("needs a time of day such as 20:00")
    if set(rule) == {"time", "days"}:
        if _is_whole_number(rule["days"], 1, MAX_DAYS):
            return ""
        return phrase("must be from 1 to {} days", MAX_DAYS)
    if set(rule) == {"time", "weekday"}:
        if rule["weekday"] in WEEKDAYS:
            return ""
        return phrase("must be one of {}", ", ".join(WEEKDAYS))
    return phrase("needs either days or a weekday, and a time")


def _is_clock_time(value: object) -> bool:
    """Return whether a value is a time of day from 00:00 to 23:59."""
    return isinstance(value, str) and CLOCK_TIME.fullmatch(value) is not None


def _is_whole_number(value: object, least: int, most: int) -> bool:
    """Return whether a value is a whole number within bounds; True and False are no numbers."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return the moment of a wall time; one that the clocks skip is moved on by as much."""
    return datetime.combine(day, at, zone).astimezone(UTC)
