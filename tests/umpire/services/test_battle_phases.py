"""Online battles of players: asked phase by phase, sealed, resolved once, and brought to their end."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.access import viewer_of
from campaign.errors import AlreadySealed, StageClosed
from campaign.models import Battle, BattlePhase, Excuse, Notification, Stage, Submission
from campaign.rules.timetable import TIMETABLES, timetable_of
from campaign.selectors.due import awaited_factions, finished_factions, stage_due
from campaign.selectors.entropy import entropy_at
from campaign.selectors.truth import stages_to_resolve
from campaign.services.phases import phase_payload, phase_violations
from campaign.services.tokens import token_make
from campaign.sight.reports import list_battles, read_battle_report
from campaign.store.war_dice import entry_share
from engine.core.errors import RuleViolations
from engine.core.fair import entropy_in, entropy_link, orders_digest
from tests.campaign.api.calls import Caller, json_of
from tests.sealing import orders_seal, stop_unseal
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.wars import attack
from umpire.services.battle_phases import phase_close, phase_compute, phase_resolve, phase_write
from umpire.services.control import campaign_pause, campaign_resume
from umpire.services.ledger_checks import ledger_faults
from umpire.services.phase_clock import phase_awaits, phase_due, phases_to_resolve
from umpire.services.stages import entries_complete, stage_close, stage_resolve
from umpire.services.ticks import reminders_write

pytestmark = pytest.mark.django_db


@pytest.mark.any_database
def test_battle_is_played_phase_by_phase_and_its_week_resolves() -> None:
    war = OnlineWar()
    assert war.battle.mode == "online"
    for key in war.factions:
        fight = war.fight(key)
        assert (fight.state, fight.last.kind, fight.last.number, fight.last.turn) == (
            "open",
            "plot",
            0,
            1,
        )
    for faction in war.factions.values():
        orders_seal(stage=war.stage, faction=faction, payload={"schema": 1})
    assert not stage_due(stage=war.stage, now=timezone.now())  # the stage waits for the battle
    played = war.play(fleeing="ember")
    assert played >= 4
    assert {war.fight(key).state for key in war.factions} == {"over"}
    assert stage_due(stage=war.stage, now=timezone.now())
    resolution = stage_resolve(stage=war.stage.pk)
    assert resolution is not None
    assert resolution.here
    battle = Battle.objects.get(pk=war.battle.pk)
    assert battle.state is not None
    assert (battle.status, battle.state["stop"]) == ("fought", "over")
    phases = list(BattlePhase.objects.filter(battle=battle).order_by("seq"))
    assert [phase.seq for phase in phases] == list(range(played))
    assert {phase.inputs["by"] for phase in phases} == {"players"}
    assert ledger_faults(branch=war.stage.branch) == ()
    assert not Stage.objects.filter(battle=battle).exclude(status="resolved").exists()
    for key, faction in war.factions.items():
        (battle_report,) = list_battles(war.campaign, faction)
        assert battle_report.id == war.fight(key).id
        body = read_battle_report(war.campaign, faction, battle_report.id)[2]
        assert body["phases"] == [phase.views[key] for phase in phases]
        assert body["chain"] == [phase.chain for phase in phases]


@pytest.mark.any_database
def test_battle_that_all_have_left_is_over_at_once() -> None:
    war = OnlineWar()
    for _ in range(40):
        stage = war.open_phase()
        if stage is None:
            break
        for key in war.factions:
            if war.fight(key).state == "open":
                sheet = war.sheet(key)
                away = {"plot": dict.fromkeys(sheet["mine"], "ftl")}
                flee = sheet["kind"] == "plot" and not phase_violations(sheet, away)
                war.seal(key, away if flee else None)
        assert phase_resolve(stage=stage.pk)
    for key in war.factions:
        fight = war.fight(key)
        assert (fight.state, fight.last.kind) == ("over", "over")
        assert war.sheet(key)["log"][-1]["event"] == "battle-over"
    assert not Submission.objects.filter(stage=war.stage).exists()
    assert list(finished_factions(war.stage).values_list("key", flat=True)) == ["ember", "frost"]
    assert not awaited_factions(war.stage).exists()
    assert stage_due(stage=war.stage, now=timezone.now())
    assert stages_to_resolve(now=timezone.now()) == [war.stage]
    resolution = stage_resolve(stage=war.stage.pk, admiral=attack)
    assert resolution is not None
    assert ledger_faults(branch=war.stage.branch) == ()
    assert {phase.inputs["by"] for phase in BattlePhase.objects.filter(battle=war.battle)} == {
        "players"
    }


@pytest.mark.any_database
def test_battle_at_the_turn_limit_is_over() -> None:
    war = OnlineWar()
    Battle.objects.filter(pk=war.battle.pk).update(start=war.battle.start | {"max_turns": 1})
    war.play()
    for key in war.factions:
        assert (war.fight(key).state, war.fight(key).last.kind, war.fight(key).last.turn) == (
            "over",
            "over",
            1,
        )
    assert stage_resolve(stage=war.stage.pk, admiral=attack) is not None


def test_week_with_captains_battles_waits_for_doctrines() -> None:
    war = OnlineWar()
    war.play(fleeing="ember")
    assert stage_due(stage=war.stage, now=timezone.now())
    row = Battle.objects.get(pk=war.battle.pk)
    row.pk, row.public_id, row.key, row.mode = None, uuid.uuid4(), "0101/ember/frost", "captains"
    row.save(force_insert=True)
    assert not stage_due(stage=war.stage, now=timezone.now())
    assert awaited_factions(war.stage).count() == 2


@pytest.mark.any_database
def test_window_ends_a_battle_by_captains() -> None:
    war = OnlineWar()
    war.play(most=3)
    war.seal("ember")
    resolution = stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    assert resolution is not None
    phases = list(BattlePhase.objects.filter(battle=war.battle).order_by("seq"))
    assert [phase.inputs["by"] for phase in phases[:5]] == ["players"] * 4 + ["captains"]
    sources = Submission.objects.filter(stage__battle=war.battle, stage__ordinal=3)
    assert sorted(sources.values_list("faction__key", "source")) == [
        ("ember", "player"),
        ("frost", "default"),
    ]
    assert ledger_faults(branch=war.stage.branch) == ()
    assert {war.fight(key).state for key in war.factions} == {"over"}


@pytest.mark.any_database
def test_all_order_faults_are_named_and_nothing_sealed() -> None:
    war = OnlineWar()
    sheet = war.sheet("ember")
    own_ship, foreign = sheet["mine"][0], war.sheet("frost")["mine"][0]
    with pytest.raises(RuleViolations) as caught:
        war.seal(
            "ember",
            {"plot": {own_ship: "P9", foreign: "+1", "x": 3}, "fire": {}, "stop": 4},
            nonce="short",
        )
    faults = {(fault.where, fault.code) for fault in caught.value.violations}
    assert {where for where, _ in faults} == {
        "stop",
        "fire",
        f"plot.{own_ship}",
        f"plot.{foreign}",
        "plot.x",
        "nonce",
    }
    assert ("stop", "other-phase") in faults
    assert not Submission.objects.filter(stage__battle=war.battle).exists()


@pytest.mark.any_database
@pytest.mark.parametrize("name", sorted(TIMETABLES))
def test_phase_waits_under_every_timetable(name: str) -> None:
    war = OnlineWar(timetable=timetable_of(name, "UTC"))
    phase = war.open_phase()
    assert phase is not None
    assert [faction.key for faction in phase_awaits(phase)] == ["ember", "frost"]
    assert (phases_to_resolve(now=timezone.now()), phase_resolve(stage=phase.pk)) == ([], False)
    war.seal("ember")
    assert (phases_to_resolve(now=timezone.now()), phase_resolve(stage=phase.pk)) == ([], False)
    war.seal("frost")
    assert (phases_to_resolve(now=timezone.now()), phase_resolve(stage=phase.pk)) == ([phase], True)


def test_orders_can_be_unsealed_until_the_phase_closes() -> None:
    war = OnlineWar()
    receipt = war.seal("ember")
    fight = war.fight("ember")
    assert fight.state == "sealed"
    assert war.seal("ember") == receipt  # the same again
    with pytest.raises(AlreadySealed):
        war.seal("ember", {"plot": {}})
    stop_unseal(fight=fight, faction=war.factions["ember"])
    assert war.fight("ember").state == "open"
    war.seal("ember", {"plot": {}})
    war.seal("frost")
    stage = war.open_phase()
    assert stage is not None
    assert phase_resolve(stage=stage.pk)
    with pytest.raises(StageClosed):
        stop_unseal(fight=fight, faction=war.factions["ember"])
    entries = Submission.objects.filter(stage=stage, faction=war.factions["ember"]).order_by(
        "revision"
    )
    assert [(row.revision, row.withdrawn_at is None) for row in entries] == [(1, False), (2, True)]


@pytest.mark.any_database
def test_receipt_binds_the_dice_of_its_phase() -> None:
    """Digest and nonce can be recomputed, and another nonce gives other dice."""
    wars = [OnlineWar(), OnlineWar(seed="7" * 64)]
    for war, nonce in zip(wars, ("0" * 32, "f" * 32), strict=True):
        receipt = war.seal("ember", nonce=nonce)
        assert receipt.digest == orders_digest(receipt.payload, nonce)
        war.seal("frost")
        stage = war.open_phase()
        assert stage is not None
        assert phase_resolve(stage=stage.pk)
    roots = [BattlePhase.objects.get(battle=war.battle).inputs["dice"] for war in wars]
    assert [root[0][1:3] for root in roots] == [["stop", "online"]] * 2
    entropies = []
    for war in wars:
        sealed = Submission.objects.filter(stage__battle=war.battle).order_by("faction__key")
        shares = [entry_share(row.stage, row) for row in sealed]
        before = entropy_at(war.battle.branch, war.battle.seq)
        digests = [row.digest for row in sealed]
        entropies.append(entropy_link(before, 0, digests, shares))
    assert [entropy_in(root) for root in roots] == entropies
    assert entropies[0] != entropies[1]


@pytest.mark.any_database
def test_server_nonces_are_unique() -> None:
    war = OnlineWar()
    war.play(most=4)
    nonces = list(
        Submission.objects.filter(stage__branch=war.stage.branch).values_list("nonce", flat=True)
    )
    assert len(set(nonces)) == len(nonces)


def test_computers_answer_at_once_and_captains_replace_absent_players() -> None:
    war = OnlineWar(players=("ember",), timetable={"phase_minutes": 30})
    stage = war.open_phase()
    assert stage is not None
    assert stage.closes == stage.opens + timedelta(minutes=30)
    assert [row.faction.key for row in Submission.objects.filter(stage=stage)] == ["frost"]
    assert [row.source for row in Submission.objects.filter(stage=stage)] == ["admiral"]
    assert not phase_due(stage=stage, now=stage.closes - timedelta(seconds=1))
    assert phases_to_resolve(now=stage.closes) == [stage]
    advice = war.advice("ember")
    assert phase_resolve(stage=stage.pk, now=stage.closes)
    entry = Submission.objects.get(stage=stage, faction=war.factions["ember"])
    assert (entry.source, entry.payload["plot"]) == ("default", advice["plot"])


def test_captain_finishes_a_battle_until_the_player_takes_over() -> None:
    war = OnlineWar(umpire=True)
    ember, frost, umpire = (
        Caller(war.users[key], token_make(user=war.users[key]), str(war.campaign.public_id))
        for key in ("ember", "frost", "umpire")
    )
    path = f"fights/{war.fight('ember').id}/"
    assert json_of(ember.post(path + "captain/", {"finishes": True}))["captain_finishes"]
    turns = set()
    for _ in range(4):
        stage = war.open_phase()
        assert stage is not None
        if war.fight("ember").stage is not None:
            entry = Submission.objects.get(stage=stage, faction=war.factions["ember"])
            advised = phase_payload(war.sheet("ember"), war.advice("ember"))
            assert (entry.source, entry.payload) == ("captain", advised)
        if war.fight("frost").state == "open":
            assert not phase_due(stage=stage, now=timezone.now())
            war.seal("frost")
        assert phase_resolve(stage=stage.pk)
        turns.add(war.sheet("ember")["turn"])
    assert len(turns) > 1
    assert not json_of(frost.get("fights/"))["fights"][0]["captain_finishes"]
    sources = [row["source"] for row in json_of(ember.get(path + "receipts/"))["receipts"]]
    assert set(sources) == {"captain"}
    assert _sources_known_to(umpire) == {"player"}
    line = json_of(ember.post(path + "captain/", {"finishes": False}))
    assert (line["state"], line["captain_finishes"]) == ("open", False)
    war.play(most=1)
    assert not war.fight("ember").is_left_to_captain


def _sources_known_to(umpire: Caller) -> set[str]:
    """Return who sealed the orders of a battle's phases, as the umpire reads it."""
    (line,) = json_of(umpire.get("umpire/battles/"))["battles"]
    phases = json_of(umpire.get(f"umpire/battles/{line['id']}/"))["phases"]
    return {entry["source"] for phase in phases for entry in phase["inputs"]["entries"]}


