"""Open markers on the map and dummies in the forms, in a browser without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.access import viewer_of
from campaign.services.campaigns import SCENARIO_MARKERS, Markers
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.web.chart import open_marks
from tests.campaign.api.calls import caller, json_of
from tests.campaign.pages.war.browsing import Player, player
from tests.umpire.services.wars import resolve_stage, start_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.open-play")]
EMBER, FROST = "0304", "0804"


def at_the_deployment(markers: Markers = SCENARIO_MARKERS) -> Player:
    campaign, _ = start_campaign(seed=7, markers=markers)
    return player(campaign, "ember")


@pytest.fixture
def ember() -> Player:
    """Return Ember in week 1, with two of three dummies at home."""
    ember_player = at_the_deployment(Markers(True))
    assert ember_player.fill("deploy/", "seal", **{f"dummies-{EMBER}": "2"}).status_code == 302
    resolve_stage(ember_player.stage())
    return ember_player


def view(of: Player) -> Any:
    return current_sight(of.campaign, of.faction).view


def test_counters_are_placed_with_the_force() -> None:
    ember_player = at_the_deployment(Markers(True))
    assert "0 of up to 3" in ember_player.get("deploy/").text
    ember_player.fill("deploy/", **{f"dummies-{EMBER}": "2"})
    placed = [{"dummy": "ember/d1", "hex": EMBER}, {"dummy": "ember/d2", "hex": EMBER}]
    assert ember_player.draft()["dummies"] == placed
    page = ember_player.get("deploy/")
    assert "2 of up to 3" in page.text
    assert page.forms[-1][f"dummies-{EMBER}"] == ["2"]
    answer = ember_player.fill("deploy/", "seal", **{f"dummies-{EMBER}": "4"})
    assert answer.status_code == 422
    assert "you have 3 dummy counters left to place" in answer.content.decode()
    assert ember_player.fill("deploy/", "seal", **{f"dummies-{EMBER}": "3"}).status_code == 302
    assert "Dummy 3 is placed at Ember (0304)" in ember_player.get("deploy/").text


def test_hidden_movement_has_no_counters() -> None:
    ember_player = at_the_deployment()
    assert "dummies-" not in "".join(ember_player.form("deploy/"))
    resolve_stage(ember_player.stage())
    for name in ("map/", "orders/"):
        text = ember_player.get(name).text
        assert "Dummy" not in text
        assert "Open markers" not in text


def test_map_shows_all_markers_to_all(ember: Player) -> None:
    frost = player(ember.campaign, "frost")
    assert len(view(ember).markers) == 8
    assert view(ember).markers == view(frost).markers
    own, theirs = ember.get("map/").text, frost.get("map/").text
    assert "Your dummy counters" in own
    assert "Dummy 1" in own
    assert "Dummy" not in theirs
    assert "Ember Cooperative Ember (0304) marker 1, new marker 2, new marker 3, new" in theirs
    codes = {mark.key: mark.code for mark in view(ember).marks}
    assert f"Dummy 1 Ember (0304) others see marker {codes['ember/d1']}" in own


def test_week_of_counters_by_form(ember: Player) -> None:
    page = ember.get("orders/")
    assert "1 in reserve" in page.text
    assert FROST in page.options["move-ember/d1"]
    assert page.options["place-ember/d3"] == ["", EMBER]
    fields = {
        "move-ember/d1": "0504",
        "remove-ember/d2": "on",
        "place-ember/d3": EMBER,
        "move-ember/d3": "0404",
    }
    assert ember.fill("orders/", **fields).status_code == 302
    assert ember.draft()["dummies"] == [
        {"dummy": "ember/d2", "remove": True},
        {"dummy": "ember/d3", "hex": EMBER},
    ]
    assert ember.draft()["moves"] == [
        {"fleet": "ember/d1", "to": "0504"},
        {"fleet": "ember/d3", "to": "0404"},
    ]
    again = ember.form("orders/")
    assert {key: again[key] for key in fields} == {key: [value] for key, value in fields.items()}
    assert ember.fill("orders/", "seal").status_code == 302
    sealed = ember.get("orders/").text
    for words in (
        "Dummy 2 is removed from the map",
        "Dummy 3 is placed at Ember (0304)",
        "Dummy 1 moves to 0504",
    ):
        assert words in sealed
    resolve_stage(ember.stage())
    assert {dummy.key: dummy.hex for dummy in view(ember).dummies} == {
        "ember/d1": "0504",
        "ember/d3": "0404",
    }
    frost_map = player(ember.campaign, "frost").get("map/").text
    assert "from Ember (0304)" in frost_map
    assert "0 in reserve" not in frost_map


def test_faults_are_beside_their_counter(ember: Player) -> None:
    answer = ember.fill(
        "orders/",
        "seal",
        **{"place-ember/d3": EMBER, "move-ember/d3": "1001", "path-ember/d1": "9999"},
    )
    text, _, _ = answer.content.decode().partition('<script id="desk"')
    assert answer.status_code == 422
    assert 'href="#fleet-ember-d3"' in text
    assert 'id="fleet-ember-d3"' in text
    assert 'href="#fleet-ember-d1"' in text
    assert text.count("no fleet can enter hex") == 2


def test_both_sides_of_an_encounter_are_notified(ember: Player) -> None:
    ember.fill("orders/", "seal", **{"move-ember/d1": FROST})
    resolve_stage(ember.stage())
    frost = player(ember.campaign, "frost")
    assert "Dummy 1 met another fleet and is removed from the map." in ember.get("").text
    code = next(mark.code for mark in view(ember).marks if mark.key == "ember/d1")
    sentence = f"Marker {code} of Ember Cooperative is a dummy."
    assert sentence in frost.get("").text
    assert sentence not in ember.get("").text


def test_markers_of_one_hex_share_a_symbol(ember: Player) -> None:
    frost = player(ember.campaign, "frost")
    open_markers = open_marks(scenario_of(ember.campaign), view(frost))
    assert open_markers is not None
    (mark,) = open_markers.other_marks
    assert (mark.label, mark.words, mark.ways) == ("5x", "markers 1, 2, 3, 4, 5", ())


def test_api_reads_markers_and_sets_movement(ember: Player) -> None:
    frost = caller("frost", ember.campaign, "player", "frost")
    contacts, fleets = json_of(frost.get("contacts/")), json_of(frost.get("fleets/"))
    assert [(item["faction"], item["code"]) for item in contacts["markers"]] == [
        *(("ember", code) for code in range(1, 6)), *(("frost", code) for code in range(1, 4))
    ]  # fmt: skip
    assert fleets["dummies"] == []
    assert json_of(frost.get("reach/?fleet=ember/d1"), 404)["title"] == "Not found"
    body = {"scenario": "first-steps", "open_play": True, "dummies": 2}
    opened = json_of(frost.post("/api/campaigns/", body), 201)
    assert (opened["open_play"], opened["dummies"]) == (True, 2)
    refused = json_of(frost.post("/api/campaigns/", body | {"open_play": False}), 422)
    assert [fault["code"] for fault in refused["violations"]] == ["hidden-movement"]
    assert viewer_of(frost.user, opened["id"]).campaign.ruleset["open_play"] is True
