"""The nightly check of a war's records, and the umpire's button for what can be computed again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from campaign.models import Act, Campaign, Check, Fleet, LedgerRow, Notification, Snapshot
from jobs.models import Job
from jobs.services import Unfinished, jobs_enqueue
from tests.access.client_requests import clear_caches
from tests.tampering import disarm
from tests.umpire.pages.staffed_war import StaffedWar
from umpire.services import checks
from umpire.services.checks import NIGHT, campaign_check, check_work, checks_enqueue


def test_wars_are_checked_at_night_once(desk: StaffedWar) -> None:
    night = datetime(2026, 12, 1, NIGHT.stop - 1, 55, tzinfo=UTC)
    wars = Campaign.objects.filter(started_at__isnull=False).count()
    assert checks_enqueue(now=night.replace(hour=NIGHT.stop)) == 0
    assert checks_enqueue(now=night.replace(hour=0, minute=0)) == 1, "spread over the night"
    assert checks_enqueue(now=night) == wars - 1
    for job in Job.objects.filter(kind="campaign-check"):
        check_work(job.args)
    assert sorted(Check.objects.values_list("campaign", "faults")) == sorted(
        (war, 0) for war in Campaign.objects.values_list("pk", flat=True)
    )
    Check.objects.update(at=night)
    assert checks_enqueue(now=night) == 0


def test_long_check_goes_on_where_its_last_slice_ended(
    desk: StaffedWar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "SLICE", -1.0)
    campaign = desk.campaign
    request = {"campaign": campaign.pk, "deep": True}
    key = f"campaign-check/{campaign.pk}"
    jobs_enqueue(kind="campaign-check", requests={key: request})
    played = []
    while isinstance(slice_ := check_work(request), Unfinished):
        Job.objects.filter(dedupe_key=key).update(result=slice_.result)
        played.append(slice_.result["played"])
    rows = LedgerRow.objects.filter(branch__campaign=campaign).count()
    assert played == list(range(1, rows + 1)), "one stage in each slice"
    check = Check.objects.get(campaign=campaign)
    assert (check.level, check.rows, check.faults) == (3, rows, 0)


def test_umpire_mends_what_can_be_computed_again(desk: StaffedWar) -> None:
    clear_caches()
    campaign = desk.campaign
    Fleet.objects.filter(branch__campaign=campaign).update(hex="0101")
    check = campaign_check(campaign=campaign, deep=False)
    assert (check.faults, check.level, check.first["subject"]) == (1, 1, "projection")
    campaign.refresh_from_db()
    assert campaign.paused_at is None, "nothing that the war needs is wrong"
    campaign_check(campaign=campaign, deep=False)
    sent = Notification.objects.filter(dedupe_key__startswith="damage/")
    paths = {"umpire": desk.url("umpire"), "root": "/"}
    assert dict(sent.values_list("user__username", "path")) == paths
    assert sent.count() == 2, "once for all checks that find it"

    umpire = desk.client("umpire")
    page = umpire.get(desk.url("umpire")).content.decode()
    assert "the lists for search are not those of the newest world" in page
    assert desk.url("umpire-act", verb="rebuild") in page
    assert "Compute again" in umpire.get(desk.url("umpire-act", verb="rebuild")).content.decode()
    umpire.post(desk.url("umpire-act", verb="rebuild"), {"reason": "a broken disk"})
    act = Act.objects.get(verb="rebuild")
    assert act.body["facts"]["rebuilt"][0]["what"] == "projection"
    assert act.body["reason"] == "a broken disk"
    assert Check.objects.latest("pk").faults == 0
    assert "Stored records" not in umpire.get(desk.url("umpire")).content.decode()


def test_clock_stops_if_a_world_is_wrong(desk: StaffedWar) -> None:
    clear_caches()
    campaign = desk.campaign
    disarm("campaign_snapshot")
    Snapshot.objects.filter(branch__campaign=campaign, seq=1).update(events=[], sha256="0" * 64)
    assert campaign_check(campaign=campaign, deep=True).faults > 0
    campaign.refresh_from_db()
    assert campaign.paused_at is not None
    act = Act.objects.get(verb="pause", campaign=campaign)
    assert (act.actor, act.body["reason"][:14]) == (None, "The stored rec")
    campaign_check(campaign=campaign, deep=True)
    assert Act.objects.filter(verb="pause").count() == 1, "it stands already"
