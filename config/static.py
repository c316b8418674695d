"""Collect static files for the web server, only if one of them has changed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import brotli
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.apps import CollectedFiles
from config.static_addresses import KeepsAddresses

STAMP = ".gathered"
# Size in bytes from which Brotli's best quality takes seconds. No file that game pages load is as
# large.
LARGE_BYTES = 100_000
FAST_QUALITY, BEST_QUALITY = 5, 11  # Brotli qualities
OWN_SCRIPTS = "js/"
# Script comments on lines of their own. Prettier puts nothing else on such a line, and no string in
# a script has a line that starts like this.
COMMENTS = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)


class TwinCompressor(Compressor):  # type: ignore[misc]
    """Compresses files with gzip and Brotli. Brotli's best quality makes them an eighth smaller."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        compressed: bytes = brotli.compress(
            data, quality=FAST_QUALITY if len(data) >= LARGE_BYTES else BEST_QUALITY
        )
        return compressed


class HashedFiles(KeepsAddresses, CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Static files with hashed names and compressed copies.

    Modules import each other by hashed names too: a browser would otherwise fetch and run a module
    twice, under two addresses. Packages' scripts import nothing. They are large, and Django would
    search them five times: this took a third of the time in which a site collects its files.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = (
        f"{OWN_SCRIPTS}*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )
    patterns = tuple(
        row for row in CompressedManifestStaticFilesStorage.patterns if row[0] != "*.js"
    )

    def post_process(
        self, paths: Mapping[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Remove comments, which are a fifth of what a browser would load, then hash the names."""
        scripts = [name for name in paths if name.startswith(OWN_SCRIPTS) and not dry_run]
        for name in scripts:
            collected = Path(self.path(name))
            text = collected.read_text(encoding="utf-8")
            collected.write_text(COMMENTS.sub("", text), encoding="utf-8")
        stripped = {name: (self, name) for name in scripts}
        return super().post_process({**paths, **stripped}, dry_run, **options)  # type: ignore[no-any-return]

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress the files with hashed names; no page loads the others."""
        return super().compress_files(set(paths) & set(self.hashed_files.values()))  # type: ignore[no-any-return]

    def create_compressor(self, **options: Any) -> Compressor:
        return TwinCompressor(**options)


def collect(root: Path) -> bool:
    """Collect the static files under `root` if needed; return whether it was needed."""
    now, stamp = fingerprint(), root / STAMP
    if stamp.is_file() and stamp.read_text(encoding="ascii") == now:
        return False
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(now, encoding="ascii")
    return True


def fingerprint() -> str:
    """Return a hash of the storage backend and of every file's name, size and modification time."""
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list(CollectedFiles.ignore_patterns):
            state = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
