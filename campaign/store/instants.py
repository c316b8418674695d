"""The grid of instants at which what happens in a war may become visible: every ten full seconds,
as a rule.

An instant that everybody may see is a point of this grid, so it tells nothing of what happened
between two of them. `PUBLICATION_GRID` is its step in seconds; 0 means that there is no grid.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def grid_point(moment: datetime) -> datetime:
    """Return the first point of the grid that is not before a moment."""
    step = timedelta(seconds=settings.PUBLICATION_GRID)
    return EPOCH - ((EPOCH - moment) // step) * step if step else moment


def grid_point_before(moment: datetime) -> datetime:
    """Return the last point of the grid that is not after a moment."""
    step = timedelta(seconds=settings.PUBLICATION_GRID)
    return EPOCH + ((moment - EPOCH) // step) * step if step else moment
