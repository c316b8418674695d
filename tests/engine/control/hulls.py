"""Hulls for tests of damage: ships in one line of code, battles of Continuum, scripted checks."""

from __future__ import annotations

import json
from typing import Any

from engine.battle import Battle, battle_from, resolve_stop, start
from engine.continuum.damage import check_after_damage
from engine.core.dice import Dice, ScriptedDice
from engine.core.orders import Control, Repair
from engine.core.ship import ShipState
from engine.core.state import CONTROL, BattleState
from engine.core.table import Table
from engine.documents import event_from_json, replay
from engine.events.event import Event
from engine.order_requests.base import TurnOrders

CORES = "core-systems"


def design(systems: str = "", **more: Any) -> dict[str, Any]:
    """Return a warship of mass 90, four rows of three boxes, thrust 4, one FireCon, and given
    systems.

    Systems look like `screen beam:2 hold:mass=20`; the rest is on request.
    """
    fitted: list[dict[str, Any]] = [{"type": "firecon"}]
    for word in systems.split():
        type_, *parts = word.split(":")
        item: dict[str, Any] = {"type": type_}
        for part in parts:
            key, _, value = part.rpartition("=")
            item[key or "class"] = int(value)
        if type_ == "beam" and item.get("class", 1) > 1:
            item["arcs"] = ["FP", "F", "FS"]
        if type_ == "submunition":
            item["arcs"] = ["FP", "F", "FS"]
        fitted.append(item)
    return {
        "class": more.pop("cls", "Hull"),
        "edition": "continuum",
        "kind": more.pop("kind", "warship"),
        "mass": more.pop("mass", 90),
        "hull": {"boxes": more.pop("boxes", 12), "rows": more.pop("rows", 4)},
        "thrust": more.pop("thrust", 4),
        "ftl": more.pop("ftl", "none"),
        "systems": fitted,
        **more,
    }


def ship(
    id_: str, x: float = 30, y: float = 30, hull: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """Return a ship at rest, facing the top of the table."""
    place = {"at": [x, y], "course": more.pop("course", 12), "velocity": more.pop("velocity", 0)}
    return {"id": id_, "design": hull or design(), **place, **more}


def battle(
    own: list[dict[str, Any]], *options: str, foes: list[dict[str, Any]] | None = None, **more: Any
) -> Battle:
    """Return a battle of these ships against a distant one."""
    others = foes if foes is not None else [ship("far", 110, 110)]
    sides = [{"name": "red", "ships": own}, {"name": "blue", "ships": others}]
    return start(
        {
            "edition": "continuum",
            "options": list(options),
            "table": [120, 120],
            "sides": sides,
            **more,
        }
    )


def play_to_control(battle: Battle) -> Battle:
    """Return the battle at its first damage control, after no action."""
    for _ in range(2):
        battle = resolve_next(battle)
    assert battle.state.stop == CONTROL
    return battle


def resolve_next(battle: Battle, orders: TurnOrders | None = None, **dice: list[int]) -> Battle:
    """Resolve the next phase with scripted dice; another die is an error that names it."""
    after, _ = resolve_stop(battle, orders or TurnOrders(), scripted(**dice))
    return after


def resolve_damage_control(
    battle: Battle, ship_id: str, *jobs: tuple[str, int], dice: dict[str, list[int]], **more: Any
) -> Battle:
    """Resolve damage control with (system, parties) of one ship."""
    control = Control(tuple(Repair(system, parties) for system, parties in jobs), **more)
    return resolve_next(battle, TurnOrders({"control": {ship_id: control}}), **dice)


def scripted(**dice: list[int]) -> Dice:
    return ScriptedDice({purpose.replace("_", "-"): values for purpose, values in dice.items()})


def damage_ship(
    state: BattleState, id_: str, points: int, *, phase_13: bool = False, **dice: list[int]
) -> list[Any]:
    """Return the events of damage to a ship at once, and of the end of the phase."""
    events: list[Event] = []
    hit, before = state.ship_by_name(id_), state.ship_by_name(id_).damage
    hit.damage = min(before + points, hit.sheet.boxes)
    check_after_damage(
        Table(state, scripted(**dice), events.append), hit, before, "fire", phase_13=phase_13
    )
    return events


def lost_systems(ship: ShipState) -> list[str]:
    return list(ship.lost_systems())


def events_of(fought: Battle, kind: str) -> list[Any]:
    return [event for event in fought.events if event.kind == kind]


def replays(before: Battle, ended: Battle) -> bool:
    """Return whether the log alone leads from a battle's first state to its last, also through
    JSON.
    """
    log = [event_from_json(json.loads(json.dumps(event.to_json()))) for event in ended.events]
    again = Battle(
        before.edition, before.options, replay(before.state, log), ended.winner, []
    ).to_json()
    read = battle_from(json.loads(json.dumps(ended.to_json())))
    return again == ended.to_json() == read.to_json()
