"""The set-up phase: sides place their ships in secret or in turn, and turn 1 begins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.battle import Battle, battle_from, fight, start
from engine.captains.common.doctrine import FORMATIONS, Doctrine
from engine.core.dice import Dice
from engine.core.kinds import INBOUND
from engine.core.state import PLOT, SET_UP
from engine.known_battle import known_battle
from engine.stops import advise, awaited_sides, read_orders, resolve_documents, side_view
from engine.view.side_log import side_log
from tests.engine.battle.test_set_up import GUARD, STATION, battle

pytestmark = pytest.mark.rule("pc.deployment")
NAC, ESU = 0, 1
LEFT_AND_RIGHT = {"nac": {"edge": "left", "ftl": True}, "esu": {"edge": "right"}}
IN_TURN = {"kind": "meeting", "manner": "by-ship", "first": "nac"}


def begin(deployment: Mapping[str, Any], **more: Any) -> Battle:
    return start(battle(deployment, **more), asks_set_up=True)


def play(now: Battle, **places: Mapping[str, Any]) -> Battle:
    """Resolve a step of the set-up; sides that give no places have their captain's."""
    documents = {}
    for side in awaited_sides(now):
        name = now.state.sides[side]
        if name in places:
            documents[side] = {"set_up": places[name]}
    return resolve_documents(now, documents, Dice(1))[0]


def faults(now: Battle, side: int, **places: Any) -> list[tuple[str, str]]:
    """Return the faults of places by what a side knows, which are those by the whole truth."""
    document = {"set_up": places}
    known = battle_from(json.loads(json.dumps(known_battle(now, side).to_json())))
    found = [read_orders(whole, side, document)[1] for whole in (known, now)]
    assert found[0] == found[1]
    return sorted((fault.where, fault.code) for fault in found[0])


def seen_by(now: Battle, side: int) -> str:
    """Return all that a side knows of a battle, with the advice of its captain, as JSON."""
    known = known_battle(now, side)
    return json.dumps(
        [
            side_view(now, side),
            known.to_json(),
            advise(known, side, Doctrine(formation="wedge"), "x"),
            side_log(now.events, now.state, side),
        ]
    )


def place_of(now: Battle, name: str) -> tuple[float, float, int, int]:
    ship = now.state.ship_by_name(name)
    return ship.x, ship.y, ship.course, ship.velocity


def test_both_sides_place_in_secret_and_are_revealed_at_once() -> None:
    opened = begin({"kind": "meeting"})
    assert (opened.state.stop, opened.turn, awaited_sides(opened)) == (SET_UP, 0, (NAC, ESU))
    assert side_view(opened, NAC)["contacts"] == []
    assert side_view(opened, NAC)["set_up"]["to_place"] == ["n1", "n2", "n3"]
    begun = play(opened, nac={"n2": {"at": [5, 6], "course": 2, "velocity": 12}})
    assert (begun.state.stop, begun.turn) == (PLOT, 1)
    assert place_of(begun, "n2") == (5.0, 6.0, 2, 12)
    assert place_of(begun, "n1") == (3.0, 12.0, 3, 8)  # as its captain proposed
    assert [contact["at"] for contact in side_view(begun, ESU)["contacts"]][1] == [5.0, 6.0]


def test_first_side_places_all_ships_before_the_other_sees_them() -> None:
    deployment = {"kind": "ambush"}
    opened = begin(deployment)
    assert awaited_sides(opened) == (NAC,)
    assert faults(opened, ESU, e1={"at": [1, 1]}) == [("set_up.e1", "out-of-turn")]
    second = play(opened, nac={"n1": {"at": [30, 24]}})
    assert (second.state.stop, awaited_sides(second)) == (SET_UP, (ESU,))
    assert [30.0, 24.0] in [contact["at"] for contact in side_view(second, ESU)["contacts"]]
    assert faults(second, ESU, e1={"at": [40, 24]}) == [("set_up.e1.at", "deployment")]
    begun = play(second)
    distances = []
    for own in side_view(begun, ESU)["own"].values():
        for contact in side_view(begun, ESU)["contacts"]:
            distances.append(abs(complex(*own["at"]) - complex(*contact["at"])))
    assert min(distances) >= 18


