"""The player's design library on the deployment page: one button makes a design a class.

A design is checked when it is taken, not when it is listed. Otherwise the page would check up to
two hundred designs to use one.
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
from campaign.words.design_faults import with_option_titles
from engine.core.errors import RuleViolations
from engine.core.phrase import join_phrases, phrase

# An action: with a design's id, it makes the design a class of the faction
LIBRARY_ACTION = "library"


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """A library design that the faction can take."""

    action: str  # form value of its button
    name: str


def library_rows(
    request: HttpRequest, campaign: Campaign, faction: Faction, edition: str
) -> list[LibraryRow]:
    """Return the reader's designs of the war's rulebook that the faction lacks or has changed."""
    library = [
        design for design in library_of(cast(Any, request.user)) if design.edition == edition
    ]
    if not library:
        return []
    own_designs = {draft.name: draft.design for draft in design_drafts_of(campaign, faction)}
    rows = []
    for design in library:
        if own_designs.get(design.name) != design.design:
            rows.append(LibraryRow(f"{LIBRARY_ACTION} {design.public_id}", design.name))
    return rows


def add_from_library(
    request: HttpRequest, campaign: Campaign, faction: Faction, public_id: str
) -> None:
    """Make a library design a class of the faction, or report why it cannot be built."""
    try:
        design = library_design_of(cast(Any, request.user), public_id)
    except NotFound as error:
        raise Http404 from error
    try:
        class_save(campaign=campaign, faction=faction, document=design.design)
    except RuleViolations as refused:
        reasons = join_phrases(
            "; ", (with_option_titles(violation.message) for violation in refused.violations)
        )
        messages.error(request, phrase("{} cannot be built in this war: {}.", design.name, reasons))
    else:
        messages.success(
            request, phrase("{} is now one of your classes: add its ships to a fleet.", design.name)
        )
