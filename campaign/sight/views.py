"""The views of a faction: now, after an earlier stage, and for a stage that it answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from campaign.errors import NoViewer
from campaign.lineage import of_line
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.models.knowledge import View as ViewRow
from campaign.models.stage import Stage
from campaign.rules.codec import from_document
from campaign.rules.skirmish import FORCE
from campaign.rules.view import View
from campaign.store.prepared import PreparedValues
from campaign.store.publication import public_outcomes
from engine.core.cache import Cache
from engine.core.phrase import phrase


def _first_view(views: models.QuerySet[ViewRow]) -> models.QuerySet[ViewRow, Any]:
    """Return the primary key, the seq and the digest of the first of some views."""
    return views.values_list("pk", "seq", "sha256")[:1]


def _views(
    snapshots: Collection[int], factions: Collection[int], now: datetime
) -> QuerySet[ViewRow, Any]:
    """Return snapshot, faction and digest of public views, by snapshots and factions."""
    rows = ViewRow.objects.filter(snapshot_id__in=snapshots, faction_id__in=factions)
    return public_outcomes(rows, now).values_list("snapshot_id", "faction_id", "sha256")


# The columns of `_first_view`.
FIRST_VIEW = (models.BigIntegerField(), models.PositiveIntegerField(), models.CharField())
NEWEST = PreparedValues(
    lambda branch, faction, now: _first_view(
        public_outcomes(of_line(ViewRow.objects.filter(faction_id=faction), branch), now).order_by(
            "-seq"
        )
    ),
    parameters=(models.BigIntegerField(), models.BigIntegerField(), models.DateTimeField()),
    columns=FIRST_VIEW,
)
AFTER_SEQ = PreparedValues(
    lambda branch, faction, seq, now: _first_view(
        public_outcomes(
            of_line(ViewRow.objects.filter(faction_id=faction, seq=seq), branch), now
        ).order_by("pk")
    ),
    parameters=(
        models.BigIntegerField(),
        models.BigIntegerField(),
        models.PositiveIntegerField(),
        models.DateTimeField(),
    ),
    columns=FIRST_VIEW,
)
AT_SNAPSHOT = PreparedValues(
    lambda snapshot, faction, now: _first_view(
        public_outcomes(
            ViewRow.objects.filter(snapshot_id=snapshot, faction_id=faction), now
        ).order_by("pk")
    ),
    parameters=(models.BigIntegerField(), models.BigIntegerField(), models.DateTimeField()),
    columns=FIRST_VIEW,
)
# Whether the outcome is public yet or not.
AT_SNAPSHOT_UNPUBLISHED = PreparedValues(
    lambda snapshot, faction: _first_view(
        ViewRow.objects.filter(snapshot_id=snapshot, faction_id=faction).order_by("pk")
    ),
    parameters=(models.BigIntegerField(), models.BigIntegerField()),
    columns=FIRST_VIEW,
)
VIEW_OF_ONE_FACTION = PreparedValues(
    lambda snapshot, faction, now: _views((snapshot,), (faction,), now),
    parameters=(models.BigIntegerField(), models.BigIntegerField(), models.DateTimeField()),
    columns=(models.BigIntegerField(), models.BigIntegerField(), models.CharField()),
)
# By the digest: the same digest is the same view.
_view_cache: Cache[str, View] = Cache(128)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a faction knew after a stage. `etag` changes exactly when `view` does.

    Attributes:
        seq: The number of the snapshot after that stage.
    """

    seq: int
    view: View
    etag: str


def current_sight(campaign: Campaign, faction: Faction | None) -> Sight:
    """Return what a faction knows now.

    Raises:
        NoViewer: The faction is none of this campaign, or the war has not begun.
    """
    return _newest(*viewer_in(campaign, faction))


def current_view(campaign: Campaign, faction: Faction | None) -> View | None:
    """Return a faction's view now; None before the war has begun.

    Raises:
        NoViewer: The faction is none of this campaign.
    """
    viewer = faction_of(campaign, faction)
    try:
        if campaign.head_branch_id is None:
            return None
        return _newest(campaign.head_branch_id, viewer.pk).view
    except NoViewer:
        return None


def sight_after(campaign: Campaign, faction: Faction | None, seq: int) -> Sight:
    """Return what a faction knew after an earlier stage of the head branch.

    Raises:
        NoViewer: The faction is none of this campaign, or has no view after that stage.
    """
    return _sight(AFTER_SEQ.tuples(*viewer_in(campaign, faction), seq, timezone.now()))


def views_after(
    campaign: Campaign, faction: Faction | None, seqs: Collection[int]
) -> dict[int, View]:
    """Return a faction's views after earlier stages of the head branch, by seq, with two queries.

    Raises:
        NoViewer: The faction is none of this campaign, or has no view after one of these stages.
    """
    branch, viewer = viewer_in(campaign, faction)
    rows = of_line(ViewRow.objects.filter(faction_id=viewer, seq__in=seqs), branch)
    digests = dict(public_outcomes(rows, timezone.now()).values_list("seq", "sha256"))
    views = _views_of(set(digests.values()), rows)
    if set(seqs) - digests.keys():
        raise NoViewer(phrase("there is nothing to see yet"))
    return {seq: views[sha256] for seq, sha256 in digests.items()}


