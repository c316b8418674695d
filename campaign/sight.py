"""The only door to what a faction may know. It loads View and Report rows and nothing else.

What came of a stage is not there before it is public (`campaign.publication`).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.db import models
from django.db.models import QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone

from campaign.battle_documents import StopSheet
from campaign.errors import NotThere, NoViewer
from campaign.models.campaign import Campaign, Faction
from campaign.models.knowledge import BATTLE_REPORT, STAGE_REPORT, STOP_SHEET, TABLE_SHEET, Report
from campaign.models.knowledge import View as ViewRow
from campaign.models.stage import Stage
from campaign.prepared import Prepared
from campaign.process_cache import ProcessCache
from campaign.publication import outcomes_shown
from campaign.rules.codec import from_document
from campaign.rules.view import View
from campaign.stored import report_body
from engine.core.phrase import phrase


def _first_named(views: models.QuerySet[ViewRow]) -> models.QuerySet[ViewRow, Any]:
    """The key, the number and the digest of the first of some views."""
    return views.values_list("pk", "seq", "sha256")[:1]


NEWEST = Prepared(
    lambda branch, faction, now: _first_named(
        outcomes_shown(ViewRow.objects.filter(branch_id=branch, faction_id=faction), now).order_by("-seq")
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.DateTimeField(),
)
REPORTS = Prepared(
    lambda branch, faction, seq, now: (
        outcomes_shown(Report.objects.filter(branch_id=branch, faction_id=faction, seq__lte=seq), now)
        .filter(kind__in=(STAGE_REPORT, BATTLE_REPORT))
        .order_by("seq", "kind", "subject")
        .values_list("public_id", "week", "stage", "kind", "seq")
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.PositiveIntegerField(),
    models.DateTimeField(),
)
REPORT = Prepared(
    lambda faction, public_id, now: outcomes_shown(
        Report.objects.filter(faction_id=faction, public_id=public_id), now
    ).values_list("kind", "schema", "body")[:1],
    models.BigIntegerField(),
    models.UUIDField(),
    models.DateTimeField(),
)
BATTLES = Prepared(
    lambda branch, faction, seq, now: (
        outcomes_shown(Report.objects.filter(branch_id=branch, faction_id=faction, seq__lte=seq), now)
        .filter(kind=BATTLE_REPORT)
        .order_by("seq", "subject")
        .values_list("public_id")
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.PositiveIntegerField(),
    models.DateTimeField(),
)
SHEETS = Prepared(
    lambda branch, faction, kind, now: (
        outcomes_shown(Report.objects.filter(branch_id=branch, faction_id=faction), now)
        .filter(kind=kind)
        .order_by("seq", "pk")
        .values_list("public_id", "week", "stage", "kind", "seq", "schema", "body")
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.CharField(),
    models.DateTimeField(),
)
STOPS = Prepared(
    lambda branch, faction, now: (
        outcomes_shown(Report.objects.filter(branch_id=branch, faction_id=faction), now)
        .filter(kind=STOP_SHEET)
        .order_by("seq", "pk")
        .values_list(
            *("week", KT("body__battle"), KT("body__hex"), KT("body__side"), KT("body__kind")),
            *("body__number", "body__turn", "body__asked"),
        )
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.DateTimeField(),
)
STOP = Prepared(
    lambda branch, faction, battle, number, now: (
        outcomes_shown(Report.objects.filter(branch_id=branch, faction_id=faction), now)
        .filter(kind=STOP_SHEET)
        .annotate(
            battle=Cast(KT("body__battle"), models.TextField()),
            number=Cast(KT("body__number"), models.PositiveIntegerField()),
        )
        .filter(battle=battle, number=number)
        .order_by("pk")
        .values_list("schema", "body")[:1]
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.CharField(),
    models.PositiveIntegerField(),
    models.DateTimeField(),
)
THEN = Prepared(
    lambda branch, faction, seq, now: _first_named(
        outcomes_shown(ViewRow.objects.filter(branch_id=branch, faction_id=faction, seq=seq), now).order_by("pk")
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.PositiveIntegerField(),
    models.DateTimeField(),
)
AT = Prepared(
    lambda snapshot, faction, now: _first_named(
        outcomes_shown(ViewRow.objects.filter(snapshot_id=snapshot, faction_id=faction), now).order_by("pk")
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.DateTimeField(),
)
CLOSED = Prepared(
    lambda snapshot, faction: _first_named(
        ViewRow.objects.filter(snapshot_id=snapshot, faction_id=faction).order_by("pk")
    ),
    models.BigIntegerField(),
    models.BigIntegerField(),
)
OVER = "over"  # the kind of the last sheet of a battle online
# By the sha256 of the document: the same text is the same view.
_views_read: ProcessCache[str, View] = ProcessCache(128)


@dataclass(frozen=True, slots=True)
class ReportTold:
    """A report addressed to the viewer. `id` is the viewer's own name for it; `report_read` gives its body."""

    id: str
    week: int
    stage: str
    kind: str
    seq: int


