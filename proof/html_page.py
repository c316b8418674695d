"""The offline page that checks an archive: one file with the verifier and perhaps the archive."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent / "page"
ARCHIVE_PLACE = '<script id="archive" type="text/plain"></script>'
SCRIPT_PLACE = '<script type="module"></script>'
WORKER_PLACE = '<script id="worker" type="text/plain"></script>'
# Scripts in the order of what they import
WORKER = ("luck", "tables", "verifier", "partial", "witnesses", "worker")
PAGE = ("words", "faults", "page")
IMPORT = re.compile(r'^import [^;]*? from "\./\w+\.js";\n', re.MULTILINE)


def html_page(archive: bytes | None = None) -> str:
    """Return the page as one HTML document that needs no other file.

    Args:
        archive: The bytes of an archive, gzipped or not, for the page to check at once; None for a
            page with nothing but a field for a file.
    """
    html = (FOLDER / "page.html").read_text(encoding="utf-8")
    if archive is not None:
        packed = archive if archive.startswith(b"\x1f\x8b") else gzip.compress(archive, mtime=0)
        encoded = base64.b64encode(packed).decode()
        html = html.replace(ARCHIVE_PLACE, ARCHIVE_PLACE.replace("><", f">{encoded}<"))
    html = html.replace(WORKER_PLACE, WORKER_PLACE.replace("><", f">\n{_joined(WORKER)}<"))
    return html.replace(SCRIPT_PLACE, SCRIPT_PLACE.replace("><", f">\n{_joined(PAGE)}<"))


def _joined(names: Sequence[str]) -> str:
    """Return modules as one script without imports and exports."""
    scripts = []
    for name in names:
        script = (FOLDER / f"{name}.js").read_text(encoding="utf-8")
        scripts.append(IMPORT.sub("", script).replace("\nexport ", "\n"))
    return "\n".join(scripts)
