"""A substitute for a player on holiday: with all rights until the last day, and none afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import Role
from campaign.models import Act, Faction, Invite, Membership
from campaign.selectors.next_action import campaigns_of
from campaign.services.invites import invite_accept, invite_create
from campaign.services.seats import campaign_begin, seat_leave, seat_send_away, seats_run_out
from engine.core.errors import RuleViolations
from tests.campaign.pages.general.browser_pages import act, browser, page
from tests.campaign.seats.people import join_by_invitation, open_campaign, person, viewer

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


def at_war() -> tuple[Viewer, Viewer, Viewer]:
    """Return a war, its host, who does not play, Pia of Ember, and Sam, her substitute for a week."""
    campaign, host = open_campaign()
    pia = join_by_invitation(host, "pia", faction="ember")
    join_by_invitation(host, "flo", faction="frost")
    campaign_begin(viewer=host)
    pia = viewer(campaign, "pia")
    token = invite_create(
        viewer=pia, role=Role.STAFF, faction="ember", until=timezone.now() + WEEK
    ).token
    invite_accept(user=person("sam"), public_id=campaign.public_id, token=token)
    return viewer(campaign, "hope"), pia, viewer(campaign, "sam")


def time_passes() -> None:
    Membership.objects.exclude(until=None).update(until=timezone.now() - timedelta(seconds=1))


@pytest.mark.any_database
def test_substitute_plays_until_the_time_ends_and_then_sees_nothing() -> None:
    host, pia, sam = at_war()
    assert sam.plays
    assert sam.faction == pia.faction
    assert len(campaigns_of(sam.user)) == 1
    time_passes()
    with pytest.raises(NotFound):
        viewer_of(sam.user, host.campaign.public_id)
    assert campaigns_of(sam.user) == ()
    assert browser("sam").get(f"/c/{host.campaign.public_id}/").status_code == 404
    assert browser("sam").get("/").status_code == 200
    assert viewer(host.campaign, "pia").plays


@pytest.mark.any_database
def test_clock_ends_the_substitution_and_bars_other_sides() -> None:
    host, _, sam = at_war()
    assert seats_run_out(now=timezone.now()) == 0
    time_passes()
    assert (seats_run_out(now=timezone.now()), seats_run_out(now=timezone.now())) == (1, 0)
    assert not Membership.objects.filter(user__username="sam").exists()
    assert [act_.verb for act_ in Act.objects.order_by("pk")] == ["join", "leave"]
    assert Faction.objects.get(key="ember").admiral == ""  # Pia plays on
    token = invite_create(
        viewer=viewer(host.campaign, "flo"), role=Role.STAFF, faction="frost"
    ).token
    with pytest.raises(NotAllowed):
        invite_accept(user=sam.user, public_id=host.campaign.public_id, token=token)


def test_computer_succeeds_the_substitute_of_a_departed_player() -> None:
    _, pia, _ = at_war()
    seat_leave(viewer=pia)
    assert Faction.objects.get(key="ember").admiral == ""
    time_passes()
    seats_run_out(now=timezone.now())
    assert Faction.objects.get(key="ember").admiral == "steady"


@pytest.mark.any_database
def test_only_the_player_removes_the_substitute() -> None:
    host, pia, sam = at_war()
    with pytest.raises(NotAllowed):
        seat_send_away(viewer=sam, name="sam")
    for other in (host, viewer(host.campaign, "flo")):
        with pytest.raises(NotFound):
            seat_send_away(viewer=other, name="sam")
    with pytest.raises(NotFound):
        seat_send_away(viewer=pia, name="pia")
    seat_send_away(viewer=pia, name="sam")
    with pytest.raises(NotFound):
        viewer_of(sam.user, host.campaign.public_id)


@pytest.mark.parametrize(
    ("role", "days", "code"),
    [("player", 7, "does-not-fit"), ("staff", 0, "out-of-range"), ("staff", -1, "out-of-range"),
     ("staff", 181, "out-of-range")],
)  # fmt: skip
@pytest.mark.any_database
def test_substitute_is_staff_for_a_future_period(role: str, days: int, code: str) -> None:
    _, host = open_campaign(play="ember")
    now = timezone.now()
    with pytest.raises(RuleViolations) as refused:
        invite_create(
            viewer=host, role=role, faction="ember", until=now + timedelta(days=days), now=now
        )
    assert [(fault.where, fault.code) for fault in refused.value.violations] == [("until", code)]
    assert not Invite.objects.exists()


def test_link_expires_with_the_substitution() -> None:
    _, host = open_campaign(play="ember")
    until = timezone.now() + timedelta(days=2)
    assert (
        invite_create(viewer=host, role=Role.STAFF, faction="ember", until=until).invite.expires
        == until
    )


def test_substitute_is_requested_in_the_lobby_and_listed() -> None:
    host, pia, _ = at_war()
    where, client = f"/c/{host.campaign.public_id}/", browser("pia")
    assert act(client, where, "stand-in", number="1", last="Tuesday").status_code == 422
    last = timezone.localdate() + timedelta(days=3)
    assert act(client, where, "stand-in", number="1", last=last.isoformat()).status_code == 302
    assert f"substitute until {last.day} " in page(client, where).text
    invite = Invite.objects.get(used_at=None)
    assert invite.until is not None
    assert (invite.role, invite.faction, invite.until.date()) == (
        Role.STAFF,
        pia.faction,
        last + timedelta(days=1),
    )
    for name in ("flo", "hope", "sam"):
        text = page(browser(name), where).text
        assert "sam substitute until" in " ".join(text.split())
        assert "End the seat" not in text
    assert act(client, where, "send-away", name="sam").status_code == 302
    assert not Membership.objects.filter(user__username="sam").exists()
    assert (
        act(browser("flo"), where, "stand-in", number="0", last=last.isoformat()).status_code == 302
    )
