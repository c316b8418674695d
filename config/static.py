"""Static files gathered for the web server, anew only where one of them has changed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
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
LARGE_BYTES = 100_000
FAST_QUALITY, BEST_QUALITY = 5, 11  # qualities of Brotli
OWN_SCRIPTS = "js/"
# Comments of a script that have their lines to themselves. Prettier puts nothing else into such a
# line, and no text of a script begins one like this.
COMMENTS = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)


class TwinCompressor(Compressor):  # type: ignore[misc]
    """Compresses files by gzip and by Brotli, which makes them an eighth smaller where it may take
    its time.
    """

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        compressed: bytes = brotli.compress(
            data, quality=FAST_QUALITY if len(data) >= LARGE_BYTES else BEST_QUALITY
        )
        return compressed


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files under names with their hashes, and compressed twins.

    A module that imports another one names it by its hash too: under two addresses a browser would
    fetch and run it twice.
    """

    support_js_module_import_aggregation = True

    def post_process(
        self, paths: Mapping[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Leave out comments, which are a fifth of what a browser would load, then hash names."""
        scripts = [name for name in paths if name.startswith(OWN_SCRIPTS) and not dry_run]
        for name in scripts:
            collected = Path(self.path(name))
            text = collected.read_text(encoding="utf-8")
            collected.write_text(COMMENTS.sub("", text), encoding="utf-8")
        stripped = {name: (self, name) for name in scripts}
        return super().post_process({**paths, **stripped}, dry_run, **options)  # type: ignore[no-any-return]

    def create_compressor(self, **options: Any) -> Compressor:
        return TwinCompressor(**options)


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
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list(CollectedFiles.ignore_patterns):
            state = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
