"""bin/setup and bin/test on a newcomer's machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import gate, other_python

ROOT = Path(__file__).resolve().parent.parent
SKIPPING = "import pytest\n\ndef test_left_out():\n    pytest.skip('not here')\n"


def set_up(folder: Path, elsewhere: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the set-up of a project in `folder` from another folder, with this Python, without a
    network.

    Args:
        settings: Further environment variables; empty ones are not set.
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
    """Return a project with only its set-up and no requirements, in a folder with a space."""
    folder = tmp_path / "blind jump"
    shutil.copytree(ROOT / "bin", folder / "bin")
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "make_environment.py", folder / "tools" / "make_environment.py")
    (folder / "requirements").mkdir()
    (folder / "requirements" / "base.txt").write_text("# nothing\n")
    return folder


def test_concurrent_set_ups_succeed_and_a_failed_one_leaves_no_stamp(
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

    # uv installs where pip may use an index, and pip where uv fails
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


SHELL_TOOLS = ("bash", "cat", "dirname", "env", "mktemp", "readlink", "rm", "sh")
SetUp = subprocess.CompletedProcess[str]


@pytest.fixture
def set_up_with(bare_project: Path, tmp_path: Path) -> Callable[..., SetUp]:
    """Return a function that runs the set-up on a machine with certain programs and no others.

    A Python is a text: its version, and "bare" if it has no venv module. It prints its name
    instead of making an environment. Any other program is a shell script.
    """
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in SHELL_TOOLS:
        (tools / name).symlink_to(str(shutil.which(name)))

    def run(wanted_python: str = "", **programs: str) -> SetUp:
        folder = tmp_path / "programs"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for key, text in programs.items():
            version, _, bare = text.partition(" ")
            program = folder / key.replace("_", ".")
            if version[0].isdigit():
                answer = f"echo {version}; exit {int(bare == 'bare')}"
                text = f'case "$2" in -c) {answer} ;; -m) exit 1 ;; esac\necho {program.name}'
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        environment = {"PATH": f"{folder}:{tools}", "PYTHON": wanted_python}
        command = [str(bare_project / "bin" / "setup"), "play"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize(
    ("programs", "chosen"),
    [
        ({"python3_11": "3.11", "python3": "3.12", "python": "3.11"}, "python3"),
        ({"python3_11": "3.11", "python3_14": "3.14", "python3": "3.14"}, "python3.14"),
        ({"python3_14": "3.14 bare", "python3_13": "exit 1", "python3": "3.11"}, "python3"),
        ({"python3": "3.15", "python": "3.13"}, "python"),
    ],
)
def test_newest_supported_python_is_used(
    set_up_with: Callable[..., SetUp], programs: dict[str, str], chosen: str
) -> None:
    assert set_up_with(**programs).stdout == f"{chosen}\n"


def test_named_python_is_used_or_refused(
    set_up_with: Callable[..., SetUp],
) -> None:
    programs = {"old": "3.10", "mine": "3.12", "bare": "3.13 bare", "python3_14": "3.14"}
    assert set_up_with("mine", **programs).stdout == "mine\n"
    for name, problem in (
        ("old", "is Python 3.10"),
        ("bare", "is Python 3.13 without its venv module"),
        ("absent", "cannot be run"),
    ):
        refused = set_up_with(name, **programs)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.splitlines() == [
            f"bin/setup: PYTHON is {name}, which {problem}.",
            "Blind Jump needs Python 3.11 to 3.14 with its venv module.",
        ]


FETCHING_UV = """
case "$*" in
    "python install --no-config 3.14") echo done >"${0%/*}/note" ;;
    "python find --no-config --no-project --system 3.14") [ -f "${0%/*}/note" ] && echo {} ;;
    *) exit 1 ;;
