"""The forms of ordnance express what orders do: launches, further stages, point defence."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_plus

import pytest
from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.battle.launch_data import launch_data
from campaign.forms.battle.plot_form import plot_payload
from campaign.pages.battle.fights import _rows
from campaign.pages.table.table_markers import table_markers
from campaign.services.phases import phase_payload, phase_violations
from campaign.words.battle.log import LogLine, SideNames, line_of
from engine import stops
from engine.battle import Battle, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.known_battle import known_battle
from engine.pieces.marker import Marker
from engine.view.event_reader import read_event, read_events
from engine.view.side_log import side_log
from tests.campaign.pages.war.test_fight_later import orders_from_form, orders_from_form_of

ALL = ["F", "FS", "AS", "A", "AP", "FP"]
SYSTEMS = [
    {"type": "firecon"}, {"type": "advanced-firecon"}, {"type": "adfc"}, {"type": "pds"}, {"type": "ads", "arcs": ALL},
    {"type": "beam", "class": 1, "arcs": ALL}, {"type": "salvo-launcher", "magazine": "magazine-1"},
    {"type": "magazine", "mass": 7, "load": {"standard": 2, "extended": 1}},
    {"type": "heavy-missile", "model": "two-stage"}, {"type": "heavy-missile"}, {"type": "rocket-pod"},
    {"type": "plasma-bolt", "class": 2, "arcs": ["F"]}, {"type": "antimatter-missile"},
    {"type": "phaser", "class": 2, "arcs": ["F", "FS", "FP"]},
]  # fmt: skip
DESIGN = {
    "class": "Missile ship", "edition": "continuum", "kind": "warship", "mass": 120,
    "hull": {"boxes": 24, "rows": 4}, "thrust": 5, "ftl": "none", "systems": SYSTEMS,
}  # fmt: skip
LAUNCHES = [
    {"weapon": "salvo-launcher-1", "at": [38, 20], "load": "extended"},
    {"weapon": "heavy-missile-1", "at": [33, 20.5]},
    {"weapon": "heavy-missile-2", "at": [33, 21]},
]


def missiles(*options: str, distance: int = 32) -> Battle:
    """Return red and blue, head on at so many MU, each with everything that can be launched."""
    place = {"design": DESIGN, "velocity": 4}
    sides = [
        {"name": "red", "ships": [{"id": "n1", "at": [10, 20], "course": 3, **place}]},
        {"name": "blue", "ships": [{"id": "e1", "at": [10 + distance, 20], "course": 9, **place}]},
    ]
    return start({"edition": "continuum", "table": [72, 48], "sides": sides, "options": [*options]})


def missile_attack(*options: str) -> Battle:
    """Return the same, with red's missiles attacking blue."""
    at = [{**LAUNCHES[0], "at": [38, 20]}, {**LAUNCHES[2], "at": [33, 21]}]
    battle, _ = stops.resolve_documents(
        missiles(*options), {0: {"plot": {}, "launch": {"n1": at}}}, Dice(3)
    )
    assert battle.state.stop == "defend"
    return battle


def sheet_of(battle: Battle, side: int) -> dict[str, Any]:
    """Return the sheet of the side's only faction."""
    view = stops.side_view(battle, side)
    markers = [marker["id"] for marker in view.get("ordnance", ()) if marker["side"] == side]
    return {
        "kind": battle.state.stop, "at": side, "mine": [*view["own"], *markers], "view": view, "battle": "b", "week": 1,
        "hex": "0101", "number": 0, "battle_document": known_battle(battle, side).to_json(),
    }  # fmt: skip


def rows(battle: Battle, side: int, orders: dict[str, Any]) -> dict[str, OrderRow]:
    return {row.key: row for row in _rows(sheet_of(battle, side), orders, SideNames({}), {})}


