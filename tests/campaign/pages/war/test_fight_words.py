"""Every word of both editions' plots has a control, offered to a ship that can use it."""

from __future__ import annotations

import re
from dataclasses import fields as fields_of
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict

from campaign.api.fight_shapes import PhaseOrders
from campaign.forms.battle.fight_form import Control, FormSight
from campaign.forms.battle.plot_form import plot_from_form, plot_row
from campaign.forms.battle.plot_words import DRAWN_ELSEWHERE
from campaign.forms.field import Fields, displayed_values
from campaign.words.plot_text import MOVE, plot_parts
from engine.battle import Battle, start
from engine.core.kinds import ShipStatus
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.ship import DOCKED, ShipState
from engine.known_battle import known_battle
from engine.notation.orders import ELSE, WORDS, parse_plot
from engine.order_requests.plot import PLOT_REQUEST
from engine.ruleset import ROWS, rules_of
from engine.stops import read_orders
from tests.engine.battle.continuum_hulls import hull, table

ROOT = Path(__file__).resolve().parents[4]
SECOND, CONTINUUM = "second-edition", "continuum"
SYSTEMS: list[dict[str, Any]] = [
    {"type": "firecon", "count": 2}, {"type": "ecm"}, {"type": "area-ecm"}, {"type": "minesweeper"},
    *[{"type": "minelayer", "load": {"mines": 3}}] * 2, {"type": "reflex-field"}, {"type": "suicide-charge"},
    {"type": "fusion-array", "arcs": ["F"]}, {"type": "pulse-torpedo", "arcs": ["F"], "overload": True, "count": 2},
    {"type": "wave-gun"}, {"type": "nova-cannon"}, {"type": "turret", "arcs": ["F", "FS", "AS"]},
    {"type": "beam", "class": 2, "turret": "turret-1"}, {"type": "ortillery"}, {"type": "cloaking-device"},
    {"type": "launch-tube"}, {"type": "hangar", "load": {"standard": 6}}, {"type": "stealth-field"},
    {"type": "plasma-bolt", "class": 2, "arcs": ["F"]}, {"type": "superior-sensors", "count": 2},
]  # fmt: skip
WORLD = {
    "kind": "planet",
    "at": [320, 300],
    "radius": 6,
    "gravity": [12, 9],
    "atmosphere": 6,
    "g": 2,
}
GATES = [
    {"id": "north", "at": [200, 215], "mass": 400, "active": True},
    {"id": "south", "at": [200, 150], "mass": 400},
]
GROUND = [{"side": "blue", "planet": "planet-1", "boxes": 3}]
OPTIONS = ("emergency-thrust", "boarding", "overload", "advanced-sensors", "shaped-bolts")
MOTHER: list[dict[str, Any]] = [{"type": "firecon"}, {"type": "tender-bay", "mass": 90}]


@cache
def continuum() -> Battle:
    """Return a ship with everything, foes, a planet, gates, and ships docked, aboard or off the
    table.
    """
    own = [
        hull("n1", 200, 200, 12, 8, mass=400, boxes=60, systems=SYSTEMS, crew={"marines": 3}),
        hull("n2", 202, 200, 12, 8),
        hull("m1", 100, 100, 12, 5, mass=300, boxes=40, systems=MOTHER),
        hull("r1", 0, 0, 12, 0, mass=40, boxes=12, ftl="none", carried="m1"),
        hull("t1", 50, 50, 12, 4, mass=150, boxes=30),
        hull("t2", 51, 50, 12, 4),
        hull("base", 250, 50, 12, 0, kind="installation", thrust=0, ftl="none", mass=200, boxes=30),
        hull("d1", 251, 50, 12, 0, docked="base"),
        hull("a1", 300, 100, 12, 6),
        hull("v1", 350, 50, 12, 4),
    ]
    foes = [hull("e1", 201, 204, 12, 8), hull("e2", 201, 196, 12, 8)]
    battle = start(
        table(*own, blue=foes, options=OPTIONS, terrain=[WORLD], gates=GATES, ground=GROUND)
    )
    state = battle.state
    state.ship_by_name("v1").drift = (0.0, 4.0)
    state.ship_by_name("a1").record = state.ship_by_name("a1").record.with_values(
        squadron=state.ship_by_name("t1").id
    )
    return battle


