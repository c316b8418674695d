"""Programs in a war: they are marked, everybody can see it, and hosts decide about their seats."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from campaign.errors import NotAllowed
from campaign.models import Membership
from campaign.rules.files import fixture_scenario
from campaign.services.bots import bot_set, bots_in, is_bot
from campaign.services.invites import invite_accept, invite_create
from campaign.services.preferences import preference_of, preference_save
from campaign.services.scenarios import scenario_import
from campaign.services.seats import campaign_begin, campaign_open, seat_leave, seat_take
from engine.core.errors import RuleViolations
from tests.campaign.api.test_campaigns import CAMPAIGNS
from tests.campaign.pages.general.browser_pages import browser, page
from tests.campaign.seats.people import join_by_invitation, open_campaign, person, viewer

pytestmark = pytest.mark.django_db


def robot(name: str = "robo") -> User:
    user = person(name)
    bot_set(user=user, bot=True)
    return user


@pytest.mark.parametrize("role", ["player", "staff", "observer", "umpire"])
def test_bot_takes_a_seat_only_if_the_host_allows_bots(role: str) -> None:
    bot = robot()
    faction = "frost" if role in ("player", "staff") else ""
    for number, allowed in enumerate((False, True)):
        campaign, host = open_campaign(host=f"host{number}", bots=allowed)
        token = invite_create(viewer=host, role=role, faction=faction).token
        if allowed:
            invite_accept(user=bot, public_id=campaign.public_id, token=token)
            assert bots_in(campaign) == {"robo"}
        else:
            with pytest.raises(NotAllowed, match="allows none"):
                invite_accept(user=bot, public_id=campaign.public_id, token=token)
            assert not Membership.objects.filter(campaign=campaign, user=bot).exists()
            invite_accept(user=person("anna"), public_id=campaign.public_id, token=token)
            assert bots_in(campaign) == frozenset()


def test_hosting_bot_plays_only_if_bots_are_allowed() -> None:
    campaign, _ = open_campaign()
    bot = robot()
    with pytest.raises(RuleViolations, match="allow bots"):
        campaign_open(user=bot, scenario=campaign.scenario, play="ember")
    with pytest.raises(RuleViolations, match="allow bots"):
        campaign_open(user=bot, scenario=campaign.scenario, umpire=True)
    without = campaign_open(user=bot, scenario=campaign.scenario)
    with pytest.raises(NotAllowed):
        seat_take(viewer=viewer(without, "robo"), faction="ember")
    campaign_open(user=bot, scenario=campaign.scenario, play="ember", bots=True)


def test_account_cannot_change_between_bot_and_person_during_a_war() -> None:
    campaign, host = open_campaign(bots=True)
    join_by_invitation(host, "anna", faction="frost")
    with pytest.raises(NotAllowed, match="takes part"):
        bot_set(user=User.objects.get(username="anna"), bot=True)
    bot_set(user=User.objects.get(username="anna"), bot=False)
    campaign_begin(viewer=host)
    with pytest.raises(NotAllowed):
        bot_set(user=User.objects.get(username="anna"), bot=True)
    seat_leave(viewer=viewer(campaign, "anna"))
    bot_set(user=User.objects.get(username="anna"), bot=True)
    assert is_bot(User.objects.get(username="anna"))


def test_preferences_keep_the_bot_mark() -> None:
    bot = robot()
    preference_save(user=bot, theme="dark")
    assert preference_of(bot).theme == "dark"
    assert is_bot(bot)


@pytest.mark.any_database
def test_bots_are_marked_in_lobby_and_api() -> None:
    campaign, host = open_campaign(bots=True)
    token = invite_create(viewer=host, role="player", faction="frost").token
    invite_accept(user=robot(), public_id=campaign.public_id, token=token)
    join_by_invitation(host, "anna", faction="ember")
    for name in ("hope", "anna", "robo"):
        client = browser(name)
        text = page(client, f"/c/{campaign.public_id}/").text
        assert "robo bot" in text
        assert "anna bot" not in text
        assert "Bots may take seats" in text
        sheet = client.get(f"{CAMPAIGNS}{campaign.public_id}/seats/").json()
        assert sheet["bots"] == ["robo"]
        assert client.get(f"{CAMPAIGNS}{campaign.public_id}/").json()["bots"] is True


def test_form_and_api_open_wars_for_bots() -> None:
    scenario_import(scenario=fixture_scenario("first-steps"))
    person("hope")
    client = browser("hope")
    text = client.get("/campaigns/new?scenario=first-steps").content.decode()
    assert 'name="bots"' in text
    fields = {
        "scenario": "first-steps",
        "name": "Robots",
        "timetable": "solo",
        "zone": "UTC",
        "part": "host",
    }
    fields |= {
        "battles": "captains",
        "markers": "hidden",
        "dummies": "",
        "number": "0",
        "bots": "yes",
    }
    assert client.post("/campaigns/new", fields).status_code == 302
    parts = client.get("/api/me/").json()["parts"]
    assert client.get(f"{CAMPAIGNS}{parts[0]['campaign']}/").json()["bots"] is True


@pytest.mark.any_database
def test_account_declares_itself_a_bot_on_profile_and_api() -> None:
    person("robo")
    client = browser("robo")
    assert client.get("/api/me/").json()["bot"] is False
    client.post("/me/", {"act": "bot", "bot": "yes"})
    assert client.get("/api/me/").json()["bot"] is True
    assert "This account is a bot. Everybody" in page(client, "/me/").text
    campaign, host = open_campaign(bots=True)
    token = invite_create(viewer=host, role="player", faction="frost").token
    invite_accept(user=User.objects.get(username="robo"), public_id=campaign.public_id, token=token)
    refused = client.post("/me/", {"act": "bot", "bot": "no"})
    assert (refused.status_code, "takes part in a running war" in refused.content.decode()) == (
        422,
        True,
    )
    assert (
        client.put("/api/me/", {"bot": False}, content_type="application/json").status_code == 403
    )
    assert client.get("/api/me/").json()["bot"] is True
