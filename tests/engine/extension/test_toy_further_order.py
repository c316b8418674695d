"""A new word of plots is one class in its edition's row.

It is read with its faults, checked, sealed by contact, opened, logged for each side, carried out
again after the move, shown in the form, and written back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.fight_form import Control, FormSight
from campaign.forms.battle.plot_form import plot_from_form, plot_row
from engine import stops
from engine.battle import Battle, start
from engine.continuum.drives import Roll
from engine.core.notes import write_fact
from engine.core.orders import FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.slots import OneOf, Slot
from engine.core.state import BattleState
from engine.core.table import Table
from engine.known_battle import known_battle
from engine.notation.orders import format_plot, parse_plot, read_names
from engine.order_requests.plot import PLOT_REQUEST
from engine.ruleset import ROWS, rules_of
from engine.view.side_log import side_log
from engine.view.worded_log import worded_line
from tests.engine.battle.continuum_hulls import hull, table
from tests.engine.battle.table import play, replays

OWN, FOE = 0, 1


@dataclass(frozen=True, slots=True)
class Hail(FurtherOrder):
    """A ship hails another with its reflex field up, and rolls over after its move."""

    target: str

    @staticmethod
    def word() -> str:
        return "hail"

    @staticmethod
    def repeats() -> bool:
        return True

    @staticmethod
    def parse(words: list[str]) -> Hail:
        return Hail(*read_names(words, 1, 1, "the ship it hails"))

    @staticmethod
    def slots(state: BattleState, _ship: ShipState) -> tuple[Slot, ...]:
        return (OneOf("Whom", tuple(ship.id for ship in state.ships)),)

    def arguments(self) -> tuple[str, ...]:
        return (self.target,)

    def unit_names(self) -> tuple[str, ...]:
        return (self.target,)

    def with_ids(self, ids: Mapping[str, str]) -> Hail:
        return Hail(ids.get(self.target, self.target))

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        if plot.find(Roll) is not None:
            return "nobody hails while he rolls"
        return "" if ship.id != self.target and state.turn < 2 else "it hails itself, or too late"

    def before_moves(self, table: Table, ship: ShipState) -> None:
        write_fact(table, ship, "reflex", 1)

    def after_moves(self, table: Table, ship: ShipState) -> None:
        write_fact(table, ship, "rolled", 1)


@pytest.fixture(autouse=True)
def _hails(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("continuum")
    grammar = replace(rules.grammar, further=(*rules.grammar.further, Hail))
    monkeypatch.setitem(ROWS, rules.edition, replace(rules, grammar=grammar))


def document() -> dict[str, Any]:
    return table(hull("r1", 200, 200, contact="x1"), blue=[hull("b1", 300, 200, contact="x2")])


def sealed(text: str) -> tuple[Battle, Any, tuple[Any, ...]]:
    """Return red's sealed plot: the battle as red knows it, the orders, the faults."""
    battle = known_battle(start(document()), OWN)
    return battle, *stops.read_orders(battle, OWN, {"plot": {"r1": text}})


def test_order_is_read_and_written_in_its_place() -> None:
    plot, faults = parse_plot("+1; HAIL x2; roll; hail x3", "plot", "continuum")
    assert faults == ()
    assert plot is not None
    assert plot.further == (Hail("x2"), Roll(), Hail("x3"))
    assert (plot.find(Hail), plot.find(Roll), Plot().find(Hail)) == (Hail("x2"), Roll(), None)
    assert format_plot(plot) == "+1; hail x2; roll; hail x3"
    assert plot.unit_names() == ("x2", "x3")
    assert format_plot(plot.with_ids({"x2": "b1"})) == "+1; hail b1; roll; hail x3"


@pytest.mark.parametrize("text", ["hail", "hail x2 x3"])
def test_missing_part_is_reported_in_its_place(text: str) -> None:
    parsed_plot, [fault] = parse_plot(text, "turns[0].plot.r1", "continuum")
    assert parsed_plot is None
    assert (fault.where, fault.code) == ("turns[0].plot.r1", "plot-hail")
    assert fault.message == f"'{text}': expected the ship it hails"


def test_unlisted_edition_does_not_know_it() -> None:
    _, [fault] = parse_plot("hail x2", "plot", "second-edition")
    assert fault.code == "plot-unknown"


def test_order_is_judged_with_the_whole_plot() -> None:
    assert sealed("hail x2")[2] == ()
    for text, why in (
        ("hail r1", "it hails itself, or too late"),
        ("hail x2; roll", "nobody hails while he rolls"),
    ):
        _, _, [fault] = sealed(text)
        assert fault.code == "plot-impossible"
        assert why in fault.message


def test_order_is_carried_out_at_reveal_and_after_movement() -> None:
    initial_battle = start(document())
    battle = play(document(), [{"plot": {"r1": "hail b1"}}])
    lines = [line for line in battle.events_json if line.get("ship") == "r1"]
    entries = [(line["note"], line["value"]) if "note" in line else line["event"] for line in lines]
    assert entries[:3] == [("reflex", 1), "moved", ("rolled", 1)]
    assert replays(initial_battle, battle)
    assert "reflex" in json.dumps(side_log(battle.events, initial_battle.state, OWN))
    assert "reflex" not in json.dumps(side_log(battle.events, initial_battle.state, FOE)), (
        "nobody else is told"
    )


def test_impossible_order_is_reported_in_its_words() -> None:
    battle = play(document(), [{}, {"plot": {"r1": "hail b1"}}])
    [refused] = [
        worded_line(line) for line in battle.events_json if line["event"] == "order-refused"
    ]
    assert (refused["order"], refused["reason_text"]) == ("hail b1", "it hails itself, or too late")


def test_forms_and_sealed_orders_carry_it() -> None:
    battle, orders, faults = sealed("hail x2")
    assert faults == ()
    assert orders.of(PLOT_REQUEST)["r1"].find(Hail) == Hail("x2")
    sight = FormSight(battle.state, OWN, frozenset({"r1"}), {"x2": "Bogey x2"})
    ship = battle.state.ship_by_name("r1")

    def controls(words: str) -> dict[str, Control]:
        return {
            control.key: control
            for control in plot_row(sight, ship, words, ()).more_controls or ()
            if "hail" in control.key
        }

    (fresh,) = controls("").values()
    (pick,) = fresh.fields.picks
    assert (fresh.label, pick.label) == ("Hail", "Hail")
    assert ("x2", "Bogey x2") in pick.options
    assert ship.id not in [value for value, _ in pick.options], (
        "itself is not offered: the class says why"
    )
    assert plot_from_form(sight, ship, QueryDict(f"raw-r1=%2B1&{pick.name}=x2")) == "+1; hail x2"
    texts = controls("hail x2; hail x3")
    assert list(texts) == ["hail", "hail x2", "hail x3"], "said once or more, and once more"
