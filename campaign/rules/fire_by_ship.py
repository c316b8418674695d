"""Where sides may fire ship by ship: only in single battles online with a fast clock.

A turn has up to a phase for each ship, so that slow phases would take weeks.

Rules: 2E "Sequence of play" [2e.fire-by-ship]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from campaign.kinds import BattleMode
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.core.terms import FIRE_BY_SHIP

MOST_MINUTES = 10  # of a phase


def war_faults(options: Collection[str]) -> list[Violation]:
    """Return the fault of the options of a war that has battles ship by ship."""
    if FIRE_BY_SHIP not in options:
        return []
    words = phrase("'{}' is only for single battles", FIRE_BY_SHIP)
    return [Violation("options", "single-battles-only", words)]


def setting_faults(
    options: Collection[str], battles: str, timetable: Mapping[str, Any]
) -> list[Violation]:
    """Return the faults of the settings of a single battle with these options.

    Args:
        battles: How it is fought (`campaign.kinds.BattleMode`).
    """
    if FIRE_BY_SHIP not in options:
        return []
    if battles != BattleMode.ONLINE:
        words = phrase("with '{}' the battle must be fought online", FIRE_BY_SHIP)
        return [Violation("battles", "not-online", words)]
    minutes = timetable.get("phase_minutes")
    if isinstance(minutes, int) and minutes <= MOST_MINUTES:
        return []
    words = phrase(
        "with '{}' a phase may take at most {} minutes: choose a faster timetable",
        FIRE_BY_SHIP,
        MOST_MINUTES,
    )
    return [Violation("timetable.phase_minutes", "too-slow", words)]
