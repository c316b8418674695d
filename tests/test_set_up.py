"""bin/setup and bin/test: what a newcomer's machine meets first."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import gate

ROOT = Path(__file__).resolve().parent.parent
SKIPPING = "import pytest\n\ndef test_left_out():\n    pytest.skip('not here')\n"


def set_up(folder: Path, elsewhere: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the set-up of a project in `folder` from another folder, with this Python, and without
    any network.

    `settings`: more of the environment; what is empty is not set.
    """
    environment = {**os.environ, "PYTHON": sys.executable, "PIP_NO_INDEX": "1", **settings}
    environment = {
        name: value for name, value in environment.items() if value or name not in settings
    }
    link = elsewhere / "start"
    if not link.is_symlink():
        link.symlink_to(folder / "bin" / "setup")
    return subprocess.run(
        [link, "play"], cwd=elsewhere, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def bare_project(tmp_path: Path) -> Path:
    """A project with only its set-up, in a folder with a space in its name, that needs nothing."""
    folder = tmp_path / "blind jump"
    shutil.copytree(ROOT / "bin", folder / "bin")
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "make_environment.py", folder / "tools" / "make_environment.py")
    (folder / "requirements").mkdir()
    (folder / "requirements" / "base.txt").write_text("# nothing\n")
    return folder


def test_two_set_ups_at_once_both_end_well_and_one_that_fails_leaves_no_stamp(
    bare_project: Path, tmp_path: Path
) -> None:
    environment = {**os.environ, "PYTHON": sys.executable, "PIP_NO_INDEX": "1"}
    command = [str(bare_project / "bin" / "setup"), "play"]
    both = [
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert sum("Set up in" in words for words in outputs) == 1
    lock = bare_project / "requirements" / "base.txt"
    stamp = bare_project / ".venv" / "installed-base.txt"
    assert stamp.read_text() == lock.read_text()

    again = set_up(bare_project, tmp_path)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")

    nothing = lock.read_text()
    lock.write_text("no-such-thing==1 --hash=sha256:" + "0" * 64 + "\n")
    failed = set_up(bare_project, tmp_path)
    assert failed.returncode == 1
    assert "failed while installing requirements/base.txt" in failed.stderr
    assert not stamp.exists()

    lock.write_text(nothing)
    assert set_up(bare_project, tmp_path).returncode == 0
    assert stamp.read_text() == nothing

    # uv installs where pip may ask an index, and pip where uv fails
    uv, request_file = bare_project / ".venv" / "bin" / "uv", tmp_path / "asked"
    (bare_project / "requirements" / "uv.txt").write_text("# it is there\n")
    environment = {
        "PIP_NO_INDEX": "0",
        "PIP_INDEX_URL": "https://index.invalid/simple",
        "UV_DEFAULT_INDEX": "",
    }
    for status, package in (
        (0, "no-such-thing==1 --hash=sha256:" + "0" * 64 + "\n"),
        (1, "# nothing else\n"),
    ):
        uv.write_text(
            f'#!/bin/sh\necho "$UV_DEFAULT_INDEX" "$@" > "{request_file}"\nexit {status}\n'
        )
        uv.chmod(0o755)
        lock.write_text(package)
        set_up_process = set_up(bare_project, tmp_path, **environment)
        assert (set_up_process.returncode, stamp.read_text()) == (0, package), set_up_process.stderr
        assert request_file.read_text().startswith("https://index.invalid/simple pip install ")
        assert "--require-hashes" in request_file.read_text()


@pytest.fixture
def pythons(bare_project: Path, tmp_path: Path) -> Callable[..., str]:
    """Return a function that says which of some Pythons makes the environment.

    Each is found by its name, and said to fit or not: one that does not fit is of another version.
    """

    def chosen(wanted_python: str = "", **fits: bool) -> str:
        folder = tmp_path / "pythons"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, fit in fits.items():
            program = folder / name.replace("_", ".")
            answers = f'case "$2" in -c) exit {int(not fit)};; esac'
            program.write_text(f"#!/bin/sh\n{answers}\necho {program.name}\n")
            program.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        environment.pop("PYTHON", None)
        if wanted_python:
            environment["PYTHON"] = wanted_python
        command = [str(bare_project / "bin" / "setup"), "play"]
        process = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )
        return process.stdout.strip()

    return chosen


def test_the_first_python_that_fits_makes_the_environment(pythons: Callable[..., str]) -> None:
    assert pythons(python3_11=True, python3=True, python=True) == "python3.11"
    assert pythons(python3_11=False, python3=True, python=True) == "python3"
    assert pythons(python3_11=False, python3=False, python=True) == "python"


def test_the_python_that_is_named_goes_first_where_it_fits(pythons: Callable[..., str]) -> None:
    assert pythons(wanted_python="mine", mine=True, python3_11=True) == "mine"
    assert pythons(wanted_python="old", old=False, python3_11=True) == "python3.11"


def test_set_up_refuses_an_unknown_purpose(tmp_path: Path) -> None:
    process = subprocess.run(
        [ROOT / "bin" / "setup", "x"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert "'x' is neither play nor test" in process.stderr


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_a_skipped_test_fails_the_run_where_ci_is_set(tmp_path: Path, ci: str, status: int) -> None:
    (tmp_path / "test_it.py").write_text(SKIPPING)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        os.devnull,
        "-p",
        "no:django",
        "-p",
        "tests.conftest",
        str(tmp_path),
    ]
    environment = {**os.environ, "CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    process = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == status, process.stdout
    assert ("Nothing may be skipped" in process.stdout) is bool(status)


def test_the_summary_names_what_failed_and_counts_the_tests_of_all_runs() -> None:
    results = [
        gate.CheckResult("types", gate.FAILED, 1.0),
        gate.CheckResult("tests on SQLite", gate.FAILED, 2.0, passed=7, failed=2),
        gate.CheckResult("tests on PostgreSQL", gate.OK, 3.0, passed=3),
    ]
    lines = gate.summary(results, must_run_all=False, seconds=6.0).splitlines()
    assert lines[-2:] == ["3 checks in 6 s, failed: types, tests on SQLite", "10 passed, 2 failed"]


def test_bytecode_goes_beside_the_program_or_into_the_folder_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert gate.bytecode_environment(tmp_path) == {}
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    environment = os.environ | gate.bytecode_environment(tmp_path)
    subprocess.run(
        [sys.executable, "-c", "import engine.core.dice"], cwd=ROOT, env=environment, check=True
    )
    assert list(tmp_path.rglob("dice*.pyc"))
    installed = Path(pytest.__file__).parent
    name = f"__init__{gate.COMPILED}"
    linked = tmp_path / "bytecode" / str(installed).lstrip("/") / name
    assert linked.is_file() is (installed / "__pycache__" / name).is_file()


def test_the_summary_says_why_something_was_skipped_and_counts_it_as_failed_where_nothing_may_be() -> (
    None
):
    results = [
        gate.CheckResult("tests on PostgreSQL", gate.SKIPPED, 0.0, note="it does not run here")
    ]
    assert "all is well" in gate.summary(results, must_run_all=False, seconds=6.0)
    strict = gate.summary(results, must_run_all=True, seconds=6.0)
    assert "it does not run here (nothing may be skipped where CI=true)" in strict
    assert "failed: tests on PostgreSQL" in strict
