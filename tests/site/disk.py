"""A small disk that can be filled, with room for one site.

With permission to mount it is a file system of its own, which is really full. Otherwise it is a
folder, and full means that no file of the site's processes may grow beyond a size.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SIZE = 32_000_000  # bytes
BLOCK = 4096


@dataclass(frozen=True)
class Disk:
    """A disk; `mounted`: it is a file system of its own."""

    folder: Path
    mounted: bool

    def free(self) -> int:
        """Return the bytes that ordinary users may still write."""
        stats = os.statvfs(self.folder)
        return stats.f_bavail * stats.f_frsize

    @contextmanager
    def fill(self, pids: Sequence[int], bytes_left: int = 0) -> Iterator[None]:
        """Leave only so many bytes while the block runs, at least for these processes."""
        with self._filled(bytes_left) if self.mounted else _limited(pids, bytes_left):
            yield

    @contextmanager
    def _filled(self, bytes_left: int) -> Iterator[None]:
        filler = self.folder / "filler"
        try:
            with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while (many := min(16 * BLOCK, self.free() - bytes_left)) >= BLOCK:
                    file.write(b"x" * (many - many % BLOCK))
            yield
        finally:
            filler.unlink()


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """Yield a small disk at an empty folder."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(folder)]
    mounted = (
        shutil.which("mount") is not None
        and subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode == 0
    )
    try:
        yield Disk(folder, mounted)
    finally:
        if mounted:  # out of the tree at once, and gone with the last process that uses it
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def _limited(pids: Sequence[int], most: int) -> Iterator[None]:
    """Let no file of these processes grow beyond a size while the block runs."""
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        for pid in pids:
            resource.prlimit(
                pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            )
