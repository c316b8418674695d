"""A new phase with a new option is one file: asked, read, checked, advised, resolved, logged,
shown.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.phase_forms import form_of
from engine import stops
from engine.battle import Battle, battle_from, fight, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.documents import event_from_json, replay
from engine.notation.battles import read_battle
from engine.ruleset import rules_of, ruleset
from engine.sequences import wording
from engine.view.side_log import side_log
from tests.engine.battle.table import classes, gunship, setup
from tests.engine.extension import signals


@pytest.fixture(autouse=True)
def _signals(monkeypatch: pytest.MonkeyPatch) -> None:
    signals.in_use(monkeypatch)


def document(**more: Any) -> dict[str, Any]:
    """Return red and blue, who call each other x1 and x2, in range of each other."""
    red = gunship("r1", 10, 10, "A", contact="x1")
    return setup([red], [gunship("b1", 10, 20, "A", course=6, contact="x2")], **more)


def at_signals(**more: Any) -> Battle:
    battle, _ = stops.resolve_documents(start(document(**more), classes()), {}, Dice(1))
    return battle


def test_phase_comes_in_its_place_and_asks_everybody() -> None:
    battle = at_signals()
    assert battle.state.stop == "signals"
    assert stops.awaited_sides(battle) == (0, 1)
    assert wording("signals")["task"] == "Run up your flags"


def test_orders_are_read_with_every_fault_and_place() -> None:
    battle = at_signals()
    orders = {"signals": {"r1": "hoist green", "b1": "hoist red"}}
    faults = stops.read_orders(battle, 0, orders, "orders")[1]
    assert [(fault.where, fault.code) for fault in faults] == [
        ("orders.signals.r1", "unknown-flag"),
        ("orders.signals.b1", "unknown-ship"),
    ]
    assert [fault.code for fault in stops.read_orders(battle, 0, {"plot": {}})[1]] == [
        "unknown-key"
    ]
    battle.state.ships[0].damage = 1
    assert [
        fault.code for fault in stops.read_orders(battle, 0, {"signals": {"r1": "hoist red"}})[1]
    ] == ["no-mast"]


def test_captain_gives_orders_that_players_could_write() -> None:
    battle = at_signals()
    advice = stops.advise(battle, 0, Doctrine(), "seed")
    assert advice == {"signals": {"r1": "hoist red"}}
    assert stops.read_orders(battle, 0, advice)[1] == ()


def test_phase_is_resolved_logged_per_side_and_replayed() -> None:
    before = at_signals(options=["white-flags"])
    after, stop = stops.resolve_documents(before, {0: {"signals": {"r1": "hoist white"}}}, Dice(1))
    assert (after.state.stop, after.state.ship_by_name("r1").holds_fire) == ("engage", True)
    assert stop.inputs == {"r1": "hoist white"}
    lines = side_log(stop.events, before.state, 1)
    assert lines == [{"event": "hoisted", "turn": 1, "ship": "x1", "colour": "white"}], (
        "the meaning is told to nobody"
    )
    read = [event_from_json(json.loads(json.dumps(event.to_json()))) for event in stop.events]
    assert replay(before.state, read).ship_by_name("r1").holds_fire
    assert battle_from(json.loads(json.dumps(after.to_json()))).to_json() == after.to_json()


def test_option_is_offered_and_decides() -> None:
    assert ruleset("second-edition", ["white-flags"]).options == ("white-flags",)
    assert rules_of("second-edition").titles(["white-flags"]) == ("White flags",)
    after, _ = stops.resolve_documents(
        at_signals(), {0: {"signals": {"r1": "hoist white"}}}, Dice(1)
    )
    assert not after.state.ship_by_name("r1").holds_fire


def test_battle_file_gives_its_orders_and_captains_continue() -> None:
    turns = [{"signals": {"r1": "hoist white"}, "plot": {"r1": "+1"}}]
    records: list[tuple[str, Any]] = []
    battle = start(document(), classes())
    file = read_battle({**document(), "turns": turns}, classes())
    fight(
        battle,
        {},
        Dice(1),
        "captains",
        2,
        lambda stop: records.append((stop.kind, stop.inputs)),
        turns=file.turns,
    )
    assert [kind for kind, _ in records[:3]] == ["plot", "signals", "engage"]
    assert records[1][1] == {"b1": "hoist red", "r1": "hoist white"}


def test_page_has_a_line_for_each_ship_and_reads_it_back() -> None:
    form = form_of("signals")
    sight = FormSight(at_signals().state, 0, frozenset({"r1"}), {"r1": "Rubicon"})
    (row,) = form.rows(sight, {"signals": {"r1": "hoist red"}}, {"r1": ("no mast",)})
    assert (row.name, row.inputs[0].value, row.faults) == ("Rubicon", "hoist red", ("no mast",))
    assert form.payload(sight, QueryDict("raw-r1=hoist white")) == {"r1": "hoist white"}
