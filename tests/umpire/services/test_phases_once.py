"""Phases of online battles resolve exactly once, with the same result after a crash at any step."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Battle, BattlePhase, Draft, Notification, Report, Stage, Submission
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.test_exactly_once import ProcessCrew, crew, resolve_at_once  # noqa: F401
from tests.umpire.services.worker_process import AT_THE_END, PATIENCE, STOP_DEATHS, start_process
from umpire.services import battle_phases
from umpire.services.battle_phases import phase_resolve

TABLES = (BattlePhase, Stage, Submission, Draft, Report, Notification)
STEPS = 3


def seal_open_phase(war: OnlineWar) -> Stage:
    """Return the open phase with the captains' proposals sealed by both."""
    stage = war.open_phase()
    assert stage is not None
    for key in war.users:
        if war.fight(key).state == "open":
            war.seal(key)
    return stage


def chains(war: OnlineWar) -> list[str]:
    return list(
        BattlePhase.objects.filter(battle=war.battle)
        .order_by("seq")
        .values_list("chain", flat=True)
    )


def counts() -> list[int]:
    return [table._default_manager.count() for table in TABLES]


@pytest.mark.any_database
@pytest.mark.django_db
@pytest.mark.parametrize("death", STOP_DEATHS)
def test_failed_step_leaves_all_or_nothing_and_can_be_repeated(
    monkeypatch: pytest.MonkeyPatch, death: str
) -> None:
    undisturbed, war = OnlineWar(), OnlineWar()
    for _ in range(STEPS):
        assert phase_resolve(stage=seal_open_phase(undisturbed).pk)

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError(death)

    for _ in range(STEPS):
        stage = seal_open_phase(war)
        before, state = counts(), Battle.objects.get(pk=war.battle.pk).state
        with monkeypatch.context() as patched:
            patched.setattr(battle_phases, STOP_DEATHS[death], fail)
            with pytest.raises(RuntimeError, match=death):
                phase_resolve(stage=stage.pk)
        stage.refresh_from_db()
        assert stage.status == "closed"
        assert counts() == before
        assert Battle.objects.get(pk=war.battle.pk).state == state
        assert phase_resolve(stage=stage.pk)
        assert not phase_resolve(stage=stage.pk)
    assert chains(war) == chains(undisturbed)
    assert len(set(chains(war))) == STEPS


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_phase_resolves_once_under_concurrent_triggers(crew: ProcessCrew) -> None:  # noqa: F811
    war = OnlineWar()
    for number in range(STEPS):
        answers = resolve_at_once(crew, seal_open_phase(war))
        assert [here for here, _ in answers].count(True) == 1
        assert {chain for _, chain in answers} == {chains(war)[-1]}
        assert len(chains(war)) == number + 1
        assert Stage.objects.filter(battle=war.battle, status="open").count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("death", [*STOP_DEATHS, AT_THE_END])
def test_process_killed_at_any_step_changes_nothing(postgres_url: str, death: str) -> None:
    undisturbed, war = OnlineWar(), OnlineWar()
    for _ in range(2):
        phase_resolve(stage=seal_open_phase(undisturbed).pk)
    phase_resolve(stage=seal_open_phase(war).pk)
    stage = seal_open_phase(war)
    before = counts()
    process = start_process(postgres_url)
    process.tell(stage.pk, death)
    process.running.join(PATIENCE)
    assert process.end() == -9
    stage.refresh_from_db()
    assert stage.status == ("resolved" if death == AT_THE_END else "closed")
    assert (counts() == before) == (death != AT_THE_END)
    assert phase_resolve(stage=stage.pk) == (death != AT_THE_END)
    assert chains(war) == chains(undisturbed)
