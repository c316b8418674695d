"""Users who lose a seat read why, and keep access to the public record."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign.access import FORMER_READ, Viewer, viewer_of
from campaign.errors import NotFound
from campaign.models import Act, Notification, SeatEnd, Stage
from campaign.services.invites import invite_accept, invite_create
from campaign.services.seats import (
    campaign_begin,
    seat_leave,
    seat_send_away,
    seat_to_computer,
)
from tests.access import site_routes
from tests.campaign.seats.people import (
    DAILY,
    MONDAY,
    join_by_invitation,
    open_campaign,
    person,
    viewer,
)

# for holders of an invitation
OTHERWISE = ("join", "api-join")
pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
NOWHERE = str(uuid.UUID(int=7))
HANDED_OVER_TEXT = "hope handed Ember Cooperative to the computer. Reason given: away since May"


def begin_war() -> tuple[Viewer, Viewer, Stage]:
    """Return a war of Pia against Flo."""
    _, host = open_campaign(timetable=DAILY)
    pia = join_by_invitation(host, "pia", faction="ember")
    join_by_invitation(host, "flo", faction="frost")
    return host, pia, campaign_begin(viewer=host, now=MONDAY)


def lose_seat() -> tuple[Viewer, Client, str]:
    """Return the host, Pia's browser after her seat went to the computer, and the war's address."""
    host, pia, _ = begin_war()
    Notification.objects.all().delete()
    seat_to_computer(viewer=host, faction="ember", reason="away since May")
    client = Client()
    client.force_login(pia.user)  # type: ignore[arg-type]
    return host, client, f"/c/{host.campaign.public_id}/"


def user_of(name: str) -> Any:
    return User.objects.get(username=name)


def invited(by: Viewer, name: str, role: str) -> None:
    """Return somebody new in Pia's faction."""
    token = invite_create(viewer=by, role=role, faction="ember").token
    invite_accept(user=person(name), public_id=by.campaign.public_id, token=token)


def test_notice_and_page_give_the_reason() -> None:
    _, client, where = lose_seat()
    assert (
        Notification.objects.get().body
        == f"First Steps: you no longer have a seat. {HANDED_OVER_TEXT}"
    )
    for path in (
        where,
        f"{where}orders/",
        f"{where}umpire/",
        f"{where}messages/",
        f"{where}reports/",
    ):
        answer = client.get(path)
        assert answer.status_code == 403
        page = answer.content.decode()
        assert HANDED_OVER_TEXT in page
        assert reverse("public", args=[where.split("/")[2]]) in page
    assert Act.objects.get(verb="to-computer").body["reason"] == "away since May"


def test_list_of_wars_shows_the_lost_seat_until_removed() -> None:
    _, client, where = lose_seat()
    assert HANDED_OVER_TEXT in client.get("/").content.decode()
    hidden = reverse("seat-end-hide", args=[where.split("/")[2]])
    for _again in range(2):
        assert client.post(hidden, follow=True).status_code == 200
    assert HANDED_OVER_TEXT not in client.get("/").content.decode()
    assert client.get(where).status_code == 403


def filling(route: site_routes.Route, part: str) -> str:
    """Return a value that fits a part of an address."""
    kind = re.search(rf"<(\w+):{part}>", route.route)
    return {"int": "1", "uuid": NOWHERE}.get(kind[1] if kind else "", "x")


def test_only_the_public_record_stays_readable() -> None:
    """Every address below a campaign, for somebody who lost a seat and somebody who never had one."""
    host, client, where = lose_seat()
    known_parts = dict.fromkeys(("c", "campaign"), where.split("/")[2])
    other = Client()
    other.force_login(person("zoe"))
    for route in site_routes.all_routes():
        if not {"c", "campaign"} & set(route.parts) or route.name in OTHERWISE:
            continue
        path = route.path(**{part: filling(route, part) for part in route.parts} | known_parts)
        status = client.get(path).status_code
        if route.name in FORMER_READ:
            assert status in (200, 403, 404), route.route  # not all have such a week or battle
        elif status != 405:
            assert (status, other.get(path).status_code) == (403, 404), route.route
    for name in ("public", "gazette", "api-campaign", "api-stages", "api-ledger", "api-seats"):
        part = "campaign" if name.startswith("api-") else "c"
        assert client.get(reverse(name, kwargs={part: known_parts[part]})).status_code == 200, name
    with pytest.raises(NotFound):
        viewer_of(user_of("pia"), host.campaign.public_id)


def test_api_gives_the_reason() -> None:
    _, client, where = lose_seat()
    answer = client.get(f"/api/campaigns/{where.split('/')[2]}/orders/")
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (403, "seat-ended")
    assert HANDED_OVER_TEXT in str(problem)


@pytest.mark.parametrize("role", ["staff", "guest"])
def test_removed_player_is_told_by_whom(role: str) -> None:
    host, pia, _ = begin_war()
    invited(pia, "sam", role)
    Notification.objects.all().delete()
    seat_send_away(viewer=pia, name="sam", reason="thanks")
    words = "First Steps: you no longer have a seat. pia took away your seat at Ember Cooperative."
    assert Notification.objects.get().body == f"{words} Reason given: thanks"
    assert SeatEnd.objects.get().user == user_of("sam")
    assert host.hosts


def test_leaving_player_gets_no_notice_but_a_page() -> None:
    host, pia, _ = begin_war()
    Notification.objects.all().delete()
    seat_leave(viewer=pia)
    assert not Notification.objects.exists()
    client = Client()
    client.force_login(pia.user)  # type: ignore[arg-type]
    page = client.get(f"/c/{host.campaign.public_id}/")
    assert (page.status_code, "You left your seat." in page.content.decode()) == (403, True)
    assert "You left your seat." not in client.get("/").content.decode()


def test_guests_of_an_unplayed_faction_are_told() -> None:
    host, pia, _ = begin_war()
    invited(pia, "gus", "guest")
    seat_to_computer(viewer=host, faction="ember")
    end = SeatEnd.objects.get(user__username="gus")
    assert (end.cause, end.role) == ("unplayed", "guest")


def test_retaken_seat_is_not_listed_as_lost() -> None:
    host, client, where = lose_seat()
    token = invite_create(viewer=host, faction="ember").token
    invite_accept(user=user_of("pia"), public_id=host.campaign.public_id, token=token)
    assert not SeatEnd.objects.exists()
    assert client.get(where).status_code == 200
    assert viewer(host.campaign, "pia").plays


def test_lost_seat_is_private() -> None:
    host, _, where = lose_seat()
    stranger = Client()
    stranger.force_login(person("zoe"))
    nowhere = where.replace(str(host.campaign.public_id), NOWHERE)
    answers = [stranger.get(path) for path in (where, nowhere)]
    bodies = [re.sub(r"[0-9a-f-]{36}", "*", answer.content.decode()) for answer in answers]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert bodies[0] == bodies[1]
