"""JSON documents of worlds, views and scenarios with their versions, and orders as submitted."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.orders.codec import canonical_orders, orders_payload, parse_orders
from campaign.rules import codec
from campaign.rules.codec import KINDS, decode, encode, from_document, to_document
from campaign.rules.orders import (
    Decision,
    DeployedFleet,
    Detachment,
    Dock,
    FleetSetting,
    Move,
    Orders,
    Tow,
)
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Doctrine, World
from engine.core.canonical import canonical_json
from engine.core.errors import RuleViolations, Violation
from engine.core.schemas import DocumentKind, Step
from tests.campaign.rules import space
from tests.campaign.rules.space import places_and_codes

words = st.text(st.characters(codec="utf-8"), max_size=6)
small_numbers = st.integers(0, 9)
choices = st.sampled_from(["fight", "stand-off", "withdraw"])
doctrines = st.builds(
    Doctrine,
    st.none() | small_numbers,
    st.sampled_from(["nearest", "weakest", "strongest", "dangerous"]),
    small_numbers,
    st.booleans(),
)
lists = st.lists(words, max_size=3).map(tuple)
text_pairs = st.lists(st.tuples(words, words), max_size=3).map(tuple)
deployments = st.builds(
    DeployedFleet, words, words, words, text_pairs, small_numbers, st.none() | choices, doctrines
)
maybe = (st.none() | words, st.none() | choices, st.none() | doctrines, st.none() | small_numbers)
any_orders = st.builds(
    Orders,
    deploy=st.lists(deployments, max_size=3).map(tuple),
    settings=st.lists(st.builds(FleetSetting, words, *maybe), max_size=3).map(tuple),
    detach=st.lists(st.builds(Detachment, lists, words, words, small_numbers), max_size=3).map(
        tuple
    ),
    dock=st.lists(st.builds(Dock, words, lists, st.booleans(), st.booleans()), max_size=3).map(
        tuple
    ),
    weasels=lists,
    decide=st.lists(st.builds(Decision, words, words, choices), max_size=3).map(tuple),
    moves=st.lists(st.builds(Move, words, lists, words), max_size=3).map(tuple),
    tow=st.lists(st.builds(Tow, words, lists), max_size=3).map(tuple),
)


@given(any_orders)
def test_orders_round_trip_through_their_payload(orders: Orders) -> None:
    payload = orders_payload(orders)
    again, faults = parse_orders(json.loads(json.dumps(payload)))
    assert faults == ()
    assert again == canonical_orders(orders)
    assert orders_payload(again) == payload
    assert canonical_json(payload)  # no floats, only text keys


@given(any_orders, st.randoms(use_true_random=False))
def test_payload_is_independent_of_list_order(orders: Orders, dice: Any) -> None:
    parts = {
        field.name: tuple(dice.sample(part := getattr(orders, field.name), len(part)))
        for field in fields(orders)
    }
    assert orders_payload(Orders(**parts)) == orders_payload(orders)


def test_empty_order_is_left_out() -> None:
    assert orders_payload(Orders()) == {"schema": 1}
    assert parse_orders({}) == (Orders(), ())


def test_submitted_order_keeps_its_sequence_for_fault_places() -> None:
    orders, _ = parse_orders(
        {"moves": [{"fleet": "red/f2", "to": "0101"}, {"fleet": "red/f1", "path": ["0101"]}]}
    )
    assert orders is not None
    assert [move.fleet for move in orders.moves] == ["red/f2", "red/f1"]


def test_every_form_fault_is_named_with_its_place() -> None:
    payload = {
        "schema": 7,
        "movess": [],
        "settings": {},
        "deploy": [
            {
                "name": "A",
                "budget": "b",
                "hex": "0101",
                "ships": [["x"], ["x", "y", "z"]],
                "decoys": 1.5,
            }
        ],
        "detach": [{"ships": ["a"], "into": "b", "decoys": "3"}],
        "dock": [3, {"ship": "a", "replenish": 1}],
        "weasels": [1],
        "decide": [{"hex": "0101", "toward": "x", "choice": "flee"}],
        "moves": [{"fleet": 1, "path": ["0101", 2], "too": "x"}, {}],
    }
    before = json.dumps(payload)
    orders, faults = parse_orders(payload, "orders")
    assert orders is None
    assert json.dumps(payload) == before
    assert sorted(places_and_codes(faults)) == [
        ("orders.decide[0].choice", "unknown-choice"),
        ("orders.deploy[0].decoys", "not-a-number"),
        ("orders.deploy[0].ships[0][1]", "missing"),
        ("orders.deploy[0].ships[1]", "wrong-length"),
        ("orders.detach[0].decoys", "not-a-number"),
        ("orders.dock[0]", "not-a-table"),
        ("orders.dock[1].replenish", "not-a-flag"),
        ("orders.moves[0].fleet", "not-text"),
        ("orders.moves[0].path[1]", "not-text"),
        ("orders.moves[0].too", "unknown-key"),
        ("orders.moves[1].fleet", "missing"),
        ("orders.movess", "unknown-key"),
        ("orders.schema", "unknown-schema"),
        ("orders.settings", "not-a-list"),
        ("orders.weasels[0]", "not-text"),
    ]


DEEP: list[Any] = []
for _ in range(5000):
    DEEP = [DEEP]


@pytest.mark.parametrize("payload", [None, [], "moves", 3])
def test_orders_must_be_an_object(payload: object) -> None:
    assert parse_orders(payload) == (
        None,
        (Violation("", "not-a-table", "orders must be an object (keys and values)"),),
    )


@pytest.mark.parametrize(
    "payload",
    [
        {"moves": DEEP},
        {"moves": [float("nan")]},
        {"weasels": ["\ud800"]},
        {"moves": [object()]},
        {"weasels": [10**5000]},
    ],
)
def test_invalid_json_is_a_fault_not_a_crash(payload: object) -> None:
    orders, faults = parse_orders(payload)
    assert orders is None
    assert len(faults) == 1


VALUES = (
    space.scenario(),
    space.world(
        space.fleet("red/f1", standing="fight"),
        space.ship("red/s1", "red/f1", lost=("drive", "drive")),
    ),
    space.view(space.fleet("red/f1"), space.ship("red/s1", "red/f1")),
)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_documents_round_trip_and_name_their_version(value: Scenario | World | View) -> None:
    data = encode(value)
    assert decode(type(value), data) == value
    assert decode(type(value), data.decode()) == value
    document = to_document(value)
    assert json.loads(data) == document
    kind = KINDS[type(value)]
    assert (document["type"], document["schema"]) == (kind.name, kind.schema)
    assert from_document(type(value), json.loads(json.dumps(document, indent=1))) == value
    assert decode(type(value), json.dumps(document, indent=1)) == value
    assert canonical_json(document)


@pytest.mark.parametrize(
    ("data", "where", "code"),
    [
        (b"", "", "not-json"),
        (b"[]", "", "wrong-document"),
        (b'{"schema":1,"type":"view","body":{}}', "type", "wrong-document"),
        (b'{"schema":true,"type":"world","body":{}}', "schema", "unknown-schema"),
        (b'{"schema":99,"type":"world","body":{}}', "schema", "unknown-schema"),
        (b'{"schema":0,"type":"world","body":{}}', "schema", "unknown-schema"),
        (b'{"schema":1,"type":"world","body":{}}', "body.fleets", "missing"),
        (b'{ "schema":1,"type":"world","body":{}}', "body.fleets", "missing"),
    ],
)
def test_unreadable_document_says_why(data: bytes, where: str, code: str) -> None:
    with pytest.raises(RuleViolations) as caught:
        decode(World, data)
    assert places_and_codes(caught.value.violations)[0] == (where, code)


def test_older_document_is_upgraded_step_by_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = VALUES[1]
    monkeypatch.setitem(codec.KINDS, World, DocumentKind("world", 9, {}))
    old = to_document(world)
    old["schema"] = 7
    old["body"]["turn"] = old["body"].pop("week")
    with pytest.raises(RuleViolations, match="version 7 of 'world' cannot be read"):
        from_document(World, old)
    steps: dict[int, Step] = {
        7: lambda body: {**body, "weak": body["turn"]},
        8: lambda body: {**body, "week": body["weak"]},
    }
    monkeypatch.setitem(codec.KINDS, World, DocumentKind("world", 9, steps))
    assert from_document(World, old) == world
    assert decode(World, json.dumps(old)) == world
    assert "week" not in old["body"]