@cache
def second() -> Battle:
    """Return the same in the second edition, as far as it has such things."""
    systems = [
        {"type": type_}
        for type_ in ("firecon", "minelayer", "minelayer", "minesweeper", "nova-cannon")
    ]
    design: dict[str, Any] = {
        "class": "Jack", "edition": SECOND, "kind": "warship", "mass": 100, "thrust": 4, "ftl": "standard", "systems": [
            *systems, {"type": "battery", "battery": "B", "arcs": ["F"]}, {"type": "fighter-bay", "count": 3},
        ],
    }  # fmt: skip
    base = design | {"class": "Rock", "kind": "installation", "thrust": 0, "ftl": "none"}
    place = {"course": 3, "velocity": 4}
    sides = [
        {"name": "red", "ships": [
            {"id": "n1", "design": design, "at": [20, 20], **place},
            {"id": "n2", "design": design, "at": [30, 30], **place},
            {"id": "base", "design": base, "at": [22, 22], "course": 12, "velocity": 0},
        ]},
        {"name": "blue", "ships": [{"id": "e1", "contact": "4f", "design": design, "at": [60, 20], **place}]},
    ]  # fmt: skip
    battle = start({"edition": SECOND, "table": [72, 48], "bogeys": True, "sides": sides})
    battle.state.ship_by_name("base").identify()
    return battle


# By edition and word: the ship, and its whole plot in notation. The last part of it is the word.
PLOTS_BY_WORD: dict[str, dict[str, tuple[str, str]]] = {
    SECOND: {
        MOVE: ("n1", "P2+1"), "ftl": ("n1", "ftl"), "stay": ("n2", "stay"), "sweep": ("n1", "sweep"),
        "nova": ("n1", "nova"), "undock": ("n2", "undock"), "leave": ("n1", "leave"),
        "enter": ("n2", "enter 12.5 40 6"), "launch": ("n1", "launch fighter-bay-1"),
        "mine": ("n1", "mine 2"), "scan": ("n1", "scan 4f"),
        "ram": ("n1", "ram 4f"), "dock": ("n1", "dock base"),
    },
    CONTINUUM: {
        MOVE: ("n1", "P2S1+2"), "ftl": ("n1", "ftl"), "stay": ("n2", "stay"), "sweep": ("n1", "sweep"),
        "nova": ("n1", "nova"), "undock": ("d1", "undock"), "leave": ("n1", "leave"),
        "enter": ("n2", "enter 12.5 40 6"), "launch": ("n1", "launch hangar-1"),
        "mine": ("n1", "mine 2.5"), "scan": ("n1", "scan e2 e1"),
        "ram": ("n1", "ram e1"), "dock": ("n2", "dock n1"),
        "alone": ("a1", "alone"), "board": ("n1", "board e1 2 1"), "bombard": ("n1", "bombard site-1"),
        "charge": ("n1", "charge wave-gun-1"), "cloak": ("n1", "cloak 3"), "detonate": ("n1", "detonate"),
        "et": ("n1", "+9; et"), ELSE: ("n1", "+9; et; else P1+2"), "jam": ("n1", "jam area-ecm"),
        "orbit": ("n1", "orbit"), "overload": ("n1", "overload pulse-torpedo-2"), "reflex": ("n1", "reflex"),
        "roll": ("n1", "roll"), "set": ("n1", "set fusion-array-1 torpedo"), "squadron": ("n2", "squadron n1"),
        "swing": ("n1", "swing -2"), "stealth": ("n1", "stealth off"), "tow": ("t1", "tow t2"),
        "turret": ("n1", "turret turret-1 FS"), "gate": ("n2", "gate north"), "activate": ("n1", "activate south"),
        "deactivate": ("n1", "deactivate north"), "detach": ("r1", "S1; detach"), "bear": ("m1", "bear r1"),
    },
}  # fmt: skip
OTHERS = [
    (CONTINUUM, "n1", "P1S1; roll; cloak 2; jam; set fusion-array-1 torpedo; turret turret-1 AS"),
    (CONTINUUM, "n1", "mine"), (CONTINUUM, "n1", "mine 1 2.5"), (CONTINUUM, "v1", "TP2 MD3 PS1"),
    (CONTINUUM, "v1", "MD8; et; else MD2"), (SECOND, "n1", "mine 0 3; scan 4f"), (CONTINUUM, "n1", "board e1 0 2"),
]  # fmt: skip
CASES = [(edition, *case) for edition, words in PLOTS_BY_WORD.items() for case in words.values()]


