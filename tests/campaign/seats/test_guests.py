"""Guests read what a faction reads, do nothing, and lose access when told to go."""

from __future__ import annotations

import pytest

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import Role
from campaign.models import Act, Draft, Faction, Membership
from campaign.selectors.next_action import campaigns_of
from campaign.services.invites import invite_accept, invite_create
from campaign.services.seats import seat_give, seat_leave, seat_send_away, seat_to_computer
from campaign.sight.views import current_sight
from engine.core.errors import RuleViolations
from tests.campaign.pages.general.browser_pages import act, browser, page
from tests.campaign.pages.war.browsing import at
from tests.campaign.seats.people import (
    MONDAY,
    accept,
    join_by_invitation,
    open_campaign,
    person,
    viewer,
)
from umpire.pages.act_rows import act_rows

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def guest_of(player: Viewer, name: str = "gus") -> Viewer:
    """Return somebody invited by a player to the faction's view."""
    assert player.faction is not None
    token = invite_create(viewer=player, role=Role.GUEST, faction=player.faction.key).token
    part = accept(person(name), player.campaign, token)
    return viewer_of(part.user, player.campaign.public_id, guest=True)


def test_guest_reads_the_week_and_orders_nothing() -> None:
    ember = at("orders")
    player = viewer_of(ember.user, ember.campaign.public_id)
    gus = guest_of(player)
    assert (gus.plays, gus.faction, gus.visible_faction) == (False, None, player.faction)
    client = browser("gus")
    assert "You are a guest of" in page(client, ember.url("")).text
    for tail in (
        "map/",
        "map/?seq=0",
        "map/past/",
        "reports/",
        "ships/",
        "ships/sheets/",
        "gazette/",
    ):
        assert client.get(ember.url(tail)).status_code == 200, tail
    for tail in (
        "orders/",
        "receipts/",
        "visibility/",
        "odds/",
        "messages/",
        "classes/",
        "tech-base/",
        "host/",
    ):
        assert client.get(ember.url(tail)).status_code == 404, tail
    assert "/orders/" not in client.get(ember.url("ships/")).content.decode()
    assert campaigns_of(gus.user)[0].faction is None
    mine = current_sight(ember.campaign, player.faction).view.ships[0]
    ship = client.get(ember.url(f"ships/{mine.key}/"))
    assert mine.name in ship.content.decode()


def test_drafts_appear_only_on_the_players_own_ship_page() -> None:
    ember = at("orders")
    guest_of(viewer_of(ember.user, ember.campaign.public_id))
    ship = current_sight(ember.campaign, ember.faction).view.ships[0]
    payload = {"schema": 1, "moves": [{"fleet": ship.fleet, "to": "0505"}]}
    Draft.objects.create(stage=ember.stage(), faction=ember.faction, payload=payload, version=1)
    mine, guests = (
        each_client.get(ember.url(f"ships/{ship.key}/")).text
        for each_client in (ember.client, browser("gus"))
    )
    assert ("State and orders" in mine, "It has no orders now" in mine, "0505" in mine) == (
        True,
        False,
        True,
    )
    assert ("State and orders" in guests, "0505" in guests, ship.name in guests) == (
        False,
        False,
        True,
    )


def test_only_a_factions_players_invite_its_guests() -> None:
    campaign, host = open_campaign()
    for maker in (host, join_by_invitation(host, "pia", faction="ember")):
        with pytest.raises(NotAllowed):
            invite_create(viewer=maker, role=Role.GUEST, faction="frost")
    with pytest.raises(RuleViolations):
        invite_create(viewer=viewer(campaign, "pia"), role=Role.GUEST)
    gus = guest_of(viewer(campaign, "pia"))
    with pytest.raises(NotFound):
        invite_create(viewer=gus, role=Role.GUEST, faction="ember")


def test_guest_has_no_other_role() -> None:
    campaign, host = open_campaign()
    pia = join_by_invitation(host, "pia", faction="ember")
    guest_of(pia)
    token = invite_create(viewer=pia, role=Role.GUEST, faction="ember").token
    for name in ("hope", "pia", "flo", "uma"):
        if name in ("flo", "uma"):
            join_by_invitation(host, name, *(("player", "frost") if name == "flo" else ("umpire",)))
        with pytest.raises(RuleViolations):
            invite_accept(
                user=viewer(campaign, name).user, public_id=campaign.public_id, token=token
            )
    for role in ("host", "umpire", "observer", "player", "staff"):
        row = Faction.objects.get(key="ember") if role in ("player", "staff") else None
        with pytest.raises(RuleViolations):
            seat_give(campaign=campaign, user=Membership.objects.get(role=Role.GUEST).user, role=role, faction=row,
                      now=MONDAY)  # fmt: skip


