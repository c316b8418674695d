"""The form of plots for riders and ships near gates: allowed input and its effect."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.plot_form import plot_payload, plot_rows
from engine.battle import Battle, start
from engine.known_battle import known_battle
from engine.stops import read_orders
from tests.engine.battle.continuum_hulls import hull, table

pytestmark = [pytest.mark.rule("pc.tugs"), pytest.mark.rule("pc.gates")]

BAY = {"type": "tender-bay", "mass": 90}
GATE = {"id": "north", "at": [200, 205], "mass": 400, "active": True}


def gate_battle() -> Battle:
    mother = hull("m1", 200, 200, 12, 5, mass=300, boxes=40, systems=[{"type": "firecon"}, BAY])
    rider = hull("r1", 0, 0, 12, 0, mass=40, boxes=12, ftl="none", carried="m1")
    return start(table(mother, rider, gates=[GATE]))


def gate_sight() -> FormSight:
    return FormSight(
        known_battle(gate_battle(), 0).state,
        0,
        frozenset({"m1", "r1"}),
        {"m1": "Hive", "r1": "Sting"},
    )


def test_ship_aboard_another_has_a_row() -> None:
    row = next(row for row in plot_rows(gate_sight(), {}, {}) if row.key == "r1")
    assert "aboard Hive: it moves only with the order 'detach'" in row.state
    assert "velocity 5" in row.state
    speeds = next(pick for pick in row.picks if pick.name == "thrust-r1")
    assert ("-5", "-5, to 0") in speeds.options
    assert "undock" not in [tick.value for tick in row.ticks]


def test_form_orders_are_valid() -> None:
    post = QueryDict("turn-r1=1&thrust-r1=2&word-r1=detach&more-m1-gate=north")
    plots = plot_payload(gate_sight(), post)
    assert plots == {"r1": "S1+2; detach", "m1": "gate north"}
    orders, faults = read_orders(gate_battle(), 0, {"plot": plots})
    assert faults == ()
    assert orders is not None
    again = next(row for row in plot_rows(gate_sight(), {"plot": plots}, {}) if row.key == "m1")
    gate = next(control for control in again.more_controls or () if control.key == "gate")
    assert [pick.chosen for pick in gate.fields.picks] == [("north",)]


def test_plot_of_a_carried_ship_is_refused() -> None:
    _, faults = read_orders(gate_battle(), 0, {"plot": {"r1": "+2"}})
    assert ["must detach first" in fault.message for fault in faults] == [True]
