"""How much one request may bring, for pages and API alike.

Judged before anything costly is done with it.

`PLAYER` bounds the JSON of the API and `DESIGNS` the texts of ship designs: no document of a lawful
war comes near.
"""

from __future__ import annotations

from engine.core.phrase import phrase
from engine.notation.documents import Limits

BODY = 1_000_000  # bytes of a request, files included
FORM = 200_000  # bytes of a form without files
LARGE = 20_000  # bytes from which a request counts as a heavy act (`campaign.services.heavy`)
FIELDS = 3000  # of a form
FIELD = 5000  # characters of a field, but for those of TEXTS
# Bytes of all fields together but for those of TEXTS, as a page repeats them: &quot; has six
VALUES = 100_000
TEXT = 500_000  # the same of one of TEXTS
PLAYER = Limits(characters=BODY, depth=16, values=20_000)
DESIGNS = Limits(characters=150_000, depth=16, values=10_000)
TEXTS = {"text": DESIGNS.characters}  # fields that hold whole documents
MOST_SYSTEMS = 1500  # entries of systems of all designs of one document together
SHEETS = 120  # record sheets of one PDF: about half a second of processor time


def size_words(size: int) -> str:
    """A limit in bytes as people read it: "200 KB" or "1 MB", of a thousand each."""
    return (
        phrase("{} MB", size // 1_000_000) if size >= 1_000_000 else phrase("{} KB", size // 1_000)
    )