def sight(edition: str, words: str) -> FormSight:
    """Return the first side's form; one ship is off the table for the words that concern its
    return.
    """
    battle = known_battle({SECOND: second, CONTINUUM: continuum}[edition](), 0)
    mine = frozenset(ship.id for ship in battle.state.ships if ship.commander == 0)
    ship = battle.state.ship_by_name("n2")
    if words.startswith(("stay", "enter")):
        ship.status, ship.due = ShipStatus.RETURNING, 1
    if edition == SECOND and words == "undock":
        battle.state.dock(ship, battle.state.ship_by_name("base").id, DOCKED)
    return FormSight(battle.state, 0, mine, {})


def accepted_plot(form_sight: FormSight, name: str, words: str) -> Plot:
    """Return what the engine reads from a plot, which must have no fault."""
    orders, faults = read_orders(
        Battle(form_sight.state.terms.edition, (), form_sight.state, None, []),
        0,
        {"plot": {name: words}},
    )
    assert faults == ()
    assert orders is not None
    return orders.of(PLOT_REQUEST)[name]


def controls(form_sight: FormSight, ship: ShipState, words: str) -> list[Fields]:
    row = plot_row(form_sight, ship, words, ())
    return [
        Fields(row.picks, row.ticks, row.inputs),
        *(control.fields for control in row.more_controls or ()),
    ]


def post_fields(fields: list[Fields], ship: str, **extra: str) -> QueryDict:
    """Return what a browser sends of these fields."""
    post = QueryDict(mutable=True)
    for name, values in displayed_values(fields).items():
        if values:
            post.setlist(name, values)
    post.setlist(f"has-{ship}", ["usual", "more"])
    for name, value in extra.items():
        post[f"{name}-{ship}"] = value
    return post


@pytest.mark.parametrize("edition", sorted(ROWS))
def test_every_order_word_has_a_control(edition: str) -> None:
    grammar = rules_of(edition).grammar
    elsewhere = {kind.word() for kind in DRAWN_ELSEWHERE}
    covered_words = {
        MOVE,
        *grammar.flags,
        *WORDS,
        *grammar.words,
        *([ELSE] if grammar.otherwise else []),
    } - elsewhere
    assert set(PLOTS_BY_WORD[edition]) == covered_words, (
        "a word of the grammar that no form gives, or one that it does not know"
    )
    for kind in grammar.further:
        assert kind.describe().label, f"'{kind.word()}' has no name"
        alone = kind.slots is FurtherOrder.slots
        assert alone == (not fields_of(kind)), f"'{kind.word()}' says by `slots` what belongs to it"


