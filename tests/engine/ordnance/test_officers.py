"""Automatic point defence: as the captain would order it, invisible to others, and revocable."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, ResolvedStop, begin, fight, play_orders, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.documents import replay
from engine.known_battle import known_battle
from engine.notation.battles import read_battle
from engine.view.side_log import side_log
from engine.view.side_view import observe

pytestmark = pytest.mark.rule("pc.point-defence")

ALL = ["F", "FS", "AS", "A", "AP", "FP"]
DESIGN: dict[str, Any] = {
    "class": "Missile ship", "edition": "continuum", "kind": "warship", "mass": 80,
    "hull": {"boxes": 24, "rows": 4}, "thrust": 4, "ftl": "none",
    "systems": [
        {"type": "firecon"}, {"type": "pds"}, {"type": "beam", "class": 1, "arcs": ALL}, {"type": "heavy-missile"},
        {"type": "heavy-missile"},
    ],
}  # fmt: skip
LAUNCH = {"launch": {"n1": [{"weapon": "heavy-missile-1", "at": [33, 20.5]}]}}


def document(*options: str, **blue: Any) -> dict[str, Any]:
    """Return a battle in which red can reach blue's two ships with missiles in the first turn."""
    place = {"design": DESIGN, "velocity": 4}
    sides = [
        {"name": "red", "ships": [{"id": "n1", "at": [10, 20], "course": 3, **place}]},
        {
            "name": "blue",
            "ships": [
                {"id": f"e{n}", "at": [38, 18 + 2 * n], "course": 9, **place} for n in (1, 2)
            ],
            **blue,
        },
    ]
    return {
        "edition": "continuum",
        "table": [72, 48],
        "sides": sides,
        "options": [*options],
        "seed": 5,
    }


def attacked(**orders: Any) -> tuple[Battle, ResolvedStop]:
    """Return blue under attack after such orders beside its plots, and the phase of those orders."""
    battle, stop = stops.resolve_documents(
        start(document()), {0: {"plot": {}, **LAUNCH}, 1: {"plot": {}, **orders}}, Dice(3)
    )
    assert battle.state.stop == "defend"
    return battle, stop


def log(battle: Battle) -> list[Any]:
    return battle.events_json


@pytest.mark.parametrize("options", [(), ("point-defence-level",)])
def test_automatic_defence_equals_the_captains_orders(options: tuple[str, ...]) -> None:
    officer_file = read_battle(document(*options, officers=True) | {"turns": [LAUNCH]}, {})
    officer_battle = play_orders(begin(officer_file), Dice(5), officer_file.turns)
    at_stop, _ = stops.resolve_documents(
        start(document(*options)), {0: {"plot": {}, **LAUNCH}, 1: {"plot": {}}}, Dice(5)
    )
    captain = Captain(Doctrine(), Dice(1))
    defence_orders = {
        name: [order.to_json() for order in orders]
        for name, orders in captain.defences(observe(at_stop.state, 1)).items()
    }
    assert defence_orders
    ordered_file = read_battle(
        document(*options) | {"turns": [{**LAUNCH, "defend": defence_orders}]}, {}
    )
    assert log(play_orders(begin(ordered_file), Dice(5), ordered_file.turns)) == log(officer_battle)
    if not options:  # a class 1 beam defends only by order, which the computer gives
        alone = read_battle(document(*options) | {"turns": [LAUNCH]}, {})
        assert log(play_orders(begin(alone), Dice(5), alone.turns)) != log(officer_battle)


def test_given_orders_take_precedence() -> None:
    nothing = {**LAUNCH, "defend": {"e1": [], "e2": []}}
    file = read_battle(document(officers=["e1", "e2"]) | {"turns": [nothing]}, {})
    event_kinds = [event.kind for event in play_orders(begin(file), Dice(5), file.turns).events]
    assert "point-defence" not in event_kinds
    file = read_battle(
        document(officers=["e1"]) | {"turns": [{**LAUNCH, "defend": {"e2": []}}]}, {}
    )
    assert [
        event.kind for event in play_orders(begin(file), Dice(5), file.turns).events
    ] != event_kinds


def test_setting_is_plotted_and_can_be_overridden_in_the_phase() -> None:
    battle, stop = attacked(officers={"e1": True})
    assert [ship.record.officers for ship in battle.state.ships] == [False, True, False]
    assert replay(stop.before, stop.events).ship_by_name("e1").record.officers
    own = [line for line in side_log(stop.events, stop.before, 1) if line.get("note") == "officers"]
    assert [line["ship"] for line in own] == ["e1"]
    after, _ = stops.resolve_documents(
        battle, {1: {"defend": {}, "officers": {"e1": False, "e2": True}}}, Dice(3)
    )
    assert [ship.record.officers for ship in after.state.ships] == [False, False, True]


