"""What Celery calls for the umpire, and which jobs the umpire does.

The rules load with the first job.
"""

from __future__ import annotations

from collections.abc import Iterable

from celery import shared_task
from django.utils import timezone
from django.utils.module_loading import import_string

from campaign.selectors.due import STAGE_RESOLVE, STOP_RESOLVE, TABLE_COMPARE, task_register
from jobs.kinds import kind_register
from jobs.models import INTERACTIVE
from jobs.services import jobs_enqueue

TICKS = "umpire.services.ticks"
BALANCE_PLAY = "umpire.balance_play"


@shared_task(name="umpire.tick", ignore_result=True)
def tick() -> None:
    """A job for every stage that is due."""
    import_string(f"{TICKS}.stages_enqueue")(now=timezone.now())


@shared_task(name="umpire.remind", ignore_result=True)
def remind() -> None:
    """Remind those who have not sealed, a day before a stage closes.

    Seats whose time is over end first.
    """
    import_string("campaign.services.seats.seats_run_out")(now=timezone.now())
    import_string("umpire.services.pauses.pauses_end")(now=timezone.now())
    import_string("umpire.services.ticks.reminders_write")(now=timezone.now())


@shared_task(name="umpire.restate", ignore_result=True)
def restate() -> None:
    """State anew what a clock that was ahead has stated."""
    import_string("umpire.services.ticks.instants_restate")(now=timezone.now())


def stages_enqueue(name: str, stages: Iterable[int]) -> int:
    """Let workers resolve stages, by their rows; how many of them did not wait for one already.

    Their jobs use the budget of whoever opened the war.
    """
    requests = {f"{name}/{stage}": {"stage": stage} for stage in stages}
    if not requests:
        return 0
    accounts = import_string("umpire.services.accounts.accounts_of")(
        [request["stage"] for request in requests.values()]
    )
    account_of = {
        key: accounts[request["stage"]]
        for key, request in requests.items()
        if request["stage"] in accounts
    }
    return jobs_enqueue(kind=name, requests=requests, accounts=account_of)


def stage_enqueue(name: str, stage: int) -> None:
    """Let a worker resolve a stage, by its row."""
    stages_enqueue(name, [stage])


TRIES = 5  # of a stage in a row that fail or kill their worker; then it is quarantined
QUARANTINE = "umpire.services.quarantine"

kind_register(
    kind=STAGE_RESOLVE,
    handler=f"{TICKS}.stage_work",
    tries=TRIES,
    quarantined=f"{QUARANTINE}.stage_quarantined",
)
kind_register(
    kind=STOP_RESOLVE,
    handler=f"{TICKS}.stop_work",
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
for task in (STAGE_RESOLVE, STOP_RESOLVE, TABLE_COMPARE):
    task_register(name=task, sender=stage_enqueue)
