"""The project's own scenarios, loaded at a start only where they may have changed: to read them all
takes a while.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from campaign.models.scenario import Scenario
from campaign.rules.files import FIXTURES
from campaign.services.scenarios import scenarios_load

ROOT = FIXTURES.parent
PROGRAM = ("engine", "campaign/rules")  # what makes of the files what is stored


def load(stamp: Path) -> bool:
    """Load the scenarios into the database. Whether there was need to.

    There is none where the files and the program that reads them are those of the last time, as the
    stamp says, and the newest scenarios in the database are those of that time: it may be another
    database.
    """
    now = fingerprint()
    previous = _read(stamp)
    if (
        previous.get("of") == now
        and (stored := previous.get("stored"))
        and stored == _newest(stored)
    ):
        return False
    stored = {row.slug: row.sha256 for row in scenarios_load()}
    stamp.write_text(json.dumps({"of": now, "stored": stored}), encoding="ascii")
    return True


def fingerprint() -> str:
    """A hash over every file that a stored scenario is made from, and over the program that makes
    it.
    """
    digest = hashlib.sha256()
    modules = (path for folder in PROGRAM for path in (ROOT / folder).rglob("*.py"))
    for path in sorted((*FIXTURES.rglob("*.yaml"), *modules)):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _newest(slugs: dict[str, str]) -> dict[str, str]:
    """The hash of the newest version of each of these scenarios."""
    rows = Scenario.objects.filter(slug__in=slugs).order_by("version")
    return dict(rows.values_list("slug", "sha256"))


def _read(stamp: Path) -> dict[str, Any]:
    """What was noted the last time; nothing where that cannot be read."""
    try:
        data = json.loads(stamp.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
