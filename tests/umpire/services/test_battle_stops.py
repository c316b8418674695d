"""Battles fought online by their players: asked stop by stop, sealed, resolved once, and made the battle's end."""

from __future__ import annotations

import pytest
from django.utils import timezone

from campaign.models import Battle, BattleStop, Stage, Submission
from campaign.services.due import stage_due
from campaign.services.orders import submission_seal
from campaign.sight import battle_read, battles_told
from tests.umpire.services.fights import War
from tests.umpire.services.wars import attack
from umpire.services.ledger import ledger_faults
from umpire.services.stages import stage_resolve

pytestmark = pytest.mark.django_db


def test_a_battle_is_played_stop_by_stop_to_its_end_and_its_week_resolves() -> None:
    war = War()
    assert war.battle.mode == "online"
    for key in war.factions:
        fight = war.fight(key)
        assert (fight.state, fight.last.kind, fight.last.number, fight.last.turn) == ("open", "plot", 0, 1)
    for faction in war.factions.values():
        submission_seal(stage=war.stage, faction=faction, payload={"schema": 1})
    assert not stage_due(stage=war.stage, now=timezone.now())  # the battle is waited for
    played = war.played()
    assert played > 4
    assert {war.fight(key).state for key in war.factions} == {"over"}
    assert stage_due(stage=war.stage, now=timezone.now())
    resolution = stage_resolve(stage=war.stage.pk)
    assert resolution is not None
    assert resolution.here
    battle = Battle.objects.get(pk=war.battle.pk)
    assert battle.state is not None
    assert (battle.status, battle.state["stop"]) == ("fought", "over")
    stops = list(BattleStop.objects.filter(battle=battle).order_by("seq"))
    assert [stop.seq for stop in stops] == list(range(played))
    assert {stop.inputs["by"] for stop in stops} == {"players"}
    assert ledger_faults(branch=war.stage.branch) == ()
    assert not Stage.objects.filter(battle=battle).exclude(status="resolved").exists()
    for key, faction in war.factions.items():
        (told,) = battles_told(war.campaign, faction)
        assert told.id == war.fight(key).id
        body = battle_read(war.campaign, faction, told.id)[2]
        assert body["stops"] == [stop.views[key] for stop in stops]
        assert body["chain"] == [stop.chain for stop in stops]


def test_the_window_ends_a_battle_by_captains_from_its_present_state() -> None:
    war = War()
    war.played(most=3)
    war.seal("ember")
    resolution = stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    assert resolution is not None
    stops = list(BattleStop.objects.filter(battle=war.battle).order_by("seq"))
    assert [stop.inputs["by"] for stop in stops[:5]] == ["players"] * 4 + ["captains"]
    sources = Submission.objects.filter(stage__battle=war.battle, stage__ordinal=3)
    assert sorted(sources.values_list("faction__key", "source")) == [("ember", "player"), ("frost", "default")]
    assert ledger_faults(branch=war.stage.branch) == ()
    assert {war.fight(key).state for key in war.factions} == {"over"}
