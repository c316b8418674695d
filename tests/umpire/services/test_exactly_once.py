"""Exactly once, with real processes on a real PostgreSQL; and recovery from a process killed at every step."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaign.models import BattleStop, Branch, LedgerRow, Notification, Report, Snapshot, Stage, Submission, View
from tests.umpire.services.a_process import AT_THE_END, DEATHS
from tests.umpire.services.wars import ATTACK, attack, brought_to, campaign_of, started
from umpire.services.ledger import ledger_faults
from umpire.services.stages import Resolution
from umpire.services.wars import war_run

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PROGRAM = Path(__file__).with_name("a_process.py")
PROCESSES = 4
WARS = (11, 12, 13)
ADMIRALS = {"ember": ATTACK}
TABLES = (Snapshot, View, Report, LedgerRow, BattleStop, Submission, Stage, Notification)


Crew = list[subprocess.Popen[str]]


def begin(url: str) -> subprocess.Popen[str]:
    """A process that waits to be told what to resolve."""
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM)],
        env={**os.environ, "DATABASE_URL": url},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.fixture
def crew(postgres_url: str) -> Iterator[Crew]:
    """Several processes, ended when the test is."""
    processes = [begin(postgres_url) for _ in range(PROCESSES)]
    yield processes
    errors = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * PROCESSES, errors


def all_at_once(crew: Crew, stage: Stage) -> list[tuple[bool, str]]:
    """What the processes say that all resolve one stage at the same time."""
    for process in crew:
        assert process.stdin is not None
        process.stdin.write(f"{stage.pk}\n")
        process.stdin.flush()
    said = []
    for process in crew:
        assert process.stdout is not None
        here, last = json.loads(process.stdout.readline())
        said.append((bool(here), str(last)))
    return said


def test_a_stage_resolves_exactly_once_under_concurrent_triggers(crew: Crew) -> None:
    """Round after round through wars with battles in them."""
    for seed in WARS:
        campaign, stage = started(seed=seed, admirals=ADMIRALS)
        following: Stage | None = stage
        rounds = 0
        while following is not None:
            said = all_at_once(crew, following)
            rounds += 1
            row = LedgerRow.objects.get(stage=following)
            assert [here for here, _ in said].count(True) == 1
            assert {last for _, last in said} == {row.hash}
            assert LedgerRow.objects.filter(branch__campaign=campaign).count() == rounds
            assert Submission.objects.filter(stage=following).count() == 2
            following = Resolution(Stage.objects.get(pk=following.pk), row, here=False).next
        assert rounds >= 4
        assert BattleStop.objects.filter(battle__branch__campaign=campaign).exists()
        assert Snapshot.objects.filter(branch__campaign=campaign).count() == rounds + 1
        assert ledger_faults(branch=Branch.objects.get(campaign=campaign)) == ()


@pytest.mark.parametrize("death", [*DEATHS, AT_THE_END])
def test_a_process_killed_at_any_step_changes_nothing(postgres_url: str, crew: Crew, death: str) -> None:
    """The stage with the battle is resolved after the crash to the same bytes as in a war without one."""
    undisturbed = campaign_of(seed=12, admirals=ADMIRALS)
    war_run(campaign=undisturbed, progress=lambda resolution: None, admiral=attack)
    campaign, stage = started(seed=12, admirals=ADMIRALS)
    stage = brought_to("battles", stage)
    before = [table._default_manager.count() for table in TABLES]

    process = begin(postgres_url)
    _, err = process.communicate(f"{stage.pk} {death}\n")
    assert process.returncode == -9, err

    stage.refresh_from_db()
    assert stage.status == ("resolved" if death == AT_THE_END else "closed")
    if death != AT_THE_END:
        entries = Submission.objects.filter(stage=stage).count()
        assert entries == 2
        expected = [many + (entries if table is Submission else 0) for table, many in zip(TABLES, before, strict=True)]
        assert [table._default_manager.count() for table in TABLES] == expected

    said = all_at_once(crew, stage)
    assert [here for here, _ in said].count(True) == (0 if death == AT_THE_END else 1)
    war_run(campaign=campaign, progress=lambda resolution: None, admiral=attack)
    histories = [
        list(Snapshot.objects.filter(branch__campaign=war).order_by("seq").values_list("sha256", flat=True))
        for war in (undisturbed, campaign)
    ]
    bodies = [
        [row.body for row in LedgerRow.objects.filter(branch__campaign=war).order_by("seq")]
        for war in (undisturbed, campaign)
    ]
    assert histories[0] == histories[1]
    assert bodies[0] == bodies[1]