def test_guest_never_plays_another_side_and_players_never_visit_one() -> None:
    ember_player = at("orders")
    ember = viewer_of(ember_player.user, ember_player.campaign.public_id)
    gus = guest_of(ember)
    frost = Faction.objects.get(campaign=ember_player.campaign, key="frost")
    seat_leave(viewer=gus)
    for role, row in (("player", frost), ("guest", frost), ("umpire", None), ("observer", None)):
        with pytest.raises(NotAllowed):
            seat_give(
                campaign=ember_player.campaign, user=gus.user, role=role, faction=row, now=MONDAY
            )
    flo = person("flo")
    seat_give(campaign=ember_player.campaign, user=flo, role=Role.PLAYER, faction=frost, now=MONDAY)
    seat_leave(viewer=viewer_of(flo, ember_player.campaign.public_id))
    with pytest.raises(NotAllowed):
        seat_give(
            campaign=ember_player.campaign,
            user=flo,
            role=Role.GUEST,
            faction=ember.faction,
            now=MONDAY,
        )
    seat_give(
        campaign=ember_player.campaign,
        user=gus.user,
        role=Role.PLAYER,
        faction=ember.faction,
        now=MONDAY,
    )


def test_removed_guest_loses_access_and_everybody_sees_the_change() -> None:
    ember_player = at("orders")
    ember = viewer_of(ember_player.user, ember_player.campaign.public_id)
    frost = Faction.objects.get(campaign=ember_player.campaign, key="frost")
    seat_give(
        campaign=ember_player.campaign,
        user=person("flo"),
        role=Role.PLAYER,
        faction=frost,
        now=MONDAY,
    )
    guest_of(ember)
    where, client = ember_player.url(""), browser("gus")
    map_answer = client.get(ember_player.url("map/"))
    assert "private" in map_answer["Cache-Control"]
    assert "no-cache" in map_answer["Cache-Control"]
    lobby_text = page(browser("flo"), where).text
    assert "gus is a guest: sees what" in " ".join(lobby_text.split())
    assert "Guest of Ember" in page(browser("flo"), f"{where}public/").text
    assert "Remove" not in lobby_text
    assert act(browser("flo"), where, "send-away", name="gus").status_code == 404
    assert act(ember_player.client, where, "send-away", name="gus").status_code == 302
    for tail in ("", "map/", "reports/", "ships/"):
        answer = client.get(ember_player.url(tail))
        assert answer.status_code == 403
        assert "took away your seat at Ember" in answer.content.decode()
    again = client.get(ember_player.url("map/"), headers={"If-None-Match": map_answer["ETag"]})
    assert again.status_code == 403
    assert Faction.objects.get(pk=ember.faction.pk if ember.faction else 0).admiral == ""
    journal = [
        (record.verb, record.body["facts"]["role"], record.body["facts"]["names"])
        for record in Act.objects.order_by("pk")
    ]
    assert journal[-2:] == [("join", "guest", ["gus"]), ("leave", "guest", ["gus"])]
    assert [row.detail for row in act_rows(Act.objects.order_by("pk"))][-1].endswith(
        "as a guest, gus"
    )


def test_guests_leave_when_nobody_plays_the_faction() -> None:
    for leave in (True, False):
        campaign, host = open_campaign(host=f"hope-{leave}")
        pia = join_by_invitation(host, f"pia-{leave}", faction="ember")
        gus = guest_of(pia, f"gus-{leave}")
        if leave:
            seat_leave(viewer=pia)
        else:
            seat_to_computer(viewer=host, faction="ember")
        assert not Membership.objects.filter(campaign=campaign, user_id=gus.user.pk).exists()
        with pytest.raises(NotFound):
            seat_send_away(viewer=pia, name=gus.user.get_username())


def test_api_lists_and_removes_guests() -> None:
    ember_player = at("orders")
    ember = viewer_of(ember_player.user, ember_player.campaign.public_id)
    guest_of(ember)
    here = f"/api/campaigns/{ember_player.campaign.public_id}/"
    sheet = browser("gus").get(here).json()
    assert (sheet["roles"], sheet["faction"], sheet["guest_of"], sheet["wants"]["task"]) == (
        ["guest"], None, "ember", "watch",
    )  # fmt: skip
    assert ember_player.client.get(f"{here}seats/").json()["seats"][0]["guests"] == ["gus"]
    answer = ember_player.client.post(
        f"{here}seats/send-away/", {"name": "gus"}, content_type="application/json"
    )
    assert answer.json()["seats"][0]["guests"] == []
    assert browser("gus").get(here).json()["roles"] == []  # public pages stay open
    assert browser("gus").get(f"{here}view/").status_code == 403
    for name in ("gus", "nobody"):
        again = ember_player.client.post(
            f"{here}seats/send-away/", {"name": name}, content_type="application/json"
        )
        assert again.status_code == 404
