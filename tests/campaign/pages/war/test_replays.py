"""Replays on their pages: a battle in progress, a finished one, a report of an older release."""

from __future__ import annotations

import pytest

from campaign.models import Report
from campaign.rules.files import fixture_scenario
from campaign.web.replays import replay_sides
from tests.campaign.pages.general.browser_pages import page
from tests.campaign.pages.general.test_next_action import resolve_now
from tests.campaign.pages.war.test_names import browser
from tests.umpire.services.online_war import OnlineWar

pytestmark = pytest.mark.django_db


def test_online_battle_is_replayed_up_to_now() -> None:
    war = OnlineWar()
    client = browser(war.users["ember"])
    where = f"/c/{war.campaign.public_id}/battles/{war.fight('ember').id}/"
    war.play(most=4)
    replay_page = page(client, f"{where}so-far/?turn=1")
    assert "up to turn" in replay_page.text
    assert "Bogey" in replay_page.text
    assert "ships move" in replay_page.text
    assert f"{where}so-far/" in page(client, f"{where}now/").links
    assert client.get(f"{where}so-far/?turn=99").status_code == 404
    rival = browser(war.users["frost"])
    assert rival.get(f"{where}so-far/").status_code == 404  # the other side has another id
    war.play(most=200)
    resolve_now(war.stage)
    redirect = client.get(f"{where}so-far/")
    assert (redirect.status_code, redirect["Location"]) == (302, where)
    assert client.get(f"{where}now/")["Location"] == f"{where}result/"
    card = page(client, f"{where}result/")
    assert "You won" in card.text
    assert "Turn 4: they lost 207 points, you 39" in card.text
    assert "Furnace 2" in card.text
    assert "On the map: Frost is contested." in card.text
    assert "Luck" not in card.text, "the war goes on"
    assert f"{where}?turn=4#t4.1" in card.links
    outcome = client.get(f"/api/campaigns{where[2:]}").json()["outcome"]
    assert (outcome["turning_point"], outcome["best_ship"]["hits"]) == (4, 20)
    assert outcome["losses"][3] == {
        "turn": 4,
        "own": 39,
        "theirs": 207,
        "own_ships": 1,
        "their_ships": 0,
    }
    assert rival.get(f"{where}result/").status_code == 404
    report = page(client, where).text
    assert "Fingerprint of the battle, the same for every side" in report
    assert "The war is over" not in report


def test_battle_report_names_its_sides() -> None:
    war = OnlineWar()
    war.play(most=200)
    resolve_now(war.stage)
    report = Report.objects.get(faction__key="ember", kind="battle")
    assert report.body["sides"] == ["ember", "frost"]


def test_sides_have_colours_and_emblems() -> None:
    scenario = fixture_scenario("lafayette")
    keys = [faction.id for faction in scenario.factions]
    sides, mine, sided = replay_sides(scenario, [keys[1], keys[0]], keys[0])
    assert ([side.seat for side in sides], mine) == ([2, 1], 1)
    assert (sided(0), sided(1), sided(7)) == (0, 1, -1)
    unknown, mine, sided = replay_sides(scenario, [], keys[0])
    assert ([side.seat for side in unknown], mine, sided(0), sided(-1)) == ([1, 2], 0, 1, -1)
