"""Workers of one run: each test runs once in one of them, all are reported, and deaths are noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.gate import IN_TIME
from tests.workers import FIRST

ROOT = Path(__file__).resolve().parent.parent
PLUGINS = (
    "-p",
    "no:django",
    "-p",
    "no:hypothesispytest",
    "-p",
    "no:schemathesis",
    "-p",
    "tests.workers",
)
MEETING = """
import os, time
from pathlib import Path

import pytest

HERE = Path(__file__).parent

@pytest.fixture(scope="session", autouse=True)
def standing():
    yield
    (HERE / f"{os.getpid()}.ended").touch()

def test_the_other_worker_is_there(tmp_path, request):
    name = request.config.workerinput["workerid"]
    assert name in tmp_path.parts
    (HERE / f"{name}.met").touch()
    while len(list(HERE.glob("*.met"))) < 2:
        time.sleep(0.01)
    print("said by", os.getpid())
"""
FAILING = "def test_it_fails():\n    print('words of its own')\n    assert 1 + 1 == 3\n"
HANGING = "import time\n\ndef test_it_hangs():\n    time.sleep(50)\n"
DYING = "import os\n\ndef test_it_dies():\n    os._exit(7)\n"


def run(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        os.devnull,
        *PLUGINS,
        *more,
        "-p",
        "no:cacheprovider",
        str(folder),
    ]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


def test_every_test_runs_once_and_workers_clean_up(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"test_{name}.py").write_text(MEETING)
    (tmp_path / "test_wrong.py").write_text(FAILING)
    process = run(
        tmp_path,
        "--workers",
        "2",
        f"--junitxml={tmp_path}/report.xml",
        "--basetemp",
        str(tmp_path / "base"),
    )
    assert process.returncode == 1, process.stdout
    assert "words of its own" in process.stdout
    assert "1 failed, 2 passed" in process.stdout
    cases = ElementTree.parse(tmp_path / "report.xml").getroot().iter("testcase")
    assert sorted(str(case.get("classname")) for case in cases) == [
        "test_one",
        "test_two",
        "test_wrong",
    ]
    assert len(list(tmp_path.glob("*.ended"))) == 2


def test_files_begun_first_exist() -> None:
    assert [name for name in FIRST if not (ROOT / name).is_file()] == []


def test_dead_worker_fails_the_run_and_names_its_test(tmp_path: Path) -> None:
    (tmp_path / "test_dying.py").write_text(DYING)
    (tmp_path / "test_fine.py").write_text("def test_it(): ...\n")
    process = run(tmp_path, "--workers", "2")
    assert process.returncode == 2, process.stdout
    assert "has ended at test_dying.py::test_it_dies" in process.stdout
    assert "1 passed" in process.stdout


def test_hanging_test_fails_the_run_and_is_named(tmp_path: Path) -> None:
    """With or without workers the gate must end, whatever a browser or a server does."""
    (tmp_path / "test_hanging.py").write_text(HANGING)
    (tmp_path / "test_fine.py").write_text("def test_it(): ...\n")
    in_time = tuple(
        "faulthandler_timeout=0.5" if part.startswith("faulthandler_timeout=") else part
        for part in IN_TIME
    )
    shared = run(tmp_path, *in_time, "--workers", "2")
    assert shared.returncode == 2, shared.stdout
    assert "has ended at test_hanging.py::test_it_hangs" in shared.stdout
    alone = run(tmp_path, *in_time)
    assert alone.returncode != 0, alone.stdout
    assert "test_it_hangs" in alone.stderr
