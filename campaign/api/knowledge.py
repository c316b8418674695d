"""API resources for what the caller's faction knows: map, view, fleets, contacts, reports, battles.

All of it comes from `campaign.sight`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast

from django.http import HttpResponse
from django.utils import translation
from rest_framework.request import Request

from campaign.api.battle_outcomes import BattleOutcome, battle_outcome
from campaign.api.requests import choice_in, number_in
from campaign.api.resource import (
    Resource,
    json_response,
    json_response_if_changed,
    language_for,
    played_faction,
    sight_in_stage,
    visible_faction,
)
from campaign.api.schema import STAGE_QUERY, Query, documented
from campaign.errors import NotFound
from campaign.kinds import StageKind, StageText, values_of
from campaign.models.campaign import Campaign, Faction
from campaign.rules.scenario import Link, StarSystem
from campaign.rules.set_up_sheets import known_file
from campaign.rules.starmap import reachable_hexes
from campaign.rules.system_mines import place_in_mu
from campaign.rules.view import Fleet, HostileContact, Marker, OpenDecision, Ship, Sighting, View
from campaign.services.view_openings import view_opening_record
from campaign.sight.reports import (
    BattleSummary,
    ReportSummary,
    list_battles,
    list_reports,
    read_battle_report,
    read_report,
)
from campaign.sight.views import Sight, current_sight
from campaign.store.documents import scenario_of
from campaign.words.languages import in_language
from campaign.words.reasons_in_english import phases_with_texts, report_with_texts, view_with_texts
from campaign.words.report_words import report_lines
from engine.core.errors import RuleViolations, Violation

# Describes a resource that shows a part of a view, now or at an earlier stage.
_documented_sight = partial(
    documented, query=STAGE_QUERY, etag="read", problems=(404, 422), tag="knowledge"
)

Kind = Literal["stage", "battle"]
STAGES = values_of(StageKind)
FLEET = Query("fleet", "The key of one of the faction's fleets, such as ember/f1.", needed=True)
OF_WEEK = Query("week", "Only reports of this week.", number=True)


@dataclass(frozen=True, slots=True)
class MapSheet:
    """The public map: hexes CCRR, flat top, odd columns up."""

    columns: int
    rows: int
    hexes_per_week: int
    systems: list[StarSystem]
    links: list[Link]
    closed: list[str]


@dataclass(frozen=True, slots=True)
class Step:
    """A hex and its distance in steps."""

    hex: str
    steps: int


@dataclass(frozen=True, slots=True)
class ReachSheet:
    """The hexes to which a fleet may move this week."""

    fleet: str
    hexes: list[Step]


@dataclass(frozen=True, slots=True)
class ViewSheet:
    """All that a faction knew when the stage of `view` was open."""

    seq: int
    view: View


@dataclass(frozen=True, slots=True)
class FleetList:
    """The faction's fleets at a stage.

    Attributes:
        dummies: Its dummy counters, in open play.
    """

    week: int
    stage: StageText
    fleets: tuple[Fleet, ...]
    dummies: tuple[Fleet, ...]


@dataclass(frozen=True, slots=True)
class ShipList:
    """The faction's ships at a stage."""

    week: int
    stage: StageText
    ships: tuple[Ship, ...]


@dataclass(frozen=True, slots=True)
class MineLine:
    """A mine that the faction knows.

    Attributes:
        own: Whether it is the faction's own. Markers of others do not show whose they are.
        at: Its place: MU to the right of the middle of the table, and up.
        week: When the faction last knew it to be there; the present week for its own.
    """

    system: str
    own: bool
    at: list[float]
    week: int


@dataclass(frozen=True, slots=True)
class MineList:
    """The mines that the faction knew at a stage: its own, and others as last seen."""

    week: int
    stage: StageText
    mines: list[MineLine]


