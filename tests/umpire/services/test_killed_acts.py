"""An act on a war's history that is killed after any statement changes nothing, or all of it.

Rulings at once, held and undone; rollbacks; forks; the publication of the seed; archives. The command that checks all that is
stored (`verify_campaign --all --deep`) finds no fault afterwards.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("killed_acts.py")
ACTS = ("ruling", "undo", "held", "made", "rollback", "fork", "start", "archive", "reveal")
SINGLE = ("held", "reveal")  # acts of one statement


def assert_all_or_nothing(url: str, stride: int) -> None:
    environment = {**os.environ, "DATABASE_URL": url}
    command = [sys.executable, str(SCRIPT), str(stride)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout.splitlines()[-1])
    assert set(result) == set(ACTS)
    for act, found in result.items():
        assert found["changed"] == [], act
        assert found["killed"] * stride >= (1 if act in SINGLE else 7), act
        assert found["done"], act


def test_on_sqlite(migrated_url: str) -> None:
    assert_all_or_nothing(migrated_url, stride=1)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_on_postgresql(postgres_url: str) -> None:
    assert_all_or_nothing(postgres_url, stride=4)
