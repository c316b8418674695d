"""Docked ships under captains: which cast off, and when."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle, fight, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.notation.orders import format_plot
from engine.view.side_view import observe
from tests.engine.battle.table import classes, gunship, setup
from tests.engine.guns.duels import ship, table


def at_pier(guns: str, *, damage: int = 0) -> dict[str, Any]:
    """Return `r1` docked at its base `r2`, with `b1` approaching."""
    base = ship("r2", 60, 60, "", kind="installation", thrust=0)
    base["damage"] = damage
    ours = [ship("r1", 60, 61, guns) | {"docked": "r2"}, base]
    return table(ours, [ship("b1", 60, 84, "beam:3@ALLx3", 6)])


def in_the_second_edition() -> dict[str, Any]:
    design = {
        "class": "Base",
        "edition": "second-edition",
        "kind": "installation",
        "mass": 100,
        "systems": [],
    }
    base = {"id": "r2", "design": design, "at": [60, 60], "course": 12, "velocity": 0}
    return setup(
        [gunship("r1", 60, 61, "A") | {"docked": "r2"}, base],
        [gunship("b1", 60, 84, "A", course=6)],
    )


def plots(battle: Battle) -> dict[str, str]:
    captain = Captain(Doctrine(), Dice("x"))
    return {
        name: format_plot(plot) for name, plot in captain.plots(observe(battle.state, 0)).items()
    }


@pytest.mark.rule("pc.docking")
@pytest.mark.parametrize(
    ("guns", "damage", "goes"), [("beam:2@ALL", 0, True), ("", 0, False), ("", 1, True)]
)
def test_able_ships_cast_off_and_others_when_their_station_is_hit(
    guns: str, damage: int, goes: bool
) -> None:
    orders = plots(start(at_pier(guns, damage=damage), classes()))
    assert ("undock" in orders.get("r1", "")) is goes


@pytest.mark.rule("pc.docking")
def test_ship_that_cast_off_fires() -> None:
    ended = fight(start(at_pier("beam:3@ALLx2"), classes()), {}, Dice(3), "3", 4)
    assert "r1" in {line["ship"] for line in ended.events_json if line["event"] == "fire"}


@pytest.mark.rule("2e.installations")
def test_second_edition_ships_cast_off_too() -> None:
    assert plots(start(in_the_second_edition(), classes()))["r1"] == "undock"
