"""Closed record sheets: red cannot tell what is aboard a foe's ship that it sees."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, ResolvedStop, battle_from, resolve_stop, start
from engine.captains.common.doctrine import Doctrine
from engine.core.kinds import ScanDetail
from engine.core.state import OVER
from engine.events.damage import OpenFactNoted, ShipDamaged, ThresholdChecked
from engine.events.event import Audience
from engine.known_battle import known_battle
from engine.order_requests.base import TurnOrders
from engine.sequences import asks_at
from engine.view import side_view as view
from engine.view.side_view import observe
from tests.engine.battle.table import classes
from tests.engine.secrecy.worlds import RED, ContactDice

pytestmark = pytest.mark.rule("pc.sensors")

BLUE = 1
THREE = ["FP", "F", "FS"]
TURNS = 5
EARLY: dict[str, Any] = {
    "hull": {"boxes": 24, "rows": 4},
    "thrust": 4,
    "armour": [[3, 0]],
    "mass": 90,
}
# What may be aboard ships of one class; nobody sees any of it without a scan.
ABOARD: dict[str, dict[str, Any]] = {
    "beams": EARLY
    | {"systems": [{"type": "firecon"}, {"type": "beam", "class": 3, "arcs": THREE, "count": 2}]},
    "torpedoes": EARLY
    | {"systems": [{"type": "firecon", "count": 2}, {"type": "pulse-torpedo", "arcs": ["F"]}]},
    "a better drive": EARLY
    | {"thrust": 6, "systems": [{"type": "firecon"}, {"type": "beam", "class": 1}]},
    "more hull": EARLY
    | {"hull": {"boxes": 30, "rows": 4}, "armour": [[5, 1]], "systems": [{"type": "firecon"}]},
    "another mass": EARLY
    | {"mass": 80, "systems": [{"type": "firecon"}, {"type": "ecm", "count": 2}]},
}


def blue_ship(aboard: str, **more: Any) -> dict[str, Any]:
    design = {
        "class": "Corsair",
        "edition": "continuum",
        "kind": "warship",
        "ftl": "none",
        **ABOARD[aboard],
    }
    return {
        "id": "b",
        "contact": "B1",
        "design": design,
        "at": [40, 40],
        "course": 6,
        "velocity": 4,
        **more,
    }


def world(aboard: str, *, sensors: str = "", **more: Any) -> Battle:
    """Return red's cruiser and blue's ship, of which only the class is equal in all worlds."""
    systems: list[dict[str, Any]] = [
        {"type": "firecon", "count": 2}, {"type": "beam", "class": 2, "arcs": THREE, "count": 2},
        {"type": "needle", "class": 2, "arcs": ["F"]}, *([{"type": sensors}] if sensors else []),
    ]  # fmt: skip
    red = {
        "class": "Seeker",
        "edition": "continuum",
        "kind": "warship",
        "ftl": "none",
        **EARLY,
        "systems": systems,
    }
    document = {
        "edition": "continuum", "options": ["advanced-sensors"], "table": [80, 80], "seed": 3,
        "sides": [
            {"name": "red", "ships": [
                {"id": "r", "contact": "R1", "design": red, "at": [40, 20], "course": 12, "velocity": 2},
            ]},
            {"name": "blue", "ships": [blue_ship(aboard, **more)]},
        ],
    }  # fmt: skip
    return start(document, classes())


def read_by_red(battle: Battle) -> list[str]:
    """Return all that red sees in a phase, and the faults of its orders."""
    probes: list[dict[str, Any]] = [
        {"plot": {"r": f"{word} B1"}} for word in ("scan", "ram", "dock", "board", "tow")
    ]
    probes += [
        {
            "engage": {
                "r": [{"weapon": weapon, "target": "B1", **({"system": system} if system else {})}]
            }
        }
        for weapon in ("beam-1", "needle-1")
        for system in ("", "firecon-1", "firecon-2", "beam-1", "pulse-torpedo-1", "bridge")
    ]
    faults = [
        [fault.to_json() for fault in stops.read_orders(battle, RED, probe)[1]] for probe in probes
    ]
    records = (
        stops.side_view(battle, RED),
        stops.awaited_sides(battle),
        stops.advise(battle, RED, Doctrine(), "s"),
        faults,
    )
    return [json.dumps(item) for item in (*records, known_battle(battle, RED).to_json())]


def resolved_stops(battle: Battle) -> Iterator[tuple[Battle, ResolvedStop]]:
    """Let red's captain fire; blue holds its fire, course and speed."""
    dice = ContactDice("closed", battle.state)
    while battle.state.stop != OVER and battle.turn <= TURNS:
        orders, faults = stops.read_orders(battle, RED, stops.advise(battle, RED, Doctrine(), "s"))
        assert orders is not None, faults
        nothing, _ = stops.read_orders(battle, BLUE, {})
        assert nothing is not None
        together = {
            ask.key: ask.merge(orders.of(ask), nothing.of(ask)) for ask in asks_at(battle.state)
        }
        before = battle
        battle, stop = resolve_stop(battle, TurnOrders(together), dice)
        yield before, stop


def differences(first_battle: Battle, other: Battle) -> str:
    """Return the first difference of two worlds that red can notice until a ship is gone, or ""."""
    for (a, stop_a), (b, stop_b) in zip(
        resolved_stops(first_battle), resolved_stops(other), strict=True
    ):
        for first, second in zip(read_by_red(a), read_by_red(b), strict=True):
            if first != second:
                return f"turn {a.turn}, {a.state.stop}: {first} against {second}"
        logs = [json.dumps(stop.view(RED)["log"]) for stop in (stop_a, stop_b)]
        if any('"destroyed"' in log for log in logs):
            return ""
        if logs[0] != logs[1]:
            return f"turn {a.turn}, {a.state.stop}: {logs[0]} against {logs[1]}"
    return ""


