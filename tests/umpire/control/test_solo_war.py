"""One person against the computer, through services only: open, begin, seal each stage, and finish."""

from __future__ import annotations

import pytest

from campaign.models import Notification, Stage, Submission
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.selectors.clock import war_is_over
from campaign.selectors.truth import stages_to_resolve
from campaign.services.seats import campaign_begin
from campaign.sight.views import current_sight, sight_at_stage
from campaign.store.documents import scenario_of
from tests.campaign.seats.people import MONDAY, open_campaign
from tests.sealing import orders_seal
from umpire.services.ledger_checks import ledger_faults
from umpire.services.stages import stage_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize(
    ("slug", "faction"),
    [
        ("first-steps", "ember"),
        pytest.param("lafayette", "esu", marks=pytest.mark.any_database),
    ],
)
def test_solo_war_from_start_to_end(slug: str, faction: str) -> None:
    campaign, player = open_campaign(slug, play=faction)
    stage: Stage | None = campaign_begin(viewer=player, now=MONDAY)
    scenario, mine = scenario_of(campaign), player.faction
    assert mine is not None
    while stage is not None:
        assert stages_to_resolve(now=MONDAY) == []  # the clock waits for the one player
        orders = default_orders(scenario, sight_at_stage(stage, mine).view)
        orders_seal(
            stage=stage,
            faction=mine,
            payload=orders_payload(orders),
            author=player.user,
            now=MONDAY,
        )
        assert stages_to_resolve(now=MONDAY) == [stage]
        resolution = stage_resolve(stage=stage.pk, now=MONDAY)
        assert resolution is not None
        stage = resolution.next
    campaign.refresh_from_db()
    assert war_is_over(campaign=campaign)
    assert current_sight(campaign, mine).view.result
    assert campaign.head_branch is not None
    assert ledger_faults(branch=campaign.head_branch) == ()
    sources = (
        Submission.objects.values_list("faction__key", "source")
        .distinct()
        .order_by("faction__key", "source")
    )
    enemy = next(
        other_faction.id for other_faction in scenario.factions if other_faction.id != faction
    )
    assert sorted(sources) == sorted([(faction, "player"), (enemy, "admiral")])
    assert not Notification.objects.filter(
        user_id=player.user.pk
    ).exists()  # the player caused all of it
