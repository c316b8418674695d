"""The grid of instants at which outcomes may become visible: every ten seconds by default.

Every public instant is a point of this grid, so it reveals nothing about the time between two
points. `PUBLICATION_GRID` is the step in seconds; 0 disables the grid.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def grid_point(moment: datetime) -> datetime:
    """Return the first point of the grid at or after a moment."""
    step = timedelta(seconds=settings.PUBLICATION_GRID)
    if not step:
        return moment
    steps_rounded_up = -((EPOCH - moment) // step)
    return EPOCH + steps_rounded_up * step


def grid_point_before(moment: datetime) -> datetime:
    """Return the last point of the grid at or before a moment."""
    step = timedelta(seconds=settings.PUBLICATION_GRID)
    if not step:
        return moment
    steps = (moment - EPOCH) // step
    return EPOCH + steps * step
