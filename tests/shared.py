"""What a whole run makes once: a folder that all its workers share, and all runs of the gate.

TEST_SHARED in the environment says where it is; the first process of a run without it makes one,
for this run alone.
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
Built = TypeVar("Built")


def shared_folder() -> Path:
    return Path(os.environ[WHERE])


@contextmanager
def lock_folder(name: str) -> Iterator[Path]:
    """The folder, with nobody else at what has this name."""
    folder = shared_folder()
    with (folder / f"{name}.lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        yield folder


def build_shared(name: str, make: Callable[[], Built]) -> Built:
    """What `make` gives, made by whoever asks first and read by everybody else; it depends on the
    name alone.
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
