"""What hosts and umpires do to the clock: extend, pause, close now, excuse a faction for a week.

Everything is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import AlreadyOver, NotAllowed, NotFound, NotStarted, StageClosed
from campaign.models import Act, Campaign, Excuse, Stage, Submission
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.rules.timetable import timetable_of
from campaign.selectors.truth import stages_to_resolve
from campaign.services.seats import campaign_begin
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations
from tests.campaign.seats.people import DAILY, MONDAY, join_by_invitation, open_campaign, viewer
from tests.sealing import orders_seal
from umpire.services.control import (
    campaign_pause,
    campaign_resume,
    faction_excuse,
    stage_extend,
    stage_resolve_now,
)
from umpire.services.ledger_checks import ledger_faults
from umpire.services.stages import stage_resolve

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def started_war(**settings: Any) -> tuple[Viewer, Stage]:
    """Return a war of two players and a host who does not play, with 48 hours for the deployment."""
    _, host = open_campaign(**{"timetable": DAILY, **settings})
    join_by_invitation(host, "pia", faction="ember")
    join_by_invitation(host, "flo", faction="frost")
    return host, campaign_begin(viewer=host, now=MONDAY)


def seal(stage: Stage, faction: str, **at: Any) -> None:
    row = stage.branch.campaign.factions.get(key=faction)
    orders = default_orders(scenario_of(stage.branch.campaign), sight_at_stage(stage, row).view)
    orders_seal(stage=stage, faction=row, payload=orders_payload(orders), **at)


def verbs() -> list[str]:
    return list(Act.objects.order_by("pk").values_list("verb", flat=True))


def closes(stage: Stage) -> Any:
    return Stage.objects.get(pk=stage.pk).closes


ACTS: list[Callable[[Viewer], Any]] = [
    lambda who: stage_extend(viewer=who, hours=1),
    lambda who: campaign_pause(viewer=who),
    lambda who: campaign_resume(viewer=who),
    lambda who: stage_resolve_now(viewer=who),
    lambda who: faction_excuse(viewer=who, faction="ember"),
]


@pytest.mark.any_database
@pytest.mark.parametrize("act", ACTS)
def test_only_hosts_and_umpires_control_the_clock(act: Callable[[Viewer], Any]) -> None:
    host, stage = started_war()
    for person in (viewer(host.campaign, "pia"), join_by_invitation(host, "ole", role="observer")):
        with pytest.raises(NotFound):
            act(person)
    assert "extend" not in verbs()
    assert closes(stage) == MONDAY + 48 * HOUR


@pytest.mark.any_database
@pytest.mark.parametrize("act", ACTS[:2] + ACTS[3:])
def test_clock_runs_only_during_the_war(act: Callable[[Viewer], Any]) -> None:
    _, host = open_campaign(umpire=True)
    with pytest.raises(NotStarted):
        act(host)
    stage: Stage | None = campaign_begin(viewer=host, unattended=True)
    while stage is not None:
        resolution = stage_resolve(stage=stage.pk)
        assert resolution is not None
        stage = resolution.next
    with pytest.raises(AlreadyOver):
        act(host)
    assert verbs() == []


def test_extension_is_recorded() -> None:
    host, stage = started_war()
    stage_extend(viewer=host, hours=5, reason="a birthday", now=MONDAY + HOUR)
    assert closes(stage) == MONDAY + 53 * HOUR
    act = Act.objects.get()
    assert (act.stage, act.verb, act.body["reason"], act.body["actor"]) == (
        stage,
        "extend",
        "a birthday",
        "hope",
    )
    assert act.body["facts"]["to"] == "2026-11-18T17:00:00+00:00"
    until = MONDAY + 60 * HOUR
    assert stage_extend(viewer=host, until=until, stage=stage.ordinal, now=MONDAY).closes == until
    assert stage_extend(viewer=host, until=until, stage=stage.ordinal, now=MONDAY).closes == until
    assert verbs() == ["extend", "extend"]  # the third one changed nothing


def test_extension_of_a_passed_deadline_counts_from_now() -> None:
    host, _ = started_war()
    assert stage_extend(viewer=host, hours=2, now=MONDAY + 50 * HOUR).closes == MONDAY + 52 * HOUR
    assert not stages_to_resolve(now=MONDAY + 51 * HOUR)


@pytest.mark.any_database
@pytest.mark.parametrize(
    "extension",
    [{}, {"hours": 1, "until": MONDAY}, {"hours": 0}, {"hours": 5000}, {"until": MONDAY + HOUR}],
)
def test_deadline_never_moves_earlier(extension: dict[str, Any]) -> None:
    host, stage = started_war()
    with pytest.raises(RuleViolations):
        stage_extend(viewer=host, now=MONDAY, **extension)
    assert (closes(stage), verbs()) == (MONDAY + 48 * HOUR, [])


@pytest.mark.any_database
def test_another_stage_is_left_alone() -> None:
    host, stage = started_war()
    following = stage_resolve(stage=stage.pk, force=True)
    assert following is not None
    with pytest.raises(StageClosed):
        stage_extend(viewer=host, stage=stage.ordinal, hours=1)
    with pytest.raises(StageClosed):
        stage_resolve_now(viewer=host, stage=stage.ordinal)
    assert verbs() == []


def test_stage_without_deadline_gets_none() -> None:
    host, _ = started_war(timetable=timetable_of("solo"))
    with pytest.raises(NotAllowed):
        stage_extend(viewer=host, hours=1)


@pytest.mark.any_database
def test_paused_war_accepts_orders() -> None:
    host, stage = started_war()
    campaign_pause(viewer=host, reason="holidays", now=MONDAY + HOUR)
    campaign_pause(viewer=host, now=MONDAY + 2 * HOUR)
    late = MONDAY + 100 * HOUR
    assert stages_to_resolve(now=late) == []
    assert stage_resolve(stage=stage.pk, now=late) is None
    seal(stage, "ember", now=late)
    with pytest.raises(NotAllowed):
        stage_resolve_now(viewer=host, now=late)
    campaign_resume(viewer=host, now=MONDAY + 101 * HOUR)
    campaign_resume(viewer=host, now=MONDAY + 102 * HOUR)
    assert closes(stage) == MONDAY + 148 * HOUR
    assert Campaign.objects.get().paused_at is None
    assert verbs() == ["pause", "resume"]
    assert Act.objects.get(verb="resume").body["facts"] == {"seconds": 100 * 3600}
    assert stages_to_resolve(now=MONDAY + 147 * HOUR) == []
    assert stages_to_resolve(now=MONDAY + 148 * HOUR) == [stage]


def test_nothing_is_sealed_after_the_deadline_unless_paused() -> None:
    host, stage = started_war()
    late = MONDAY + 49 * HOUR
    with pytest.raises(StageClosed):
        seal(stage, "ember", now=late)
    campaign_pause(viewer=host, now=MONDAY + HOUR)
    seal(stage, "ember", now=late)


def test_stage_opened_during_a_pause_keeps_its_time() -> None:
    host, stage = started_war()
    Campaign.objects.update(paused_at=MONDAY)
    Stage.objects.filter(pk=stage.pk).update(opens=MONDAY + 10 * HOUR, closes=MONDAY + 58 * HOUR)
    campaign_resume(viewer=host, now=MONDAY + 30 * HOUR)
    assert closes(stage) == MONDAY + 78 * HOUR


@pytest.mark.any_database
def test_stage_sealed_by_all_during_a_pause_closes_on_resumption() -> None:
    host, stage = started_war(timetable={**DAILY, "early_close": True})
    campaign_pause(viewer=host, now=MONDAY)
    for faction in ("ember", "frost"):
        seal(stage, faction, now=MONDAY)
    assert stages_to_resolve(now=MONDAY) == []
    campaign_resume(viewer=host, now=MONDAY + HOUR)
    assert stages_to_resolve(now=MONDAY + HOUR) == [stage]


def test_host_without_seat_closes_a_stage() -> None:
    host, stage = started_war()
    seal(stage, "ember", now=MONDAY)
    closed = stage_resolve_now(viewer=host, stage=stage.ordinal, reason="Frost is ill", now=MONDAY)
    assert closed.status == "closed"
    assert stages_to_resolve(now=MONDAY) == [stage]
    again = stage_resolve_now(viewer=host, stage=stage.ordinal, now=MONDAY)
    assert (again.pk, verbs()) == (stage.pk, ["resolve"])
    resolution = stage_resolve(stage=stage.pk)
    assert resolution is not None
    assert resolution.next is not None
    entries = Submission.objects.filter(stage=stage).order_by("faction__key")
    assert list(entries.values_list("faction__key", "source")) == [
        ("ember", "player"),
        ("frost", "default"),
    ]
    assert {row.sealed_at for row in entries} == {MONDAY}
    assert stage_resolve_now(viewer=host, stage=stage.ordinal, now=MONDAY).status == "resolved"
    assert Stage.objects.filter(status="open").get() == resolution.next


def test_playing_host_cannot_close_early() -> None:
    _, host = open_campaign(play="ember", timetable=DAILY)
    join_by_invitation(host, "flo", faction="frost")
    stage = campaign_begin(viewer=host, now=MONDAY)
    with pytest.raises(NotAllowed):
        stage_resolve_now(viewer=host, now=MONDAY)
    assert Stage.objects.get().status == "open"
    assert verbs() == []
    faction_excuse(viewer=host, faction="frost", now=MONDAY)
    assert stage_resolve_now(viewer=host, now=MONDAY).status == "closed"
    assert verbs() == ["excuse", "resolve"]
    assert Act.objects.filter(stage=stage).count() == 2


def test_excused_faction_is_not_waited_for() -> None:
    host, stage = started_war(timetable={**DAILY, "early_close": True})
    seal(stage, "ember", now=MONDAY)
    assert stages_to_resolve(now=MONDAY) == []
    first = faction_excuse(viewer=host, faction="frost", week=0, reason="away", now=MONDAY)
    assert faction_excuse(viewer=host, faction="frost", now=MONDAY) == first
    assert stages_to_resolve(now=MONDAY) == [stage]
    assert verbs() == ["excuse"]
    for wrong in (
        {"faction": "smoke"},
        {"faction": "frost", "week": 9},
        {"faction": "frost", "week": -1},
    ):
        with pytest.raises(RuleViolations):
            faction_excuse(viewer=host, now=MONDAY, **wrong)
    assert Excuse.objects.count() == 1


def test_every_act_is_recorded_under_its_stage() -> None:
    host, stage = started_war()
    stage_extend(viewer=host, hours=1, now=MONDAY)
    campaign_pause(viewer=host, now=MONDAY)
    campaign_resume(viewer=host, now=MONDAY)
    stage_resolve_now(viewer=host, now=MONDAY)
    resolution = stage_resolve(stage=stage.pk)
    assert resolution is not None
    branch = resolution.stage.branch
    assert ledger_faults(branch=branch) == ()
    act = Act.objects.filter(stage=stage).first()
    assert act is not None
    Act.objects.create(
        campaign=act.campaign,
        stage=stage,
        verb="excuse",
        body={},
        sha256=act.sha256,
        at=timezone.now(),
    )
    assert ledger_faults(branch=branch) == ("row 0 (week 0, deploy): the acts were changed",)


def test_nothing_is_done_while_a_stage_is_resolved() -> None:
    host, stage = started_war()
    Stage.objects.filter(pk=stage.pk).update(status="closed", closed_at=F("opens"))
    for act in ACTS[:2] + ACTS[3:]:
        with pytest.raises(StageClosed):
            act(host)
    assert verbs() == []
