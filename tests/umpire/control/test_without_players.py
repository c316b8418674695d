"""A war whose last player leaves waits for a new one, unless it was meant to go on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from campaign.access import Viewer
from campaign.errors import NotAllowed
from campaign.models import Act, Campaign, Stage
from campaign.rules.timetable import TIMETABLES
from campaign.selectors.truth import stages_to_resolve
from campaign.services.clock import stopped_for_players
from campaign.services.invites import invite_accept, invite_create
from campaign.services.seats import (
    campaign_begin,
    seat_leave,
    seat_take,
    seat_to_computer,
    seats_run_out,
)
from tests.campaign.seats.people import (
    DAILY,
    MONDAY,
    join_by_invitation,
    open_campaign,
    person,
    viewer,
)
from umpire.services.control import campaign_pause, campaign_resume
from umpire.services.stages import stage_resolve

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
SOLO = {**TIMETABLES["solo"], "zone": "UTC"}


def started_war(**settings: Any) -> tuple[Viewer, Stage]:
    """Return a war of one player against the computer, with a host who does not play."""
    _, host = open_campaign(**{"timetable": DAILY, **settings})
    join_by_invitation(host, "pia", faction="ember")
    return host, campaign_begin(viewer=host, now=MONDAY)


def is_due(stage: Stage, hours: int) -> bool:
    return stage in stages_to_resolve(now=MONDAY + hours * HOUR)


def play_to_end(stage: Stage | None) -> int:
    """Resolve stages as long as they are due at once; return how many were."""
    resolved = 0
    while stage is not None and stages_to_resolve(now=stage.opens):
        resolution = stage_resolve(stage=stage.pk, now=stage.opens)
        assert resolution is not None
        stage = resolution.next
        resolved += 1
    return resolved


@pytest.mark.any_database
@pytest.mark.parametrize("timetable", [DAILY, SOLO])
def test_handing_over_the_only_seat_pauses_the_clock(timetable: Any) -> None:
    host, stage = started_war(timetable=timetable)
    seat_to_computer(viewer=host, faction="ember", now=MONDAY + HOUR)
    assert not is_due(stage, 1)
    assert not is_due(stage, 1000)
    assert list(Act.objects.order_by("pk").values_list("verb", flat=True)) == [
        "to-computer",
        "pause",
    ]
    assert stopped_for_players(Campaign.objects.get())


@pytest.mark.any_database
def test_leaving_and_expired_seats_pause_it_too() -> None:
    host, stage = started_war()
    pia = viewer(host.campaign, "pia")
    until = MONDAY + 20 * HOUR
    token = invite_create(viewer=pia, role="staff", faction="ember", until=until, now=MONDAY).token
    invite_accept(user=person("stan"), public_id=host.campaign.public_id, token=token, now=MONDAY)
    seat_leave(viewer=pia, now=MONDAY)
    assert Campaign.objects.get().paused_at is None  # Stan is the substitute
    seats_run_out(now=until)
    assert Campaign.objects.get().paused_at == until
    assert not is_due(stage, 1000)


@pytest.mark.any_database
def test_new_player_resumes_it_with_the_remaining_time() -> None:
    host, stage = started_war()
    seat_to_computer(viewer=host, faction="ember", now=MONDAY + 10 * HOUR)
    token = invite_create(viewer=host, faction="frost", now=MONDAY + 10 * HOUR).token
    invite_accept(
        user=person("flo"),
        public_id=host.campaign.public_id,
        token=token,
        now=MONDAY + 30 * HOUR,
    )
    stage.refresh_from_db()
    assert (Campaign.objects.get().paused_at, stage.closes) == (None, MONDAY + 68 * HOUR)
    assert not is_due(stage, 67)
    assert is_due(stage, 68)


@pytest.mark.any_database
def test_new_player_does_not_end_the_hosts_pause() -> None:
    host, _ = started_war()
    campaign_pause(viewer=host, now=MONDAY)
    seat_to_computer(viewer=host, faction="ember", now=MONDAY + HOUR)
    seat_take(viewer=host, faction="frost", now=MONDAY + 2 * HOUR)
    assert Campaign.objects.get().paused_at == MONDAY


@pytest.mark.any_database
def test_war_continues_without_players_on_explicit_request() -> None:
    host, stage = started_war(timetable=SOLO)
    seat_to_computer(viewer=host, faction="ember", now=MONDAY)
    with pytest.raises(NotAllowed, match="no faction has a player"):
        campaign_resume(viewer=host, now=MONDAY)
    campaign_resume(viewer=host, unattended=True, now=MONDAY)
    assert play_to_end(stage) == Stage.objects.count()
    assert Act.objects.filter(verb="resume").get().body["facts"]["unplayed"] is True


@pytest.mark.any_database
def test_deadlines_are_kept_without_players() -> None:
    host, stage = started_war(timetable={**DAILY, "early_close": True})
    seat_to_computer(viewer=host, faction="ember", unattended=True, now=MONDAY)
    assert Campaign.objects.get().paused_at is None
    assert not is_due(stage, 47)
    assert is_due(stage, 48)


@pytest.mark.any_database
def test_war_begins_without_players_on_explicit_request() -> None:
    _, host = open_campaign(umpire=True, timetable=SOLO)
    with pytest.raises(NotAllowed, match="no faction has a player"):
        campaign_begin(viewer=host, now=MONDAY)
    assert not Stage.objects.exists()
    stage = campaign_begin(viewer=host, unattended=True, now=MONDAY)
    assert is_due(stage, 0)


@pytest.mark.any_database
def test_war_begins_with_the_confirmed_empty_seats() -> None:
    _, host = open_campaign("three-powers", timetable=DAILY, play="karst")
    join_by_invitation(host, "flo", faction="halcyon")
    with pytest.raises(NotAllowed, match="nobody plays Thessaly"):
        campaign_begin(viewer=host, computers=[], now=MONDAY)
    assert campaign_begin(viewer=host, computers=["thessaly"], now=MONDAY).status == "open"
