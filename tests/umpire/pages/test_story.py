"""The whole war on the map when it is over: the truth beside each faction's knowledge."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest

from campaign.models import Snapshot
from campaign.rules.files import fixture_scenario
from campaign.rules.hexes import neighbours
from campaign.rules.queries import ship_classes
from campaign.rules.view import Sighting, View
from campaign.rules.world import World
from campaign.selectors.truth import world_of
from campaign.sight.views import sight_in_snapshot
from campaign.store.documents import scenario_of
from campaign.web import chart_data
from tests.umpire.pages.staffed_war import StaffedWar, play_to_end
from umpire.pages.beliefs import WrongBelief, errors_at, greatest_errors
from umpire.rehearsal import play

DATA = re.compile(r'<script id="true-chart" type="application/json">(.*?)</script>', re.S)


def story_page(desk: StaffedWar, query: str = "", role: str = "player") -> str:
    answer = desk.client(role).get(desk.url("story") + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def chart_data_of(page: str) -> dict[str, Any]:
    match = DATA.search(page)
    assert match is not None
    data: dict[str, Any] = json.loads(match[1])
    return data


@pytest.mark.django_db
class TestPage:
    def test_every_moment_shows_truth_beside_knowledge(self, desk: StaffedWar) -> None:
        play_to_end(desk)
        scenario = scenario_of(desk.campaign)
        rows = list(desk.campaign.factions.all())
        for n, snapshot in enumerate(
            Snapshot.objects.filter(branch__campaign=desk.campaign).order_by("seq")
        ):
            row = rows[n % len(rows)]
            data = chart_data_of(story_page(desk, f"?seq={snapshot.seq}&as={row.key}"))
            fleets = {fleet.key: fleet.hex for fleet in world_of(snapshot).fleets}
            assert {
                true_fleet["key"]: true_fleet["hex"] for true_fleet in data["truth"]["fleets"]
            } == fleets
            known_moment = chart_data.moment_data(
                scenario, sight_in_snapshot(snapshot.pk, row).view
            )
            assert data["view"] == json.loads(json.dumps(known_moment))

    def test_story_never_links_to_umpire_pages(self, desk: StaffedWar) -> None:
        page = unescape(story_page(play_to_end(desk)))
        assert "/umpire/" not in page[page.index("<main") :]

    def test_running_war_has_no_story(self, desk: StaffedWar) -> None:
        for role in ("player", "umpire", "host", "observer"):
            for query in ("", "?seq=0", "?seq=0&as=ember"):
                assert desk.client(role).get(desk.url("story") + query).status_code == 404

    def test_unknown_faction_or_moment_is_not_found(self, desk: StaffedWar) -> None:
        play_to_end(desk)
        for query in ("?as=nobody", "?seq=99", "?seq=x"):
            assert desk.client("player").get(desk.url("story") + query).status_code == 404
        assert desk.client("player elsewhere").get(desk.url("story")).status_code == 404


def decided_moment() -> tuple[World, View]:
    """Return an orders stage of a war, and what one faction knew then."""
    war = play(fixture_scenario("first-steps"), {}, 1, captains=False)
    stage = next(stage for stage in war.history if stage.before.stage == "orders")
    return stage.before, stage.views["ember"]


def errors_of(*moments: tuple[int, World, Mapping[str, View]]) -> tuple[WrongBelief, ...]:
    """Return the greatest errors of some moments."""
    scenario = fixture_scenario("first-steps")
    errors = []
    for seq, world, views in moments:
        errors += errors_at(scenario, seq, world, views)
    return greatest_errors(errors)


def test_wrong_scan_is_a_misjudgement_of_its_difference() -> None:
    scenario, (world, view) = fixture_scenario("first-steps"), decided_moment()
    own_system = next(system.hex for system in scenario.systems if system.owner == "ember")
    empty = next(
        label
        for label in neighbours(own_system, scenario.columns, scenario.rows)
        if all(fleet.hex != label for fleet in world.fleets)
    )
    sighting = Sighting(view.week, empty, "frost", (("capital", 2), ("escort", 3)))
    wrong = dataclasses.replace(view, sightings=(sighting,), fleets=(), ships=())
    (error,) = [error for error in errors_of((4, world, {"ember": wrong})) if error.hex == empty]
    assert (error.size, error.difference, error.seq, error.faction) == (11, 5, 4, "ember")
    assert error.words == "Ember counts 5 ships of Frost; the true number is 0"


def test_correct_scan_is_no_misjudgement() -> None:
    scenario, (world, view) = fixture_scenario("first-steps"), decided_moment()
    fleet = next(fleet for fleet in world.fleets if fleet.faction == "frost")
    own_fleet = dataclasses.replace(view.fleets[0], hex=fleet.hex)
    here = {other.key for other in world.fleets if other.hex == fleet.hex}
    classes = {name: cls.classification for name, cls in ship_classes(scenario).items()}
    counts: dict[str, int] = {}
    for ship in world.ships:
        if ship.fleet in here and ship.faction == "frost":
            counts[classes[ship.cls]] = counts.get(classes[ship.cls], 0) + 1

    def seen(counted: dict[str, int]) -> dict[str, View]:
        sighting = Sighting(view.week, fleet.hex, "frost", tuple(counted.items()))
        contact = dataclasses.replace(
            view, stage="decisions", sightings=(sighting,), fleets=(own_fleet,), systems=()
        )
        return {"ember": contact}

    assert errors_of((1, world, seen(counts))) == ()
    counts["escort"] = counts.get("escort", 0) + 1
    (error,) = errors_of((1, world, seen(counts)))
    assert (error.hex, error.size, error.difference) == (fleet.hex, 1, 1)


def test_lasting_misjudgement_shows_its_worst_moment() -> None:
    scenario = fixture_scenario("first-steps")
    war = play(scenario, {"ember": "bold", "frost": "bold"}, 2, captains=False)
    moments = [(n, stage.before, stage.views) for n, stage in enumerate(war.history)]
    errors = errors_of(*moments)
    assert errors
    assert [error.seq for error in errors] == sorted(error.seq for error in errors)
    assert len({(error.faction, error.about, error.foe) for error in errors}) == len(errors)
    assert errors_of(*moments, *moments) == errors
