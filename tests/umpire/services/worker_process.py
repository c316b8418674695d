"""A separate process for tests with real processes: it resolves stages, or dies on the way.

It receives (STAGE, DEATHS), and answers whether it resolved the stage, with the hash of the ledger
row. A death is one of `DEATHS`. A stage within a battle is a phase of an online battle, with its
own hash.

The processes are forked from one that has loaded the program
(`tests.umpire.services.fork_server_preload`) but not used a database. So each has its own
connections, and none has to start Python and Django.
"""

from __future__ import annotations

import os
import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple
from unittest import mock

FORK_SERVER = "tests.umpire.services.fork_server_preload"
PATIENCE = 60.0  # seconds to wait for an answer or an end

# a step that a process dying there never reaches
DEATHS = {
    "die-after-close": "stage_compute",
    "die-after-compute": "stage_write",
    "die-while-writing": "stage_announce",
}
AT_THE_END = "die-after-write"
STOP_DEATHS = {
    "die-after-close": "phase_compute",
    "die-after-compute": "phase_write",
    "die-while-writing": "phase_announce",
}


class Process(NamedTuple):
    """A process that waits for stages to resolve, and the pipe to it."""

    running: BaseProcess
    pipe: Connection

    def tell(self, stage: int, *deaths: str) -> None:
        self.pipe.send((stage, deaths))

    def answer(self) -> tuple[bool, str]:
        assert self.pipe.poll(PATIENCE), "no answer"
        here, last = self.pipe.recv()
        return bool(here), str(last)

    def end(self) -> int | None:
        """End the process; return its exit code, negative for a signal."""
        self.pipe.close()
        self.running.join(PATIENCE)
        return self.running.exitcode


def start_process(url: str) -> Process:
    """Start a process for a database address."""
    context = get_context("forkserver")
    context.set_forkserver_preload([FORK_SERVER])
    here, there = context.Pipe()
    running = context.Process(target=work, args=(there, url), daemon=True)
    with mock.patch.dict(
        os.environ, DATABASE_URL=url
    ):  # the first one of all loads the settings with it
        running.start()
    there.close()
    assert here.poll(PATIENCE), "it does not begin"
    assert here.recv() == "ready"
    return Process(running, here)


def die(**_: Any) -> None:
    """End like a machine that loses power: close nothing, say nothing."""
    os.kill(os.getpid(), signal.SIGKILL)


def work(pipe: Connection, url: str) -> None:
    """Resolve stages from the pipe until it is closed."""
    from tests.umpire.services import fork_server_preload

    assert url == fork_server_preload.URL, "the nursery was made for another database"
    pipe.send("ready")
    while True:
        try:
            stage, deaths = pipe.recv()
        except EOFError:
            return
        pipe.send(resolve_and_report(stage, deaths))


def resolve_and_report(stage: int, deaths: tuple[str, ...]) -> tuple[bool, str]:
    from campaign.models import BattlePhase, Stage
    from tests.umpire.services.wars import attack
    from umpire.services import battle_phases, stages

    row = Stage.objects.get(pk=stage)
    module, steps = (stages, DEATHS) if row.battle_id is None else (battle_phases, STOP_DEATHS)
    for death in deaths:
        if death in steps:
            setattr(module, steps[death], die)
    if row.battle_id is not None:
        here = battle_phases.phase_resolve(stage=row.pk, force=True)
        if AT_THE_END in deaths:
            die()
        return here, BattlePhase.objects.get(battle_id=row.battle_id, seq=row.ordinal).chain
    resolution = stages.stage_resolve(stage=stage, force=True, admiral=attack)
    if AT_THE_END in deaths:
        die()
    assert resolution is not None
    return resolution.here, resolution.row.hash