@pytest.mark.parametrize(("edition", "name", "words"), [*CASES, *OTHERS])
def test_plot_from_the_form_equals_the_written_one(edition: str, name: str, words: str) -> None:
    """Entered in an empty form, it is the same order as the text."""
    form_sight = sight(edition, words)
    ship = form_sight.state.ship_by_name(name)
    fresh, wanted_fields = controls(form_sight, ship, ""), controls(form_sight, ship, words)
    offered = {
        pick.name: {value for value, _ in pick.options}
        for field_set in fresh
        for pick in field_set.picks
    }
    for pick in (pick for field_set in wanted_fields for pick in field_set.picks):
        assert set(pick.chosen) <= offered[pick.name], f"{pick.label} is not offered"
    there = {(tick.name, tick.value) for field_set in fresh for tick in field_set.ticks}
    ticked = {
        (tick.name, tick.value)
        for field_set in wanted_fields
        for tick in field_set.ticks
        if tick.is_on
    }
    assert ticked <= there
    assert {field.name for field_set in wanted_fields for field in field_set.inputs} <= {
        field.name for field_set in fresh for field in field_set.inputs
    }
    plot = plot_from_form(form_sight, ship, post_fields(wanted_fields, name))
    parsed, faults = parse_plot(words, "", edition)
    assert faults == ()
    assert plot == parsed.words() if parsed is not None else False
    by_form, by_text = (accepted_plot(form_sight, name, text) for text in (plot, words))
    assert by_form == by_text != HOLD


@pytest.mark.parametrize(("edition", "name", "words"), CASES)
def test_written_plot_is_shown_in_fields_and_changed_there(
    edition: str, name: str, words: str
) -> None:
    """Sent unchanged it stays as written; an empty form removes it."""
    form_sight = sight(edition, words)
    ship = form_sight.state.ship_by_name(name)
    fields = controls(form_sight, ship, words)
    assert (
        plot_from_form(form_sight, ship, post_fields(fields, name, was=words, raw=words)) == words
    )
    assert (
        plot_from_form(
            form_sight,
            ship,
            post_fields(controls(form_sight, ship, ""), name, was=words, raw=words),
        )
        == ""
    )


@pytest.mark.parametrize("edition", sorted(PLOTS_BY_WORD))
def test_documents_describe_every_word(edition: str) -> None:
    table = (
        (ROOT / "docs" / "reference" / "orders.md")
        .read_text("utf-8")
        .partition("## Plots on the battle's page")[2]
        .partition("\n## ")[0]
    )
    kinds = rules_of(edition).grammar.words
    for word in {*PLOTS_BY_WORD[edition], *kinds} - {MOVE}:
        (line,) = re.findall(rf"^\| `{word}` \| (.+) \|$", table, re.MULTILINE)
        if word in kinds and kinds[word] not in DRAWN_ELSEWHERE:
            assert kinds[word].describe().label.split()[0] in line
        assert f"`{word}`" in str(PhaseOrders.__doc__), "the API's shape names it"


@pytest.mark.parametrize(
    ("edition", "words", "ticked", "sent_words"),
    [
        (SECOND, "launch bay-1", "fighter-bay-2", "launch fighter-bay-1 fighter-bay-2"),
        (SECOND, "P1; launch bay-3", "fighter-bay-2", "P1; launch fighter-bay-3 fighter-bay-2"),
        # It has none: a visible fault
        (CONTINUUM, "launch hangar-9", "hangar-1", "launch hangar-9 hangar-1"),
    ],
)  # fmt: skip
def test_bay_order_is_kept_when_another_is_ticked(
    edition: str, words: str, ticked: str, sent_words: str
) -> None:
    """Whichever name the written order uses for a bay, its box is ticked and stays ticked."""
    form_sight = sight(edition, words)
    ship = form_sight.state.ship_by_name("n1")
    fields = controls(form_sight, ship, words)
    bays = [tick for field_set in fields for tick in field_set.ticks if tick.name == "launch-n1"]
    bay_names = sent_words.partition("launch ")[2].split()
    assert {tick.value for tick in bays if tick.is_on} == {*bay_names} - {ticked}
    post = post_fields(fields, "n1", was=words, raw=words)
    post.setlist("launch-n1", [*post.getlist("launch-n1"), ticked])
    assert plot_from_form(form_sight, ship, post) == sent_words


