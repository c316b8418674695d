"""The offline page that checks an archive: one file with the verifier and perhaps the archive."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

FOLDER = Path(__file__).parent / "page"
ARCHIVE_PLACE = '<script id="archive" type="text/plain"></script>'
SCRIPT_PLACE = '<script type="module"></script>'
IMPORT = 'import { verifyArchive } from "./verifier.js";\n'


def html_page(archive: bytes | None = None) -> str:
    """Return the page as one HTML document that needs no other file.

    Args:
        archive: The bytes of an archive, gzipped or not, for the page to check at once; None for a
            page with nothing but a field for a file.
    """
    verifier = (FOLDER / "verifier.js").read_text(encoding="utf-8")
    page = (FOLDER / "page.js").read_text(encoding="utf-8")
    script = verifier.replace("\nexport ", "\n") + "\n" + page.replace(IMPORT, "")
    html = (FOLDER / "page.html").read_text(encoding="utf-8")
    if archive is not None:
        packed = archive if archive.startswith(b"\x1f\x8b") else gzip.compress(archive, mtime=0)
        encoded = base64.b64encode(packed).decode()
        html = html.replace(ARCHIVE_PLACE, ARCHIVE_PLACE.replace("><", f">{encoded}<"))
    return html.replace(SCRIPT_PLACE, SCRIPT_PLACE.replace("><", f">\n{script}<"))
