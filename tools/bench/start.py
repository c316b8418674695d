"""Measure the processor time of bin/serve from its start to its end, with one page in between.

The first start creates the database and collects the static files; later starts find them. The CPU
time of all its processes is counted, so other load on the machine matters little.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FURTHER = 3
STARTED = "Press Ctrl-C"


def main() -> int:
    """Print the figures only, not the server's output; return non-zero if it did not start."""
    with tempfile.TemporaryDirectory(prefix="bj-bench-") as folder:
        var = Path(folder) / "var"
        print(f"first start    {seconds(var):5.2f} s of CPU")
        for _ in range(FURTHER):
            print(f"further start  {seconds(var):5.2f} s of CPU", flush=True)
    return 0


def seconds(var: Path) -> float:
    """Start the server, request a page, stop it; return the CPU time of it and its children.

    Raises:
        RuntimeError: It did not start.
    """
    before = child_cpu_seconds()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    serving = subprocess.Popen(
        [sys.executable, "-m", "config.serve", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "BLINDJUMP_VAR": str(var), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        if serving.stdout is None or not any(STARTED in line for line in serving.stdout):
            raise RuntimeError("bin/serve does not start")
        with urllib.request.urlopen(
            f"http://127.0.0.1:{port}/accounts/login/", timeout=60
        ) as answer:
            answer.read()
    finally:
        serving.send_signal(signal.SIGTERM)
        serving.wait()
    return child_cpu_seconds() - before


def child_cpu_seconds() -> float:
    """Return the CPU seconds of all ended child processes, with theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
