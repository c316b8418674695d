"""Closing an open stage or stop: whether it is due is judged again while its row is held, so one call closes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from campaign.kinds import StageStatus
from campaign.models.stage import Stage


def close_held(
    *, stage: Stage, due: Callable[[], bool], now: datetime, complete: Callable[[datetime], None] | None = None
) -> bool:
    """Close a stage that is due. Whether this call closed it. `due`: asks the database whether it is.

    It closed at its deadline, however late this is done; else at this moment. `complete` is called with that, in the
    same transaction, before anybody sees it closed.
    """
    if stage.status != StageStatus.OPEN or not due():
        return False
    with transaction.atomic():
        held = Stage.objects.select_for_update().get(pk=stage.pk)
        if held.status != StageStatus.OPEN or not due():
            return False
        closed = now if held.closes is None else min(held.closes, now)
        if complete is not None:
            complete(closed)
        still_open = Stage.objects.filter(pk=stage.pk, status=StageStatus.OPEN)
        return still_open.update(status=StageStatus.CLOSED, closed_at=closed) == 1
