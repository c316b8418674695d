"""The `battle` command: play a battle file by its orders, by captains, or both."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from engine.battle import Battle, begin, fight, play_orders
from engine.core.ship import ShipState
from engine.core.state import OVER, BattleState
from engine.notation.battle_craft import groups_json
from engine.notation.battles import BattleFile, read_battle
from engine.notation.files import classes_for, read_input
from engine.notation.gates import gates_of
from engine.notation.ground import ground_of
from engine.notation.mines import mines_of
from engine.notation.terrain import terrain_of
from engine.pieces.marker import Marker
from engine.view.worded_log import worded_log


def battle_file(document: Any) -> BattleFile:
    """Return a battle file whose ships may name the classes of its edition.

    Raises:
        RuleViolations: With every fault.
    """
    return read_battle(document, classes_for(document))


def run(args: Namespace) -> dict[str, Any]:
    """Play a battle file; return its events, state, number of turns, winner and dice."""
    file = battle_file(read_input(args.file))
    dice = file.dice()
    initial = begin(file, dice)
    if args.captains or file.captains:
        battle = fight(
            initial,
            file.doctrines,
            dice,
            captain_seed=f"{file.seed}/captains",
            max_turns=file.max_turns,
            turns=file.turns,
        )
    else:
        battle = play_orders(initial, dice, file.turns, file.doctrines)
    is_over = battle.state.stop == OVER
    return {
        "events": _rounded(worded_log(battle.events_json)),
        "state": _rounded(_state_json(battle)),
        "turns": battle.turn if is_over else battle.turn - 1,
        "winner": battle.winner,
        "dice": dict(sorted(dice.used.items())),
    }


def _state_json(battle: Battle) -> dict[str, Any]:
    """Return the state of a battle as the command line shows it."""
    document = battle.to_json()
    state: dict[str, Any] = {}
    for key in ("edition", "options", "turn", "stop", "outcome", "sides"):
        state[key] = document[key]
    state["ships"] = {name: _by_load(ship) for name, ship in document["ships"].items()}
    if boarded := [ship for ship in battle.state.ships if ship.record.boarders]:
        state["boarders"] = {ship.id: _boarders(ship, document["sides"]) for ship in boarded}
    if markers := battle.state.pieces_of(Marker):
        state["markers"] = {marker.id: _marker(marker, battle.state) for marker in markers}
    if groups := groups_json(battle.state):
        state["groups"] = groups
    state["mines"] = mines_of(battle.state)
    state["terrain"] = terrain_of(battle.state)
    state["ground"] = ground_of(battle.state)
    if gates := gates_of(battle.state):
        state["gates"] = gates
    return state


def _boarders(ship: ShipState, sides: list[str]) -> dict[str, dict[str, int]]:
    """Return the boarders aboard a ship, by side."""
    result: dict[str, dict[str, int]] = {}
    for side, (marines, parties) in ship.boarders_by_side().items():
        result[sides[side]] = {"marines": marines, "parties": parties}
    return result


def _by_load(ship: Mapping[str, Any]) -> dict[str, Any]:
    """Return a ship with magazines by load: `{"magazine-1": {"standard": 3, "extended": 0}}`."""
    if "stock" not in ship:
        return dict(ship)
    stock: dict[str, Any] = {}
    for name, amount in ship["stock"].items():
        system, _, load = name.partition("/")
        if load:
            stock.setdefault(system, {})[load] = amount
        else:
            stock[name] = amount
    return {**ship, "stock": stock}


def _marker(marker: Marker, state: BattleState) -> dict[str, Any]:
    """Return ordnance on the table as JSON."""
    return {
        "at": [marker.x, marker.y],
        "kind": marker.row(state).kind,
        "side": state.sides[marker.side],
        "missiles": marker.strength,
        "stage": marker.stage,
    }


def _rounded(value: Any) -> Any:
    """Round all numbers to two decimals."""
    if isinstance(value, float):
        return round(value, 2) + 0.0
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value
