"""After a battle, everything a player reads about foes follows from the side's own log."""

from __future__ import annotations

import pytest

from campaign import models
from campaign.belief.forces import Belief
from campaign.rules.queries import with_known_designs
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.words.common import strength_words
from tests.campaign.pages.war.browsing import Player, online_battle
from tests.umpire.services.wars import FROST_STAYS

pytestmark = pytest.mark.django_db


def left_by_the_log(ember: Player) -> dict[str, int]:
    """Return Frost's contacts by classification that were not seen destroyed in the only battle."""
    body = models.Report.objects.get(faction=ember.faction, kind="battle").body
    log = [line for phase in body["phases"] for line in phase["log"]]
    destroyed = {line["ship"] for line in log if line["event"] == "destroyed"}
    counts: dict[str, int] = {}
    for contact in body["phases"][0]["contacts"]:
        if contact["id"] not in destroyed:
            kind = contact["classification"]
            counts[kind] = counts.get(kind, 0) + 1
    assert destroyed & {contact["id"] for contact in body["phases"][0]["contacts"]}
    return counts


def test_map_report_orders_and_odds_agree_after_a_battle() -> None:
    ember, _ = online_battle(FROST_STAYS)
    counts_left = left_by_the_log(ember)
    view = current_sight(ember.campaign, ember.faction).view
    (newest,) = view.sightings
    assert dict(newest.counts) == counts_left
    words = strength_words(newest.counts)
    for page in ("map/", "orders/"):
        assert f"{words} after the battle, last week" in ember.get(page).text.replace("(", ""), page
    assert (
        f"As far as you saw, Frost Assembly still has {words} here." in ember.get("reports/").text
    )
    belief = Belief(with_known_designs(scenario_of(ember.campaign), view), view)
    for number in range(10):
        force = belief.force(newest.hex, "frost", number)
        believed = force.counts().get("frost", {})
        assert all(count <= counts_left.get(kind, 0) for kind, count in believed.items())
        assert believed, "they are in contact, so they are still there"
