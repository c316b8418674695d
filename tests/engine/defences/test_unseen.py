"""Battles that differ only in what a ship does or plans under its cloaking field look the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import stops
from engine.battle import Battle, ResolvedStop, resolve_stop
from engine.core.dice import Dice
from engine.core.state import PLOT
from engine.events import detection
from engine.known_battle import known_battle
from engine.notation.battles import read_battle
from engine.order_requests.base import TurnOrders
from engine.view import side_log as sidelog
from engine.view import side_view as view
from tests.engine.battle.table import classes
from tests.engine.defences.battles import facing, start_battle
from tests.engine.guns.duels import ship, table

pytestmark = pytest.mark.rule("pc.cloaks")
GUNS = "beam:3@F+FS+FP"

Plots = list[dict[str, str]]


def reads(document: dict[str, Any], plots: Plots, side: int = 0) -> list[str]:
    """Return everything a side sees in a battle by these plots.

    That is each phase's view and log, the battle as it knows it, and the answers to orders that
    name the other's ships.
    """
    battle = start_battle(document)
    texts: list[str] = []
    turns = read_battle({**document, "turns": [{"plot": plot} for plot in plots]}, classes()).turns
    for number, orders in enumerate(turns):
        while battle.state.turn == number + 1:
            texts.append(side_text(battle, side))
            stop_orders = orders if battle.state.stop == PLOT else TurnOrders()
            battle, stop = resolve_stop(battle, stop_orders, Dice(number))
            texts.append(log_text(stop, side))
    texts.append(side_text(battle, side))
    return texts


def side_text(battle: Battle, side: int) -> str:
    faults = stops.read_orders(battle, side, {"plot": {"r1": "scan b1"}})[1]
    side_battle = known_battle(battle, side)
    return json.dumps(
        [stops.side_view(battle, side), side_battle.to_json(), [str(fault) for fault in faults]]
    )


def log_text(stop: ResolvedStop, side: int) -> str:
    return json.dumps(sidelog.side_log(stop.events, stop.before, side))


def first_difference(document: dict[str, Any], first: Plots, second: Plots, at: int) -> str:
    """Return the first difference before the phase in which the ship shows itself."""
    for a, b in zip(reads(document, first)[:at], reads(document, second)[:at], strict=True):
        if a != b:
            return f"{a}\n{b}"
    return ""


FIELD = facing(GUNS, "cloaking-field ecm screen", 30.0, b={"velocity": 6, "thrust": 6})
TWO_SHIPS = table(
    [ship("r1", 60, 20, GUNS)],
    [
        ship("b1", 60, 60, "cloaking-field", 6, velocity=6),
        ship("b2", 70, 60, "beam:1", 6, velocity=4),
    ],
)


@pytest.mark.parametrize("document", [FIELD, TWO_SHIPS])
def test_hidden_plot_and_duration_are_secret(
    document: dict[str, Any],
) -> None:
    straight: Plots = [{"b1": "cloak 4"}, {}, {}, {}]
    crooked: Plots = [{"b1": "S1+2; cloak 6"}, {"b1": "P2; roll"}, {"b1": "-4"}, {"b1": "+9"}]
    assert first_difference(document, straight, crooked, 16) == ""


MOVES = ("", "S1", "P2+1", "S3-2", "+4", "-3", "roll", "jam", "P1S1")


@settings(max_examples=10, deadline=None)
@given(
    *(st.lists(st.sampled_from(MOVES), min_size=3, max_size=3) for _ in range(2)),
    st.integers(4, 9),
    st.integers(4, 9),
)
def test_any_hidden_plot_is_secret(
    first_reads: list[str], other: list[str], turns: int, more: int
) -> None:
    first, second = (
        [{"b1": f"cloak {n}"}, *({"b1": move} for move in moves)]
        for n, moves in ((turns, first_reads), (more, other))
    )
    assert first_difference(TWO_SHIPS, first, second, 16) == ""


def test_field_charge_and_cloak_orders_are_secret() -> None:
    systems = "reflex-field suicide-charge cloaking-device"
    document = facing(GUNS, systems, 30.0, options=("science-fiction",))
    assert first_difference(document, [{"b1": "reflex"}], [{}], 5) == ""
    assert first_difference(document, [{"b1": "cloak 1"}], [{"b1": "cloak 5"}], 5) == ""


def test_different_hidden_paths_with_one_end_look_the_same() -> None:
    there: Plots = [{"b1": "cloak 2"}, {"b1": "+2"}, {"b1": "-2"}]
    otherwise: Plots = [{"b1": "+2; cloak 2"}, {"b1": "-2"}, {}]
    positions = []
    for plots in (there, otherwise):
        battle = start_battle(FIELD)
        turns = read_battle({**FIELD, "turns": [{"plot": plot} for plot in plots]}, classes()).turns
        for number, orders in enumerate(turns):
            while battle.state.turn == number + 1:
                stop_orders = orders if battle.state.stop == PLOT else TurnOrders()
                battle, _ = resolve_stop(battle, stop_orders, Dice(number))
        positions.append(
            (battle.state.ship_by_name("b1").y, battle.state.ship_by_name("b1").velocity)
        )
    assert positions[0] == positions[1]
    assert first_difference(FIELD, there, otherwise, 99) == ""


@pytest.mark.parametrize("leak", ["moves", "contact", "velocity"])
def test_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    straight: Plots = [{"b1": "cloak 2"}, {}, {}]
    crooked: Plots = [{"b1": "cloak 2"}, {"b1": "+2"}, {}]
    if leak == "moves":
        monkeypatch.setattr(detection, "FIELD", "")
        monkeypatch.setattr(sidelog, "CLOAKED", "")
    elif leak == "contact":
        monkeypatch.setattr(view, "marker_of", lambda ship: (float(len(ship.facts())), 0.0))
        straight, crooked = [{"b1": "cloak 2"}], [{"b1": "+1; cloak 2"}]
    else:
        monkeypatch.setattr(view, "is_speed_known", lambda _: True)
    assert first_difference(FIELD, straight, crooked, 99) != ""
