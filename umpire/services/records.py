"""Resolved stages as the umpire's report wants them, from what is stored."""

from __future__ import annotations

from campaign import models
from campaign.stored import world_of
from umpire.journal import Step
from umpire.services.computing import BATTLES, HAPPENINGS, RESULT


def step_of(stage: models.Stage) -> Step:
    """A resolved stage with its worlds, happenings and battles. Raises ValueError where it is not resolved."""
    if stage.to_snapshot is None:
        raise ValueError("the stage is not resolved")
    battles = models.Battle.objects.filter(branch_id=stage.branch_id, week=stage.week).order_by("key")
    return Step(
        kind=stage.kind,
        week=stage.week,
        before=world_of(stage.from_snapshot),
        after=world_of(stage.to_snapshot),
        happenings=HAPPENINGS.validate_python(stage.to_snapshot.happenings),
        results=tuple(RESULT.validate_python(row.result) for row in battles) if stage.kind == BATTLES else (),
    )
