"""A stored war with open markers, computers only and no umpire, from deployment to its end."""

from __future__ import annotations

import pytest

from campaign.models import View as ViewRow
from campaign.rules.codec import from_document
from campaign.rules.view import View
from campaign.selectors.truth import world_of
from campaign.services.campaigns import Markers
from tests.umpire.services.wars import campaign_of
from umpire.services.ledger_checks import ledger_faults
from umpire.services.wars import war_run

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.open-play")]


@pytest.mark.any_database
def test_open_war_ends_and_all_see_the_same_markers() -> None:
    campaign = campaign_of(
        seed=3, admirals={"ember": "bold", "frost": "steady"}, markers=Markers(True, 2)
    )
    last = war_run(campaign=campaign, progress=lambda resolution: None)
    assert world_of(last).stage == "over"
    assert campaign.head_branch is not None
    assert ledger_faults(branch=campaign.head_branch) == ()
    views_by_stage: dict[int, list[View]] = {}
    for row in ViewRow.objects.filter(branch__campaign=campaign).order_by("seq", "faction__key"):
        views_by_stage.setdefault(row.seq, []).append(from_document(View, row.body))
    assert all(len({view.markers for view in views}) == 1 for views in views_by_stage.values())
    assert max(len(views[0].markers) for views in views_by_stage.values()) >= 8
    assert all(
        dummy.faction == view.faction
        for views in views_by_stage.values()
        for view in views
        for dummy in view.dummies
    )
