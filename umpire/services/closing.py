"""Close an open stage or phase exactly once: whether it is due is checked again under a lock."""

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
    """Close a stage that is due.

    It counts as closed at its last moment, however late this happens; otherwise now, or at the
    moment that `early` returns.

    Args:
        due: Asks the database whether the stage is due.
        early: Returns when the stage closes before its deadline.
        complete: Called with that moment, in the same transaction, before the stage appears closed.

    Returns:
        Whether this call closed it.
    """
    if stage.status != StageStatus.OPEN or not due():
        return False
    with transaction.atomic():
        locked = Stage.objects.select_for_update().get(pk=stage.pk)
        if locked.status != StageStatus.OPEN or not due():
            return False
        closed = now if early is None else early()
        if locked.last_moment is not None:
            closed = min(locked.last_moment, closed)
        if complete is not None:
            complete(closed)
        still_open = Stage.objects.filter(pk=stage.pk, status=StageStatus.OPEN)
        return still_open.update(status=StageStatus.CLOSED, closed_at=closed) == 1
