"""Run benchmarks one after another, each in its own process: `python -m tools.bench [NAME ...]`.

The first lines name the machine and the commit; copy them into tools/bench/results.md with the
figures.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BENCHES = (
    "engine",
    "compiled",
    "continuum",
    "systems",
    "mirrored",
    "week",
    "store",
    "proofs",
    "web",
    "limits",
    "start",
    "admirals",
    "league",
    "load",
)


def main(names: list[str]) -> int:
    """Return the number of benchmarks that failed; run nothing if a name is unknown."""
    existing = [name for name in BENCHES if (HERE / f"{name}.py").exists()]
    if unknown := [name for name in names if name not in existing]:
        print(
            f"no benchmark {', '.join(unknown)}; there are {', '.join(existing)}", file=sys.stderr
        )
        return 2
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    machine = f"{os.cpu_count()} cores, {platform.machine()}, {platform.python_implementation()}"
    print(f"commit {commit}; {machine} {platform.python_version()}; load {os.getloadavg()[0]:.1f}")
    failed = 0
    for name in names or existing:
        print(f"\n-- python -m tools.bench.{name}", flush=True)
        failed += (
            subprocess.run(
                [sys.executable, "-m", f"tools.bench.{name}"], cwd=HERE.parent.parent, check=False
            ).returncode
            != 0
        )
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
