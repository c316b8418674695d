"""Options: each has its words, and incompatible ones are refused with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import RuleViolations
from engine.core.option_groups import OPTION_GROUPS
from engine.ruleset import all_rules, option_violations, ruleset

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "options.md"


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.edition)
def test_every_option_is_named_once_and_described(rules) -> None:  # type: ignore[no-untyped-def]
    rows = rules.choices
    assert rules.known_options == tuple(row.name for row in rows)
    assert len(set(rules.known_options)) == len(rows)
    page = PAGE.read_text(encoding="utf-8")
    for row in rows:
        assert f"| `{row.name}` | {row.words} | {row.source} |" in page


def test_conflicting_options_are_faults_at_their_places() -> None:
    faults = option_violations("continuum", ["vector", "reactor-breach", "mixed-movement", "luck"])
    assert [(fault.where, fault.code) for fault in faults] == [
        ("options[1]", "option-needs"),
        ("options[2]", "options-clash"),
        ("options[3]", "unknown-option"),
    ]
    assert "choose from vector, mixed-movement" in faults[2].message
    assert option_violations("continuum", ["core-systems", "reactor-breach", "vector"]) == ()
    for both in (["no-ramming", "ram-on-5"], ["ram-on-5", "no-ramming"]):
        assert [fault.code for fault in option_violations("continuum", both)] == ["options-clash"]
    assert option_violations("second-edition", ["ram-on-5", "ram-on-4"]) == ()


def test_rule_set_orders_its_options_and_refuses_conflicts() -> None:
    assert ruleset("continuum", ["core-systems", "vector"]).options == ("vector", "core-systems")
    with pytest.raises(RuleViolations) as refused:
        ruleset("continuum", ["mixed-movement", "vector"])
    assert [fault.code for fault in refused.value.violations] == ["options-clash"]


def test_every_option_has_one_subject() -> None:
    grouped = [name for _, names in OPTION_GROUPS for name in names]
    options = {option for rules in all_rules() for option in rules.known_options}
    assert len(grouped) == len(set(grouped))
    assert set(grouped) == options