@pytest.mark.rule("pc.salvo-missiles", "pc.heavy-missiles", "pc.rocket-pods", "pc.arcs")
def test_launcher_cards_show_stock_range_and_captain_orders() -> None:
    """They name fields of the form, show who is in range of rockets, and offer only legal launches."""
    for distance in (32, 12):
        battle = missiles(distance=distance)
        form_sight = FormSight(known_battle(battle, 0).state, 0, frozenset({"n1"}), {})
        cards = launch_data(form_sight, {"launch": {"n1": LAUNCHES}})["launches"]
        names = rows(battle, 0, {})["n1"].names
        assert {
            card[part] for card in cards for part in ("aim", "load", "fuse", "prey") if part in card
        } <= names
        salvo, staged, heavy, rockets, bolt, antimatter = cards
        assert salvo["loads"] == [["standard", 2, 0.0, 24.0], ["extended", 1, 0.0, 36.0]]
        assert [card["loads"][0][2:] for card in (staged, heavy, bolt, antimatter)] == [
            [16.0, 24.0], [0.0, 24.0], [0.0, 30.0], [0.0, 18.0],
        ]  # fmt: skip
        assert [card.get("holds") for card in cards] == [
            "n1/magazine-1",
            None,
            None,
            None,
            None,
            None,
        ]
        assert (salvo["arcs"], bolt["arcs"], salvo["turn"]) == (["F", "FS", "FP"], ["F"], 3)
        assert salvo["captain"] == {
            "aim-n1-salvo-launcher-1": "38 20",
            "load-n1-salvo-launcher-1": "extended",
        }
        foe = next(name for name, _ in form_sight.other_ships())
        assert rockets["targets"] == ([[foe, foe, 12.0]] if distance == 12 else [])
        assert not any("why" in card for card in cards)


def test_launcher_that_cannot_launch_says_why() -> None:
    battle = missiles()
    ship = battle.state.ships[0]
    for place in ship.profile.firecons:
        ship.knock_out(place)
    ship.recompute()
    form_sight = FormSight(known_battle(battle, 0).state, 0, frozenset({"n1"}), {})
    reasons = {
        card["type"]: card.get("why", "") for card in launch_data(form_sight, {})["launches"]
    }
    assert "FireCon" in reasons["salvo-launcher"]
    assert not reasons["plasma-bolt"]


def test_launches_survive_the_form() -> None:
    orders = {"plot": {"n1": "+1"}, "launch": {"n1": LAUNCHES}}
    assert orders_from_form(missiles(), orders) == orders
    row = rows(missiles(), 0, orders)["n1"]
    aims = [field.value for field in row.inputs if field.name.startswith("aim-") and field.value]
    assert aims == ["38 20", "33 20.5", "33 21"]
    assert any("2 standard, 1 extended" in field.label for field in row.inputs)


def test_rocket_pod_target_survives_the_form_and_its_dice_are_shown() -> None:
    battle = missiles(distance=12)
    orders = {"plot": {"n1": "+1"}, "launch": {"n1": [{"weapon": "rocket-pod-1", "target": "e1"}]}}
    assert orders_from_form(battle, orders) == orders
    _, phase = stops.resolve_documents(battle, {0: orders}, Dice(3))
    names = SideNames({"n1": "Alpha", "e1": "Beta"})
    lines = [
        line.words
        for event in read_events(side_log(phase.events, battle.state, 1))
        if (line := line_of(event, names))
    ]
    assert any(words.startswith("Alpha fires rocket pod 1 at Beta: ") for words in lines)


def test_shaped_bolt_target_survives_the_form() -> None:
    battle = missiles("shaped-bolts", distance=12)
    orders = {
        "plot": {"n1": "+1; shaped plasma-bolt-1"}, "launch": {"n1": [{"weapon": "plasma-bolt-1", "target": "e1"}]},
    }  # fmt: skip
    assert orders_from_form(battle, orders) == orders
    row = rows(battle, 0, orders)["n1"]
    assert ("plasma bolt 1: fire a shaped bolt at", ("e1",)) in [
        (pick.label, pick.chosen) for pick in row.picks
    ]
    _, phase = stops.resolve_documents(battle, {0: orders}, Dice(3))
    names = SideNames({"n1": "Alpha", "e1": "Beta"})
    lines = [
        line.words
        for event in read_events(side_log(phase.events, battle.state, 1))
        if (line := line_of(event, names))
    ]
    assert any(
        words.startswith("Alpha fires a shaped bolt from plasma bolt 1 at Beta and ")
        for words in lines
    )


