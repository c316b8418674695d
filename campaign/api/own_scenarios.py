"""API resources for the caller's own scenarios: save, check, and store them to open campaigns.

They are visible only to their owner. `umpire.api.balances` has the results of test wars.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.api.envelopes import fault_list
from campaign.api.requests import body_of, is_sent, require_match, user_of
from campaign.api.resource import (
    Resource,
    heavy,
    idempotent,
    json_response,
    json_response_if_changed,
)
from campaign.api.schema import documented
from campaign.models.own_scenario import ScenarioDraft
from campaign.rules.files import check_scenario
from campaign.rules.scenario_editing import read_file
from campaign.services.own_scenarios import (
    MAX_STORED,
    draft_tag,
    private_scenario_store,
    scenario_draft_begin,
    scenario_draft_create,
    scenario_draft_delete,
    scenario_draft_of,
    scenario_draft_save,
    scenario_drafts_of,
)
from campaign.web.problems import Fault
from engine.core.errors import RuleViolations, Violation

TAG = "scenarios"


@dataclass(frozen=True, slots=True)
class OwnScenarioLine:
    """A scenario of the caller.

    Attributes:
        edition: Its rulebook.
        faults: How many faults its file had when it was saved.
    """

    id: str
    name: str
    edition: str
    faults: int
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class OwnScenarioList:
    """The caller's scenarios, by name.

    Attributes:
        most: The largest possible number.
    """

    scenarios: list[OwnScenarioLine]
    most: int


@dataclass(frozen=True, slots=True)
class OwnScenarioSheet:
    """A complete scenario of the caller.

    Attributes:
        text: Its file in YAML.
        violations: All faults with their places.
    """

    id: str
    name: str
    edition: str
    changed_at: datetime
    text: str
    violations: list[Fault]


@dataclass(frozen=True, slots=True)
class OwnScenarioNew:
    """A scenario to save, as a text or a copy.

    Attributes:
        text: A file in YAML.
        copy_of: The id of one of the project's scenarios to copy.
    """

    text: str = ""
    copy_of: str = ""


@dataclass(frozen=True, slots=True)
class OwnScenarioText:
    """A scenario file in YAML."""

    text: str


@dataclass(frozen=True, slots=True)
class OwnScenarioCheck:
    """The faults of a scenario file; without any it can be played."""

    violations: list[Fault]


@dataclass(frozen=True, slots=True)
class StoredScenario:
    """A stored scenario, which never changes; a changed file is stored as another version.

    Attributes:
        scenario: The value of `scenario` for `POST /api/campaigns/`.
    """

    scenario: str
    version: int


class OwnScenarioListResource(Resource):
    """The caller's scenarios."""

    @documented("own_scenarios", "The caller's scenarios", {200: OwnScenarioList}, tag=TAG)
    def get(self, request: Request) -> HttpResponse:
        """Return the caller's scenarios by name, without their texts."""
        rows = scenario_drafts_of(user_of(request))
        return json_response(OwnScenarioList([_line(row) for row in rows], MAX_STORED))

    @documented(
        "own_scenario_create",
        "Save a scenario",
        {201: OwnScenarioSheet},
        body_type=OwnScenarioNew,
        etag="may",
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Save a scenario and return it.

        It may be illegal; 422 lists all faults of a file without the outline of a scenario.
        """
        body = body_of(request, OwnScenarioNew)
        if bool(body.text) == bool(body.copy_of):
            words = "give the text of a scenario, or the id of one to copy, and not both"
            raise RuleViolations([Violation("text", "one-of-two", words)])
        if body.copy_of:
            row = scenario_draft_begin(user=user_of(request), slug=body.copy_of)
        else:
            row = scenario_draft_create(user=user_of(request), text=body.text)
        where = reverse("api-own-scenario", args=[str(row.public_id)])
        return json_response(_sheet(row), 201, etag=draft_tag(row), location=where)


class OwnScenarioResource(Resource):
    """One of the caller's scenarios."""

    @documented(
        "own_scenario",
        "One of the caller's scenarios",
        {200: OwnScenarioSheet},
        etag="read",
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, scenario: str) -> HttpResponse:
        """Return its file and all faults. Scenarios of other users are 404."""
        row = scenario_draft_of(user_of(request), scenario)
        return json_response_if_changed(request, _sheet(row), draft_tag(row))

    @documented(
        "own_scenario_put",
        "Replace the file of a scenario",
        {200: OwnScenarioSheet},
        body_type=OwnScenarioText,
        etag="may",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def put(self, request: Request, scenario: str) -> HttpResponse:
        """Replace the scenario's file and return the scenario.

        With If-Match a change made in between is not overwritten.
        """
        body = body_of(request, OwnScenarioText)
        row = scenario_draft_of(user_of(request), scenario)
        tag = draft_tag(row)
        require_match(request, tag, needed=False)
        expected_tag = tag if is_sent(request) else None
        row = scenario_draft_save(
            user=user_of(request),
            public_id=row.public_id,
            text=body.text,
            expected_tag=expected_tag,
        )
        return json_response(_sheet(row), etag=draft_tag(row))

    @documented(
        "own_scenario_delete",
        "Delete a scenario",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
    def delete(self, request: Request, scenario: str) -> HttpResponse:
        """Delete the file and the results of its test wars.

        Campaigns that were opened from it stay.
        """
        scenario_draft_delete(user=user_of(request), public_id=scenario)
        return HttpResponse(status=204)


class OwnScenarioCheckResource(Resource):
    """The check of a scenario file."""

    @documented(
        "own_scenario_check",
        "Check a scenario file: all faults; nothing is saved",
        {200: OwnScenarioCheck},
        body_type=OwnScenarioText,
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request) -> HttpResponse:
        """Return all faults with their places; faults are no error here."""
        return json_response(OwnScenarioCheck(_faults(body_of(request, OwnScenarioText).text)))


class OwnScenarioStoreResource(Resource):
    """A scenario of the caller, stored to open campaigns."""

    @documented(
        "own_scenario_store",
        "Store a scenario to open campaigns",
        {200: StoredScenario},
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request, scenario: str) -> HttpResponse:
        """Store the scenario and return its id for `POST /api/campaigns/`, for its owner only.

        422 lists all faults of the file.
        """
        row = scenario_draft_of(user_of(request), scenario)
        scenario_row = private_scenario_store(user=user_of(request), public_id=row.public_id)
        return json_response(StoredScenario(scenario_row.slug, scenario_row.version))


def _line(row: ScenarioDraft) -> OwnScenarioLine:
    return OwnScenarioLine(
        id=str(row.public_id),
        name=row.name,
        edition=row.edition,
        faults=row.faults,
        changed_at=row.changed_at,
    )


def _sheet(row: ScenarioDraft) -> OwnScenarioSheet:
    return OwnScenarioSheet(
        id=str(row.public_id),
        name=row.name,
        edition=row.edition,
        changed_at=row.changed_at,
        text=row.text,
        violations=_faults(row.text),
    )


def _faults(text: str) -> list[Fault]:
    """Return all faults of a scenario file; of its outline only, if that is not a scenario's."""
    try:
        return fault_list(check_scenario(read_file(text))[1])
    except RuleViolations as error:
        return fault_list(error.violations)
