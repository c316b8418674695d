"""What Celery calls for the umpire, and which jobs the umpire does. The rules load with the first job."""

from __future__ import annotations

from collections.abc import Iterable

from celery import shared_task
from django.utils import timezone
from django.utils.module_loading import import_string

from campaign.services.due import STAGE_RESOLVE, STOP_RESOLVE, TABLE_COMPARE, task_register
from jobs.services import jobs_enqueue, kind_register

TICKS = "umpire.services.ticks"
BALANCE_PLAY = "umpire.balance_play"


@shared_task(name="umpire.tick", ignore_result=True)
def tick() -> None:
    """A job for every stage that is due."""
    import_string(f"{TICKS}.stages_enqueue")(now=timezone.now())


@shared_task(name="umpire.remind", ignore_result=True)
def remind() -> None:
    """Remind those who have not sealed, a day before a stage closes. Seats whose time is over end first."""
    import_string("campaign.services.seats.seats_run_out")(now=timezone.now())
    import_string("umpire.services.ticks.reminders_write")(now=timezone.now())


@shared_task(name="umpire.restate", ignore_result=True)
def restate() -> None:
    """State anew what a clock that was ahead has stated."""
    import_string("umpire.services.ticks.instants_restate")(now=timezone.now())


def stages_enqueue(name: str, stages: Iterable[int]) -> int:
    """Let workers resolve stages, by their rows; how many of them did not wait for one already."""
    return jobs_enqueue(kind=name, asked={f"{name}/{stage}": {"stage": stage} for stage in stages})


def stage_enqueue(name: str, stage: int) -> None:
    """Let a worker resolve a stage, by its row."""
    stages_enqueue(name, [stage])


kind_register(kind=STAGE_RESOLVE, handler=f"{TICKS}.stage_work")
task_register(name=STAGE_RESOLVE, sender=stage_enqueue)
kind_register(kind=STOP_RESOLVE, handler=f"{TICKS}.stop_work")
task_register(name=STOP_RESOLVE, sender=stage_enqueue)
kind_register(kind=TABLE_COMPARE, handler=f"{TICKS}.table_work")
task_register(name=TABLE_COMPARE, sender=stage_enqueue)
kind_register(kind=BALANCE_PLAY, handler="umpire.services.balance_wars.balance_work")
