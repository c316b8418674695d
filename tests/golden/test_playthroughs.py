"""Each scenario fought once by captains, with what every side saw: read line by line, then pinned.

After an intended change of a rule or a captain, run `.venv/bin/python -m tests.golden.playthrough`
and read what changed.
"""

from __future__ import annotations

import pytest

from tests.golden.playthrough import HERE, NAMES, playthrough


@pytest.mark.rule("2e.first-battle")
@pytest.mark.rule("2e.convoy-990")
@pytest.mark.rule("2e.con-am-12")
@pytest.mark.parametrize("name", NAMES)
def test_battle_goes_as_recorded(name: str) -> None:
    pinned = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    again = playthrough(name)
    for number, (before, now) in enumerate(
        zip(pinned.splitlines(), again.splitlines(), strict=False), 1
    ):
        assert now == before, f"line {number} of {name}.txt; see the top of this module"
    assert again == pinned
