"""The lobby: seats, invitations, settings, the start, and permissions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.models import Campaign, Faction, Invite, Membership
from tests.campaign.pages.general.browser_pages import act, begin, browser, lobby, page, read_page
from tests.campaign.seats.people import DAILY, join_by_invitation, person, viewer

pytestmark = pytest.mark.django_db
LINK = re.compile(r'value="(http://testserver/c/[^"]+/join/[^"]+/)"')


def test_lobby_shows_next_step_players_and_readers() -> None:
    campaign, client, where = lobby(play="ember")
    lobby_page = page(client, where)
    assert "Fill the seats, then start" in lobby_page.text
    assert campaign.seed_sha256 in lobby_page.text
    assert (
        "Anybody with access to this server's database can read the seed and all orders"
        in lobby_page.text
    )
    assert "No player of this war has an administrator's account" in lobby_page.text
    User.objects.filter(memberships__faction__key="ember").update(is_staff=True)
    assert "administrator's account on this site: hope" in page(client, where).text
    assert "computer: steady" in lobby_page.text
    assert campaign.seed not in lobby_page.text
    assert campaign.id_secret not in lobby_page.text


def test_open_lobby_hears_of_new_players() -> None:
    campaign, client, where = lobby(play="ember")
    asks = re.findall(r'data-hx-get="([^"]+)"', client.get(where).content.decode())[-1]
    assert client.get(asks).status_code == 204
    join_by_invitation(viewer(campaign, "hope"), "guest", faction="frost")
    answer = client.get(asks)
    assert answer.status_code == 200
    assert 'id="people-frost"' in answer.content.decode()


def test_strangers_find_nothing() -> None:
    campaign, _, where = lobby(play="ember")
    person("stranger")
    client = browser("stranger")
    elsewhere = f"/c/{campaign.id_secret[:8]}-0000-4000-8000-000000000000/"
    for tail in ("", "reports/", "reports/1/", "ships/", "join/abc/"):
        hidden, nothing = client.get(where + tail), client.get(elsewhere + tail)
        assert hidden.status_code == nothing.status_code == 404
        assert hidden.content == nothing.content
    for verb in (
        "invite",
        "revoke",
        "take",
        "leave",
        "computer",
        "settings",
        "admiral",
        "begin",
        "nonsense",
    ):
        assert act(client, where, verb).status_code == 404
    assert Client().get(where)["Location"].startswith("/accounts/login/")


def test_invitation_shows_its_link_once() -> None:
    _, client, where = lobby(play="ember")
    act(client, where, "invite", role="player", faction="frost", number="0")
    first = client.get(where).content.decode()
    assert len(LINK.findall(first)) == 1
    assert LINK.findall(client.get(where).content.decode()) == []
    assert "Open invitations" in first


def test_repeated_invitation_is_one() -> None:
    _, client, where = lobby(play="ember")
    for _ in range(2):
        act(client, where, "invite", role="player", faction="frost", number="0")
    assert Invite.objects.count() == 1


def test_newcomer_is_led_through_sign_up_to_the_seat() -> None:
    campaign, client, where = lobby(play="ember")
    act(client, where, "invite", role="player", faction="frost", number="0")
    link = LINK.findall(client.get(where).content.decode())[0].removeprefix("http://testserver")
    guest = Client()
    invite_page = page(guest, link)
    assert "Frost Assembly (player)" in invite_page.text.replace("Frost assembly", "Frost Assembly")
    sign_up = next(way for way in invite_page.links if way.startswith("/accounts/signup/"))
    form = {
        "username": "guest",
        "email": "",
        "password1": "orbit-lantern-7",
        "password2": "orbit-lantern-7",
    }
    answer = guest.post(sign_up, form)
    assert answer["Location"] == link
    answer = guest.post(link)
    assert answer["Location"] == where
    seat = Membership.objects.get(campaign=campaign, user__username="guest")
    assert seat.faction is not None
    assert seat.faction.key == "frost"
    assert guest.post(link)["Location"] == where  # again: the same seat
    assert guest.get(link)["Location"] == where


def test_used_revoked_and_wrong_links_are_not_found() -> None:
    _, client, where = lobby(play="ember")
    act(client, where, "invite", role="player", faction="frost", number="0")
    link = LINK.findall(client.get(where).content.decode())[0].removeprefix("http://testserver")
    act(client, where, "revoke", invite=str(Invite.objects.get().public_id))
    person("late")
    wrong = f"{where}join/{'x' * 32}/"
    for visitor in (browser("late"), Client()):
        taken_back, never_was = visitor.get(link), visitor.get(wrong)
        assert taken_back.status_code == never_was.status_code == 404
        assert taken_back.content == never_was.content
    assert "invited" not in Client().session


def test_seated_player_is_told() -> None:
    _, client, where = lobby(play="ember")
    act(client, where, "invite", role="observer", number="0")
    link = LINK.findall(client.get(where).content.decode())[0].removeprefix("http://testserver")
    answer = client.post(link)
    assert answer.status_code == 422
    assert "already has a role in this campaign" in read_page(answer).text


def test_host_takes_hands_over_and_leaves_a_seat() -> None:
    campaign, client, where = lobby()
    for _ in range(2):  # sending it twice does no harm
        assert act(client, where, "take", faction="frost").status_code == 302
    assert viewer(campaign, "hope").faction == Faction.objects.get(campaign=campaign, key="frost")
    act(client, where, "leave")
    assert not viewer(campaign, "hope").plays
    assert Faction.objects.get(campaign=campaign, key="frost").admiral == "steady"
    answer = act(client, where, "leave")
    assert answer.status_code == 409
    assert "a host cannot leave the campaign" in read_page(answer).text.lower()


def test_only_the_host_sets_admirals_and_settings() -> None:
    campaign, client, where = lobby(play="ember")
    act(client, where, "admiral", faction="frost", character="bold")
    assert Faction.objects.get(campaign=campaign, key="frost").admiral == "bold"
    act(client, where, "settings", name="Renamed", timetable="daily", zone="Europe/Paris")
    campaign.refresh_from_db()
    assert (campaign.name, campaign.timetable["zone"]) == ("Renamed", "Europe/Paris")
    assert campaign.timetable["closes"]["orders"] == {"days": 1, "time": "20:00"}
    answer = act(client, where, "settings", name="Renamed", timetable="daily", zone="Nowhere")
    assert answer.status_code == 422
    assert "time zone such as" in read_page(answer).text
    join_by_invitation(viewer(campaign, "hope"), "ann", faction="frost")
    for verb in ("settings", "admiral", "begin", "take"):
        fields = {
            "name": "Mine",
            "timetable": "solo",
            "zone": "UTC",
            "faction": "ember",
            "character": "bold",
        }
        assert act(browser("ann"), where, verb, **fields).status_code == 404
    campaign.refresh_from_db()
    assert campaign.name == "Renamed"


def test_war_begins_once_and_the_lobby_becomes_the_war_room() -> None:
    _, client, where = lobby(play="ember")
    assert begin(client, where)["Location"] == f"{where}deploy/"
    started_at = Campaign.objects.get().started_at
    assert begin(client, where)["Location"] == where
    assert Campaign.objects.get().started_at == started_at
    war_room = page(client, where)
    assert "Build and deploy your force" in war_room.text
    assert f"{where}deploy/" in war_room.links
    assert (
        act(client, where, "settings", name="Late", timetable="daily", zone="UTC").status_code
        == 409
    )


def test_empty_seat_is_explained_and_confirmed_at_the_start() -> None:
    _, client, where = lobby(play="ember")
    text = page(client, where).text
    assert "Nobody plays Frost Assembly: computer admirals command there" in text
    assert "A stage closes as soon as everybody has sealed." in text
    refused = act(client, where, "begin")
    assert refused.status_code == 409
    assert "Nobody plays Frost Assembly" in read_page(refused).text
    assert act(client, where, "begin", computers="frost").status_code == 302


def test_war_without_players_needs_explicit_confirmation() -> None:
    _, client, where = lobby(umpire=True, timetable=DAILY)
    text = page(client, where).text
    assert "Computer admirals will play the whole war by themselves" in text
    assert "Every stage closes at its deadline." in text
    assert begin(client, where).status_code == 409
    assert Campaign.objects.get().started_at is None
    fields = {"computers": ["ember", "frost"], "unattended": "yes"}
    assert client.post(f"{where}seats/begin/", fields).status_code == 302


def test_handing_over_the_last_seat_mentions_the_clock() -> None:
    _, client, where = lobby(play="ember")
    begin(client, where)
    assert (
        "Nobody else plays: the clock stops until somebody takes a seat."
        in page(client, where).text
    )
    assert act(client, where, "computer", faction="ember").status_code == 302
    assert "The clock is paused" in page(client, where).text
    resume = client.get(f"{where}host/act/resume/").content.decode()
    assert "Let computer admirals finish the war without players" in resume
    client.post(f"{where}host/act/resume/", {"stage": "0"})
    assert Campaign.objects.get().paused_at is not None
    client.post(f"{where}host/act/resume/", {"stage": "0", "unattended": "yes"})
    assert Campaign.objects.get().paused_at is None


def test_taken_seat_is_offered_and_accepted_by_link() -> None:
    """Three accounts: the host offers Ann's seat, Nora takes it, and Ann reads why hers is gone."""
    campaign, client, where = lobby(play="ember")
    join_by_invitation(viewer(campaign, "hope"), "ann", faction="frost")
    act(client, where, "begin")
    ann, nora = browser("ann"), Client()
    nora.force_login(person("nora"))
    number = re.findall(r'name="number" value="(\d+)"', client.get(where).content.decode())[0]
    fields = {"faction": "frost", "role": "player", "replaces": "ann", "number": number}
    assert act(client, where, "invite", **fields).status_code == 302
    link = LINK.findall(client.get(where).content.decode())[0].removeprefix("http://testserver")
    assert "takes over from ann" in page(ann, where).text
    assert ann.get(f"{where}deploy/").status_code == 200
    assert "You take over the seat of ann" in page(nora, link).text
    assert nora.post(link)["Location"] == where
    assert nora.get(f"{where}deploy/").status_code == 200
    answer = ann.get(f"{where}deploy/")
    assert answer.status_code == 403
    assert "hope offered it to somebody else, and nora has taken it." in answer.content.decode()


