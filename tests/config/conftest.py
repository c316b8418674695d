"""A server that was set up once, and copies of it that run."""

from __future__ import annotations

import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import one_at_a_time
from tests.site.serving import PATIENCE, Served


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that was set up and has ended, made by whoever asks first; to be
    copied.
    """
    with one_at_a_time("served") as folder:
        made = folder / "served"
        if not made.exists():
            draft = tmp_path_factory.mktemp("serve") / "var"
            set_up(draft)
            shutil.move(draft, made)
    return made


def set_up(var: Path) -> None:
    """The first start, with its link, and the end of it."""
    served = Served(var)
    try:
        served.begun()
        with urllib.request.urlopen(
            f"http://127.0.0.1:{served.port}/health/web/", timeout=PATIENCE
        ) as answer:
            assert answer.status == 200
        link = re.search(rf"http://127\.0\.0\.1:{served.port}(/welcome/\S+)", served.said)
        assert link, served.said
        served.process.terminate()
        assert served.ended() == 0
    finally:
        served.close()


@pytest.fixture
def served(prepared: Path, tmp_path: Path) -> Iterator[Served]:
    """A server of this test's own."""
    running = Served(Path(shutil.copytree(prepared, tmp_path / "var")))
    try:
        yield running.begun()
    finally:
        running.close()


@pytest.fixture(scope="session")
def standing(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of many tests, none of which ends it or changes what it keeps."""
    running = Served(Path(shutil.copytree(prepared, tmp_path_factory.mktemp("standing") / "var")))
    try:
        yield running.begun()
    finally:
        running.close()
