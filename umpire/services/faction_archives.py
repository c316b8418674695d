"""Archives of what one faction can prove while the war goes on: what it may read, with proofs.

Such an archive has the public rows of the ledger, the faction's own orders, views and reports, and
proofs that the rows cover them. It has no seed, no scenario and nothing of other factions.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import datetime

from django.db.models import F
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.models.knowledge import Report, View
from campaign.models.ledger import UMPIRES_ONLY, Act, LedgerRow
from campaign.models.stage import Submission
from campaign.rules.outcome_leaves import without_outside_ids
from campaign.selectors.heads import head_at
from campaign.selectors.proofs import battles_of, faction_leaves, proofs_of, slots_of
from campaign.store.publication import public_ledger
from engine.core.canonical import encode_floats
from engine.core.phrase import phrase
from proof.archive import Body, archive_bytes, archive_line
from umpire.services.archive_lines import (
    branch_line,
    entry_line,
    header_line,
    proof_parts,
    row_line,
    stage_line,
    view_line,
)
from umpire.services.ledger import REPORTS_OF_STAGES

PARENTS_WORLD = tuple(f"branch__parent__{name}" for name in ("world", "events", "sha256"))
PUBLIC_RULES = ("schema", "edition", "rules_version", "dice")  # parts of the ruleset


def own_archive(*, viewer: Viewer, now: datetime | None = None) -> bytes:
    """Return what the viewer's side can prove now, as a gzipped archive.

    Raises:
        NotFound: The viewer gives no side's orders, or nothing is public yet.
    """
    if viewer.faction is None or not viewer.plays:
        raise NotFound(phrase("there is no such archive"))
    lines = faction_archive(viewer.campaign, viewer.faction, now)
    return gzip.compress(b"".join(lines), mtime=0)


def faction_archive(
    campaign: Campaign, faction: Faction, now: datetime | None = None
) -> Iterator[bytes]:
    """Yield the lines of a faction's archive, as bytes with their line breaks.

    Raises:
        NotFound: The war has no public row yet.
    """
    moment = now or timezone.now()
    rows = LedgerRow.objects.filter(branch__campaign=campaign)
    public = public_ledger(rows, moment).select_related("stage", "branch__parent__branch")
    ordered = list(public.defer(*PARENTS_WORLD).order_by("branch__number", "seq"))
    if not ordered:
        raise NotFound(phrase("no stage has been resolved yet"))
    lines = _lines(campaign, faction, ordered, moment)
    return archive_bytes(archive_line(kind, encode_floats(body)) for kind, body in lines)


def faction_archive_name(campaign: Campaign, faction: Faction) -> str:
    """Return the name of the file of a faction's archive."""
    return f"{str(campaign.public_id)[:8]}-{faction.key}.war.jsonl.gz"


def _lines(
    campaign: Campaign, faction: Faction, rows: list[LedgerRow], now: datetime
) -> Iterator[tuple[str, Body]]:
    """Yield kind and content of each line.

    Args:
        rows: The public rows of all branches, in order.
    """
    ruleset = {key: campaign.ruleset[key] for key in PUBLIC_RULES if key in campaign.ruleset}
    made = max(row.stage.publishes_at or now for row in rows)
    yield (
        "archive",
        header_line(campaign, slots_of(campaign), made) | {"ruleset": ruleset, "for": faction.key},
    )
    yield (
        "faction",
        {"key": faction.key, "name": faction.name, "alliance": faction.alliance, "admiral": ""},
    )
    branches: dict[int, Branch] = {}
    for row in rows:
        if row.branch_id not in branches:
            branches[row.branch_id] = row.branch
            row.branch.campaign = campaign
            yield "branch", branch_line(row.branch, row)
    for row in rows:
        row.branch = branches[row.branch_id]
        yield from _stage(faction, row)
    for branch in branches.values():
        head = head_at(campaign, branch, now)
        if head is not None:
            yield "head", {"note": head.note}


def _stage(faction: Faction, row: LedgerRow) -> Iterator[tuple[str, Body]]:
    """Yield the lines of a stage: what the faction wrote and read, proofs, and the row."""
    stage = row.stage
    yield "stage", stage_line(stage, row.branch)
    entries = Submission.objects.filter(stage=stage, faction=faction).select_related("faction")
    for entry in entries.order_by("revision"):
        yield "entry", entry_line(entry)
    in_battles = Submission.objects.filter(
        stage__battle__branch=row.branch_id,
        stage__battle__key__in=battles_of(faction, row),
        faction=faction,
    ).annotate(battle_key=F("stage__battle__key"))
    ordered = in_battles.order_by("battle_key", "stage__ordinal", "revision")
    for entry in ordered.select_related("faction", "stage"):
        phase = entry.stage
        place = {"battle": entry.battle_key, "stop": phase.ordinal, "stage": phase.kind}
        yield "stop-entry", place | entry_line(entry)
    for act in Act.objects.filter(stage=stage).exclude(verb__in=UMPIRES_ONLY).order_by("pk"):
        yield "act", {"sha256": act.sha256, "audience": "all"}
    if row.leaves is not None:
        yield from _documents(faction, row)
        for proof in proofs_of(row, sorted(faction_leaves(faction, row))):
            yield "proof", {"name": proof.name, "digest": proof.digest, **proof_parts(proof)}
    yield "row", row_line(row, row.branch)


def _documents(faction: Faction, row: LedgerRow) -> Iterator[tuple[str, Body]]:
    """Yield the view and the reports of a stage."""
    views = View.objects.filter(snapshot__stage_to_here=row.stage_id, faction=faction)
    view = views.select_related("faction").first()
    if view is not None:
        yield "view", view_line(view)
    reports = Report.objects.filter(
        branch=row.branch_id, seq=row.seq + 1, faction=faction, kind__in=REPORTS_OF_STAGES
    )
    for report in reports.order_by("kind", "subject"):
        yield (
            "report",
            {
                "faction": faction.key,
                "report": report.kind,
                "subject": report.subject,
                "document": without_outside_ids(report.body),
            },
        )
