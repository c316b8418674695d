"""Lines of a battle's log with the texts of their reasons, for programs that read them.

A stored line has a reason as a code with values (`engine.core.phrase_data.reason_data`). Here the
field holds the English text, and `reason` the code and values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.core.phrase_data import restore_phrase

REASON_FIELD = "why"  # the field of events that holds a `ReasonText`
REASON = "reason"


def worded_log(log: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of a log with the texts of their reasons."""
    return [worded_line(line) for line in log]


def worded_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line with the text of its reason; one without a reason is returned unchanged."""
    reason = line.get(REASON_FIELD)
    if not isinstance(reason, dict):
        return dict(line)
    return {**line, REASON_FIELD: str(restore_phrase(reason)), REASON: reason}
