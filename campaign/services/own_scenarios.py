"""A user's own scenarios: create, save and delete them, and store them to open campaigns.

Only the owner's rows are read. A file is stored as it is, legal or not; one that does not have the
outline of a scenario is refused. The scenario of an opened campaign is stored like any other and
never changes, but it is offered only to its owner.
"""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import replace

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.errors import EditConflict, NotFound
from campaign.models.own_scenario import PrivateScenario, ScenarioDraft
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.rules.files import fixture_maps, fixture_text
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import Document, read_file
from campaign.services.outside_ids import unused_ids
from campaign.services.scenarios import scenario_import
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation
from engine.core.names import LONGEST_NAME
from engine.core.phrase import phrase

MAX_STORED = 50  # scenarios of one user
UNNAMED = "Unnamed"
NAME_LINE = re.compile(r"^name:.*$", re.MULTILINE)  # of the scenario itself, not of its parts
NO_SCENARIO = phrase("there is no such scenario")
LONGEST_EDITION = 20  # characters; the column holds no more
SLUG_LENGTH = 40  # characters of the scenario's own slug in its stored slug, before the draft's id


def scenario_drafts_of(user: AbstractBaseUser, *, texts: bool = False) -> list[ScenarioDraft]:
    """Return a user's scenarios by name; their texts are loaded only on request."""
    rows = ScenarioDraft.objects.filter(user_id=user.pk).order_by("name", "pk")
    if not texts:
        rows = rows.defer("text")
    return list(rows)


def scenario_draft_of(user: AbstractBaseUser, public_id: uuid.UUID | str) -> ScenarioDraft:
    """Return one of a user's scenarios. Raises NotFound, also for scenarios of other users."""
    try:
        draft_id = uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotFound(NO_SCENARIO) from error
    row = ScenarioDraft.objects.filter(user_id=user.pk, public_id=draft_id).first()
    if row is None:
        raise NotFound(NO_SCENARIO)
    return row


def scenario_draft_begin(*, user: AbstractBaseUser, slug: str) -> ScenarioDraft:
    """Copy a scenario that comes with the project, under a name of its own, for editing.

    Raises:
        RuleViolations: There is no such scenario, or the user has too many.
    """
    if slug not in fixture_maps():
        raise RuleViolations([Violation("scenario", "unknown-scenario", NO_SCENARIO)])
    text = fixture_text(slug)
    name = _copy_name(user, str(read_file(text)["name"]))
    # A function, because `re` would read a backslash in the name as its own.
    copied = NAME_LINE.sub(lambda _: f"name: {json.dumps(name, ensure_ascii=False)}", text, count=1)
    return scenario_draft_create(user=user, text=copied)


def _copy_name(user: AbstractBaseUser, name: str) -> str:
    """Return the name of a new copy, which none of the user's scenarios has."""
    used = set(ScenarioDraft.objects.filter(user_id=user.pk).values_list("name", flat=True))
    copy_name = f"{name} (copy)"
    number = 2
    while copy_name in used:
        copy_name = f"{name} (copy {number})"
        number += 1
    return copy_name


@transaction.atomic
def scenario_draft_create(*, user: AbstractBaseUser, text: str) -> ScenarioDraft:
    """Create a scenario from a text.

    Raises:
        RuleViolations: The text does not have the outline of a scenario, or the user has too many.
    """
    document = read_file(text)
    get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one save at a time
    if ScenarioDraft.objects.filter(user_id=user.pk).count() >= MAX_STORED:
        words = phrase("you can keep at most {} scenarios", MAX_STORED)
        raise RuleViolations([Violation("", "too-many", words)])
    ids = unused_ids("scenario", user, MAX_STORED, ScenarioDraft.objects.all())
    return _store(ScenarioDraft(user_id=user.pk, public_id=next(ids)), text, document)


@transaction.atomic
def scenario_draft_save(
    *, user: AbstractBaseUser, public_id: uuid.UUID, text: str, expected_tag: str | None = None
) -> ScenarioDraft:
    """Replace a scenario's text.

    Args:
        expected_tag: The tag that the stored scenario must still have.

    Raises:
        NotFound: The user has no such scenario.
        RuleViolations: The text does not have the outline of a scenario.
        EditConflict: The scenario was changed in the meantime.
    """
    document = read_file(text)
    get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one save at a time
    row = scenario_draft_of(user, public_id)
    if expected_tag not in (None, draft_tag(row)):
        raise EditConflict(phrase("the scenario was changed in the meantime; load it again"))
    return _store(row, text, document)


@transaction.atomic
def scenario_draft_delete(*, user: AbstractBaseUser, public_id: str) -> str:
    """Delete a scenario and return its name; campaigns opened from it stay. Raises NotFound."""
    row = scenario_draft_of(user, public_id)
    row.delete()
    return row.name


@transaction.atomic
def private_scenario_store(*, user: AbstractBaseUser, public_id: uuid.UUID | str) -> ScenarioRow:
    """Store a user's scenario for campaigns that only its owner can open.

    Raises:
        NotFound: The user has no such scenario.
        RuleViolations: The scenario has faults.
    """
    draft = scenario_draft_of(user, public_id)
    scenario, faults = check_draft(read_file(draft.text))
    if faults:
        raise RuleViolations(faults)
    slug = f"{scenario.slug[:SLUG_LENGTH]}-{draft.public_id.hex}"
    row = scenario_import(scenario=replace(scenario, slug=slug))
    PrivateScenario.objects.get_or_create(scenario=row, defaults={"user_id": user.pk})
    return row


def private_scenario_of(user: AbstractBaseUser, slug: str) -> ScenarioRow | None:
    """Return the newest stored version of a user's own scenario with this slug, or None."""
    return (
        ScenarioRow.objects.filter(private__user_id=user.pk, slug=slug).order_by("-version").first()
    )


def draft_tag(row: ScenarioDraft) -> str:
    """Return a tag that changes each time the scenario is saved."""
    return digest([row.text, row.changed_at.isoformat()])


def _store(row: ScenarioDraft, text: str, document: Document) -> ScenarioDraft:
    """Write a text to a draft's row, with what lists of drafts show of it.

    Args:
        document: The parsed text; its fields may have any type.
    """
    name = document.get("name")
    edition = document.get("edition")
    if isinstance(name, str) and name.strip():
        row.name = name.strip()[:LONGEST_NAME]
    else:
        row.name = UNNAMED
    if isinstance(edition, str):
        row.edition = edition[:LONGEST_EDITION]
    else:
        row.edition = ""
    row.text = text
    _, faults = check_draft(document)
    row.faults = len(faults)
    row.changed_at = timezone.now()
    row.save()
    return row
