"""Results entered by people: impossible ones with their place, comparison, and the resulting state."""

from __future__ import annotations

from typing import Any, cast

import pytest

from engine.battle import battle_from
from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument
from engine.notation.files import fixture_classes
from engine.table_results.comparison import (
    as_side_would_enter,
    combine_results,
    find_differences,
    result_state,
    with_ship_ids,
)
from engine.table_results.ends import ResultDocument
from engine.table_results.validation import own_state, result_faults, side_faults

CLASSES = fixture_classes("second-edition")


def ship(id_: str, cls: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "class": cls,
        "at": [10, 10],
        "course": 3,
        "velocity": 4,
        "contact": f"c-{id_}",
        **more,
    }


def table(nac: Any, esu: list[dict[str, Any]], **more: Any) -> BattleFileDocument:
    sides = [{"name": "nac", "ships": nac}, {"name": "esu", "ships": esu}]
    document: Any = {"edition": "second-edition", "table": [72, 48], "sides": sides, **more}
    return cast(BattleFileDocument, document)


DUEL = table([ship("n1", "Light Cruiser"), ship("n2", "Frigate")], [ship("e1", "Light Cruiser")])
CARRIER = table([ship("n1", "Battledreadnought")], [ship("e1", "Destroyer")])


def end(
    status: str = "fighting", damage: int = 0, lost: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    return {"status": status, "damage": damage, "lost": list(lost), **more}


def ship_of_systems(id_: str, *systems: dict[str, Any]) -> dict[str, Any]:
    """Return a ship with only these systems."""
    design = {
        "class": "Own",
        "edition": "second-edition",
        "kind": "warship",
        "mass": 20,
        "thrust": 4,
        "ftl": "standard",
    }
    bare = {key: value for key, value in ship(id_, "").items() if key != "class"}
    return {**bare, "design": {**design, "systems": list(systems)}}


def result(took: int = 5, /, **ends: Any) -> ResultDocument:
    return {"schema": 1, "turns": took, "ships": ends}


def fault_codes(start: BattleFileDocument, entered: object) -> list[tuple[str, str]]:
    return [(fault.where, fault.code) for fault in result_faults(start, entered, CLASSES)]


def of_n1(start: BattleFileDocument = DUEL, **changed: Any) -> list[tuple[str, str]]:
    """Return the faults of an end of n1 while all others are undamaged."""
    ends = {ship["id"]: end() for side in start["sides"] for ship in side["ships"]}
    return fault_codes(start, result(**{**ends, "n1": end(**changed)}))


def test_uneventful_battle_is_plausible() -> None:
    assert of_n1() == []


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        pytest.param({"damage": 12}, ("ships.n1.damage", "damage"), id="more than its boxes"),
        pytest.param({"damage": -1}, ("ships.n1.damage", "damage"), id="less than it came with"),
        pytest.param({"damage": 11}, ("ships.n1.status", "not-destroyed"), id="no box left"),
        pytest.param(
            {"status": "destroyed", "damage": 10},
            ("ships.n1.damage", "boxes-left"),
            id="a box left",
        ),
        pytest.param({"lost": ("needle-1",)}, ("ships.n1.lost", "lost-system"), id="not aboard"),
        pytest.param(
            {"damage": 6, "lost": ("ftl", "ftl")}, ("ships.n1.lost", "lost-system"), id="lost twice"
        ),
        pytest.param(
            {"lost": ("battery-1",)}, ("ships.n1.lost", "lost-by-nothing"), id="no row crossed"
        ),
        pytest.param(
            {"status": "sunk"}, ("ships.n1.status", "unknown-status"), id="unknown status"
        ),
        pytest.param({"status": "scanned"}, ("ships.n1.status", "not-a-dummy"), id="no drone"),
        pytest.param(
            {"status": "ftl", "damage": 6, "lost": ("ftl",)},
            ("ships.n1.status", "no-ftl-drive"),
            id="ftl",
        ),
        pytest.param({"status": "captured"}, ("ships.n1.captor", "captor"), id="taken by nobody"),
        pytest.param({"captor": "esu"}, ("ships.n1.captor", "captor"), id="taken, and fights on"),
        pytest.param(
            {"status": "captured", "captor": "nac"},
            ("ships.n1.captor", "not-hostile"),
            id="by its own",
        ),
        pytest.param(
            {"status": "captured", "captor": "x"},
            ("ships.n1.captor", "unknown-side"),
            id="by strangers",
        ),
        pytest.param(
            {"cause": "ftl"},
            ("ships.n1.cause", "cause"),
            id="destroyed by something, and fights on",
        ),
        pytest.param(
            {"stock": {"battery-1": 1}}, ("ships.n1.stock.battery-1", "no-stock"), id="no stock"
        ),
        pytest.param({"damage": "all"}, ("ships.n1.damage", "not-a-number"), id="no number"),
        pytest.param({"colour": "red"}, ("ships.n1.colour", "unknown-key"), id="unknown key"),
    ],
)
def test_impossible_results_are_named_with_their_place(
    changed: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert of_n1(**changed) == [fault]


@pytest.mark.parametrize(
    "changed",
    [
        {"damage": 5, "lost": ("battery-1", "drive")},
        {"status": "destroyed", "damage": 11, "lost": ("battery-1",)},
        {"status": "destroyed", "damage": 3, "cause": "ftl"},
        {"status": "ftl"},
        {"status": "left", "damage": 9},
        {"status": "captured", "captor": "esu", "damage": 9, "lost": ("drive", "drive")},
    ],
)
def test_possible_results_have_no_fault(changed: dict[str, Any]) -> None:
    assert of_n1(**changed) == []


def test_asteroid_destroys_only_where_there_is_one() -> None:
    gone: dict[str, Any] = {"status": "destroyed", "damage": 2, "cause": "asteroid"}
    assert of_n1(**gone) == [("ships.n1.cause", "no-asteroids")]


def test_earlier_losses_and_damage_stay() -> None:
    start = table([ship("n1", "Light Cruiser", damage=2, lost=["drive"])], [ship("e1", "Frigate")])
    assert of_n1(start, damage=2, lost=("drive",)) == []
    assert of_n1(start, damage=1) == [
        ("ships.n1.damage", "damage"),
        ("ships.n1.lost", "lost-before"),
    ]


def test_needle_beam_destroys_a_system_without_a_row() -> None:
    start = table(
        [ship("n1", "Light Cruiser")], [ship_of_systems("e1", {"type": "needle", "arcs": ["F"]})]
    )
    assert of_n1(start, lost=("battery-1",)) == []


def test_fighters_die_only_with_a_cause() -> None:
    assert of_n1(CARRIER, stock={"fighter-bay-1": 7}) == [("ships.n1.stock.fighter-bay-1", "stock")]
    unarmed = table([ship("n1", "Battledreadnought")], [ship_of_systems("e1")])
    assert of_n1(unarmed, stock={"fighter-bay-1": 4}) == [
        ("ships.n1.stock.fighter-bay-1", "fighters-gone")
    ]
    assert (
        of_n1(unarmed, status="left", stock={"fighter-bay-1": 0}) == []
    )  # they found no bay to return to
    full = {"n1": end(stock={"fighter-bay-1": 4}), "e1": end("ftl")}
    assert fault_codes(unarmed, result(**full)) == []  # too near a jumping ship
    carriers = table([ship("n1", "Battledreadnought")], [ship("e1", "Fleet Carrier")])
    assert of_n1(carriers, stock={"fighter-bay-1": 4}) == []


def test_lost_bay_holds_nobody() -> None:
    end_values = {"damage": 12, "lost": ("fighter-bay-1",), "stock": {"fighter-bay-1": 2}}
    assert of_n1(CARRIER, **end_values) == [("ships.n1.stock.fighter-bay-1", "stock-lost")]
    assert of_n1(CARRIER, **{**end_values, "stock": {}}) == []


def test_drones_are_identified_or_leave() -> None:
    start = table(
        [ship("n1", "Scout Ship", dummy=True), ship("n2", "Frigate")],
        [ship("e1", "Frigate")],
        bogeys=True,
    )
    for status in ("fighting", "left", "scanned"):
        assert of_n1(start, status=status) == []
    assert of_n1(start, status="destroyed") == [("ships.n1", "dummy")]
    assert of_n1(start, damage=1) == [("ships.n1", "dummy")]


def test_every_ship_has_a_fate_and_all_faults_come_at_once() -> None:
    assert fault_codes(DUEL, {"turns": 0, "ships": {"n9": end()}, "colour": 1}) == [
        ("colour", "unknown-key"),
        ("turns", "turns"),
        ("ships.n1", "missing"),
        ("ships.n2", "missing"),
        ("ships.e1", "missing"),
        ("ships.n9", "unknown-ship"),
    ]
    assert fault_codes(DUEL, None)[0] == ("", "not-a-mapping")
    assert ("ships", "not-a-mapping") in fault_codes(DUEL, {"ships": []})


def sheet_of(start: BattleFileDocument, side: str) -> dict[str, Any]:
    own = next(part["ships"] for part in start["sides"] if part["name"] == side)
    foreign = [ship for part in start["sides"] if part["name"] != side for ship in part["ships"]]
    return {
        **{key: start.get(key, False) for key in ("edition", "table", "bogeys")},
        "rules": NEWEST,
        "options": [],
        "side": side,
        "sides": [part["name"] for part in start["sides"]],
        "own": own,
        "contacts": [{"id": ship["contact"]} for ship in foreign],
    }


def test_side_is_asked_about_its_own_ships_only() -> None:
    sheet = sheet_of(DUEL, "nac")
    assert [item.id for item in own_state(sheet, CLASSES).ships] == ["n1", "n2"]
    entered = result(n1=end(damage=99), n2=end(), **{"c-e1": end(damage=99, lost=("battery-99",))})
    assert [(item.where, item.code) for item in side_faults(sheet, entered, CLASSES)] == [
        ("ships.n1.damage", "damage")
    ]
    entered = result(n1=end(), e1=end())
    assert [(item.where, item.code) for item in side_faults(sheet, entered, CLASSES)] == [
        ("ships.n2", "missing"),
        ("ships.e1", "unknown-ship"),
    ]
    unlike = table(DUEL["sides"][0]["ships"], [ship("e1", "Fleet Carrier")])
    entered = result(
        n1=end("captured", captor="mars"), n2=end(), **{"c-e1": end("captured", captor="mars")}
    )
    results = [side_faults(sheet_of(start, "nac"), entered, CLASSES) for start in (DUEL, unlike)]
    assert results[0] == results[1] != ()


def test_differences_between_sides_are_named_exactly() -> None:
    nac = with_ship_ids(
        DUEL,
        "nac",
        result(n1=end(damage=3), n2=end("left"), **{"c-e1": end(damage=5, lost=("a", "b"))}),
    )
    esu = with_ship_ids(
        DUEL, "esu", result(6, e1=end(damage=5, lost=("b", "a")), **{"c-n1": end(damage=4)})
    )
    reports = find_differences(DUEL, {"nac": ("nac", nac), "esu": ("esu", esu)})
    assert [(difference.ship, difference.part, difference.entries) for difference in reports] == [
        ("n1", "damage", (("nac", 3), ("esu", 4))),
        ("", "turns", (("nac", 5), ("esu", 6))),
    ]
    assert find_differences(DUEL, {"nac": ("nac", nac)}) == ()


def test_agreed_results_use_each_sides_own_entry() -> None:
    nac = with_ship_ids(
        CARRIER, "nac", result(n1=end(stock={"fighter-bay-1": 3}), **{"c-e1": end("destroyed", 8)})
    )
    esu = with_ship_ids(CARRIER, "esu", result(e1=end("destroyed", 8, ("ftl",)), **{"c-n1": end()}))
    assert find_differences(CARRIER, {"nac": ("nac", nac), "esu": ("esu", esu)}) == ()
    merged = combine_results(CARRIER, {"nac": ("nac", nac), "esu": ("esu", esu)})
    assert merged["ships"] == {
        "n1": end(stock={"fighter-bay-1": 3}),
        "e1": end("destroyed", 8, ("ftl",)),
    }


def test_entry_of_one_ally_about_stores_counts() -> None:
    half_used = result(n1=end(stock={"fighter-bay-1": 3}), e1=end())
    results = {
        "ann": ("nac", result(n1=end(), e1=end())),
        "bob": ("nac", half_used),
        "eva": ("esu", result(n1=end(), e1=end())),
    }
    assert find_differences(CARRIER, results) == ()
    assert combine_results(CARRIER, results)["ships"]["n1"] == end(stock={"fighter-bay-1": 3})


def test_complete_result_hides_bogeys_from_the_other_side() -> None:
    ends = result(n1=end(), n2=end(), e1=end())
    assert set(as_side_would_enter(DUEL, "nac", ends)["ships"]) == {"n1", "n2", "c-e1"}
    assert set(as_side_would_enter({**DUEL, "bogeys": True}, "nac", ends)["ships"]) == {"n1", "n2"}


def test_entered_result_ends_a_battle() -> None:
    ends = result(
        7,
        n1=end(damage=6, lost=("drive", "screen-1")),
        n2=end("destroyed", 5),
        e1=end("captured", 9, captor="nac"),
    )
    state, winner, turns = result_state(DUEL, ends, CLASSES)
    assert (winner, turns, state["stop"], state["turn"]) == ("nac", 7, "over", 7)
    assert state["ships"]["n1"]["damage"] == 6
    assert sorted(state["ships"]["n1"]["lost"]) == ["drive", "screen-1"]
    assert (state["ships"]["e1"]["status"], state["ships"]["e1"]["captor"]) == ("captured", "nac")
    assert battle_from(state).winner == "nac"
    state, winner, _ = result_state(
        CARRIER, result(n1=end(stock={"fighter-bay-1": 2}), e1=end()), CLASSES
    )
    assert winner is None
    assert state["ships"]["n1"]["stock"] == {"fighter-bay-1": 2}
