"""Exactly once, with real processes on a real PostgreSQL, and after a kill at every step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from campaign.models import (
    BattlePhase,
    Branch,
    LedgerRow,
    Notification,
    Report,
    Snapshot,
    Stage,
    Submission,
    View,
)
from tests.umpire.services.wars import (
    ATTACK,
    attack,
    campaign_of,
    ledger_results,
    play_until,
    start_campaign,
)
from tests.umpire.services.worker_process import (
    AT_THE_END,
    DEATHS,
    PATIENCE,
    Process,
    start_process,
)
from umpire.services.ledger_checks import ledger_faults
from umpire.services.stages import Resolution
from umpire.services.wars import war_run

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PROCESSES = 4
WARS = (11, 12)
ADMIRALS = {"ember": ATTACK}
TABLES = (Snapshot, View, Report, LedgerRow, BattlePhase, Submission, Stage, Notification)


ProcessCrew = list[Process]


@pytest.fixture
def crew(postgres_url: str) -> Iterator[ProcessCrew]:
    """Return several processes, which end with the test."""
    processes = [start_process(postgres_url) for _ in range(PROCESSES)]
    yield processes
    assert [process.end() for process in processes] == [0] * PROCESSES


def resolve_at_once(processes: ProcessCrew, stage: Stage) -> list[tuple[bool, str]]:
    """Let all processes resolve one stage at the same time; return their answers."""
    for process in processes:
        process.tell(stage.pk)
    return [process.answer() for process in processes]


def test_stage_resolves_once_under_concurrent_triggers(crew: ProcessCrew) -> None:
    """It goes stage by stage through wars with battles."""
    for seed in WARS:
        campaign, stage = start_campaign(seed=seed, admirals=ADMIRALS)
        following: Stage | None = stage
        rounds = 0
        while following is not None:
            answers = resolve_at_once(crew, following)
            rounds += 1
            row = LedgerRow.objects.get(stage=following)
            assert [here for here, _ in answers].count(True) == 1
            assert {last for _, last in answers} == {row.hash}
            assert LedgerRow.objects.filter(branch__campaign=campaign).count() == rounds
            assert Submission.objects.filter(stage=following).count() == 2
            following = Resolution(Stage.objects.get(pk=following.pk), row, here=False).next
        assert rounds >= 4
        assert BattlePhase.objects.filter(battle__branch__campaign=campaign).exists()
        assert Snapshot.objects.filter(branch__campaign=campaign).count() == rounds + 1
        assert ledger_faults(branch=Branch.objects.get(campaign=campaign)) == ()


@pytest.mark.parametrize("death", [*DEATHS, AT_THE_END])
def test_process_killed_at_any_step_changes_nothing(
    postgres_url: str, crew: ProcessCrew, death: str
) -> None:
    """After the crash the stage with the battle has the same bytes as in a war without one."""
    undisturbed = campaign_of(seed=12, admirals=ADMIRALS)
    war_run(campaign=undisturbed, progress=lambda resolution: None, admiral=attack)
    campaign, stage = start_campaign(seed=12, admirals=ADMIRALS)
    stage = play_until("battles", stage)
    before = [table._default_manager.count() for table in TABLES]

    process = start_process(postgres_url)
    process.tell(stage.pk, death)
    process.running.join(PATIENCE)
    assert process.end() == -9

    stage.refresh_from_db()
    assert stage.status == ("resolved" if death == AT_THE_END else "closed")
    if death != AT_THE_END:
        entries = Submission.objects.filter(stage=stage).count()
        assert entries == 2
        expected = [
            many + (entries if table is Submission else 0)
            for table, many in zip(TABLES, before, strict=True)
        ]
        assert [table._default_manager.count() for table in TABLES] == expected

    answers = resolve_at_once(crew, stage)
    assert [here for here, _ in answers].count(True) == (0 if death == AT_THE_END else 1)
    war_run(campaign=campaign, progress=lambda resolution: None, admiral=attack)
    histories = [
        list(
            Snapshot.objects.filter(branch__campaign=war)
            .order_by("seq")
            .values_list("sha256", flat=True)
        )
        for war in (undisturbed, campaign)
    ]
    assert histories[0] == histories[1]
    assert ledger_results(undisturbed) == ledger_results(campaign)
    assert ledger_faults(branch=Branch.objects.get(campaign=campaign)) == ()
