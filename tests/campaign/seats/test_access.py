"""Access to a campaign, and strangers, who learn nothing by asking."""

from __future__ import annotations

import uuid

import pytest
import pytest_django
from django.contrib.auth.models import AnonymousUser, User

from campaign.access import require, viewer_of
from campaign.errors import NotFound
from campaign.models import Campaign
from campaign.services.campaigns import membership_add
from tests.umpire.services.wars import campaign_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return campaign_of()


def seat_user(campaign: Campaign, name: str, *roles: str, faction: str = "") -> User:
    user = User.objects.create_user(name)
    for role in roles:
        faction_row = campaign.factions.get(key=faction) if role in ("player", "staff") else None
        membership_add(campaign=campaign, user=user, role=role, faction=faction_row)
    return user


@pytest.mark.parametrize(
    ("roles", "faction", "expected"),
    [
        (("player",), "ember", {"plays"}),
        (("staff",), "frost", {"plays"}),
        (("host", "player"), "ember", {"plays", "hosts"}),
        (("host",), "", {"hosts"}),
        (("host", "umpire"), "", {"hosts", "umpires"}),
        (("umpire",), "", {"umpires"}),
        (("observer",), "", {"observes"}),
    ],
)
@pytest.mark.any_database
def test_viewer_matches_the_role(
    campaign: Campaign, roles: tuple[str, ...], faction: str, expected: set[str]
) -> None:
    viewer = viewer_of(
        seat_user(campaign, "vera", *roles, faction=faction), str(campaign.public_id)
    )
    assert {
        name for name in ("plays", "hosts", "umpires", "observes") if getattr(viewer, name)
    } == expected
    assert (viewer.faction.key if viewer.faction else "") == faction
    wants = {"plays": "play", "hosts": "host", "umpires": "umpire"}
    for name, want in wants.items():
        if name in expected:
            assert require(viewer, **{want: True}) is viewer
        else:
            with pytest.raises(NotFound):
                require(viewer, **{want: True})
    assert require(viewer) is viewer


def test_strangers_anonymous_users_and_nonsense_get_the_same_answer(campaign: Campaign) -> None:
    stranger = User.objects.create_superuser("root")
    inactive = seat_user(campaign, "gone", "player", faction="ember")
    User.objects.filter(pk=inactive.pk).update(is_active=False)
    inactive.refresh_from_db()
    elsewhere = seat_user(campaign_of(), "elsewhere", "umpire")
    answers = set()
    for user in (stranger, inactive, elsewhere, AnonymousUser()):
        for public_id in (
            campaign.public_id,
            str(campaign.public_id),
            uuid.UUID(int=7),
            "nonsense",
            "",
        ):
            with pytest.raises(NotFound) as refusal:
                viewer_of(user, public_id)
            answers.add(str(refusal.value))
    assert answers == {"there is no such campaign"}


def test_access_check_costs_one_query(
    campaign: Campaign, django_assert_num_queries: pytest_django.DjangoAssertNumQueries
) -> None:
    user = seat_user(campaign, "vera", "host", "player", faction="ember")
    with django_assert_num_queries(1):
        viewer = viewer_of(user, campaign.public_id)
        assert viewer.campaign.head_branch is not None
        assert viewer.campaign.scenario.slug
