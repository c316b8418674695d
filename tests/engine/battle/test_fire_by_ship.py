"""Fire ship by ship: a side names its next ship after it has seen the fire before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import Battle, battle_from, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.events.fire import ShipChosen
from engine.known_battle import known_battle
from engine.stops import advise, awaited_sides, read_orders, resolve_documents
from engine.view.side_log import side_log

pytestmark = pytest.mark.rule("2e.fire-by-ship")
RED, BLUE = 0, 1
GUN = {"type": "battery", "battery": "A", "arcs": ["F"]}


def ship(name: str, x: float, course: int, *systems: dict[str, Any], **keys: Any) -> dict[str, Any]:
    design = {
        "class": "Test ship",
        "edition": "second-edition",
        "kind": "warship",
        "mass": 60,
        "thrust": 4,
        "ftl": "none",
        "systems": [GUN, *systems],
    }
    return {"id": name, "design": design, "at": [x, 20], "course": course, "velocity": 0, **keys}


def begin(*systems: dict[str, Any], **keys: Any) -> Battle:
    """Return a battle at its fire phase: two red ships 20 MU from a blue one."""
    red = [ship("r1", 10, 3, *systems, **keys), ship("r2", 11, 3)]
    blue = [ship("b1", 30, 9, {"type": "pdaf"})]
    sides = [{"name": "red", "ships": red}, {"name": "blue", "ships": blue}]
    file = {"edition": "second-edition", "options": ["fire-by-ship"], "sides": sides, "seed": 1}
    now = resolve_documents(start(file), {}, Dice(1))[0]
    if now.state.stop == "fighters":
        now = resolve_documents(now, {}, Dice(1))[0]
    assert now.state.stop == "engage"
    return now


def fire(name: str, *targets: str) -> dict[str, Any]:
    return {"engage": [[name, [{"weapon": "battery-1", "target": list(targets)}]]]}


def faults(now: Battle, side: int, document: dict[str, Any]) -> list[str]:
    """Return the faults of orders by what a side knows, which are those by the whole truth."""
    known = battle_from(json.loads(json.dumps(known_battle(now, side).to_json())))
    found = [read_orders(whole, side, document)[1] for whole in (known, now)]
    assert found[0] == found[1]
    return [f"{fault.where} {fault.code}" for fault in found[0]]


def test_sides_alternate_ship_by_ship_and_a_pass_is_for_good() -> None:
    now = begin()
    foe = now.state.ships[2].contact
    assert awaited_sides(now) == (RED,)  # more ships begin
    both = {"engage": fire("r2", foe)["engage"] + fire("r1", foe)["engage"]}
    assert faults(now, RED, both) == ["engage.r1 one-ship"]
    now, stop = resolve_documents(now, {RED: fire("r2", foe)}, Dice(1))
    assert [event.kind for event in stop.events][:2] == ["ship-chosen", "shot"]
    assert "ship-chosen" not in str(side_log(stop.events, stop.before, BLUE))
    assert (now.turn, awaited_sides(now)) == (1, (BLUE,))
    advice = advise(known_battle(now, BLUE), BLUE, Doctrine(), "x")
    assert [name for name, _ in advice["engage"]] == ["b1"]
    now, _ = resolve_documents(now, {}, Dice(1))  # blue passes: it names no ship
    assert awaited_sides(now) == (RED,)
    assert faults(now, RED, fire("r2", foe)) == ["engage.r2 has-fired"]
    advice = advise(known_battle(now, RED), RED, Doctrine(), "x")
    assert [name for name, _ in advice["engage"]] == ["r1"]
    now, stop = resolve_documents(now, {RED: advice}, Dice(1))
    assert (now.turn, now.state.stop, now.state.firing) == (2, "plot", None)


def test_allied_sides_take_turns_of_their_own() -> None:
    """Each player chooses a ship; the enemy of two allies fires between them only in its turn."""
    sides = [
        {"name": "red", "ships": [ship("r1", 10, 3)]},
        {"name": "green", "ships": [ship("g1", 11, 3)]},
        {"name": "blue", "ships": [ship("b1", 30, 9), ship("b2", 31, 9)]},
    ]
    file = {
        "edition": "second-edition",
        "options": ["fire-by-ship"],
        "hostile": [["red", "blue"], ["green", "blue"]],
        "sides": sides,
        "seed": 1,
    }
    now = resolve_documents(start(file), {}, Dice(1))[0]
    fired = []
    while now.state.stop == "engage":
        (side,) = awaited_sides(now)
        advice = advise(known_battle(now, side), side, Doctrine(), "x")
        now, stop = resolve_documents(now, {side: advice}, Dice(1))
        fired += [event.ship for event in stop.events if isinstance(event, ShipChosen)]
    assert fired[0] == "b1"  # more ships begin
    assert sorted(fired[1:3]) == ["g1", "r1"]
    assert fired[3:] == ["b2"]


def test_fighters_choose_their_targets_first_and_strike_after_the_ship_they_attack() -> None:
    group = {"fighter-bay-1": {"at": [27, 20], "course": 3}}
    now = begin({"type": "fighter-bay"}, groups=group)
    foe = now.state.ships[2].contact
    assert awaited_sides(now) == (RED,)  # blue has no fighters
    strike = {"engage": [["r1/fighter-bay-1", [{"weapon": "fighters", "target": foe}]]]}
    assert faults(now, RED, fire("r1", foe)) == ["engage.r1 not-now"]
    now, stop = resolve_documents(now, {RED: strike}, Dice(1))
    assert "attack-declared" in str(side_log(stop.events, stop.before, BLUE))
    assert faults(now, RED, strike) == ["engage.r1/fighter-bay-1 not-now"]
    now, _ = resolve_documents(now, {}, Dice(1))
    assert awaited_sides(now) == (BLUE,)
    now, stop = resolve_documents(now, {BLUE: {"engage": []}}, Dice(1))
    kinds = [event.kind for event in stop.events]
    assert kinds.index("point-defence") < kinds.index("fighters-fired")  # defence needs no order


def test_continuum_does_not_have_it() -> None:
    file = {"edition": "continuum", "options": ["fire-by-ship"], "sides": []}
    with pytest.raises(RuleViolations) as refused:
        start(file)
    assert "unknown-option" in [fault.code for fault in refused.value.violations]