def test_written_order_shapes_the_bolts_aimed_by_fields() -> None:
    battle_known = known_battle(missiles("shaped-bolts", distance=12), 0)
    form_sight = FormSight(battle_known.state, 0, frozenset({"n1"}), {})
    for words, plot in (
        ("P1+2", "P1+2; shaped plasma-bolt-1"),
        ("shaped plasma-bolt-1", "shaped plasma-bolt-1"),
    ):
        post = QueryDict(f"raw-n1={quote_plus(words)}&prey-n1-plasma-bolt-1=e1")
        assert plot_payload(form_sight, post) == {"n1": plot}
    assert plot_payload(form_sight, QueryDict("raw-n1=P1")) == {"n1": "P1"}


def test_form_offers_no_shaped_bolts_without_the_option() -> None:
    row = rows(missiles(distance=12), 0, {})["n1"]
    assert not [pick for pick in row.picks if "shaped" in pick.label]


def test_bolts_and_fuses_survive_the_form_and_are_targets() -> None:
    battle = missiles(distance=20)
    bolt = {"weapon": "plasma-bolt-1", "at": [30, 20]}
    fused = {"weapon": "antimatter-missile-1", "at": [26, 20], "fuse": "open"}
    orders = {"plot": {"n1": "+1"}, "launch": {"n1": [bolt, fused]}}
    assert orders_from_form(battle, orders) == orders
    battle, _ = stops.resolve_documents(battle, {0: orders}, Dice(3))
    assert battle.state.stop == "defend"
    row = rows(battle, 1, {"e1": [{"weapon": "pds-1", "target": "marker-1"}]})["e1"]
    marker_words = [words for pick in row.picks for key, words in pick.options if key == "marker-1"]
    assert marker_words[0] == "marker 1, plasma bolt, about to explode"
    _, phase = stops.resolve_documents(battle, {}, Dice(3))
    lines = [
        line_of(read_event(event), SideNames({}))
        for event in side_log(phase.events, battle.state, 1)
    ]
    assert "Marker 1 explodes at 30, 20" in [line.words for line in lines if line is not None]


def test_nothing_is_launched_without_a_target_point() -> None:
    assert orders_from_form(missiles(), {"plot": {"n1": "+1"}}) == {"plot": {"n1": "+1"}}


def test_launches_are_sealed_with_the_plots_and_allies_give_their_own() -> None:
    sheet = sheet_of(missiles(), 0)
    orders = {"plot": {}, "launch": {"n1": LAUNCHES}}
    assert phase_violations(sheet, orders) == ()
    assert phase_payload(sheet, orders)["launch"] == {"n1": LAUNCHES}
    assert "launch" not in phase_payload(sheet, {"plot": {}, "launch": {}})
    allied = phase_violations({**sheet, "mine": []}, orders)
    assert [(fault.where, fault.code) for fault in allied] == [("launch.n1", "not-yours")]


def test_second_stage_has_its_own_row() -> None:
    battle = missiles()
    at = [{"weapon": "heavy-missile-1", "at": [30, 40]}]
    launches = {0: {"plot": {}, "launch": {"n1": [{**at[0], "at": [26, 30]}]}}}
    battle, _ = stops.resolve_documents(battle, launches, Dice(3))
    while battle.state.stop != "plot":
        battle, _ = stops.resolve_documents(battle, {}, Dice(3))
    (marker,) = battle.state.pieces_of(Marker)
    ahead = known_battle(battle, 0)
    orders = {"plot": {}, "launch": {marker.id: [{"weapon": "stage", "at": [42, 40]}]}}
    assert stops.read_orders(ahead, 0, orders)[1] == ()
    row = rows(battle, 0, orders)[marker.id]
    assert [field.value for field in row.inputs] == ["42 40"]
    form_sight = FormSight(ahead.state, 0, frozenset({"n1", marker.id}), {})
    card = launch_data(form_sight, orders)["launches"][-1]
    assert (card["aim"], card["captain"], card["loads"]) == (
        row.inputs[0].name,
        {row.inputs[0].name: "42 40"},
        [["", 0, 16.0, 24.0]],
    )
    assert marker.id not in rows(battle, 1, {"plot": {}})
    assert [
        (table_marker.kind, table_marker.arrow)
        for table_marker in table_markers(stops.side_view(battle, 1), SideNames({}), 48)
    ] == [("marker", True)]


