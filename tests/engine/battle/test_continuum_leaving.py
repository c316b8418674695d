"""Escaping in Continuum: the moving table, disengaging, the stern chase; rams; orders before
sealing.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, start
from engine.continuum.squadrons import FallIn
from engine.known_battle import known_battle
from engine.order_requests.plot import PLOT_REQUEST
from tests.engine.battle.continuum_hulls import fly, hull, table
from tests.engine.battle.table import at, events_of, play

MOVING = ("moving-table",)


def flight(
    red: dict[str, Any], blue: dict[str, Any], pursue: bool = False, **dice: list[int]
) -> Battle:
    """A ship that leaves over the top edge, and one far behind it."""
    document = table(
        hull("r1", 200, 396, 12, 8, **red), options=MOVING, blue=[hull("b1", 200, 9, 12, 4, **blue)]
    )
    turn: dict[str, Any] = {"plot": {"r1": "leave"}}
    return play(document, [turn | ({"pursue": ["blue"]} if pursue else {})], **dice)


@pytest.mark.rule("pc.disengaging")
@pytest.mark.parametrize(
    ("dice", "sums", "outcome"),
    [([2, 4], (4, 4), "away"), ([2, 5], (4, 5), "let-go"), ([3, 4], (5, 4), "away")],
)
def test_example_thrust_8_against_6_adds_2(
    dice: list[int], sums: tuple[int, int], outcome: str
) -> None:
    battle = flight({"thrust": 8}, {"thrust": 6}, disengage=dice)
    gone = events_of(battle, "disengaged")[0]
    assert (tuple(total for _, _, total in gone.rolls), gone.outcome) == (sums, outcome)


@pytest.mark.rule("pc.disengaging")
def test_lower_sum_continues_the_pursuit_on_a_new_table() -> None:
    battle = flight({}, {}, pursue=True, disengage=[2, 5])
    assert events_of(battle, "disengaged")[0].outcome == "pursued"
    assert at(battle, "r1").y > at(battle, "b1").y
    assert {at(battle, name).course for name in ("r1", "b1")} == {12}


@pytest.mark.rule("pc.disengaging")
def test_vector_ship_is_chased_in_the_direction_of_flight() -> None:
    fled = {**hull("r1", 200, 396, 12, 8), "facing": 6}
    document = table(fled, options=(*MOVING, "vector"), blue=[hull("b1", 200, 9, 12, 4)])
    battle = play(document, [{"plot": {"r1": "leave"}, "pursue": ["blue"]}], disengage=[2, 5])
    ship = at(battle, "r1")
    assert (ship.course, ship.drift) == (12, (0.0, 8.0))


@pytest.mark.rule("pc.disengaging")
def test_table_moves_along_if_everything_fits() -> None:
    document = table(
        hull("r1", 200, 396, 12, 8), options=MOVING, blue=[hull("b1", 200, 300, 12, 8)]
    )
    battle = fly(document, {})
    assert events_of(battle, "table-moved")
    assert 0 <= at(battle, "b1").y < at(battle, "r1").y <= 400


@pytest.mark.rule("pc.ramming")
@pytest.mark.parametrize(("options", "will"), [((), 6), (("ram-on-4",), 4)])
def test_ram_follows_ship_movement_and_armour_counts(options: tuple[str, ...], will: int) -> None:
    """Example: 2 of 3 boxes times 4 are 8 points, 16 boxes times 3 are 48."""
    corvette = hull("r1", 200, 190, 12, 10, boxes=6, mass=20, damage=4)
    cruiser = hull("b1", 201, 200, 12, 0, boxes=16, armour=[[5, 0]])
    battle = play(
        table(corvette, hull("r2", 9, 9), options=options, blue=[cruiser]), [{"plot": {"r1": "ram b1"}}],
        ram=[will, 5, 2], damage=[4, 3],
    )  # fmt: skip
    tried = events_of(battle, "ram")[0]
    assert (tried.outcome, tried.blows) == ("rammed", (4, 3))
    assert (at(battle, "b1").armour, at(battle, "b1").damage) == (((0, 0),), 3), (
        "8 points, 5 of them on its armour"
    )
    assert at(battle, "r1").status == "destroyed"


@pytest.mark.rule("pc.movement")
@pytest.mark.parametrize(
    "text", ["P4", "S3+4", "squadron b1", "et; +9", "MD3", "alone", "else P1", "P1S1P1"]
)
def test_impossible_plot_is_reported_before_sealing(text: str) -> None:
    document = table(hull("r1", 200, 200, 12, 8), blue=[hull("b1", 202, 200, 12, 8)])
    battle = start(document)
    orders, faults = stops.read_orders(battle, 0, {"plot": {"r1": text}}, "orders")
    assert orders is None
    assert [fault.where for fault in faults] == ["orders.plot.r1"]
    red_battle = known_battle(battle, 0)
    assert stops.read_orders(red_battle, 0, {"plot": {"r1": text}}, "orders")[1] == faults, (
        "and by what its side knows alone"
    )


@pytest.mark.rule("pc.squadrons")
def test_squadron_is_sealed_like_other_orders() -> None:
    ships = [hull(f"r{n}", 200 + n, 200, 12, 8) for n in (1, 2)]
    battle = start(table(*ships))
    document = {"plot": {"r1": "P1", "r2": "squadron r1; scan b1"}}
    orders, faults = stops.read_orders(known_battle(battle, 0), 0, document)
    assert faults == ()
    assert orders is not None
    assert orders.of(PLOT_REQUEST)["r2"].find(FallIn) == FallIn("r1")


@pytest.mark.rule("pc.squadrons")
def test_incompatible_squadron_plots_are_reported_before_sealing() -> None:
    ships = [
        hull("r1", 201, 200, 12, 8),
        hull("r2", 202, 200, 12, 8, thrust=2),
        hull("r3", 203, 200, 12, 8),
    ]
    battle = known_battle(start(table(*ships)), 0)
    plots = {"r1": "+6", "r2": "squadron r1", "r3": "squadron r1"}
    faults = stops.read_orders(battle, 0, {"plot": plots}, "orders")[1]
    assert [(fault.where, fault.code) for fault in faults] == [
        ("orders.plot.r2", "plot-impossible")
    ]
    assert "uses 6 thrust; the limit is 2" in faults[0].message
