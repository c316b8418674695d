"""A user's design library: ship designs kept across campaigns.

Only the owner's rows are read. A design is stored as drawn, legal or not; a document that cannot be
parsed as a design is refused with all its faults.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.errors import NotFound
from campaign.models.design_library import LibraryDesign
from campaign.services.design_texts import designs_of
from campaign.services.outside_ids import free_ids
from campaign.store.documents import CLASS_SCHEMA
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.notation.designs import design_json, parse_design
from engine.notation.reading import DocumentPart, RejectedPart, make_parts

MAX_STORED = 200  # designs of one user
LONGEST_NOTES = 4000  # characters


def library_of(user: AbstractBaseUser) -> list[LibraryDesign]:
    """Return a user's designs, by edition and name."""
    return list(LibraryDesign.objects.filter(user_id=user.pk).order_by("edition", "name", "pk"))


def library_design_of(user: AbstractBaseUser, public_id: str | uuid.UUID) -> LibraryDesign:
    """Return one of a user's designs. Raises NotFound, also for designs of other users."""
    try:
        design_id = uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotFound(phrase("there is no such design")) from error
    row = LibraryDesign.objects.filter(user_id=user.pk, public_id=design_id).first()
    if row is None:
        raise NotFound(phrase("there is no such design"))
    return row


@transaction.atomic
def library_design_save(
    *,
    user: AbstractBaseUser,
    document: object,
    notes: str = "",
    public_id: str | uuid.UUID | None = None,
) -> LibraryDesign:
    """Save a design, replacing the one with this id if given. Raises RuleViolations, NotFound."""
    instead = None if public_id is None else library_design_of(user, public_id)
    return _store_all(user, [DocumentPart("", "", document)], notes, instead)[0][0]


@transaction.atomic
def library_import(
    *, user: AbstractBaseUser, text: str, source: str, partial: bool = False
) -> tuple[tuple[LibraryDesign, ...], tuple[RejectedPart, ...]]:
    """Save the designs of a text.

    Args:
        partial: Save those that can be parsed and return the others; otherwise save all or none.

    Raises:
        RuleViolations: All faults of all designs.
    """
    return _store_all(user, designs_of(text, source), partial=partial)


@transaction.atomic
def library_design_delete(*, user: AbstractBaseUser, public_id: str) -> str:
    """Delete a design and return its name. Raises NotFound."""
    row = library_design_of(user, public_id)
    row.delete()
    return row.name


def _store_all(
    user: AbstractBaseUser,
    entries: Sequence[DocumentPart],
    notes: str = "",
    instead: LibraryDesign | None = None,
    *,
    partial: bool = False,
) -> tuple[tuple[LibraryDesign, ...], tuple[RejectedPart, ...]]:
    words = phrase("notes can have at most {} characters", LONGEST_NOTES)
    faults = [Violation("notes", "too-long", words)] if len(notes) > LONGEST_NOTES else []
    try:
        designs, left_out = make_parts(entries, _readable, partial=partial)
    except RuleViolations as refused:
        raise RuleViolations((*refused.violations, *faults)) from refused
    if faults:
        raise RuleViolations(faults)
    get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one save at a time
    if (
        instead is None
        and LibraryDesign.objects.filter(user_id=user.pk).count() + len(designs) > MAX_STORED
    ):
        raise RuleViolations(
            [
                Violation(
                    "",
                    "library-full",
                    phrase("a design library holds at most {} designs", MAX_STORED),
                )
            ]
        )
    free = free_ids("library-design", user, MAX_STORED, LibraryDesign.objects.all())
    rows = (instead or LibraryDesign(user_id=user.pk, public_id=next(free)) for _ in designs)
    return tuple(
        _save(design, notes, row) for design, row in zip(designs, rows, strict=True)
    ), left_out


def _readable(document: object) -> dict[str, Any]:
    """Return the design as stored. Raises RuleViolations if the document is not a design."""
    return design_json(parse_design(document))


def _save(design: dict[str, Any], notes: str, row: LibraryDesign) -> LibraryDesign:
    row.name = design["class"]
    row.edition = design["edition"]
    row.schema = CLASS_SCHEMA
    row.design = design
    row.notes = notes
    row.changed_at = timezone.now()
    row.save()
    return row
