"""The odds of a meeting over the API: those of the page, for players only."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaign.kinds import SimulationKind
from campaign.models import Simulation
from tests.campaign.api.calls import War, caller, fault_places, json_of, problem_of, war_at
from tests.job_runner import run_waiting_jobs
from tests.umpire.services.wars import campaign_of, start_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GOAL = "0804"  # Frost's system, far from all fleets of Ember's at the start


@pytest.fixture
def war() -> War:
    return war_at("orders")


def odds_request(war: War, **extra: Any) -> dict[str, Any]:
    fleets = [fleet["key"] for fleet in json_of(war.ember.get("fleets/"))["fleets"]]
    return {"hex": GOAL, "toward": "frost", "fleets": fleets, **extra}


def test_what_if_attack_is_simulated_as_a_distribution(war: War) -> None:
    first = json_of(war.ember.post("odds/", odds_request(war, battles=4)))
    assert (first["battles_done"], first["battles_wanted"], first["working"], first["mine"]) == (
        0,
        4,
        True,
        None,
    )
    weighed = first["by_strength"]
    assert 0 <= weighed["stronger"] <= weighed["forces"] == 19 - weighed["empty"]
    assert weighed["interval"][0] <= weighed["median"] <= weighed["interval"][1]
    run_waiting_jobs()
    few_odds = json_of(war.ember.get(f"odds/{first['id']}/"))
    assert (few_odds["battles_done"], few_odds["working"], few_odds["ended"]) == (4, False, "")
    assert few_odds["empty"] < 4
    assert few_odds["coverage"] == 90
    assert (
        few_odds["mine"]["interval"][0]
        <= few_odds["mine"]["median"]
        <= few_odds["mine"]["interval"][1]
    )
    more_odds = json_of(war.ember.post("odds/", odds_request(war, battles=19)))
    assert (more_odds["id"], more_odds["battles_done"], more_odds["working"]) == (
        first["id"],
        4,
        True,
    )
    run_waiting_jobs()
    many_odds = json_of(war.ember.get(f"odds/{first['id']}/"))
    assert many_odds["by_strength"] is None  # simulated battles give more
    assert (
        many_odds["wins"] + many_odds["draws"] + many_odds["losses"] + many_odds["empty"]
        == many_odds["battles_done"]
        == 19
    )
    assert many_odds["empty"] < 14
    for side in (many_odds["mine"], many_odds["theirs"]):
        assert sum(side["tenths"]) == 19 - many_odds["empty"]
        low, high = side["interval"]
        assert 0 <= low <= side["median"] <= high <= 100
    assert many_odds["coverage"] == 90
    assert json_of(war.ember.post("odds/", odds_request(war, battles=1)))["battles_done"] == 19
    assert json_of(war.ember.post("odds/", odds_request(war, to_the_end=True)))["id"] != first["id"]


def test_page_and_api_ask_the_same_question(war: War) -> None:
    odds = json_of(
        war.ember.post("odds/", odds_request(war, decoys="some", case="garrison", battles=2))
    )
    client = Client()
    client.force_login(war.ember.user)
    query = "&".join(f"fleet={key}" for key in odds_request(war)["fleets"])
    page = client.get(
        f"/c/{war.campaign.public_id}/odds/?hex={GOAL}&toward=frost&decoys=some&{query}"
    )
    assert page.status_code == 200
    assert [
        str(row.public_id) for row in Simulation.objects.filter(kind=SimulationKind.MEETING)
    ] == [odds["id"]]


def test_stopping_a_simulation_ends_it_until_asked_again(war: War) -> None:
    odds = json_of(war.ember.post("odds/", odds_request(war, battles=3)))
    assert war.ember.delete(f"odds/{odds['id']}/").status_code == 204
    run_waiting_jobs()
    assert Simulation.objects.get(public_id=odds["id"]).battles_done == 0
    assert json_of(war.ember.get(f"odds/{odds['id']}/"))["working"]
    run_waiting_jobs()
    assert json_of(war.ember.get(f"odds/{odds['id']}/"))["battles_done"] == 3


def test_all_faults_of_a_question_are_reported_at_once(war: War) -> None:
    wrong = {
        "hex": "0101",
        "toward": "ember",
        "fleets": ["ember/f1", "frost/f1", "x"],
        "battles": 160,
    }
    faulty_places = fault_places(war.ember.post("odds/", wrong))
    assert faulty_places == ["hex", "toward", "fleets[1]", "fleets[2]", "battles"]
    assert fault_places(war.ember.post("odds/", {"hex": GOAL, "toward": "frost"})) == [
        "fleets"
    ]  # the caller has no fleet there
    assert fault_places(war.ember.post("odds/", {"toward": "frost", "decoys": "lots"})) == [
        "decoys",
        "hex",
    ]
    assert not Simulation.objects.exists()


def test_simulations_are_visible_only_to_their_asker_in_that_faction(war: War) -> None:
    odds = json_of(war.ember.post("odds/", odds_request(war, battles=1)))
    where = f"odds/{odds['id']}/"
    for stranger in (war.frost, war.umpire, war.observer, war.host, war.stranger):
        problem_of(stranger.get(where), 404)
        problem_of(stranger.delete(where), 404)
    for stranger in (war.umpire, war.observer, war.host, war.stranger):
        problem_of(stranger.post("odds/", odds_request(war)), 404)
    elsewhere = campaign_of("first-steps")
    twice = caller("twice", elsewhere, "player", "ember")
    problem_of(twice.get(where), 404)
    json_of(war.ember.post("seats/leave/"), 204)
    problem_of(war.ember.get(where), 403, "seat-ended")
    assert Simulation.objects.get(public_id=odds["id"]).battles_done == 0


def test_single_battle_war_has_no_encounters() -> None:
    battle, _ = start_campaign("first-battle")
    bea = caller("bea", battle, "player", "esu")
    problem_of(bea.post("odds/", {"hex": GOAL, "toward": "nac"}), 409, "single-battle")
    lobby = campaign_of()
    problem_of(
        caller("cy", lobby, "player", "ember").post("odds/", {"hex": GOAL, "toward": "frost"}), 404
    )
