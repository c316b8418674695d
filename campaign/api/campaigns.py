"""API resources for campaigns (list, open, start, stages, rules, ledger) and scenarios."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request

from campaign.access import Viewer, viewer_of
from campaign.api.accounts import parts_of
from campaign.api.requests import body_of
from campaign.api.resource import (
    Resource,
    idempotent,
    json_response,
    json_response_if_changed,
    stage_sheet,
)
from campaign.api.schema import documented
from campaign.api.shapes import (
    CampaignLine,
    CampaignList,
    CampaignNew,
    CampaignSheet,
    LedgerHead,
    LedgerLine,
    LedgerOpening,
    LedgerProof,
    LedgerProofs,
    LedgerSheet,
    Power,
    RuleChange,
    RulesChangeover,
    RulesSheet,
    ScenarioLine,
    ScenarioList,
    ScenarioSheet,
    StageList,
    StageSheet,
    Starting,
    WantedAction,
    WarState,
)
from campaign.errors import NotFound
from campaign.kinds import StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign, Faction
from campaign.models.ledger import LedgerRow
from campaign.models.scenario import Scenario as Row
from campaign.models.stage import Stage
from campaign.rules.agreements import Agreements
from campaign.rules.beacon import has_beacon
from campaign.rules.files import fixture_class_names
from campaign.rules.known_objectives import known_scenario
from campaign.rules.message_rules import MessageRules
from campaign.rules.navies import chosen_class_names
from campaign.rules.rollback_rules import RollbackRules, rollback_rules_of
from campaign.rules.rules_record import ChangeOver
from campaign.rules.scenario import Scenario
from campaign.rules.timetable import TIMETABLES, timetable_of
from campaign.selectors.end_rows import end_row_of
from campaign.selectors.envelopes import is_sealed, newest_stage_of, stages_of
from campaign.selectors.families import may_be_public
from campaign.selectors.genesis import genesis_parts, has_salted_scenario, salt_of
from campaign.selectors.heads import head_of
from campaign.selectors.messages import message_rules_of
from campaign.selectors.next_action import (
    Member,
    NextAction,
    campaigns_of,
    next_action_of,
    next_actions_of,
    scenarios_newest,
)
from campaign.selectors.proofs import leaf_proofs
from campaign.selectors.rules import rules_now
from campaign.services.bots import bots_allowed
from campaign.services.campaigns import Markers, battle_setting_of
from campaign.services.own_scenarios import private_scenario_of
from campaign.services.seats import campaign_begin, campaign_open
from campaign.store.documents import scenario_of, stored_scenario
from campaign.store.publication import public_ledger
from engine.core.errors import RuleViolations, Violation
from engine.core.versions import NEWEST, played_versions


class ScenarioListResource(Resource):
    """The public scenarios."""

    @documented(
        "scenarios",
        "The newest version of each public scenario",
        {200: ScenarioList},
        tag="scenarios",
    )
    def get(self, request: Request) -> HttpResponse:
        """Return a summary of each scenario, by slug."""
        return json_response(
            ScenarioList([_line(row, stored_scenario(row)) for row in scenarios_newest()])
        )


class ScenarioResource(Resource):
    """One complete scenario."""

    @documented(
        "scenario",
        "A scenario in full",
        {200: ScenarioSheet},
        etag="read",
        problems=(404,),
        tag="scenarios",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the newest version, with its map, fleets and rules.

        The ETag is the SHA-256 of its text.
        """
        row = scenario_row(slug)
        return json_response_if_changed(
            request,
            ScenarioSheet(row.sha256, known_scenario(stored_scenario(row), None)),
            row.sha256,
        )


def scenario_row(slug: str) -> Row:
    """Return the newest version of a public scenario, without its text. Raises NotFound."""
    public_rows = Row.objects.filter(slug=slug, private__isnull=True)
    row = public_rows.order_by("-version").defer("body").first()
    if row is None:
        raise NotFound("there is no such scenario")
    return row


def _line(row: Row, value: Scenario) -> ScenarioLine:
    powers = []
    for faction in value.factions:
        powers.append(Power(faction.id, faction.name, faction.alliance))
    return ScenarioLine(
        slug=row.slug,
        version=row.version,
        name=row.name,
        edition=value.edition,
        weeks=value.weeks,
        factions=powers,
        intro=value.intro,
    )


