"""Versions of stored documents: upgrade steps, and the refusal of unknown versions."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from engine.battle import battle_from, begin
from engine.core.errors import RuleViolations
from engine.core.schemas import DocumentKind
from engine.notation.battles import read_battle
from engine.notation.files import classes_for, read_input
from engine.notation.reading import Reader
from engine.table_results.ends import read_ends
from tests.engine.stored.battles import after, stored_battle

FIRST_BATTLE = "fixtures/battles/first-battle.yaml"


@pytest.mark.parametrize("number", [0, 2, "1", None, True, 1.0, [1]])
def test_newer_or_unknown_version_is_refused(number: Any) -> None:
    file = read_input(FIRST_BATTLE)
    battle = begin(read_battle(file, classes_for(file)))
    document = {**battle.to_json(), "schema": number}
    before = copy.deepcopy(document)
    with pytest.raises(RuleViolations) as refused:
        battle_from(document)
    (fault,) = refused.value.violations
    assert (fault.where, fault.code) == ("schema", "unknown-schema")
    assert f"version {number} of 'battle'" in fault.message
    assert document == before


def test_steps_are_taken_in_order_without_gaps() -> None:
    kind = DocumentKind(
        "thing", 4, {1: lambda body: {**body, "a": 1}, 2: lambda body: {**body, "b": body["a"] + 1}}
    )
    with pytest.raises(RuleViolations, match="up to version 4"):
        kind.upgrade({"schema": 1})
    kind = DocumentKind("thing", 3, kind.steps)
    assert kind.upgrade({}) == kind.upgrade({"schema": 1}) == {"schema": 3, "a": 1, "b": 2}
    assert kind.upgrade({"schema": 2, "a": 5}) == {"schema": 3, "a": 5, "b": 6}


def test_result_of_an_unknown_version_is_a_fault() -> None:
    reader = Reader()
    read_ends(reader, {"schema": 2, "ships": {}})
    assert [(fault.where, fault.code) for fault in reader.faults] == [("schema", "unknown-schema")]


@pytest.mark.parametrize("release", ["1.0"])
def test_older_battle_is_played_to_the_same_end(release: str) -> None:
    document = stored_battle(release)
    assert after(battle_from(document["battle"]), document) == document["after"]
