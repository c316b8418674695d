"""After a battle, everything a player reads of the foe goes by what the side's own log showed."""

from __future__ import annotations

import pytest

from campaign import models
from campaign.belief.forces import Belief
from campaign.rules.queries import in_sight
from campaign.sight.views import sight
from campaign.store.documents import scenario_of
from campaign.words.sayings import strength_words
from tests.campaign.pages.war.browsing import Player, fought

pytestmark = pytest.mark.django_db


def left_by_the_log(ember: Player) -> dict[str, int]:
    """The contacts of Frost by classification that were not seen destroyed in the only battle."""
    body = models.Report.objects.get(faction=ember.faction, kind="battle").body
    log = [line for stop in body["stops"] for line in stop["log"]]
    lost = {line["ship"] for line in log if line["event"] == "destroyed"}
    left: dict[str, int] = {}
    for contact in body["stops"][0]["contacts"]:
        if contact["id"] not in lost:
            kind = contact["classification"]
            left[kind] = left.get(kind, 0) + 1
    assert lost & {contact["id"] for contact in body["stops"][0]["contacts"]}
    return left


def test_map_report_orders_and_odds_count_what_the_battle_left() -> None:
    ember, _ = fought()
    left = left_by_the_log(ember)
    view = sight(ember.campaign, ember.faction).view
    (newest,) = view.sightings
    assert dict(newest.counts) == left
    words = strength_words(newest.counts)
    for page in ("map/", "orders/"):
        assert f"{words} after the battle, last week" in ember.get(page).text.replace("(", ""), page
    assert (
        f"As far as you saw, Frost Assembly still has here: {words}." in ember.get("reports/").text
    )
    belief = Belief(in_sight(scenario_of(ember.campaign), view), view)
    for number in range(10):
        force = belief.force(newest.hex, "frost", number)
        drawn = force.counts().get("frost", {})
        assert all(many <= left.get(kind, 0) for kind, many in drawn.items())
        assert drawn, "they are in contact, so they are still there"
