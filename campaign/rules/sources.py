"""The hash of the sources that decide what happens in a war."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Packages whose modules decide what happens in a war.
DECIDING = (
    *("engine", "campaign/events", "campaign/orders", "campaign/rules"),
    *("umpire/adjudication", "umpire/admirals"),
)


@cache
def source_of(root: Path = ROOT) -> str:
    """Return the SHA-256 over these sources; two releases with the same hash play a war alike."""
    total = hashlib.sha256()
    for package in DECIDING:
        for path in sorted((root / package).rglob("*.py"), key=Path.as_posix):
            total.update(path.relative_to(root).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
