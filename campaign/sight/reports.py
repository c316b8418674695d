"""A faction's reports of stages and battles, and the sheets of battles that it fights itself."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, cast

from django.db import models
from django.db.models import QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone

from campaign.errors import NotFound
from campaign.lineage import of_line, played_on_line
from campaign.models.campaign import Campaign, Faction
from campaign.models.knowledge import BATTLE_REPORT, PHASE_SHEET, STAGE_REPORT, TABLE_SHEET, Report
from campaign.sight.views import faction_of, newest_seq, viewer_in
from campaign.store.battle_documents import PhaseSheet
from campaign.store.documents import report_body
from campaign.store.prepared import PreparedValues
from campaign.store.publication import public_outcomes
from engine.core.cache import Cache
from engine.core.phrase import phrase


def _sheet_rows(
    branches: Collection[int], factions: Collection[int], weeks: Collection[int], now: datetime
) -> QuerySet[Report, Any]:
    """Return the sheets of battles to fight of these branches, factions and weeks.

    Rows are (branch, faction, week, battle, hex, kind, number, turn).
    """
    rows = Report.objects.filter(
        branch_id__in=branches,
        faction_id__in=factions,
        kind__in=(PHASE_SHEET, TABLE_SHEET),
        week__in=weeks,
    )
    texts = KT("body__battle"), KT("body__hex"), KT("body__kind")
    return public_outcomes(rows, now).values_list(
        "branch_id", "faction_id", "week", *texts, "body__number", "body__turn"
    )


# A branch, a faction, the number of its newest report, and the time now.
SIGHT_UP_TO = (
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.PositiveIntegerField(),
    models.DateTimeField(),
)
# The id, week, stage, kind and number of a report.
HEADINGS = (
    models.UUIDField(),
    models.PositiveSmallIntegerField(),
    models.CharField(),
    models.CharField(),
    models.PositiveIntegerField(),
)


def _of_faction(branch: int, faction: int, now: datetime, **conditions: Any) -> QuerySet[Report]:
    """Return the public reports of a faction on a line that meet further conditions."""
    rows = Report.objects.filter(
        faction_id=faction, kind__in=(STAGE_REPORT, BATTLE_REPORT), **conditions
    )
    return public_outcomes(of_line(rows, branch), now)


def _sheets_of(branch: int, faction: int, kind: Any, now: datetime) -> QuerySet[Report]:
    """Return the sheets of a kind that were handed to a faction on a line.

    They are written during the stage that begins from their snapshot, not with the snapshot.
    """
    rows = Report.objects.filter(faction_id=faction, kind=kind)
    return public_outcomes(played_on_line(rows, branch, "seq"), now)


REPORTS = PreparedValues(
    lambda branch, faction, seq, now: (
        _of_faction(branch, faction, now, seq__lte=seq)
        .order_by("seq", "kind", "subject")
        .values_list("public_id", "week", "stage", "kind", "seq")
    ),
    parameters=SIGHT_UP_TO,
    columns=HEADINGS,
)
REPORT = PreparedValues(
    lambda faction, public_id, now: public_outcomes(
        Report.objects.filter(faction_id=faction, public_id=public_id), now
    ).values_list("kind", "schema", "body")[:1],
    parameters=(models.BigIntegerField(), models.UUIDField(), models.DateTimeField()),
    columns=(models.CharField(), models.PositiveSmallIntegerField(), models.JSONField()),
)
BATTLES = PreparedValues(
    lambda branch, faction, seq, now: (
        _of_faction(branch, faction, now, seq__lte=seq)
        .filter(kind=BATTLE_REPORT)
        .order_by("seq", "subject")
        # KT returns text; SQLite would return a hex such as "1705" as a number.
        .values_list(
            *(KT("body__battle"), "week", KT("body__hex"), KT("body__side")),
            *("body__turns", "body__winner", "seq"),
        )
    ),
    parameters=SIGHT_UP_TO,
    columns=(
        models.TextField(),
        models.PositiveSmallIntegerField(),
        models.TextField(),
        models.TextField(),
        models.JSONField(),
        models.JSONField(),
        models.PositiveIntegerField(),
    ),
)
SHEETS = PreparedValues(
    lambda branch, faction, kind, now: (
        _sheets_of(branch, faction, kind, now)
        .order_by("seq", "pk")
        .values_list("public_id", "week", "stage", "kind", "seq", "schema", "body")
    ),
    parameters=(
        models.BigIntegerField(),
        models.BigIntegerField(),
        models.CharField(),
        models.DateTimeField(),
    ),
    columns=(*HEADINGS, models.PositiveSmallIntegerField(), models.JSONField()),
)
PHASES = PreparedValues(
    lambda branch, faction, now: (
        _sheets_of(branch, faction, PHASE_SHEET, now)
        .order_by("seq", "pk")
        .values_list(
            *("week", KT("body__battle"), KT("body__hex"), KT("body__side"), KT("body__kind")),
            *("body__number", "body__turn", "body__needs_orders"),
        )
    ),
    parameters=(models.BigIntegerField(), models.BigIntegerField(), models.DateTimeField()),
    columns=(
        models.PositiveSmallIntegerField(),
        models.TextField(),
        models.TextField(),
        models.TextField(),
        models.TextField(),
        models.JSONField(),
        models.JSONField(),
        models.JSONField(),
    ),
)
PHASE = PreparedValues(
    lambda branch, faction, battle, number, now: (
        _sheets_of(branch, faction, PHASE_SHEET, now)
        .annotate(
            battle=Cast(KT("body__battle"), models.TextField()),
            number=Cast(KT("body__number"), models.PositiveIntegerField()),
        )
        .filter(battle=battle, number=number)
        .order_by("pk")
        .values_list("schema", "body")[:1]
    ),
    parameters=(
        models.BigIntegerField(),
        models.BigIntegerField(),
        models.CharField(),
        models.PositiveIntegerField(),
        models.DateTimeField(),
    ),
    columns=(models.PositiveSmallIntegerField(), models.JSONField()),
)
SHEETS_OF_ONE_FACTION = PreparedValues(
    lambda branch, faction, week, now: _sheet_rows((branch,), (faction,), (week,), now),
    parameters=(
        models.BigIntegerField(),
        models.BigIntegerField(),
        models.PositiveSmallIntegerField(),
        models.DateTimeField(),
    ),
    columns=(
        models.BigIntegerField(),
        models.BigIntegerField(),
        models.PositiveSmallIntegerField(),
        models.TextField(),
        models.TextField(),
        models.TextField(),
        models.JSONField(),
        models.JSONField(),
    ),
)
OVER = "over"  # the kind of the last sheet of an online battle


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """A report addressed to the viewer's faction.

    Attributes:
        id: The public id with which `read_report` returns the body.
        seq: The number of the snapshot with which it was written.
    """

    id: str
    week: int
    stage: str
    kind: str
    seq: int


@dataclass(frozen=True, slots=True)
class BattleSummary:
    """A battle of the viewer's faction and how it ended.

    Attributes:
        id: The faction's own id of the battle.
        side: The name of the faction's side.
    """

    id: str
    week: int
    hex: str
    side: str
    turns: int
    winner: str | None
    seq: int


@dataclass(frozen=True, slots=True)
class PhaseSummary:
    """A phase of an online battle as the viewer's faction knows it.

    Attributes:
        battle: The faction's own id of the battle.
        number: The number of the phase, from 0.
        kind: plot, fighters, engage or over.
        is_asked: Whether the phase waits for the faction's orders.
    """

    battle: str
    week: int
    hex: str
    side: str
    number: int
    turn: int
    kind: str
    is_asked: bool


@dataclass(frozen=True, slots=True)
class NewestSheet:
    """The newest sheet of a battle that a faction fights itself.

    A battle at a table has a single sheet.

    Attributes:
        place: The primary keys of branch and faction.
    """

    place: tuple[int, int]
    hex: str
    number: int
    turn: int
    is_over: bool


# By campaign, branch, faction and the number of its newest view: no report of an earlier stage is
# added later. Each saves a query on every page that lists reports or battles.
_report_cache: Cache[tuple[str, int, int, int], tuple[ReportSummary, ...]] = Cache(512)
_battle_cache: Cache[tuple[str, int, int, int], tuple[BattleSummary, ...]] = Cache(512)


def list_reports(campaign: Campaign, faction: Faction | None) -> tuple[ReportSummary, ...]:
    """Return a faction's reports of stages and battles on the head branch, oldest first.

    Raises:
        NoViewer: The faction is none of this campaign.
    """
    up_to = _up_to(campaign, faction)
    return () if up_to is None else _reports_up_to(campaign, up_to)


def read_report(campaign: Campaign, faction: Faction | None, id: str) -> dict[str, Any]:
    """Return the body of a report to a faction.

    Raises:
        NotFound: The report is hidden or does not exist; both look alike.
    """
    viewer = faction_of(campaign, faction)
    try:
        public_id = uuid.UUID(id)
    except ValueError as error:
        raise NotFound(phrase("there is no such report")) from error
    rows = REPORT.tuples(viewer.pk, public_id, timezone.now())
    if not rows:
        raise NotFound(phrase("there is no such report"))
    return report_body(*rows[0])


def list_battles(campaign: Campaign, faction: Faction | None) -> tuple[BattleSummary, ...]:
    """Return a faction's battles, oldest first; `read_battle_report` returns their reports.

    Raises:
        NoViewer: The faction is none of this campaign.
    """
    up_to = _up_to(campaign, faction)
    return () if up_to is None else _battles_up_to(campaign, up_to)


def list_reports_and_battles(
    campaign: Campaign, faction: Faction | None
) -> tuple[tuple[ReportSummary, ...], tuple[BattleSummary, ...]]:
    """Return what `list_reports` and `list_battles` return, with one query less.

    Raises:
        NoViewer: The faction is none of this campaign.
    """
    up_to = _up_to(campaign, faction)
    if up_to is None:
        return (), ()
    return _reports_up_to(campaign, up_to), _battles_up_to(campaign, up_to)


def read_battle_report(
    campaign: Campaign, faction: Faction | None, id: str
) -> tuple[ReportSummary, int, dict[str, Any]]:
    """Return the report of a battle, by the faction's own id of it, on whatever timeline.

    Returns:
        The summary of the report, the seq of its snapshot, and its body.

    Raises:
        NotFound: The battle is hidden or does not exist; both look alike.
    """
    viewer = faction_of(campaign, faction)
    rows = Report.objects.filter(faction_id=viewer.pk, kind=BATTLE_REPORT)
    reports = public_outcomes(rows, timezone.now())
    try:
        row = reports.filter(body__battle=str(uuid.UUID(id))).first()
    except ValueError as error:
        raise NotFound(phrase("there is no such battle")) from error
    if row is None:
        raise NotFound(phrase("there is no such battle"))
    summary = ReportSummary(
        id=str(row.public_id), week=row.week, stage=row.stage, kind=row.kind, seq=row.seq
    )
    return summary, row.seq, report_body(row.kind, row.schema, row.body)


def list_sheets(
    campaign: Campaign, faction: Faction | None, kind: str
) -> tuple[tuple[ReportSummary, dict[str, Any]], ...]:
    """Return the sheets of a kind that a faction was handed, with their bodies, oldest first.

    Raises:
        NoViewer: The faction is none of this campaign.
    """
    rows = SHEETS.tuples(*viewer_in(campaign, faction), kind, timezone.now())
    sheets: list[tuple[ReportSummary, dict[str, Any]]] = []
    for public_id, week, stage, row_kind, seq, schema, body in rows:
        summary = ReportSummary(id=str(public_id), week=week, stage=stage, kind=row_kind, seq=seq)
        sheets.append((summary, report_body(row_kind, schema, body)))
    return tuple(sheets)


def list_phases(campaign: Campaign, faction: Faction | None) -> tuple[PhaseSummary, ...]:
    """Return the phases of a faction's online battles, battle by battle, earliest first.

    Raises:
        NoViewer: The faction is none of this campaign.
    """
    rows = PHASES.tuples(*viewer_in(campaign, faction), timezone.now())
    summaries = []
    for week, battle, hex_, side, kind, number, turn, is_asked in rows:
        summaries.append(
            PhaseSummary(
                battle=battle,
                week=week,
                hex=hex_,
                side=side,
                number=number,
                turn=turn,
                kind=kind,
                is_asked=bool(is_asked),
            )
        )
    return tuple(sorted(summaries, key=attrgetter("week", "hex", "battle", "number")))


def read_phase(campaign: Campaign, faction: Faction | None, battle: str, number: int) -> PhaseSheet:
    """Return the sheet that a faction was handed in a phase, by its own id of the battle.

    Raises:
        NotFound: There is no such phase for this faction.
        NoViewer: The faction is none of this campaign.
    """
    rows = PHASE.tuples(*viewer_in(campaign, faction), battle, number, timezone.now())
    if not rows:
        raise NotFound(phrase("there is no such battle"))
    return cast("PhaseSheet", report_body(PHASE_SHEET, *rows[0]))


def phase_outlines(
    campaign: Campaign, faction: Faction | None, battle: str
) -> list[dict[str, Any]]:
    """Return what naming ships and contacts needs from the phases of a battle, earliest first.

    Returns:
        {turn, stop, own, contacts, log} for each phase; `stop` is its kind, and `log` covers what
        happened before it.
    """
    reports = _phase_sheets(campaign, faction, battle)
    parts = ("number", "turn", "kind", "view__own", "view__contacts", "log")
    rows = reports.values_list(*(f"body__{part}" for part in parts))
    outlines = []
    for _, turn, kind, own, contacts, log in sorted(rows, key=lambda row: int(row[0])):
        outline = {"turn": turn, "stop": kind, "own": own, "contacts": contacts, "log": log}
        outlines.append(outline)
    return outlines


def read_phases(campaign: Campaign, faction: Faction | None, battle: str) -> list[dict[str, Any]]:
    """Return all sheets that a faction was handed in the phases of a battle, earliest first."""
    reports = _phase_sheets(campaign, faction, battle)
    bodies = []
    for row in reports.values_list("schema", "body"):
        bodies.append(report_body(PHASE_SHEET, *row))
    return sorted(bodies, key=lambda body: int(body["number"]))


def report_so_far(sheets: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sheets of a battle under way in the form of a side's report.

    Args:
        sheets: Successive ones, earliest first. A sheet has the log of the phase before it.
    """
    logs = [sheet["log"] for sheet in sheets[1:]]
    phases = []
    for sheet, log in zip(sheets, [*logs, []], strict=True):
        phases.append({**sheet["view"], "turn": sheet["turn"], "stop": sheet["kind"], "log": log})
    newest = sheets[-1]
    shared = {key: newest[key] for key in ("table", "hex", "side", "sides")}
    return {**shared, "phases": phases}


