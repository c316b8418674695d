"""The views of a faction: now, after an earlier stage, as it answers a stage that is open or
closed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from campaign.errors import NoViewer
from campaign.models.campaign import Campaign, Faction
from campaign.models.knowledge import View as ViewRow
from campaign.models.stage import Stage
from campaign.rules.codec import from_document
from campaign.rules.view import View
from campaign.store.prepared import PreparedValues
from campaign.store.publication import public_outcomes
from engine.core.cache import Cache
from engine.core.phrase import phrase


def _first_view(views: models.QuerySet[ViewRow]) -> models.QuerySet[ViewRow, Any]:
    """The key, the number and the digest of the first of some views."""
    return views.values_list("pk", "seq", "sha256")[:1]


def _views(
    snapshots: Collection[int], factions: Collection[int], now: datetime
) -> QuerySet[ViewRow, Any]:
    """The views of some factions after some snapshots: snapshot, faction, and the hash of the
    text.
    """
    rows = ViewRow.objects.filter(snapshot_id__in=snapshots, faction_id__in=factions)
    return public_outcomes(rows, now).values_list("snapshot_id", "faction_id", "sha256")


# What `_first_named` gives.
FIRST = (models.BigIntegerField(), models.PositiveIntegerField(), models.CharField())
NEWEST = PreparedValues(
    lambda branch, faction, now: _first_view(
        public_outcomes(ViewRow.objects.filter(branch_id=branch, faction_id=faction), now).order_by(
            "-seq"
        )
    ),
    parameters=(models.BigIntegerField(), models.BigIntegerField(), models.DateTimeField()),
    columns=FIRST,
)
AFTER_SEQ = PreparedValues(
    lambda branch, faction, seq, now: _first_view(
        public_outcomes(
            ViewRow.objects.filter(branch_id=branch, faction_id=faction, seq=seq), now
        ).order_by("pk")
    ),
    parameters=(
        models.BigIntegerField(),
        models.BigIntegerField(),
        models.PositiveIntegerField(),
        models.DateTimeField(),
    ),
    columns=FIRST,
)
AT = PreparedValues(
    lambda snapshot, faction, now: _first_view(
        public_outcomes(
            ViewRow.objects.filter(snapshot_id=snapshot, faction_id=faction), now
        ).order_by("pk")
    ),
    parameters=(models.BigIntegerField(), models.BigIntegerField(), models.DateTimeField()),
    columns=FIRST,
)
CLOSED = PreparedValues(
    lambda snapshot, faction: _first_view(
        ViewRow.objects.filter(snapshot_id=snapshot, faction_id=faction).order_by("pk")
    ),
    parameters=(models.BigIntegerField(), models.BigIntegerField()),
    columns=FIRST,
)
VIEW_OF_ONE_FACTION = PreparedValues(
    lambda snapshot, faction, now: _views((snapshot,), (faction,), now),
    parameters=(models.BigIntegerField(), models.BigIntegerField(), models.DateTimeField()),
    columns=(models.BigIntegerField(), models.BigIntegerField(), models.CharField()),
)
# By the sha256 of the document: the same text is the same view.
_view_cache: Cache[str, View] = Cache(128)


@dataclass(frozen=True, slots=True)
class Sight:
    """The sight of a faction after a stage. `etag` changes exactly when `view` does."""

    seq: int
    view: View
    etag: str


def current_sight(campaign: Campaign, faction: Faction | None) -> Sight:
    """The sight of a faction now.

    Raises NoViewer without a faction of this campaign, or before the war has begun.
    """
    return _newest(*viewer_in(campaign, faction))


def current_view(campaign: Campaign, faction: Faction | None) -> View | None:
    """The sight of a faction now; None before the war has begun.

    Raises NoViewer without a faction of this campaign.
    """
    viewer = faction_of(campaign, faction)
    try:
        return (
            None
            if campaign.head_branch_id is None
            else _newest(campaign.head_branch_id, viewer.pk).view
        )
    except NoViewer:
        return None


def sight_after(campaign: Campaign, faction: Faction | None, seq: int) -> Sight:
    """The sight of a faction after an earlier stage of the head branch, as it was then.

    Raises NoViewer.
    """
    return _sight(AFTER_SEQ.tuples(*viewer_in(campaign, faction), seq, timezone.now()))


def views_after(
    campaign: Campaign, faction: Faction | None, seqs: Collection[int]
) -> dict[int, View]:
    """Return the views of a faction after earlier stages of the head branch, by their seqs.

    Two queries, however many they are.

    Raises:
        NoViewer: The faction is none of this campaign, or has no view after one of these stages.
    """
    branch, viewer = viewer_in(campaign, faction)
    rows = ViewRow.objects.filter(branch_id=branch, faction_id=viewer, seq__in=seqs)
    texts = dict(public_outcomes(rows, timezone.now()).values_list("seq", "sha256"))
    views = _views_of(set(texts.values()), rows)
    if set(seqs) - texts.keys():
        raise NoViewer(phrase("there is nothing to see yet"))
    return {seq: views[sha256] for seq, sha256 in texts.items()}


def sight_at_stage(stage: Stage, faction: Faction | None) -> Sight:
    """The sight of a faction that answers a stage that is open already. Raises NoViewer."""
    if faction is None:
        raise NoViewer(phrase("nobody is looking"))
    return _sight(AT.tuples(stage.from_snapshot_id, faction.pk, timezone.now()))


def sight_in_closed_stage(stage: Stage, faction: Faction) -> Sight:
    """The sight a faction had when it could have answered a stage that has closed, for whoever
    answers in its stead.

    Whatever the clock says now. Raises NoViewer.
    """
    return sight_in_snapshot(stage.from_snapshot_id, faction)


def sight_in_snapshot(snapshot: int, faction: Faction) -> Sight:
    """The sight of a faction that was written with a snapshot, by its row, public or not yet.

    For the umpire, who reads it before it goes out. Raises NoViewer.
    """
    return _sight(CLOSED.tuples(snapshot, faction.pk))


def views_at(places: Collection[tuple[int, int]]) -> dict[tuple[int, int], View]:
    """The views of factions after some snapshots, by snapshot and faction, in two queries at
    most.
    """
    now = timezone.now()
    if len(places) == 1:
        ((snapshot, faction),) = places
        rows_found = VIEW_OF_ONE_FACTION.tuples(snapshot, faction, now)
    else:
        rows_found = list(
            _views({snapshot for snapshot, _ in places}, {faction for _, faction in places}, now)
        )
    texts = {
        (snapshot, faction): sha
        for snapshot, faction, sha in rows_found
        if (snapshot, faction) in places
    }
    rows = ViewRow.objects.filter(snapshot_id__in={snapshot for snapshot, _ in texts})
    views = _views_of(set(texts.values()), rows)
    return {place: views[sha] for place, sha in texts.items()}


def _views_of(hashes: set[str], rows: QuerySet[ViewRow]) -> dict[str, View]:
    """Return views by the hashes of their texts; those of them not yet read are read from rows."""
    views = _view_cache.get_many(hashes)
    unread = hashes - set(views)
    if unread:
        for row in rows.filter(sha256__in=unread):
            views[row.sha256] = _view(row)
    return views


def viewer_in(campaign: Campaign, faction: Faction | None) -> tuple[int, int]:
    """The branch a faction of this campaign is told of, and its row: (branch, faction).

    Raises NoViewer.
    """
    viewer = faction_of(campaign, faction)
    if campaign.head_branch_id is None:
        raise NoViewer(phrase("there is nothing to see yet"))
    return campaign.head_branch_id, viewer.pk


def faction_of(campaign: Campaign, faction: Faction | None) -> Faction:
    """The faction, where it is one of this campaign. Raises NoViewer."""
    if faction is None or faction.campaign_id != campaign.pk:
        raise NoViewer(phrase("nobody is looking"))
    return faction


def newest_seq(branch: int, faction: int) -> int | None:
    """The seq of the newest view of a faction on a branch; None before it has seen anything."""
    newest = NEWEST.tuples(branch, faction, timezone.now())
    return newest[0][1] if newest else None


def _newest(branch: int, faction: int) -> Sight:
    """What a faction of this campaign knows now.

    The text is fetched only where no view of it has been read.
    """
    return _sight(NEWEST.tuples(branch, faction, timezone.now()))


def _sight(rows: list[tuple[Any, ...]]) -> Sight:
    """The one view that was found. Raises NoViewer where none was."""
    if not rows:
        raise NoViewer(phrase("there is nothing to see yet"))
    ((pk, seq, sha256),) = rows
    return Sight(
        seq,
        _view_cache.get_or_make(
            sha256, lambda: from_document(View, ViewRow.objects.get(pk=pk).body)
        ),
        sha256,
    )


def _view(row: ViewRow) -> View:
    """What stands in a view's row, read once in a process."""
    return _view_cache.get_or_make(row.sha256, lambda: from_document(View, row.body))