def test_waiting_player_is_notified_of_the_start() -> None:
    campaign, host, where = lobby(play="ember")
    join_by_invitation(viewer(campaign, "hope"), "ann", faction="frost")
    ann = browser("ann")
    pulse_url = re.search(r'data-hx-get="([^"]+/pulse/[^"]+)"', ann.get(where).content.decode())
    assert pulse_url
    assert ann.get(pulse_url[1]).status_code == 204
    begin(host, where)
    text = ann.get(pulse_url[1]).content.decode()
    assert "The war has begun." in text
    assert f'href="{where}deploy/"' in text


@pytest.mark.parametrize(
    ("role", "sees"),
    [("umpire", "Open umpire dashboard"), ("observer", "Public record"), ("host", "See the clock")],
)
def test_host_without_seat_sees_the_clock_and_nothing_hidden(role: str, sees: str) -> None:
    campaign, client, where = lobby(play="ember")
    join_by_invitation(viewer(campaign, "hope"), "other", role=role)
    begin(client, where)
    lobby_page = page(browser("other"), where)
    assert sees in lobby_page.text
    assert "Your fleets" not in lobby_page.text
    for tail in ("reports/", "reports/1/", "ships/"):
        assert browser("other").get(where + tail).status_code == 404


def test_lobby_costs_few_queries(django_assert_max_num_queries: Any) -> None:
    campaign, client, where = lobby(play="ember")
    join_by_invitation(viewer(campaign, "hope"), "ann", faction="frost")
    with django_assert_max_num_queries(14):
        client.get(where)
    begin(client, where)
    # One is for the view, which this process has not read yet, one for whether it was opened before,
    # one for an open vote, and two for the ledger's head.
    with django_assert_max_num_queries(23):
        client.get(where)


def test_every_form_requires_its_token() -> None:
    _, _, where = lobby(play="ember")
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(username="hope"))
    for path in (f"{where}seats/begin/", "/me/", "/campaigns/new"):
        answer = client.post(path, {})
        assert answer.status_code == 403
        assert "rejected" in read_page(answer).text
