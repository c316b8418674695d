"""An umpire's private pencil marks on the true map. Only their author reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaign.access import Viewer, require
from campaign.models.umpire_note import PencilMark
from campaign.rules.plain_text import text_faults, tidy_text
from campaign.rules.starmap import star_map
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

LONGEST_MARK = 400  # characters


@dataclass(frozen=True, slots=True)
class Pencilled:
    """A mark as its author reads it."""

    hex: str
    text: str
    written_at: datetime


def pencil_marks_of(viewer: Viewer) -> list[Pencilled]:
    """Return the viewer's marks by hex. Raises NotFound if they are not an umpire."""
    author = require(viewer, umpire=True).user.pk
    rows = PencilMark.objects.filter(campaign=viewer.campaign, author_id=author).order_by("hex")
    return [Pencilled(row.hex, row.text, row.written_at) for row in rows]


def pencil_mark_write(*, viewer: Viewer, hex: str, text: str, now: datetime | None = None) -> None:
    """Save a mark in a hex, replacing any earlier one; an empty text deletes it.

    Raises:
        NotFound: The viewer is not an umpire.
        RuleViolations: The hex or the text has faults.
    """
    author = require(viewer, umpire=True).user.pk
    tidy = tidy_text(text)
    faults = text_faults(tidy, LONGEST_MARK, phrase("a mark"))
    if not star_map(scenario_of(viewer.campaign)).has(hex):
        faults.append(Violation("hex", "unknown-hex", phrase("must be a hex of the map")))
    if faults:
        raise RuleViolations(faults)
    place = {"campaign": viewer.campaign, "author_id": author, "hex": hex}
    if not tidy:
        PencilMark.objects.filter(**place).delete()
        return
    PencilMark.objects.update_or_create(
        **place, defaults={"text": tidy, "written_at": now or timezone.now()}
    )
