"""Bogeys: passive sensors, drones, and that an unidentified ship shows nothing but a contact."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import Battle, ResolvedStop, fight, start
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.notation.battles import read_battle
from engine.view.side_view import observe
from tests.engine.battle.table import (
    at,
    classes,
    events_of,
    fire,
    gunship,
    play,
    scripted,
    setup,
    ship,
)


def two_cruisers(distance: float, **more: Any) -> dict[str, Any]:
    return setup(
        [gunship("r1", 60, 10, "A")],
        [gunship("b1", 60, 10 + distance, "A", 6)],
        bogeys=True,
        **more,
    )


@pytest.mark.rule("2e.sensors")
@pytest.mark.parametrize(("distance", "bogey"), [(36, False), (36.01, True), (12, False)])
def test_passive_sensors_identify_both_at_36(distance: float, bogey: bool) -> None:
    battle = play(two_cruisers(distance), [])
    assert [at(battle, name).bogey for name in ("r1", "b1")] == [bogey, bogey]


@pytest.mark.rule("2e.sensors")
def test_scans_follow_ship_movement() -> None:
    document = setup(
        [gunship("r1", 60, 10, "A", velocity=10)], [gunship("b1", 60, 56, "A", 6)], bogeys=True
    )
    assert at(play(document, []), "b1").bogey
    battle = play(document, [{}])
    assert not at(battle, "b1").bogey
    assert [(event.turn, event.ship) for event in events_of(battle, "contact-identified")] == [
        (1, "r1"),
        (1, "b1"),
    ]


@pytest.mark.rule("2e.sensors")
def test_bogey_cannot_be_fired_at() -> None:
    battle = play(two_cruisers(40), [{"engage": {"r1": fire(("battery-1", "b1"))}}])
    assert not events_of(battle, "shot")


@pytest.mark.rule("2e.dummies")
def test_scanned_drone_is_removed_and_scans_nobody() -> None:
    drone = ship("b2", "Scout Ship", 60, 60, 6, 10, dummy=True, label="escort", contact="Q")
    document = setup(
        [gunship("r1", 60, 10, "A")], [gunship("b1", 110, 110, "A", 6), drone], bogeys=True
    )
    battle = play(document, [{"plot": {"b2": "+4"}}])
    assert at(battle, "b2").status == "scanned"
    assert at(battle, "r1").bogey
    assert events_of(battle, "dummy-identified")[0].contact == "Q"


@pytest.mark.rule("2e.dummies")
def test_drones_are_not_ships_in_play() -> None:
    blue = [
        ship("b1", "Scout Ship", 10, 118, 12, 6),
        ship("b2", "Scout Ship", 10, 100, 6, dummy=True),
    ]
    document = setup([gunship("r1", 60, 10, "A")], blue, bogeys=True)
    assert play(document, [{}], re_entry=[1]).winner == "red"


def test_drones_need_bogeys() -> None:
    document = setup([gunship("r1", 60, 10, "A")], [ship("b1", "Scout Ship", 60, 60, dummy=True)])
    with pytest.raises(RuleViolations, match="decoys need a battle"):
        start(document, classes())


def far_apart(hidden: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a battle in which red sees only contacts of blue: all stay beyond 36 MU for a turn."""
    return setup([ship("r1", "Frigate", 60, 4, 3, 2)], hidden, bogeys=True)


# Two blue fleets that differ in everything red may not know: classes, ids, damage, drones, order.
FLEET_A = [
    ship("b1", "Battleship", 30, 100, 6, 4, label="escort", contact="Q7"),
    ship("b2", "Frigate", 50, 100, 6, 4, label="escort", contact="A3"),
    ship("b3", "Scout Ship", 70, 100, 6, 4, label="escort", contact="M1", dummy=True),
]
FLEET_B = [
    ship("zz", "Weasel Scout", 70, 100, 6, 4, label="escort", contact="M1", damage=1),
    ship("b9", "Frigate", 50, 100, 6, 4, label="escort", contact="A3", damage=2),
    ship("b1", "Scout Ship", 30, 100, 6, 4, label="escort", contact="Q7", dummy=True),
]


def stops(document: dict[str, Any]) -> list[ResolvedStop]:
    result: list[ResolvedStop] = []
    fight(
        start(document, classes()), {"blue": {"style": "straight"}}, Dice(1), "x", 1, result.append
    )
    return result


@pytest.mark.rule("2e.sensors")
def test_similar_hidden_fleets_give_equal_bytes() -> None:
    views = [
        [json.dumps(stop.view(0)) for stop in stops(far_apart(fleet))]
        for fleet in (FLEET_A, FLEET_B)
    ]
    assert views[0] == views[1]
    assert "Battleship" not in "".join(views[0])


