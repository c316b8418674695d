"""A ship that changes hands in battle: orders, fire, visibility, and ownership."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, ResolvedStop, battle_from, fight, play_orders, start
from engine.captains.common.doctrine import Doctrine
from engine.combat.capture import take_over
from engine.continuum.squadrons import leader_of
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.facts import fact, facts_of
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import FTL, Fate
from engine.core.notes import write_fact
from engine.core.ship_facts import ShipRecord
from engine.core.state import OVER
from engine.core.table import Table
from engine.core.victory import decide_outcome, has_met_fate, known_terms, scores
from engine.documents import event_from_json, replay
from engine.events.event import Event, Open
from engine.events.fire import BeamsFired, GunFired
from engine.events.movement import OrderRefused
from engine.known_battle import known_battle
from engine.notation.battles import read_battle
from engine.odds import _share_lost
from engine.sequences import units_awaiting_orders
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import classes, setup, vessel
from tests.engine.extension import toy_boarding
from tests.engine.guns.duels import ship, table

RED, BLUE, GOLD = 0, 1, 2
EDITIONS = ("second-edition", "continuum")
EACH_EDITION = pytest.mark.parametrize("edition", EDITIONS)
GUN = {"second-edition": "battery-1", "continuum": "beam-1"}
FATES = (Fate.DESTROYED, Fate.STRANDED, Fate.ESCAPED)
CODES = {"r1": "q7", "r2": "k3", "b1": "z9", "b2": "f4", "b3": "c2", "g1": "w5"}


@pytest.fixture(autouse=True)
def _boarding(monkeypatch: pytest.MonkeyPatch) -> None:
    toy_boarding.in_use(monkeypatch)


def document(edition: str, **more: Any) -> dict[str, Any]:
    """Return red's two ships beside blue's first; blue's second in range; gold, hostile, far away."""
    places = {
        "r1": (60, 20),
        "r2": (70, 20),
        "b1": (60, 24),
        "b2": (60, 34),
        "b3": (64, 34),
        "g1": (110, 110),
    }
    guns = {"second-edition": "battery:B battery:B", "continuum": "beam:2@ALL beam:2@ALL"}
    result = {}
    for name, (x, y) in places.items():
        build = vessel if edition == "second-edition" else ship
        result[name] = build(
            name, x, y, guns[edition], 6 if name in ("b2", "b3") else 12, contact=CODES[name]
        )
    sides = [[result[name] for name in result if name[0] == side] for side in "rbg"]
    return (setup if edition == "second-edition" else table)(*sides, **more)


def start_toy_battle(edition: str, **more: Any) -> Battle:
    return start(document(edition, **more), classes())


def resolve_stops(
    battle: Battle, *orders: Mapping[int, object], dice: Dice | None = None
) -> tuple[Battle, list[ResolvedStop]]:
    """Resolve phase by phase by these orders, each time from JSON; each log must lead to the same
    battle.
    """
    played = []
    for number, stop_orders in enumerate(orders):
        battle = battle_from(json.loads(json.dumps(battle.to_json())))
        after, stop = stops.resolve_documents(battle, stop_orders, dice or Dice(number), number)
        read = [event_from_json(json.loads(json.dumps(event.to_json()))) for event in stop.events]
        again = replay(battle.state, read)
        again.turn, again.stop = after.state.turn, after.state.stop
        rebuilt = Battle(after.edition, after.options, again, after.winner, [])
        assert rebuilt.to_json() == after.to_json()
        assert battle_from(json.loads(json.dumps(after.to_json()))).to_json() == after.to_json()
        battle = after
        played.append(stop)
    return battle, played


def shots(stop: ResolvedStop) -> list[tuple[str, str]]:
    """Return who fired at whom."""
    return _shots(stop.events)


def _shots(events: Iterable[Event]) -> list[tuple[str, str]]:
    return [
        (event.ship, event.target) for event in events if isinstance(event, (BeamsFired, GunFired))
    ]


def boarded(edition: str, **more: Any) -> tuple[Battle, list[ResolvedStop]]:
    """Return the battle in which red has boarded blue's first ship in the first turn, before fire."""
    return resolve_stops(start_toy_battle(edition, **more), {}, {RED: {"seize": {"r1": "z9"}}})


