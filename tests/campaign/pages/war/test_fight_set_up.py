"""The set-up on the page of an online battle: its form without scripts, and the pages after it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaign.models import Submission
from tests.campaign.pages.general.browser_pages import read_page
from tests.campaign.pages.war.browsing import Page
from tests.umpire.services.set_up_battle import SetUpBattle

pytestmark = [pytest.mark.django_db, pytest.mark.rule("pc.deployment")]
VISITED = ("", "battles/{fight}/now/", "battles/{fight}/so-far/", "battles/{fight}/now/sheets/")


class Seat:
    """A player's browser at the page of the battle."""

    def __init__(self, battle: SetUpBattle, key: str) -> None:
        self.battle, self.key = battle, key
        self.client = Client()
        self.client.force_login(battle.users[key])
        self.war = f"/c/{battle.campaign.public_id}/"
        self.url = f"{self.war}battles/{battle.fight(key).id}/now/"

    def get(self) -> Page:
        return read_page(self.client.get(self.url))

    def fill(self, action: str, **changes: str) -> Any:
        form = next(form for form in self.get().forms if "version" in form)
        fields = {name: values[0] for name, values in form.items() if values}
        return self.client.post(self.url, {**fields, **changes, "action": action})

    def sealed(self) -> dict[str, Any]:
        row = Submission.objects.get(faction=self.battle.factions[self.key])
        places: dict[str, Any] = row.payload["set_up"]
        return places


@pytest.fixture
def battle() -> SetUpBattle:
    return SetUpBattle()


@pytest.mark.rule("2e.con-am-12")
def test_sides_place_asteroids_in_turn_before_their_ships() -> None:
    battle = SetUpBattle(asteroids={"place": 2})
    key, other = ("nac", "esu") if battle.sheet("nac")["needs_orders"] else ("esu", "nac")
    assert not battle.sheet(other)["needs_orders"]
    assert set(battle.sheet(key)["advice"]["set_up"]) == {"rock-1"}
    seat = Seat(battle, key)
    page = seat.client.get(seat.url).content.decode()
    assert "asteroid 1" in page
    assert 'id="formation"' not in page
    assert "asteroid 1" in seat.fill("seal", **{"x-rock-1": "3"}).content.decode()
    assert seat.fill("seal", **{"x-rock-1": "30", "y-rock-1": "20"}).status_code == 302
    battle.resolve()
    assert battle.sheet(other)["view"]["rocks"][0]["x"] == 30
    assert "Place asteroids" in Seat(battle, other).get().text
    battle.seal(other)
    battle.resolve()
    assert [battle.sheet(side)["needs_orders"] for side in ("nac", "esu")] == [True, True]
    assert set(battle.sheet("esu")["advice"]["set_up"]) == {"e1", "e2"}
    assert "Place your ships" in seat.get().text


def test_form_proposes_places_and_seals_changed_ones(battle: SetUpBattle) -> None:
    nac, esu = Seat(battle, "nac"), Seat(battle, "esu")
    proposal = battle.sheet("nac")["advice"]["set_up"]
    assert "Place your ships" in nac.get().text
    page = nac.client.get(nac.url).content.decode()
    assert page.count('class="zone seat-') == 2  # also without scripts
    changes = {"x-n1": "5.5", "y-n1": "7", "course-n1": "2", "velocity-n1": "11", "entry-n3": "3"}
    assert nac.fill("seal", **changes).status_code == 302
    assert nac.sealed() == {
        "n1": {"at": [5.5, 7], "course": 2, "velocity": 11},
        "n2": proposal["n2"],
        "n3": {**proposal["n3"], "ftl_entry": 3},
    }
    assert esu.fill("seal").status_code == 302
    assert esu.sealed() == battle.sheet("esu")["advice"]["set_up"]
    battle.resolve()
    assert "turn 1" in nac.get().text
    for seat in (nac, esu):
        fight = battle.fight(seat.key).id
        for path in VISITED:
            answer = seat.client.get(seat.war + path.format(fight=fight))
            assert answer.status_code == 200, path
            assert "set_up" not in read_page(answer).text, path


def test_faults_are_shown_at_their_ships(battle: SetUpBattle) -> None:
    answer = Seat(battle, "nac").fill("seal", **{"x-n1": "30", "velocity-n2": "fast", "y-n3": ""})
    assert answer.status_code == 422
    text = read_page(answer).text
    assert "(30, 12) is outside the deployment area of its side" in text
    assert "whole number" in text


def test_formation_places_all_ships_without_scripts(battle: SetUpBattle) -> None:
    nac = Seat(battle, "nac")
    assert nac.fill("save", formation="wedge").status_code == 302
    places = battle.fight("nac").draft
    assert places is not None
    proposal = battle.sheet("nac")["advice"]["set_up"]
    assert places.payload["set_up"].keys() == proposal.keys()
    assert places.payload["set_up"] != proposal
    nac.fill("default")
    draft = battle.fight("nac").draft
    assert draft is not None
    assert draft.payload["set_up"] == proposal


@pytest.mark.rule("pc.placing-in-turn")
def test_only_ships_with_a_place_are_placed_in_turn() -> None:
    battle = SetUpBattle({"kind": "meeting", "manner": "by-ship", "first": "nac"})
    nac = Seat(battle, "nac")
    text = nac.get().text
    assert "Place 1 ship, then seal." in text
    assert "The sides place their ships in turn." in text
    both = {"x-n2": "3", "y-n2": "5", "course-n2": "3", "velocity-n2": "6"}
    assert nac.fill("seal", **both).status_code == 422
    instead = both | {"x-n1": "", "y-n1": "", "course-n1": "", "velocity-n1": ""}
    assert nac.fill("seal", **instead).status_code == 302
    assert nac.sealed() == {"n2": {"at": [3, 5], "course": 3, "velocity": 6}}
    battle.resolve()
    assert battle.sheet("nac")["view"]["set_up"]["to_place"] == ["n1", "n3"]
    assert battle.sheet("esu")["needs_orders"]


@pytest.mark.rule("pc.placing-in-turn")
def test_proposed_ship_can_be_sealed_as_it_is() -> None:
    battle = SetUpBattle({"kind": "meeting", "manner": "by-ship", "first": "nac"})
    nac = Seat(battle, "nac")
    assert nac.fill("seal").status_code == 302
    assert list(nac.sealed()) == ["n1"]


def test_home_page_calls_to_the_set_up(battle: SetUpBattle) -> None:
    nac = Seat(battle, "nac")
    text = read_page(nac.client.get(nac.war)).text
    assert ": set-up" in text
    assert "turn 0" not in text
