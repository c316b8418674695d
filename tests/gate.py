"""bin/test: every check and every test run, one after the other, and one summary at the end.

Nothing here touches the database or the files of the person who runs it: settings point into a temporary folder.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import IO
from urllib.parse import quote
from xml.etree import ElementTree

from tests import real_postgres
from tests.browser.chromium import MISSING, chromium_path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable

# name, arguments to Python
CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("import contracts", ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")),
    ("types", ("-m", "mypy", ".")),
    ("migrations", ("manage.py", "makemigrations", "--check", "--dry-run")),
    ("django check", ("manage.py", "check")),
    ("templates", ("-m", "djlint", "templates", "--lint", "--quiet")),
    ("docs/rules.md", ("-m", "docs.generate", "--check")),
)
PYTEST = ("-m", "pytest", "-p", "no:benchmark", "-n", "2")
APART = ("--ignore=tests/wars", "--ignore=tests/browser")  # with a site of their own, and once
AT_ONCE = 2  # jobs of one process
OK, FAILED, SKIPPED = "ok", "FAILED", "skipped"


@dataclass(frozen=True, slots=True)
class Done:
    """A check's result: its seconds, the tests it ran, and why it was skipped or what else there is to say."""

    name: str
    result: str
    seconds: float
    passed: int = 0
    failed: int = 0
    note: str = ""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/test")
    parser.add_argument("--quick", action="store_true", help="fewer examples; no PostgreSQL, no wars, no browser")
    options = parser.parse_args(arguments)
    must_run_all = nothing_may_be_skipped()
    signal.signal(signal.SIGTERM, _end)
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="bj-test-") as folder:
            done = run_all(Path(folder), quick=options.quick)
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr)
        return 130
    print(summary(done, must_run_all, time.monotonic() - started))
    return 1 if any(_counts_as_failed(one, must_run_all) for one in done) else 0


def nothing_may_be_skipped() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true"}


def run_all(folder: Path, quick: bool) -> list[Done]:
    """Run every check whatever the others say."""
    environment = {
        **os.environ,
        "BLINDJUMP_VAR": str(folder / "var"),
        "DATABASE_URL": f"sqlite:///{quote(str(folder))}/test.sqlite3",
        "HYPOTHESIS_PROFILE": "quick" if quick else "ci",
    }
    done = _together([partial(_checked, name, command, environment) for name, command in CHECKS])
    done.append(_tested("tests on SQLite", APART, environment, folder / "sqlite.xml"))
    if quick:
        names = ("tests on PostgreSQL", "wars over the API", "in a browser")
        return [*done, *(Done(name, SKIPPED, 0.0, note="--quick leaves it out") for name in names)]
    done.append(_on_postgres(environment, folder))
    wars = ("tests/wars", "-n", "0")
    done += _together(
        [
            partial(_tested, "wars over the API", wars, environment, folder / "wars.xml"),
            partial(_in_a_browser, environment, folder),
        ]
    )
    return done


def _together(jobs: Sequence[Callable[..., Done]]) -> list[Done]:
    """Runs jobs of one process each, two at a time; each one's words come out whole when it is done."""

    def job(work: Callable[..., Done]) -> Done:
        with tempfile.TemporaryFile("w+", encoding="utf-8") as words:
            done = work(words)
            words.seek(0)
            print(f"\n== {done.name}\n{words.read()}", end="", flush=True)
        return done

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(job, jobs))


def _on_postgres(environment: dict[str, str], folder: Path) -> Done:
    name = "tests on PostgreSQL"
    with ExitStack() as stack:
        try:
            url = stack.enter_context(real_postgres.running())
        except real_postgres.NoPostgres as reason:
            url = os.environ.get("DATABASE_URL", "")
            if not url.startswith(("postgres:", "postgresql:")):
                return Done(name, SKIPPED, 0.0, note=str(reason))
            print(f"{reason}; the server of DATABASE_URL serves, in test databases of its own", flush=True)
        on_postgres = {**environment, "DATABASE_URL": url}
        return _tested(name, ("--database-only", *APART), on_postgres, folder / "postgres.xml")


def _in_a_browser(environment: dict[str, str], folder: Path, words: IO[str] | None = None) -> Done:
    """The tests in Chromium, which root installs where nothing may be skipped."""
    name = "in a browser"
    if chromium_path() is None and nothing_may_be_skipped() and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (("update", "-qq"), ("install", "-qq", "--no-install-recommends", "chromium")):
            subprocess.run(["apt-get", "-y", *command], stdin=subprocess.DEVNULL, stdout=words, check=False)
    if chromium_path() is None:
        return Done(name, SKIPPED, 0.0, note=MISSING)
    return _tested(name, ("--browser", "tests/browser", "-n", "0"), environment, folder / "browser.xml", words)


def summary(done: Sequence[Done], must_run_all: bool, seconds: float) -> str:
    """The table at the end; its last line counts the tests of all runs. `seconds`: by the clock, some ran together."""
    lines = ["", "Summary"]
    for one in done:
        note = f"  {one.note}" if one.note else ""
        if one.result == SKIPPED and must_run_all:
            note += " (nothing may be skipped where CI=true)"
        lines.append(f"  {one.name:<20} {one.result:<8} {one.seconds:6.1f} s{note}")
    bad = [one.name for one in done if _counts_as_failed(one, must_run_all)]
    verdict = f"failed: {', '.join(bad)}" if bad else "all is well"
    lines.append(f"{len(done)} checks in {seconds:.0f} s, {verdict}")
    lines.append(f"{sum(one.passed for one in done)} passed, {sum(one.failed for one in done)} failed")
    return "\n".join(lines)


def _checked(name: str, command: Sequence[str], environment: dict[str, str], words: IO[str] | None = None) -> Done:
    status, seconds = _timed(name, command, environment, words)
    return Done(name, FAILED if status else OK, seconds)


def _tested(
    name: str, more: Sequence[str], environment: dict[str, str], report: Path, words: IO[str] | None = None
) -> Done:
    command = (*PYTEST, *more, f"--junitxml={report}")
    status, seconds = _timed(name, command, environment, words)
    if not report.is_file():
        return Done(name, FAILED, seconds, note="pytest ended without a report")
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    tests, skipped = (sum(int(suite.get(key, 0)) for suite in suites) for key in ("tests", "skipped"))
    failed = sum(int(suite.get(key, 0)) for suite in suites for key in ("failures", "errors"))
    note = f"{tests - failed - skipped} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")
    return Done(name, FAILED if status else OK, seconds, tests - failed - skipped, failed, note)


def _timed(name: str, command: Sequence[str], environment: dict[str, str], words: IO[str] | None) -> tuple[int, float]:
    """Runs a command of Python; its exit status and seconds. `words`: where it speaks, None: here and now."""
    if words is None:
        print(f"\n== {name}", flush=True)
    started = time.monotonic()
    told = subprocess.STDOUT if words is not None else None
    ran = subprocess.run(
        [PYTHON, *command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=words, stderr=told, check=False
    )
    return ran.returncode, time.monotonic() - started


def _counts_as_failed(one: Done, must_run_all: bool) -> bool:
    return one.result == FAILED or (one.result == SKIPPED and must_run_all)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
