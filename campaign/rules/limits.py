"""Limits on the size of one request, for pages and API alike, checked before any costly work.

`PLAYER` limits the JSON of the API and `DESIGNS` the texts of ship designs. Documents of a valid
war stay far below both.
"""

from __future__ import annotations

from engine.core.phrase import phrase
from engine.notation.documents import Limits

BODY = 1_000_000  # bytes of a request, including files
FORM = 200_000  # bytes of a form without files
LARGE = 20_000  # bytes from which a request counts as a heavy act (`campaign.services.heavy`)
FIELDS = 3000  # of a form
FIELD = 5000  # characters of a field that is not in TEXTS
# Bytes of all fields that are not in TEXTS, escaped as a page repeats them: &quot; counts six
VALUES = 100_000
TEXT = 500_000  # escaped bytes of a field in TEXTS
PLAYER = Limits(characters=BODY, depth=16, values=20_000)
DESIGNS = Limits(characters=150_000, depth=16, values=10_000)
TEXTS = {"text": DESIGNS.characters}  # fields that hold whole documents, with their characters
MAX_SYSTEMS = 1500  # entries of systems of all designs of one document together
SHEETS = 120  # record sheets of one PDF: about half a second of processor time


def size_words(size: int) -> str:
    """Return a size in bytes as "200 KB" or "1 MB", in powers of 1000."""
    if size >= 1_000_000:
        return phrase("{} MB", size // 1_000_000)
    return phrase("{} KB", size // 1_000)
