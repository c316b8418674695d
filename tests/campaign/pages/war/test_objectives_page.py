"""Objectives and goods on a player's pages: the war room, the map, the orders page."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from campaign.forms.week.week_payload import week_payload
from campaign.models import Campaign
from campaign.rules.encountered_classes import EncounteredClass
from campaign.sight.views import current_sight
from campaign.store.documents import true_scenario_of
from campaign.web.faction_objectives import objectives_for
from tests.campaign.pages.war.browsing import player
from tests.umpire.services.wars import campaign_at

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.objective-kinds")]

SECRET = "superiority in 4 settled systems"


@pytest.fixture
def campaign() -> Campaign:
    """A war of convoys at its first orders."""
    row, _ = campaign_at("orders", slug="convoy-to-baffin")
    return row


def source(campaign: Campaign, faction: str, address: str) -> str:
    """Return a page of the war as a new player of a faction gets it."""
    answer = player(campaign, faction).client.get(f"/c/{campaign.public_id}/{address}")
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_war_room_shows_own_objectives_and_no_secret_of_others(campaign: Campaign) -> None:
    shown = {}
    for faction in ("nac", "esu"):
        shown[faction] = source(campaign, faction, "")
        assert "Land 1200 supplies at Baffin by week 6" in shown[faction]
        assert "Destroy or take 2 merchants" in shown[faction]
    assert SECRET in shown["esu"]
    assert SECRET not in shown["nac"]
    assert "0 of 1200" in shown["nac"], "its own progress"
    assert "0 of 1200" not in shown["esu"], "not that of others"


def test_ships_seen_destroyed_count_at_once(campaign: Campaign) -> None:
    scenario = true_scenario_of(campaign)
    view = current_sight(campaign, campaign.factions.get(key="esu")).view
    seen = EncounteredClass("nac", "Heavy Freighter", "0713", count=4, destroyed=1)
    own_objectives, _ = objectives_for(scenario, view, [(1, seen)])
    sink = next(line for line in own_objectives.lines if line.id == "sink")
    assert (sink.reached, sink.scored, own_objectives.scored) == (1, 2, 2)


def test_map_lists_goods(campaign: Campaign) -> None:
    page = source(campaign, "nac", "map/")
    assert "goods: 1200 supplies" in page


def test_freighters_load_by_a_menu(campaign: Campaign) -> None:
    page = source(campaign, "nac", "orders/")
    assert "supplies: 1200 there, room for 100" in page
    view = current_sight(campaign, campaign.factions.get(key="nac")).view
    ship = next(ship for ship in view.ships if ship.cls == "Heavy Freighter")
    name = f"control-load_{ship.key.partition('/')[2]}-{ship.fleet}"
    assert name in page
    payload = week_payload(view, QueryDict(f"{name}=supplies"))
    assert payload["load"] == [{"ship": ship.key, "what": "supplies"}]
