"""The log of bin/serve: one file that is put aside when it is long, with a few older ones beside
it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import IO

LARGEST_LOG = 5_000_000  # bytes
MAX_OLD_LOGS = 5  # files that are kept beside it: `serve.log.1` is the newest


def open_log(path: Path) -> IO[bytes]:
    """Open the log for appending, readable by its owner only; a long one is put aside first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    log = open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab", buffering=0)  # noqa: SIM115
    log_rotate(path)
    return log


def log_rotate(path: Path, largest: int = LARGEST_LOG) -> bool:
    """Put a long log aside; whether it was long.

    All processes go on writing to the same file, so it is copied and emptied, not renamed. What is
    written between the two is lost: a line at most. Raises OSError where the disk is full, and the
    log goes on as it is.
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
