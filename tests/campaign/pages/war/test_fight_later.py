"""The forms of plots and fire in Continuum return the orders that they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.battle.plot_form import plot_from_form, plot_row
from campaign.forms.field import Fields, displayed_values
from campaign.pages.battle.fights import _payload, _rows
from campaign.words.battle.log import SideNames
from engine import stops
from engine.battle import Battle, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.known_battle import known_battle
from engine.notation.files import fixture_classes
from engine.notation.orders import parse_plot
from engine.order_requests.plot import plot_faults
from engine.ruleset import rules_of

GUNS: list[dict[str, Any]] = [
    {"type": "firecon", "count": 3},
    {"type": "advanced-firecon"},
    {"type": "phaser", "class": 2, "arcs": ["FP", "F", "FS"]},
    {"type": "emp", "class": 1},
    {"type": "k-gun", "class": 2, "arcs": ["F"], "flak": True},
    {"type": "cloaking-device"},
]
ROTATIONS = ("TP", "TS")
PUSHES = ("PP", "PS", "PR")
DESIGN = {
    "class": "Gunnery ship", "edition": "continuum", "kind": "warship", "mass": 120, "hull": {"boxes": 24, "rows": 4},
    "thrust": 5, "ftl": "none", "systems": GUNS,
}  # fmt: skip


def gunnery(kind: str, **extra: Any) -> Battle:
    place = {"design": DESIGN, "velocity": 6}
    sides = [
        {"name": "red", "ships": [{"id": "n1", "at": [20, 20], "course": 3, **place, **extra}]},
        {"name": "blue", "ships": [{"id": "e1", "at": [30, 20], "course": 9, **place}]},
    ]
    options = ["flak", "vector", "emergency-thrust"]
    battle = start(
        {
            "edition": "continuum",
            "options": options,
            "table": [72, 48],
            "sides": sides,
        }
    )
    if kind == "engage":
        battle, _ = stops.resolve_documents(battle, {}, Dice(1))
    return battle


def orders_from_form(battle: Battle, orders: dict[str, Any]) -> dict[str, Any]:
    """Return the orders in the first side's form that shows these orders, unchanged."""
    return orders_from_form_of(battle, 0, orders)


def orders_from_form_of(battle: Battle, side: int, orders: dict[str, Any]) -> dict[str, Any]:
    """Return the orders in a side's form that shows these orders, unchanged."""
    battle_known, view = known_battle(battle, side), stops.side_view(battle, side)
    assert stops.read_orders(battle_known, side, orders)[1] == ()
    mine = [
        *view["own"],
        *(
            piece.id
            for piece in battle_known.state.pieces
            if piece.commanded and piece.commander == side
        ),
    ]
    sheet = {
        "kind": battle.state.stop,
        "at": side,
        "mine": mine,
        "view": view,
        "battle_document": battle_known.to_json(),
    }
    post = QueryDict(mutable=True)
    for row in _rows(sheet, orders, SideNames({}), {}):
        send(post, row)
    return _payload(sheet, SideNames({}), post)


def send(post: QueryDict, row: OrderRow) -> None:
    """Add a row's fields to the request, like a browser without the written order."""
    fields = [
        Fields(row.picks, row.ticks, row.inputs),
        *(control.fields for control in row.more_controls or ()),
    ]
    for pick in (pick for field_set in fields for pick in field_set.picks):
        assert set(pick.chosen) <= {value for value, _ in pick.options}, pick
    for name, values in displayed_values(fields).items():
        if values:
            post.setlist(name, values)
    for name, value in row.hidden_fields:
        if not name.startswith("was-"):
            post[name] = value


@pytest.mark.parametrize(
    "plot", ["P1+2; roll", "S2-3; cloak 3", "P1S1", "+7; et; else +2", "roll; cloak 2"]
)
def test_rare_plot_words_survive_the_form(plot: str) -> None:
    battle = gunnery("plot")
    battle.state.ship_by_name("n1").drift = None
    assert orders_from_form(battle, {"plot": {"n1": plot}}) == {"plot": {"n1": plot}}


def test_vector_burns_survive_the_form() -> None:
    battle = gunnery("plot")
    battle.state.ship_by_name("n1").drift = (6.0, 0.0)
    assert orders_from_form(battle, {"plot": {"n1": "TS1 MD3; roll"}}) == {
        "plot": {"n1": "TS1 MD3; roll"}
    }


