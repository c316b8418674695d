"""Invitations: one link, one seat, and nobody can invite themselves to hidden knowledge."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from campaign.access import Viewer
from campaign.errors import NotAllowed, NotFound
from campaign.models import Act, Invite, Membership
from campaign.services.invites import (
    invite_accept,
    invite_create,
    invite_read,
    invite_revoke,
    invites_open,
)
from campaign.services.seats import campaign_begin, seat_leave
from engine.core.errors import RuleViolations
from tests.campaign.seats.people import (
    MONDAY,
    accept,
    join_by_invitation,
    open_campaign,
    person,
    viewer,
)

pytestmark = pytest.mark.django_db


def test_link_opens_one_seat_once() -> None:
    campaign, host = open_campaign()
    invited = invite_create(viewer=host, faction="ember")
    assert invite_read(public_id=str(campaign.public_id), token=invited.token) == invited.invite
    pia, paul = person("pia"), person("paul")
    seat = accept(pia, campaign, invited.token)
    assert (seat.role, seat.faction) == ("player", campaign.factions.get(key="ember"))
    assert invite_accept(user=pia, public_id=campaign.public_id, token=invited.token) == seat
    assert Membership.objects.filter(user=pia).count() == 1
    with pytest.raises(NotFound):
        invite_accept(user=paul, public_id=campaign.public_id, token=invited.token)
    with pytest.raises(NotFound):
        invite_read(public_id=campaign.public_id, token=invited.token)
    assert campaign.factions.get(key="ember").admiral == ""


def test_link_secret_is_not_stored() -> None:
    _, host = open_campaign()
    invited = invite_create(viewer=host, faction="ember")
    values = Invite.objects.values_list().get()
    assert not [value for value in values if invited.token in str(value)]
    assert str(invited.invite.public_id) not in invited.token


def test_invalid_link_is_no_link() -> None:
    campaign, host = open_campaign()
    elsewhere, other = open_campaign(host="otto")
    tokens = [invite_create(viewer=host, faction="ember", now=MONDAY).token for _ in range(3)]
    for invite in invites_open(viewer=host, now=MONDAY)[:1]:
        invite_revoke(viewer=host, invite=invite.public_id)
    gone = invite_create(viewer=other, faction="ember", now=MONDAY).token
    User.objects.filter(username="otto").update(is_active=False)
    late = MONDAY + timedelta(days=14)
    tries: list[tuple[uuid.UUID | str, str, datetime]] = [
        (campaign.public_id, tokens[0], MONDAY),  # revoked
        (campaign.public_id, tokens[1], late),  # expired
        (elsewhere.public_id, tokens[2], MONDAY),  # another campaign's
        (elsewhere.public_id, gone, MONDAY),  # its author has left
        (campaign.public_id, "nonsense", MONDAY),
        (uuid.UUID(int=3), tokens[2], MONDAY),
        ("nonsense", tokens[2], MONDAY),
    ]
    answers = set()
    for public_id, token, now in tries:
        with pytest.raises(NotFound) as reading:
            invite_read(public_id=public_id, token=token, now=now)
        with pytest.raises(NotFound) as taking:
            invite_accept(
                user=User.objects.get(username="otto"), public_id=public_id, token=token, now=now
            )
        answers |= {str(reading.value), str(taking.value)}
    assert answers == {"there is no such invitation"}
    assert invite_read(public_id=campaign.public_id, token=tokens[2], now=MONDAY)


def test_member_leaves_the_invitation_unused() -> None:
    campaign, host = open_campaign()
    pia = join_by_invitation(host, "pia", faction="ember")
    token = invite_create(viewer=host, faction="frost").token
    with pytest.raises(RuleViolations):
        invite_accept(user=pia.user, public_id=campaign.public_id, token=token)
    assert invite_read(public_id=campaign.public_id, token=token).used_at is None


def test_invitation_faults_are_reported_at_once() -> None:
    _, host = open_campaign()
    with pytest.raises(RuleViolations) as refused:
        invite_create(viewer=host, role="king", days=0)
    assert [fault.where for fault in refused.value.violations] == ["role", "days"]
    for role, faction in (("player", ""), ("umpire", "ember"), ("player", "smoke")):
        with pytest.raises(RuleViolations) as refused:
            invite_create(viewer=host, role=role, faction=faction)
        assert [fault.where for fault in refused.value.violations] == ["faction"]


def can_invite(maker: Viewer, role: str, faction: str) -> bool:
    try:
        invite_create(viewer=maker, role=role, faction=faction)
    except (NotAllowed, NotFound):
        return False
    return True


SEATS = [
    ("player", "ember"),
    ("player", "frost"),
    ("staff", "ember"),
    ("umpire", ""),
    ("observer", ""),
    ("host", ""),
]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("name", "before", "during"),
    [
        ("hope", "ember frost staff umpire observer host", "frost umpire observer host"),
        ("pia", "ember staff", "ember staff"),
        ("uma", "", "frost umpire"),
        ("ole", "", ""),
    ],
)
def test_who_may_invite_to_what(name: str, before: str, during: str) -> None:
    """Ember has a player, Frost has none.

    Once the war has begun, nobody can let themselves in where documents are hidden.
    """
    campaign, host = open_campaign()
    join_by_invitation(host, "pia", faction="ember")
    join_by_invitation(host, "uma", role="umpire")
    join_by_invitation(host, "ole", role="observer")
    words = {seat: seat[1] if seat[0] == "player" else seat[0] for seat in SEATS}
    assert [
        words[seat] for seat in SEATS if can_invite(viewer(campaign, name), *seat)
    ] == before.split()
    campaign_begin(viewer=host)
    assert [
        words[seat] for seat in SEATS if can_invite(viewer(campaign, name), *seat)
    ] == during.split()


def test_playing_host_invites_no_umpire_during_the_war() -> None:
    campaign, host = open_campaign(play="ember")
    early = invite_create(viewer=host, role="umpire").token
    campaign_begin(viewer=host)
    again = viewer(campaign, "hope")
    with pytest.raises(NotAllowed):
        invite_create(viewer=again, role="umpire")
    with pytest.raises(NotFound):  # nor by an earlier invitation of their own
        invite_accept(user=person("double"), public_id=campaign.public_id, token=early)


def test_old_invitation_opens_no_second_seat_beside_a_player() -> None:
    campaign, host = open_campaign(play="ember")
    early = invite_create(viewer=host, role="staff", faction="frost").token
    join_by_invitation(host, "flo", faction="frost")
    campaign_begin(viewer=host)
    with pytest.raises(NotFound):
        invite_accept(user=person("double"), public_id=campaign.public_id, token=early)
    helper = invite_create(viewer=viewer(campaign, "flo"), role="staff", faction="frost").token
    assert accept(person("finn"), campaign, helper).role == "staff"
    assert Act.objects.get(verb="join").body["facts"]["names"] == ["finn"]


def test_invitations_are_listed_and_revoked_by_those_allowed() -> None:
    _, host = open_campaign()
    pia = join_by_invitation(host, "pia", faction="ember")
    ole = join_by_invitation(host, "ole", role="observer")
    own_invite = invite_create(viewer=pia, role="staff", faction="ember").invite
    foreign = invite_create(viewer=host, faction="frost").invite
    assert invites_open(viewer=host) == [own_invite, foreign]
    assert invites_open(viewer=pia) == [own_invite]
    assert invites_open(viewer=ole) == []
    with pytest.raises(NotFound):
        invite_revoke(viewer=pia, invite=foreign.public_id)
    first = invite_revoke(viewer=pia, invite=str(own_invite.public_id))
    assert first.revoked_at is not None
    assert invite_revoke(viewer=host, invite=own_invite.public_id).revoked_at == first.revoked_at
    assert invites_open(viewer=host) == [foreign]
    for strange in ("nonsense", uuid.UUID(int=1)):
        with pytest.raises(NotFound):
            invite_revoke(viewer=host, invite=strange)


def test_old_link_does_not_retake_a_left_seat() -> None:
    campaign, host = open_campaign()
    invited = invite_create(viewer=host, faction="ember")
    pia = person("pia")
    invite_accept(user=pia, public_id=campaign.public_id, token=invited.token)
    seat_leave(viewer=viewer(campaign, "pia"))
    with pytest.raises(NotFound):
        invite_accept(user=pia, public_id=campaign.public_id, token=invited.token)