def test_enemy_view_is_independent_of_the_setting() -> None:
    """With the same dice and orders everything a rival sees is equal."""
    worlds = [
        attacked(officers={"e1": True, "e2": True}),
        attacked(),
        attacked(officers={"e2": True}),
    ]
    records = []
    for battle, stop in worlds:
        after, later = stops.resolve_documents(
            battle, {1: stops.advise(battle, 1, Doctrine(), "7")}, Dice(9)
        )
        logs = [side_log(item.events, item.before, 0) for item in (stop, later)]
        views = [
            [stops.side_view(item, 0), known_battle(item, 0).to_json()] for item in (battle, after)
        ]
        records.append((logs, views, stops.awaited_sides(battle), stops.awaited_sides(after)))
    assert records[0] == records[1] == records[2]
    own = [stops.side_view(battle, 1) for battle, _ in worlds]
    assert own[0] != own[1] != own[2]


def test_new_commander_does_not_learn_the_setting() -> None:
    ship = attacked(officers={"e1": True})[0].state.ship_by_name("e1")
    assert ship.record.officers
    ship.change_commander(0)
    assert not ship.record.officers


@pytest.mark.parametrize(
    ("orders", "where", "code"),
    [
        ({"officers": {"e1": 1}}, "officers.e1", "officers"),
        ({"officers": {"n1": True}}, "officers.n1", "unknown-ship"),
        ({"officers": True}, "officers", "not-a-mapping"),
    ],
)
def test_order_faults_are_named_with_their_places(
    orders: dict[str, Any], where: str, code: str
) -> None:
    read, faults = stops.read_orders(start(document()), 1, {"plot": {}, **orders})
    assert read is None
    assert [(fault.where, fault.code) for fault in faults] == [(where, code)]


@pytest.mark.parametrize(
    ("officers", "where", "code"),
    [
        ("yes", "sides[1].officers", "officers"),
        (["e1", "n1"], "sides[1].officers[1]", "unknown-ship"),
    ],
)
def test_battle_file_faults_are_named_with_their_places(
    officers: object, where: str, code: str
) -> None:
    with pytest.raises(RuleViolations) as caught:
        start(document(officers=officers))
    assert [(fault.where, fault.code) for fault in caught.value.violations] == [(where, code)]


def test_second_edition_has_no_such_setting() -> None:
    hulk = {
        "class": "Hulk",
        "edition": "second-edition",
        "kind": "warship",
        "mass": 10,
        "thrust": 2,
        "ftl": "none",
    }
    ships = [
        {"id": name, "design": {**hulk, "systems": []}, "at": [x, 9], "course": 12}
        for name, x in (("a", 9), ("b", 30))
    ]
    sides = [
        {"name": "red", "ships": ships[:1], "officers": True},
        {"name": "blue", "ships": ships[1:]},
    ]
    with pytest.raises(RuleViolations) as caught:
        start({"edition": "second-edition", "sides": sides})
    assert ("sides[0].officers", "officers") in [
        (fault.where, fault.code) for fault in caught.value.violations
    ]


def by_turn(file: dict[str, Any], turns: int) -> list[list[str]]:
    """Return the phases of each turn of a battle that captains fight."""
    kinds_by_turn: list[list[str]] = [[] for _ in range(turns)]
    read = read_battle(file, {})
    fight(
        begin(read),
        {},
        Dice(4),
        "4",
        turns,
        lambda stop: kinds_by_turn[stop.turn - 1].append(stop.kind),
    )
    return kinds_by_turn


def test_full_turn_has_five_phases_and_a_gun_battle_two() -> None:
    hangar = {"type": "hangar", "load": {"attack": 6}}
    carrier = {
        **DESIGN,
        "mass": 120,
        "systems": [*DESIGN["systems"], hangar, {"type": "launch-tube"}],
    }
    full = document("boarding", "core-systems")
    for side in full["sides"]:
        for ship in side["ships"]:
            ship["design"] = carrier
    turns = by_turn(full, 6)
    assert max(map(len, turns)) == 5
    assert any(turn == ["plot", "attack", "defend", "engage", "control"] for turn in turns)
    guns = document()
    for side in guns["sides"]:
        for ship in side["ships"]:
            ship["design"] = {**DESIGN, "systems": DESIGN["systems"][:3]}
    assert by_turn({**guns, "options": ["no-repairs"]}, 6)[:4] == [["plot", "engage"]] * 4
