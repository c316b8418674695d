"""Two saves or seals at the same moment, on a concurrent database: one of them wins."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from tests.campaign.envelopes.cases import CASES, GOOD, OTHER, Program

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("kind", list(CASES))
def test_one_of_several_concurrent_writers_wins(kind: str) -> None:
    case = CASES[kind]()
    before = case.draft()
    first, second, third, fourth = (Program(case) for _ in range(4))
    for device in (first, second, third, fourth):
        device.look()
    acts: dict[str, tuple[Callable[[str], str], str]] = {
        "save": (first.save, GOOD),
        "save other": (second.save, OTHER),
        "seal": (third.seal, GOOD),
        "seal other": (fourth.seal, OTHER),
    }
    barrier, outcomes = threading.Barrier(len(acts)), dict[str, str]()

    def run_act(name: str, act: Callable[[str], str], outcome: str) -> None:
        try:
            barrier.wait()
            outcomes[name] = act(outcome)
        finally:
            connection.close()

    threads = [threading.Thread(target=run_act, args=(name, *act)) for name, act in acts.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner,) = [name for name, outcome in outcomes.items() if outcome == "ok"]
    assert set(outcomes.values()) <= {"ok", "lost", "sealed"}
    wrote = acts[winner][1]
    assert (case.draft(), case.sealed()) == (
        (wrote, []) if winner.startswith("save") else (before, [wrote])
    )
