"""A rollback or fork that is killed after any statement changes nothing; the next finds whole wars."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("killed_rollback.py")


def assert_all_or_nothing(url: str) -> None:
    environment = {**os.environ, "DATABASE_URL": url}
    command = [sys.executable, str(SCRIPT)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout.splitlines()[-1])
    for act in ("rollback", "fork", "start"):
        assert result[act]["changed"] == []
        assert result[act]["killed"] > 5
        assert result[act]["done"]
    assert result["branches"] == 2


def test_on_sqlite(migrated_url: str) -> None:
    assert_all_or_nothing(migrated_url)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_on_postgresql(postgres_url: str) -> None:
    assert_all_or_nothing(postgres_url)
