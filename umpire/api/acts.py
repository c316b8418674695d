"""API resources for what hosts and umpires do to the clock, and for a player's lost password.

`umpire.services.control` defines who may do what.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.campaigns import campaign_sheet, rules_sheet
from campaign.api.requests import GREATEST, body_of, read_json
from campaign.api.resource import Resource, idempotent, json_response, stage_sheet
from campaign.api.schema import documented
from campaign.api.shapes import CampaignSheet, RulesSheet, StageSheet
from campaign.api.tables import ResultEntered
from campaign.errors import NotAllowed
from campaign.kinds import BattleMode
from campaign.selectors.truth import battle_of
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.api.shapes import (
    AcceptingLate,
    ChangingRules,
    ClaimDifference,
    EnteringResult,
    ExcuseSheet,
    Excusing,
    Extending,
    Fighting,
    HoldingStage,
    PasswordFor,
    PasswordLink,
    Pausing,
    Rebuilding,
    RebuildSheet,
    Remedying,
    Reminded,
    Reminding,
    Resolving,
    Resuming,
    TableClaimsSheet,
    UmpireBattle,
)
from umpire.api.truth import battle_line, branch_of, uuid_of
from umpire.services.beacon_waivers import beacon_waive
from umpire.services.checks import records_rebuild
from umpire.services.control import (
    awaited_remind,
    battle_mode_set,
    campaign_pause,
    campaign_resume,
    faction_excuse,
    password_link,
    rules_change,
    stage_extend,
    stage_resolve_now,
)
from umpire.services.pauses import pause_until
from umpire.services.quarantine import stage_remedy
from umpire.services.stage_holds import stage_grace, stage_hold, stage_release
from umpire.services.table_claims import claims_of
from umpire.services.tables import table_enter

TAG = "clock"


class ResolveResource(Resource):
    """Closing a stage at once."""

    @documented(
        "stage_resolve",
        "Host or umpire: close the stage now; a worker resolves it. Repeating it for the same "
        "stage does nothing",
        {202: StageSheet},
        body_type=Resolving,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Close the stage `stage` at once, and return it.

        403 while the campaign is paused, and for a host who plays while others do.
        """
        viewer = self.keeper(campaign)
        body = body_of(request, Resolving)
        _check_stage_number(stage=body.stage)
        row = stage_resolve_now(viewer=viewer, stage=body.stage, reason=body.reason)
        return json_response(stage_sheet(viewer.campaign, row), 202)


