"""The clock's ticks as jobs: a stage that is due becomes a job, and the job brings it to its end. All of it repeats."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from campaign.models import Stage
from campaign.selectors.lists import stages_to_resolve
from campaign.services.due import STAGE_RESOLVE, STOP_RESOLVE, stage_due
from umpire import tasks
from umpire.services.battle_stops import stop_resolve
from umpire.services.stages import stage_resolve
from umpire.services.stop_clock import stops_to_resolve
from umpire.services.tables import table_compare


def stages_overdue(*, now: datetime) -> list[Stage]:
    """The stages that the clock has to resolve. A war without anybody in it is led by whoever began it (bin/play)."""
    return stages_to_resolve(now=now, attended=True)


def stages_enqueue(*, now: datetime) -> int:
    """A job for every stage and every stop of a battle that has to be resolved; how many."""
    due = [stage.pk for stage in stages_overdue(now=now)]
    stops = [stop.pk for stop in stops_to_resolve(now=now)]
    tasks.stages_enqueue(STAGE_RESOLVE, due)
    tasks.stages_enqueue(STOP_RESOLVE, stops)
    return len(due) + len(stops)


def stage_work(args: Mapping[str, Any]) -> dict[str, bool]:
    """Resolve the stage of a job where it is due; where the next one is due as well, let it follow at once."""
    resolution = stage_resolve(stage=args["stage"])
    after = resolution.next if resolution else None
    if after is not None and stage_due(stage=after, now=timezone.now()):
        tasks.stage_enqueue(STAGE_RESOLVE, after.pk)
    return {"resolved": resolution is not None}


def stop_work(args: Mapping[str, Any]) -> dict[str, bool]:
    """Resolve the stop of a battle online, by its stage's row, where it is due."""
    return {"resolved": stop_resolve(stage=args["stage"])}


def table_work(args: Mapping[str, Any]) -> dict[str, str]:
    """Compare the results of a table's stage, by its row."""
    return {"came": table_compare(stage=args["stage"])}
