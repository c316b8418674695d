"""What is due, and the hook that tells a worker so: by the task's name, so that nothing here knows who does it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from campaign import models
from campaign.models.membership import OF_A_FACTION
from campaign.models.stage import OPEN, RESOLVED
from campaign.services.timetable import closes_early

STAGE_RESOLVE = "umpire.stage_resolve"
TABLE_COMPARE = "umpire.table_compare"
STOP_RESOLVE = "umpire.stop_resolve"
BATTLES = "battles"

Sender = Callable[[str, int], None]
_senders: dict[str, Sender] = {}
_starter: dict[str, str] = {}


def task_register(*, name: str, sender: Sender) -> None:
    """Who is called, with the task's name and the row's id, when something of this name is due."""
    _senders[name] = sender


def task_enqueue(*, name: str, row: int) -> None:
    """After the commit, tell whoever is registered. With nobody registered the row itself stays due."""

    def send() -> None:
        if name in _senders:
            _senders[name](name, row)

    transaction.on_commit(send)


def starter_register(*, starter: str) -> None:
    """The dotted name of who begins wars, loaded with the first one: a function of `campaign` and `now`."""
    _starter["war"] = starter


def war_start(*, campaign: models.Campaign, now: datetime) -> models.Stage:
    """Begin the war at once, in the caller's transaction; the first stage, open. Raises AlreadyStarted."""
    begin: Callable[..., models.Stage] = import_string(_starter["war"])
    return begin(campaign=campaign, now=now)


def stage_due(*, stage: models.Stage, now: datetime) -> bool:
    """Whether an open stage has to close: its time is up, or all players are in and it closes early.

    Battles that people play are waited for until then.

    Never while the campaign is paused. Nobody waits for a faction that is excused this week.
    """
    campaign = stage.branch.campaign
    if stage.status != OPEN or campaign.paused_at is not None:
        return False
    if stage.closes is not None and stage.closes <= now:
        return True
    played = factions_played(campaign)
    if not closes_early(campaign.timetable, models.Faction.objects.filter(campaign=campaign).count(), played.count()):
        return False
    # both are always asked: how long an answer takes tells nobody whether there is a battle
    fought, missing = battles_awaited(stage).exists(), factions_waited_for(stage).exists()
    if campaign.ruleset.get("single") and not fought and battles_played(stage).exists():
        return True  # a single battle is over, whoever has sealed a doctrine
    return not missing and not (stage.kind == BATTLES and fought)


def battles_awaited(stage: models.Stage) -> QuerySet[models.Stage]:
    """The stages within the battles of a stage's week that are not over: its players still fight or enter results."""
    return battles_played(stage).exclude(status=RESOLVED)


def battles_played(stage: models.Stage) -> QuerySet[models.Stage]:
    """The stages within the battles of a stage's week."""
    return models.Stage.objects.filter(branch_id=stage.branch_id, week=stage.week, battle__isnull=False)


def factions_played(campaign: models.Campaign) -> QuerySet[models.Faction]:
    """The factions that have players, by key."""
    factions = models.Faction.objects.filter(campaign=campaign, memberships__role__in=OF_A_FACTION)
    return factions.distinct().order_by("key")


def factions_waited_for(stage: models.Stage) -> QuerySet[models.Faction]:
    """The factions with players that have sealed nothing yet and are not excused this week, by key."""
    sealed = models.Submission.objects.filter(stage=stage, withdrawn_at__isnull=True)
    excused = models.Excuse.objects.filter(week=stage.week)
    return (
        factions_played(stage.branch.campaign)
        .exclude(pk__in=sealed.values("faction_id"))
        .exclude(pk__in=excused.values("faction_id"))
    )
