"""Closing an open stage or stop: whether it is due is judged again while its row is held, so one
call closes it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from campaign.kinds import StageStatus
from campaign.models.stage import Stage


def close_stage(
    *,
    stage: Stage,
    due: Callable[[], bool],
    now: datetime,
    early: Callable[[], datetime] | None = None,
    complete: Callable[[datetime], None] | None = None,
) -> bool:
    """Close a stage that is due. Whether this call closed it.

    It closed at its deadline, however late this is done; else at this moment, or at the instant
    that `early` gives.

    Args:
        due: Asks the database whether the stage is due.
        complete: Called with the instant, in the same transaction, before anybody sees the stage
            closed.
    """
    if stage.status != StageStatus.OPEN or not due():
        return False
    with transaction.atomic():
        locked = Stage.objects.select_for_update().get(pk=stage.pk)
        if locked.status != StageStatus.OPEN or not due():
            return False
        closed = now if early is None else early()
        if locked.closes is not None:
            closed = min(locked.closes, closed)
        if complete is not None:
            complete(closed)
        still_open = Stage.objects.filter(pk=stage.pk, status=StageStatus.OPEN)
        return still_open.update(status=StageStatus.CLOSED, closed_at=closed) == 1
