"""Active scans, the limits of passive ones, weasels and drones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import Battle, start
from engine.core.errors import RuleViolations
from engine.documents import event_from_json, replay
from engine.pieces.asteroid import Asteroid
from engine.stops import read_orders, resolve_documents
from engine.systems.sensors import active_scans_of
from engine.view.side_log import side_log
from tests.engine.battle.table import at, classes, events_of, gunship, play, scripted, setup, ship
from tests.engine.field.ships import fitted_cruiser, play_stops

sensors, dummies = pytest.mark.rule("2e.sensors"), pytest.mark.rule("2e.dummies")


def bogey(id_: str, x: float, y: float, cls: str = "Frigate", **more: Any) -> dict[str, Any]:
    return ship(id_, cls, x, y, 9, 0, contact=id_.upper(), **more)


def scan(plot: str, *blue: dict[str, Any], red: str = "Heavy Cruiser", **more: Any) -> Battle:
    document = setup([ship("r1", red, 10, 60, 3, 0, contact="R1")], list(blue), bogeys=True, **more)
    return play(document, [{"plot": {"r1": plot}}])


@sensors
@pytest.mark.parametrize(("x", "is_detected"), [(64, True), (64.01, False), (50, True)])
def test_active_sensors_reach_54(x: float, is_detected: bool) -> None:
    battle = scan("scan b1", bogey("b1", x, 60))
    assert at(battle, "b1").bogey is not is_detected
    assert not at(battle, "r1").bogey


@sensors
@pytest.mark.parametrize(
    ("red", "number"),
    [
        ("Frigate", 1),
        ("Light Cruiser", 2),
        ("Heavy Cruiser", 2),
        ("Battleship", 3),
        ("Superdreadnought", 3),
        ("Q Ship", 2),
    ],
)
def test_escorts_scan_one_cruisers_two_and_capital_ships_three(red: str, number: int) -> None:
    blue = [bogey(f"b{n}", 55, 50 + n) for n in range(1, 6)]
    battle = scan("scan b4 b2 b5 b1 b3", *blue, red=red)
    assert [
        event.ship for event in events_of(battle, "contact-identified") if event.ship != "r1"
    ] == [
        "b4",
        "b2",
        "b5",
    ][:number]
    assert [event.target for event in events_of(battle, "scan-failed")] == [
        "b4",
        "b2",
        "b5",
        "b1",
        "b3",
    ][number:]


@sensors
def test_merchants_and_civil_stations_scan_nothing() -> None:
    counts = {
        name: active_scans_of(
            start(setup([ship("r1", name, 9, 9)], [ship("b1", "Frigate", 90, 90)]), classes())
            .state.ship_by_name("r1")
            .sheet
        )
        for name in ("Heavy Freighter", "Survey Cruiser", "Fleet Tug")
    }
    assert set(counts.values()) == {0}
    for civil, number in ((True, 0), (False, 3)):
        design = {
            "class": "Station",
            "edition": "second-edition",
            "kind": "installation",
            "mass": 200,
            "systems": [],
        }
        station = {
            "id": "r1",
            "design": design | ({"civil": True} if civil else {}),
            "at": [9, 9],
            "course": 12,
        }
        document = setup([station | {"velocity": 0}], [ship("b1", "Frigate", 90, 90)])
        assert active_scans_of(start(document, classes()).state.ship_by_name("r1").sheet) == number


@sensors
def test_scanning_ship_is_identified_even_without_result() -> None:
    battle = scan("scan b1", bogey("b1", 110, 60))
    assert [event.ship for event in events_of(battle, "contact-identified")] == ["r1"]
    assert events_of(battle, "scan-failed")[0].reason == "it is beyond 54 MU"
    assert [event.ship for event in events_of(battle, "scanning")] == ["r1"]


@sensors
def test_targets_are_scanned_in_order_and_identified_ones_skipped() -> None:
    blue = [bogey("b1", 40, 60), bogey("b2", 110, 60), bogey("b3", 60, 60), bogey("b4", 60, 62)]
    battle = scan("scan b1 b2 b3 b4", *blue, red="Frigate")
    assert [(event.target, event.reason) for event in events_of(battle, "scan-failed")] == [
        ("b1", "it is already identified"),  # the passive sensors were first
        ("b2", "it is beyond 54 MU"),
        ("b4", "it has no scans left this turn"),
    ]
    assert not at(battle, "b3").bogey


@sensors
def test_scans_follow_movement() -> None:
    document = setup(
        [ship("r1", "Frigate", 10, 60, 3, 6)], [ship("b1", "Frigate", 72, 60, 9, 2)], bogeys=True
    )
    assert not at(play(document, [{"plot": {"r1": "scan b1"}}]), "b1").bogey


@sensors
@pytest.mark.parametrize(("plot", "distance"), [("", 30), ("scan B1", 50)])
def test_asteroids_block_all_sensors(plot: str, distance: float) -> None:
    document = setup(
        [ship("r1", "Frigate", 10, 60, 3, 0)], [bogey("b1", 10 + distance, 60)], bogeys=True
    )
    for x, hidden in ((25, True), (3, False)):
        battle = start({**document, "sides": [*document["sides"]]}, classes())
        for craft in battle.state.ships:
            craft.bogey = True
        battle.state.pieces.append(Asteroid("rock", x, 60.0, 2.0))
        after, _ = resolve_documents(battle, {0: {"plot": {"r1": plot}}}, scripted())
        assert after.state.ship_by_name("b1").bogey is hidden


@sensors
@pytest.mark.parametrize(
    ("red", "change", "why"),
    [
        (ship("r1", "Heavy Freighter", 9, 9), {}, "only military ships have"),
        (ship("r1", "Frigate", 9, 9), {"warm": True}, "about to engage: it cannot scan"),
        (ship("r1", "Frigate", 9, 9), {"status": "returning"}, "a ship off the table cannot scan"),
        (ship("r1", "Scout Ship", 9, 9, dummy=True), {}, "a decoy has no sensors"),
    ],
)
def test_impossible_scan_is_reported(red: dict[str, Any], change: dict[str, Any], why: str) -> None:
    sides = [[red, ship("r2", "Frigate", 9, 19)], [bogey("b1", 90, 90)]]
    battle = start(setup(*sides, bogeys=True), classes())
    for name, value in change.items():
        setattr(battle.state.ship_by_name("r1"), name, value)
    _, faults = read_orders(battle, 0, {"plot": {"r1": "scan B1"}})
    assert any(why in fault.message for fault in faults)


@sensors
def test_side_scans_by_contact_and_refusals_are_private() -> None:
    document = setup(
        [ship("r1", "Frigate", 10, 60, 3, 0, contact="RR")], [bogey("b1", 100, 60)], bogeys=True
    )
    battle = start(document, classes())
    assert read_orders(battle, 0, {"plot": {"r1": "scan b1"}})[1]
    _, stop = resolve_documents(battle, {0: {"plot": {"r1": "scan B1"}}}, scripted())
    blue = side_log(stop.events, stop.before, 1)
    assert [(line["event"], line.get("ship")) for line in blue] == [
        ("moved", "b1"), ("moved", "RR"), ("scanning", "RR"), ("contact-identified", "RR"),
    ]  # fmt: skip
    red = side_log(stop.events, stop.before, 0)
    why = {"code": "beyond-mu", "args": [{"decimal": "54.0"}]}
    assert red[-1] == {
        "event": "scan-failed",
        "turn": 1,
        "ship": "r1",
        "target": "B1",
        "reason": why,
    }


@sensors
@dummies
def test_scan_identifies_ships_reveals_drones_and_replays() -> None:
    blue = [bogey("b1", 60, 60), bogey("b2", 60, 70, "Scout Ship", dummy=True)]
    battle = scan("scan b2 b1", *blue)
    assert (at(battle, "b2").status, at(battle, "b1").bogey) == ("scanned", False)
    document = setup([ship("r1", "Heavy Cruiser", 10, 60, 3, 0, contact="R1")], blue, bogeys=True)
    log = [event_from_json(line) for line in json.loads(json.dumps(battle.events_json))]
    again = replay(start(document, classes()).state, log)
    assert (
        Battle(battle.edition, battle.options, again, battle.winner, []).to_json()
        == battle.to_json()
    )


@sensors
def test_neutral_bogey_cannot_be_scanned() -> None:
    document = setup(
        [ship("r1", "Frigate", 10, 60, 3, 0)],
        [bogey("b1", 110, 60)],
        [bogey("g1", 50, 60)],
        bogeys=True,
        hostile=[["red", "blue"]],
    )
    battle = play(document, [{"plot": {"r1": "scan g1"}}])
    assert at(battle, "g1").bogey
    assert events_of(battle, "scan-failed")[0].reason == "it is not hostile"


@sensors
def test_nearest_ship_identifies_a_contact() -> None:
    blue = [bogey("b1", 30, 60), bogey("b2", 20, 60), bogey("b3", 40, 60)]
    for order in (blue, blue[::-1]):
        document = setup([ship("r1", "Frigate", 10, 60, 3, 0)], order, bogeys=True)
        events = start(document, classes()).events_json
        assert next(line["by"] for line in events if line.get("ship") == "r1") == "b2"


@dummies
@pytest.mark.parametrize(
    ("cls", "more", "label"),
    [
        ("Weasel Scout", {}, "capital"),
        ("Weasel Courier", {}, "cruiser"),
        ("Weasel Courier", {"lost": ["weasel-1"]}, "escort"),
        ("Weasel Scout", {"label": "escort"}, "escort"),  # the long range scan decides
        ("Battleship", {}, "capital"),
        ("Scout Ship", {"dummy": True}, "escort"),
        ("Light Cruiser", {"dummy": True}, "escort"),
    ],
)
def test_label_of_a_bogey(cls: str, more: dict[str, Any], label: str) -> None:
    document = setup(
        [ship("r1", "Frigate", 9, 9)],
        [ship("b1", cls, 90, 90, **more), ship("b2", "Frigate", 80, 90)],
    )
    assert start(document | {"bogeys": True}, classes()).state.ship_by_name("b1").label == label


@dummies
def test_scanned_weasel_shows_its_class() -> None:
    document = setup(
        [ship("r1", "Frigate", 10, 60, 3, 0)],
        [ship("b1", "Weasel Scout", 60, 60, contact="B")],
        bogeys=True,
    )
    first, _ = play_stops(document, [{"plot": {"r1": "scan b1"}}], scripted())
    before, after = first.view(0)["contacts"][0], first.after
    assert before["classification"] == "capital"
    from engine.view.side_view import observe

    contact = observe(after, 0).to_json()["contacts"][0]
    assert (contact["classification"], contact["class"]) == ("escort", "Weasel Scout")


@dummies
def test_drone_without_class_flies_like_a_scout_ship() -> None:
    drone = {"id": "b2", "at": [90, 90], "course": 9, "velocity": 4, "dummy": True}
    document = setup(
        [ship("r1", "Frigate", 9, 9)], [ship("b1", "Frigate", 80, 90), drone], bogeys=True
    )
    battle = start(document, classes())
    assert (battle.state.ship_by_name("b2").thrust, battle.state.ship_by_name("b2").label) == (
        8,
        "escort",
    )
    assert not read_orders(battle, 1, {"plot": {"b2": "P4+4"}})[1]
    assert read_orders(battle, 1, {"plot": {"b2": "P5"}})[1]


@dummies
def test_side_has_no_more_drones_than_ships() -> None:
    drones = [ship(f"b{n}", "Scout Ship", 90, 80 + n, dummy=True) for n in (2, 3)]
    with pytest.raises(RuleViolations, match="blue has 2 decoys for 1 ship"):
        start(
            setup(
                [ship("r1", "Frigate", 9, 9)], [gunship("b1", 90, 90, "A"), *drones], bogeys=True
            ),
            classes(),
        )


@dummies
def test_drone_shows_an_escort() -> None:
    drone = ship("b2", "Scout Ship", 90, 80, dummy=True, label="capital")
    with pytest.raises(RuleViolations, match="signature of an escort"):
        start(
            setup(
                [ship("r1", "Frigate", 9, 9)], [fitted_cruiser("b1", 90, 90), drone], bogeys=True
            ),
            classes(),
        )


@dummies
def test_drone_does_not_fire() -> None:
    document = setup(
        [ship("r1", "Frigate", 60, 60, 6, 0)],
        [ship("b1", "Frigate", 9, 110), ship("b2", "Scout Ship", 60, 100, 6, 0, dummy=True)],
        bogeys=True,
    )
    battle = start(document, classes())
    battle.state.ship_by_name("r1").bogey = False
    moved, _ = resolve_documents(battle, {}, scripted())
    moved.state.ship_by_name("b2").y = 70.0
    fired, _ = resolve_documents(
        moved, {1: {"engage": {"b2": [{"weapon": "battery-1", "target": "r1"}]}}}, scripted()
    )
    assert not events_of(fired, "shot")
    assert events_of(fired, "shot-refused")[0].reason == "a decoy has no weapons"
    assert fired.state.ship_by_name("b2").bogey