def control(form_sight: FormSight, ship: ShipState, words: str, key: str) -> Control:
    row = plot_row(form_sight, ship, words, ())
    return next(item for item in row.more_controls or () if item.key == key)


def test_one_sided_change_counts_and_a_contradiction_is_a_fault() -> None:
    form_sight = sight(CONTINUUM, "")
    ship = form_sight.state.ship_by_name("n1")
    turns = control(form_sight, ship, "", "cloak").fields.inputs[0].name
    fields = controls(form_sight, ship, "P1; cloak 3")

    def plot_after(line: str, cloak: str) -> str:
        post = post_fields(fields, "n1", was="P1; cloak 3", raw=line)
        post[turns] = cloak
        return plot_from_form(form_sight, ship, post)

    assert plot_after("P1; cloak 3", "5") == "P1; cloak 5", "by the field"
    assert plot_after("S2+1; cloak 3", "5") == "S2+1; cloak 5", "and another part by the text"
    assert plot_after("P1; cloak 4", "3") == "P1; cloak 4", "by the text"
    assert plot_after("P1; cloak 4", "4") == "P1; cloak 4", "alike"
    assert plot_after("P1", "3") == "P1", "taken out of the text"
    assert plot_after("", "") == "", "both taken out"
    contradiction = plot_after("P1; cloak 4", "5")
    assert contradiction == "P1; cloak 4; cloak 5"
    _, (fault,) = parse_plot(contradiction, "", CONTINUUM)
    assert fault.message == (
        "'cloak 5': a plot can have 'cloak' only once, and it already has 'cloak 4'"
    )


def test_controls_offer_only_possible_and_known_orders() -> None:
    form_sight = sight(CONTINUUM, "")
    keys = {
        item.key
        for item in plot_row(form_sight, form_sight.state.ship_by_name("t2"), "", ()).more_controls
        or ()
    }
    assert not keys & {
        "cloak",
        "jam",
        "reflex",
        "detonate",
        "overload",
        "charge",
        "bear",
        "detach",
        "alone",
        "mine",
    }
    board = control(form_sight, form_sight.state.ship_by_name("n1"), "", "board")
    marines = next(field for field in board.fields.inputs if field.label == "Marines")
    assert marines.bounds == (0, 3)
    hidden = sight(SECOND, "")
    row = plot_row(hidden, hidden.state.ship_by_name("n1"), "", ())
    target_names = {
        value
        for item in row.more_controls or ()
        for pick in item.fields.picks
        for value, _ in pick.options
    }
    assert "4f" in target_names
    assert "e1" not in target_names, "a bogey is called by its contact alone"


def test_fault_of_a_word_is_at_its_control() -> None:
    form_sight = sight(CONTINUUM, "")
    ship = form_sight.state.ship_by_name("n1")
    row = plot_row(
        form_sight, ship, "cloak soon; board e1 9; +99", ("n1: uses 99 thrust; the limit is 6",)
    )
    faults = {item.key: item.faults for item in row.more_controls or () if item.faults}
    assert set(faults) == {"cloak"}, "what cannot be read is judged no further"
    assert "a whole number from 1 to 99" in faults["cloak"][0]
    assert row.faults == ("n1: uses 99 thrust; the limit is 6",)
    row = plot_row(form_sight, ship, "board e1 9", ("n1: it has 3 marines and 1 parties to send",))
    faults = {item.key: item.faults for item in row.more_controls or () if item.faults}
    assert "marines" in faults["board"][0]


def test_rare_orders_of_closed_ships_are_kept() -> None:
    form_sight = replace(sight(CONTINUUM, ""), opened_ids=frozenset())
    ship = form_sight.state.ship_by_name("n1")
    assert list(plot_parts("P1; cloak 3", CONTINUUM)) == [MOVE, "cloak"]
    post = QueryDict("turn-n1=2&thrust-n1=0&has-n1=usual&was-n1=P1; cloak 3&raw-n1=P1; cloak 3")
    assert plot_from_form(form_sight, ship, post) == "S2; cloak 3"