@pytest.mark.rule("pc.placing-in-turn")
def test_sides_place_ships_in_turn() -> None:
    """Continuum 4.12: cruisers come before escorts."""
    capital = {"label": "cruiser"}
    opened = begin({**IN_TURN, "order": ["cruiser"]}, first=[{}, capital, {}])
    assert side_view(opened, NAC)["set_up"]["side"] == "nac"
    assert opened.state.set_up is not None
    choice = opened.state.set_up.placeable(NAC, opened.state.ships)
    assert [ship.call_sign for ship in choice] == ["n2"]
    assert faults(opened, NAC, n1={"at": [1, 1]}) == [("set_up.n1", "out-of-turn")]
    both = {"n2": {"at": [1, 1]}, "n3": {"at": [1, 3]}}
    assert faults(opened, NAC, **both) == [("set_up.n3", "out-of-turn")]
    now = play(opened, nac={"n2": {"at": [1, 1]}})
    turns = [now.state.sides[awaited_sides(now)[0]]]
    assert place_of(now, "n2")[:2] == (1.0, 1.0)
    while (now := play(now)).state.stop == SET_UP:
        turns.append(now.state.sides[awaited_sides(now)[0]])
    assert turns == ["esu", "nac", "esu", "nac"]


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ({"at": [20, 20]}, ("n1.at", "deployment")),
        ({"at": [-1, 20]}, ("n1.at", "off-table")),
        ({"at": "here"}, ("n1.at", "not-a-pair")),
        ({"course": 13}, ("n1.course", "course")),
        ({"velocity": 25}, ("n1.velocity", "velocity")),
        ({"ftl_entry": 11}, ("n1.ftl_entry", "ftl-entry")),
        ({"facing": 3}, ("n1.facing", "facing")),
        ({"aloft": ["hangar-1"]}, ("n1.aloft", "aloft")),
        ({"docked": "n2"}, ("n1.docked", "docked")),
        ({"class": "Scout"}, ("n1.class", "unknown-key")),
        ("here", ("n1", "not-a-mapping")),
    ],
)
def test_fault_is_that_of_a_battle_file(place: Any, fault: tuple[str, str]) -> None:
    opened = begin({"zones": LEFT_AND_RIGHT})
    where, code = fault
    assert (f"set_up.{where}", code) in faults(opened, NAC, n1=place)
    assert faults(opened, NAC, e1={}) == [("set_up.e1", "unknown-ship")]


def test_one_ship_begins_on_the_table() -> None:
    opened = begin({"zones": LEFT_AND_RIGHT})
    held_back = {"ftl_entry": 3, "at": [30, 20]}
    everything = {"n1": held_back, "n2": held_back, "n3": held_back}
    assert faults(opened, NAC, **everything) == [("set_up", "nobody-there")]
    begun = play(opened, nac={"n1": held_back, "n2": held_back})
    statuses = [ship.status for ship in begun.state.ships[:3]]
    assert statuses.count(INBOUND) == 2
    assert len(side_view(begun, ESU)["contacts"]) == 1


def test_ship_that_the_file_keeps_in_ftl_stays_there() -> None:
    opened = begin({"kind": "meeting"}, second=[{"at": [70, 3], "ftl_entry": 2}])
    assert play(opened).state.ship_by_name("e1").status == INBOUND
    decoy = {"dummy": True}
    opened = begin(
        {"kind": "meeting"}, second=[{"at": [70, 3], "ftl_entry": 2}, decoy], bogeys=True
    )
    assert faults(opened, ESU, e2={"at": [70, 9]}) == []


def test_station_of_the_file_stays_and_ships_dock_at_it() -> None:
    station = {"design": STATION, "at": [3, 20], "velocity": 0, "berths": [20]}
    opened = begin(
        {"kind": "meeting"}, first=[{}, station, {"design": GUARD}], second=[{"at": [70, 3]}]
    )
    assert side_view(opened, NAC)["set_up"]["to_place"] == ["n1", "n3"]
    assert side_view(opened, ESU)["set_up"]["to_place"] == ["e1"]
    assert faults(opened, NAC, n2={"at": [3, 3]}) == [("set_up.n2", "out-of-turn")]
    begun = play(opened, nac={"n1": {"at": [3, 20], "docked": "n2"}})
    assert begun.state.ship_by_name("n1").dock == "n2"
    assert side_view(begun, ESU)["contacts"][0]["id"] == "n2"  # n1 is in a berth
    assert place_of(begun, "e1")[:2] == (70.0, 3.0)


@pytest.mark.rule("pc.gates")
def test_ship_begins_only_at_gates_that_its_side_can_use() -> None:
    """An enemy's gate is closed to it, and one that its own entry does not list."""
    scout = {"class": "Scout", "edition": "continuum", "kind": "warship", "mass": 6, "thrust": 4}
    design = {"design": scout | {"hull": {"boxes": 2}, "ftl": "standard", "systems": []}}
    gates = [
        {"id": "theirs", "at": [50, 24], "mass": 60, "side": "esu"},
        {"id": "ours", "at": [20, 24], "mass": 60, "side": "nac"},
        {"id": "free", "at": [36, 24], "kind": "jump-point"},
    ]
    first = [design, design, {**design, "gates": ["free"]}]
    more: dict[str, Any] = {"edition": "continuum", "gates": gates}
    opened = begin({"kind": "meeting"}, first=first, second=[design], **more)

    def at_gate(ship: str, gate: str) -> list[tuple[str, str]]:
        return faults(opened, NAC, **{ship: {"ftl_entry": 3, "gate": gate, "velocity": 4}})

    assert at_gate("n1", "theirs") == [("set_up.n1.gate", "gate")]
    assert at_gate("n1", "ours") == at_gate("n1", "free") == at_gate("n3", "free") == []
    assert at_gate("n3", "ours") == [("set_up.n3.gate", "gate")]


