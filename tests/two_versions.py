"""Two versions of the rules, for tests of wars that go from one to the other.

Here changes separate the newest version from `OLD`, and `UNPLAYED` is older still.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from engine.core.edition import EDITIONS, Edition
from engine.core.versions import NEWEST, Change, Version

UNPLAYED, OLD = "0.8", "0.9"
EVERYWHERE = "Everybody repairs a little faster."
CONTINUUM_CHANGE = Change(NEWEST, "Scatterguns have five shots.", (Edition.CONTINUUM,))
NO_FTL_CHANGE = Change(NEWEST, "Nobody drops out of FTL.", EDITIONS, "no-ftl")
CHANGES = (CONTINUUM_CHANGE, NO_FTL_CHANGE)
VERSIONS = (Version(UNPLAYED, played=False), Version(OLD), Version(NEWEST, (EVERYWHERE,)))


@contextmanager
def two_versions() -> Iterator[None]:
    """Let the engine know `UNPLAYED` and `OLD` beside its newest rules."""
    with (
        mock.patch("engine.core.versions.VERSIONS", VERSIONS),
        mock.patch("engine.core.versions.CHANGES", CHANGES),
    ):
        yield
