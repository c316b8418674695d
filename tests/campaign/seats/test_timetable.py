"""Deadlines in the campaign's time zone, also at clock changes, and impossible timetables."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.timetable import (
    KINDS,
    LEAST_HOURS,
    TIMETABLES,
    WEEKDAYS,
    closes_at,
    closes_early,
    timetable_ahead,
    timetable_of,
    timetable_violations,
)
from campaign.web.timetables import lines_of

BERLIN = ZoneInfo("Europe/Berlin")


def local(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def rule(**of_orders: Any) -> dict[str, Any]:
    return {
        "schema": 1,
        "zone": "Europe/Berlin",
        "closes": {"orders": of_orders},
        "early_close": None,
    }


def local_text(moment: datetime | None) -> str:
    assert moment is not None
    return moment.astimezone(BERLIN).strftime("%a %d.%m. %H:%M %z")


@pytest.mark.parametrize(
    ("opens", "closes"),
    [
        ("2026-11-18T21:00", "Sun 22.11. 20:00 +0100"),
        ("2026-11-22T07:59", "Sun 22.11. 20:00 +0100"),
        ("2026-11-22T08:01", "Sun 29.11. 20:00 +0100"),  # less than twelve hours are not enough
        ("2026-11-22T20:00", "Sun 29.11. 20:00 +0100"),
        ("2026-10-20T20:00", "Sun 25.10. 20:00 +0100"),  # the clocks went back that morning
        ("2026-03-24T20:00", "Sun 29.03. 20:00 +0200"),  # the clocks went forward
    ],
)
def test_orders_close_on_sunday_evening(opens: str, closes: str) -> None:
    assert (
        local_text(closes_at(rule(weekday="sunday", time="20:00"), "orders", local(opens)))
        == closes
    )


@pytest.mark.parametrize(
    ("opens", "days", "time", "closes"),
    [
        ("2026-11-22T20:00:05", 2, "20:00", "Tue 24.11. 20:00 +0100"),
        ("2026-10-24T20:00", 1, "20:00", "Sun 25.10. 20:00 +0100"),  # 25 hours
        ("2026-03-28T20:00", 1, "20:00", "Sun 29.03. 20:00 +0200"),  # 23 hours
        ("2026-03-28T20:00", 1, "02:30", "Sun 29.03. 03:30 +0200"),  # 02:30 does not exist that day
        ("2026-10-24T20:00", 1, "02:30", "Sun 25.10. 02:30 +0200"),  # the first of two
    ],
)
def test_days_are_days_of_the_time_zone(opens: str, days: int, time: str, closes: str) -> None:
    assert local_text(closes_at(rule(days=days, time=time), "orders", local(opens))) == closes


def test_hours_are_real_hours_across_clock_changes() -> None:
    table = {"schema": 1, "zone": "Europe/Berlin", "hours": {"orders": 24}, "early_close": None}
    assert (
        local_text(closes_at(table, "orders", local("2026-10-24T20:00")))
        == "Sun 25.10. 19:00 +0100"
    )
    assert closes_at(table, "decisions", local("2026-10-24T20:00")) is None


ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "Pacific/Apia",
    "UTC",
)


@given(
    opens=st.datetimes(
        datetime(2026, 1, 1), datetime(2030, 1, 1), timezones=st.just(ZoneInfo("UTC"))
    ),
    zone=st.sampled_from(ZONES),
    weekday=st.sampled_from(WEEKDAYS),
    hour=st.integers(4, 23),
)
def test_weekday_deadline_is_the_local_time_within_eight_days(
    opens: datetime, zone: str, weekday: str, hour: int
) -> None:
    table = {**rule(weekday=weekday, time=f"{hour:02}:30"), "zone": zone}
    closes = closes_at(table, "orders", opens)
    assert closes is not None
    there = closes.astimezone(ZoneInfo(zone))
    assert (WEEKDAYS[there.weekday()], there.hour, there.minute) == (weekday, hour, 30)
    assert LEAST_HOURS * 3600 <= (closes - opens).total_seconds() < (8 * 24 + 2) * 3600


def test_rest_of_a_week_is_published_with_its_first_stage() -> None:
    table = timetable_of("evening", "Europe/Berlin")
    ahead = timetable_ahead(table, "orders", closes_at(table, "orders", local("2026-11-16T20:00")))
    assert [(kind, local_text(closes)) for kind, closes in ahead] == [
        ("orders", "Sun 22.11. 20:00 +0100"),
        ("decisions", "Tue 24.11. 20:00 +0100"),
        ("battles", "Fri 27.11. 20:00 +0100"),
    ]
    assert [kind for kind, _ in timetable_ahead(table, "battles", local("2026-11-27T20:00"))] == [
        "battles"
    ]
    assert [kind for kind, _ in timetable_ahead(table, "deploy", local("2026-11-27T20:00"))] == [
        "deploy"
    ]
    assert timetable_ahead(timetable_of("solo"), "orders", None) == []


@pytest.mark.parametrize(
    ("option", "factions", "played", "expected"),
    [
        (None, 2, 2, True),
        (None, 3, 2, False),
        (None, 3, 1, True),
        (None, 4, 0, True),
        (True, 3, 3, True),
        (False, 2, 2, False),
        (False, 3, 1, False),
    ],
)
def test_when_a_stage_closes_early(
    option: bool | None, factions: int, played: int, expected: bool
) -> None:
    assert closes_early({"early_close": option}, factions, played) is expected


@pytest.mark.parametrize("name", TIMETABLES)
@pytest.mark.parametrize("factions", [2, 3])
def test_named_timetables_are_in_order(name: str, factions: int) -> None:
    assert timetable_violations(timetable_of(name, "Europe/Berlin"), factions) == ()


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"zone": "Mars/Olympus"}, ["zone"]),
        ({"zone": "../etc/passwd"}, ["zone"]),
        ({"zone": 7}, ["zone"]),
        (
            {"hours": {"orders": -1, "lunch": 3, "battles": 1.5}},
            ["hours.orders", "hours.lunch", "hours.battles"],
        ),
        ({"hours": []}, ["hours"]),
        ({"closes": {"orders": {"weekday": "someday", "time": "20:00"}}}, ["closes.orders"]),
        ({"closes": {"orders": {"days": 0, "time": "20:00"}}}, ["closes.orders"]),
        ({"closes": {"orders": {"days": True, "time": "20:00"}}}, ["closes.orders"]),
        ({"closes": {"orders": {"days": 1, "time": "24:00"}}}, ["closes.orders"]),
        ({"closes": {"orders": {"days": 1}}}, ["closes.orders"]),
        ({"closes": {"orders": {"time": "20:00"}}}, ["closes.orders"]),
        (
            {"closes": {"orders": {"days": 1, "weekday": "sunday", "time": "20:00"}}},
            ["closes.orders"],
        ),
        ({"early_close": "yes"}, ["early_close"]),
        ({"admiral_after": 0}, ["admiral_after"]),
        ({"colour": "red", "zone": ""}, ["colour", "zone"]),
    ],
)
def test_all_timetable_faults_are_reported(change: dict[str, Any], where: list[str]) -> None:
    violations = timetable_violations({**timetable_of("daily"), **change}, 2)
    assert [fault.where for fault in violations] == [f"timetable.{place}" for place in where]


def test_stage_without_deadline_must_close_early() -> None:
    waits = {**timetable_of("solo"), "early_close": None}
    assert timetable_violations(waits, 2) == ()
    assert [fault.code for fault in timetable_violations(waits, 3)] == ["never-closes"] * len(KINDS)
    assert timetable_violations({**waits, "early_close": True}, 3) == ()


def test_stages_closing_alike_share_a_line() -> None:
    assert lines_of(timetable_of("solo")) == (("Every stage", "when everybody has sealed"),)
    ((_, first), *others) = lines_of({**timetable_of("solo"), "hours": {"orders": 48}})
    assert len(others) == len(KINDS) - 1
    assert first == "when everybody has sealed"
    assert "after 48 hours" in [when for _, when in others]
