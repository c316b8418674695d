"""Battles for replays: from a side's report, and built by hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any

from campaign.replays.replay import Replay, ReplaySide, replay_of
from campaign.words.battle.log import names_of
from engine.battle import ResolvedStop, begin, fight, start
from engine.core.dice import Dice
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes
from engine.stops import awaited_sides, resolve_documents
from tests.engine.frozen.fighting import TURNS, Case, cases, document
from tests.engine.frozen.ordering import Orderer
from tests.engine.samples import whole_line

SIDES = (ReplaySide("Red", 1), ReplaySide("Blue", 2), ReplaySide("Green", 3))


@cache
def _cases() -> dict[str, Case]:
    return {case.name: case for case in cases()}


def phases_of_case(name: str) -> tuple[ResolvedStop, ...]:
    """Return the phases of a battle of the frozen battery."""
    case = _cases()[name]
    battle_document, dice = document(case), Dice(case.seed)
    phases: list[ResolvedStop] = []
    if case.captains:
        file = read_battle(battle_document, fixture_classes(case.edition))
        fight(begin(file, dice), file.doctrines, dice, "1", TURNS, phases.append, turns=file.turns)
        return tuple(phases)
    battle, orderer = (
        start(battle_document, None, dice),
        Orderer(Random(case.name), battle_document),
    )
    while battle.state.stop != "over" and battle.turn <= TURNS:
        battle, phase = resolve_documents(
            battle, {side: orderer.orders(battle, side) for side in awaited_sides(battle)}, dice, 0
        )
        phases.append(phase)
    return tuple(phases)


def body_of(phases: Iterable[ResolvedStop], side: int) -> dict[str, Any]:
    """Return the report of those phases to a side."""
    phase_list = list(phases)
    return {
        "table": list(phase_list[0].before.table),
        "phases": [phase.view(side) for phase in phase_list],
    }


def build_replay(body: dict[str, Any], side: int = 0) -> Replay:
    """Return the replay of a report; ships are named by their ids."""
    ship_keys = {key: key for phase in body["phases"] for key in phase["own"]}
    names = names_of(body, ship_keys)
    return replay_of(
        body,
        names,
        SIDES,
        side,
        lambda number: number,
        dict.fromkeys(ship_keys, ("Ship", "cruiser")),
    )


def ship(x: float, y: float, **extra: Any) -> dict[str, Any]:
    """Return a ship of the reader's in a view."""
    usual = {
        "course": 12,
        "velocity": 6,
        "damage": 0,
        "boxes_left": [3, 3],
        "armour": [],
        "status": "fighting",
    }
    return {"at": [x, y], **usual, **extra}


def contact(code: str, x: float, y: float, **extra: Any) -> dict[str, Any]:
    """Return a contact in a view."""
    usual = {
        "side": 1,
        "course": 6,
        "velocity": 6,
        "classification": "cruiser",
        "status": "fighting",
    }
    return {"id": code, "at": [x, y], **usual, **extra}


def phase(*log: dict[str, Any], turn: int = 1, kind: str = "engage", **view: Any) -> dict[str, Any]:
    """Return a phase of a report; missing parts are filled."""
    return {
        "turn": turn,
        "stop": kind,
        "own": {},
        "contacts": [],
        **view,
        "log": [whole_line(line) for line in log],
    }


def report(*phases: dict[str, Any]) -> dict[str, Any]:
    """Return a report of these phases."""
    return {"table": [72, 48], "phases": list(phases)}