@dataclass(frozen=True, slots=True)
class SetUpLine:
    """A battle of this week for which the faction's ships can be placed.

    Attributes:
        side: The name of the faction's side.
        file: The battle file with the zones of all sides (`deployment`), and the faction's own
            ships where its captain places them if its orders do not.
    """

    hex: str
    side: str
    file: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ContactSheet:
    """The faction's scans and contacts at a stage.

    Attributes:
        sightings: What it scanned.
        in_contact: Hostile factions in contact with it.
        open_decisions: What it has to decide.
        fighting: Hexes in which it has a battle.
        set_ups: The battles for which it can place its ships.
        markers: All factions' markers, in open play.
    """

    week: int
    stage: StageText
    sightings: tuple[Sighting, ...]
    in_contact: tuple[HostileContact, ...]
    open_decisions: tuple[OpenDecision, ...]
    fighting: tuple[str, ...]
    set_ups: list[SetUpLine]
    markers: tuple[Marker, ...]


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report to the caller's faction.

    Attributes:
        stage: The stage that it reports on.
    """

    id: str
    seq: int
    week: int
    stage: str
    kind: Literal["stage", "battle"]


@dataclass(frozen=True, slots=True)
class ReportList:
    """Reports, oldest first."""

    reports: list[ReportLine]


@dataclass(frozen=True, slots=True)
class ReportWords:
    """A sentence of a report.

    Attributes:
        code: Code of the notice, or `battle`.
        hex: Where it happened; empty for the whole map.
        place: The name of that place.
        tone: good, bad, warm (of note), info or empty.
    """

    code: str
    hex: str
    place: str
    words: str
    tone: str


@dataclass(frozen=True, slots=True)
class ReportSheet:
    """A report.

    Attributes:
        lines: The sentences of its page, place by place, in the language of `Accept-Language`, or
            else of the caller's account.
        body: That of a stage has `notices`; that of a battle has the fields of the battle resource.
    """

    id: str
    seq: int
    week: int
    stage: str
    kind: Literal["stage", "battle"]
    lines: list[ReportWords]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class BattleLine:
    """A battle of the caller's faction.

    Attributes:
        side: The name of its side.
        winner: The name of a side, or null.
    """

    id: str
    seq: int
    week: int
    hex: str
    side: str
    turns: int
    winner: str | None


@dataclass(frozen=True, slots=True)
class BattleList:
    """Battles, oldest first."""

    battles: list[BattleLine]


@dataclass(frozen=True, slots=True)
class BattleSheet:
    """A battle as the caller's side saw it.

    Attributes:
        outcome: What decided it.
        chain: The hashes of the phases.
        phases: What the side saw in each phase.
    """

    id: str
    seq: int
    week: int
    hex: str
    side: str
    turns: int
    winner: str | None
    outcome: BattleOutcome
    chain: list[str]
    phases: list[dict[str, Any] | None]


class MapResource(Resource):
    """The public map."""

    @documented(
        "map", "The public map", {200: MapSheet}, etag="read", problems=(404,), tag="knowledge"
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return systems, jump links and closed hexes.

        They are the same for all callers, so the ETag never changes during a war.
        """
        row = self.viewer(campaign).campaign
        scenario = scenario_of(row)
        sheet = MapSheet(
            columns=scenario.columns,
            rows=scenario.rows,
            hexes_per_week=scenario.hexes_per_week,
            systems=list(scenario.systems),
            links=list(scenario.links),
            closed=list(scenario.closed),
        )
        return json_response_if_changed(request, sheet, str(row.public_id))


