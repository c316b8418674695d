"""Only the enumeration, an edition's own package, notation and documents name an edition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations
from engine.ruleset import all_rules, rules_of
from tests.sources import source_trees, texts_in

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "campaign", "umpire")
AT_HOME = ("engine/second_edition/", "engine/continuum/", "engine/notation/")
# The only other place that may name one: the enumeration itself.
NAMES = ("engine/core/edition.py",)


def naming() -> set[str]:
    """Return the modules with an edition's name as a text."""
    return {
        name for name, tree in source_trees().items() if not texts_in(tree).isdisjoint(EDITIONS)
    }


def test_edition_is_named_in_its_own_modules_only() -> None:
    mentions = naming()
    assert (
        sorted(path for path in mentions if not path.startswith(AT_HOME) and path not in NAMES)
        == []
    )
    assert mentions >= set(NAMES), "an exception that excepts nothing is taken out"


@pytest.mark.parametrize("edition", EDITIONS)
def test_row_is_found_by_its_document_name(edition: Edition) -> None:
    assert rules_of(str(edition.value)).edition is edition
    assert json.loads(json.dumps({edition: edition})) == {edition.value: edition.value}
    assert hash(edition) == hash(edition.value)


def test_unknown_edition_lists_the_known_ones() -> None:
    assert tuple(rules.edition for rules in all_rules()) == EDITIONS
    with pytest.raises(RuleViolations) as refused:
        rules_of("third-edition")
    (fault,) = refused.value.violations
    assert (fault.where, fault.code) == ("edition", "unknown-edition")
    assert all(edition in fault.message for edition in EDITIONS)