@EACH_EDITION
def test_new_commander_plots_and_fires_the_ship(edition: str) -> None:
    battle, _ = boarded(edition)
    prize = battle.state.ship_by_name("b1")
    assert (prize.owner, prize.commander, prize.call_sign) == (BLUE, RED, "z9")
    for side, name in ((BLUE, "b1"), (GOLD, "z9"), (RED, "b1")):
        faults = stops.read_orders(battle, side, {"engage": {name: []}})[1]
        assert [fault.code for fault in faults] == ["unknown-ship"]
    fire = {"engage": {"z9": [{"weapon": GUN[edition], "target": "f4"}]}}
    after, (stop,) = resolve_stops(battle, {RED: fire})
    assert shots(stop) == [("b1", "b2")]
    assert (after.turn, after.state.stop) == (2, "plot")
    after, (stop,) = resolve_stops(
        after, {RED: {"plot": {"z9": "+2"}}, BLUE: {"plot": {"b2": "+1"}}}
    )
    assert {name: after.state.ship_by_name(name).velocity for name in ("b1", "b2")} == {
        "b1": 2,
        "b2": 1,
    }
    assert stop.inputs == {"b1": "+2", "b2": "+1"}


@EACH_EDITION
def test_former_friends_fire_at_it_and_new_ones_do_not(edition: str) -> None:
    battle, _ = boarded(edition)
    _, (stop,) = resolve_stops(
        battle, {BLUE: {"engage": {"b2": [{"weapon": GUN[edition], "target": "b1"}]}}}
    )
    assert shots(stop) == [("b2", "b1")]
    _, (stop,) = resolve_stops(
        battle, {RED: {"engage": {"r2": [{"weapon": GUN[edition], "target": "z9"}]}}}
    )
    assert shots(stop) == []
    assert stop.events[0].kind == "shot-refused"


@EACH_EDITION
def test_each_side_sees_its_current_relation(edition: str) -> None:
    battle, _ = boarded(edition)
    views = [observe(battle.state, side).to_json() for side in range(3)]
    assert sorted(views[RED]["own"]) == ["r1", "r2", "z9"]
    assert views[RED]["own"]["z9"]["owner"] == BLUE
    assert "owner" not in views[RED]["own"]["r1"]
    assert sorted(views[BLUE]["own"]) == ["b2", "b3"]
    for side, name in ((BLUE, "b1"), (GOLD, "z9")):
        (contact,) = [entry for entry in views[side]["contacts"] if entry["id"] == name]
        assert (contact["side"], contact["owner"], contact["class"]) == (
            RED,
            BLUE,
            battle.state.ship_by_name("b1").sheet.cls,
        )
    assert [entry["id"] for entry in views[RED]["contacts"]] == ["c2", "f4", "w5"]
    red_state = known_battle(battle, RED).state
    assert (red_state.ship_by_name("z9").commander, red_state.ship_by_name("z9").owner) == (
        RED,
        BLUE,
    )
    assert known_battle(battle, BLUE).state.ship_by_name("b1").commander == RED
    assert '"b1"' not in json.dumps([views[RED], known_battle(battle, RED).to_json(), views[GOLD]])


@EACH_EDITION
def test_each_side_keeps_its_name_for_the_ship(edition: str) -> None:
    battle, (_, boarding) = boarded(edition)
    assert [event.kind for event in boarding.events] == ["taken-over"]
    for side, name in ((RED, "z9"), (BLUE, "b1"), (GOLD, "z9")):
        (line,) = side_log(boarding.events, boarding.before, side)
        cls = battle.state.ship_by_name("b1").sheet.cls
        assert line == {
            "event": "taken-over", "turn": 1, "ship": name, "side": "red", "cls": cls, "cause": "boarded",
        }  # fmt: skip
    # An impossible order of its new commander is visible only to that commander, now and later.
    refused = OrderRefused(1, ShipId("b1"), "ftl", "why")
    for log, state in (([*boarding.events, refused], boarding.before), ([refused], battle.state)):
        kinds_by_side = [
            [line["event"] for line in side_log(log, state, side)][-1:] for side in range(3)
        ]
        assert [lines == ["order-refused"] for lines in kinds_by_side] == [True, False, False]


