"""Ships with systems that a test needs, and battles played phase by phase."""

from __future__ import annotations

from typing import Any

from engine.battle import ResolvedStop, resolve_stop, start
from engine.core.dice import Dice
from engine.core.state import OVER
from engine.notation.battles import read_battle
from tests.engine.battle.table import classes

ARCS = ["P", "F", "S"]


def fitted_cruiser(
    id_: str, x: float, y: float, *systems: str, course: int = 3, velocity: int = 0, **more: Any
) -> dict[str, Any]:
    """Return a cruiser of MASS 36 and thrust 6 with an A battery, the named systems, and no FTL
    drive.
    """
    design = {
        "class": f"Fitted {id_}",
        "edition": "second-edition",
        "kind": "warship",
        "mass": 36,
        "thrust": 6,
        "ftl": "none",
        "systems": [
            {"type": "battery", "battery": "A", "arcs": ARCS},
            *({"type": type_} for type_ in systems),
        ],
    }
    return {
        "id": id_,
        "design": design,
        "at": [x, y],
        "course": course,
        "velocity": velocity,
        **more,
    }


def play_stops(
    document: dict[str, Any], turns: list[dict[str, Any]], dice: Dice
) -> list[ResolvedStop]:
    """Yield every phase of the given turns, played by these orders alone."""
    turn_orders = read_battle({**document, "turns": turns}, classes()).turns
    stops: list[ResolvedStop] = []
    battle = start(document, classes())
    while battle.state.stop != OVER and battle.turn <= len(turn_orders):
        battle, stop = resolve_stop(battle, turn_orders[battle.turn - 1], dice, len(stops))
        stops.append(stop)
    return stops
