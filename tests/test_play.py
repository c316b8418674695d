"""bin/play for a newcomer: a new process, a new database, the printed story."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from pytest_django import DjangoDbBlocker

from tests.commands_here import manage_here

ROOT = Path(__file__).resolve().parent.parent
SHORTEST = "first-steps"


def heard() -> None:
    """Accept Ctrl-C, also where a shell runs the tests in the background and ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments: str, url: str, var: Path, **environment: str) -> subprocess.Popen[str]:
    """Start what bin/play starts after the set-up."""
    return subprocess.Popen(
        [sys.executable, "-m", "config.start", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url, "BLINDJUMP_VAR": str(var), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heard,  # noqa: PLW1509 the tests have one thread
    )


def test_same_seed_gives_the_same_war_in_two_processes(sqlite_url: str, tmp_path: Path) -> None:
    both = [
        start(SHORTEST, "--seed", "7", url=sqlite_url, var=tmp_path, PYTHONHASHSEED=str(n))
        for n in (1, 2)
    ]
    outputs = [war.communicate() for war in both]
    assert [war.returncode for war in both] == [0, 0], outputs
    assert outputs[0] == outputs[1]
    story, noise = outputs[0]
    assert noise == ""
    assert [line for line in story.splitlines() if line.startswith("Week")] == [
        "Week 1",
        "Week 2",
        "Week 3",
    ]
    assert "\nResult: " in story


def test_unknown_scenario_lists_the_known_ones(
    migrated_url: str, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    war = manage_here("play", "nowhere", url=migrated_url, var=tmp_path, blocker=django_db_blocker)
    assert (war.returncode, war.stdout) == (2, "")
    offered = sorted(path.stem for path in (ROOT / "fixtures" / "scenarios").glob("*.yaml"))
    assert SHORTEST in offered
    assert f"there is no scenario 'nowhere'; choose from {', '.join(offered)}" in war.stderr


def test_interrupted_war_shows_no_traceback(migrated_url: str, tmp_path: Path) -> None:
    war = start("lafayette", "--seed", "7", url=migrated_url, var=tmp_path)
    assert war.stdout is not None
    assert "seed 7" in war.stdout.readline()
    war.send_signal(signal.SIGINT)
    _, errors = war.communicate()
    assert (war.returncode, errors.strip()) == (130, "Interrupted.")


LOST_INTERRUPT = """
import signal, sys, threading, weakref
from config.start import repeat_ignored_interrupt
sys.unraisablehook = repeat_ignored_interrupt
thing = set()
reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
try:
    del thing
    threading.Event().wait(60)
except KeyboardInterrupt:
    print("interrupted", reference())
"""


def test_interrupt_inside_a_callback_is_not_lost() -> None:
    program = subprocess.run(
        [sys.executable, "-c", LOST_INTERRUPT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=heard,
    )
    assert (program.stdout, program.stderr) == ("interrupted None\n", "")
