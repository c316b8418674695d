"""How many modules a reader has to follow for one shot of a beam, counted."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import engine
from engine import stops
from engine.battle import Battle, start
from engine.core.dice import Dice
from engine.sequences import resolve_orders
from tests.engine.battle.table import classes, gunship, setup

ENGINE_ROOT = Path(engine.__file__).parent
FIRING = "fire_ship"  # a ship's firing turn, in either edition
# edition: modules that a ship's firing turn enters, and that its whole phase enters, with the end
# of the turn. Both numbers may only go down, except for a new phase of all pieces.
MOST = {"second-edition": (9, 20), "continuum": (15, 32)}


def of_continuum() -> dict[str, Any]:
    systems: list[dict[str, Any]] = [
        {"type": "beam", "class": 3, "arcs": ["F"]},
        {"type": "firecon"},
    ]
    design = {
        "edition": "continuum",
        "kind": "warship",
        "mass": 40,
        "thrust": 4,
        "ftl": "standard",
        "systems": systems,
    }
    hull = {"hull": {"boxes": 12, "rows": 4}}
    sides = [
        {
            "name": name,
            "ships": [
                {
                    "id": id_,
                    "at": [10, y],
                    "course": 12,
                    "velocity": 0,
                    "design": design | hull | cls,
                }
            ],
        }
        for name, id_, y, cls in (
            ("red", "r1", 10, {"class": "One"}),
            ("blue", "b1", 20, {"class": "Other"}),
        )
    ]
    return {"edition": "continuum", "table": [120, 120], "sides": sides}


def of_the_second_edition() -> dict[str, Any]:
    return setup([gunship("r1", 10, 10, "A")], [gunship("b1", 10, 20, "A", course=6)])


def entered(battle: Battle, weapon: str) -> tuple[set[str], set[str]]:
    """Return the engine's modules that a firing turn enters, and those that its phase enters."""
    orders, faults = stops.read_orders(
        battle, 0, {"engage": {"r1": [{"weapon": weapon, "target": "b1"}]}}
    )
    assert orders is not None, faults
    firing: set[str] = set()
    whole: set[str] = set()
    within = 0

    def watch(frame: FrameType, event: str, _: object) -> None:
        nonlocal within
        path = Path(frame.f_code.co_filename)
        if not path.is_relative_to(ENGINE_ROOT):
            return
        is_firing = frame.f_code.co_name == FIRING
        if event == "call":
            within += is_firing
            whole.add(path.relative_to(ENGINE_ROOT).as_posix())
            if within:
                firing.add(path.relative_to(ENGINE_ROOT).as_posix())
        elif event == "return":
            within -= is_firing

    sys.setprofile(watch)
    try:
        resolve_orders(battle.state, orders, Dice(1), lambda _: None)
    finally:
        sys.setprofile(None)
    return firing, whole


@pytest.mark.parametrize("edition", MOST)
def test_beam_shot_passes_through_few_modules(edition: str) -> None:
    document, weapon = (
        (of_continuum(), "beam-1")
        if edition == "continuum"
        else (of_the_second_edition(), "battery-1")
    )
    battle, _ = stops.resolve_documents(start(document, classes()), {}, Dice(1))
    firing, whole = entered(battle, weapon)
    assert "weapons/beams.py" in firing
    assert len(firing) <= MOST[edition][0], sorted(firing)
    assert len(whole) <= MOST[edition][1], sorted(whole)