@dataclass(frozen=True, slots=True)
class BattleTold:
    """A battle the viewer was in: his own id of it, where and when, and how it ended. `side`: its side's name."""

    id: str
    week: int
    hex: str
    side: str
    turns: int
    winner: str | None
    seq: int


# By faction and report, of which nothing changes.
_battles_read: ProcessCache[tuple[int, uuid.UUID], BattleTold] = ProcessCache(4096)
# By campaign, branch, faction and the seq of its newest view. A view comes with the reports of its seq, and none is
# added later: what a faction was told up to it stays the same.
_UpTo = tuple[str, int, int, int]
_told: ProcessCache[_UpTo, tuple[ReportTold, ...]] = ProcessCache(512)
_fought: ProcessCache[_UpTo, tuple[BattleTold, ...]] = ProcessCache(512)


@dataclass(frozen=True, slots=True)
class StopTold:
    """A stop of a battle online as the viewer was told of it: the battle by his own id, the stop's number from 0.

    `kind`: plot, fighters, engage, or over. `asked`: whether it waits for his orders.
    """

    battle: str
    week: int
    hex: str
    side: str
    number: int
    turn: int
    kind: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Handed:
    """The newest sheet of a battle handed to a faction to fight: where, its stop's number and turn, whether it is over.

    At a table there is one sheet.
    """

    hex: str
    number: int
    turn: int
    over: bool


@dataclass(frozen=True, slots=True)
class Sight:
    """The sight of a faction after a stage. `etag` changes exactly when `view` does."""

    seq: int
    view: View
    etag: str


def sight(campaign: Campaign, faction: Faction | None) -> Sight:
    """The sight of a faction now. Raises NoViewer without a faction of this campaign, or before the war has begun."""
    viewer = _viewer(campaign, faction)
    if campaign.head_branch_id is None:
        raise NoViewer(phrase("there is nothing to see yet"))
    return _newest(campaign.head_branch_id, viewer)


def sight_if_begun(campaign: Campaign, faction: Faction | None) -> View | None:
    """The sight of a faction now; None before the war has begun. Raises NoViewer without a faction of this campaign."""
    viewer = _viewer(campaign, faction)
    try:
        return None if campaign.head_branch_id is None else _newest(campaign.head_branch_id, viewer).view
    except NoViewer:
        return None


def sight_then(campaign: Campaign, faction: Faction | None, seq: int) -> Sight:
    """The sight of a faction after an earlier stage of the head branch, as it was then. Raises NoViewer."""
    viewer = _viewer(campaign, faction)
    if campaign.head_branch_id is None:
        raise NoViewer(phrase("there is nothing to see yet"))
    return _sight(THEN.tuples(campaign.head_branch_id, viewer.pk, seq, timezone.now()))


def sight_at(stage: Stage, faction: Faction | None) -> Sight:
    """The sight of a faction that answers a stage that is open already. Raises NoViewer."""
    if faction is None:
        raise NoViewer(phrase("nobody is looking"))
    return _sight(AT.tuples(stage.from_snapshot_id, faction.pk, timezone.now()))


