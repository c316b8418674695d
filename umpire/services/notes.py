"""An umpire's private notes about members of a campaign.

Only their author reads them: not the members, no host, no other umpire.
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
    """A note as its author reads it."""

    text: str
    written_at: datetime


def notes_of(viewer: Viewer) -> dict[str, Note]:
    """Return the viewer's notes by user name. Raises NotFound if they are not an umpire."""
    rows = UmpireNote.objects.filter(
        campaign=viewer.campaign, author_id=require(viewer, umpire=True).user.pk
    )
    notes = rows.select_related("about").order_by("about__username")
    return {row.about.get_username(): Note(row.text, row.written_at) for row in notes}


def note_write(*, viewer: Viewer, about: str, text: str, now: datetime | None = None) -> None:
    """Save a note about another member, replacing any earlier one; an empty text deletes it.

    Raises:
        NotFound: The viewer is not an umpire, or there is no such other member.
        RuleViolations: The text has faults.
    """
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
