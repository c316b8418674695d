"""Battle files with junk in one place: faults, and never a traceback."""

from __future__ import annotations

import pytest

from engine.core.errors import RuleViolations
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes
from tests.engine.frozen.fighting import cases, document
from tests.junk import SHORT_JUNK, with_junk

# Battles of the battery that use most of what a file can contain.
TRIED = (
    "company/captains-0",
    "orbits/captains-0",
    "pilots/captains-0",
    "gates/captains-0",
    "riders/captains-0",
)


@pytest.mark.parametrize("name", TRIED)
def test_battle_file_with_junk_anywhere_is_read_or_refused(name: str) -> None:
    case = next(case for case in cases() if case.name == name)
    classes = fixture_classes(case.edition)
    refused = 0
    for _, spoilt in with_junk(document(case), SHORT_JUNK):
        try:
            read_battle(spoilt, classes)
        except RuleViolations:
            refused += 1
    assert refused > 50


def test_ships_must_be_a_list() -> None:
    sides = [{"name": "esu", "ships": -1}, {"name": "nac", "ships": []}]
    with pytest.raises(RuleViolations) as refused:
        read_battle({"edition": "second-edition", "sides": sides}, {})
    assert ("sides[0].ships", "not-a-list") in [
        (fault.where, fault.code) for fault in refused.value.violations
    ]
