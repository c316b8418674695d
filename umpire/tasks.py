"""The umpire's Celery tasks, and the kinds of job that it handles.

The rules are imported when the first job runs.
"""

from __future__ import annotations

from collections.abc import Iterable

from celery import shared_task
from django.utils import timezone
from django.utils.module_loading import import_string

from campaign.selectors.beacon import BEACON_FETCH
from campaign.selectors.due import PHASE_RESOLVE, STAGE_RESOLVE, TABLE_COMPARE, task_register
from jobs.kinds import kind_register
from jobs.models import INTERACTIVE, LONG
from jobs.services import jobs_enqueue

TICKS = "umpire.services.ticks"
BALANCE_PLAY = "umpire.balance_play"
CAMPAIGN_CHECK = "campaign-check"


@shared_task(name="umpire.tick", ignore_result=True)
def tick() -> None:
    """Enqueue a job for every stage that is due, and for the public values that stages need."""
    now = timezone.now()
    import_string(f"{TICKS}.stages_enqueue")(now=now)
    import_string("umpire.services.beacon_fetch.beacons_enqueue")(now=now)


@shared_task(name="umpire.tournaments", ignore_result=True)
def tournaments() -> None:
    """Store the results of battles of tournaments and of the day, and end closed rounds."""
    import_string("umpire.services.tournaments.tournaments_advance")(now=timezone.now())
    import_string("umpire.services.daily.daily_results_store")(now=timezone.now())


@shared_task(name="umpire.remind", ignore_result=True)
def remind() -> None:
    """Remind the players who have not sealed, a day before a stage closes.

    Seats and pauses whose time is over are ended first.
    """
    import_string("campaign.services.seats.seats_run_out")(now=timezone.now())
    import_string("umpire.services.pauses.pauses_end")(now=timezone.now())
    import_string("umpire.services.ticks.reminders_write")(now=timezone.now())


@shared_task(name="umpire.reveal", ignore_result=True)
def reveal() -> None:
    """Publish the seeds of the wars whose story has become public."""
    import_string("umpire.services.reveal.seeds_reveal")(now=timezone.now())


@shared_task(name="umpire.restate", ignore_result=True)
def restate() -> None:
    """Correct the times that were recorded while the server's clock was ahead."""
    import_string("umpire.services.ticks.instants_restate")(now=timezone.now())


@shared_task(name="umpire.check", ignore_result=True)
def check() -> None:
    """Let workers check the records of the wars whose turn it is tonight."""
    import_string("umpire.services.checks.checks_enqueue")(now=timezone.now())


def stages_enqueue(name: str, stages: Iterable[int]) -> int:
    """Let workers resolve stages, and return how many were not in the queue yet.

    The jobs use the budget of the account that opened the war.

    Args:
        name: The kind of job.
        stages: The database ids of the stages.
    """
    requests = {f"{name}/{stage}": {"stage": stage} for stage in stages}
    if not requests:
        return 0
    accounts = import_string("umpire.services.accounts.accounts_of")(
        [request["stage"] for request in requests.values()]
    )
    account_of = {}
    for key, request in requests.items():
        if request["stage"] in accounts:
            account_of[key] = accounts[request["stage"]]
    return jobs_enqueue(kind=name, requests=requests, accounts=account_of)


def stage_enqueue(name: str, stage: int) -> None:
    """Let a worker resolve the stage with this database id."""
    stages_enqueue(name, [stage])


TRIES = 5  # failures or killed workers in a row before a stage is quarantined
QUARANTINE = "umpire.services.quarantine"

kind_register(
    kind=STAGE_RESOLVE,
    handler=f"{TICKS}.stage_work",
    tries=TRIES,
    quarantined=f"{QUARANTINE}.stage_quarantined",
)
kind_register(
    kind=PHASE_RESOLVE,
    handler=f"{TICKS}.phase_work",
    tries=TRIES,
    quarantined=f"{QUARANTINE}.battle_quarantined",
)
kind_register(
    kind=TABLE_COMPARE,
    handler=f"{TICKS}.table_work",
    tries=TRIES,
    quarantined=f"{QUARANTINE}.battle_quarantined",
)
kind_register(
    kind=BALANCE_PLAY, handler="umpire.services.balance_wars.balance_work", lane=INTERACTIVE
)
kind_register(
    kind=CAMPAIGN_CHECK, handler="umpire.services.checks.check_work", lane=LONG, tries=TRIES
)
kind_register(kind=BEACON_FETCH, handler="umpire.services.beacon_fetch.beacon_work", lane=LONG)
for task in (STAGE_RESOLVE, PHASE_RESOLVE, TABLE_COMPARE):
    task_register(name=task, sender=stage_enqueue)