@EACH_EDITION
def test_captains_command_captured_and_fight_lost_ships(edition: str) -> None:
    battle, _ = boarded(edition)
    advice = stops.advise(battle, RED, Doctrine(), "seed")
    assert stops.advise(known_battle(battle, RED), RED, Doctrine(), "seed") == advice
    assert "z9" in dict(advice["engage"])
    assert "b1" not in json.dumps(advice)
    assert stops.read_orders(battle, RED, advice)[1] == ()
    aims = json.dumps(stops.advise(battle, BLUE, Doctrine(), "seed"))
    assert '"b1"' in aims
    assert "z9" not in aims
    resolved_stops: list[ResolvedStop] = []
    end = fight(battle, {}, Dice(3), "captains", 12, resolved_stops.append)
    fired = [pair for stop in resolved_stops for pair in shots(stop)]
    assert [pair for pair in fired if pair[0] == "b1" and pair[1][0] != "r"]
    assert not [pair for pair in fired if pair[0][0] == "r" and pair[1] == "b1"]
    for stop in resolved_stops:
        assert replay(stop.before, stop.events).ship_by_name("b1").commander == RED
    assert end.state.stop == OVER


@EACH_EDITION
def test_points_are_lost_until_retaken(edition: str) -> None:
    battle, _ = boarded(edition)
    points = battle.state.ship_by_name("b1").sheet.points
    assert scores(start_toy_battle(edition).state) == (0, 0, 0)
    assert scores(battle.state) == (points, 0, points)
    assert _share_lost([battle.state.ship_by_name("b1")]) == 1.0
    retaken = battle.state.copy()
    log: list[Event] = []
    take_over(Table(retaken, Dice(1), log.append), retaken.ship_by_name("b1"), BLUE, "retaken")
    assert (scores(retaken), retaken.ship_by_name("b1").is_taken_over) == ((0, 0, 0), False)
    for side, name in ((RED, "z9"), (BLUE, "b1"), (GOLD, "z9")):
        assert [line["ship"] for line in side_log(log, battle.state, side)] == [name]
    assert sorted(observe(retaken, BLUE).to_json()["own"]) == ["b1", "b2", "b3"]
    assert replay(battle.state, log).ship_by_name("b1").commander == BLUE


@EACH_EDITION
def test_commander_of_the_last_ships_holds_the_field(edition: str) -> None:
    battle, _ = boarded(edition)
    state = battle.state
    for name in ("b2", "b3", "g1", "r1", "r2"):
        state.ship_by_name(name).destroy()
    over = decide_outcome(state, last=False)
    assert over is not None
    assert over.winner == "red"
    assert {unit.commander for unit in units_awaiting_orders(state)} == {RED}


@EACH_EDITION
def test_captured_convoy_has_not_escaped(edition: str) -> None:
    terms = [
        {"winner": "red", "ships": ["b1"], "fate": fate, "least": 1, "reason": fate}
        for fate in FATES
    ]
    battle, _ = boarded(edition, victory=terms)
    ship = battle.state.ship_by_name("b1")
    assert [has_met_fate(ship, fate) for fate in FATES] == [True, True, False]
    ship.status = FTL
    assert [has_met_fate(ship, fate) for fate in FATES] == [True, True, False]
    ship.commander = BLUE
    assert [has_met_fate(ship, fate) for fate in FATES] == [False, False, True]
    assert [known_terms(battle.state, side).victory[2].ships for side in (RED, BLUE)] == [(), ()]


@EACH_EDITION
def test_battle_file_orders_it_by_id(edition: str) -> None:
    """Sides fire in turn: what was written as blue's fire is red's by then."""
    turn = {"seize": {"r1": "b1"}, "engage": [["b1", [{"weapon": GUN[edition], "target": "b2"}]]]}
    file = read_battle(document(edition, turns=[turn], seed=5), classes())
    battle = play_orders(start_toy_battle(edition), Dice(5), file.turns)
    assert [
        (event.ship, event.target)
        for event in battle.events
        if isinstance(event, (BeamsFired, GunFired))
    ] == [("b1", "b2")]
    state = boarded(edition)[0].state
    assert state.by_commander({BLUE: [("b1", ()), ("b2", ())]}) == {
        RED: [("b1", ())],
        BLUE: [("b2", ())],
    }