@pytest.mark.any_database
def test_excused_player_is_not_waited_for() -> None:
    war = OnlineWar()
    Excuse.objects.create(
        faction=war.factions["frost"],
        week=war.stage.week,
        branch_id=war.factions["frost"].campaign.head_branch_id,
        ordinal=0,
    )
    stage = war.open_phase()
    assert stage is not None
    assert not phase_due(stage=stage, now=timezone.now())
    war.seal("ember")
    assert phase_due(stage=stage, now=timezone.now())


@pytest.mark.any_database
def test_pause_stops_the_phase_and_returns_its_time() -> None:
    war = OnlineWar(umpire=True, timetable={"phase_minutes": 30})
    umpire = viewer_of(war.users["umpire"], war.campaign.public_id)
    stage = war.open_phase()
    assert stage is not None
    assert stage.closes is not None
    campaign_pause(viewer=umpire, now=stage.opens + timedelta(minutes=10))
    war.campaign.refresh_from_db()
    assert phases_to_resolve(now=stage.closes) == []
    campaign_resume(viewer=umpire, now=stage.opens + timedelta(minutes=70))
    closes = Stage.objects.get(pk=stage.pk).closes
    assert closes == stage.closes + timedelta(minutes=60)
    assert phases_to_resolve(now=stage.closes) == []
    assert phases_to_resolve(now=closes) == [stage]


