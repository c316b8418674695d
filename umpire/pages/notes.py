"""The umpire's private notes about the people of a campaign, one form per person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaign.access import Viewer
from campaign.models.campaign import Membership
from campaign.selectors.clock import members_of
from engine.core.errors import RuleViolations
from engine.core.phrase import join_phrases, phrase
from umpire.pages.frame import ASK_METHODS, page, show
from umpire.services.notes import LONGEST_NOTE, Note, note_write, notes_of

UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A person of the campaign."""

    name: str
    parts: str  # their roles in words
    note: Note | None  # None if there is none


@page(umpire=True, methods=ASK_METHODS)
def notes(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the notes; a POST of `about` and `text` saves one."""
    if request.method != "POST":
        return _render(request, viewer)
    about = request.POST.get("about", "")
    try:
        note_write(viewer=viewer, about=about, text=request.POST.get("text", ""))
    except RuleViolations as error:
        return _render(request, viewer, error)
    messages.success(request, phrase("Note about {} saved.", about))
    return redirect("umpire-notes", c=viewer.campaign.public_id)


def rows_of(
    members: Sequence[Membership], note_of: Mapping[str, Note], reader: int
) -> list[NoteRow]:
    """Return a row for each person except the reader, with all their roles."""
    parts: dict[str, list[str]] = {}
    for member in members:
        if member.user_id != reader:
            if member.faction:
                words = phrase("{}, {}", phrase(member.role), member.faction.name)
            else:
                words = phrase(member.role)
            parts.setdefault(member.user.get_username(), []).append(words)
    rows = []
    for name, roles in parts.items():
        rows.append(NoteRow(name, join_phrases("; ", roles), note_of.get(name)))
    return rows


def _render(
    request: HttpRequest, viewer: Viewer, error: RuleViolations | None = None
) -> HttpResponse:
    """Render the notes, with the faults of one that was refused."""
    rows = rows_of(members_of(campaign=viewer.campaign), notes_of(viewer), viewer.user.pk)
    answer = show(
        request,
        viewer,
        "notes",
        "notes",
        rows=rows,
        longest=LONGEST_NOTE,
        faults=error.limited_violations if error else (),
        form_data={"about": request.POST.get("about", ""), "text": request.POST.get("text", "")},
    )
    answer.status_code = UNPROCESSABLE if error else 200
    return answer
