"""Actions on their pages: confirmed first, done once however often they are sent, and recorded."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.access import viewer_of
from campaign.errors import NotAllowed
from campaign.models import Act, Campaign, Excuse, Stage, Submission
from campaign.services.seats import seat_to_computer
from tests.umpire.pages.staffed_war import LOGIN, StaffedWar
from umpire.services.control import faction_excuse
from umpire.services.stages import entries_complete

pytestmark = pytest.mark.django_db


def send_act(desk: StaffedWar, role: str, verb: str, **more: object) -> tuple[int, str]:
    """Send an action; return the answer and the page it leads to."""
    door = "umpire-act" if role.startswith("umpire") else "host-act"
    form = {
        "stage": desk.stage.ordinal,
        "deadline": desk.stage.closes.isoformat() if desk.stage.closes else "",
        **more,
    }
    answer = desk.client(role).post(desk.url(door, verb=verb), form)
    return answer.status_code, answer.headers.get("Location", "") or answer.content.decode()


@pytest.mark.parametrize("role", ["umpire", "host", "host who plays"])
def test_repeated_extension_counts_once(desk: StaffedWar, role: str) -> None:
    before = desk.stage.closes
    assert before is not None
    for _ in range(2):
        status, where = send_act(desk, role, "extend", hours=24, reason="the trains are late")
        assert (status, where) == (302, desk.url("umpire" if role == "umpire" else "host"))
    stage = Stage.objects.get(pk=desk.stage.pk)
    assert stage.closes == before + timedelta(hours=24)
    act = Act.objects.get()
    assert (act.verb, act.body["reason"]) == ("extend", "the trains are late")


def test_get_request_does_nothing(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    for verb in ("extend", "pause", "resume", "resolve", "excuse", "to-computer", "rules"):
        page = client.get(desk.url("umpire-act", verb=verb)).content.decode()
        assert '<form method="post"' in page
        assert "csrfmiddlewaretoken" in page
    assert not Act.objects.exists()
    assert Stage.objects.get(pk=desk.stage.pk).status == "open"


def test_action_needs_the_token_of_its_page(desk: StaffedWar) -> None:
    user = desk.people["umpire"]
    assert isinstance(user, User)
    client = Client(enforce_csrf_checks=True)
    client.force_login(user, backend=LOGIN)
    assert (
        client.post(desk.url("umpire-act", verb="pause"), {"stage": desk.stage.ordinal}).status_code
        == 403
    )
    assert not Act.objects.exists()


def test_clock_is_paused_and_resumed_once(desk: StaffedWar) -> None:
    for _ in range(2):
        assert send_act(desk, "umpire", "pause")[0] == 302
    assert Campaign.objects.get(pk=desk.campaign.pk).paused_at is not None
    for _ in range(2):
        assert send_act(desk, "umpire", "resume")[0] == 302
    assert Campaign.objects.get(pk=desk.campaign.pk).paused_at is None
    assert list(Act.objects.order_by("pk").values_list("verb", flat=True)) == ["pause", "resume"]


def test_closing_closes_the_shown_stage_only(desk: StaffedWar) -> None:
    for _ in range(2):
        assert send_act(desk, "umpire", "resolve", reason="all agreed")[0] == 302
    stage = Stage.objects.get(pk=desk.stage.pk)
    assert stage.status == "closed"
    entries_complete(stage=stage.pk)
    assert Submission.objects.filter(stage=stage, withdrawn_at__isnull=True).count() == 2
    assert Act.objects.filter(verb="resolve").count() == 1


def test_past_stage_accepts_no_action(desk: StaffedWar) -> None:
    ordinal = desk.stage.ordinal
    past = Stage.objects.get(branch__campaign=desk.campaign, ordinal=ordinal - 1)
    for verb in ("resolve", "extend"):
        status, where = send_act(desk, "umpire", verb, stage=past.ordinal, hours=24)
        assert (status, where) == (302, desk.url("umpire"))
    page = desk.client("umpire")
    page.post(desk.url("umpire-act", verb="resolve"), {"stage": past.ordinal})
    assert (
        "Nothing was changed: that stage is closed."
        in page.get(desk.url("umpire")).content.decode()
    )
    assert not Act.objects.exists()
    assert Stage.objects.get(pk=desk.stage.pk).status == "open"


def test_playing_host_cannot_close_early(desk: StaffedWar) -> None:
    client = desk.client("host who plays")
    client.post(desk.url("host-act", verb="resolve"), {"stage": desk.stage.ordinal})
    page_text = client.get(desk.url("host")).content.decode()
    assert "cannot close a stage while other sides have players" in page_text
    assert "You play a side, so you cannot close the stage" in page_text
    assert desk.url("host-act", verb="resolve") not in page_text
    question = client.get(desk.url("host-act", verb="resolve"))
    assert (question.status_code, question["Location"]) == (302, desk.url("host"))
    assert Stage.objects.get(pk=desk.stage.pk).status == "open"


def test_week_is_excused_once(desk: StaffedWar) -> None:
    for _ in range(2):
        assert send_act(desk, "host", "excuse", faction="frost")[0] == 302
    assert Excuse.objects.get().week == desk.stage.week
    assert Act.objects.filter(verb="excuse").count() == 1
    page = desk.client("host").get(desk.url("host")).content.decode()
    assert ">not waited for<" in page
    assert (
        "excused a faction&#x27;s week" in page or "stopped waiting for a faction this week" in page
    )


CHOSEN = re.compile(r'<select name="faction".*?</select>', re.DOTALL)


def selected_factions(page: str) -> list[str]:
    """Return the factions that a page's form has selected, as a browser reads it.

    If none is marked, it is the first.
    """
    options = re.findall(r'<option value="([^"]*)"( selected)?', CHOSEN.findall(page)[0])
    chosen_values = [value for value, selected in options if selected]
    return chosen_values or [options[0][0]]


@pytest.mark.parametrize("verb", ["excuse", "to-computer"])
def test_named_faction_is_selected_or_refused(desk: StaffedWar, verb: str) -> None:
    client, door = desk.client("host who plays"), desk.url("host-act", verb=verb)
    for faction in ("ember", "frost"):
        assert selected_factions(client.get(door, {"faction": faction}).content.decode()) == [
            faction
        ]
    assert selected_factions(client.get(door).content.decode()) == [""], (
        "nobody is named, so nobody is chosen"
    )
    assert client.get(door, {"faction": "nobody"}).status_code == 404
    assert send_act(desk, "host who plays", verb, faction="")[0] == 422

    seat_to_computer(
        viewer=viewer_of(desk.people["umpire"], desk.campaign.public_id), faction="frost"
    )
    home = client.get(desk.url("host")).content.decode()
    assert "faction=frost" not in home, "there is nothing to do for a faction that a computer leads"
    answer = client.get(door, {"faction": "frost"}, follow=True)
    assert answer.redirect_chain[-1][0] == desk.url("host")
    assert (
        "Nothing was changed: a computer admiral commands Frost Assembly."
        in answer.content.decode()
    )


def test_faction_without_players_cannot_be_excused(desk: StaffedWar) -> None:
    umpire = viewer_of(desk.people["umpire"], desk.campaign.public_id)
    seat_to_computer(viewer=umpire, faction="frost")
    with pytest.raises(NotAllowed, match="nobody plays"):
        faction_excuse(viewer=umpire, faction="frost")
    assert not Excuse.objects.exists()


def test_all_faults_are_shown_and_nothing_is_done(desk: StaffedWar) -> None:
    status, page = send_act(desk, "umpire", "extend", stage="x", hours="many", reason="r" * 500)
    assert status == 422
    for words in ("The form names no stage", "Must be a number of hours", "at most 400 characters"):
        assert words in page
    status, page = send_act(desk, "umpire", "excuse", faction="nobody")
    assert status == 422
    assert "No faction" in page
    status, _ = send_act(desk, "umpire", "extend", hours=24, deadline="not a time")
    assert status == 422
    status, _ = send_act(desk, "umpire", "extend", hours=24, deadline="2026-02-31T10:00:00+00:00")
    assert status == 422
    status, _ = send_act(desk, "umpire", "to-computer", faction="frost", character="nobody")
    assert status == 422
    assert not Act.objects.exists()


def test_seat_is_given_to_the_computer(desk: StaffedWar) -> None:
    for _ in range(2):
        assert send_act(desk, "umpire", "to-computer", faction="frost", character="bold")[0] == 302
    assert desk.campaign.factions.get(key="frost").admiral == "bold"
    assert (
        desk.client("player").get(desk.url("public")).status_code == 200
    )  # public pages stay open
    assert desk.client("player").get(desk.url("host")).status_code == 403


def test_password_link_is_shown_once_and_works(desk: StaffedWar) -> None:
    status, page = send_act(
        desk, "umpire", "password-link", user="player", reason="he asked at the club"
    )
    assert status == 200
    assert "no-store" in desk.client("umpire").get(desk.url("umpire")).headers["Cache-Control"]
    path = page.split('value="http://testserver')[1].split('"')[0]
    opened = Client().get(path, follow=True)
    assert opened.status_code == 200
    assert b'type="password"' in opened.content
    act = Act.objects.get()
    assert act.verb == "password-link"
    assert path not in str(act.body)


def test_password_link_is_for_members_only(desk: StaffedWar) -> None:
    for name in ("player-elsewhere", "root", "nobody-at-all", ""):
        assert send_act(desk, "umpire", "password-link", user=name)[0] == 404
    assert not Act.objects.exists()
