"""The measurement of the load, on a small scale: wars due at once, players, and no problem found."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SMALL = ("--campaigns", "3", "--stages", "1", "--players", "4", "--seconds", "1", "--rate", "16")


def test_small_load_is_carried_and_stages_resolve_once(migrated_url: str) -> None:
    command = [sys.executable, "-m", "tools.bench.load", *SMALL, "--at", migrated_url]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr[-3000:]
    assert "3 x deploy due at once: resolved in" in process.stdout
    assert re.search(r"4 players, [1-9]\d* requests", process.stdout)
    assert "empty view" in process.stdout
