"""Forms and drawings of battles near planets: the word `orbit`, zones, tracks, and log lines."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.pages.battle.fights import _rows
from campaign.pages.table.table_markers import table_markers
from campaign.words.battle.log import SideNames, line_of
from engine.battle import start
from engine.known_battle import known_battle
from engine.stops import side_view
from tests.campaign.pages.war.test_fight_later import orders_from_form
from tests.engine.battle.table import classes, events_of
from tests.engine.guns.duels import play, ship, table

WORLD = {"kind": "planet", "at": [60, 80], "radius": 6, "gravity": [12, 9], "atmosphere": 6, "g": 2}


def battle(*terrain: dict[str, Any]) -> Any:
    document = table(
        [ship("r1", 60, 69, "", 12, velocity=6)], [ship("b1", 60, 110, "")], terrain=[*terrain]
    )
    return start(document, classes())


@pytest.mark.rule("pc.planets")
def test_form_offers_and_keeps_orbits() -> None:
    assert orders_from_form(battle(WORLD), {"plot": {"r1": "orbit"}})["plot"] == {"r1": "orbit"}
    several = "orbit; roll; swing +1"
    assert orders_from_form(battle(WORLD), {"plot": {"r1": several}})["plot"] == {"r1": several}
    for terrain, offered in (((WORLD,), True), ((), False)):
        orbit_battle = battle(*terrain)
        sheet = {
            "kind": "plot",
            "at": 0,
            "mine": ["r1"],
            "view": side_view(orbit_battle, 0),
            "battle_document": known_battle(orbit_battle, 0).to_json(),
        }
        (row,) = _rows(sheet, {"plot": {}}, SideNames({}), {})
        assert ("orbit" in [tick.value for tick in row.ticks]) is offered


@pytest.mark.rule("pc.planets")
def test_drawing_has_zones_and_tracks_around_a_planet() -> None:
    simple = {"kind": "planet", "at": [20, 20], "simple": True}
    markers = table_markers(side_view(battle(WORLD, simple), 0), SideNames({}), 120.0)
    rings = [(marker.kind, marker.r) for marker in markers if "ring" in marker.kind]
    scale = (
        next(
            marker.r for marker in markers if marker.kind == "planet" and "planet-1" in marker.words
        )
        / 6
    )
    assert sorted(r / scale for _, r in rings) == [3, 9, 12]
    words = [marker.words for marker in markers if marker.words]
    assert (
        words[0]
        == "planet planet-1, gravity up to 12 MU, with air: entry and orbit at 6 MU a turn, 2 g on the ground"
    )
    assert len(words) == 2


@pytest.mark.rule("pc.atmosphere")
def test_log_reports_the_end_of_a_ship() -> None:
    falls = table(
        [ship("r1", 60, 71, "", 12, velocity=8)], [ship("b1", 60, 110, "")], terrain=[WORLD]
    )
    played = play(falls, [{}], atmosphere=[1])
    (entered,) = events_of(played, "entered-atmosphere")
    line = line_of(entered, SideNames({"r1": "Hardy"}))
    assert line is not None
    assert (line.words, line.detail) == (
        "Hardy burns up in the atmosphere with all aboard",
        "die 1, total 8",
    )
