"""A user's own scenarios: begun, kept, thrown away, and stored to open a campaign of.

Only the owner's rows are read.

A file is kept as it stands, lawful or not yet; one that has not the outline of a scenario is
refused. What a campaign is opened of is stored like any scenario and never changes, but it is
offered to nobody else.
"""

from __future__ import annotations

import uuid
from dataclasses import replace

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.errors import EditConflict, NotFound
from campaign.models.own_scenario import PrivateScenario, ScenarioDraft
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.rules.files import check_scenario, fixture_maps, fixture_text
from campaign.rules.scenario_editing import Document, read_file
from campaign.services.outside_ids import free_ids
from campaign.services.scenarios import scenario_import
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation
from engine.core.names import LONGEST_NAME
from engine.core.phrase import phrase

MAX_STORED = 50  # scenarios of one user
UNNAMED = "Unnamed"
NO_SCENARIO = phrase("there is no such scenario")
SLUG = 40  # characters of its own id that a stored scenario keeps before its owner's


def scenario_drafts_of(user: AbstractBaseUser, *, texts: bool = False) -> list[ScenarioDraft]:
    """A user's scenarios, by name; with their texts only where they are asked for."""
    rows = ScenarioDraft.objects.filter(user_id=user.pk).order_by("name", "pk")
    return list(rows if texts else rows.defer("text"))


def scenario_draft_of(user: AbstractBaseUser, public_id: uuid.UUID | str) -> ScenarioDraft:
    """One of a user's scenarios. Raises NotThere, of others' as well."""
    try:
        draft_id = uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotFound(NO_SCENARIO) from error
    row = ScenarioDraft.objects.filter(user_id=user.pk, public_id=draft_id).first()
    if row is None:
        raise NotFound(NO_SCENARIO)
    return row


def scenario_draft_begin(*, user: AbstractBaseUser, slug: str) -> ScenarioDraft:
    """A copy of a scenario that comes with the project, to be changed. Raises RuleViolations."""
    if slug not in fixture_maps():
        raise RuleViolations([Violation("scenario", "unknown-scenario", NO_SCENARIO)])
    return scenario_draft_create(user=user, text=fixture_text(slug))


@transaction.atomic
def scenario_draft_create(*, user: AbstractBaseUser, text: str) -> ScenarioDraft:
    """A new scenario of a text.

    Raises RuleViolations where it has not the outline of one, or the user has too many.
    """
    document = read_file(text)
    get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one who saves at a time
    if ScenarioDraft.objects.filter(user_id=user.pk).count() >= MAX_STORED:
        raise RuleViolations(
            [Violation("", "too-many", phrase("you can keep at most {} scenarios", MAX_STORED))]
        )
    ids = free_ids("scenario", user, MAX_STORED, ScenarioDraft.objects.all())
    return _store(ScenarioDraft(user_id=user.pk, public_id=next(ids)), text, document)


@transaction.atomic
def scenario_draft_save(
    *, user: AbstractBaseUser, public_id: uuid.UUID, text: str, expected_tag: str | None = None
) -> ScenarioDraft:
    """Keep a text in the place of what the scenario was. `was`: the tag that it has to have still.

    Raises NotThere, RuleViolations, LostUpdate.
    """
    document = read_file(text)
    get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one who saves at a time
    row = scenario_draft_of(user, public_id)
    if expected_tag not in (None, draft_tag(row)):
        raise EditConflict(phrase("the scenario was changed in the meantime; read it again"))
    return _store(row, text, document)


@transaction.atomic
def scenario_draft_delete(*, user: AbstractBaseUser, public_id: str) -> str:
    """Throw a scenario away; its name. Campaigns opened of it stay. Raises NotThere."""
    row = scenario_draft_of(user, public_id)
    row.delete()
    return row.name


@transaction.atomic
def private_scenario_store(*, user: AbstractBaseUser, public_id: uuid.UUID | str) -> ScenarioRow:
    """The stored scenario of what was kept, for its owner to open campaigns of.

    Raises NotThere, RuleViolations.
    """
    draft = scenario_draft_of(user, public_id)
    scenario, faults = check_scenario(read_file(draft.text))
    if faults:
        raise RuleViolations(faults)
    slug = f"{scenario.slug[:SLUG]}-{draft.public_id.hex}"
    row = scenario_import(scenario=replace(scenario, slug=slug))
    PrivateScenario.objects.get_or_create(scenario=row, defaults={"user_id": user.pk})
    return row


def private_scenario_of(user: AbstractBaseUser, slug: str) -> ScenarioRow | None:
    """The newest stored scenario of a user's own by this id; None where he has none."""
    return (
        ScenarioRow.objects.filter(private__user_id=user.pk, slug=slug).order_by("-version").first()
    )


def draft_tag(row: ScenarioDraft) -> str:
    """What a scenario is known by as it was kept last: another after each time."""
    return digest([row.text, row.changed_at.isoformat()])


def _store(row: ScenarioDraft, text: str, document: Document) -> ScenarioDraft:
    name, edition = document.get("name"), document.get("edition")
    row.name = name.strip()[:LONGEST_NAME] if isinstance(name, str) and name.strip() else UNNAMED
    row.edition = edition[:20] if isinstance(edition, str) else ""
    row.text, row.faults, row.changed_at = text, len(check_scenario(document)[1]), timezone.now()
    row.save()
    return row