def views_at(places: Collection[tuple[int, int]]) -> dict[tuple[int, int], View]:
    """The views of factions after some snapshots, by snapshot and faction, in two queries at most."""
    now = timezone.now()
    if len(places) == 1:
        ((snapshot, faction),) = places
        told = VIEWS_OF_ONE.tuples(snapshot, faction, now)
    else:
        told = list(_views({snapshot for snapshot, _ in places}, {faction for _, faction in places}, now))
    texts = {(snapshot, faction): sha for snapshot, faction, sha in told if (snapshot, faction) in places}
    found = _views_read.known(texts.values())
    unread = set(texts.values()) - set(found)
    if unread:
        for row in ViewRow.objects.filter(snapshot_id__in={snapshot for snapshot, _ in texts}, sha256__in=unread):
            found[row.sha256] = _view(row)
    return {place: found[sha] for place, sha in texts.items()}


def _views(snapshots: Collection[int], factions: Collection[int], now: datetime) -> QuerySet[ViewRow, Any]:
    """The views of some factions after some snapshots: snapshot, faction, and the hash of the text."""
    rows = ViewRow.objects.filter(snapshot_id__in=snapshots, faction_id__in=factions)
    return outcomes_shown(rows, now).values_list("snapshot_id", "faction_id", "sha256")


VIEWS_OF_ONE = Prepared(
    lambda snapshot, faction, now: _views((snapshot,), (faction,), now),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.DateTimeField(),
)


def handed_newest(weeks: Mapping[tuple[int, int], int], now: datetime) -> dict[str, Handed]:
    """The newest sheets of the battles that factions fight in these weeks themselves, by their own ids of them.

    `weeks`: the week by branch and faction.
    """
    if len(weeks) == 1:
        (((branch, faction), week),) = weeks.items()
        found = HANDED_TO_ONE.tuples(branch, faction, week, now)
    else:
        branches, factions = ({place[part] for place in weeks} for part in (0, 1))
        found = list(_handed(branches, factions, set(weeks.values()), now))
    newest: dict[str, Handed] = {}
    for branch, faction, week, id_, hex_, kind, number, turn in found:
        sheet = Handed(hex_, number or 0, turn or 0, kind == OVER)
        if weeks.get((branch, faction)) == week and (id_ not in newest or newest[id_].number < sheet.number):
            newest[id_] = sheet
    return newest


def _handed(
    branches: Collection[int], factions: Collection[int], weeks: Collection[int], now: datetime
) -> QuerySet[Report, Any]:
    """What sheets of battles to fight say of themselves, by branch, faction and week."""
    rows = Report.objects.filter(
        branch_id__in=branches, faction_id__in=factions, kind__in=(STOP_SHEET, TABLE_SHEET), week__in=weeks
    )
    texts = KT("body__battle"), KT("body__hex"), KT("body__kind")
    return outcomes_shown(rows, now).values_list(
        "branch_id", "faction_id", "week", *texts, "body__number", "body__turn"
    )


HANDED_TO_ONE = Prepared(
    lambda branch, faction, week, now: _handed((branch,), (faction,), (week,), now),
    models.BigIntegerField(),
    models.BigIntegerField(),
    models.PositiveSmallIntegerField(),
    models.DateTimeField(),
)


def sight_closed(stage: Stage, faction: Faction) -> Sight:
    """The sight a faction had when it could have answered a stage that has closed; for whoever answers it in its stead,
    whatever the clock says now. Raises NoViewer."""
    return sight_written(stage.from_snapshot_id, faction)


def sight_written(snapshot: int, faction: Faction) -> Sight:
    """The sight of a faction that was written with a snapshot, by its row, public or not yet: for the umpire, who reads
    it before it goes out. Raises NoViewer."""
    return _sight(CLOSED.tuples(snapshot, faction.pk))