@pytest.mark.parametrize(
    "orders",
    [
        {},
        {"e1": []},
        {"e1": [{"weapon": "pds-1", "target": "marker-1"}]},
        {"e1": [{"weapon": "ads-1", "target": ["marker-1", "marker-2"], "mode": "split"}]},
        {"e1": [{"weapon": "phaser-1", "target": "marker-2", "mode": "area"}]},
        {"e1": [{"weapon": "phaser-1", "target": ["marker-1", "marker-2"], "mode": "area"}]},
    ],
)
def test_point_defence_survives_the_form(orders: dict[str, Any]) -> None:
    assert orders_from_form_of(missile_attack(), 1, {"defend": orders}) == {"defend": orders}


def test_ship_without_choice_is_shown_to_spread_its_fire() -> None:
    row = rows(missile_attack(), 1, {})["e1"]
    assert row.state.startswith(
        "attacked by marker 1, marker 2; without a choice, its point defence is spread"
    )


@pytest.mark.parametrize(
    "orders", [{}, {"e1": []}, {"e1": [{"weapon": "pds-1"}, {"weapon": "beam-1"}]}]
)
def test_point_defence_by_level_survives_the_form(orders: dict[str, Any]) -> None:
    battle = missile_attack("point-defence-level")
    assert orders_from_form_of(battle, 1, {"defend": orders}) == {"defend": orders}
    (row,) = rows(battle, 1, {"defend": orders}).values()
    assert (
        row.state
        == "attacked by 2 markers; without a choice, its PDS and ADS protect the ship itself"
    )
    offered = [[value for value, _ in pick.options[1:]] for pick in row.picks]
    assert offered == [["e1"]] * len(row.picks)
    _, phase = stops.resolve_documents(battle, {1: {"defend": orders}}, Dice(3))
    lines = [
        line_of(read_event(event), SideNames({"e1": "Beta"}))
        for event in side_log(phase.events, battle.state, 0)
    ]
    words = [line.words for line in lines if line is not None]
    assert any(line_words.startswith("Beta has a point defence level of") for line_words in words)
    assert any(
        line_words.startswith("Beta fires PDS 1 as point defence") for line_words in words
    ) == (orders != {"e1": []})


def test_captain_advice_survives_the_form() -> None:
    battle = missiles()
    for _ in range(9):
        advice = stops.advise(known_battle(battle, 0), 0, Doctrine(), "x")
        if battle.state.stop in ("plot", "defend"):
            orders_read = orders_from_form(battle, dict(advice))
            assert orders_read.get("launch", {}) == advice.get("launch", {})
            assert orders_read.get("defend", {}) == advice.get("defend", {})
        orders = {
            side: stops.advise(battle, side, Doctrine(), "x")
            for side in stops.awaited_sides(battle)
        }
        battle, _ = stops.resolve_documents(battle, orders, Dice(5))
        if battle.state.stop == "over":
            break


def test_log_describes_ordnance() -> None:
    names = SideNames({"n1": "Alpha", "e1": "Beta"})
    before = missiles()
    launch = {"plot": {}, "launch": {"n1": [LAUNCHES[0], {**LAUNCHES[2], "at": [33, 21]}]}}
    battle, first = stops.resolve_documents(before, {0: launch}, Dice(3))
    after, second = stops.resolve_documents(battle, {}, Dice(3))
    assert after.turn == 1
    events = [*side_log(first.events, before.state, 0), *side_log(second.events, battle.state, 0)]
    lines: list[LogLine] = [
        line
        for event in events
        if "ordnance" in event["event"] and (line := line_of(read_event(event), names))
    ]
    words = [line.words for line in lines]
    assert words[0] == "Alpha launches marker 1 at 38, 20 from its salvo launcher 1"
    assert lines[0].detail == "extended"
    assert any(line_words.startswith("Marker 1 attacks") for line_words in words)
    assert any(" fires pds 1 at marker " in line_words.lower() for line_words in words)
    assert any(
        " hits " in line_words or line_words.startswith("None of marker") for line_words in words
    )
    foreign = [
        event
        for event in side_log(first.events, before.state, 1)
        if event["event"] == "ordnance-launched"
    ]
    assert [line_of(read_event(event), names).detail for event in foreign] == ["", ""]  # type: ignore[union-attr]
