"""A stage from open to resolved: one entry a faction, one resolution, the same after any crash."""

from __future__ import annotations

import itertools

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.errors import AlreadyStarted, HistoryChanged
from campaign.models import (
    Battle,
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
from campaign.rules.files import fixture_scenario
from campaign.selectors.truth import stages_to_resolve
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.scenarios import scenario_import
from tests.sealing import orders_seal
from tests.umpire.services.wars import ATTACK, attack, play_until, resolve_stage, start_campaign
from umpire.adjudication.fighting import fight_by_captains
from umpire.services.computing import stage_compute
from umpire.services.stages import entries_complete, stage_close, stage_resolve, stage_write
from umpire.services.wars import campaign_start

pytestmark = pytest.mark.django_db
BOTH_ADMIRALS = {"ember": ATTACK, "frost": "hold"}


def test_every_faction_has_one_sealed_submission() -> None:
    _campaign, stage = start_campaign(admirals={"ember": "hold"})
    for _ in range(6):
        following = resolve_stage(stage).next
        entries = Submission.objects.filter(stage=stage, withdrawn_at__isnull=True)
        assert sorted(entries.values_list("faction__key", "source")) == [
            ("ember", "admiral"),
            ("frost", "default"),
        ]
        assert following is not None
        stage = following


def test_player_submission_is_not_overwritten() -> None:
    campaign, stage = start_campaign(admirals=BOTH_ADMIRALS)
    stage = play_until("orders", stage)
    ember = campaign.factions.get(key="ember")
    receipt = orders_seal(stage=stage, faction=ember, payload={"schema": 1})
    resolve_stage(stage)
    entry = Submission.objects.get(stage=stage, faction=ember)
    assert (entry.source, entry.digest) == ("player", receipt.digest)


@pytest.mark.any_database
@pytest.mark.rule("camp.decision")
def test_every_week_has_the_same_stages() -> None:
    _, stage = start_campaign()
    kinds: list[tuple[int, str]] = []
    following: Stage | None = stage
    while following is not None:
        kinds.append((following.week, following.kind))
        following = resolve_stage(following).next
    weeks = itertools.product((1, 2, 3), ("orders", "decisions", "battles"))
    assert kinds == [(0, "deploy"), *weeks]


def test_open_stage_before_its_deadline_stays_open() -> None:
    campaign, stage = start_campaign()
    user = User.objects.create_user("vera")
    membership_add(
        campaign=campaign, user=user, role="player", faction=campaign.factions.get(key="ember")
    )
    assert stage_resolve(stage=stage.pk) is None
    assert Stage.objects.get(pk=stage.pk).status == "open"
    assert stages_to_resolve(now=timezone.now()) == []


def test_overdue_stage_resolves_without_force() -> None:
    row = scenario_import(scenario=fixture_scenario("first-steps"))
    hours = {"deploy": 0, "orders": 48}
    campaign = campaign_create(
        scenario=row, timetable={"schema": 1, "zone": "UTC", "hours": hours, "early_close": False}
    )
    stage = campaign_start(campaign=campaign)
    assert stages_to_resolve(now=timezone.now()) == [stage]
    resolution = stage_resolve(stage=stage.pk)
    assert resolution is not None
    following = resolution.next
    assert following is not None
    assert following.closes is not None
    assert (following.closes - following.opens).total_seconds() == 48 * 3600
    assert stage_resolve(stage=following.pk) is None


def test_war_begins_once() -> None:
    campaign, _ = start_campaign()
    with pytest.raises(AlreadyStarted):
        campaign_start(campaign=campaign)
    assert Stage.objects.count() == 1


def test_repeated_resolution_changes_nothing() -> None:
    _, stage = start_campaign()
    first, second = resolve_stage(stage), resolve_stage(stage)
    assert (first.here, second.here) == (True, False)
    assert first.row == second.row
    assert first.next == second.next
    assert LedgerRow.objects.count() == 1
    assert Snapshot.objects.count() == 2


def test_abandoned_closed_stage_is_resumed() -> None:
    _, stage = start_campaign()
    assert stage_close(stage=stage.pk, force=True)
    assert stages_to_resolve(now=timezone.now()) == [stage]
    assert resolve_stage(stage).here
    assert stages_to_resolve(now=timezone.now()) == [Stage.objects.get(status="open")]


@pytest.mark.any_database
@pytest.mark.parametrize("kind", ["orders", "decisions", "battles"])
def test_repeated_computation_gives_equal_bytes(kind: str) -> None:
    _, stage = start_campaign(admirals=BOTH_ADMIRALS)
    stage = play_until(kind, stage)
    assert stage_close(stage=stage.pk, force=True)
    entries_complete(stage=stage.pk, admiral=attack)
    row = Stage.objects.get(pk=stage.pk)
    first = stage_compute(stage=row, fighter=fight_by_captains)
    again = stage_compute(stage=Stage.objects.get(pk=stage.pk), fighter=fight_by_captains)
    assert first == again
    assert stage_write(stage=row, computed=first)
    assert not stage_write(stage=row, computed=again)
    assert Stage.objects.get(pk=stage.pk).to_snapshot == Snapshot.objects.get(sha256=first.sha256)


def test_failed_write_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _, stage = start_campaign(admirals=BOTH_ADMIRALS)
    stage = play_until("battles", stage)

    def counts() -> list[int]:
        tables = (Snapshot, View, Report, LedgerRow, BattlePhase, Notification, Stage)
        return [table._default_manager.count() for table in tables]

    stage_close(stage=stage.pk, force=True)
    entries_complete(stage=stage.pk, admiral=attack)
    before = counts()
    with monkeypatch.context() as patch:
        patch.setattr("umpire.services.stages.projection_write", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            resolve_stage(stage)
    assert counts() == before
    assert Stage.objects.get(pk=stage.pk).status == "closed"
    assert Battle.objects.get().status == "waiting"
    assert resolve_stage(stage).here
    assert Battle.objects.get().status == "fought"


def test_outdated_stage_is_not_written() -> None:
    _campaign, stage = start_campaign()
    following = resolve_stage(stage).next
    assert following is not None
    Branch.objects.update(head=Snapshot.objects.get(seq=0))
    with pytest.raises(HistoryChanged):
        resolve_stage(following)
    assert LedgerRow.objects.count() == 1


@pytest.mark.rule("camp.battle")
def test_battle_is_stored_with_every_phase() -> None:
    _, stage = start_campaign(admirals=BOTH_ADMIRALS)
    stage = play_until("battles", stage)
    battle = Battle.objects.get()
    assert (battle.status, battle.mode, battle.start["bogeys"]) == ("waiting", "captains", True)
    resolve_stage(stage)
    battle.refresh_from_db()
    phases = list(battle.phases.order_by("seq"))
    assert battle.status == "fought"
    assert [phase.seq for phase in phases] == list(range(len(phases)))
    assert len(phases) >= 4
    assert {phase.inputs["by"] for phase in phases} == {"captains"}
    assert set(phases[0].views) == {"ember", "frost"}
    assert len({phase.chain for phase in phases}) == len(phases)
    names = [stage.branch.campaign.dice_key, stage.ordinal, "battles"]
    assert battle.dice_context[0][2:5] == names
    assert battle.dice_context[1] == ["battle", battle.key]
    assert battle.result is not None
    assert battle.state is not None
    assert battle.result["turns"] == battle.state["turn"]


@pytest.mark.any_database
def test_dice_depend_on_the_sealed_orders() -> None:
    """Other orders get other dice, so nobody can try orders against known dice."""
    states = []
    for nonce in ("00" * 16, "11" * 16):
        campaign, stage = start_campaign(seed=5, admirals=BOTH_ADMIRALS)
        stage = play_until("battles", stage)
        frost = campaign.factions.get(key="frost")
        orders_seal(stage=stage, faction=frost, payload={"schema": 1}, nonce=nonce)
        resolve_stage(stage)
        states.append(Battle.objects.get(branch__campaign=campaign).state)
    assert states[0] != states[1]


def test_everybody_gets_one_equal_message_per_stage() -> None:
    campaign, stage = start_campaign(admirals=BOTH_ADMIRALS)
    players = [User.objects.create_user(name) for name in ("ann", "bob", "cat")]
    for user, faction in zip(players, campaign.factions.order_by("key"), strict=False):
        membership_add(campaign=campaign, user=user, role="player", faction=faction)
    membership_add(campaign=campaign, user=players[0], role="host")
    membership_add(campaign=campaign, user=players[2], role="observer")
    resolve_stage(stage)
    resolve_stage(stage)
    messages = Notification.objects.order_by("user__username").values_list("user__username", "body")
    assert [name for name, _ in messages] == ["ann", "bob", "cat"]
    assert len({body for _, body in messages}) == 1
