"""Lines of a battle's log with the texts of their reasons, for programs that read them.

A line as documents store it has a reason as a code and values
(`engine.core.phrase_data.reason_data`). Here its English text stands under the key of the field,
and the code and values beside it, under `reason`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.core.phrase_data import restore_phrase

REASON_FIELD = "why"  # the field of events that says why; `engine.events.event.Why`
REASON = "reason"


def worded_log(log: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of a log with the texts of their reasons."""
    return [worded_line(line) for line in log]


def worded_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line with the text of its reason; one that has none, or an older one with a text, as
    it is.
    """
    reason = line.get(REASON_FIELD)
    if not isinstance(reason, dict):
        return dict(line)
    return {**line, REASON_FIELD: str(restore_phrase(reason)), REASON: reason}
