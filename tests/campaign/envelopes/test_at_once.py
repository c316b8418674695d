"""Two who save and two who seal at the same moment, on a database that lets all of them in: one of
them wins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from tests.campaign.envelopes.desks import DESKS, GOOD, OTHER, Program

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("kind", list(DESKS))
def test_of_all_who_write_what_they_saw_one_does(kind: str) -> None:
    desk = DESKS[kind]()
    before = desk.draft()
    first, second, third, fourth = (Program(desk) for _ in range(4))
    for device in (first, second, third, fourth):
        device.look()
    acts: dict[str, tuple[Callable[[str], str], str]] = {
        "save": (first.save, GOOD),
        "save other": (second.save, OTHER),
        "seal": (third.seal, GOOD),
        "seal other": (fourth.seal, OTHER),
    }
    barrier, came = threading.Barrier(len(acts)), dict[str, str]()

    def one(name: str, act: Callable[[str], str], what: str) -> None:
        try:
            barrier.wait()
            came[name] = act(what)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(name, *act)) for name, act in acts.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (done,) = [name for name, what in came.items() if what == "ok"]
    assert set(came.values()) <= {"ok", "lost", "sealed"}
    wrote = acts[done][1]
    assert (desk.draft(), desk.sealed()) == (
        (wrote, []) if done.startswith("save") else (before, [wrote])
    )
