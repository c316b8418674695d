"""Messages: the same one to all when a stage opens, and a reminder to those who have not sealed."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import pytest_django

from campaign.models import Battle, Campaign, Notification, Stage
from campaign.rules.timetable import timetable_of
from campaign.services.seats import campaign_begin
from tests.campaign.seats.people import DAILY, MONDAY, join_by_invitation, open_campaign, viewer
from tests.umpire.control.test_clock import seal, started_war
from tests.umpire.services.wars import ATTACK, attack
from umpire.services.control import campaign_pause, faction_excuse, stage_extend
from umpire.services.stages import stage_resolve
from umpire.services.ticks import reminders_write

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
HEAD = re.compile(r"(Ledger: \d+) · [0-9A-F]{4}(?:-[0-9A-F]{4}){2}\b")


def reminded_users() -> list[str]:
    rows = Notification.objects.filter(dedupe_key__startswith="reminder/").order_by(
        "user__username"
    )
    return [row.user.username for row in rows if row.user is not None]


@pytest.mark.any_database
def test_unsealed_players_are_reminded_a_day_before() -> None:
    host, stage = started_war()
    join_by_invitation(host, "ole", role="observer")
    seal(stage, "ember", now=MONDAY)
    assert reminders_write(now=MONDAY + 23 * HOUR) == 0
    assert reminders_write(now=MONDAY + 24 * HOUR) == 1
    assert reminders_write(now=MONDAY + 25 * HOUR) == 0
    assert reminded_users() == ["flo"]
    row = Notification.objects.get(dedupe_key__startswith="reminder/")
    assert row.body == (
        "First Steps: the deployment closes Wed 18 Nov, 12:00 (UTC). You have not sealed your orders yet."
    )
    assert row.path == f"/c/{host.campaign.public_id}/"


@pytest.mark.any_database
def test_staff_is_reminded_and_nobody_after_the_deadline() -> None:
    host, _ = started_war()
    join_by_invitation(viewer(host.campaign, "flo"), "finn", role="staff", faction="frost")
    assert reminders_write(now=MONDAY + 49 * HOUR) == 0
    assert reminders_write(now=MONDAY + 47 * HOUR) == 3
    assert reminded_users() == ["finn", "flo", "pia"]


def test_excused_and_paused_players_are_not_reminded() -> None:
    host, _ = started_war()
    faction_excuse(viewer=host, faction="frost", now=MONDAY)
    campaign_pause(viewer=host, now=MONDAY)
    assert reminders_write(now=MONDAY + 47 * HOUR) == 0
    Campaign.objects.update(paused_at=None)
    assert reminders_write(now=MONDAY + 47 * HOUR) == 1
    assert reminded_users() == ["pia"]


@pytest.mark.any_database
def test_extension_brings_no_second_reminder() -> None:
    host, _ = started_war()
    assert reminders_write(now=MONDAY + 30 * HOUR) == 2
    stage_extend(viewer=host, hours=48, now=MONDAY + 31 * HOUR)
    assert reminders_write(now=MONDAY + 80 * HOUR) == 0


@pytest.mark.any_database
@pytest.mark.parametrize("hours", [None, 12, 24])
def test_short_stage_needs_no_reminder(hours: int | None) -> None:
    table: dict[str, Any] = {
        **DAILY,
        "hours": {**DAILY["hours"], "deploy": hours},
        "early_close": True,
    }
    started_war(timetable=table)
    assert reminders_write(now=MONDAY + HOUR) == 0


@pytest.mark.any_database
def test_stage_message_is_equal_for_all(settings: pytest_django.Settings) -> None:
    settings.APPRISE_URLS = ["ntfy://our-table"]
    campaign, host = open_campaign(
        play="ember", timetable={**DAILY, "zone": "Europe/Berlin"}, name="Evenings"
    )
    join_by_invitation(host, "flo", faction="frost")
    join_by_invitation(host, "ole", role="observer")
    campaign_begin(viewer=viewer(campaign, "hope"), now=MONDAY)
    rows = Notification.objects.order_by("pk")
    assert [row.user.username if row.user else None for row in rows] == ["flo", "ole", None]
    assert {(row.body, row.path) for row in rows} == {
        (
            "Evenings: the deployment is open until Wed 18 Nov, 13:00 (Europe/Berlin).",
            f"/c/{campaign.public_id}/",
        )
    }


def messages_of_a_war(host: str, attacker: str) -> list[str]:
    """Return all messages of five weeks, without the hashes in their heads of the ledger.

    Args:
        attacker: The faction that goes for another's world and fights; "": everybody holds.
    """
    campaign, keeper = open_campaign(
        "three-powers", host=host, name="The same war", timetable=timetable_of("solo")
    )
    factions = campaign.factions.order_by("key")
    for faction in factions:
        join_by_invitation(keeper, f"{host}-{faction.key}", faction=faction.key)
    stage: Stage | None = campaign_begin(viewer=keeper, now=MONDAY)
    factions.filter(key=attacker).update(admiral=ATTACK)
    for _ in range(16):
        assert stage is not None
        resolution = stage_resolve(stage=stage.pk, force=True, now=MONDAY, admiral=attack)
        assert resolution is not None
        stage = resolution.next
    assert Battle.objects.filter(branch__campaign=campaign).exists() == bool(attacker)
    rows = Notification.objects.filter(dedupe_key__contains=str(campaign.public_id)).order_by("pk")
    return [HEAD.sub(r"\1", row.body) for row in rows]


@pytest.mark.any_database
def test_messages_do_not_reveal_encounters() -> None:
    peace, war = messages_of_a_war("hope", ""), messages_of_a_war("hal", "halcyon")
    assert peace == war
    assert len(set(peace)) == 17
