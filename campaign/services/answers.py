"""Answers of services that are sent to: whether a message was taken, and how long one asks to wait
(RFC 9110).

Answer(taken, pause)              TAKEN, REFUSED: without a pause
pause_of(status, said, now) -> timedelta or None
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

LATER = (429, 503)  # too many requests; not available for a while
LONGEST_PAUSE = timedelta(hours=12)  # a message that comes later than that tells of what is over


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """`pause`: how long to wait before the service is asked again; None: it has not said."""

    is_accepted: bool
    pause: timedelta | None = None


ACCEPTED, REFUSED = DeliveryResult(True), DeliveryResult(False)


def pause_of(status: int | None, header: str | None, now: datetime) -> timedelta | None:
    """How long to wait before a service is asked again that answers with this status and
    `Retry-After`, which is a number of seconds or an HTTP date; at most `LONGEST_PAUSE`. None where
    it says nothing that can be read.
    """
    if status not in LATER or header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return bounded(float(text[:10]))
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:  # "-0000", or the form of asctime: both are Greenwich's
        moment = moment.replace(tzinfo=UTC)
    return bounded((moment - now).total_seconds())


def bounded(seconds: float) -> timedelta:
    """A pause of so many seconds, no shorter than none and no longer than is waited for."""
    return timedelta(seconds=min(max(seconds, 0), LONGEST_PAUSE.total_seconds()))