def report_read(campaign: Campaign, faction: Faction | None, id: str) -> dict[str, Any]:
    """The body of a report to this faction. Raises NotThere alike for what is hidden and for what does not exist."""
    viewer = _viewer(campaign, faction)
    try:
        public_id = uuid.UUID(id)
    except ValueError as error:
        raise NotThere(phrase("there is no such report")) from error
    rows = REPORT.tuples(viewer.pk, public_id, timezone.now())
    if not rows:
        raise NotThere(phrase("there is no such report"))
    return report_body(*rows[0])


def reports_told(campaign: Campaign, faction: Faction | None) -> tuple[ReportTold, ...]:
    """All reports of stages and battles addressed to this faction on the head branch, oldest first. Raises NoViewer."""
    up_to = _up_to(campaign, faction)
    return () if up_to is None else _told.made(up_to, lambda: _told_up_to(up_to))


def _told_up_to(up_to: _UpTo) -> tuple[ReportTold, ...]:
    rows = REPORTS.tuples(*up_to[1:], timezone.now())
    return tuple(ReportTold(str(public_id), week, stage, kind, seq) for public_id, week, stage, kind, seq in rows)


def sheets_told(
    campaign: Campaign, faction: Faction | None, kind: str
) -> tuple[tuple[ReportTold, dict[str, Any]], ...]:
    """The sheets of a kind that were handed to this faction beside its reports, with their bodies, oldest first.

    Raises NoViewer.
    """
    rows = SHEETS.tuples(*_place(campaign, faction), kind, timezone.now())
    return tuple(
        (ReportTold(str(public_id), *named), report_body(named[2], schema, body))
        for public_id, *named, schema, body in rows
    )


def battles_told(campaign: Campaign, faction: Faction | None) -> tuple[BattleTold, ...]:
    """The battles this faction was in, oldest first; `battle_read` gives the stops. Raises NoViewer."""
    up_to = _up_to(campaign, faction)
    return () if up_to is None else _fought.made(up_to, lambda: _fought_up_to(up_to))


def _fought_up_to(up_to: _UpTo) -> tuple[BattleTold, ...]:
    viewer = up_to[2]
    reports = [public_id for (public_id,) in BATTLES.tuples(*up_to[1:], timezone.now())]
    found = {id_: battle for (_, id_), battle in _battles_read.known((viewer, id_) for id_ in reports).items()}
    unread = [id_ for id_ in reports if id_ not in found]
    if unread:
        # KT: as text; a hex such as "1705" would otherwise come back from SQLite as a number
        texts = KT("body__battle"), KT("body__hex"), KT("body__side")
        rows = Report.objects.filter(faction_id=viewer, public_id__in=unread)
        for public_id, *row in rows.values_list("public_id", *texts, "week", "seq", "body__turns", "body__winner"):
            id_, hex_, side, week, seq, turns, winner = row
            battle = BattleTold(id_, week, hex_, side, turns, winner, seq)
            found[public_id] = _battles_read.keep((viewer, public_id), battle)
    return tuple(found[public_id] for public_id in reports)


def battle_read(campaign: Campaign, faction: Faction | None, id: str) -> tuple[ReportTold, int, dict[str, Any]]:
    """The report of a battle by the faction's own id of it: the report, the seq it came with, and its body.

    Raises NotThere alike for what is hidden and for what does not exist.
    """
    viewer = _viewer(campaign, faction)
    reports = _reports(campaign, viewer).filter(kind=BATTLE_REPORT)
    try:
        row = reports.filter(body__battle=str(uuid.UUID(id))).first()
    except ValueError as error:
        raise NotThere(phrase("there is no such battle")) from error
    if row is None:
        raise NotThere(phrase("there is no such battle"))
    body = report_body(row.kind, row.schema, row.body)
    return ReportTold(str(row.public_id), row.week, row.stage, row.kind, row.seq), row.seq, body


def stops_told(campaign: Campaign, faction: Faction | None) -> tuple[StopTold, ...]:
    """The stops of the faction's battles online, battle by battle, the earliest first. Raises NoViewer."""
    found = STOPS.tuples(*_place(campaign, faction), timezone.now())
    told = [
        StopTold(id, week, hex, side, number, turn, kind, bool(asked))
        for week, id, hex, side, kind, number, turn, asked in found
    ]
    return tuple(sorted(told, key=lambda stop: (stop.week, stop.hex, stop.battle, stop.number)))


