"""A worker whose battles all count as long and run slowly: some phases in each slice.

`work` runs the embedded worker. `desk` answers each line of its input with a line of JSON: `war`
brings two equal wars to their battles, resolves one here at once and leaves the other to the
workers; `look` shows how far they are.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
PAUSE = 0.05  # seconds for a phase
SEED = 12
wars: list[Any] = []  # the stages: resolved at once, and by the workers


def slow_down() -> None:
    """Make every battle long, and every slice some phases."""
    from umpire.adjudication.fighting import make_phase_record
    from umpire.services import slices, ticks

    def keep_slowly(*args: Any) -> Any:
        time.sleep(PAUSE)
        return make_phase_record(*args)

    mock.patch.object(slices, "make_phase_record", keep_slowly).start()
    slices.SHORT = -1.0
    ticks.SLICE = 0.4


def begin() -> None:
    """Create two equal wars, the second of which is for the workers."""
    from tests.umpire.services.wars import ATTACK, attack, play_until, start_campaign
    from umpire.services.stages import entries_complete, stage_close, stage_resolve
    from umpire.tasks import stage_enqueue

    for _ in range(2):
        _, stage = start_campaign(seed=SEED, admirals={"ember": ATTACK})
        wars.append(play_until("battles", stage))
    stage_resolve(stage=wars[0].pk, force=True, admiral=attack)
    stage_close(stage=wars[1].pk, force=True)
    entries_complete(stage=wars[1].pk, admiral=attack)
    stage_enqueue("umpire.stage_resolve", wars[1].pk)


def report_progress() -> dict[str, Any]:
    """Return how far the workers are, and the results of both wars."""
    from campaign.models import BattlePhase, BattleSlice, LedgerRow
    from jobs.models import Job

    job = Job.objects.get(kind="umpire.stage_resolve", args={"stage": wars[1].pk})
    hashes = [row.hash for stage in wars for row in LedgerRow.objects.filter(stage=stage)]
    phases = [
        [
            [phase.seq, phase.inputs, phase.events, phase.views, phase.chain]
            for phase in BattlePhase.objects.filter(battle__branch=stage.branch).order_by(
                "battle__key", "seq"
            )
        ]
        for stage in wars
    ]
    return {
        "slices": BattleSlice.objects.count(),
        "status": job.status,
        "lane": job.lane,
        "hashes": len(hashes),
        "stops": len(phases[1]),
        "same": phases[0] == phases[1] and len(phases[0]) > 0,
    }


def main(part: str) -> None:
    import django

    django.setup()
    if part == "work":
        from config import worker

        slow_down()
        sys.exit(worker.main([]))
    for line in sys.stdin:
        if line.strip() == "war":
            begin()
        print(json.dumps(report_progress()), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