class CampaignListResource(Resource):
    """The caller's campaigns."""

    @documented("campaigns", "The caller's campaigns", {200: CampaignList})
    def get(self, request: Request) -> HttpResponse:
        """Return the user's campaigns by name, each with roles, state, stage and next task."""
        return json_response(CampaignList(campaign_lines(cast(Any, request.user))))

    @documented(
        "campaign_open",
        "Create a campaign as its host",
        {201: CampaignSheet},
        body_type=CampaignNew,
        writes=True,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Open a campaign, with the user as its host, and return it before its start.

        422 lists all faults.
        """
        body = body_of(request, CampaignNew)
        user = cast(Any, request.user)
        timetable = _timetable(body)
        try:
            scenario = private_scenario_of(user, body.scenario) or scenario_row(body.scenario)
        except NotFound as error:
            raise RuleViolations(
                [Violation("scenario", "unknown-scenario", "there is no such scenario")]
            ) from error
        agreements = Agreements.of_lists(body.options, body.barred, body.allowed)
        class_names = chosen_class_names(
            stored_scenario(scenario), body.class_names, fixture_class_names()
        )
        campaign = campaign_open(
            user=user,
            scenario=scenario,
            name=body.name,
            timetable=timetable,
            play=body.play,
            umpire=body.umpire,
            admirals=body.admirals,
            battles=body.battles,
            markers=Markers(body.open_play, body.dummies),
            agreements=replace(agreements, class_names=class_names),
            bots=body.bots,
            beacon=body.beacon,
            messages=MessageRules(body.messages, body.umpire_reads),
            rollbacks=RollbackRules(body.rollback, body.rollback_consent),
        )
        public_id = str(campaign.public_id)
        sheet = campaign_sheet(viewer_of(user, public_id))
        return json_response(sheet, 201, location=reverse("api-campaign", args=[public_id]))


class CampaignResource(Resource):
    """A campaign in which the caller has a seat."""

    @documented(
        "campaign", "A campaign, and the caller's role in it", {200: CampaignSheet}, problems=(404,)
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return what all members know, the caller's seat, and the caller's next task."""
        return json_response(campaign_sheet(self.viewer(campaign)))


class StartResource(Resource):
    """The start of the war."""

    @documented(
        "campaign_start",
        "Start the war",
        {201: StageSheet},
        body_type=Starting,
        problems=(404,),
        writes=True,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Begin the war as a host, and return the deployment, open for orders.

        Factions without players get a computer admiral. 409 if the war has begun; 403 if no faction
        has a player and the body does not say `unattended`, or if `computers` does not name a
        faction without players.
        """
        viewer = self.viewer(campaign, host=True)
        body = body_of(request, Starting)
        stage = campaign_begin(viewer=viewer, computers=body.computers, unattended=body.unattended)
        return json_response(stage_sheet(viewer.campaign, stage), 201)


class StageListResource(Resource):
    """The stages of the head branch."""

    @documented("stages", "All stages so far, oldest first", {200: StageList}, problems=(404,))
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the public stages of the weeks, without those of online battles."""
        viewer = self.viewer(campaign)
        stages = stages_of(viewer.campaign)
        return json_response(StageList([stage_sheet(viewer.campaign, row) for row in stages]))


class RulesResource(Resource):
    """The rules of the war."""

    @documented(
        "rules",
        "The version of the war's rules, and what newer ones would change",
        {200: RulesSheet},
        problems=(404,),
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the rules' version, past and coming changes, and what the newest would change."""
        return json_response(rules_sheet(self.viewer(campaign).campaign))


class LedgerResource(Resource):
    """The public ledger."""

    @documented(
        "ledger", "The public ledger, oldest row first", {200: LedgerSheet}, problems=(404,)
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the rows of published stages; each contains the hash of the one before.

        When the story may be told, what the first row's hash covers is published too, and a last
        row with the seed.
        """
        war = self.viewer(campaign).campaign
        rows = played_on_line(LedgerRow.objects.all(), war.head_branch_id or 0, "seq")
        lines = []
        for row in public_ledger(rows.order_by("seq"), timezone.now()):
            lines.append(LedgerLine(row.seq, row.body, row.prev_hash, row.hash))
        return json_response(LedgerSheet(ledger_opening(war), lines, _end_line(war)))


class LedgerHeadResource(Resource):
    """The head of the public ledger."""

    @documented(
        "ledger_head",
        "The signed head of the public ledger",
        {200: LedgerHead},
        problems=(404,),
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return one hash over the rows of published stages, signed by the site.

        A head that you keep contradicts every later change of these rows. 404 before the first row.
        """
        head = ledger_head(self.viewer(campaign).campaign)
        if head is None:
            raise NotFound("the ledger has no row yet")
        return json_response(head)


class LedgerProofsResource(Resource):
    """Proofs that a row of the ledger covers what the caller knows."""

    @documented(
        "ledger_proofs",
        "Proofs that a row of the ledger covers what you know",
        {200: LedgerProofs},
        problems=(404,),
    )
    def get(self, request: Request, campaign: str, number: int) -> HttpResponse:
        """Return proofs of your view, reports, orders and battles, and of the acts of all.

        Their number does not depend on what others did. 404 for rows of release 1.0.
        """
        row, proofs = leaf_proofs(self.viewer(campaign), number, timezone.now())
        lines = []
        for proof in proofs:
            lines.append(
                LedgerProof(
                    name=proof.name,
                    digest=proof.digest,
                    blind=proof.blind,
                    index=proof.index,
                    size=proof.size,
                    hashes=list(proof.hashes),
                )
            )
        return json_response(LedgerProofs(row.seq, row.body["outcome"], lines))


def ledger_head(campaign: Campaign) -> LedgerHead | None:
    """Return the head of a war's ledger; None before its first row."""
    head = head_of(campaign)
    if head is None:
        return None
    checkpoint = head.checkpoint
    return LedgerHead(checkpoint.size, checkpoint.root.hex(), checkpoint.short_name, head.note)


def ledger_opening(campaign: Campaign) -> LedgerOpening | None:
    """Return what a war's ledger began with; None until its story is public.

    The scenario contains the objectives of all factions, which forks share.
    """
    if not may_be_public(campaign=campaign):
        return None
    return LedgerOpening(
        genesis=genesis_parts(campaign),
        salt=salt_of(campaign) if has_salted_scenario(campaign) else None,
        scenario=campaign.scenario.body,
    )


def _end_line(campaign: Campaign) -> LedgerLine | None:
    """Return the row with which a war's ledger ends; None before its seed is published."""
    row = end_row_of(campaign)
    if row is None:
        return None
    return LedgerLine(row.body["seq"], row.body, row.prev_hash, row.hash)


def rules_sheet(campaign: Campaign) -> RulesSheet:
    """Return the rules of a war as all members may know them."""
    record = rules_now(campaign)
    stage = newest_stage_of(campaign)
    week = 0 if stage is None else stage.week
    coming = record.next_change_over(week)
    everywhere = []
    for version in record.changes_in_every_war():
        for words in version.everywhere:
            everywhere.append(RuleChange(version.number, words))
    return RulesSheet(
        first_version=record.first_version,
        now=record.version_in(week),
        recorded=record.recorded_version(week),
        newest=NEWEST,
        known_versions=list(played_versions()),
        coming=None if coming is None else _changeover(coming),
        past=[_changeover(change) for change in record.past_change_overs(week)],
        changes=[RuleChange(change.since, change.words) for change in record.newest_changes(week)],
        everywhere=everywhere,
    )


def _changeover(change: ChangeOver) -> RulesChangeover:
    return RulesChangeover(
        week=change.week,
        before=change.before,
        after=change.after,
        by=change.by or None,
        at=change.at,
    )


def campaign_lines(user: Any) -> list[CampaignLine]:
    """Return a user's campaigns by name; the number of queries does not depend on theirs."""
    campaigns = {}
    for own_campaign in campaigns_of(user):
        campaigns[str(own_campaign.campaign.public_id)] = own_campaign
    seats = []
    members = []
    for part in parts_of(user):
        if part.campaign in campaigns:
            own_campaign = campaigns[part.campaign]
            seats.append((part, own_campaign))
            members.append(
                Member(
                    campaign=own_campaign.campaign,
                    roles=own_campaign.roles,
                    faction=own_campaign.faction,
                    stage=own_campaign.stage,
                    sealed=own_campaign.sealed,
                )
            )
    lines: list[CampaignLine] = []
    for (part, own_campaign), action in zip(seats, next_actions_of(members), strict=True):
        campaign = own_campaign.campaign
        stage = own_campaign.stage
        lines.append(
            CampaignLine(
                campaign=part.campaign,
                name=part.name,
                roles=part.roles,
                faction=part.faction,
                state=_state(campaign.started_at is not None, stage is not None),
                paused=campaign.paused_at is not None,
                stage=None if stage is None else stage_sheet(campaign, stage),
                wants=_wants(action),
            )
        )
    return lines


def _state(has_begun: bool, has_open_stage: bool) -> WarState:
    """Return the state of a war."""
    if not has_begun:
        return "lobby"
    if has_open_stage:
        return "war"
    return "over"


def _list_or_none(words: tuple[str, ...] | None) -> list[str] | None:
    """Return words as a list, None if there are none to list."""
    return None if words is None else list(words)


def campaign_sheet(viewer: Viewer) -> CampaignSheet:
    """Return a campaign as its members know it."""
    campaign = viewer.campaign
    newest_stage = newest_stage_of(viewer.campaign)
    waiting_stage = newest_stage
    if newest_stage is not None and newest_stage.status == StageStatus.RESOLVED:
        waiting_stage = None
    week = 0 if newest_stage is None else newest_stage.week
    scenario = scenario_of(campaign)
    factions = Faction.objects.filter(campaign_id=campaign.pk).order_by("key")
    message_rules = message_rules_of(campaign)
    rollback_rules = rollback_rules_of(campaign.ruleset)
    return CampaignSheet(
        id=str(campaign.public_id),
        name=campaign.name,
        scenario=campaign.scenario.slug,
        scenario_version=campaign.scenario.version,
        edition=campaign.ruleset["edition"],
        options=campaign.ruleset["options"],
        barred=list(scenario.restrictions.barred),
        allowed=_list_or_none(scenario.restrictions.allowed),
        open_play=scenario.open_play,
        dummies=scenario.dummies,
        bots=bots_allowed(campaign),
        beacon=has_beacon(campaign.ruleset),
        messages=message_rules.mode,
        umpire_reads=message_rules.umpire_reads,
        rollback=rollback_rules.power,
        rollback_consent=rollback_rules.consent,
        rules_version=rules_now(campaign).version_in(week),
        battles=battle_setting_of(campaign),
        timetable=campaign.timetable,
        seed_sha256=campaign.seed_sha256,
        state=_state(newest_stage is not None, waiting_stage is not None),
        paused=campaign.paused_at is not None,
        stage=None if waiting_stage is None else stage_sheet(campaign, waiting_stage),
        factions=[Power(row.key, row.name, row.alliance or None) for row in factions],
        roles=sorted(viewer.roles),
        faction=None if viewer.faction is None else viewer.faction.key,
        guest_of=None if viewer.guest_of is None else viewer.guest_of.key,
        ledger_head=ledger_head(campaign),
        wants=_wants_of(viewer, waiting_stage),
    )


def _wants_of(viewer: Viewer, stage: Stage | None) -> WantedAction:
    """Return what the campaign needs from the caller, as on their pages.

    Args:
        stage: The stage that waits.
    """
    faction = viewer.faction
    member = Member(
        campaign=viewer.campaign,
        roles=viewer.roles,
        faction=faction,
        stage=stage,
        sealed=stage is not None and faction is not None and is_sealed(stage, faction),
    )
    return _wants(next_action_of(member))


def _wants(action: NextAction) -> WantedAction:
    return WantedAction(
        task=action.task,
        due=action.due,
        closes=action.closes,
        battle=None if action.battle is None else action.battle.id,
        decision_count=action.decision_count,
    )


def _timetable(body: CampaignNew) -> dict[str, Any]:
    """Return the requested timetable. Raises RuleViolations for an unknown name."""
    if not isinstance(body.timetable, str):
        return {"schema": 1, "zone": body.zone, **body.timetable}
    if body.timetable not in TIMETABLES:
        words = f"must be one of {', '.join(TIMETABLES)}, or a table"
        raise RuleViolations([Violation("timetable", "unknown-timetable", words)])
    return timetable_of(body.timetable, body.zone)
