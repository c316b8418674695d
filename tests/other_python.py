"""Another supported Python for the gate's core tests, in an environment of its own.

It is found on this machine, never fetched: on the PATH, among those of uv or those of pyenv. Its
environment is kept in .venv-3.N and made anew when the lock file changes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import IO

from tools import make_environment

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = "Programming Language :: Python :: "


class NoOtherPython(Exception):
    """No other supported Python is on this machine; the text says so."""


def supported_versions() -> list[str]:
    """Return the supported versions, such as "3.12", from the oldest to the newest."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [line.removeprefix(LANGUAGE) for line in project["classifiers"]]


def by_distance(version: str, versions: list[str]) -> list[str]:
    """Return the other versions, the farthest from this one first."""
    own = versions.index(version)
    others = [item for item in versions if item != version]
    return sorted(others, key=lambda item: abs(versions.index(item) - own), reverse=True)


def find_other_python() -> tuple[str, Path]:
    """Return the version and the path of the supported Python farthest from this one.

    Raises:
        NoOtherPython: There is none, or no uv to look for it.
    """
    uv = uv_path()
    versions = supported_versions()
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [os.environ.get("PATH", os.defpath), *map(str, pyenv.glob("versions/*/bin"))]
    environment = {**os.environ, "PATH": os.pathsep.join(folders)}
    options = ["--no-config", "--no-project", "--system", "--no-python-downloads"]
    for version in by_distance(f"3.{sys.version_info.minor}", versions):
        process = subprocess.run(
            [uv, "python", "find", *options, version],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode == 0:
            return version, Path(process.stdout.strip())
    raise NoOtherPython(f"no other Python from {versions[0]} to {versions[-1]} is on this machine")


def make_other_environment(version: str, python: Path, words: IO[str]) -> Path | None:
    """Make the environment of another Python, unless it is up to date.

    Args:
        words: A file for what uv says.

    Returns:
        The path of its Python, or None if the requirements could not be installed.
    """
    folder = ROOT / f".venv-{version}"
    lock = make_environment.lock_file("dev")
    stamp = folder / "installed-dev.txt"
    other = folder / "bin" / "python"
    if make_environment.is_same(lock, stamp) and os.access(other, os.X_OK):
        return other
    uv = uv_path()
    environment = {**os.environ, **(make_environment.uv_settings() or {})}
    install = ["pip", "install", "--python", str(other), *make_environment.CHECKED, "-r", str(lock)]
    for command in (["venv", "--clear", "--python", str(python), str(folder)], install):
        process = subprocess.run(
            [uv, *command, "--quiet", "--no-config"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if process.returncode:
            return None
    shutil.copyfile(lock, stamp)
    return other


def uv_path() -> str:
    """Return the path of uv, which bin/setup puts beside this Python.

    Raises:
        NoOtherPython: It is not there: pip made this environment.
    """
    uv = Path(sys.executable).with_name("uv")
    if not uv.exists():
        raise NoOtherPython("there is no uv to look for another Python")
    return str(uv)
