"""Battles as an earlier release stored them, read by this one and played on by the orders that were
given then.

`battles-1.json.gz`: seven battles of the frozen battery's kind in documents of the first shape,
each at a stop in its middle: the battle, the battle as each side knew it, the orders from there on,
and what the release that wrote them then saw, told and stored five stops later.
`battles-2.json.gz`: the same battles in documents of the second shape. `battles-3.json.gz`: two
with ships in squadrons, in documents of the third. `battles-4.json.gz`: two of Continuum in
documents of the fourth. They are never written anew.
"""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.battle import ResolvedStop, battle_from
from engine.core.dice import KeyedDice
from engine.core.errors import RuleViolations
from engine.core.schemas import BATTLE, DocumentKind
from engine.notation.reading import Reader
from engine.stops import awaited_sides, read_orders, resolve_documents, side_view
from engine.table_results.ends import read_ends
from engine.view.side_log import side_log
from tests.engine.frozen.fighting import before_fifth, before_fourth, before_reasons, in_lists

FILE = Path(__file__).parent / "battles-1.json.gz"
Document = dict[str, Any]


SECOND = FILE.with_name("battles-2.json.gz")
THIRD = FILE.with_name("battles-3.json.gz")
FOURTH = FILE.with_name("battles-4.json.gz")


@cache
def stored_documents() -> tuple[Document, ...]:
    return tuple(json.loads(gzip.decompress(FILE.read_bytes())))


def names() -> list[str]:
    return [row["name"] for row in stored_documents()]


def row(name: str) -> Document:
    return copy.deepcopy(next(row for row in stored_documents() if row["name"] == name))


def without_rules(document: Mapping[str, Any]) -> Document:
    """A document of today as the first shape had it."""
    terms = {key: value for key, value in before_fifth(document)["terms"].items() if key != "rules"}
    rest = {key: value for key, value in in_lists(document).items() if key != "order"}
    return json.loads(json.dumps({**rest, "schema": 1, "terms": terms}))  # type: ignore[no-any-return]


def log_as_stored(stop: ResolvedStop, side: int) -> Any:
    """What a side reads of a stop, with the texts that were stored then for reasons."""
    log = [before_reasons(line) for line in side_log(stop.events, stop.before, side)]
    return json.loads(json.dumps(log))


