"""Results of delivering a message: whether the service took it, and how long it asks to wait.

The status codes and `Retry-After` are those of RFC 9110.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

LATER = (429, 503)  # too many requests; service unavailable
LONGEST_PAUSE = timedelta(hours=12)  # after that a message is out of date


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The answer of a service that messages are sent to.

    Attributes:
        pause: How long to wait before the next request; None if the service did not say.
    """

    is_accepted: bool
    pause: timedelta | None = None


ACCEPTED = DeliveryResult(True)
REFUSED = DeliveryResult(False)


def pause_of(status: int | None, header: str | None, now: datetime) -> timedelta | None:
    """Return how long a service asks to wait, at most `LONGEST_PAUSE`.

    Args:
        status: The HTTP status of the answer.
        header: Its `Retry-After`: a number of seconds or an HTTP date.

    Returns:
        None if the status asks for no pause or the header cannot be parsed.
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
    if moment.tzinfo is None:  # "-0000" and the asctime form both mean UTC
        moment = moment.replace(tzinfo=UTC)
    return bounded((moment - now).total_seconds())


def bounded(seconds: float) -> timedelta:
    """Return a pause of that length, between zero and `LONGEST_PAUSE`."""
    return timedelta(seconds=min(max(seconds, 0), LONGEST_PAUSE.total_seconds()))
