"""The log of bin/serve: one file, rotated when it is large, with a few older ones kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import IO

LARGEST_LOG = 5_000_000  # bytes
MAX_OLD_LOGS = 5  # older files kept; `serve.log.1` is the newest


def open_log(path: Path) -> IO[bytes]:
    """Open the log for appending, readable by its owner only; rotate it first if it is large."""
    path.parent.mkdir(parents=True, exist_ok=True)
    log = open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab", buffering=0)  # noqa: SIM115
    log_rotate(path)
    return log


def log_rotate(path: Path, largest: int = LARGEST_LOG) -> bool:
    """Rotate the log if it is large; return whether it was.

    All processes keep writing to the same file, so it is copied and truncated, not renamed. At most
    a line written between the two steps is lost.

    Raises:
        OSError: The disk is full; the log continues unchanged.
    """
    if path.stat().st_size <= largest:
        return False
    for number in range(MAX_OLD_LOGS, 1, -1):
        before = _older(path, number - 1)
        if before.exists():
            before.replace(_older(path, number))
    copy = _older(path, 1)
    shutil.copyfile(path, copy)
    copy.chmod(0o600)
    os.truncate(path, 0)
    return True


def _older(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")
