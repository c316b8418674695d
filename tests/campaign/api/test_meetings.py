"""The odds of a meeting over the API: those of the page, asked for by who plays, and by nobody
else.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaign.kinds import ReckoningKind
from campaign.models import Reckoning
from tests.campaign.api.calls import War, caller, places, refused, shown, war_at
from tests.umpire.services.wars import campaign_of, started
from tests.working import worked

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GOAL = "0804"  # Frost's own system, far from every fleet of Ember's when the war begins


@pytest.fixture
def war() -> War:
    return war_at("orders")


def asked(war: War, **more: Any) -> dict[str, Any]:
    fleets = [one["key"] for one in shown(war.ember.get("fleets/"))["fleets"]]
    return {"hex": GOAL, "toward": "frost", "fleets": fleets, **more}


def test_what_if_i_go_there_is_fought_by_workers_and_told_as_a_distribution(war: War) -> None:
    first = shown(war.ember.post("odds/", asked(war, battles=4)))
    assert (first["fought"], first["wanted"], first["working"], first["mine"]) == (0, 4, True, None)
    weighed = first["by_strength"]
    assert 0 <= weighed["stronger"] <= weighed["forces"] == 19 - weighed["empty"]
    assert weighed["within"][0] <= weighed["usual"] <= weighed["within"][1]
    worked()
    few = shown(war.ember.get(f"odds/{first['id']}/"))
    assert (few["fought"], few["working"], few["ended"]) == (4, False, "")
    assert few["empty"] < 4
    assert few["held"] == 90
    assert few["mine"]["within"][0] <= few["mine"]["usual"] <= few["mine"]["within"][1]
    more = shown(war.ember.post("odds/", asked(war, battles=19)))
    assert (more["id"], more["fought"], more["working"]) == (first["id"], 4, True)
    worked()
    told = shown(war.ember.get(f"odds/{first['id']}/"))
    assert told["by_strength"] is None  # battles say more
    assert told["won"] + told["drawn"] + told["lost"] + told["empty"] == told["fought"] == 19
    assert told["empty"] < 14
    for side in (told["mine"], told["theirs"]):
        assert sum(side["tenths"]) == 19 - told["empty"]
        low, high = side["within"]
        assert 0 <= low <= side["usual"] <= high <= 100
    assert told["held"] == 90
    assert shown(war.ember.post("odds/", asked(war, battles=1)))["fought"] == 19
    assert shown(war.ember.post("odds/", asked(war, to_the_end=True)))["id"] != first["id"]


def test_the_page_and_the_api_ask_one_question(war: War) -> None:
    told = shown(war.ember.post("odds/", asked(war, decoys="some", battles=2)))
    client = Client()
    client.force_login(war.ember.user)
    query = "&".join(f"fleet={key}" for key in asked(war)["fleets"])
    page = client.get(
        f"/c/{war.campaign.public_id}/odds/?hex={GOAL}&toward=frost&decoys=some&{query}"
    )
    assert page.status_code == 200
    assert [str(row.public_id) for row in Reckoning.objects.filter(kind=ReckoningKind.MEETING)] == [
        told["id"]
    ]


def test_who_stops_gets_no_more_battles_until_he_asks_again(war: War) -> None:
    told = shown(war.ember.post("odds/", asked(war, battles=3)))
    assert war.ember.delete(f"odds/{told['id']}/").status_code == 204
    worked()
    assert Reckoning.objects.get(public_id=told["id"]).fought == 0
    assert shown(war.ember.get(f"odds/{told['id']}/"))["working"]
    worked()
    assert shown(war.ember.get(f"odds/{told['id']}/"))["fought"] == 3


def test_every_fault_of_a_question_is_told_at_once_and_nothing_is_asked(war: War) -> None:
    wrong = {
        "hex": "0101",
        "toward": "ember",
        "fleets": ["ember/f1", "frost/f1", "x"],
        "battles": 160,
    }
    found = places(war.ember.post("odds/", wrong))
    assert found == ["hex", "toward", "fleets[1]", "fleets[2]", "battles"]
    assert places(war.ember.post("odds/", {"hex": GOAL, "toward": "frost"})) == [
        "fleets"
    ]  # nobody of mine is there
    assert places(war.ember.post("odds/", {"toward": "frost", "decoys": "lots"})) == [
        "decoys",
        "hex",
    ]
    assert not Reckoning.objects.exists()


def test_battles_are_their_askers_alone_and_only_while_he_leads_that_faction(war: War) -> None:
    told = shown(war.ember.post("odds/", asked(war, battles=1)))
    where = f"odds/{told['id']}/"
    for other in (war.frost, war.umpire, war.observer, war.host, war.stranger):
        refused(other.get(where), 404)
        refused(other.delete(where), 404)
    for other in (war.umpire, war.observer, war.host, war.stranger):
        refused(other.post("odds/", asked(war)), 404)
    elsewhere = campaign_of("first-steps")
    twice = caller("twice", elsewhere, "player", "ember")
    refused(twice.get(where), 404)
    shown(war.ember.post("seats/leave/"), 204)
    refused(war.ember.get(where), 403, "seat-ended")
    assert Reckoning.objects.get(public_id=told["id"]).fought == 0


def test_a_war_of_one_battle_has_no_meetings() -> None:
    battle, _ = started("first-battle")
    bea = caller("bea", battle, "player", "esu")
    refused(bea.post("odds/", {"hex": GOAL, "toward": "nac"}), 409, "single-battle")
    lobby = campaign_of()
    refused(
        caller("cy", lobby, "player", "ember").post("odds/", {"hex": GOAL, "toward": "frost"}), 404
    )