class ReachResource(Resource):
    """The hexes to which a fleet may move."""

    @documented(
        "reach",
        "Where one of the faction's fleets may move this week",
        {200: ReachSheet},
        query=(FLEET,),
        problems=(404, 422),
        tag="knowledge",
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the hexes, ordered by label; none for a fleet that cannot move or after the war.

        Fleets of other factions are 404.
        """
        viewer = self.viewer(campaign, play=True)
        sight_now = current_sight(viewer.campaign, played_faction(viewer))
        fleet = request.query_params.get("fleet")
        if fleet is None:
            raise RuleViolations([Violation("fleet", "missing", "is missing")])
        if all(mine.key != fleet for mine in (*sight_now.view.fleets, *sight_now.view.dummies)):
            raise NotFound("there is no such fleet")
        hexes: list[Step] = []
        if sight_now.view.stage != StageKind.OVER:
            scenario = scenario_of(viewer.campaign)
            for label, steps in reachable_hexes(scenario, sight_now.view, fleet):
                hexes.append(Step(label, steps))
        return json_response(ReachSheet(fleet, hexes))


class _SightResource(Resource):
    """A part of a view, now or at an earlier stage."""

    def requested_sight(self, request: Request, campaign: str) -> Sight:
        """Return what the caller's faction knows now, or knew at the week and stage queried."""
        viewer = self.viewer(campaign, see=True)
        sight = sight_for_query(request, viewer.campaign, visible_faction(viewer))
        view_opening_record(viewer=viewer, seq=sight.seq)
        return sight


class ViewResource(_SightResource):
    """All that the caller's faction knows."""

    @_documented_sight(
        "view",
        "All that the faction knows",
        {200: ViewSheet},
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the whole view now, or at the week and stage of the query."""
        sight_now = self.requested_sight(request, campaign)
        return json_response_if_changed(
            request, ViewSheet(sight_now.seq, view_with_texts(sight_now.view)), sight_now.etag
        )


class FleetListResource(_SightResource):
    """The caller's fleets."""

    @_documented_sight(
        "fleets",
        "The faction's fleets",
        {200: FleetList},
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the faction's fleets and dummy counters, now or at the queried week and stage."""
        sight_now = self.requested_sight(request, campaign)
        view = sight_now.view
        return json_response_if_changed(
            request, FleetList(view.week, view.stage, view.fleets, view.dummies), sight_now.etag
        )


class ShipListResource(_SightResource):
    """The caller's ships."""

    @_documented_sight(
        "ships",
        "The faction's ships",
        {200: ShipList},
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the faction's ships with damage and stock, now or at the queried stage."""
        sight_now = self.requested_sight(request, campaign)
        return json_response_if_changed(
            request,
            ShipList(sight_now.view.week, sight_now.view.stage, sight_now.view.ships),
            sight_now.etag,
        )


class MineListResource(_SightResource):
    """The mines that the caller's faction knows."""

    @_documented_sight(
        "mines",
        "The mines that the faction knows",
        {200: MineList},
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the faction's mines, and those of others as last seen, now or at that stage."""
        sight_now = self.requested_sight(request, campaign)
        view = sight_now.view
        mines = []
        for mine in view.mines:
            is_own = mine.faction == view.faction
            mines.append(MineLine(mine.system, is_own, place_in_mu(mine), mine.week))
        sheet = MineList(view.week, view.stage, mines)
        return json_response_if_changed(request, sheet, sight_now.etag)


class ContactResource(_SightResource):
    """The scans and contacts of the caller's faction."""

    @_documented_sight(
        "contacts",
        "Long range scans and contacts of the faction",
        {200: ContactSheet},
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return scans, contacts, decisions and battles, now or at the queried stage."""
        viewer = self.viewer(campaign, see=True)
        sight_now = self.requested_sight(request, campaign)
        view = sight_now.view
        scenario = scenario_of(viewer.campaign)
        set_ups = []
        for set_up in view.set_ups:
            file: dict[str, Any] = {**known_file(scenario, view, set_up)}
            set_ups.append(SetUpLine(set_up.hex, set_up.side, file))
        sheet = ContactSheet(
            week=view.week,
            stage=view.stage,
            sightings=view.sightings,
            in_contact=view.in_contact,
            open_decisions=view.open_decisions,
            fighting=view.fighting,
            set_ups=set_ups,
            markers=view.markers,
        )
        return json_response_if_changed(request, sheet, sight_now.etag)


class ReportListResource(Resource):
    """The reports to the caller's faction."""

    @documented(
        "reports",
        "The faction's reports, oldest first",
        {200: ReportList},
        query=(OF_WEEK,),
        problems=(404, 422),
        tag="knowledge",
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return a summary of each report; read its body by its id."""
        viewer = self.viewer(campaign, see=True)
        week = number_in(request, "week")
        reports = list_reports(viewer.campaign, visible_faction(viewer))
        return json_response(
            ReportList([_line(item) for item in reports if week is None or item.week == week])
        )


class ReportResource(Resource):
    """One report."""

    @documented("report", "One report", {200: ReportSheet}, problems=(404,), tag="knowledge")
    def get(self, request: Request, campaign: str, report: str) -> HttpResponse:
        """Return the complete report. Reports to other factions are 404."""
        viewer = self.viewer(campaign, see=True)
        faction = visible_faction(viewer)
        line = next(
            (_line(item) for item in list_reports(viewer.campaign, faction) if item.id == report),
            None,
        )
        if line is None:
            raise NotFound("there is no such report")
        body = read_report(viewer.campaign, faction, report)
        view_opening_record(viewer=viewer, seq=line.seq)
        language = language_for(request)
        with translation.override(language):
            sentences = report_lines(scenario_of(viewer.campaign), faction.key, body)
            lines = []
            for sentence in sentences:
                lines.append(
                    ReportWords(
                        code=sentence.code,
                        hex=sentence.hex,
                        place=in_language(sentence.place),
                        words=in_language(sentence.words),
                        tone=sentence.tone,
                    )
                )
        report_body = report_with_texts(body)
        response = json_response(
            ReportSheet(
                id=line.id,
                seq=line.seq,
                week=line.week,
                stage=line.stage,
                kind=line.kind,
                lines=lines,
                body=report_body,
            )
        )
        response.headers["Content-Language"] = language
        return response


class BattleListResource(Resource):
    """The battles of the caller's faction."""

    @documented(
        "battles",
        "The faction's battles, oldest first",
        {200: BattleList},
        problems=(404,),
        tag="knowledge",
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return a summary of each battle reported to the faction; read its phases by its id."""
        viewer = self.viewer(campaign, see=True)
        return json_response(
            BattleList(
                [_battle(item) for item in list_battles(viewer.campaign, visible_faction(viewer))]
            )
        )


class BattleResource(Resource):
    """One battle, phase by phase."""

    @documented(
        "battle",
        "A battle as the side saw it",
        {200: BattleSheet},
        problems=(404,),
        tag="knowledge",
    )
    def get(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Return all phases as the faction's side saw them, with the hashes that chain them."""
        viewer = self.viewer(campaign, see=True)
        faction = visible_faction(viewer)
        summary, seq, body = read_battle_report(viewer.campaign, faction, battle)
        return json_response(
            BattleSheet(
                id=body["battle"],
                seq=seq,
                week=summary.week,
                hex=body["hex"],
                side=body["side"],
                turns=body["turns"],
                winner=body["winner"],
                outcome=battle_outcome(viewer.campaign, faction, summary.week, seq, body),
                chain=body["chain"],
                phases=phases_with_texts(body["phases"]),
            )
        )


def sight_for_query(request: Request, campaign: Campaign, faction: Faction) -> Sight:
    """Return what a faction knows now, or knew at the week and stage of the query."""
    return sight_in_stage(
        campaign, faction, number_in(request, "week"), choice_in(request, "stage", STAGES)
    )


def _line(summary: ReportSummary) -> ReportLine:
    return ReportLine(
        id=summary.id,
        seq=summary.seq,
        week=summary.week,
        stage=summary.stage,
        kind=cast(Kind, summary.kind),
    )


def _battle(summary: BattleSummary) -> BattleLine:
    return BattleLine(
        id=summary.id,
        seq=summary.seq,
        week=summary.week,
        hex=summary.hex,
        side=summary.side,
        turns=summary.turns,
        winner=summary.winner,
    )
