"""A host who plays can appoint an umpire in a running war if every other side agrees."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed
from campaign.models import Campaign, Membership, Notification, Proposal
from campaign.services.campaigns import membership_add
from campaign.services.invites import invite_accept, invite_create
from proof.findings import Exit
from tests.campaign.seats.people import person
from tests.umpire.services.wars import campaign_at
from umpire.services.checks import play_again
from umpire.services.proposals import proposal_answer

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def asked() -> tuple[Campaign, Viewer, User, Proposal]:
    """Return a war whose host plays Ember and whose sides vote on an umpire.

    Returns:
        The war, the player of the other side, the person, and the proposal.
    """
    campaign, _ = campaign_at("orders")
    host, other, ulla = person("hope"), person("flo"), person("ulla")
    membership_add(campaign=campaign, user=host, role="host")
    for user, key in ((host, "ember"), (other, "frost")):
        faction = campaign.factions.get(key=key)
        membership_add(campaign=campaign, user=user, role="player", faction=faction)
    token = invite_create(viewer=viewer_of(host, campaign.public_id), role="umpire").token
    assert invite_accept(user=ulla, public_id=campaign.public_id, token=token) is None
    return campaign, viewer_of(other, campaign.public_id), ulla, Proposal.objects.get()


def is_umpire(campaign: Campaign, user: User) -> bool:
    return Membership.objects.filter(campaign=campaign, user=user, role="umpire").exists()


def test_umpire_is_appointed_when_every_side_agrees(client: Client) -> None:
    campaign, _, ulla, proposal = asked()
    assert not is_umpire(campaign, ulla)
    assert Notification.objects.filter(dedupe_key__startswith="vote/").exists()
    client.force_login(User.objects.get(username="flo"))
    room = client.get(f"/c/{campaign.public_id}/").content.decode()
    assert "hope wants ulla to become umpire" in room
    assert "Read and answer" in room
    client.force_login(User.objects.get(username="hope"))  # whose side has agreed by inviting
    assert "Read the proposal" in client.get(f"/c/{campaign.public_id}/").content.decode()
    client.force_login(User.objects.get(username="flo"))
    address = f"/c/{campaign.public_id}/rollback/"
    assert "An umpire sees everything" in client.get(address).content.decode()
    api = client.get(f"/api/campaigns/{campaign.public_id}/timelines/").json()["proposal"]
    assert (api["kind"], api["name"], api["state"]) == ("umpire", "ulla", "open")
    answer = client.post(address, {"act": "agree", "proposal": proposal.pk}, follow=True)
    assert "ulla is now the umpire of this war" in answer.content.decode()
    assert is_umpire(campaign, ulla)
    assert play_again(Campaign.objects.get(pk=campaign.pk)).exit == Exit.PROVEN


def test_umpire_is_not_appointed_if_a_side_disagrees_or_the_person_has_a_seat(
    client: Client,
) -> None:
    campaign, other, ulla, proposal = asked()
    proposal_answer(viewer=other, proposal=proposal.pk, agree=False)
    assert not is_umpire(campaign, ulla)
    host = viewer_of(User.objects.get(username="hope"), campaign.public_id)
    token = invite_create(viewer=host, role="umpire").token
    with pytest.raises(NotAllowed):
        invite_accept(user=other.user, public_id=campaign.public_id, token=token)
    assert Proposal.objects.count() == 1
    address = reverse("join", kwargs={"c": campaign.public_id, "token": token})
    assert "The sides of the war vote on you first." in client.get(address).content.decode()


def test_host_without_other_players_is_offered_no_umpire(client: Client) -> None:
    """Pages offer no link that would be refused."""
    campaign, other, _, _ = asked()
    client.force_login(User.objects.get(username="hope"))
    room = f"/c/{campaign.public_id}/"
    assert 'value="umpire"' in client.get(room).content.decode()
    Membership.objects.filter(user_id=other.user.pk).delete()
    assert 'value="umpire"' not in client.get(room).content.decode()
