"""Battles at a table: sheets, results entered by both sides, comparison, and the end of the battle."""

from __future__ import annotations

from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone, translation

from campaign.access import viewer_of
from campaign.errors import AlreadySealed, NotFound, StageClosed
from campaign.forms.table.table_form import fault_lines
from campaign.models import Act, Battle, BattlePhase, Report, Submission
from campaign.selectors.due import stage_due
from campaign.services.tables import table_of, tables_of
from campaign.sight.reports import list_battles, list_reports, read_battle_report
from campaign.words.languages import in_language
from engine.core.errors import RuleViolations
from tests.sealing import table_seal, table_unseal
from tests.umpire.pages.staffed_war import LOGIN
from tests.umpire.services.table_war import TableWar
from tests.umpire.services.wars import attack
from umpire.services.ledger_checks import ledger_faults
from umpire.services.stages import stage_resolve
from umpire.services.tables import table_compare, table_enter

pytestmark = pytest.mark.django_db

LOST_BY_NOTHING = {
    "en": "no hull row ended, and no enemy had needle beams",
    "de": "Keine Rumpfreihe endete, und kein Feind hatte Nadelstrahlen",
    "fr": "aucune rangée de coque ne s’est terminée et aucun ennemi n’avait de rayons aiguilles",
}


@pytest.mark.any_database
def test_sheets_show_own_ships_and_known_others() -> None:
    war = TableWar()
    assert war.battle.mode == "table"
    for key, other in (("ember", "frost"), ("frost", "ember")):
        sheet = war.table(key).sheet
        own_ships = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == key)
        assert sheet["own"] == own_ships
        foreign = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == other)
        assert {contact["id"] for contact in sheet["contacts"]} == {
            ship["contact"] for ship in foreign
        }
        assert all(
            "class" not in contact and "design" not in contact for contact in sheet["contacts"]
        )
        text = str(sheet)
        assert not any(ship["id"] in text for ship in foreign)
    assert {report.kind for report in list_reports(war.campaign, war.factions["ember"])} == {
        "stage"
    }


@pytest.mark.any_database
def test_agreed_result_ends_the_battle_and_its_week() -> None:
    war = TableWar()
    war.doctrines()
    assert not stage_due(stage=war.stage, now=timezone.now())  # the stage waits for the table
    war.seal_same(hurt=2)
    assert stage_due(stage=war.stage, now=timezone.now())
    resolution = stage_resolve(stage=war.stage.pk)
    assert resolution is not None
    assert resolution.here
    result = Battle.objects.get(pk=war.battle.pk).result
    assert result is not None
    hurt = {ship["ship"]: ship["damage"] for ship in result["ships"]}
    assert hurt[war.first_ship("frost")] == 2
    assert sum(hurt.values()) == 2
    phase = BattlePhase.objects.get(battle=war.battle)
    assert (phase.inputs["by"], sorted(phase.inputs["entered"])) == ("players", ["ember", "frost"])
    assert ledger_faults(branch=war.stage.branch) == ()
    snapshot = resolution.stage.to_snapshot
    assert snapshot is not None
    world = snapshot.world["body"]["ships"]
    assert {ship["key"]: ship["damage"] for ship in world}[war.first_ship("frost")] == 2


@pytest.mark.any_database
def test_each_side_reads_what_it_entered() -> None:
    war = TableWar()
    entered = war.agreed_entries(2)
    code = war.codes()[war.first_ship("frost")]
    del entered["ember"]["ships"][code]  # never identified: Ember enters nothing for it
    for key, payload in entered.items():
        war.seal(key, payload)
    table_compare(stage=war.table("ember").stage.pk)
    stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    bodies = {}
    for key in entered:
        (battle,) = list_battles(war.campaign, war.factions[key])
        _, _, body = read_battle_report(war.campaign, war.factions[key], battle.id)
        assert battle.id == war.table(key).id
        bodies[key] = body
    assert code not in {event["ship"] for event in bodies["ember"]["phases"][0]["log"]}
    assert war.first_ship("frost") not in str(bodies["ember"])
    ends = {event["ship"]: event["damage"] for event in bodies["frost"]["phases"][0]["log"]}
    assert ends[war.first_ship("frost")] == 2


@pytest.mark.any_database
def test_differences_are_shown_and_entered_again() -> None:
    war = TableWar()
    entered = war.agreed_entries(2)
    ship, code = war.first_ship("frost"), war.codes()[war.first_ship("frost")]
    entered["ember"]["ships"][code]["damage"] = 3
    war.seal("ember", entered["ember"])
    before = war.table("ember")
    first = before.stage
    assert table_compare(stage=first.pk) == "waiting"
    assert war.table("frost").checks == ()
    war.seal("frost", entered["frost"])
    assert table_compare(stage=first.pk) == "differing"
    assert table_compare(stage=first.pk) == "closed"
    for key, code_of_ship in (("ember", code), ("frost", ship)):
        (check,) = war.table(key).checks
        assert check["differences"] == [
            {"ship": code_of_ship, "part": "damage", "claims": {"ember": 3, "frost": 2}}
        ]
        assert war.table(key).stage.ordinal == 1
        assert war.draft(key) == {**entered[key], "battle": war.table(key).id}
    with pytest.raises(StageClosed):
        table_unseal(table=before, faction=war.factions["ember"])
    war.seal_same(hurt=2)
    assert Report.objects.filter(kind="table-check").count() == 2


