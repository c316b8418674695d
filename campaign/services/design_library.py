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
from campaign.services.outside_ids import unused_ids
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
    replaced = None if public_id is None else library_design_of(user, public_id)
    part = DocumentPart("", "", document)
    (design,), _ = _store_all(user, [part], notes=notes, replaced=replaced)
    return design


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
    parts: Sequence[DocumentPart],
    *,
    notes: str = "",
    replaced: LibraryDesign | None = None,
    partial: bool = False,
) -> tuple[tuple[LibraryDesign, ...], tuple[RejectedPart, ...]]:
    """Save the designs of a document's parts; return their rows, and the parts without a design.

    Args:
        notes: The user's notes on each of them.
        replaced: The row to overwrite, if there is only one part.
        partial: Save those that can be parsed and return the others; otherwise save all or none.

    Raises:
        RuleViolations: The parts or notes have faults, or the library is full.
    """
    note_faults = _note_faults(notes)
    try:
        designs, rejected = make_parts(parts, _design_as_stored, partial=partial)
    except RuleViolations as error:
        raise RuleViolations((*error.violations, *note_faults)) from error
    if note_faults:
        raise RuleViolations(note_faults)
    get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one save at a time
    if replaced is None:
        _require_space(user, len(designs))
    ids = unused_ids("library-design", user, MAX_STORED, LibraryDesign.objects.all())
    rows = []
    for design in designs:
        row = replaced or LibraryDesign(user_id=user.pk, public_id=next(ids))
        rows.append(_save(row, design, notes))
    return tuple(rows), rejected


def _note_faults(notes: str) -> list[Violation]:
    """Return the faults of a user's notes on a design."""
    if len(notes) <= LONGEST_NOTES:
        return []
    words = phrase("notes can have at most {} characters", LONGEST_NOTES)
    return [Violation("notes", "too-long", words)]


def _require_space(user: AbstractBaseUser, count: int) -> None:
    """Raise RuleViolations if a user's library has no space for that many more designs."""
    if LibraryDesign.objects.filter(user_id=user.pk).count() + count > MAX_STORED:
        words = phrase("a design library holds at most {} designs", MAX_STORED)
        raise RuleViolations([Violation("", "library-full", words)])


def _design_as_stored(document: object) -> dict[str, Any]:
    """Return the design as stored. Raises RuleViolations if the document is not a design."""
    return design_json(parse_design(document))


def _save(row: LibraryDesign, design: dict[str, Any], notes: str) -> LibraryDesign:
    """Write a design to its row."""
    row.name = design["class"]
    row.edition = design["edition"]
    row.schema = CLASS_SCHEMA
    row.design = design
    row.notes = notes
    row.changed_at = timezone.now()
    row.save()
    return row
