"""Battles for replays: as a side's report has them, and hand-made stops."""

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
from engine.stops import resolve, waiting
from tests.engine.frozen.fighting import TURNS, Case, cases, document
from tests.engine.frozen.ordering import Orderer
from tests.engine.samples import whole_line

SIDES = (ReplaySide("Red", 1), ReplaySide("Blue", 2), ReplaySide("Green", 3))


@cache
def _cases() -> dict[str, Case]:
    return {case.name: case for case in cases()}


def stops_of_case(name: str) -> tuple[ResolvedStop, ...]:
    """The stops of a battle of the frozen battery."""
    case = _cases()[name]
    made, dice = document(case), Dice(case.seed)
    stops: list[ResolvedStop] = []
    if case.captains:
        file = read_battle(made, fixture_classes(case.edition))
        fight(begin(file, dice), file.doctrines, dice, "1", TURNS, stops.append, turns=file.turns)
        return tuple(stops)
    battle, orderer = start(made, None, dice), Orderer(Random(case.name), made)
    while battle.state.stop != "over" and battle.turn <= TURNS:
        battle, stop = resolve(
            battle, {side: orderer.orders(battle, side) for side in waiting(battle)}, dice, 0
        )
        stops.append(stop)
    return tuple(stops)


def body_of(stops: Iterable[ResolvedStop], side: int) -> dict[str, Any]:
    """The report of those stops to a side."""
    told = list(stops)
    return {"table": list(told[0].before.table), "stops": [stop.view(side) for stop in told]}


def replayed(body: dict[str, Any], side: int = 0) -> Replay:
    """The replay of a report; ships are called by their ids."""
    known = {key: key for stop in body["stops"] for key in stop["own"]}
    names = names_of(body, known)
    return replay_of(
        body, names, SIDES, side, lambda number: number, dict.fromkeys(known, ("Ship", "cruiser"))
    )


def ship(x: float, y: float, **more: Any) -> dict[str, Any]:
    """A ship of the reader's in a view."""
    usual = {
        "course": 12,
        "velocity": 6,
        "damage": 0,
        "boxes_left": [3, 3],
        "armour": [],
        "status": "fighting",
    }
    return {"at": [x, y], **usual, **more}


def contact(code: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """A contact in a view."""
    usual = {
        "side": 1,
        "course": 6,
        "velocity": 6,
        "classification": "cruiser",
        "status": "fighting",
    }
    return {"id": code, "at": [x, y], **usual, **more}


def stop(*log: dict[str, Any], turn: int = 1, kind: str = "engage", **view: Any) -> dict[str, Any]:
    """A stop of a report; what lines leave out is filled."""
    return {
        "turn": turn,
        "stop": kind,
        "own": {},
        "contacts": [],
        **view,
        "log": [whole_line(line) for line in log],
    }


def report(*stops: dict[str, Any]) -> dict[str, Any]:
    """A report of these stops."""
    return {"table": [72, 48], "stops": list(stops)}
