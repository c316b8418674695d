"""A piece added by one file: it moves, blocks, harms, is logged, seen as marked, avoided and
stored.

No other module knows it except by its kind, which the test registers and removes again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.template.loader import render_to_string

from campaign.drawings.table_picture import table_picture
from campaign.pages.table.table_data import table_objects
from campaign.pages.table.table_markers import table_markers
from campaign.words.battle.log import SideNames, line_of
from engine import stops
from engine.battle import Battle, battle_from, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.ids import ShipId
from engine.core.orders import HOLD
from engine.documents import event_from_json, replay
from engine.known_battle import known_battle
from engine.pieces.registry import kinds, temporary_kinds
from engine.view.event_reader import read_event
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import setup, vessel
from tests.engine.extension.toy_cloud import SPEED, Cloud, CloudDrifted
from tests.engine.guns.duels import ship
from tests.engine.guns.duels import table as later_table
from tests.engine.stored.battles import stored_battle

EACH_EDITION = pytest.mark.parametrize("edition", ["second-edition", "continuum"])


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with temporary_kinds(Cloud):
        yield
    assert Cloud not in kinds()
    with pytest.raises(RuleViolations, match="no piece of kind 'haze'"):
        battle_from(duel("second-edition").to_json())


def duel(edition: str, at: tuple[float, float] = (60.0, 37.0), course: int = 6) -> Battle:
    """Return `r1` flying straight up at `b1` with its cloud between them; red calls `b1` contact-7."""
    if edition == "continuum":
        red = ship("r1", 60, 20, "beam:2@F+FS+FP", velocity=8)
        battle = start(
            later_table([red], [ship("b1", 60, 50, "beam:2@F+FS+FP", course=6)], options=()), {}
        )
    else:
        battle = start(
            setup(
                [vessel("r1", 60, 20, "battery:A", velocity=8)],
                [vessel("b1", 60, 50, "battery:A", 6)],
            ),
            {},
        )
    battle.state.ship_by_name("b1").contact = "contact-7"
    battle.state.stop = "plot"
    battle.state.pieces.append(
        Cloud("cloud-1", 1, ShipId("b1"), *at, 2.0, course, dust=4, recipe="bone-meal")
    )
    return battle


def fly_straight(battle: Battle) -> tuple[Battle, Any]:
    """Let everybody fly straight on."""
    plots: dict[int, object] = {side: {"plot": {}} for side in (0, 1)}
    return stops.resolve_documents(battle, plots, Dice("dust"))


def lines(battle: Battle, stop: Any, side: int) -> list[dict[str, Any]]:
    log = side_log(stop.events, battle.state, side)
    return [line for line in log if line["event"] in ("haze-drifted", "hazed")]


@EACH_EDITION
def test_piece_drifts_hurts_and_is_reported(edition: str) -> None:
    battle = duel(edition, (60.0, 29.0))
    after, stop = fly_straight(battle)
    (cloud,) = after.state.pieces_of(Cloud)
    assert (cloud.x, cloud.y) == (60.0, 26.0)
    drift, dusted = (
        event.to_json() for event in stop.events if event.kind in ("haze-drifted", "hazed")
    )
    assert drift["at"] == [60.0, 26.0]
    assert after.state.ship_by_name("r1").damage == dusted["die"] > 0
    assert replay(battle.state, stop.events).pieces_of(Cloud) == [cloud]
    assert event_from_json(json.loads(json.dumps(drift))).kind == "haze-drifted"


@EACH_EDITION
def test_each_side_reads_the_marked_fields(edition: str) -> None:
    battle = duel(edition, (60.0, 29.0))
    after, stop = fly_straight(battle)
    drift, dusted = lines(battle, stop, 0)
    assert drift == {"event": "haze-drifted", "turn": 1, "cloud": "cloud-1", "at": [60.0, 26.0]}
    assert (dusted["ship"], dusted["by"]) == ("r1", "contact-7")
    assert [line["by"] for line in lines(battle, stop, 1)[1:]] == ["b1"]
    views: list[Mapping[str, Any]] = [observe(after.state, side).to_json() for side in (0, 1)]
    hazes = {side: view["hazes"] for side, view in enumerate(views)}
    open_part = {"id": "cloud-1", "side": 1, "x": 60.0, "y": 26.0, "radius": 2.0, "course": 6}
    assert hazes == {
        0: [open_part | {"ship": "contact-7", "dust": 0}],
        1: [open_part | {"ship": "b1", "dust": 4}],
    }
    for side in (0, 1):
        side_battle = known_battle(after, side)
        assert [(piece.dust, piece.recipe) for piece in side_battle.state.pieces_of(Cloud)] == [
            (4 * side, "")
        ]
        assert "bone-meal" not in json.dumps(
            [side_battle.to_json(), stop.view(side), stops.side_view(after, side)]
        )


@EACH_EDITION
def test_piece_blocks_fire(edition: str) -> None:
    weapon = {"second-edition": "battery-1", "continuum": "beam-1"}[edition]
    hits = {}
    for x in (60.0, 90.0):
        after, _ = fly_straight(duel(edition, (x, 41.0)))
        fire = {"engage": {"r1": [{"weapon": weapon, "target": "contact-7"}]}}
        _, stop = stops.resolve_documents(after, {0: fire}, Dice("fire"))
        hits[x] = [
            event.kind for event in stop.events if event.kind in ("shot", "fire", "shot-refused")
        ]
    assert hits[60.0] == ["shot-refused"]
    assert hits[90.0] in (["shot"], ["fire"])


@EACH_EDITION
def test_captains_avoid_it(edition: str) -> None:
    def fly_with_advice(battle: Battle) -> tuple[str, Any]:
        """Return the orders of red's captain, and `r1` after them."""
        words = Captain(Doctrine(), Dice(1)).plots(observe(battle.state, 0)).get("r1", HOLD).words()
        return words, stops.resolve_documents(battle, {0: {"plot": {"r1": words}}}, Dice("way"))[
            0
        ].state.ship_by_name("r1")

    plain, there = fly_with_advice(duel(edition, (110.0, 110.0)))
    around, clear = fly_with_advice(duel(edition, (there.x, there.y + SPEED)))
    assert plain != around
    assert clear.damage == 0
    blind = duel(edition, (there.x, there.y + SPEED))
    after, _ = stops.resolve_documents(blind, {0: {"plot": {"r1": plain}}}, Dice("way"))
    assert after.state.ship_by_name("r1").damage > 0


