"""A process of its own for the tests with real processes: resolves stages as it is told, or dies on the way.

Reads lines `STAGE [DEATH]` and answers each with a line of JSON: whether this process resolved the stage, and the hash
of its ledger row. DEATH is one of `DEATHS`. A stage within a battle is a stop of a battle online: the hash is its own.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# what is never reached by a process that dies there
DEATHS = {
    "die-after-close": "stage_compute",
    "die-after-compute": "stage_write",
    "die-while-writing": "stage_announce",
}
AT_THE_END = "die-after-write"
STOP_DEATHS = {
    "die-after-close": "stop_compute",
    "die-after-compute": "stop_write",
    "die-while-writing": "stop_announce",
}


def die(**_: Any) -> None:
    """As a machine that loses its power: nothing is closed, nothing is said."""
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    import django

    django.setup()
    from campaign.models import BattleStop, Stage
    from tests.umpire.services.wars import attack
    from umpire.services import battle_stops, stages

    print("ready", flush=True)
    for line in sys.stdin:
        stage, *deaths = line.split()
        row = Stage.objects.get(pk=stage)
        module, steps = (stages, DEATHS) if row.battle_id is None else (battle_stops, STOP_DEATHS)
        for death in deaths:
            if death in steps:
                setattr(module, steps[death], die)
        if row.battle_id is not None:
            here = battle_stops.stop_resolve(stage=row.pk, force=True)
            if AT_THE_END in deaths:
                die()
            stop = BattleStop.objects.get(battle_id=row.battle_id, seq=row.ordinal)
            print(json.dumps([here, stop.chain]), flush=True)
            continue
        resolution = stages.stage_resolve(stage=int(stage), force=True, admiral=attack)
        if AT_THE_END in deaths:
            die()
        assert resolution is not None
        print(json.dumps([resolution.here, resolution.row.hash]), flush=True)


if __name__ == "__main__":
    main()
