"""bin/serve: processor time of all its processes from its start until the site has answered and all
of them have ended.

The first start makes the database and collects the static files, every further one finds them. CPU
time of the whole family, so that what else the machine does matters little.
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
    """Nothing is printed of the server's own words.

    The exit status is not 0 where it did not start.
    """
    with tempfile.TemporaryDirectory(prefix="bj-bench-") as folder:
        var = Path(folder) / "var"
        print(f"first start    {seconds(var):5.2f} s of CPU")
        for _ in range(FURTHER):
            print(f"further start  {seconds(var):5.2f} s of CPU", flush=True)
    return 0


def seconds(var: Path) -> float:
    """Start it, ask for a page, end it; the CPU time of it and all its children.

    Raises RuntimeError.
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
    """CPU seconds of all children that have ended, and of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