@pytest.mark.parametrize("other", [name for name in ABOARD if name != "beams"])
def test_red_reads_the_same_whatever_is_aboard(other: str) -> None:
    assert differences(world("beams"), world(other)) == ""


def test_red_reads_the_same_whatever_is_lost() -> None:
    hurt: dict[str, Any] = {"damage": 7, "lost": ["beam-1", "drive"]}
    assert differences(world("beams"), world("beams", **hurt)) == ""


@pytest.mark.rule("pc.needle-beams")
def test_needle_order_reveals_no_unknown_loss() -> None:
    """Red has scanned the systems; no order reveals which have been lost since."""

    def resolved(battle: Battle, reds: dict[str, Any]) -> tuple[Battle, ResolvedStop]:
        """Resolve red's orders; blue has none."""
        order_pairs = [
            stops.read_orders(battle, side, document)
            for side, document in ((RED, reds), (BLUE, {}))
        ]
        red, blue = (orders for orders, _ in order_pairs)
        assert red is not None, order_pairs
        assert blue is not None
        both = {ask.key: ask.merge(red.of(ask), blue.of(ask)) for ask in asks_at(battle.state)}
        return resolve_stop(battle, TurnOrders(both), ContactDice("needles", battle.state))

    def scanned(reading: ScanDetail, *known_systems: str, **more: Any) -> Battle:
        battle = world("beams", sensors="superior-sensors", **more)
        while battle.state.stop != "engage":
            battle, _ = resolved(battle, {})
        ship = battle.state.ship_by_name("b")
        ship.record = ship.record.with_scan(RED, reading, 0, known_systems, ())
        return battle

    def at_beam(battle: Battle) -> list[str]:
        shot = {"engage": {"r": [{"weapon": "needle-1", "target": "B1", "system": "beam-1"}]}}
        _, stop = resolved(battle, shot)
        return [event["event"] for event in stop.view(RED)["log"]]

    systems = ScanDetail.SYSTEMS
    assert read_by_red(scanned(systems)) == read_by_red(scanned(systems, lost=["beam-1", "drive"]))
    assert at_beam(scanned(systems, lost=["beam-1"])) == ["fire"]
    assert at_beam(scanned(ScanDetail.EVERYTHING, "beam-1", lost=["beam-1"])) == ["shot-refused"]


def test_red_does_damage_in_these_worlds() -> None:
    stops_fought = list(resolved_stops(world("beams")))
    blue = stops_fought[-1][0].state.ship_by_name("b")
    assert blue.damage > 6
    assert blue.lost_systems()


Leak = Callable[[pytest.MonkeyPatch], None]


def open_event(kind: type[ShipDamaged] | type[ThresholdChecked] | type[OpenFactNoted]) -> Leak:
    return lambda patch: patch.setattr(kind, "audience", Audience.EVERYBODY)


def true_ship(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "known_ship", lambda state, side, ship: ship)


def true_sheet(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "knowledge_of", lambda state, side, ship: ScanDetail.SYSTEMS)
    patch.setattr(
        "engine.continuum.readings.knowledge_of", lambda state, side, ship: ScanDetail.SYSTEMS
    )


def stop_for_damage(patch: pytest.MonkeyPatch) -> None:
    from engine.continuum.damage_control import has_control
    from engine.order_requests import control

    def honest_need(state: Any) -> Any:
        return [ship for ship in state.ships if has_control(ship, state.terms.options)]

    patch.setattr(control, "control_decision_ships", honest_need)


@pytest.mark.parametrize(
    "leak", [open_event(ShipDamaged), open_event(ThresholdChecked), true_ship, true_sheet, stop_for_damage],
    ids=["damage in the log", "checks in the log", "the true ship", "the true sheet", "a stop for who is damaged"],
)  # fmt: skip
def test_planted_leak_is_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    texts = []
    for other in ("torpedoes", "a better drive", "more hull"):
        try:
            texts.append(differences(world("beams"), world(other)))
        except ValueError:  # one world has one more phase
            texts.append("stops")
    assert any(texts)


@pytest.mark.parametrize("reading", ScanDetail)
def test_known_battle_round_trips(reading: ScanDetail) -> None:
    battle = world("beams", sensors="superior-sensors", damage=7, lost=["beam-1", "drive"])
    ship = battle.state.ship_by_name("b")
    ship.record = ship.record.with_scan(RED, reading, 7, ("beam-1", "drive"), ((1, 0),))
    red_battle = known_battle(battle, RED)
    back = battle_from(red_battle.to_json())
    assert back.to_json() == red_battle.to_json()
    assert back.state.ship_by_name("B1").sheet == red_battle.state.ship_by_name("B1").sheet
    assert back.state.ship_by_name("B1").sheet.cls == "Corsair"
    assert back.state.ship_by_name("B1").damage == (7 if reading is ScanDetail.EVERYTHING else 0)


def test_scan_result_is_in_the_scanning_sides_view_only() -> None:
    battle = world("beams", sensors="superior-sensors")
    ship = battle.state.ship_by_name("b")
    ship.record = ship.record.with_scan(RED, ScanDetail.DRIVE, 0, (), ())
    (contact,) = observe(battle.state, RED).to_json()["contacts"]
    assert (contact["class"], contact["scan_detail"]) == ("Corsair", ScanDetail.DRIVE)
    assert (contact["mass"], contact["thrust"], contact["systems"]) == (90, 4, [])
    assert {"damage", "lost", "armour"}.isdisjoint(contact)
    (mine,) = observe(battle.state, BLUE).to_json()["contacts"]
    assert mine["scan_detail"] == ScanDetail.NOTHING
    assert "mass" not in mine
