"""Violations between processes: a worker's faults arrive with their places."""

from __future__ import annotations

import pickle

from engine.errors import RuleViolations, Violation


def test_violations_come_whole_out_of_another_process() -> None:
    raised = RuleViolations([Violation("moves[0].to", "too-far", "7 hexes"), Violation("deploy", "over-budget", "10")])
    again = pickle.loads(pickle.dumps(raised))
    assert isinstance(again, RuleViolations)
    assert again.violations == raised.violations
    assert str(again) == str(raised)
