"""Static files gathered for the web server, anew only where one of them has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

LEFT_OUT = ["redoc", "rest_framework"]  # pages of the packages that the site does not show
STAMP = ".gathered"


def collect(root: Path) -> bool:
    """Gather the static files under `root`, with hashed names and compressed twins. Whether there was need to."""
    now, stamp = fingerprint(), root / STAMP
    if stamp.is_file() and stamp.read_text(encoding="ascii") == now:
        return False
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=True, ignore_patterns=LEFT_OUT)
    stamp.write_text(now, encoding="ascii")
    return True


def fingerprint() -> str:
    """A hash over every file's name, length and time of change."""
    found = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(LEFT_OUT):
            state = Path(storage.path(name)).stat()
            found.update(f"{name}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return found.hexdigest()
