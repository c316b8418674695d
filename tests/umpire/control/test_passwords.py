"""Password links: an umpire gives one to a player, it works once, and it reveals nothing else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.access import Viewer
from campaign.errors import NotAllowed, NotFound
from campaign.models import Act, Campaign
from campaign.services.campaigns import membership_add
from campaign.services.seats import campaign_begin
from tests.campaign.seats.people import join_by_invitation, open_campaign, person, viewer
from umpire.services.control import password_link

pytestmark = pytest.mark.django_db
NEW = "nine bright stars and one dark"


@pytest.fixture
def table() -> tuple[Campaign, Viewer]:
    """Return a campaign with an umpire and a player."""
    campaign, umpire = open_campaign(umpire=True)
    join_by_invitation(umpire, "pia", faction="ember")
    campaign_begin(viewer=umpire)
    return campaign, umpire


@pytest.mark.any_database
def test_link_sets_a_password_once(table: tuple[Campaign, Viewer], client: Client) -> None:
    _, umpire = table
    link = password_link(viewer=umpire, username="pia", reason="forgot it")
    form = client.get(link, follow=True)
    assert form.status_code == 200
    address = form.redirect_chain[-1][0]
    assert client.post(address, {"password1": NEW, "password2": NEW}).status_code == 302
    assert User.objects.get(username="pia").check_password(NEW)
    again = Client().get(link, follow=True)
    assert b'name="password1"' not in again.content
    act = Act.objects.get()
    assert (act.verb, act.body["facts"]) == ("password-link", {"names": ["pia"]})
    assert link.rsplit("-", 1)[1].strip("/") not in str(act.body)


def test_only_the_umpire_gives_password_links(table: tuple[Campaign, Viewer]) -> None:
    campaign, umpire = table
    join_by_invitation(umpire, "hal", role="host")
    join_by_invitation(umpire, "ole", role="observer")
    for name in ("hal", "ole", "pia"):
        with pytest.raises(NotFound):
            password_link(viewer=viewer(campaign, name), username="pia")
    for stranger in (person("stranger").username, "nobody"):
        with pytest.raises(NotFound):
            password_link(viewer=umpire, username=stranger)


def test_account_with_other_seats_is_not_opened(table: tuple[Campaign, Viewer]) -> None:
    _, umpire = table
    pia = User.objects.get(username="pia")
    elsewhere, _ = open_campaign(host="otto")
    membership_add(campaign=elsewhere, user=pia, role="observer")
    with pytest.raises(NotAllowed):
        password_link(viewer=umpire, username="pia")
    assert not Act.objects.exists()


@pytest.mark.parametrize("power", ["is_staff", "is_superuser"])
def test_account_of_the_server_owner_is_not_opened(
    table: tuple[Campaign, Viewer], power: str
) -> None:
    User.objects.filter(username="pia").update(**{power: True})
    with pytest.raises(NotAllowed):
        password_link(viewer=table[1], username="pia")
