"""The whole war on the map when it is over: the truth beside any faction's knowledge, and where
knowledge was wrong.
"""

from __future__ import annotations

import dataclasses
import json
import re
from html import unescape
from typing import Any

import pytest

from campaign.models import Snapshot
from campaign.rules.files import fixture_scenario
from campaign.rules.queries import ship_classes
from campaign.rules.view import Sighting, View
from campaign.rules.world import World
from campaign.selectors.truth import world_of
from campaign.sight.views import sight_written
from campaign.store.documents import scenario_of
from campaign.web import chart_data
from tests.umpire.pages.desk import Desk, finished
from umpire.pages.beliefs import greatest_errors
from umpire.rehearsal import play

DATA = re.compile(r'<script id="true-chart" type="application/json">(.*?)</script>', re.S)


def shown(desk: Desk, query: str = "", who: str = "player") -> str:
    answer = desk.client(who).get(desk.url("story") + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def charted(page: str) -> dict[str, Any]:
    found = DATA.search(page)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


@pytest.mark.django_db
class TestPage:
    def test_every_moment_shows_the_truth_beside_what_a_faction_knew(self, desk: Desk) -> None:
        finished(desk)
        scenario = scenario_of(desk.campaign)
        rows = list(desk.campaign.factions.all())
        for n, snapshot in enumerate(
            Snapshot.objects.filter(branch__campaign=desk.campaign).order_by("seq")
        ):
            row = rows[n % len(rows)]
            data = charted(shown(desk, f"?seq={snapshot.seq}&as={row.key}"))
            fleets = {fleet.key: fleet.hex for fleet in world_of(snapshot).fleets}
            assert {one["key"]: one["hex"] for one in data["truth"]["fleets"]} == fleets
            known = chart_data.moment(scenario, sight_written(snapshot.pk, row).view)
            assert data["view"] == json.loads(json.dumps(known))

    def test_no_link_of_the_story_leads_to_the_umpires_pages(self, desk: Desk) -> None:
        page = unescape(shown(finished(desk)))
        assert "/umpire/" not in page[page.index("<main") :]
        assert 'type="range"' in page

    def test_there_is_no_story_of_a_war_that_goes_on(self, desk: Desk) -> None:
        for who in ("player", "umpire", "host", "observer"):
            for query in ("", "?seq=0", "?seq=0&as=ember"):
                assert desk.client(who).get(desk.url("story") + query).status_code == 404

    def test_an_unknown_faction_or_moment_is_not_there(self, desk: Desk) -> None:
        finished(desk)
        for query in ("?as=nobody", "?seq=99", "?seq=x"):
            assert desk.client("player").get(desk.url("story") + query).status_code == 404
        assert desk.client("player elsewhere").get(desk.url("story")).status_code == 404


def decided() -> tuple[World, View]:
    """A moment of orders in a war, and what one faction knew then."""
    war = play(fixture_scenario("first-steps"), {}, 1, captains=False)
    stage = next(stage for stage in war.history if stage.before.stage == "orders")
    return stage.before, stage.views["ember"]


def test_a_reading_that_is_wrong_is_an_error_by_the_ships_it_is_wrong_by() -> None:
    scenario, (world, view) = fixture_scenario("first-steps"), decided()
    empty = next(
        f"{column:02}{row:02}"
        for column in range(1, scenario.columns + 1)
        for row in range(1, scenario.rows + 1)
        if all(fleet.hex != f"{column:02}{row:02}" for fleet in world.fleets)
        and all(system.hex != f"{column:02}{row:02}" for system in scenario.systems)
    )
    read = Sighting(view.week, empty, "frost", (("capital", 2), ("escort", 3)))
    wrong = dataclasses.replace(view, sightings=(read,), fleets=(), ships=())
    (error,) = [
        one for one in greatest_errors(scenario, [(4, world, {"ember": wrong})]) if one.hex == empty
    ]
    assert (error.size, error.seq, error.faction) == (11, 4, "ember")
    assert "2 capital ships, 3 escorts" in error.believed
    assert error.was == "In truth: nothing of Frost Assembly"


def test_a_reading_that_is_right_is_no_error() -> None:
    scenario, (world, view) = fixture_scenario("first-steps"), decided()
    fleet = next(fleet for fleet in world.fleets if fleet.faction == "frost")
    here = {one.key for one in world.fleets if one.hex == fleet.hex and one.faction == "frost"}
    classes = {name: cls.classification for name, cls in ship_classes(scenario).items()}
    counts: dict[str, int] = {}
    for ship in world.ships:
        if ship.fleet in here:
            counts[classes[ship.cls]] = counts.get(classes[ship.cls], 0) + 1
    read = Sighting(view.week, fleet.hex, "frost", tuple(counts.items()))
    right = dataclasses.replace(view, sightings=(read,), fleets=(), ships=(), systems=())
    assert greatest_errors(scenario, [(1, world, {"ember": right})]) == ()
    more = (("escort", counts.pop("escort", 0) + 1), *counts.items())
    wrong = dataclasses.replace(right, sightings=(dataclasses.replace(read, counts=more),))
    (error,) = greatest_errors(scenario, [(1, world, {"ember": wrong})])
    assert (error.hex, error.size) == (fleet.hex, 1)


def test_of_an_error_that_stands_for_weeks_the_worst_moment_is_told_and_the_list_is_ranked() -> (
    None
):
    scenario = fixture_scenario("first-steps")
    war = play(scenario, {"ember": "bold", "frost": "bold"}, 2, captains=False)
    moments = [(n, stage.before, stage.views) for n, stage in enumerate(war.history)]
    found = greatest_errors(scenario, moments)
    assert found
    assert [one.size for one in found] == sorted((one.size for one in found), reverse=True)
    assert len({(one.faction, one.hex, one.was) for one in found}) == len(found)
    assert greatest_errors(scenario, [*moments, *moments]) == found