@pytest.mark.any_database
def test_only_awaited_players_are_notified() -> None:
    war = OnlineWar(players=("ember", "frost"), timetable={"phase_minutes": 30}, umpire=True)
    stage = war.open_phase()
    assert stage is not None
    assert stage.closes is not None
    notifications = Notification.objects.filter(dedupe_key__startswith="phase/")
    assert sorted(notifications.values_list("user__username", flat=True)) == [
        "player-ember",
        "player-frost",
    ]
    war.seal("ember")
    assert reminders_write(now=stage.opens + timedelta(minutes=14)) == 0
    assert reminders_write(now=stage.opens + timedelta(minutes=16)) == 1
    assert reminders_write(now=stage.opens + timedelta(minutes=17)) == 0
    (reminder,) = Notification.objects.filter(dedupe_key__startswith="reminder/")
    assert reminder.user == war.users["frost"]
    assert "battle" in reminder.body


@pytest.mark.any_database
def test_phase_ends_with_its_week() -> None:
    hours = {"deploy": 0, "orders": 0, "decisions": 0, "battles": 1}
    war = OnlineWar(timetable={"phase_minutes": 45, "hours": hours})
    stage = war.open_phase()
    assert stage is not None
    assert war.stage.closes is not None
    for key in war.factions:
        war.seal(key)
    late = stage.opens + timedelta(minutes=40)
    assert phase_resolve(stage=stage.pk, now=late)
    following = war.open_phase()
    assert following is not None
    assert following.closes == war.stage.closes
    assert phases_to_resolve(now=war.stage.closes) == [following]
    assert phase_resolve(stage=following.pk, now=war.stage.closes)


