"""The versions of the rules: their order, what changed between them, and those of a battle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.battle import battle_from, start
from engine.cli.battle import battle_file
from engine.core import versions
from engine.core.errors import RuleViolations
from engine.core.terms import Terms
from engine.core.versions import (
    NEWEST,
    Change,
    UnknownRules,
    changes_between,
    everywhere_since,
    follows,
    is_newer,
    playable_version,
    played_versions,
)
from tests.engine.guns.duels import ship, table
from tests.two_versions import (
    CHANGES,
    CONTINUUM_CHANGE,
    NO_FTL_CHANGE,
    OLD,
    UNPLAYED,
    two_versions,
)


@pytest.fixture
def _older_rules() -> Iterator[None]:
    with two_versions():
        yield


def file(**more: Any) -> dict[str, Any]:
    return table([ship("r1", 60, 60, "")], [ship("b1", 60, 90, "")], **more)


def test_every_change_belongs_to_a_version_that_is_played() -> None:
    assert played_versions() == ("1.0", "1.1")
    assert NEWEST == "1.1"
    assert {change.since for change in versions.CHANGES} <= set(played_versions()[1:])
    assert everywhere_since(NEWEST) == ()
    assert start(file()).state.terms.rules == NEWEST


@pytest.mark.usefixtures("_older_rules")
def test_battle_keeps_its_rules_through_its_documents() -> None:
    battle = start(file(rules=OLD))
    document = json.loads(json.dumps(battle.to_json()))
    assert document["terms"]["rules"] == OLD
    terms = battle_from(document).state.terms
    assert (terms.rules, terms.follows(CONTINUUM_CHANGE)) == (OLD, False)
    assert Terms().follows(CONTINUUM_CHANGE)


@pytest.mark.usefixtures("_older_rules")
@pytest.mark.parametrize("number", [UNPLAYED, "9.9", "newest", ""])
def test_unplayable_rules_are_a_fault_of_a_battle_file(number: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        battle_file(file(rules=number))
    assert [fault.where for fault in refused.value.violations] == ["rules"]


@pytest.mark.usefixtures("_older_rules")
def test_versions_are_ordered_and_a_missing_one_uses_the_next() -> None:
    assert played_versions() == (OLD, NEWEST)
    assert [playable_version(number) for number in (UNPLAYED, OLD, NEWEST)] == [OLD, OLD, NEWEST]
    assert is_newer(NEWEST, OLD)
    assert not is_newer(OLD, OLD)
    for unknown in ("9.9", "", "1.00"):
        with pytest.raises(UnknownRules, match=rf"knows 0\.8, 0\.9, {re.escape(NEWEST)}"):
            playable_version(unknown)
    with pytest.raises(UnknownRules):
        is_newer(OLD, "9.9")


@pytest.mark.usefixtures("_older_rules")
def test_change_applies_from_its_version_on() -> None:
    for change in CHANGES:
        assert not follows(OLD, change)
        assert follows(NEWEST, change)
    assert [version.number for version in everywhere_since(OLD)] == [NEWEST]


@pytest.mark.usefixtures("_older_rules")
@pytest.mark.parametrize(
    ("edition", "options", "changes"),
    [
        ("second-edition", (), ()),
        ("second-edition", ("no-ftl",), (NO_FTL_CHANGE,)),
        ("continuum", (), (CONTINUUM_CHANGE,)),
        ("continuum", ("no-ftl",), CHANGES),
    ],
)
def test_war_is_shown_the_changes_that_concern_it(
    edition: str, options: tuple[str, ...], changes: tuple[Change, ...]
) -> None:
    assert changes_between(OLD, NEWEST, edition, options) == changes
    assert changes_between(NEWEST, NEWEST, edition, options) == ()
