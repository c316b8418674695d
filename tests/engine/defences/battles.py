"""Defences under fire, for tests: turns in one line, and ships with named defences."""

from __future__ import annotations

from typing import Any

from engine.battle import Battle, start
from engine.core.ship import ShipState
from engine.view.worded_log import worded_line
from tests.engine.battle.table import classes, replays
from tests.engine.guns.duels import play, ship, table


def turn(
    plot: dict[str, str] | None = None, **fires: tuple[str, ...] | list[dict[str, Any]]
) -> dict[str, Any]:
    """Return a turn: plots by ship; fire by ship as words `weapon>target`, or as entries."""
    engage: dict[str, Any] = {}
    for firing, words in fires.items():
        engage[firing] = [
            dict(zip(("weapon", "target"), w.split(">"), strict=True)) if isinstance(w, str) else w
            for w in words
        ]
    return {"plot": plot or {}, "engage": engage}


def play_turns(document: dict[str, Any], *turns: dict[str, Any], **dice: list[int]) -> Battle:
    """Play these turns with scripted dice; the log alone must replay the battle, and JSON round-
    trip.
    """
    battle = play(document, list(turns), **{"initiative": [1, 2] * len(turns), **dice})
    assert replays(start_battle(document), battle)
    return battle


def facing(
    ours: str, theirs: str, distance: float = 10.0, *, options: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    """Return `r1` with the systems `ours`, and `b1` with `theirs` so far ahead of it, facing it.

    `r` and `b` are further keys of them.
    """
    red = ship("r1", 60, 20, ours, **more.pop("r", {}))
    blue = ship("b1", 60, 20 + distance, theirs, **{"course": 6} | more.pop("b", {}))
    return table([red], [blue], options=options, **more)


def ship_of(battle: Battle, id_: str) -> ShipState:
    return battle.state.ship_by_name(id_)


def start_battle(document: dict[str, Any]) -> Battle:
    return start(document, classes())


def log_lines(battle: Battle, *names: str) -> list[dict[str, Any]]:
    """Return the lines of the log of these kinds."""
    return [worded_line(line) for line in battle.events_json if line["event"] in names]
