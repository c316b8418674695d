"""Lines of a battle's log with the texts of their reasons, for programs that read them.

A stored line has a reason as a code with values (`engine.core.phrase_data.reason_data`). Here
`reason_text` holds the English text beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.core.phrase_data import restore_phrase

REASON_FIELD = "reason"  # the field of events that holds a `ReasonText`
REASON_TEXT = "reason_text"


def worded_log(log: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of a log with the texts of their reasons."""
    return [worded_line(line) for line in log]


def worded_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line with the text of its reason; one without a reason is returned unchanged."""
    reason = line.get(REASON_FIELD)
    if not isinstance(reason, dict):
        return dict(line)
    return {**line, REASON_TEXT: str(restore_phrase(reason))}
