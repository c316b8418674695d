"""The star map shows what the player knows now and knew then, drawn and in words, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.pages.week import orders_data
from campaign.rules.hexes import labels
from campaign.rules.starmap import reachable_hexes
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.web import chart_data, map_views
from campaign.web.chart import Chart, chart
from tests.campaign.pages.war.browsing import Player, at, player
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def ember() -> Player:
    """Return a player at the first orders, before any meeting."""
    return at("orders")


def test_map_shows_and_describes_own_fleets(ember: Player) -> None:
    page = ember.get("map/")
    for name in ("Lance", "Lantern", "Hearth Guard"):
        assert name in page.text
    assert "No long range scan has shown you any contacts yet." in page.text
    assert "Write the orders for week 1" in page.text
    assert page.inline == []


def test_map_names_only_known_enemies(ember: Player) -> None:
    answer = ember.client.get(ember.url("map/")).content.decode()
    for hidden in ("Icebreaker", "Northern Light", "Floe Guard", "frost/f", "frost/s"):
        assert hidden not in answer
    assert "Frost Assembly" in answer  # it is public that it holds its world


@pytest.mark.parametrize("name", ["Lance", "Hearth Guard"])
def test_range_of_the_chosen_fleet_follows_the_rules(ember: Player, name: str) -> None:
    view = current_sight(ember.campaign, ember.faction).view
    fleet = next(fleet for fleet in view.fleets if fleet.name == name)
    reach = reachable_hexes(scenario_of(ember.campaign), view, fleet.key)
    answer = ember.client.get(ember.url("map/"), {"fleet": fleet.key}).content.decode()
    match = re.search(r'<path class="reach" d="([^"]+)"/>', answer)
    assert (len(match[1].split("M")) - 1 if match else 0) == len(reach)
    assert (len(reach) == 0) == (name == "Hearth Guard")


def test_arrivals_through_gates_are_for_own_fleets_on_request() -> None:
    karst = at("orders", "three-powers", "karst")
    view, scenario = current_sight(karst.campaign, karst.faction).view, scenario_of(karst.campaign)
    able = [fleet for fleet in view.fleets if reachable_hexes(scenario, view, fleet.key)]
    fleet = able[0]
    there = {own_fleet.hex for own_fleet in view.fleets}
    assert "0101" not in there
    destinations = [
        f"{fleet.hex}.0",
        f"{fleet.hex}.0g",
        f"{fleet.hex}.9",
        fleet.key,
        fleet.hex,
        "0101.0",
        "9999.0",
        "halcyon/f1",
    ]
    texts = karst.client.get(karst.url("map/arrivals/"), {"of": destinations}).json()["texts"]
    assert set(texts) == {f"{fleet.hex}.0", f"{fleet.hex}.0g"}
    weeks, every = texts[f"{fleet.hex}.0"]["weeks"], labels(scenario.columns, scenario.rows)
    assert len(weeks) == len(every)
    this_week = {label for label, week in zip(every, weeks, strict=True) if week == "1"}
    assert this_week == {fleet.hex} | {
        label for label, _ in reachable_hexes(scenario, view, fleet.key)
    }


@pytest.mark.parametrize(
    "query", ["fleet=frost/f1", "fleet=ember/f99", "seq=77", "seq=x", "week=9", "seq=-1"]
)
def test_hidden_and_missing_objects_look_the_same(ember: Player, query: str) -> None:
    assert ember.client.get(f"{ember.url('map/')}?{query}").status_code == 404


def test_past_moment_is_shown_as_seen_then() -> None:
    ember = at("battles", ember="attack")
    then, now = ember.get("map/?seq=1"), ember.get("map/")
    assert "No long range scan has shown you any contacts yet." in then.text
    assert "Ember (0304)" in then.text
    assert "No long range scan" not in now.text
    assert "4 cruisers, 6 escorts" in now.text
    assert "This is what you knew at that time." in then.text
    assert ember.get("map/?week=1&stage=orders").text == then.text
    assert ember.get("map/?week=0").text == ember.get("map/?seq=0").text


def test_contact_shows_its_age() -> None:
    """Frost drives the attack off in week 1; in week 2 the scan is a week old."""
    ember = at("battles", ember="attack")
    assert "this week" in ember.get("map/").text
    assert "in battle" in ember.get("map/").text
    resolve_stage(ember.stage())
    assert "last week" in ember.get("map/").text


@pytest.mark.parametrize(
    ("kind", "page"), [("deploy", "deploy/"), ("orders", "orders/"), ("orders", "map/")]
)
def test_page_builds_its_chart_once(monkeypatch: pytest.MonkeyPatch, kind: str, page: str) -> None:
    player, charts = at(kind), list[Chart]()

    def count_chart(*args: Any, **kwargs: Any) -> Chart:
        charts.append(chart(*args, **kwargs))
        return charts[-1]

    for module in (map_views, chart_data):
        monkeypatch.setattr(module, "chart", count_chart)
    map_views._map_views.clear()
    orders_data._cache.clear()
    assert player.client.get(player.url(page)).status_code == 200
    assert len(charts) == 1


def test_map_costs_few_queries_and_is_drawn_once(ember: Player) -> None:
    with CaptureQueriesContext(connection) as first:
        first_answer = ember.client.get(ember.url("map/"))
    with CaptureQueriesContext(connection) as second:
        two = ember.client.get(ember.url("map/"))
    assert len(second) <= len(first) <= 9
    assert first_answer.content == two.content
    tables = " ".join(query["sql"] for query in first.captured_queries)
    for table in ("campaign_snapshot", "campaign_fleet", "campaign_ship"):
        assert f'"{table}"' not in tables


def test_cached_view_is_never_shown_to_another_faction(ember: Player) -> None:
    frost = player(ember.campaign, "frost")
    assert "Lance" in ember.get("map/").text
    frost_text = frost.get("map/").text
    assert "Icebreaker" in frost_text
    assert "Lance" not in frost_text


def test_strangers_find_no_map(ember: Player) -> None:
    other = at("orders")
    for name in ("map/", "orders/", "decisions/", "deploy/", "receipts/", "pulse/"):
        assert other.client.get(ember.url(name)).status_code == 404
        answer = Client().get(ember.url(name))
        assert answer.status_code == 302
        assert "login" in answer["Location"]
    assert other.client.get("/c/no-campaign/map/").status_code == 404


def test_update_check_is_silent_until_the_stage_resolves(ember: Player) -> None:
    stage = ember.stage()
    assert ember.client.get(ember.url(f"pulse/?at={stage.ordinal}")).status_code == 204
    answer = ember.client.get(ember.url(f"pulse/?at={stage.ordinal - 1}"))
    assert "has been resolved" in answer.content.decode()
