"""A player's own shelf beside his deployment: a design of it becomes a class of his faction by one
button.

What lies there is judged when it is taken, as everywhere: a page would judge two hundred designs
for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest

from campaign.errors import NotFound
from campaign.models.campaign import Campaign, Faction
from campaign.services.design_drafts import class_save, design_drafts_of
from campaign.services.design_library import library_design_of, library_of
from engine.core.errors import RuleViolations
from engine.core.phrase import join_phrases, phrase

LIBRARY_ACTION = "shelf"  # an action: with a design's id, it becomes a class of the faction


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """A design that can be taken. `act`: what its button says to the server."""

    action: str
    name: str


def library_rows(
    request: HttpRequest, campaign: Campaign, faction: Faction, edition: str
) -> list[LibraryRow]:
    """The reader's designs of the war's rulebook that are not among his faction's classes as they
    are.
    """
    rows = [row for row in library_of(cast(Any, request.user)) if row.edition == edition]
    if not rows:
        return []
    designs_by_name = {row.name: row.design for row in design_drafts_of(campaign, faction)}
    return [
        LibraryRow(f"{LIBRARY_ACTION} {row.public_id}", row.name)
        for row in rows
        if designs_by_name.get(row.name) != row.design
    ]


def add_from_library(
    request: HttpRequest, campaign: Campaign, faction: Faction, public_id: str
) -> None:
    """Make a design of the reader's shelf a class of his faction, and tell him; or why it cannot be
    built.
    """
    try:
        design = library_design_of(cast(Any, request.user), public_id)
    except NotFound as error:
        raise Http404 from error
    try:
        class_save(campaign=campaign, faction=faction, document=design.design)
    except RuleViolations as refused:
        reasons = join_phrases("; ", (violation.message for violation in refused.violations))
        messages.error(request, phrase("{} cannot be built in this war: {}.", design.name, reasons))
    else:
        messages.success(
            request, phrase("{} is among your classes now: buy its ships in a fleet.", design.name)
        )
