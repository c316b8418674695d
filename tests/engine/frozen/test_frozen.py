"""The frozen battery: a tenth of it is fought, and everything that must occur does.

`python -m tests.engine.frozen` fights the whole.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.frozen.__main__ import GATE, Row, difference, main, rows
from tests.engine.frozen.coverage import EXCEPTIONS, expected_occurrences, fight_and_collect
from tests.engine.frozen.fighting import (
    BATTLES_PER_EDITION,
    BY_CAPTAINS,
    EDITIONS,
    LATER,
    BattleDigest,
    cases,
    fight_case,
)
from tests.engine.secrecy.lent_ships import watch_captains

ROOT = Path(__file__).resolve().parents[3]
GATES = {name for name, row in rows().items() if row.gate}
GATED = [case for case in cases() if case.name in GATES]


@pytest.fixture(scope="module")
def known() -> dict[str, Row]:
    return rows()


def test_every_battle_is_in_the_file_once(known: dict[str, Row]) -> None:
    names = [case.name for case in cases()]
    assert [*known] == names
    assert (
        len(names)
        == len(set(names))
        == BATTLES_PER_EDITION * len(EDITIONS) + sum(many for _, _, many in LATER.values())
    )
    assert len(GATED) == GATE
    assert 0 < BY_CAPTAINS < BATTLES_PER_EDITION


def test_tenth_of_the_battles_is_unchanged_and_covers_all_events(
    known: dict[str, Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has every event class, system, weapon, option, kind of ship, plot word, piece and status.

    The captains in it change nothing that they are lent.
    """
    decisions = watch_captains(monkeypatch)
    all_occurrences: set[str] = set()
    different = []
    for case in GATED:
        digest, occurs = fight_and_collect(case)
        all_occurrences |= occurs
        different.append(difference(case.name, known[case.name].digest, digest))
    assert [words for words in different if words] == []
    assert sorted(expected_occurrences() - all_occurrences) == sorted(EXCEPTIONS)
    assert all(len(why) > 20 for why in EXCEPTIONS.values())
    assert min(decisions[edition] for edition in EDITIONS) > 40


def test_changed_battle_is_named_with_its_first_different_phase(known: dict[str, Row]) -> None:
    case = next(case for case in GATED if case.seed % 3 and not case.captains)
    then = known[case.name].digest
    other = fight_case(case._replace(seed=case.seed + 12))  # other dice
    assert difference(case.name, then, then) == ""
    assert difference(case.name, then, other).startswith(
        f"{case.name}: log, views, end differ from stop "
    )
    late = BattleDigest("0" * 16, then.views, then.end, then.trail[:8] + "ffff" + then.trail[12:])
    assert difference(case.name, then, late) == f"{case.name}: log differs from stop 2 on"
    assert (
        difference(case.name, then, then._replace(end="0" * 16))
        == f"{case.name}: end differs after its last stop"
    )


def test_another_hash_seed_fights_the_same_battles() -> None:
    names = [next(case.name for case in GATED if case.edition == edition) for edition in EDITIONS]
    result = subprocess.run(
        [sys.executable, "-m", "tests.engine.frozen", "--jobs", "1", *names],
        cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "77"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stdout.rpartition("; ")[2]) == (0, "none of them differ\n"), (
        result.stdout + result.stderr
    )


def test_command_reports_differences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = GATED[0]
    changed = {case.name: Row(True, BattleDigest("0" * 16, "0" * 16, "0" * 16, ""))}
    monkeypatch.setattr("tests.engine.frozen.__main__.rows", lambda: changed)
    assert main(["--jobs", "1", case.name]) == 1
    assert f"{case.name}: log, views, end differ from stop 0 on" in capsys.readouterr().out
    assert main(["--jobs", "1", "nothing-is-called-so"]) == 1
