"""API resources for an umpire's troubles in all wars, and for acts in several wars at once.

For invalid input all wars with faults are listed, and nothing is changed in any. A war in which the
caller may not do the act is answered like one that does not exist.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.http import HttpResponse
from django.utils import timezone, translation
from rest_framework.request import Request

from campaign.access import NO_CAMPAIGN, Viewer, viewers_of
from campaign.api.requests import GREATEST, body_of, user_of
from campaign.api.resource import Resource, idempotent, json_response, language_for, stage_sheet
from campaign.api.schema import documented
from campaign.errors import NotFound
from campaign.selectors.umpired import UmpiredCampaign, umpired_campaigns
from campaign.services.acts import reason_violations
from campaign.web.problems import refusal_code
from campaign.words.languages import in_language
from engine.core.errors import RuleViolations, Violation
from umpire.api.acts import zone_violations
from umpire.api.shapes import (
    ExtendingWars,
    PausingWars,
    RemindingWars,
    TroubleList,
    TroubleSheet,
    WarOutcome,
    WarOutcomes,
    WarRefusal,
)
from umpire.services.attention import NO_ATTENTION, attention_of
from umpire.services.control import awaited_remind, extension_violations, stage_extend
from umpire.services.many_wars import ActOutcome, act_in_each
from umpire.services.pauses import pause_until, pause_violations
from umpire.troubles import Trouble, troubles_of

TAG = "umpire"
MAX_WARS = 100  # per call


class TroubleListResource(Resource):
    """The umpire's trouble list."""

    @documented(
        "troubles",
        "Umpire: the troubles of all the caller's wars",
        {200: TroubleList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request) -> HttpResponse:
        """Return all troubles with their wars and the pages that deal with them.

        404 for callers who umpire no war.
        """
        user = user_of(request)
        wars = umpired_campaigns(user)
        if not wars:
            raise NotFound(NO_CAMPAIGN)
        now = timezone.now()
        waits = attention_of(wars, user.pk, now)
        language = language_for(request)
        sheets: list[TroubleSheet] = []
        with translation.override(language):
            for war in wars:
                troubles = troubles_of(war, waits.get(war.campaign.pk, NO_ATTENTION), now)
                sheets.extend(_sheet(war, trouble) for trouble in troubles)
        sheets.sort(key=lambda trouble: not trouble.urgent)
        response = json_response(TroubleList(sheets))
        response.headers["Content-Language"] = language
        return response


def _sheet(war: UmpiredCampaign, trouble: Trouble) -> TroubleSheet:
    """Return a trouble of a war in the form of the API."""
    return TroubleSheet(
        campaign=str(war.campaign.public_id),
        name=war.campaign.name,
        stage=None if war.stage is None else war.stage.ordinal,
        kind=trouble.kind,
        urgent=trouble.is_urgent,
        text=in_language(trouble.words),
        faction=trouble.faction or None,
        since=trouble.since,
        until=trouble.until,
        page=trouble.href or None,
        resource=trouble.resource or None,
    )


class RemindWarsResource(Resource):
    """Reminders in several wars."""

    @documented(
        "wars_remind",
        "Umpire: remind all players whom the open stages of several wars wait for",
        {200: WarOutcomes},
        body_type=RemindingWars,
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Send reminders, and return for each war their number, or why none was sent.

        A player gets at most one such reminder an hour. 422 lists all wars that do not exist for
        the caller, and no reminders are sent.
        """
        body = body_of(request, RemindingWars)
        stages = {_id_of(war.id): war.stage for war in body.wars}
        viewers, faults = _find_wars(request, [war.id for war in body.wars], umpire=True)
        _raise_if_faulty([*faults, *_stage_violations([war.stage for war in body.wars])])

        def remind(viewer: Viewer) -> WarOutcome:
            stage = stages[viewer.campaign.public_id]
            return _war_result(viewer, reminders=awaited_remind(viewer=viewer, stage=stage))

        return _answer_outcomes(act_in_each(viewers, remind))


class ExtendWarsResource(Resource):
    """More time in several wars."""

    @documented(
        "wars_extend",
        "Host or umpire: extend the deadlines of the open stages of several wars",
        {200: WarOutcomes},
        body_type=ExtendingWars,
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Move deadlines back, and return for each war the new one, or why it was not moved.

        422 lists all wars that do not exist for the caller, and all other faults; then no deadline
        is moved.
        """
        body = body_of(request, ExtendingWars)
        stages = {_id_of(war.id): war.stage for war in body.wars}
        viewers, faults = _find_wars(request, [war.id for war in body.wars])
        faults += _stage_violations([war.stage for war in body.wars])
        faults += _time_violations(body.until) or extension_violations(
            body.hours, body.until, timezone.now()
        )
        _raise_if_faulty([*faults, *reason_violations(body.reason)])

        def extend(viewer: Viewer) -> WarOutcome:
            stage = stage_extend(
                viewer=viewer,
                hours=body.hours,
                until=body.until,
                stage=stages[viewer.campaign.public_id],
                reason=body.reason,
            )
            return _war_result(viewer, closes=stage_sheet(viewer.campaign, stage).closes)

        return _answer_outcomes(act_in_each(viewers, extend))


class PauseWarsResource(Resource):
    """Pausing several wars until a time."""

    @documented(
        "wars_pause",
        "Host or umpire: pause the clocks of several wars until a time",
        {200: WarOutcomes},
        body_type=PausingWars,
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Pause wars, and return for each until when its clock is stopped, or why it is not.

        422 lists all wars that do not exist for the caller, and all other faults; then no clock is
        stopped.
        """
        body = body_of(request, PausingWars)
        viewers, faults = _find_wars(request, [war.id for war in body.wars])
        faults += _time_violations(body.until) or pause_violations(body.until, timezone.now())
        _raise_if_faulty([*faults, *reason_violations(body.reason)])

        def pause(viewer: Viewer) -> WarOutcome:
            campaign = pause_until(viewer=viewer, until=body.until, reason=body.reason)
            return _war_result(viewer, paused_until=campaign.paused_until)

        return _answer_outcomes(act_in_each(viewers, pause))


def _find_wars(
    request: Request, ids: Sequence[str], *, umpire: bool = False
) -> tuple[list[Viewer], list[Violation]]:
    """Find the wars that a call names, in its order, and a fault for each that the caller lacks.

    Args:
        umpire: Whether only umpires may do the act; otherwise hosts may, too.
    """
    if not ids:
        return [], [Violation("wars", "none-chosen", "name at least one war")]
    if len(ids) > MAX_WARS:
        return [], [Violation("wars", "too-many", f"at most {MAX_WARS} wars can be named at once")]
    war_ids = [_id_of(text) for text in ids]
    viewer_of = _keepers(request, war_ids, umpire=umpire)
    viewers, faults = [], []
    for place, war in enumerate(war_ids):
        where = f"wars[{place}].id"
        if war is None:
            faults.append(Violation(where, "not-an-id", "must be the id of a campaign"))
        elif war in war_ids[:place]:
            faults.append(Violation(where, "named-twice", f"{war} is named twice"))
        elif war in viewer_of:
            viewers.append(viewer_of[war])
        else:
            faults.append(Violation(where, "no-such-campaign", f"there is no campaign {war}"))
    return viewers, faults


def _id_of(text: str) -> uuid.UUID | None:
    """Return a text as an id, or None."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _keepers(
    request: Request, war_ids: Sequence[uuid.UUID | None], *, umpire: bool
) -> Mapping[uuid.UUID, Viewer]:
    """Return the wars that the caller umpires or, unless `umpire`, hosts, by id, with one query."""
    known_ids = [war for war in war_ids if war is not None]
    result: dict[uuid.UUID, Viewer] = {}
    for war, viewer in viewers_of(user_of(request), known_ids).items():
        if viewer.umpires or (viewer.hosts and not umpire):
            result[war] = viewer
    return result


def _stage_violations(stages: Sequence[int]) -> list[Violation]:
    """Return a fault for each number that cannot be a stage's."""
    words = "must be the ordinal of a stage"
    violations: list[Violation] = []
    for place, stage in enumerate(stages[:MAX_WARS]):
        if not 0 <= stage <= GREATEST:
            violations.append(Violation(f"wars[{place}].stage", "bad-number", words))
    return violations


def _time_violations(until: datetime | None) -> list[Violation]:
    """Return the violation of a time without a time zone, if it is one."""
    if until is None:
        return []
    return zone_violations(until)


def _raise_if_faulty(faults: Sequence[Violation]) -> None:
    """Raise RuleViolations for any faults, before anything is done."""
    if faults:
        raise RuleViolations(list(faults))


def _war_result(
    viewer: Viewer,
    *,
    reminders: int | None = None,
    closes: datetime | None = None,
    paused_until: datetime | None = None,
    why_not: WarRefusal | None = None,
) -> WarOutcome:
    """Return the outcome of an act in one war."""
    campaign = viewer.campaign
    return WarOutcome(
        campaign=str(campaign.public_id),
        name=campaign.name,
        succeeded=why_not is None,
        reminders=reminders,
        closes=closes,
        paused_until=paused_until,
        refusal=why_not,
    )


def _answer_outcomes(outcomes: Sequence[ActOutcome[WarOutcome]]) -> HttpResponse:
    """Return the result of an act in each war."""
    return json_response(WarOutcomes([_outcome_result(outcome) for outcome in outcomes]))


def _outcome_result(outcome: ActOutcome[WarOutcome]) -> WarOutcome:
    """Return the result of an act in one war, or why it was refused."""
    if outcome.refusal is None:
        assert outcome.result is not None
        return outcome.result
    refusal = WarRefusal(refusal_code(outcome.refusal), str(outcome.why_not))
    return _war_result(outcome.viewer, why_not=refusal)
