"""A fire phase that is visibly useless to everybody is skipped; with anything hidden it is held."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, start
from engine.core.dice import Dice
from engine.core.kinds import CLOAKED, LEFT_TABLE, ShipStatus
from engine.core.state import ENGAGE, PLOT
from engine.known_battle import known_battle
from tests.engine.battle.continuum_hulls import hull, table

GUNS = [{"type": "firecon"}, {"type": "beam", "class": 2, "arcs": ["F", "FS", "FP"]}]  # to 24 MU
SECOND: dict[str, Any] = {
    "class": "Jack", "edition": "second-edition", "kind": "warship", "mass": 40, "thrust": 4, "ftl": "standard",
    "systems": [{"type": "firecon"}, {"type": "battery", "battery": "B", "arcs": ["F", "P", "S"]}],
}  # fmt: skip


def continuum_battle(gap: float, **more: Any) -> Battle:
    """Return two ships at rest so many MU apart, in the fire phase."""
    return at_fire(
        table(
            hull("n1", 100, 100, systems=GUNS),
            blue=[hull("e1", 100 + gap, 100, systems=GUNS)],
            **more,
        )
    )


def second_edition_battle(gap: float, kind: str = "warship", **more: Any) -> Battle:
    design = SECOND | {"kind": kind} | ({"systems": []} if kind == "merchant" else {})
    sides = [
        {
            "name": name,
            "ships": [{"id": id_, "design": design, "at": [x, 20], "course": 12, "velocity": 0}],
        }
        for name, id_, x in (("red", "n1", 10.0), ("blue", "e1", 10.0 + gap))
    ]
    return at_fire({"edition": "second-edition", "table": [72, 48], "sides": sides, **more})


def at_fire(document: dict[str, Any]) -> Battle:
    """Return a battle at its first fire phase, even if nobody is asked there."""
    battle = start(document)
    battle.state.stop = ENGAGE
    return battle


@pytest.mark.parametrize(("gap", "asked"), [(24.0, (0, 1)), (24.2, ())])
@pytest.mark.parametrize("battle", [continuum_battle, second_edition_battle])
def test_no_fire_orders_without_anything_in_range(
    battle: Callable[[float], Battle], gap: float, asked: tuple[int, ...]
) -> None:
    assert stops.awaited_sides(battle(gap)) == asked


def test_turn_without_range_goes_from_plot_to_plot() -> None:
    battle = start(table(hull("n1", 100, 100, systems=GUNS)))
    after, stop = stops.resolve_documents(battle, {}, Dice(1))
    assert (stop.kind, after.state.stop, after.turn) == (PLOT, PLOT, 2)


HIDDEN: dict[str, Callable[[], Battle]] = {
    "bogeys": lambda: second_edition_battle(60, bogeys=True),
    "closed sheets": lambda: continuum_battle(200, options=("advanced-sensors",)),
    "merchants": lambda: second_edition_battle(60, kind="merchant"),  # either may be a Q ship
    "a cloak": lambda: with_status(continuum_battle(200), CLOAKED),
    "pursuit": lambda: with_status(continuum_battle(200, options=("moving-table",)), LEFT_TABLE),
}


def with_status(battle: Battle, status: ShipStatus) -> Battle:
    """Return the battle after its second side's ship has left the table in some way."""
    battle.state.ship_by_name("e1").status = status
    return battle


@pytest.mark.parametrize("case", HIDDEN)
def test_phase_is_held_where_something_may_be_hidden(case: str) -> None:
    assert 0 in stops.awaited_sides(HIDDEN[case]())


@pytest.mark.parametrize("gap", [20.0, 100.0])
def test_each_side_can_tell_whether_the_phase_is_held(gap: float) -> None:
    """Damage, spent and loaded weapons do not matter: each side's knowledge gives the same answer."""
    battle = continuum_battle(gap)
    state = battle.state
    state.ship_by_name("e1").lose_systems(("beam-1",))
    is_held = bool(stops.awaited_sides(battle))
    assert is_held == (gap < 24)
    assert [bool(stops.awaited_sides(known_battle(battle, side))) for side in (0, 1)] == [
        is_held,
        is_held,
    ]
