"""Tournaments in the browser: opened from the builder, joined by the link, led to the end."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from campaign.models import Campaign, Tournament
from campaign.rules.files import fixture_scenario
from campaign.services.scenarios import scenario_import
from tests.campaign.pages.general.test_battle_builder import NEW as BUILDER
from tests.campaign.pages.general.test_battle_builder import browser, form_of
from tests.umpire.services.tournament_site import open_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.tournament")]
SETTINGS = {
    "name": "Friday Cup",
    "pairing": "swiss",
    "rounds": "1",
    "win": "3",
    "draw": "1",
    "battles": "captains",
    "clock": "solo",
    "round_hours": "",
    "plays": "yes",
}


def page(client: Client, path: str, language: str = "en") -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def act(client: Client, tournament: Tournament, verb: str, **fields: str) -> int:
    return client.post(f"/tournaments/{tournament.public_id}/{verb}/", fields).status_code


def test_a_built_battle_becomes_a_tournament_of_two_players() -> None:
    ann = browser("ann")
    bob = browser("bob")
    fields = form_of(ann) | {"battle-points-0-battle.points": ["300"], "act": ["tournament"]}
    where = ann.post(BUILDER, fields).headers["Location"]
    chosen = re.search(
        r'<option\s+value="([^"]+)"\s+selected>\s*Battle by points', page(ann, where)
    )
    assert chosen is not None
    answer = ann.post("/tournaments/new", SETTINGS | {"scenario": chosen[1]})
    tournament = Tournament.objects.get()
    home = f"/tournaments/{tournament.public_id}/"
    assert answer.headers["Location"] == home
    link = re.search(r'value="http://[^/]+(/tournaments/[^"]+/join/[^"]+)"', page(ann, home))
    assert link is not None
    assert "300 points" in page(bob, link[1])
    assert bob.post(link[1]).headers["Location"] == home
    assert browser("eve").get(home).status_code == 404
    assert act(ann, tournament, "open", number="1") == 302
    campaign = Campaign.objects.get()
    assert f'href="/c/{campaign.public_id}/"' in page(bob, home)
    assert "Runde 1 von 1" in page(bob, home, "de")
    assert act(bob, tournament, "open", number="2") == 404
    assert act(ann, tournament, "close") == 409
    assert act(bob, tournament, "leave") == 302
    assert act(bob, tournament, "leave") == 404


def test_faults_of_a_new_tournament_are_all_named() -> None:
    scenario_import(scenario=fixture_scenario("first-steps"))
    ann = browser("ann")
    bad = {"scenario": "first-steps", "rounds": "0", "win": "900", "name": ""}
    answer = ann.post("/tournaments/new", SETTINGS | bad)
    words = answer.content.decode()
    assert answer.status_code == 422
    for fault in ("Single battle with two sides", "A tournament needs a name", "from 1 to 63"):
        assert fault.lower() in words.lower()
    assert ann.post("/tournaments/new", SETTINGS | {"rounds": "x"}).status_code == 422
    assert not Tournament.objects.exists()


def test_the_organiser_enters_results_and_everybody_reads_the_final_table() -> None:
    tournament = open_tournament("ann", "bob", rounds=1)
    olga = browser("olga")
    ann = browser("ann")
    assert "Open the next round" in page(olga, "/")
    assert act(olga, tournament, "open", number="1") == 302
    assert act(olga, tournament, "extend", hours="x") == 422
    assert act(olga, tournament, "extend", hours="5") == 302
    result = {"match": "1", "winner": "first", "first_scored": "40", "second_scored": "7"}
    assert act(ann, tournament, "settle", **result) == 404
    assert act(olga, tournament, "settle", **result | {"first_scored": "-"}) == 422
    assert act(olga, tournament, "settle", **result) == 302
    final = page(ann, f"/tournaments/{tournament.public_id}/")
    assert "ann has won the tournament" in final
    assert re.search(r"40&nbsp;:&nbsp;7", final)
    assert act(olga, tournament, "settle", **result) == 409
    assert act(olga, tournament, "nonsense") == 404
    home = page(ann, "/")
    assert "Finished tournaments" in home
    # The organiser hosts the battle, and finds it on the page of the tournament alone.
    assert "Friday Cup 1" in home
    assert "Friday Cup 1" not in page(olga, "/")