def as_jsonb_keeps_it(value: Any) -> Any:
    """The same document with the keys of its tables as `jsonb` orders them: by length, then by
    letters.
    """
    if isinstance(value, dict):
        return {
            key: as_jsonb_keeps_it(value[key])
            for key in sorted(value, key=lambda key: (len(key), key))
        }
    return [as_jsonb_keeps_it(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", names())
def test_a_battle_of_the_first_shape_is_played_on_to_the_same_end(name: str) -> None:
    then = row(name)
    battle, dice = battle_from(then["battle"]), KeyedDice(b"stored", [name, "after"])
    assert battle.state.terms.rules == "0.4"
    assert without_rules(battle.to_json()) == row(name)["battle"] == then["battle"]
    for number, stop_orders in enumerate(then["orders"]):
        assert {str(side) for side in awaited_sides(battle)} == set(stop_orders)
        battle, stop = resolve_documents(
            battle,
            {int(side): side_orders for side, side_orders in stop_orders.items()},
            dice,
            then["seq"] + number,
        )
    sides = range(len(battle.state.sides))
    assert json.loads(json.dumps([side_view(battle, side) for side in sides])) == then["views"]
    assert [log_as_stored(stop, side) for side in sides] == then["log"]
    assert without_rules(battle.to_json()) == then["end"]


@pytest.mark.parametrize("name", names())
def test_orders_are_judged_by_what_a_side_was_handed_then(name: str) -> None:
    then = row(name)
    for side, side_document in enumerate(then["known"]):
        battle = battle_from(side_document)
        assert without_rules(battle.to_json()) == side_document
        stop_orders = then["orders"][0].get(str(side))
        if stop_orders is not None:
            assert read_orders(battle, side, stop_orders)[1] == ()


def test_what_older_documents_left_out_is_put_in_by_the_step_and_nowhere_else() -> None:
    then = row(names()[0])["battle"]
    for ship in then["ships"].values():
        del ship["notes"], ship["drift"]
    del then["terms"]["edition"], then["terms"]["scoring"], then["schema"]
    battle = battle_from(then)
    assert (battle.state.terms.edition, battle.state.terms.scoring) == ("second-edition", "")
    assert {(ship.drift, len(ship.facts())) for ship in battle.state.ships} == {(None, 0)}
    now = battle.to_json()
    assert now["schema"] == BATTLE.schema
    del now["terms"]["scoring"]
    with pytest.raises(KeyError):
        battle_from(now)


@pytest.mark.parametrize("number", [0, 6, "2", None, True, 2.0, [1]])
def test_a_newer_or_unknown_shape_is_refused_and_nothing_changed(number: Any) -> None:
    then = row(names()[0])["battle"]
    document = {**then, "schema": number}
    before = copy.deepcopy(document)
    with pytest.raises(RuleViolations) as refused:
        battle_from(document)
    (fault,) = refused.value.violations
    assert (fault.where, fault.code) == ("schema", "unknown-schema")
    assert f"version {number} of 'battle'" in fault.message
    assert document == before


@pytest.mark.parametrize("name", names())
def test_no_database_changes_the_order_of_the_ships(name: str) -> None:
    """The order of their contact codes tells nothing; that of their keys tells drones, whose keys
    are longer.
    """
    then = row(name)
    battle, dice = battle_from(then["battle"]), KeyedDice(b"stored", [name, "after"])
    for number, stop_orders in enumerate(then["orders"]):
        battle = battle_from(as_jsonb_keeps_it(json.loads(json.dumps(battle.to_json()))))
        battle, stop = resolve_documents(
            battle,
            {int(side): side_orders for side, side_orders in stop_orders.items()},
            dice,
            then["seq"] + number,
        )
    sides = range(len(battle.state.sides))
    assert [log_as_stored(stop, side) for side in sides] == then["log"]
    assert list(battle.to_json()["ships"]) == list(then["end"]["ships"])
    assert without_rules(battle.to_json()) == then["end"]


def test_a_step_leaves_the_stored_document_as_it_was() -> None:
    then = row(names()[0])["battle"]
    before = copy.deepcopy(then)
    after = BATTLE.upgrade(then)
    assert then == before
    assert (after["schema"], after["terms"]["rules"]) == (5, "0.4")
    assert BATTLE.upgrade(after) is after


def test_steps_are_taken_one_after_another_and_none_is_left_out() -> None:
    kind = DocumentKind(
        "thing", 4, {1: lambda body: {**body, "a": 1}, 2: lambda body: {**body, "b": body["a"] + 1}}
    )
    with pytest.raises(RuleViolations, match="up to version 4"):
        kind.upgrade({"schema": 1})
    kind = DocumentKind("thing", 3, kind.steps)
    assert kind.upgrade({}) == kind.upgrade({"schema": 1}) == {"schema": 3, "a": 1, "b": 2}
    assert kind.upgrade({"schema": 2, "a": 5}) == {"schema": 3, "a": 5, "b": 6}


def test_a_result_of_an_unknown_shape_is_a_fault_of_it() -> None:
    reader = Reader()
    read_ends(reader, {"schema": 2, "ships": {}})
    assert [(fault.where, fault.code) for fault in reader.faults] == [("schema", "unknown-schema")]
    assert battle_from(row(names()[0])["battle"]).state.terms.rules == "0.4"


def test_the_second_shape_is_read_as_the_first_was() -> None:
    rows = json.loads(gzip.decompress(SECOND.read_bytes()))
    assert [entry["name"] for entry in rows] == names()
    kinds = set()
    for entry in rows:
        assert {
            document["schema"] for document in (entry["battle"], entry["end"], *entry["known"])
        } == {2}
        then = row(entry["name"])
        for second, first in zip(
            (entry["battle"], entry["end"], *entry["known"]),
            (then["battle"], then["end"], *then["known"]),
            strict=True,
        ):
            read = battle_from(second).to_json()
            assert read == battle_from(first).to_json()
            assert json.loads(json.dumps({**in_lists(before_fifth(read)), "schema": 2})) == second
            kinds |= {piece["kind"] for piece in read["pieces"]}
    assert kinds == {"group", "mine", "rock", "nova"}


def test_leaders_of_squadrons_have_names_since_the_fourth_shape() -> None:
    """They were places among the ships of a side; a database that sorts its keys changes
    nothing.
    """
    rows = json.loads(gzip.decompress(THIRD.read_bytes()))
    led = {}
    for row in rows:
        for third in (row["battle"], row["end"], *row["known"]):
            assert third["schema"] == 3
            battle = battle_from(third)
            assert battle_from(as_jsonb_keeps_it(third)).to_json() == battle.to_json()
            assert (
                json.loads(
                    json.dumps({**before_fourth(before_fifth(battle.to_json())), "schema": 3})
                )
                == third
            )
            for ship in battle.state.ships:
                if ship.record.squadron:
                    led[ship.id] = (
                        ship.record.squadron,
                        third["ships"][ship.id]["notes"]["squadron"],
                    )
                    own = [other.id for other in battle.state.ships if other.owner == ship.owner]
                    assert own[led[ship.id][1] - 1] == led[ship.id][0] != ship.id
    assert led


def test_terms_say_since_the_fifth_shape_who_withdraws_and_who_strikes_to_whom() -> None:
    rows = json.loads(gzip.decompress(FOURTH.read_bytes()))
    assert len(rows) == 2
    for row in rows:
        for fourth in (row["battle"], row["end"], *row["known"]):
            assert fourth["schema"] == 4
            battle = battle_from(fourth)
            terms = battle.state.terms
            assert (terms.withdraws_at, terms.navies, terms.no_quarter) == ((), (), ())
            assert json.loads(json.dumps({**before_fifth(battle.to_json()), "schema": 4})) == fourth