def test_drones_wrecks_and_own_ships_cannot_be_captured() -> None:
    state = start_toy_battle("continuum").state
    state.ship_by_name("b2").destroy()
    state.ship_by_name("b3").dummy = True
    for name, side in (("r1", RED), ("b2", RED), ("b3", RED)):
        with pytest.raises(ValueError, match=name):
            take_over(Table(state, Dice(1)), state.ship_by_name(name), side, "boarded")


@pytest.mark.parametrize("commander", [3, -1, "red", None, True, 0.0])
def test_document_with_an_unknown_commander_is_refused(commander: Any) -> None:
    stored = boarded("continuum")[0].to_json()
    assert stored["ships"]["b1"]["commander"] == RED
    assert [name for name, item in stored["ships"].items() if "commander" in item] == ["b1"], (
        "where it is another"
    )
    stored["ships"]["b1"]["commander"] = commander
    stored["ships"]["g1"]["side"] = 7
    with pytest.raises(RuleViolations) as refused:
        battle_from(stored)
    assert [(violation.where, violation.code) for violation in refused.value.violations] == [
        ("ships.b1.commander", "unknown-side"),
        ("ships.g1.side", "unknown-side"),
    ]


def test_squadron_without_its_leader_breaks_up() -> None:
    battle = start_toy_battle("continuum")
    state = battle.state
    state.set_leader(state.ship_by_name("b3"), ShipId("b2"))
    state.set_leader(state.ship_by_name("r2"), ShipId("r1"))
    stored = battle.to_json()["ships"]
    assert (stored["b3"]["notes"], stored["r2"]["notes"]) == (
        {"squadron:b2": 1},
        {"squadron:r1": 1},
    )
    assert observe(state, BLUE).to_json()["own"]["b3"]["notes"] == {"squadron": 2}, (
        "in views by its place"
    )
    log: list[Event] = []
    before = state.copy()
    # The one before it in the list leaves; a leader known by index would now be another ship.
    take_over(Table(state, Dice(1), log.append), state.ship_by_name("b1"), RED, "boarded")
    assert (
        leader_of(state, state.ship_by_name("b3")),
        leader_of(state, state.ship_by_name("r2")),
    ) == (
        state.ship_by_name("b2"),
        state.ship_by_name("r1"),
    )
    take_over(Table(state, Dice(1), log.append), state.ship_by_name("b2"), RED, "boarded")
    assert leader_of(state, state.ship_by_name("b3")) is None
    assert [event.kind for event in log] == ["taken-over", "squadron", "taken-over"]
    assert replay(before, log).ship_by_name("b3").record == state.ship_by_name("b3").record
    assert battle_from(json.loads(json.dumps(battle.to_json()))).to_json() == battle.to_json()
    # The captured ship joins red's squadron, and red's sheet uses its contact code.
    state.set_leader(state.ship_by_name("r2"), ShipId("b2"))
    state.set_leader(state.ship_by_name("b1"), ShipId("b2"))
    view = observe(state, RED)
    assert {ship.id: ship.record.squadron for ship in view.own_ships if ship.record.squadron} == {
        "r2": "f4",
        "z9": "f4",
    }
    assert {ship.id: ship.record.squadron for ship in known_battle(battle, RED).state.ships} == {
        **dict.fromkeys(("r1", "f4", "c2", "w5"), ""), "r2": "f4", "z9": "f4",
    }  # fmt: skip


def test_public_facts_name_no_ship() -> None:
    @dataclass(frozen=True, slots=True)
    class Leaky(ShipRecord):
        boarded_from: Open[ShipId] = fact(NO_SHIP)  # noqa: RUF009 -- `fact` declares a field

    with pytest.raises(TypeError, match="boarded-from"):
        facts_of(Leaky)
    state = start_toy_battle("continuum").state
    with pytest.raises(ValueError, match="squadron"):
        write_fact(Table(state, Dice(1)), state.ship_by_name("r1"), "squadron", 1, "r2")
