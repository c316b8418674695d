"""Results of delivering a message: whether the service took it, and how long it asks to wait.

The status codes and `Retry-After` are those of RFC 9110.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

STATUSES_WITH_PAUSE = (429, 503)  # too many requests; service unavailable
LONGEST_PAUSE = timedelta(hours=12)  # after that a message is out of date


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The answer of a service that messages are sent to.

    Attributes:
        pause: How long to wait before the next request; None if the service did not say.
    """

    is_accepted: bool
    pause: timedelta | None = None


ACCEPTED = DeliveryResult(is_accepted=True)
REFUSED = DeliveryResult(is_accepted=False)


def requested_pause(status: int | None, header: str | None, now: datetime) -> timedelta | None:
    """Return how long a service asks to wait, at most `LONGEST_PAUSE`.

    Args:
        status: The HTTP status of the answer.
        header: Its `Retry-After`: a number of seconds or an HTTP date.

    Returns:
        None if the status asks for no pause or the header cannot be parsed.
    """
    if status not in STATUSES_WITH_PAUSE or header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return limited_pause(float(text[:10]))  # ten digits exceed any pause
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:  # "-0000" and the asctime form both mean UTC
        moment = moment.replace(tzinfo=UTC)
    return limited_pause((moment - now).total_seconds())


def limited_pause(seconds: float) -> timedelta:
    """Return a pause of that many seconds, raised to zero or lowered to `LONGEST_PAUSE`."""
    return timedelta(seconds=min(max(seconds, 0), LONGEST_PAUSE.total_seconds()))
