"""The background of the printed setting, as help and the pages of scenarios show it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """An event of the setting.

    Attributes:
        when: A year, or other words for the time.
        scenarios: The slugs of the scenarios about it.
    """

    when: str
    event: str
    scenarios: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingPart:
    """Paragraphs about the powers or places of the setting."""

    heading: str
    paragraphs: tuple[str, ...]


def read_timeline(rows: Iterable[Mapping[str, Any]]) -> tuple[TimelineEvent, ...]:
    """Return the events of the project's own file, in its order."""
    events = []
    for row in rows:
        scenarios = tuple(row.get("scenarios", ()))
        events.append(TimelineEvent(phrase(row["when"]), phrase(row["event"]), scenarios))
    return tuple(events)


def read_situation(rows: Iterable[Mapping[str, Any]]) -> tuple[SettingPart, ...]:
    """Return the parts of the project's own file, in its order."""
    parts = []
    for row in rows:
        paragraphs = tuple(phrase(words) for words in row["says"])
        parts.append(SettingPart(phrase(row["heading"]), paragraphs))
    return tuple(parts)


def event_of(timeline: Iterable[TimelineEvent], slug: str) -> TimelineEvent | None:
    """Return the event that a scenario is about, or None."""
    for event in timeline:
        if slug in event.scenarios:
            return event
    return None
