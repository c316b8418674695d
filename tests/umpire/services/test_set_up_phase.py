"""The set-up phase of an online battle: by services and over the API, with what each side sees."""

from __future__ import annotations

import pytest
from django.test import Client

from campaign.models import Battle, Stage
from campaign.selectors.next_action import Member, campaigns_of, next_action_of
from campaign.services.tokens import token_make
from campaign.sight.reports import list_battles
from campaign.store.battle_documents import PhaseSheet
from engine.core.versions import NEWEST
from tests.campaign.api.calls import Caller, json_of, problem_of
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.set_up_battle import MEETING, SetUpBattle
from umpire.services.battle_phases import phase_resolve
from umpire.services.ledger_checks import ledger_faults
from umpire.services.stages import stage_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.rule("pc.deployment")]
PLACE = {"at": [5, 7.5], "course": 2, "velocity": 10}


@pytest.mark.any_database
def test_sides_set_up_in_secret_and_the_battle_goes_on_to_turn_1() -> None:
    battle = SetUpBattle()
    for key, ids in (("nac", ["n1", "n2", "n3"]), ("esu", ["e1", "e2"])):
        sheet = battle.sheet(key)
        assert (sheet["kind"], sheet["turn"], sheet["needs_orders"]) == ("set_up", 0, True)
        assert (sheet["mine"], sheet["view"]["contacts"]) == (ids, [])
        assert set(sheet["advice"]["set_up"]) == set(ids)
    battle.seal("nac", n1=PLACE, n2={"ftl_entry": 3, "at": [30, 20]})
    assert battle.sheet("esu")["view"]["contacts"] == []
    battle.seal("esu")
    battle.resolve()
    sheet = battle.sheet("esu")
    assert (sheet["kind"], sheet["turn"]) == ("plot", 1)
    assert [contact["at"] for contact in sheet["view"]["contacts"]] == [[5, 7.5], [3, 36]]
    assert "set_up" not in sheet["view"]
    own = battle.sheet("nac")["view"]["own"]
    assert (own["n1"]["course"], own["n1"]["velocity"], own["n2"]["status"]) == (2, 10, "inbound")


@pytest.mark.any_database
def test_captain_sets_up_for_a_side_that_seals_nothing_by_the_deadline() -> None:
    battle = SetUpBattle({**MEETING, "manner": "by-side", "first": "esu"})
    proposal = battle.sheet("esu")["advice"]["set_up"]
    assert not battle.sheet("nac")["needs_orders"]
    stage = Stage.objects.get(battle__branch=battle.campaign.head_branch, status="open")
    assert phase_resolve(stage=stage.pk, force=True)
    sheet = battle.sheet("nac")
    assert (sheet["kind"], sheet["needs_orders"]) == ("set_up", True)
    places = [place["at"] for place in proposal.values()]
    assert [contact["at"] for contact in sheet["view"]["contacts"]] == places


@pytest.mark.any_database
def test_side_that_waits_for_its_turn_is_led_to_the_table() -> None:
    battle = SetUpBattle({**MEETING, "manner": "by-side", "first": "esu"})
    (part,) = campaigns_of(battle.users["nac"])
    action = next_action_of(Member(part.campaign, part.roles, part.faction, part.stage, False))
    assert (action.task, action.due) == ("wait", False)
    assert action.battle is not None
    assert (action.battle.id, action.battle.state) == (battle.fight("nac").id, "waiting")
    Battle.objects.update(mode="captains")  # as if the umpire had handed it to them
    action = next_action_of(Member(part.campaign, part.roles, part.faction, part.stage, False))
    assert (action.task, action.battle) == ("doctrine", None)


