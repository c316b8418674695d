"""An umpire's notes about the people of his campaign.

He alone reads them: not they, no host, no other umpire.

    notes_of(viewer) -> {name: Note}        his own
    note_write(viewer, about, text)         keeps it instead of the one there was; an empty text takes it away

Both raise NotThere for other than umpires; writing about who is not in the campaign, or himself,
too.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import NotFound
from campaign.models.campaign import Membership
from campaign.models.umpire_note import UmpireNote
from campaign.rules.plain_text import text_faults, tidy_text
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase

LONGEST_NOTE = 2000  # characters


@dataclass(frozen=True, slots=True)
class Note:
    """A note as its umpire reads it."""

    text: str
    written_at: datetime


def notes_of(viewer: Viewer) -> dict[str, Note]:
    """The viewer's notes by the names of those whom they are about."""
    rows = UmpireNote.objects.filter(
        campaign=viewer.campaign, author_id=require(viewer, umpire=True).user.pk
    )
    notes = rows.select_related("about").order_by("about__username")
    return {row.about.get_username(): Note(row.text, row.written_at) for row in notes}


def note_write(*, viewer: Viewer, about: str, text: str, now: datetime | None = None) -> None:
    """Keep a note about a member, by his name. Raises RuleViolations."""
    author = require(viewer, umpire=True).user.pk
    members = Membership.objects.filter(campaign=viewer.campaign, user__username=about).exclude(
        user_id=author
    )
    person = members.values_list("user_id", flat=True).first()
    if person is None:
        raise NotFound(phrase("there is no such player"))
    tidy = tidy_text(text)
    if faults := text_faults(tidy, LONGEST_NOTE, phrase("a note")):
        raise RuleViolations(faults)
    place = {"campaign": viewer.campaign, "author_id": author, "about_id": person}
    if not tidy:
        UmpireNote.objects.filter(**place).delete()
        return
    UmpireNote.objects.update_or_create(
        **place, defaults={"text": tidy, "written_at": now or timezone.now()}
    )
