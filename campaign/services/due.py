"""What is due, and the hook that tells a worker so: by the task's name, so that nothing here knows who does it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from campaign import models
from campaign.models.membership import OF_A_FACTION
from campaign.models.stage import OPEN
from campaign.services.timetable import closes_early

STAGE_RESOLVE = "umpire.stage_resolve"

Sender = Callable[[str, int], None]
_senders: dict[str, Sender] = {}


def task_register(*, name: str, sender: Sender) -> None:
    """Who is called, with the task's name and the row's id, when something of this name is due."""
    _senders[name] = sender


def task_forget(*, name: str) -> None:
    """Nobody is called for this name any more."""
    _senders.pop(name, None)


def task_enqueue(*, name: str, row: int) -> None:
    """After the commit, tell whoever is registered. With nobody registered the row itself stays due."""

    def send() -> None:
        if name in _senders:
            _senders[name](name, row)

    transaction.on_commit(send)


def stage_due(*, stage: models.Stage, now: datetime) -> bool:
    """Whether an open stage has to close: its time is up, or all players are in and it closes early."""
    if stage.status != OPEN:
        return False
    if stage.closes is not None and stage.closes <= now:
        return True
    campaign = stage.branch.campaign
    factions = models.Faction.objects.filter(campaign=campaign)
    if not closes_early(campaign.timetable, factions.count()):
        return False
    played = factions.filter(memberships__role__in=OF_A_FACTION).distinct()
    waiting = played.exclude(submissions__in=stage.submissions.filter(withdrawn_at__isnull=True))
    return not waiting.exists()