@pytest.mark.rule("2e.sensors")
@pytest.mark.parametrize(
    "change", [{"label": "capital"}, {"velocity": 5}, {"contact": "Z9"}, {"at": [31, 100]}]
)
def test_comparison_detects_a_difference(change: dict[str, Any]) -> None:
    other = [{**FLEET_B[0], **change}, {**FLEET_B[1]}, {**FLEET_B[2]}]
    views = [
        [json.dumps(stop.view(0)) for stop in stops(far_apart(fleet))] for fleet in (FLEET_A, other)
    ]
    assert views[0] != views[1]


@pytest.mark.rule("2e.sensors")
def test_side_sees_own_ships_fully_and_others_by_contact() -> None:
    battle: Battle = start(far_apart(FLEET_A), classes())
    red = observe(battle.state, 0)
    assert [contact.id for contact in red.contacts] == ["A3", "M1", "Q7"]
    assert all(contact.sheet is None and contact.lost_systems is None for contact in red.contacts)
    blue = observe(battle.state, 1)
    assert [own.sheet.cls for own in blue.own_ships] == ["Battleship", "Frigate", "Scout Ship"]
    assert [contact.label for contact in blue.contacts] == ["escort"]


@pytest.mark.rule("2e.sensors")
def test_damage_of_an_unidentified_ship_does_not_reveal_its_class() -> None:
    # Blue's jumping ship damages its own neighbour; red sees the jump, but no damage or threshold
    # dice.
    blue = [
        ship("b1", "Destroyer", 60, 100, 6, 4, contact="J"),
        ship("b2", "Destroyer", 62, 94, 6, 0, contact="N", damage=2),
    ]
    document = far_apart(blue) | {"turns": [{"plot": {"b1": "ftl"}}, {}]}
    battle = start({key: value for key, value in document.items() if key != "turns"}, classes())
    stops: list[ResolvedStop] = []
    file = read_battle(document, classes())
    idle = {"red": {"style": "straight"}, "blue": {"style": "straight"}}
    fight(
        battle,
        idle,
        scripted(ftl=[3], damage=[1], threshold=[1] * 8),
        "x",
        2,
        stops.append,
        turns=file.turns,
    )
    log = json.dumps([stop.view(0)["log"] for stop in stops])
    own = json.dumps([stop.view(1)["log"] for stop in stops])
    assert '"J"' in log
    assert "ftl-exit" in log
    assert "b1" not in log
    assert "b2" not in log
    assert "threshold" not in log
    assert "threshold" in own


@pytest.mark.rule("2e.sensors")
def test_identified_ship_keeps_its_code_and_shows_its_class() -> None:
    red = [ship("red/s7", "Frigate", 60, 10, 12, 6, contact="R")]
    blue = [ship("blue/s41", "Destroyer", 60, 60, 6, 6, contact="B")]
    document = setup(red, blue, bogeys=True)
    stops: list[ResolvedStop] = []
    fight(start(document, classes()), {}, Dice(4), "4", 12, stops.append)
    views = json.dumps([stop.view(0) for stop in stops])
    assert "blue/s41" not in views
    assert (
        '"event": "contact-identified", "turn": 1, "ship": "B", "contact": "B", "cls": "Destroyer", "by": "red/s7"'
        in views
    )
    assert any(
        line["event"] == "shot" and line["target"] == "B"
        for stop in stops
        for line in stop.view(0)["log"]
    )
    assert any(
        line["event"] == "shot" and line["target"] == "R"
        for stop in stops
        for line in stop.view(1)["log"]
    )


@pytest.mark.rule("2e.sensors")
@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (("x", "x"), [("sides[1].ships[0].contact", "contact-twice")]),
        (("b1", "y"), [("sides[0].ships[0].contact", "contact-twice")]),
        (
            ("b1", "b1"),
            [("sides[0].ships[0].contact", "contact-twice")],
        ),  # the second is its own id
        (("r1", "y"), []),
        (("x", "y"), []),
    ],
)
def test_contact_code_is_unique(codes: tuple[str, str], expected: list[tuple[str, str]]) -> None:
    document = two_cruisers(40)
    for side, code in zip(document["sides"], codes, strict=True):
        side["ships"][0]["contact"] = code
    if not expected:
        read_battle(document, classes())
        return
    with pytest.raises(RuleViolations) as caught:
        read_battle(document, classes())
    assert [(fault.where, fault.code) for fault in caught.value.violations] == expected


@pytest.mark.rule("2e.sensors")
def test_repeated_order_for_a_ship_is_a_fault() -> None:
    document = setup([gunship("1", 60, 10, "A")], [gunship("b1", 60, 50, "A", 6)])
    for engage in (
        {1: fire(("battery-1", "b1")), "1": []},
        [["1", []], ["1", fire(("battery-1", "b1"))]],
    ):
        with pytest.raises(RuleViolations) as caught:
            read_battle({**document, "turns": [{"engage": engage}]}, classes())
        assert [fault.code for fault in caught.value.violations] == ["ship-twice"]
