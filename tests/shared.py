"""What a whole run creates once: a folder for all its workers, and for all runs of the gate.

The environment variable TEST_SHARED names it; without it the first process of a run creates one for
this run.
"""

from __future__ import annotations

import fcntl
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

WHERE = "TEST_SHARED"
MIGRATED = "migrated.sqlite3"  # a database with every table, which any Python may copy
Built = TypeVar("Built")


def shared_folder() -> Path:
    return Path(os.environ[WHERE])


@contextmanager
def lock_folder(name: str) -> Iterator[Path]:
    """Yield the folder while nobody else works on this name."""
    folder = shared_folder()
    with (folder / f"{name}.lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        yield folder


def build_shared(name: str, make: Callable[[], Built]) -> Built:
    """Return the result of `make`, created once and read by everybody; it depends on the name
    alone.
    """
    file = shared_folder() / f"{name}.pickle"
    if not file.exists():
        with lock_folder(name):
            if not file.exists():
                draft = file.with_suffix(".draft")
                draft.write_bytes(pickle.dumps(make(), pickle.HIGHEST_PROTOCOL))
                draft.rename(file)
    value: Built = pickle.loads(file.read_bytes())
    return value