def rotations_and_pushes() -> list[tuple[str, ...]]:
    """Return every sequence of at most one rotation and at most one push."""
    orders: list[tuple[str, ...]] = [(), *((name,) for name in (*ROTATIONS, *PUSHES))]
    for rotation, push in product(ROTATIONS, PUSHES):
        orders += [(rotation, push), (push, rotation)]
    return orders


def burns_of(order: Sequence[str], drives: Sequence[int]) -> list[tuple[str, int]]:
    """Return burns of 1 point, with the main drive before, between and after them.

    Args:
        drives: The points of the main drive, of one more burn than the order has.
    """
    burns = []
    for n, points in enumerate(drives):
        burns.append(("MD", points))
        burns += [(name, 1) for name in order[n : n + 1]]
    return [burn for burn in burns if burn[1]]


def posted_burns(burns: Iterable[tuple[str, int]]) -> QueryDict:
    """Return what a browser sends of burns that are chosen by the controls of ship `n1`."""
    post = QueryDict(mutable=True)
    post["was-n1"] = post["raw-n1"] = ""
    for n, (name, points) in enumerate(burns):
        post[f"burn-n1-{n}"] = name
        post[f"points-n1-{n}"] = str(points)
    return post


@pytest.mark.rule("pc.vector")
def test_controls_give_every_valid_burn() -> None:
    """One rotation, one push, the main drive before, between and after them: without typing."""
    battle = gunnery("plot")
    ship = battle.state.ship_by_name("n1")
    ship.drift = (6.0, 0.0)
    form_sight = FormSight(battle.state, 0, frozenset({"n1"}), {})
    turning, main = rules_of(ship.sheet.edition).limits(battle.state, ship)
    assert turning >= 2
    assert main >= 3
    order_count = 0
    for order in rotations_and_pushes():
        for drives in product((0, 1, main - 2), repeat=len(order) + 1):
            burns = burns_of(order, drives)
            words = " ".join(f"{name}{points}" for name, points in burns)
            plot, _ = parse_plot(words, "", ship.sheet.edition)
            if words and plot is not None and not plot_faults(battle.state, ship, plot):
                assert plot_from_form(form_sight, ship, posted_burns(burns)) == words
                order_count += 1
    assert order_count > 100
    picks = {pick.name: pick for pick in plot_row(form_sight, ship, "MD1 TS3 MD1 PP1", ()).picks}
    assert picks["burn-n1-3"].chosen == ("PP",)


def test_weapon_modes_and_aims_survive_the_form() -> None:
    fires = [
        {"weapon": "phaser-1", "target": "e1", "system": "firecon-1", "mode": "needle"},
        {"weapon": "emp-1", "target": "e1", "system": ["drive", "firecon-1"]},
        {"weapon": "k-gun-1", "target": "e1"},
    ]
    battle = gunnery("engage")
    assert orders_from_form(battle, {"engage": [["n1", fires]]}) == {"engage": [["n1", fires]]}


def test_flak_survives_the_form() -> None:
    orders = {"plot": {"n1": "+1"}, "launch": {"n1": [{"weapon": "k-gun-1", "at": [30, 20.5]}]}}
    battle = gunnery("plot")
    battle.state.ship_by_name("n1").drift = None
    assert orders_from_form(battle, orders) == orders


def test_captain_orders_survive_the_form() -> None:
    ships = [
        {"class": name, "at": [12, 6 + 7 * n], "course": 3, "velocity": 4, "id": f"n{n}"}
        for n, name in enumerate(list(fixture_classes("continuum"))[:5])
    ]
    foes = [
        {**ship, "id": f"e{ship['id']}", "at": [40, 6 + 7 * n], "course": 9}
        for n, ship in enumerate(ships)
    ]
    sides = [{"name": "red", "ships": ships}, {"name": "blue", "ships": foes}]
    battle = start(
        {"edition": "continuum", "table": [72, 48], "sides": sides}, fixture_classes("continuum")
    )
    dice = Dice(5)
    for _ in range(6):
        advice: dict[str, Any] = {**stops.advise(known_battle(battle, 0), 0, Doctrine(), "x")}
        orders_read = orders_from_form(battle, advice)
        orders_read.pop("pursue", None)
        ((entry, advised),) = advice.items()
        if entry == "engage":
            assert orders_read == {entry: [[name, fires] for name, fires in advised if fires]}
        else:
            assert orders_read == {entry: {name: words for name, words in advised.items() if words}}
        orders = {
            side: stops.advise(battle, side, Doctrine(), "x")
            for side in stops.awaited_sides(battle)
        }
        battle, _ = stops.resolve_documents(battle, orders, dice)