@pytest.mark.any_database
def test_captains_set_up_and_fight_if_the_week_ends_first() -> None:
    battle = SetUpBattle({**MEETING, "manner": "by-ship"})
    week = Stage.objects.get(branch=battle.campaign.head_branch, battle__isnull=True)
    assert stage_resolve(stage=week.pk, force=True) is not None
    assert ledger_faults(branch=week.branch) == ()
    for key in ("nac", "esu"):
        (report,) = list_battles(battle.campaign, battle.factions[key])
        client = Client()
        client.force_login(battle.users[key])
        page = client.get(f"/c/{battle.campaign.public_id}/battles/{report.id}/")
        assert page.status_code == 200


@pytest.mark.any_database
def test_other_side_sees_the_same_whatever_is_hidden_from_it() -> None:
    """Twin worlds: where and when a ship drops out of FTL, before and after all have sealed."""
    seen: list[list[object]] = []
    for x, turn in ((20, 3), (40, 5)):
        battle = SetUpBattle()
        held_back = {"n2": {"ftl_entry": turn, "at": [x, 20], "course": 3, "velocity": turn}}
        battle.seal("nac", n1=PLACE, **held_back)
        sheets = [known_part(battle.sheet("esu"))]
        battle.seal("esu")
        battle.resolve()
        seen.append([*sheets, known_part(battle.sheet("esu"))])
    assert seen[0] == seen[1]


def known_part(sheet: PhaseSheet) -> list[object]:
    """Return what a side knows, without the ids of the campaign and the hash of all that is true."""
    return [sheet["view"], sheet["log"], sheet.get("battle_document"), sheet.get("advice")]


@pytest.mark.any_database
def test_set_up_over_the_api() -> None:
    battle = SetUpBattle()
    user = battle.users["nac"]
    nac = Caller(user, token_make(user=user), str(battle.campaign.public_id))
    (line,) = json_of(nac.get("fights/"))["fights"]
    assert line["phase"] == {"number": 0, "turn": 0, "kind": "set_up", "needs_orders": True}
    path = f"fights/{line['id']}/"
    shown = json_of(nac.get(path))
    assert shown["zones"]["nac"][0]["box"] == [0, 0, 6, 48]
    assert shown["zones"]["esu"][0]["ahead"] == 9
    assert shown["view"]["rocks"]
    line_up = json_of(nac.get(f"{path}orders/default/"))["orders"]
    wedge = json_of(nac.get(f"{path}orders/default/?formation=wedge"))["orders"]
    assert set(wedge["set_up"]) == set(line_up["set_up"])
    assert wedge != line_up
    problem_of(nac.get(f"{path}orders/default/?formation=heap"), 422, "violations")
    in_rock = {"set_up": {"n1": {"at": [4, 40]}, "n2": {"at": [20, 20]}, "e1": {"at": [1, 1]}}}
    violations = json_of(nac.post(f"{path}orders/check/", in_rock))["violations"]
    assert sorted((fault["where"], fault["code"]) for fault in violations) == [
        ("set_up.e1", "unknown-ship"),
        ("set_up.n1.at", "in-body"),
        ("set_up.n2.at", "deployment"),
    ]
    json_of(nac.post(f"{path}orders/seal/", {"orders": wedge}), 201)
    battle.seal("esu")
    battle.resolve()
    own = json_of(nac.get(path))["view"]["own"]
    assert own["n1"]["at"] == wedge["set_up"]["n1"]["at"]


@pytest.mark.any_database
def test_battle_of_a_war_begins_with_the_set_up() -> None:
    """Its proposal is where fleets began before, so sealing it changes nothing."""
    war = OnlineWar(rules=NEWEST)
    own_places = {}
    for side in war.battle.start["sides"]:
        for ship in side["ships"]:
            own_places[ship["id"]] = ship["at"]
    for key in ("ember", "frost"):
        sheet = war.sheet(key)
        assert (sheet["kind"], sheet["needs_orders"]) == ("set_up", True)
        for ship, place in sheet["advice"]["set_up"].items():
            assert place["at"] == own_places[ship]
    assert war.play(most=1) == 1
    assert war.sheet("ember")["kind"] == "plot"
    war.play()
    assert war.sheet("ember")["winner"] is not None