def newest_sheets(weeks: Mapping[tuple[int, int], int], now: datetime) -> dict[str, NewestSheet]:
    """Return the newest sheets of battles that factions fight themselves, by their own battle ids.

    Args:
        weeks: The week by branch and faction.
    """
    if len(weeks) == 1:
        (((branch, faction), week),) = weeks.items()
        rows = SHEETS_OF_ONE_FACTION.tuples(branch, faction, week, now)
    else:
        branches = {branch for branch, _ in weeks}
        factions = {faction for _, faction in weeks}
        rows = list(_sheet_rows(branches, factions, set(weeks.values()), now))
    newest: dict[str, NewestSheet] = {}
    for branch, faction, week, battle, hex_, kind, number, turn in rows:
        if weeks.get((branch, faction)) != week:
            continue
        sheet = NewestSheet(
            place=(branch, faction),
            hex=hex_,
            number=number or 0,
            turn=turn or 0,
            is_over=kind == OVER,
        )
        earlier = newest.get(battle)
        if earlier is None or earlier.number < sheet.number:
            newest[battle] = sheet
    return newest


def _up_to(campaign: Campaign, faction: Faction | None) -> tuple[int, int, int] | None:
    """Return the branch, the faction and the seq of its newest view; None before it has one.

    Raises:
        NoViewer: The faction is none of this campaign.
    """
    branch, viewer = viewer_in(campaign, faction)
    seq = newest_seq(branch, viewer)
    if seq is None:
        return None
    return (branch, viewer, seq)


def _reports_up_to(campaign: Campaign, up_to: tuple[int, int, int]) -> tuple[ReportSummary, ...]:
    """Return the reports of `_up_to`."""

    def load() -> tuple[ReportSummary, ...]:
        rows = REPORTS.tuples(*up_to, timezone.now())
        return tuple(ReportSummary(str(public_id), *rest) for public_id, *rest in rows)

    return _report_cache.get_or_make((str(campaign.public_id), *up_to), load)


def _battles_up_to(campaign: Campaign, up_to: tuple[int, int, int]) -> tuple[BattleSummary, ...]:
    """Return the battles of `_up_to`."""

    def load() -> tuple[BattleSummary, ...]:
        return tuple(BattleSummary(*row) for row in BATTLES.tuples(*up_to, timezone.now()))

    return _battle_cache.get_or_make((str(campaign.public_id), *up_to), load)


def _phase_sheets(campaign: Campaign, faction: Faction | None, battle: str) -> QuerySet[Report]:
    """Return the sheets of a battle's phases, by the faction's own id of it. Raises NoViewer."""
    branch, viewer = viewer_in(campaign, faction)
    sheets = _sheets_of(branch, viewer, PHASE_SHEET, timezone.now())
    return sheets.filter(body__battle=battle)