def all_views(branch: Branch, factions: Iterable[Faction]) -> Iterator[tuple[int, dict[str, View]]]:
    """Yield the views of factions on a line in order, with one query: seq and views by key.

    For the story of a finished war. They are many, so each is read when it is needed, and none is
    cached.
    """
    keys = {faction.pk: faction.key for faction in factions}
    rows = of_line(ViewRow.objects.filter(faction_id__in=keys), branch.pk)
    rows = rows.order_by("seq", "faction_id")
    for seq, group in groupby(rows.iterator(chunk_size=len(keys)), key=lambda row: row.seq):
        yield seq, {keys[row.faction_id]: _read_view(row.body) for row in group}


def sight_at_stage(stage: Stage, faction: Faction | None) -> Sight:
    """Return what a faction knows that answers an open stage. Raises NoViewer."""
    if faction is None:
        raise NoViewer(phrase("only a faction has a view of this war"))
    return _sight(AT_SNAPSHOT.tuples(stage.from_snapshot_id, faction.pk, timezone.now()))


def sight_in_closed_stage(stage: Stage, faction: Faction) -> Sight:
    """Return what a faction knew while a stage was open that is closed now.

    Used for entries written in the faction's stead; the present time does not matter. Raises
    NoViewer.
    """
    return sight_in_snapshot(stage.from_snapshot_id, faction)


def sight_in_snapshot(snapshot: int, faction: Faction) -> Sight:
    """Return what a faction knows by a snapshot, public or not yet. Raises NoViewer.

    For the umpire, who reads it before it is published.
    """
    return _sight(AT_SNAPSHOT_UNPUBLISHED.tuples(snapshot, faction.pk))


def views_at(places: Collection[tuple[int, int]]) -> dict[tuple[int, int], View]:
    """Return public views of factions after snapshots, with at most two queries.

    Args:
        places: Pairs of the primary keys of a snapshot and a faction.
    """
    now = timezone.now()
    if len(places) == 1:
        ((snapshot, faction),) = places
        rows_found = VIEW_OF_ONE_FACTION.tuples(snapshot, faction, now)
    else:
        snapshots = {snapshot for snapshot, _ in places}
        factions = {faction for _, faction in places}
        rows_found = list(_views(snapshots, factions, now))
    digests = {}
    for snapshot, faction, sha256 in rows_found:
        if (snapshot, faction) in places:
            digests[snapshot, faction] = sha256
    rows = ViewRow.objects.filter(snapshot_id__in={snapshot for snapshot, _ in digests})
    views = _views_of(set(digests.values()), rows)
    return {place: views[sha256] for place, sha256 in digests.items()}


def _views_of(digests: set[str], rows: QuerySet[ViewRow]) -> dict[str, View]:
    """Return views by digest; `rows` supplies those that are not cached."""
    views = _view_cache.get_many(digests)
    unread = digests - set(views)
    if unread:
        for row in rows.filter(sha256__in=unread):
            views[row.sha256] = _view(row)
    return views


def viewer_in(campaign: Campaign, faction: Faction | None) -> tuple[int, int]:
    """Return the primary keys of the head branch and of a faction. Raises NoViewer."""
    viewer = faction_of(campaign, faction)
    if campaign.head_branch_id is None:
        raise NoViewer(phrase("there is nothing to see yet"))
    return campaign.head_branch_id, viewer.pk


def faction_of(campaign: Campaign, faction: Faction | None) -> Faction:
    """Return the faction if it is one of this campaign. Raises NoViewer otherwise."""
    if faction is None or faction.campaign_id != campaign.pk:
        raise NoViewer(phrase("only a faction has a view of this war"))
    return faction


def newest_seq(branch: int, faction: int) -> int | None:
    """Return the seq of a faction's newest view on a line; None before it has one."""
    for _, seq, _ in NEWEST.tuples(branch, faction, timezone.now()):
        return int(seq)
    return None


def _newest(branch: int, faction: int) -> Sight:
    """Return what a faction knows now. The body is fetched only if the view is not cached."""
    return _sight(NEWEST.tuples(branch, faction, timezone.now()))


def _sight(rows: list[tuple[Any, ...]]) -> Sight:
    """Return the sight for the single row found. Raises NoViewer without one."""
    if not rows:
        raise NoViewer(phrase("there is nothing to see yet"))
    ((pk, seq, sha256),) = rows

    def load() -> View:
        return _read_view(ViewRow.objects.get(pk=pk).body)

    return Sight(seq, _view_cache.get_or_make(sha256, load), etag=sha256)


def _view(row: ViewRow) -> View:
    """Return the view that a row stores, cached by digest."""
    return _view_cache.get_or_make(row.sha256, lambda: _read_view(row.body))


def _read_view(document: Any) -> View:
    """Return a stored view, with the name that a single battle gives its fleets as a phrase."""
    view: View = from_document(View, document)
    if all(fleet.name != FORCE for fleet in view.fleets):
        return view
    fleets = []
    for fleet in view.fleets:
        fleets.append(replace(fleet, name=FORCE) if fleet.name == FORCE else fleet)
    return replace(view, fleets=tuple(fleets))
