"""Empty sheets sealed for players who want that, without anybody else being able to notice."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import override_settings

from campaign.access import viewer_of
from campaign.errors import NotFound
from campaign.models import Campaign, Faction, Notification, Stage, Submission
from campaign.services.campaigns import membership_add
from campaign.services.seats import empty_sheets_set
from tests.campaign.seats.people import DAILY
from tests.sealing import orders_seal
from tests.umpire.services.wars import play_until, resolve_stage, start_campaign
from umpire.services.stages import stage_resolve
from umpire.services.ticks import reminders_write

pytestmark = pytest.mark.django_db
NOW = "django.utils.timezone.now"
START = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
PAGES = ("", "map/", "orders/", "decisions/", "reports/", "ships/", "receipts/", "public/", "host/")


class Clock:
    """The clock of the site, set by the test."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def seat_player(campaign: Campaign, *names: str) -> None:
    for key in names:
        user, _ = User.objects.get_or_create(username=key)
        faction = Faction.objects.filter(campaign=campaign, key=key).first()
        role = "player" if faction is not None else key
        membership_add(campaign=campaign, user=user, role=role, faction=faction)


def orders_sealed(campaign: Campaign, *keys: str) -> Stage:
    stage = Stage.objects.get(branch__campaign=campaign, status="open")
    for key in keys:
        orders_seal(stage=stage, faction=campaign.factions.get(key=key), payload={"schema": 1})
    return stage


def test_solo_player_seals_once_in_a_quiet_week() -> None:
    campaign, stage = start_campaign(seed=7, admirals={"frost": "cautious"})
    stage = play_until("orders", stage)
    seat_player(campaign, "ember")
    empty_sheets_set(
        viewer=viewer_of(User.objects.get(username="ember"), campaign.public_id), sealed=True
    )
    sealed_by_hand = 0
    while stage.week == 1 and stage.kind != "over":
        if not Submission.objects.filter(stage=stage, faction__key="ember").exists():
            orders_sealed(campaign, "ember")
            sealed_by_hand += 1
        resolution = stage_resolve(stage=stage.pk)
        assert resolution is not None
        assert resolution.next is not None
        stage = resolution.next
    assert sealed_by_hand == 1
    (entry,) = Submission.objects.filter(
        stage__kind="decisions", stage__week=1, faction__key="ember"
    )
    assert entry.source == "default"


@pytest.mark.any_database
def test_stage_with_a_decision_is_never_sealed_automatically() -> None:
    campaign, stage = start_campaign(seed=7, admirals={"ember": "attack"})
    seat_player(campaign, "frost")
    empty_sheets_set(
        viewer=viewer_of(User.objects.get(username="frost"), campaign.public_id), sealed=True
    )
    for kind in ("decisions", "battles"):
        stage = play_until(kind, stage)
        assert not Submission.objects.filter(stage=stage, faction__key="frost").exists()
        stage = resolve_stage(stage).next or stage


def test_only_the_player_chooses() -> None:
    campaign, _ = start_campaign(seed=7)
    seat_player(campaign, "host")
    with pytest.raises(NotFound):
        empty_sheets_set(
            viewer=viewer_of(User.objects.get(username="host"), campaign.public_id), sealed=True
        )


def pages_of_others(chosen: bool) -> tuple[list[bytes], Any]:
    """Return all pages of everybody but Ember in a war of two with a watching host, and all seals."""
    clock = Clock(START)
    with mock.patch(NOW, clock), override_settings(PUBLICATION_GRID=10):
        campaign, stage = start_campaign(
            seed=7, admirals={"ember": "cautious", "frost": "cautious"}
        )
        Campaign.objects.filter(pk=campaign.pk).update(timetable={**DAILY, "early_close": True})
        stage = play_until("orders", stage)
        seat_player(campaign, "ember", "frost", "host", "observer")
        if chosen:
            empty_sheets_set(
                viewer=viewer_of(User.objects.get(username="ember"), campaign.public_id),
                sealed=True,
            )
        pages, instants = [], []
        for _ in range(3):
            clock.now = stage.opens + timedelta(minutes=1)
            stage = orders_sealed(
                campaign, *(("ember", "frost") if stage.kind == "orders" else ("frost",))
            )
            for late in (timedelta(minutes=2), timedelta(hours=47), timedelta(hours=48, minutes=1)):
                if stage.status != "open":
                    break
                clock.now = Stage.objects.get(pk=stage.pk).opens + late
                reminders_write(now=clock.now)
                stage_resolve(stage=stage.pk)
                stage.refresh_from_db()
                for name in ("frost", "host", "observer"):
                    client = Client()
                    client.force_login(User.objects.get(username=name))
                    pages += [
                        without_ids(client.get(f"/c/{campaign.public_id}/{page}").content, campaign)
                        for page in PAGES
                    ]
                    pages.append(
                        without_ids(
                            client.get(f"/api/campaigns/{campaign.public_id}/stages/").content,
                            campaign,
                        )
                    )
            rows = Submission.objects.filter(stage=stage).order_by("faction__key")
            instants.append(list(rows.values_list("faction__key", "source", "sealed_at", "digest")))
            stage = Stage.objects.filter(branch__campaign=campaign, battle__isnull=True).latest(
                "ordinal"
            )
        others = Notification.objects.filter(user__username__in=("frost", "host", "observer"))
        message_count = others.filter(path__contains=str(campaign.public_id)).count()
    return pages, (instants, message_count)


def without_ids(body: bytes, campaign: Campaign) -> bytes:
    """Return a page without what differs in any two worlds: the campaign's id, its hashes, form
    tokens.
    """
    text = re.sub(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", b"ID", body)
    text = re.sub(rb"\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b", b"HASH", text)
    text = re.sub(rb"\b[0-9A-F]{4}(?:-[0-9A-F]{4}){2}\b", b"HASH", text)
    text = re.sub(rb"[0-9A-Za-z+/]{91}=", b"SIGNATURE", text)
    text = re.sub(rb"[0-9A-Za-z+/]{43}=", b"ROOT", text)
    return re.sub(rb'name="csrfmiddlewaretoken" value="[^"]*"', b"", text)


@pytest.mark.any_database
def test_automatic_sealing_is_private() -> None:
    without, with_it = pages_of_others(False), pages_of_others(True)
    assert len(without[0]) > 80
    assert without[1] == with_it[1]
    for before, after in zip(without[0], with_it[0], strict=True):
        assert before.splitlines() == after.splitlines()


def test_player_is_neither_asked_nor_reminded() -> None:
    clock = Clock(START)
    with mock.patch(NOW, clock):
        campaign, stage = start_campaign(
            seed=7, admirals={"ember": "cautious", "frost": "cautious"}
        )
        Campaign.objects.filter(pk=campaign.pk).update(timetable=DAILY)
        stage = play_until("orders", stage)
        seat_player(campaign, "ember", "frost")
        empty_sheets_set(
            viewer=viewer_of(User.objects.get(username="ember"), campaign.public_id), sealed=True
        )
        stage = resolve_stage(stage).next or stage
        assert stage.kind == "decisions"
        client = Client()
        client.force_login(User.objects.get(username="ember"))
        assert "sealed for you when the stage closes" in client.get("/").content.decode()
        wants = client.get(f"/api/campaigns/{campaign.public_id}/").json()["wants"]
        assert (wants["task"], wants["due"]) == ("wait", False)
        clock.now = stage.opens + timedelta(hours=30)
        reminders_write(now=clock.now)
        reminded = Notification.objects.filter(dedupe_key__startswith="reminder/")
        assert list(reminded.values_list("user__username", flat=True)) == ["frost"]
