"""Load the project's own scenarios at startup, only if they may have changed: loading takes a
while.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from campaign.models.scenario import Scenario
from campaign.rules.files import FIXTURES
from campaign.services.scenarios import scenarios_load

ROOT = FIXTURES.parent
PROGRAM = ("engine", "campaign/rules")  # the code that turns the files into stored scenarios


def load(stamp: Path) -> bool:
    """Load the scenarios into the database if needed; return whether it was needed.

    It is not needed if the files and the code that reads them match the stamp, and the newest
    scenarios in the database match it too (the database may be a different one).
    """
    now = fingerprint()
    previous = _read(stamp)
    stored = previous.get("stored")
    if previous.get("of") == now and stored and stored == _newest_hashes(stored):
        return False
    stored = {row.slug: row.sha256 for row in scenarios_load()}
    stamp.write_text(json.dumps({"of": now, "stored": stored}), encoding="ascii")
    return True


def fingerprint() -> str:
    """Return a hash of every scenario file and of the code that reads them."""
    digest = hashlib.sha256()
    paths = list(FIXTURES.rglob("*.yaml"))
    for folder in PROGRAM:
        paths += (ROOT / folder).rglob("*.py")
    for path in sorted(paths):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _newest_hashes(slugs: Iterable[str]) -> dict[str, str]:
    """Return the hash of the newest version of each scenario."""
    rows = Scenario.objects.filter(slug__in=slugs).order_by("version")
    return dict(rows.values_list("slug", "sha256"))


def _read(stamp: Path) -> dict[str, Any]:
    """Return the content of the stamp, or an empty dictionary if it cannot be read."""
    try:
        data = json.loads(stamp.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    if isinstance(data, dict):
        return data
    return {}
