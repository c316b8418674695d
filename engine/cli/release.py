"""The version of the program, which stands in pyproject.toml and nowhere else."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version_of(root: Path = ROOT) -> str:
    """Return the version of a checkout, for example `1.0.0`."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])
