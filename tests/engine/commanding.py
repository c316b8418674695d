"""The engine's command line: called in this process, and started as a program."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

from engine.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
Ended = subprocess.CompletedProcess[bytes]


def run_program(*words: str, stdin_bytes: bytes = b"", hash_seed: str = "0") -> Ended:
    """Run the program in its own process."""
    return subprocess.run(
        [sys.executable, "-m", "engine", *words],
        input=stdin_bytes, capture_output=True, cwd=ROOT, check=False,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )  # fmt: skip


def run_in_process(*words: str, stdin_bytes: bytes = b"") -> Ended:
    """Run it without a start, which takes 0.25 s; `test_design_command` shows that both answer
    alike.
    """
    stdin, stdout, stderr = (
        io.TextIOWrapper(io.BytesIO(content), "utf-8") for content in (stdin_bytes, b"", b"")
    )
    with mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr):
        status = main(words)
        stdout.flush()
        stderr.flush()
    outputs = [stream.buffer.getvalue() for stream in (stdout, stderr)]
    return subprocess.CompletedProcess(words, status, *outputs)
