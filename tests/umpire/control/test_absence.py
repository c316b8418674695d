"""Factions that seal nothing: standing orders first, then a computer admiral, until they return."""

from __future__ import annotations

import pytest

from campaign.models import Excuse, Stage, Submission
from campaign.services.seats import campaign_begin
from tests.campaign.seats.people import DAILY, MONDAY, join_by_invitation, open_campaign
from tests.umpire.control.test_clock import seal
from tests.umpire.services.wars import attack
from umpire.services.stages import stage_resolve

pytestmark = pytest.mark.django_db


def war(
    admiral_after: int | None, weeks_sealed: tuple[int, ...] = (), excused: tuple[int, ...] = ()
) -> list[str]:
    """Return the sources of Frost's orders week by week, if it seals only in these weeks."""
    campaign, host = open_campaign(
        "three-powers", timetable={**DAILY, "admiral_after": admiral_after}
    )
    faction = campaign.factions.order_by("key").first()
    assert faction is not None
    join_by_invitation(host, "flo", faction=faction.key)
    for week in excused:
        Excuse.objects.create(
            faction=faction, week=week, branch_id=faction.campaign.head_branch_id, ordinal=0
        )
    stage: Stage | None = campaign_begin(viewer=host, now=MONDAY)
    while stage is not None and stage.week <= 4:
        if stage.kind == "orders" and stage.week in weeks_sealed:
            seal(stage, faction.key, now=stage.opens)
        resolution = stage_resolve(
            stage=stage.pk, force=True, now=stage.opens, admiral=attack
        )  # who holds on
        assert resolution is not None
        stage = resolution.next
    entries = Submission.objects.filter(faction=faction, stage__kind="orders").order_by(
        "stage__ordinal"
    )
    return list(entries.values_list("source", flat=True))


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("admiral_after", "sealed", "excused", "sources"),
    [
        (None, (), (), ["default"] * 4),
        (2, (), (), ["default", "default", "admiral", "admiral"]),
        (2, (3,), (), ["default", "default", "player", "default"]),
        (1, (2,), (), ["default", "player", "default", "admiral"]),
        (2, (), (2,), ["default", "default", "default", "admiral"]),
        (1, (), (3,), ["default", "admiral", "default", "admiral"]),
    ],
)
def test_computer_admiral_takes_over_after_absent_weeks(
    admiral_after: int | None, sealed: tuple[int, ...], excused: tuple[int, ...], sources: list[str]
) -> None:
    assert war(admiral_after, sealed, excused) == sources
