"""The umpire sets how one battle is fought before anybody has fought in it, and nobody else
notices.
"""

from __future__ import annotations

import pytest
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.models import Act, Battle, BattlePhase
from campaign.selectors.clock import acts_of
from campaign.selectors.due import stage_due
from campaign.services.orders import WeekOrders
from campaign.services.tables import tables_of
from engine.core.errors import RuleViolations
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.wars import ATTACK, attack, campaign_at
from umpire.services.control import battle_mode_set
from umpire.services.ledger_checks import ledger_faults
from umpire.services.phase_clock import phase_due
from umpire.services.stages import stage_resolve

pytestmark = pytest.mark.django_db


def war_with_umpire(battles: str) -> tuple[OnlineWar, Viewer]:
    war = OnlineWar(battles=battles, umpire=True)
    return war, viewer_of(war.users["umpire"], war.campaign.public_id)


@pytest.mark.any_database
def test_captains_battle_is_given_to_its_players() -> None:
    war, umpire = war_with_umpire("captains")
    battle_mode_set(viewer=umpire, battle=war.battle, mode="online", reason="they asked for it")
    assert {war.fight(key).state for key in war.factions} == {"open"}
    battle_mode_set(viewer=umpire, battle=war.battle, mode="online")
    (act,) = Act.objects.filter(verb="battle-mode")
    assert (act.stage, act.body["facts"]["to"]) == (war.stage, "online")
    assert list(acts_of(campaign=war.campaign)) == []
    assert list(acts_of(campaign=war.campaign, umpire=True)) == [act]
    assert war.play(most=2) == 2
    with pytest.raises(NotAllowed):
        battle_mode_set(viewer=umpire, battle=war.battle, mode="captains")
    assert stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    assert ledger_faults(branch=war.stage.branch) == ()


@pytest.mark.any_database
@pytest.mark.parametrize("mode", ["online", "table"])
def test_battle_given_out_returns_to_captains_once(mode: str) -> None:
    war, umpire = war_with_umpire(mode)
    battle_mode_set(viewer=umpire, battle=war.battle, mode="captains")
    assert Battle.objects.get(pk=war.battle.pk).state is None
    with pytest.raises(NotAllowed):
        battle_mode_set(viewer=umpire, battle=war.battle, mode=mode)
    assert stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    assert {phase.inputs["by"] for phase in BattlePhase.objects.filter(battle=war.battle)} == {
        "captains"
    }


@pytest.mark.any_database
def test_player_takes_command_and_the_captain_of_the_other_side_keeps_up() -> None:
    war = OnlineWar(battles="mixed", commanders=("ember",))
    assert war.battle.mode == "online"
    ember, frost = war.fight("ember"), war.fight("frost")
    assert (ember.state, ember.is_left_to_captain) == ("open", False)
    assert (frost.state, frost.is_left_to_captain) == ("sealed", True)
    stage = war.open_phase()
    assert stage is not None
    war.seal("ember")
    assert phase_due(stage=stage, now=timezone.now())
    war.play()
    assert stage_due(stage=war.stage, now=timezone.now())
    assert stage_resolve(stage=war.stage.pk, admiral=attack)
    assert ledger_faults(branch=war.stage.branch) == ()


@pytest.mark.any_database
@pytest.mark.parametrize("players", [("ember", "frost"), ("frost",)])
def test_captains_fight_where_no_player_takes_command(players: tuple[str, ...]) -> None:
    commanders = () if "ember" in players else ("ember",)  # no player of Ember's is there
    war = OnlineWar(battles="mixed", players=players, commanders=commanders)
    assert war.battle.mode == "captains"
    assert Battle.objects.get(pk=war.battle.pk).state is None


def test_nobody_takes_command_where_the_war_does_not_offer_it() -> None:
    _, stage = campaign_at("decisions", admirals={"ember": ATTACK})
    faction = stage.branch.campaign.factions.get(key="ember")
    document = WeekOrders(stage, faction)
    (meeting,) = document.view.open_decisions
    payload = {"schema": 1, "take_command": [{"hex": meeting.hex, "by": "player"}]}
    assert [fault.code for fault in document.faults(payload)] == ["not-offered"]
    elsewhere = {"schema": 1, "take_command": [{"hex": "0101", "by": "player"}]}
    assert "not-asked" in [fault.code for fault in document.faults(elsewhere)]


def test_captains_battle_is_given_to_a_table() -> None:
    war, umpire = war_with_umpire("captains")
    battle_mode_set(viewer=umpire, battle=war.battle, mode="table")
    assert all(tables_of(war.campaign, faction) for faction in war.factions.values())


def test_only_the_umpire_chooses_known_modes() -> None:
    war, umpire = war_with_umpire("captains")
    with pytest.raises(NotFound):
        battle_mode_set(
            viewer=viewer_of(war.users["ember"], war.campaign.public_id),
            battle=war.battle,
            mode="online",
        )
    with pytest.raises(RuleViolations):
        battle_mode_set(viewer=umpire, battle=war.battle, mode="chess")
    assert not Act.objects.filter(verb="battle-mode").exists()