def test_week_takes_over_an_unwritten_phase() -> None:
    war = OnlineWar()
    for key in war.factions:
        war.seal(key)
    stage = war.open_phase()
    assert stage is not None
    assert phase_close(stage=stage.pk)
    row = Stage.objects.select_related("branch__campaign__scenario", "battle", "from_snapshot").get(
        pk=stage.pk
    )
    played = phase_compute(stage=row)
    assert stage_close(stage=war.stage.pk, force=True)
    entries_complete(stage=war.stage.pk, admiral=attack)
    assert not phase_write(stage=row, played=played)
    assert not phase_resolve(stage=stage.pk)
    assert phases_to_resolve(now=timezone.now()) == []
    assert stage_resolve(stage=war.stage.pk, admiral=attack)
    phases = list(BattlePhase.objects.filter(battle=war.battle).order_by("seq"))
    assert (phases[0].inputs["by"], phases[0].chain) == ("players", played.chain)
    assert {phase.inputs["by"] for phase in phases[1:]} == {"captains"}


@pytest.mark.any_database
def test_repeated_computation_gives_equal_bytes() -> None:
    war = OnlineWar()
    for key in war.factions:
        war.seal(key)
    stage = war.open_phase()
    assert stage is not None
    assert phase_close(stage=stage.pk)
    results = []
    for _ in range(2):
        row = Stage.objects.select_related(
            "branch__campaign__scenario", "battle", "from_snapshot"
        ).get(pk=stage.pk)
        played = phase_compute(stage=row)
        results.append((played.phase, played.chain, played.sheets, played.battle.to_json()))
    assert results[0] == results[1]


@pytest.mark.any_database
def test_captains_fight_without_players_and_by_setting() -> None:
    assert OnlineWar(battles="captains").battle.mode == "captains"
    war = OnlineWar(players=())
    assert (war.battle.mode, war.open_phase()) == ("captains", None)