@pytest.mark.any_database
def test_impossible_result_is_reported_to_both() -> None:
    war = TableWar()
    ship = war.first_ship("frost")
    entered = war.agreed_entries(0)
    enemy_ships = war.battle.start["sides"][1]["ships"]
    system = (
        next(item for item in enemy_ships if item["id"] == ship)["design"]["systems"][0]["type"]
        + "-1"
    )
    entered["frost"]["ships"][ship]["lost"] = [system]
    entered["ember"]["ships"][war.codes()[ship]]["lost"] = [system]
    for key, payload in entered.items():
        war.seal(key, payload)
    assert table_compare(stage=war.table("ember").stage.pk) == "differing"
    (check,) = war.table("ember").checks
    assert check["differences"] == []
    assert [(item["where"], item["code"]) for item in check["faults"]] == [
        (f"ships.{war.codes()[ship]}.lost", "lost-by-nothing")
    ]
    (fault,) = check["faults"]
    assert fault.keys() == {"where", "code", "reason"}
    client = Client()
    client.force_login(war.people["ember"], backend=LOGIN)
    path = f"/c/{war.campaign.public_id}/battles/{war.table('ember').id}/table/"
    for language, expected in LOST_BY_NOTHING.items():
        assert expected in texts_of_check(check)[language]
        page = client.get(path, headers={"Accept-Language": language}).content.decode()
        assert expected in unescape(page)


def texts_of_check(check: Mapping[str, Any]) -> dict[str, str]:
    """Return the one fault of a check, in each language."""
    texts = {}
    for language in LOST_BY_NOTHING:
        with translation.override(language):
            (words,) = fault_lines(check, {})
            texts[language] = in_language(words)
    return texts


@pytest.mark.any_database
def test_faults_of_own_ships_are_refused_at_once() -> None:
    war = TableWar()
    payload = war.draft("ember")
    payload["ships"][war.first_ship("ember")] |= {"damage": 999, "lost": ["warp-core-1"]}
    with pytest.raises(RuleViolations) as refused:
        war.seal("ember", payload)
    assert [violation.code for violation in refused.value.violations] == ["damage", "lost-system"]
    with pytest.raises(RuleViolations):
        table_seal(
            table=war.table("ember"),
            faction=war.factions["ember"],
            payload={**war.draft("ember"), "battle": "x"},
        )
    assert not Submission.objects.filter(stage__kind="table").exists()


def test_result_is_sealed_once_and_unsealed_before_comparison() -> None:
    war = TableWar()
    receipt = war.seal("ember", war.draft("ember"))
    assert war.seal("ember", war.draft("ember")) == receipt  # the same again
    with pytest.raises(AlreadySealed):
        war.seal("ember", {**war.draft("ember"), "turns": 9})
    table_unseal(table=war.table("ember"), faction=war.factions["ember"])
    assert (
        war.seal("ember", war.draft("ember")).digest != receipt.digest
    )  # another revision, another nonce


@pytest.mark.any_database
def test_captains_fight_without_agreement_at_the_end() -> None:
    war = TableWar()
    table = war.table("ember").stage
    war.seal("ember", war.draft("ember"))
    assert stage_resolve(stage=war.stage.pk, force=True, admiral=attack) is not None
    war.battle.refresh_from_db()
    assert war.battle.status == "fought"
    assert BattlePhase.objects.filter(battle=war.battle, inputs__by="captains").exists()
    assert table_compare(stage=table.pk) == "closed"
    with pytest.raises(StageClosed):
        war.seal("frost", war.draft("frost"))


def test_late_agreement_counts() -> None:
    war = TableWar()
    for key, payload in war.agreed_entries(2).items():
        war.seal(key, payload)
    stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    assert BattlePhase.objects.get(battle=war.battle).inputs["by"] == "players"


@pytest.mark.any_database
def test_umpire_enters_a_result() -> None:
    war = TableWar(players=("ember",), umpire=True)
    war.seal("ember", war.draft("ember"))
    viewer = viewer_of(war.umpire, war.campaign.public_id)
    ships = [ship["id"] for side in war.battle.start["sides"] for ship in side["ships"]]
    result = {
        "schema": 1,
        "turns": 4,
        "ships": {id_: {"status": "left", "damage": 0, "lost": []} for id_ in ships},
    }
    with pytest.raises(RuleViolations) as refused:
        table_enter(viewer=viewer, battle=war.battle, payload={**result, "ships": {}})
    assert len(refused.value.violations) == len(ships)
    with pytest.raises(RuleViolations) as refused:
        table_enter(viewer=viewer, battle=war.battle, payload=result)
    assert [violation.where for violation in refused.value.violations] == ["reason"], (
        "Ember's sealed result is replaced"
    )
    with pytest.raises(StageClosed):
        table_enter(viewer=viewer, battle=war.battle, payload=result, reason="x", round=7)
    assert not Act.objects.filter(verb="table-result").exists()
    table_enter(viewer=viewer, battle=war.battle, payload=result, reason="Frost has left the club")
    with pytest.raises(StageClosed):
        table_enter(viewer=viewer, battle=war.battle, payload=result, reason="again")
    act = Act.objects.get(verb="table-result")
    assert act.body["reason"] == "Frost has left the club"
    assert act.body["facts"] == {"battle": war.battle.key, "round": 0, "replaces": ["ember"]}
    stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    phase = BattlePhase.objects.get(battle=war.battle)
    assert (phase.inputs["by"], phase.inputs["turn"]) == ("umpire", 4)
    assert ledger_faults(branch=war.stage.branch) == ()
    player = viewer_of(User.objects.get(username="ember"), war.campaign.public_id)
    with pytest.raises(NotFound):
        table_enter(viewer=player, battle=war.battle, payload=result)


@pytest.mark.any_database
def test_captains_fight_at_once_without_people_on_both_sides() -> None:
    war = TableWar(players=("ember",))
    assert war.battle.mode == "captains"
    assert tables_of(war.campaign, war.factions["ember"]) == ()
    with pytest.raises(NotFound):
        table_of(war.campaign, war.factions["ember"], "anything")
    assert not Act.objects.exists()
