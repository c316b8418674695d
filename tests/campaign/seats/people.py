"""People and campaigns for the tests of seats and clocks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User

from campaign.access import Viewer, viewer_of
from campaign.models import Campaign, Membership
from campaign.rules.files import fixture_scenario
from campaign.services.invites import invite_accept, invite_create
from campaign.services.scenarios import scenario_import
from campaign.services.seats import campaign_open

MONDAY = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DAILY: dict[str, Any] = {
    "schema": 1,
    "zone": "UTC",
    "hours": dict.fromkeys(("deploy", "orders", "decisions", "battles"), 48),
    "closes": {},
    "early_close": False,
    "admiral_after": None,
}


def person(name: str) -> User:
    return User.objects.create_user(name, email=f"{name}@example.org")


def open_campaign(
    slug: str = "first-steps", host: str = "hope", **settings: Any
) -> tuple[Campaign, Viewer]:
    """Return a campaign and its host."""
    campaign = campaign_open(
        user=person(host), scenario=scenario_import(scenario=fixture_scenario(slug)), **settings
    )
    return campaign, viewer(campaign, host)


def viewer(campaign: Campaign, name: str) -> Viewer:
    """Return somebody's present access to the campaign."""
    return viewer_of(User.objects.get(username=name), campaign.public_id)


def accept(user: AbstractBaseUser, campaign: Campaign, token: str) -> Membership:
    """Return the seat that a user takes by an invitation."""
    seat = invite_accept(user=user, public_id=campaign.public_id, token=token)
    assert seat is not None, "the sides vote on the user"
    return seat


def join_by_invitation(host: Viewer, name: str, role: str = "player", faction: str = "") -> Viewer:
    """Return a new person who joined by the host's invitation."""
    token = invite_create(viewer=host, role=role, faction=faction).token
    accept(person(name), host.campaign, token)
    return viewer(host.campaign, name)
