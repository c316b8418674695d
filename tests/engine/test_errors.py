"""Violations: whole between processes, and how an answer lists them."""

from __future__ import annotations

import pickle

from engine.core.errors import RuleViolations, Violation, faults_json, listed


def test_violations_come_whole_out_of_another_process() -> None:
    raised = RuleViolations(
        [Violation("moves[0].to", "too-far", "7 hexes"), Violation("deploy", "over-budget", "10")]
    )
    again = pickle.loads(pickle.dumps(raised))
    assert isinstance(again, RuleViolations)
    assert again.violations == raised.violations
    assert str(again) == str(raised)


def test_an_answer_lists_a_hundred_faults_and_counts_the_others() -> None:
    found = [Violation(f"moves[{n}]", "unknown-fleet", f"no fleet {n}") for n in range(250)]
    assert listed(found[:100]) == tuple(found[:100])
    assert listed(found[:101])[-1] == Violation("", "more-faults", "1 more fault is not listed")
    shown = faults_json(found)
    assert len(shown) == 101
    assert shown[99] == {"code": "unknown-fleet", "where": "moves[99]", "message": "no fleet 99"}
    assert shown[100] == {
        "code": "more-faults",
        "where": "",
        "message": "150 more faults are not listed",
    }
    assert len(str(RuleViolations(found))) < 5000


def test_what_a_fault_quotes_does_not_make_the_answer_long() -> None:
    (fault,) = listed([Violation("x" * 10**6, "unknown-key", "y" * 10**6)])
    assert (fault.where, fault.message) == ("x" * 200 + "…", "y" * 1000 + "…")
