"""The first page and the opening of campaigns."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign
from campaign.rules.files import fixture_scenario
from campaign.rules.queries import class_name
from campaign.services.campaigns import membership_add
from campaign.services.preferences import preference_save
from campaign.services.scenarios import scenarios_load
from campaign.store.documents import scenario_of
from tests.campaign.pages.general.browser_pages import begin, browser, lobby, page, read_page
from tests.campaign.pages.war.browsing import at
from tests.campaign.seats.people import DAILY, join_by_invitation, open_campaign, person, viewer

pytestmark = pytest.mark.django_db


def test_anonymous_user_is_sent_to_the_login() -> None:
    assert "Yours is already under way" in page(Client(), "/").text
    for path in ("/campaigns/new", "/me/"):
        answer = Client().get(path)
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/login/")


def test_first_visit_says_where_to_begin() -> None:
    person("newcomer")
    home = page(browser("newcomer"), "/")
    assert "Your first war" in home.text
    assert "/campaigns/new" in home.links


def test_home_shows_the_next_action_of_each_campaign() -> None:
    campaign, client, _ = lobby(play="ember", name="The Tariff War")
    home = page(client, "/")
    assert "The Tariff War" in home.text
    assert "Fill the seats and begin" in home.text
    begin(client, f"/c/{campaign.public_id}/")
    home = page(client, "/")
    assert "Build and deploy your force" in home.text
    assert f"/c/{campaign.public_id}/deploy/" in home.links


def test_home_lists_no_campaign_of_others() -> None:
    open_campaign(name="Not for strangers")
    person("stranger")
    assert "Not for strangers" not in page(browser("stranger"), "/").text


def test_sealed_stage_needs_nothing_more() -> None:
    player = at("orders")
    assert "Write the orders for week 1" in page(player.client, "/").text
    player.fill("orders/", "seal")
    assert "Nothing to do now" in page(player.client, "/").text


def test_home_costs_equal_queries_for_one_and_many_campaigns(
    django_assert_num_queries: Any,
) -> None:
    campaign, client, _ = lobby(play="ember")
    host = viewer(campaign, "hope")
    join_by_invitation(host, "ann", faction="frost")
    scenario_of(campaign)  # a process reads a scenario once
    # Session, user with preference, memberships, stages, lost seats
    with django_assert_num_queries(6):
        client.get("/")
    for number in range(5):
        other, _ = open_campaign(host=f"host{number}")
        Campaign.objects.filter(pk=other.pk).update(name=f"war {number}")
        membership_add(campaign=other, user=host.user, role="observer")
    with django_assert_num_queries(6):
        assert b"war 4" in client.get("/").content


def test_scenarios_are_offered_with_map_and_a_solo_war_per_faction() -> None:
    scenarios_load()
    person("solo")
    new_campaign = page(browser("solo"), "/campaigns/new")
    assert "First Steps" in new_campaign.text
    assert [value for form in new_campaign.buttons for name, value in form if name == "solo"][
        :2
    ] == [
        "ember",
        "frost",
    ]


def test_site_without_scenarios_says_how_to_load_them() -> None:
    person("solo")
    client = browser("solo")
    client.get("/campaigns/new")
    with CaptureQueriesContext(connection) as queries:
        new_campaign = page(client, "/campaigns/new")
    assert "manage.py load_scenarios" in new_campaign.text
    assert [query["sql"] for query in queries if not query["sql"].startswith("SELECT")] == []


def test_solo_war_takes_two_clicks() -> None:
    scenarios_load()
    person("solo")
    client = browser("solo")
    answer = client.post(
        "/campaigns/new", {"scenario": "first-steps", "solo": "ember", "number": "0"}
    )
    campaign = Campaign.objects.get()
    assert answer["Location"] == f"/c/{campaign.public_id}/deploy/"
    assert campaign.started_at is not None
    assert campaign.factions.get(key="frost").admiral == "steady"
    assert page(client, answer["Location"]).text


def test_form_sent_twice_opens_one_campaign() -> None:
    scenarios_load()
    person("hasty")
    client = browser("hasty")
    form = {
        "scenario": "first-steps",
        "name": "Once",
        "timetable": "evening",
        "zone": "Europe/Berlin",
        "number": "0",
    }
    first, second = client.post("/campaigns/new", form), client.post("/campaigns/new", form)
    campaign = Campaign.objects.get()
    assert first["Location"] == second["Location"] == f"/c/{campaign.public_id}/"
    assert campaign.timetable["zone"] == "Europe/Berlin"


def test_war_with_faults_is_not_opened_and_faults_are_shown() -> None:
    scenarios_load()
    person("hasty")
    form = {
        "scenario": "first-steps",
        "name": "x" * 201,
        "timetable": "evening",
        "zone": "Mars/Olympus",
        "number": "0",
    }
    answer = browser("hasty").post("/campaigns/new", form)
    result = read_page(answer)
    assert answer.status_code == 422
    assert "time zone such as" in result.text
    assert "120 characters" in result.text
    assert not Campaign.objects.exists()


@pytest.mark.rule("camp.open-play")
@pytest.mark.parametrize(
    ("chosen", "ruled", "words"),
    [
        (
            {"markers": "open", "dummies": "4"},
            {"open_play": True, "dummies": 4},
            "4 dummy counters a side",
        ),
        (
            {"markers": "open", "dummies": ""},
            {"open_play": True},
            "as many dummy counters as fleets",
        ),
        ({"markers": "hidden", "dummies": "4"}, {"open_play": False}, "Movement hidden"),
        ({}, {}, "Movement hidden"),
    ],
)
def test_movement_is_chosen_at_creation(
    chosen: dict[str, str], ruled: dict[str, Any], words: str
) -> None:
    scenarios_load()
    person("hope")
    client = browser("hope")
    assert "Open markers" in page(client, "/campaigns/new?scenario=first-steps").text
    form = {
        "scenario": "first-steps",
        "name": "O",
        "timetable": "evening",
        "zone": "UTC",
        "number": "0",
    }
    where = client.post("/campaigns/new", form | chosen)["Location"]
    ruleset = Campaign.objects.get().ruleset
    assert {key: ruleset[key] for key in ("open_play", "dummies") if key in ruleset} == ruled
    assert words in page(client, where).text


def test_options_are_chosen_at_creation_and_shown_in_the_lobby() -> None:
    scenarios_load()
    person("otto")
    client = browser("otto")
    offered = page(client, "/campaigns/new?scenario=lafayette-continuum").text
    assert "Emergency thrust" in offered
    assert "Combat points" not in offered  # the scenario fixes what ships cost
    form = {
        "scenario": "lafayette-continuum",
        "name": "O",
        "timetable": "evening",
        "zone": "UTC",
        "number": "0",
    }
    clash = client.post("/campaigns/new", form | {"options": ["vector", "mixed-movement"]})
    assert clash.status_code == 422
    assert "cannot both be in use" in read_page(clash).text
    where = client.post("/campaigns/new", form | {"options": ["emergency-thrust", "core-systems"]})[
        "Location"
    ]
    assert Campaign.objects.get().ruleset["options"] == ["emergency-thrust", "core-systems"]
    assert "Emergency thrust, Core systems" in page(client, where).text


def test_preset_fills_in_the_rules_and_public_pages_list_them() -> None:
    scenarios_load()
    person("pia")
    client = browser("pia")
    form = {
        "scenario": "first-steps",
        "name": "Core",
        "timetable": "evening",
        "zone": "UTC",
        "number": "0",
        "messages": "off",
    }
    form |= {"navy-ember": "nac"}
    preset = read_page(client.post("/campaigns/new", form | {"preset": "core-rules"}))
    assert not Campaign.objects.exists()
    sent = next(fields for fields in preset.forms if "allowed" in fields)
    ticked = {name: sent.get(name, []) for name in ("options", "allowed", "barred")}
    assert ticked == {
        "options": ["known-contacts", "no-decoys", "no-ramming"],
        "allowed": ["core"],
        "barred": [],
    }
    assert (sent["navy-ember"], sent["navy-frost"]) == (["nac"], [""])
    refused = client.post("/campaigns/new", form | ticked | {"navy-frost": "nobody"})
    assert refused.status_code == 422
    lobby = client.post("/campaigns/new", form | ticked)["Location"]
    scenario = scenario_of(Campaign.objects.get())
    assert class_name(scenario, "ember", "Destroyer") == "Ticonderoga"
    assert class_name(scenario, "frost", "Destroyer") == class_name(
        fixture_scenario("first-steps"), "frost", "Destroyer"
    )
    assert "No rams, Known contacts, No decoys" in page(client, lobby).text
    assert "Needle" in page(client, lobby).text
    assert "Not allowed" in page(client, f"{lobby}public/").text
    lafayette = page(client, "/campaigns/new?scenario=lafayette").text
    assert "Not with this scenario: it has the class Weasel Scout (weasel)" in lafayette


def test_settings_of_a_single_battle_have_no_markers_on_the_map() -> None:
    scenarios_load()
    person("pia")
    client = browser("pia")
    assert 'name="markers"' in client.get("/campaigns/new?scenario=first-steps").content.decode()
    battle = client.get("/campaigns/new?scenario=meeting-engagement").content.decode()
    assert 'name="timetable"' in battle
    assert 'name="markers"' not in battle


@pytest.mark.parametrize("dummies", ["many", "51"])
def test_missing_counter_number_is_a_fault(dummies: str) -> None:
    scenarios_load()
    person("hope")
    form = {
        "scenario": "first-steps",
        "timetable": "evening",
        "zone": "UTC",
        "number": "0",
        "markers": "open",
    }
    answer = browser("hope").post("/campaigns/new", form | {"dummies": dummies})
    assert answer.status_code == 422
    assert f'value="{dummies}"' in answer.content.decode()
    assert not Campaign.objects.exists()


def test_umpire_opens_a_war_without_a_seat() -> None:
    scenarios_load()
    person("cyrus")
    client = browser("cyrus")
    form = {
        "scenario": "lafayette",
        "name": "L",
        "timetable": "daily",
        "zone": "UTC",
        "part": "umpire",
        "number": "0",
    }
    where = client.post("/campaigns/new", form)["Location"]
    assert "umpire" in page(client, where).text.lower()
    assert not Campaign.objects.get().memberships.filter(role="player").exists()


def test_times_are_in_the_reader_time_zone() -> None:
    campaign, client, where = lobby(play="ember", timetable=DAILY)
    begin(client, where)
    assert " UTC" in page(client, where).text
    preference_save(user=viewer(campaign, "hope").user, zone="Asia/Kathmandu", theme="dark")
    text = client.get(where).content.decode()
    assert "+0545" in text
    assert 'data-theme="dark"' in text


def test_single_battle_begins_at_once() -> None:
    scenarios_load()
    person("solo")
    client = browser("solo")
    page(client, "/campaigns/new")
    settings = page(client, "/campaigns/new?scenario=first-battle")
    assert next(form for form in settings.forms if "battles" in form)["battles"] == ["online"]
    answer = client.post(
        "/campaigns/new", {"scenario": "first-battle", "solo": "nac", "number": "0"}
    )
    campaign = Campaign.objects.get()
    where = answer["Location"]  # the battle itself
    assert where.endswith("/now/")
    assert {
        link for link in page(client, f"/c/{campaign.public_id}/").links if link.endswith("/now/")
    } == {where}
    battle_page = page(client, where)
    assert "Light Cruiser 1" in battle_page.text
    assert "Plot the movement of every ship" in battle_page.text
