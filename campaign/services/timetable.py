"""When stages close. A timetable: {schema, zone, hours: {stage kind: hours it stays open, or null}, early_close}.

`early_close`: a stage closes as soon as all are in. None: only where there are two factions, for with more it would
tell a third that somebody had nothing to decide.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

WEEKLY = {"schema": 1, "zone": "UTC", "hours": {}, "early_close": None}
TWO_FACTIONS = 2


def closes_at(timetable: dict[str, Any], kind: str, opens: datetime) -> datetime | None:
    """When a stage of this kind closes, or None where it waits for the orders."""
    hours = timetable["hours"].get(kind)
    return None if hours is None else opens + timedelta(hours=hours)


def closes_early(timetable: dict[str, Any], factions: int) -> bool:
    """Whether a stage closes as soon as all are in."""
    option = timetable["early_close"]
    return factions <= TWO_FACTIONS if option is None else bool(option)
