"""What waits for an umpire in all of their wars, and acts in several wars at once.

Bad input names every war with its fault and changes nothing anywhere. A war in which the caller may
not do it is answered like one that does not exist.
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
from campaign.api.resource import Resource, answer, idempotent, language_for, stage_sheet
from campaign.api.schema import documented
from campaign.errors import NotThere
from campaign.selectors.umpired import UmpiredCampaign, campaigns_umpired
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
    WarActed,
    WarRefusal,
    WarsActed,
)
from umpire.services.attention import NOTHING, attention_of
from umpire.services.control import awaited_remind, extension_violations, stage_extend
from umpire.services.many_wars import Outcome, act_in_each
from umpire.services.pauses import pause_until, pause_violations
from umpire.troubles import Trouble, troubles_of

TAG = "umpire"
MOST_WARS = 100  # in one call


class TroubleListResource(Resource):
    """The umpire's trouble list."""

    @documented(
        "troubles",
        "Umpire: the trouble list of all your wars",
        {200: TroubleList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request) -> HttpResponse:
        """Every entry with its war, and where it can be dealt with. 404 for who umpires no war."""
        user = user_of(request)
        wars = campaigns_umpired(user)
        if not wars:
            raise NotThere(NO_CAMPAIGN)
        now = timezone.now()
        waits = attention_of(wars, user.pk, now)
        language = language_for(request)
        found: list[TroubleSheet] = []
        with translation.override(language):
            for war in wars:
                troubles = troubles_of(war, waits.get(war.campaign.pk, NOTHING), now)
                found.extend(_sheet(war, one) for one in troubles)
        found.sort(key=lambda one: not one.urgent)
        response = answer(TroubleList(found))
        response.headers["Content-Language"] = language
        return response


def _sheet(war: UmpiredCampaign, one: Trouble) -> TroubleSheet:
    return TroubleSheet(
        campaign=str(war.campaign.public_id),
        name=war.campaign.name,
        stage=None if war.stage is None else war.stage.ordinal,
        kind=one.kind,
        urgent=one.grave,
        text=in_language(one.words),
        faction=one.faction or None,
        since=one.since,
        until=one.until,
        page=one.href or None,
        resource=one.resource or None,
    )


class RemindWarsResource(Resource):
    """Reminders in several wars."""

    @documented(
        "wars_remind",
        "Umpire: remind everybody whom the open stages of several wars wait for",
        {200: WarsActed},
        takes=RemindingWars,
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Of each war how many reminders are on the way, or why none was sent.

        Within an hour nobody gets a second reminder. 422 names every war that does not exist for
        the caller, and nobody is reminded.
        """
        given = body_of(request, RemindingWars)
        stages = {_id_of(one.id): one.stage for one in given.wars}
        viewers, found = _wars_meant(request, [one.id for one in given.wars], umpire=True)
        _judged([*found, *_stage_violations([one.stage for one in given.wars])])

        def remind(viewer: Viewer) -> WarActed:
            stage = stages[viewer.campaign.public_id]
            return _acted(viewer, reminders=awaited_remind(viewer=viewer, stage=stage))

        return _answered(act_in_each(viewers, remind))


class ExtendWarsResource(Resource):
    """More time in several wars."""

    @documented(
        "wars_extend",
        "Host or umpire: extend the deadlines of the open stages of several wars",
        {200: WarsActed},
        takes=ExtendingWars,
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Of each war the stage with its new deadline, or why it keeps the old one.

        422 names every war that does not exist for the caller, and every other fault; then no
        deadline is moved.
        """
        given = body_of(request, ExtendingWars)
        stages = {_id_of(one.id): one.stage for one in given.wars}
        viewers, found = _wars_meant(request, [one.id for one in given.wars])
        found += _stage_violations([one.stage for one in given.wars])
        found += _time_violations(given.until) or extension_violations(
            given.hours, given.until, timezone.now()
        )
        _judged([*found, *reason_violations(given.reason)])

        def extend(viewer: Viewer) -> WarActed:
            stage = stage_extend(
                viewer=viewer,
                hours=given.hours,
                until=given.until,
                stage=stages[viewer.campaign.public_id],
                reason=given.reason,
            )
            return _acted(viewer, closes=stage_sheet(viewer.campaign, stage).closes)

        return _answered(act_in_each(viewers, extend))


class PauseWarsResource(Resource):
    """Clocks of several wars stopped until a time."""

    @documented(
        "wars_pause",
        "Host or umpire: pause the clocks of several wars until a time, when they go on by themselves",
        {200: WarsActed},
        takes=PausingWars,
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Of each war until when its clock stands, or why it runs.

        422 names every war that does not exist for the caller, and every other fault; then no clock
        is stopped.
        """
        given = body_of(request, PausingWars)
        viewers, found = _wars_meant(request, [one.id for one in given.wars])
        found += _time_violations(given.until) or pause_violations(given.until, timezone.now())
        _judged([*found, *reason_violations(given.reason)])

        def pause(viewer: Viewer) -> WarActed:
            campaign = pause_until(viewer=viewer, until=given.until, reason=given.reason)
            return _acted(viewer, paused_until=campaign.paused_until)

        return _answered(act_in_each(viewers, pause))


def _wars_meant(
    request: Request, ids: Sequence[str], *, umpire: bool = False
) -> tuple[list[Viewer], list[Violation]]:
    """Find the wars that a call names, in its order, and a fault for each that is not there for the
    caller.

    Args:
        umpire: Whether only an umpire may do it; else a host may, too.
    """
    if not ids:
        return [], [Violation("wars", "none-chosen", "name at least one war")]
    if len(ids) > MOST_WARS:
        return [], [Violation("wars", "too-many", f"at most {MOST_WARS} wars can be named at once")]
    named = [_id_of(text) for text in ids]
    known = _keepers(request, named, umpire=umpire)
    viewers, found = [], []
    for place, war in enumerate(named):
        where = f"wars[{place}].id"
        if war is None:
            found.append(Violation(where, "not-an-id", "must be the id of a campaign"))
        elif war in named[:place]:
            found.append(Violation(where, "named-twice", f"{war} is named twice"))
        elif war in known:
            viewers.append(known[war])
        else:
            found.append(Violation(where, "no-such-campaign", f"there is no campaign {war}"))
    return viewers, found


def _id_of(text: str) -> uuid.UUID | None:
    """The id that a text is; None where it is none."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _keepers(
    request: Request, named: Sequence[uuid.UUID | None], *, umpire: bool
) -> Mapping[uuid.UUID, Viewer]:
    """The wars of which the caller is the umpire or, unless `umpire`, the host, by their ids.

    One query.
    """
    wanted = [war for war in named if war is not None]
    return {
        war: viewer
        for war, viewer in viewers_of(user_of(request), wanted).items()
        if viewer.umpires or (viewer.hosts and not umpire)
    }


def _stage_violations(stages: Sequence[int]) -> list[Violation]:
    """Every number that is no stage's."""
    words = "must be the ordinal of a stage"
    return [
        Violation(f"wars[{place}].stage", "bad-number", words)
        for place, stage in enumerate(stages[:MOST_WARS])
        if not 0 <= stage <= GREATEST
    ]


def _time_violations(until: datetime | None) -> list[Violation]:
    return [] if until is None else zone_violations(until)


def _judged(found: Sequence[Violation]) -> None:
    """Raise RuleViolations where anything is wrong, before anything is done."""
    if found:
        raise RuleViolations(list(found))


def _acted(
    viewer: Viewer,
    *,
    reminders: int | None = None,
    closes: datetime | None = None,
    paused_until: datetime | None = None,
    why_not: WarRefusal | None = None,
) -> WarActed:
    campaign = viewer.campaign
    return WarActed(
        campaign=str(campaign.public_id),
        name=campaign.name,
        done=why_not is None,
        reminders=reminders,
        closes=closes,
        paused_until=paused_until,
        why_not=why_not,
    )


def _answered(outcomes: Sequence[Outcome[WarActed]]) -> HttpResponse:
    """What became of an act in each war."""
    return answer(WarsActed([_told(outcome) for outcome in outcomes]))


def _told(outcome: Outcome[WarActed]) -> WarActed:
    if outcome.refusal is None:
        assert outcome.done is not None
        return outcome.done
    refusal = WarRefusal(refusal_code(outcome.refusal), str(outcome.why_not))
    return _acted(outcome.viewer, why_not=refusal)