class ExtendResource(Resource):
    """More time for a stage."""

    @documented(
        "stage_extend",
        "Host or umpire: extend the deadline of the stage",
        {200: StageSheet},
        body_type=Extending,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Move the stage's deadline back, and return the stage.

        422 for an `until` without a time zone.
        """
        viewer = self.keeper(campaign)
        body = body_of(request, Extending)
        _check_stage_number(stage=body.stage)
        until = None if body.until is None else _require_zone(body.until)
        row = stage_extend(
            viewer=viewer, hours=body.hours, until=until, stage=body.stage, reason=body.reason
        )
        return json_response(stage_sheet(viewer.campaign, row))


class PauseResource(Resource):
    """Stopping the clock."""

    @documented(
        "campaign_pause",
        "Host or umpire: pause the clock",
        {200: CampaignSheet},
        body_type=Pausing,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Pause the campaign and return it: nothing falls due, orders can still be sealed.

        With `until` the clock restarts then; 422 for one without a time zone.
        """
        body = body_of(request, Pausing)
        viewer = self.keeper(campaign)
        if body.until is None:
            campaign_pause(viewer=viewer, reason=body.reason)
        else:
            pause_until(viewer=viewer, until=_require_zone(body.until), reason=body.reason)
        return json_response(campaign_sheet(self.viewer(campaign)))


class ResumeResource(Resource):
    """Restarting the clock."""

    @documented(
        "campaign_resume",
        "Host or umpire: resume the clock",
        {200: CampaignSheet},
        body_type=Resuming,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Restart the clock, and return the campaign: the open stage keeps the time it had left.

        403 if no faction has a player and the body does not say `unattended`.
        """
        viewer = self.keeper(campaign)
        body = body_of(request, Resuming)
        campaign_resume(viewer=viewer, unattended=body.unattended, reason=body.reason)
        return json_response(campaign_sheet(self.viewer(campaign)))


class RemindResource(Resource):
    """Manual reminders."""

    @documented(
        "awaited_remind",
        "Umpire: remind all players whom the open stage waits for, at most once an hour",
        {200: Reminded},
        body_type=Reminding,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Remind players in the stage `stage`, and return the number of reminders."""
        viewer = self.viewer(campaign, umpire=True)
        body = body_of(request, Reminding)
        _check_stage_number(stage=body.stage)
        return json_response(Reminded(awaited_remind(viewer=viewer, stage=body.stage)))


class ExcuseResource(Resource):
    """Excusing a faction."""

    @documented(
        "faction_excuse",
        "Host or umpire: do not wait for a faction in a week",
        {200: ExcuseSheet},
        body_type=Excusing,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Excuse a faction, and return it with the week in which no stage waits for it."""
        viewer = self.keeper(campaign)
        body = body_of(request, Excusing)
        row = faction_excuse(
            viewer=viewer, faction=body.faction, week=body.week, reason=body.reason
        )
        return json_response(ExcuseSheet(body.faction, row.week))


class RulesResource(Resource):
    """Changing the rules of a war."""

    @documented(
        "rules_change",
        "Host or umpire: change the war's rules from its next week on. Repeating it does nothing",
        {200: RulesSheet},
        body_type=ChangingRules,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Change the war's rules, and return them with the change-over to come.

        422 for a version that this release does not support.
        """
        viewer = self.keeper(campaign)
        body = body_of(request, ChangingRules)
        _check_stage_number(stage=body.stage)
        rules_change(viewer=viewer, version=body.version, stage=body.stage, reason=body.reason)
        return json_response(rules_sheet(viewer.campaign))


class RemedyResource(Resource):
    """Remedies for a stage that the server cannot compute."""

    @documented(
        "stage_remedy",
        "Host or umpire: choose how a stage that the server cannot compute goes on",
        {200: StageSheet},
        body_type=Remedying,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Let the stage be computed again, or wait for results, and return it.

        403 if the server can compute it, or is doing so.
        """
        viewer = self.keeper(campaign)
        body = body_of(request, Remedying)
        _check_stage_number(stage=body.stage)
        row = stage_remedy(viewer=viewer, stage=body.stage, way=body.way, reason=body.reason)
        return json_response(stage_sheet(viewer.campaign, row))


class RebuildResource(Resource):
    """Damaged records of a war."""

    @documented(
        "records_rebuild",
        "Umpire: compute the damaged records of this war again, and check it",
        {200: RebuildSheet},
        body_type=Rebuilding,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Return how many records were replaced, and the faults that are left."""
        viewer = self.viewer(campaign, umpire=True)
        body = body_of(request, Rebuilding)
        rebuilding, check = records_rebuild(viewer=viewer, reason=body.reason)
        faults = [str(fault.text) for fault in rebuilding.faults]
        return json_response(RebuildSheet(len(rebuilding.rebuilt), faults, check.at))


class GraceResource(Resource):
    """Late orders."""

    @documented(
        "stage_grace",
        "Umpire: accept orders in the stage until some hours after its deadline",
        {200: StageSheet},
        body_type=AcceptingLate,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Set `grace_until` of the stage, and return the stage."""
        viewer = self.viewer(campaign, umpire=True)
        body = body_of(request, AcceptingLate)
        _check_stage_number(stage=body.stage)
        row = stage_grace(viewer=viewer, hours=body.hours, stage=body.stage, reason=body.reason)
        return json_response(stage_sheet(viewer.campaign, row))


class HoldResource(Resource):
    """Holding the next stage back."""

    @documented(
        "stage_hold",
        "Umpire: hold back the stage after this one, or release it",
        {200: StageSheet},
        body_type=HoldingStage,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Hold or release, and return the stage `stage`.

        403 for the release of a stage that is not held.
        """
        viewer = self.viewer(campaign, umpire=True)
        body = body_of(request, HoldingStage)
        _check_stage_number(stage=body.stage)
        if body.held:
            row = stage_hold(viewer=viewer, stage=body.stage, reason=body.reason)
        else:
            row = stage_release(viewer=viewer, stage=body.stage, reason=body.reason)
        return json_response(stage_sheet(viewer.campaign, row))


class NoBeaconResource(Resource):
    """Going on without public dice."""

    @documented(
        "beacon_waive",
        "Host or umpire: let a closed stage go on without public dice",
        {200: StageSheet},
        body_type=Resolving,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Let the stage `stage` go on, and return it; possible six hours after it closed.

        If an administrator plays in the war, this only proposes it: the other sides answer under
        `timelines/answer/`. 403 if no stage waits for public dice, or it closed too recently.
        """
        viewer = self.keeper(campaign)
        body = body_of(request, Resolving)
        _check_stage_number(stage=body.stage)
        row = beacon_waive(viewer=viewer, stage=body.stage, reason=body.reason)
        return json_response(stage_sheet(viewer.campaign, row))


class PasswordLinkResource(Resource):
    """A lost password."""

    @documented(
        "password_link",
        "Umpire: create a password reset link for a player; it is shown only in this answer",
        {201: PasswordLink},
        body_type=PasswordFor,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Return the path of a link that works once.

        A call repeated with its Idempotency-Key is answered without it.
        """
        viewer = self.viewer(campaign, umpire=True)
        body = body_of(request, PasswordFor)
        path = password_link(viewer=viewer, username=body.username, reason=body.reason)
        response = json_response(PasswordLink(path), 201)
        response.kept = json_response(PasswordLink(None)).content  # type: ignore[attr-defined]  # no secret is stored
        return response


class ResultResource(Resource):
    """The result of a battle at a table."""

    @documented(
        "battle_result",
        "Umpire: enter a battle's result instead of the players; it ends the battle",
        {200: ResultEntered},
        body_type=EnteringResult,
        problems=(404,),
        writes=True,
        tag="tables",
    )
    @idempotent
    def post(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Enter the result, and return the round that the players had reached.

        422 lists all faults, and requires a `reason`, which all sides see, if a result that a side
        has sealed is replaced. With `round` nothing is entered if the sides have sealed again
        since.
        """
        viewer = self.viewer(campaign, umpire=True)
        row = battle_of(branch=branch_of(viewer), public_id=uuid_of(battle))
        payload = read_json(request)
        reason, seen_round = "", None
        if isinstance(payload, dict):
            reason = _reason_of(payload)
            seen_round = _round_of(payload)
        stage = table_enter(
            viewer=viewer, battle=row, payload=payload, reason=reason, round=seen_round
        )
        return json_response(ResultEntered(battle, stage.ordinal))

    @documented(
        "battle_claims",
        "Umpire: the sides' claims about the result of a battle at a table, and their differences",
        {200: TableClaimsSheet},
        problems=(403, 404),
        tag="tables",
    )
    def get(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Return each faction's newest sealed result and their phone record, ships by id."""
        viewer = self.viewer(campaign, umpire=True)
        row = battle_of(branch=branch_of(viewer), public_id=uuid_of(battle))
        if row.mode != BattleMode.TABLE:
            raise NotAllowed(phrase("this battle is not fought at a table"))
        claims = claims_of(row)
        differences = []
        for difference in claims.differences:
            differences.append(
                ClaimDifference(difference.ship, difference.part, dict(difference.entries))
            )
        return json_response(
            TableClaimsSheet(
                id=battle,
                round=claims.round,
                missing=list(claims.missing),
                claims={key: {**claim.result} for key, claim in claims.claims.items()},
                record=None if claims.record is None else {**claims.record},
                differences=differences,
            )
        )


class ModeResource(Resource):
    """How one battle is fought."""

    @documented(
        "battle_mode",
        "Umpire: choose how a battle is fought (captains, online or table) before it begins",
        {200: UmpireBattle},
        body_type=Fighting,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Choose how the battle is fought, and return it; players' sheets are withdrawn.

        403 once it has begun or players have received sheets.
        """
        viewer = self.viewer(campaign, umpire=True)
        row = battle_of(branch=branch_of(viewer), public_id=uuid_of(battle))
        body = body_of(request, Fighting)
        return json_response(
            battle_line(
                battle_mode_set(viewer=viewer, battle=row, mode=body.mode, reason=body.reason)
            )
        )


def _reason_of(payload: dict[str, Any]) -> str:
    """Take the reason out of a posted result. Raises RuleViolations if it is not a text."""
    reason = payload.pop("reason", "")
    if not isinstance(reason, str):
        raise RuleViolations([Violation("reason", "not-a-text", "must be a text")])
    return reason.strip()


def _round_of(payload: dict[str, Any]) -> int | None:
    """Take the umpire's round out of a posted result. Raises RuleViolations if it is no number."""
    seen_round = payload.pop("round", None)
    if seen_round is None or (
        isinstance(seen_round, int)
        and not isinstance(seen_round, bool)
        and 0 <= seen_round <= GREATEST
    ):
        return seen_round
    raise RuleViolations([Violation("round", "not-a-number", "must be the number of a round")])


def _require_zone(moment: datetime) -> datetime:
    """Return a posted moment. Raises RuleViolations if it has no time zone."""
    if faults := zone_violations(moment):
        raise RuleViolations(faults)
    return moment


def zone_violations(moment: datetime) -> list[Violation]:
    """Return a fault if a posted moment has no time zone."""
    if moment.tzinfo is not None:
        return []
    return [Violation("until", "no-zone", "must say its time zone, such as Z or +02:00")]


def _check_stage_number(*, stage: int) -> None:
    """Raise RuleViolations unless a number can be the ordinal of a stage."""
    if not 0 <= stage <= GREATEST:
        raise RuleViolations([Violation("stage", "bad-number", "must be the ordinal of a stage")])
