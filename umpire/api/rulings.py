"""API resource for an umpire's rulings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer, require
from campaign.api.requests import body_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.models.truth import Ruling as RulingRow
from umpire.adjudication.patches import PATCHES
from umpire.adjudication.rulings import Ruling, read_patches
from umpire.services.rulings import (
    HeldRuling,
    Preview,
    held_rulings,
    is_held_by_default,
    require_ruling_umpire,
    ruling_drop,
    ruling_make,
    ruling_preview,
    rulings_of,
    undoing,
)

TAG = "umpire"


@dataclass(frozen=True, slots=True)
class Deciding:
    """A ruling to preview, make, hold, undo or withdraw.

    Attributes:
        patches: Corrections in their order, each with its `kind`.
        reason: All factions that are notified read it.
        public_note: Everybody reads it.
        also: Factions to notify although their view does not change.
        hold: Whether it waits for the next stage; null: if there are more than two factions.
        undoes: The number of a ruling that is to be undone instead; 0: none.
        withdraw: The id of a held ruling to withdraw; empty: none.
        preview: Change nothing, and say what the ruling would do.
        stage: The ordinal of the open stage; null for any.
    """

    patches: list[dict[str, Any]] = field(default_factory=list)
    reason: str = ""
    public_note: str = ""
    also: list[str] = field(default_factory=list)
    hold: bool | None = None
    undoes: int = 0
    withdraw: str = ""
    preview: bool = False
    stage: int | None = None


@dataclass(frozen=True, slots=True)
class CorrectionSheet:
    """One thing that a ruling changes.

    Attributes:
        what: ship, fleet, system, contact, funds, work, objective or other.
        field: What of it changes; `present`: whether it is there.
    """

    what: str
    name: str
    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PreviewSheet:
    """What a ruling would do.

    Attributes:
        told: What each faction would read, by its key.
        returned: The factions whose sealed orders would come back as drafts if it is made now.
        must_wait: Whether it is impossible in the open stage, so that it can only be held.
    """

    corrections: list[CorrectionSheet]
    told: dict[str, list[CorrectionSheet]]
    returned: list[str]
    must_wait: bool


@dataclass(frozen=True, slots=True)
class RulingSheet:
    """A ruling.

    Attributes:
        stage: The ordinal of the stage that it closed.
        told: The factions that were notified.
        undoes: The number of the ruling that it undoes; 0: none.
    """

    number: int
    stage: int
    week: int
    by: str
    at: datetime | None
    reason: str
    public_note: str
    patches: list[dict[str, Any]]
    told: list[str]
    undoes: int


@dataclass(frozen=True, slots=True)
class HeldRulingSheet:
    """A ruling that waits for the next stage.

    Attributes:
        id: The hash of its act.
        faults: Why it could not be made in the stage that is open now.
    """

    id: str
    by: str
    at: datetime
    reason: str
    patches: list[dict[str, Any]]
    faults: list[str]


@dataclass(frozen=True, slots=True)
class RulingListSheet:
    """The rulings of a war, newest first, and those that wait.

    Attributes:
        preview: What the ruling would do, if the request asked for a preview; otherwise null.
    """

    rulings: list[RulingSheet]
    held: list[HeldRulingSheet]
    preview: PreviewSheet | None = None


class RulingResource(Resource):
    """The rulings of a war."""

    @documented(
        "rulings",
        "Umpire: the rulings so far, and those that wait",
        {200: RulingListSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return all rulings."""
        return json_response(_ruling_list(self.viewer(campaign, umpire=True)))

    @documented(
        "ruling_make",
        "Umpire: correct the record, undo a ruling, or see what a ruling would do",
        {200: RulingListSheet},
        body_type=Deciding,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Make, hold, preview or withdraw a ruling, and return the list.

        422 lists all faults; 409 while the stage is being resolved, or without an umpire.
        """
        viewer = self.viewer(campaign)
        require_ruling_umpire(viewer)
        body = body_of(request, Deciding)
        preview = None
        if body.withdraw:
            ruling_drop(viewer=viewer, act=body.withdraw)
        elif body.preview:
            preview = _preview_sheet(ruling_preview(viewer=viewer, ruling=_ruling(viewer, body)))
        else:
            hold = body.hold
            ruling_make(
                viewer=viewer,
                ruling=_ruling(viewer, body),
                hold=is_held_by_default(viewer.campaign) if hold is None else hold,
                stage=body.stage,
            )
        return json_response(_ruling_list(self.viewer(campaign, umpire=True), preview))


def _ruling(viewer: Viewer, body: Deciding) -> Ruling:
    """Return the ruling that a request describes."""
    reason = body.reason.strip()
    if body.undoes:
        return undoing(viewer=viewer, number=body.undoes, reason=reason)
    patches = read_patches(body.patches, PATCHES)
    return Ruling(patches, reason, body.public_note, tuple(body.also))


def _preview_sheet(preview: Preview) -> PreviewSheet:
    """Return a preview in the form of the API."""
    changes = {}
    for faction, corrections in preview.outcome.changes.items():
        changes[faction] = [CorrectionSheet(**asdict(item)) for item in corrections]
    return PreviewSheet(
        corrections=[CorrectionSheet(**asdict(item)) for item in preview.corrections],
        told=changes,
        returned=list(preview.returned),
        must_wait=preview.must_wait,
    )


def _ruling_list(viewer: Viewer, preview: PreviewSheet | None = None) -> RulingListSheet:
    """Return the rulings of a war for its umpires."""
    branch = require(viewer, umpire=True).campaign.head_branch
    rows = [] if branch is None else rulings_of(branch)
    return RulingListSheet(
        rulings=[_ruling_sheet(row) for row in rows],
        held=[_held_sheet(waiting) for waiting in held_rulings(viewer)],
        preview=preview,
    )


def _ruling_sheet(row: RulingRow) -> RulingSheet:
    """Return a ruling in the form of the API."""
    return RulingSheet(
        number=row.number,
        stage=row.stage.ordinal,
        week=row.stage.week,
        by=row.actor.get_username() if row.actor else "",
        at=row.stage.closed_at,
        reason=row.reason,
        public_note=row.public_note,
        patches=row.patch["patches"],
        told=row.audience,
        undoes=row.patch["undoes"],
    )


def _held_sheet(waiting: HeldRuling) -> HeldRulingSheet:
    """Return a ruling that waits in the form of the API."""
    return HeldRulingSheet(
        id=waiting.act.sha256,
        by=waiting.act.body["actor"],
        at=waiting.act.at,
        reason=waiting.ruling.reason,
        patches=waiting.act.body["facts"]["patches"],
        faults=[str(fault.message) for fault in waiting.faults],
    )
