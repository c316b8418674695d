"""Static files gathered for the web server, anew only where one of them has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import brotli
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.apps import CollectedFiles

STAMP = ".gathered"
# Bytes from which on Brotli takes seconds for its best; none that pages of the game bring is as
# large
LARGE = 100_000
QUICK, BEST = 5, 11  # qualities of Brotli


class Twins(Compressor):  # type: ignore[misc]
    """Compresses files by gzip and by Brotli, which makes them an eighth smaller where it may take
    its time.
    """

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        compressed: bytes = brotli.compress(data, quality=QUICK if len(data) >= LARGE else BEST)
        return compressed


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files under names with their hashes, and compressed twins.

    A module that imports another one names it by its hash too: under two addresses a browser would
    fetch and run it twice.
    """

    support_js_module_import_aggregation = True

    def create_compressor(self, **options: Any) -> Compressor:
        return Twins(**options)


def collect(root: Path) -> bool:
    """Gather the static files under `root`, with hashed names and compressed twins.

    Whether there was need to.
    """
    now, stamp = fingerprint(), root / STAMP
    if stamp.is_file() and stamp.read_text(encoding="ascii") == now:
        return False
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(now, encoding="ascii")
    return True


def fingerprint() -> str:
    """A hash over how files are stored, and every file's name, length and time of change."""
    found = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list(CollectedFiles.ignore_patterns):
            state = Path(storage.path(name)).stat()
            found.update(f"{name}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return found.hexdigest()