def test_pages_describe_and_draw_it() -> None:
    battle = duel("second-edition", (60.0, 29.0))
    after, stop = fly_straight(battle)
    names = SideNames({"r1": "Wasp", "contact-7": "Hornet"})
    log_lines = [line_of(read_event(line), names) for line in lines(battle, stop, 0)]
    assert [line.words for line in log_lines if line] == [
        "A dust cloud drifts: it is at 60, 26",
        "Wasp flies through the dust of Hornet",
    ]
    assert log_lines[1] is not None
    assert log_lines[1].detail.startswith("die ")
    view = observe(after.state, 0).to_json()
    (marker,) = table_markers(view, names, 120.0)
    assert (marker.kind, marker.x, marker.y, marker.r, marker.words) == (
        "haze",
        600,
        940,
        20,
        "haze at 60, 26",
    )
    data = {
        "table": [120, 120],
        "own": [],
        "contacts": [],
        "things": table_objects(view, names),
        "tracks": {},
        "shots": [],
    }
    html = render_to_string("campaign/_fight_table.html", {"picture": table_picture(data)})
    assert (
        '<circle class="thing haze" cx="450.0" cy="694.8" r="14.4"><title>haze at 60, 26</title></circle>'
        in html
    )


@EACH_EDITION
def test_piece_is_stored_and_read_back(edition: str) -> None:
    after, _ = fly_straight(duel(edition))
    stored = json.loads(json.dumps(after.to_json()))
    assert stored["pieces"][0] | {"x": 0} == {
        **{
            "kind": "haze",
            "id": "cloud-1",
            "side": 1,
            "ship": "b1",
            "x": 0,
            "y": 34.0,
            "radius": 2.0,
            "course": 6,
        },
        **{"dust": 4, "recipe": "bone-meal"},
    }
    assert battle_from(stored).to_json() == after.to_json()
    assert battle_from(stored).state.pieces_of(Cloud) == after.state.pieces_of(Cloud)


def test_older_battle_accepts_the_piece() -> None:
    battle = battle_from(stored_battle("1.0")["battle"])
    battle.state.pieces.append(Cloud("cloud-1", 0, battle.state.ships[0].id, 1.0, 2.0, 2.0, 3))
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert [piece.kind for piece in again.state.pieces].count("haze") == 1
    assert len(again.state.pieces) == len(battle.state.pieces) > 1


def test_kind_is_registered_once() -> None:
    with pytest.raises(ValueError, match="haze"), temporary_kinds(Cloud):
        pass
    assert CloudDrifted.text
