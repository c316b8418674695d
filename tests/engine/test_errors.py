"""Violations: pickled between processes, and listed in answers."""

from __future__ import annotations

import pickle

from engine.core.errors import RuleViolations, Violation, faults_json, limit_violations


def test_violations_survive_pickling() -> None:
    raised = RuleViolations(
        [Violation("moves[0].to", "too-far", "7 hexes"), Violation("deploy", "over-budget", "10")]
    )
    again = pickle.loads(pickle.dumps(raised))
    assert isinstance(again, RuleViolations)
    assert again.violations == raised.violations
    assert str(again) == str(raised)


def test_answer_lists_a_hundred_faults_and_counts_the_rest() -> None:
    faults = [Violation(f"moves[{n}]", "unknown-fleet", f"no fleet {n}") for n in range(250)]
    assert limit_violations(faults[:100]) == tuple(faults[:100])
    assert limit_violations(faults[:101])[-1] == Violation(
        "", "more-faults", "1 more fault is not listed"
    )
    documents = faults_json(faults)
    assert len(documents) == 101
    assert documents[99] == {
        "code": "unknown-fleet",
        "where": "moves[99]",
        "message": "no fleet 99",
    }
    assert documents[100] == {
        "code": "more-faults",
        "where": "",
        "message": "150 more faults are not listed",
    }
    assert len(str(RuleViolations(faults))) < 5000


def test_quoted_input_does_not_lengthen_the_answer() -> None:
    (fault,) = limit_violations([Violation("x" * 10**6, "unknown-key", "y" * 10**6)])
    assert (fault.where, fault.message) == ("x" * 200 + "…", "y" * 1000 + "…")