@pytest.mark.parametrize("formation", ["", *FORMATIONS])
@pytest.mark.parametrize("kind", ["meeting", "converging", "defence", "stand-off", "ambush"])
def test_proposal_of_every_formation_is_valid(kind: str, formation: str) -> None:
    now = begin({"kind": kind}, first=[{}] * 9, second=[{"label": "capital"}] * 7)
    doctrine = Doctrine(formation=formation, reserve=3, speed=6)
    while now.state.stop == SET_UP:
        documents = {}
        for side in awaited_sides(now):
            known = known_battle(now, side)
            documents[side] = advise(known, side, doctrine, "x")
            assert read_orders(known, side, documents[side])[1] == ()
        now, _ = resolve_documents(now, documents, Dice(1))
        for document in documents.values():
            for name, place in document["set_up"].items():
                ship = now.state.ship_by_name(name)
                assert [round(ship.x, 2), round(ship.y, 2)] == place["at"]


@pytest.mark.parametrize("formation", FORMATIONS)
def test_proposal_is_valid_in_each_part_of_a_zone(formation: str) -> None:
    """Ships that the first part has no room for have course and velocity of the second."""
    parts = [
        {"edge": "left", "deep": 3, "half": True, "velocity": 6, "courses": [3]},
        {"edge": "top", "velocity": 12, "courses": [6]},
    ]
    zones = {"nac": parts, "esu": {"edge": "right"}}
    opened = begin({"zones": zones}, first=[{}] * 14)
    proposed = advise(opened, NAC, Doctrine(formation=formation), "")["set_up"]
    assert faults(opened, NAC, **proposed) == []


def test_base_off_the_table_limits_no_place() -> None:
    zones = {
        "nac": {"edge": "left", "apart": {"enemies": 18}, "ftl": True},
        "esu": {"edge": "right", "ftl": True},
    }
    document = battle({"manner": "by-side", "first": "esu", "zones": zones}, second=[{}])
    document["sides"][1]["based"] = [{"at": [0, 7]}]
    now = start(document, asks_set_up=True)
    assert faults(now, ESU, e1={"ftl_entry": 3}) == [("set_up", "nobody-there")]
    now = play(now)
    assert faults(now, NAC, n1={"at": [3, 7.5]}) == []


def test_other_side_learns_nothing_of_a_hidden_place() -> None:
    """Twin worlds: the place that is proposed, and when and where ships drop out of FTL."""
    worlds = []
    for x in (1, 5):
        opened = begin({"kind": "meeting"}, first=[{"at": [x, 3], "course": x}, {}, {}])
        worlds.append(seen_by(opened, ESU))
        opened = begin({"zones": LEFT_AND_RIGHT, "manner": "by-side", "first": "nac"})
        held_back = {"n1": {"ftl_entry": x + 2, "at": [30 + x, 20], "velocity": x}}
        worlds.append(seen_by(play(opened, nac=held_back), ESU))
    assert worlds[0] == worlds[2]
    assert worlds[1] == worlds[3]


def test_captains_set_up_and_fight_on_from_a_stored_battle() -> None:
    opened = begin({**IN_TURN, "zones": LEFT_AND_RIGHT})
    stored = battle_from(json.loads(json.dumps(opened.to_json())))
    doctrines = {"nac": {"formation": "wedge"}}
    ends = [fight(now, doctrines, Dice(3), "x", 3).to_json() for now in (opened, stored)]
    assert ends[0] == ends[1]
    assert ends[0]["turn"] == 3


def test_battle_file_without_a_table_of_zones_begins_with_turn_1() -> None:
    slow = {"velocity": 6}
    by_word = start(battle("meeting", first=[slow], second=[slow]), asks_set_up=True)
    assert by_word.state.stop == PLOT
    placed = {"n1": {"at": [1, 1]}, "n2": {"at": [1, 3]}, "n3": {"at": [1, 5]}}
    placed |= {"e1": {"at": [70, 1]}, "e2": {"at": [70, 3]}}
    assert begin({"kind": "meeting"}, set_up=placed).state.stop == PLOT
