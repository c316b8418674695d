"""What umpires open is recorded; their pencil marks are private."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.access import viewer_of
from campaign.models import PencilMark, UmpireAccess
from campaign.services.campaigns import membership_add
from campaign.services.umpire_access import SAME_OPENING, access_digests, access_record
from tests.tampering import tamper
from tests.umpire.pages.staffed_war import StaffedWar, play_to_end
from umpire.services.ledger_checks import ledger_faults

pytestmark = pytest.mark.django_db


def opened() -> list[tuple[str, str, str]]:
    """Return the record, oldest first."""
    rows = UmpireAccess.objects.order_by("pk")
    return list(rows.values_list("name", "page", "subject"))


def test_pages_and_resources_that_an_umpire_opens_are_recorded(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    for _ in range(2):
        client.get(desk.url("umpire-map") + "?as=ember")
    client.get(desk.url("umpire-faction", key="frost"))
    client.get(desk.url("umpire-stage", ordinal=1))
    client.get(desk.url("umpire-notes"))
    client.get(f"/api/campaigns/{desk.campaign.public_id}/umpire/world/?seq=0")
    for role in ("player", "host", "observer"):
        assert desk.client(role).get(desk.url("umpire-map")).status_code == 404
    assert opened() == [
        ("umpire", "umpire-map", "as ember"),
        ("umpire", "umpire-faction", "frost"),
        ("umpire", "umpire-stage", "1"),
        ("umpire", "api-umpire-world", "seq 0"),
    ]
    user = desk.people["umpire"]
    assert isinstance(user, User)
    viewer = viewer_of(user, desk.campaign.public_id)
    later = timezone.now() + SAME_OPENING + timedelta(minutes=1)
    access_record(viewer=viewer, page="umpire-faction", subject="frost", now=later)
    assert len(opened()) == 5
    page = client.get(desk.url("umpire-opened")).content.decode()
    assert page.count("what a faction sees") == 2
    assert desk.client("player").get(desk.url("story-umpires")).status_code == 404
    play_to_end(desk)
    client.get(desk.url("umpire-map"))
    assert len(opened()) == 5  # the truth is public now
    branch = desk.campaign.head_branch
    assert branch is not None
    covered = [row.setting["opened"] for row in branch.ledger.all() if row.setting]
    assert access_digests(desk.campaign) in covered
    assert ledger_faults(branch=branch) == ()
    tamper("campaign_umpireaccess", "subject = 'ember'", "subject = '1'")
    assert len(ledger_faults(branch=branch)) == 1
    page = desk.client("observer").get(desk.url("story-umpires")).content.decode()
    assert page.count("what a faction sees") == 2


def test_pencil_marks_are_private_and_can_be_erased(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    place = desk.url("umpire-map")
    assert client.post(place, {"hex": "0804", "text": "who <wins>?"}).status_code == 302
    assert client.post(place, {"hex": "9999", "text": "nowhere"}).status_code == 422
    page = client.get(place).content.decode()
    assert page.count("who &lt;wins&gt;?") >= 2
    assert "who &lt;wins&gt;?" in client.get(desk.url("umpire")).content.decode()
    second = User.objects.create_user("second-umpire")
    membership_add(campaign=desk.campaign, user=second, role="umpire")
    desk.people["second umpire"] = second
    assert "&lt;wins&gt;" not in desk.client("second umpire").get(place).content.decode()
    assert desk.client("player").post(place, {"hex": "0804", "text": "x"}).status_code == 404
    assert client.post(place, {"hex": "0804", "text": ""}).status_code == 302
    assert not PencilMark.objects.exists()
