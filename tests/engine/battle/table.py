"""A table for tests: ships in one line of code, orders as in a battle file, scripted dice."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from engine.battle import Battle, battle_from, play_orders, start
from engine.core.dice import Dice, ScriptedDice
from engine.core.ship import ShipState
from engine.design.value import Design
from engine.documents import event_from_json, replay
from engine.events.event import Event
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes

ARCS = ["P", "F", "S"]


@cache
def classes() -> dict[str, Design]:
    return fixture_classes("second-edition")


def ship(
    id_: str, cls: str, x: float, y: float, course: int = 12, velocity: int = 0, **more: Any
) -> dict[str, Any]:
    return {"id": id_, "class": cls, "at": [x, y], "course": course, "velocity": velocity, **more}


def gunship(
    id_: str, x: float, y: float, batteries: str, course: int = 12, **more: Any
) -> dict[str, Any]:
    """Return a ship at rest with the named batteries, all arcs; other keys on request."""
    systems: list[dict[str, Any]] = [
        {"type": "battery", "battery": letter, "arcs": ARCS} for letter in batteries
    ]
    screens = more.pop("screens", 0)
    if screens:
        systems.append({"type": "screen", "count": screens})
    design = {
        "class": f"Gunship {id_}",
        "edition": "second-edition",
        "kind": "warship",
        "mass": more.pop("mass", 40),
        "thrust": more.pop("thrust", 4),
        "ftl": more.pop("ftl", "standard"),
        "systems": systems,
    }
    velocity = more.pop("velocity", 0)
    return {
        "id": id_,
        "design": design,
        "at": [x, y],
        "course": course,
        "velocity": velocity,
        **more,
    }


def vessel(
    id_: str, x: float, y: float, systems: str, course: int = 12, **more: Any
) -> dict[str, Any]:
    """Return a ship at rest with systems by name: `pulse-torpedo battery:A needle:S screen`.

    A letter after a battery is its class (it bears through all arcs); after another system it is
    the arc. The rest is as for a gunship.
    """
    fitted: list[dict[str, Any]] = []
    for word in systems.split():
        type_, _, letter = word.partition(":")
        if type_ == "battery":
            fitted.append({"type": type_, "battery": letter, "arcs": ARCS})
        else:
            fitted.append({"type": type_, **({"arcs": [letter]} if letter else {})})
    entry = gunship(id_, x, y, "", course, **more)
    entry["design"]["systems"] = fitted
    return entry


def setup(*sides: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    names = ("red", "blue", "gold")
    return {
        "edition": "second-edition",
        "table": [120, 120],
        "sides": [
            {"name": name, "ships": ships} for name, ships in zip(names, sides, strict=False)
        ],
        **more,
    }


def play(document: dict[str, Any], turns: list[dict[str, Any]], **dice: list[int]) -> Battle:
    """Play turns with scripted dice (`re_entry=[5]`); a die without a script is an error that names
    it.
    """
    file = read_battle(
        {**document, "turns": turns, "dice": {k.replace("_", "-"): v for k, v in dice.items()}},
        classes(),
    )
    return play_orders(start(document, classes()), file.dice(), file.turns)


def scripted(**dice: list[int]) -> Dice:
    return ScriptedDice({purpose.replace("_", "-"): values for purpose, values in dice.items()})


def at(battle: Battle, id_: str) -> ShipState:
    return battle.state.ship_by_name(id_)


def events_of(battle: Battle, kind: str) -> list[Any]:
    """Return the events of a kind, in order."""
    events: list[Event] = [event for event in battle.events if event.kind == kind]
    return events


def fire(*pairs: tuple[str, Any]) -> list[dict[str, Any]]:
    return [{"weapon": weapon, "target": target} for weapon, target in pairs]


def replays(before: Battle, ended: Battle) -> bool:
    """Return whether the log alone leads from a battle's first state to its last, also through
    JSON.
    """
    log = [event_from_json(json.loads(json.dumps(event.to_json()))) for event in ended.events]
    after = replay(before.state, log)
    again = Battle(before.edition, before.options, after, ended.winner, []).to_json()
    read = battle_from(json.loads(json.dumps(ended.to_json())))
    return (
        again == ended.to_json() == read.to_json()
        and read.state.ships[0].screens == ended.state.ships[0].screens
    )
