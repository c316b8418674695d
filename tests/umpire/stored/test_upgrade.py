"""A site of each kept release is upgraded by migrations, goes on, and is proven as a whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.migrated_database import database_at
from tests.umpire.stored.test_stored_site import RELEASES

SCRIPT = Path(__file__).with_name("upgrade.py")
ON_POSTGRES = "test_upgrade"


def assert_goes_on(address: str, folder: Path, release: str) -> None:
    """All old rows stay as they are, and the first new one covers what they left out."""
    environment = {**os.environ, "DATABASE_URL": address, "BLINDJUMP_VAR": str(folder)}
    command = [sys.executable, str(SCRIPT), release]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout.splitlines()[-1])
    assert (result["kept"], result["new"]) == (9, 1)
    assert "first" in result["leaves"]


@pytest.mark.parametrize("release", RELEASES)
def test_on_sqlite(release: str, tmp_path: Path) -> None:
    assert_goes_on(f"sqlite:///{tmp_path / 'site.sqlite3'}", tmp_path, release)


@pytest.mark.postgres
@pytest.mark.parametrize("release", RELEASES)
def test_on_postgresql(postgres_url: str, release: str, tmp_path: Path) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {ON_POSTGRES}")
        try:
            assert_goes_on(database_at(postgres_url, ON_POSTGRES), tmp_path, release)
        finally:
            server.execute(f"DROP DATABASE {ON_POSTGRES} WITH (FORCE)")
