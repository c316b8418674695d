"""A server that was set up once, and copies of it that run."""

from __future__ import annotations

import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site.serving import PATIENCE, Served


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that was set up and has ended."""
    var = tmp_path_factory.mktemp("serve") / "var"
    served = Served(var)
    try:
        served.begun()
        with urllib.request.urlopen(f"http://127.0.0.1:{served.port}/health/", timeout=PATIENCE) as answer:
            assert answer.status == 200
        link = re.search(rf"http://127\.0\.0\.1:{served.port}(/welcome/\S+)", served.said)
        assert link, served.said
        served.process.terminate()
        assert served.ended() == 0
    finally:
        served.close()
    return var


@pytest.fixture
def served(prepared: Path, tmp_path: Path) -> Iterator[Served]:
    running = Served(Path(shutil.copytree(prepared, tmp_path / "var")))
    try:
        yield running.begun()
    finally:
        running.close()