esac
"""


def test_uv_fetches_a_missing_python(set_up_with: Callable[..., SetUp], tmp_path: Path) -> None:
    fetched = tmp_path / "programs" / "fetched"
    uv = FETCHING_UV.replace("{}", str(fetched))
    process = set_up_with(python3="3.10", uv=uv, fetched="3.14")
    assert process.stdout == "fetched\n"
    assert "Fetching Python 3.14 with uv" in process.stderr


def test_missing_python_is_explained(
    set_up_with: Callable[..., SetUp],
) -> None:
    needed = "Blind Jump needs Python 3.11 to 3.14 with its venv module. "
    for programs, found in (
        ({}, ""),
        ({"uv": "exit 1"}, ""),
        ({"python3": "3.10"}, "It found python3, which is Python 3.10. "),
        ({"python": "3.15"}, "It found python, which is Python 3.15. "),
        (
            {"python3": "3.12 bare"},
            "It found python3, which is Python 3.12 without its venv module. ",
        ),
    ):
        process = set_up_with(**programs)
        assert process.returncode == 1
        text = process.stderr.removeprefix("Fetching Python 3.14 with uv ...\n")
        assert text.startswith(f"{needed}{found}Install one:\n"), text


def test_supported_python_range_is_consistent() -> None:
    versions = other_python.supported_versions()
    minors = [int(version.removeprefix("3.")) for version in versions]
    oldest, newest = minors[0], minors[-1]
    assert minors == list(range(oldest, newest + 1))
    assert f"oldest={oldest} newest={newest} " in (ROOT / "bin" / "setup").read_text()
    assert f"for version in {' '.join(versions)};" in (ROOT / "bin" / "lock").read_text()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert settings["project"]["requires-python"] == f">=3.{oldest},<3.{newest + 1}"
    assert settings["tool"]["ruff"]["target-version"] == f"py3{oldest}"
    assert settings["tool"]["mypy"]["python_version"] == f"3.{oldest}"


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ("3.11", ["3.14", "3.13", "3.12"]),
        ("3.13", ["3.11", "3.12", "3.14"]),
        ("3.14", ["3.11", "3.12", "3.13"]),
    ],
)
def test_core_runs_on_the_most_distant_python(own: str, others: list[str]) -> None:
    assert other_python.by_distance(own, ["3.11", "3.12", "3.13", "3.14"]) == others


def test_set_up_refuses_an_unknown_purpose(tmp_path: Path) -> None:
    process = subprocess.run(
        [ROOT / "bin" / "setup", "x"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert "'x' is neither play nor test" in process.stderr


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_skipped_test_fails_the_run_in_ci(tmp_path: Path, ci: str, status: int) -> None:
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


def test_summary_names_failures_and_counts_all_runs() -> None:
    results = [
        gate.CheckResult("types", gate.FAILED, 1.0),
        gate.CheckResult("tests on SQLite", gate.FAILED, 2.0, passed=7, failed=2),
        gate.CheckResult("tests on PostgreSQL", gate.OK, 3.0, passed=3),
    ]
    lines = gate.summary(results, must_run_all=False, seconds=6.0).splitlines()
    assert lines[-2:] == ["3 checks in 6 s, failed: types, tests on SQLite", "10 passed, 2 failed"]


def test_bytecode_goes_beside_the_program_or_into_the_run_folder(
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


def test_summary_explains_skips_and_fails_where_none_is_allowed() -> None:
    results = [
        gate.CheckResult("tests on PostgreSQL", gate.SKIPPED, 0.0, note="it does not run here")
    ]
    assert "all is well" in gate.summary(results, must_run_all=False, seconds=6.0)
    strict = gate.summary(results, must_run_all=True, seconds=6.0)
    assert "it does not run here (nothing may be skipped where CI=true)" in strict
    assert "failed: tests on PostgreSQL" in strict


def test_summary_mentions_a_missing_second_python_without_failing() -> None:
    result = gate.CheckResult("core on another Python", gate.ABSENT, 0.0, note="none is here")
    lines = gate.summary([result], must_run_all=True, seconds=6.0).splitlines()
    assert "core on another Python absent" in lines[2]
    assert "none is here" in lines[2]
    assert "all is well" in lines[-2]