def stop_read(campaign: Campaign, faction: Faction | None, battle: str, number: int) -> StopSheet:
    """The sheet the faction was handed at a stop of a battle, by its own id of it. Raises NotThere, NoViewer."""
    rows = STOP.tuples(*_place(campaign, faction), battle, number, timezone.now())
    if not rows:
        raise NotThere(phrase("there is no such battle"))
    return cast("StopSheet", report_body(STOP_SHEET, *rows[0]))


def stops_outlined(campaign: Campaign, faction: Faction | None, battle: str) -> list[dict[str, Any]]:
    """Of the stops of a battle what names need, the earliest first: {turn, stop, own, contacts, log}, the log of what
    happened before the stop.
    """
    reports = _reports(campaign, _viewer(campaign, faction)).filter(kind=STOP_SHEET, body__battle=battle)
    parts = ("number", "turn", "kind", "view__own", "view__contacts", "log")
    found = sorted(reports.values_list(*(f"body__{part}" for part in parts)), key=lambda row: int(row[0]))
    keys = ("turn", "stop", "own", "contacts", "log")
    return [dict(zip(keys, row[1:], strict=True)) for row in found]


def stops_read(campaign: Campaign, faction: Faction | None, battle: str) -> list[dict[str, Any]]:
    """Everything the faction was handed at the stops of a battle, by its own id of it, the earliest first."""
    reports = _reports(campaign, _viewer(campaign, faction)).filter(kind=STOP_SHEET, body__battle=battle)
    bodies = [report_body(STOP_SHEET, *row) for row in reports.values_list("schema", "body")]
    return sorted(bodies, key=lambda body: int(body["number"]))


def _viewer(campaign: Campaign, faction: Faction | None) -> Faction:
    if faction is None or faction.campaign_id != campaign.pk:
        raise NoViewer(phrase("nobody is looking"))
    return faction


def _up_to(campaign: Campaign, faction: Faction | None) -> _UpTo | None:
    """Up to where a faction has been told anything; None before it has seen anything. Raises NoViewer."""
    viewer = _viewer(campaign, faction)
    if campaign.head_branch_id is None:
        raise NoViewer(phrase("there is nothing to see yet"))
    newest = NEWEST.tuples(campaign.head_branch_id, viewer.pk, timezone.now())
    return (str(campaign.public_id), campaign.head_branch_id, viewer.pk, newest[0][1]) if newest else None


def _place(campaign: Campaign, faction: Faction | None) -> tuple[int, int]:
    """The branch a faction of this campaign is told of, and its row. Raises NoViewer."""
    viewer = _viewer(campaign, faction)
    if campaign.head_branch_id is None:
        raise NoViewer(phrase("there is nothing to see yet"))
    return campaign.head_branch_id, viewer.pk


def _reports(campaign: Campaign, viewer: Faction) -> QuerySet[Report]:
    if campaign.head_branch_id is None:
        raise NoViewer(phrase("there is nothing to see yet"))
    reports = Report.objects.filter(branch_id=campaign.head_branch_id, faction_id=viewer.pk)
    return outcomes_shown(reports, timezone.now())


def _newest(branch: int, viewer: Faction) -> Sight:
    """What a faction of this campaign knows now. The text is fetched only where no view of it has been read."""
    return _sight(NEWEST.tuples(branch, viewer.pk, timezone.now()))


def _sight(rows: list[tuple[Any, ...]]) -> Sight:
    """The one view that was found. Raises NoViewer where none was."""
    if not rows:
        raise NoViewer(phrase("there is nothing to see yet"))
    ((pk, seq, sha256),) = rows
    return Sight(seq, _views_read.made(sha256, lambda: from_document(View, ViewRow.objects.get(pk=pk).body)), sha256)


def _view(row: ViewRow) -> View:
    """What stands in a view's row, read once in a process."""
    return _views_read.made(row.sha256, lambda: from_document(View, row.body))
