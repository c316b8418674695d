"""Lines that the archive of a whole war and that of one faction have in common."""

from __future__ import annotations

from datetime import UTC, datetime

from campaign.kinds import StageStatus
from campaign.lineage import own_parent
from campaign.models.campaign import Branch, Campaign
from campaign.models.knowledge import View
from campaign.models.ledger import LedgerRow
from campaign.models.stage import Stage, Submission
from campaign.selectors.proofs import LeafProof
from campaign.store.signatures import site_key, site_name
from proof.archive import FORMAT, LEFT, Body


def header_line(campaign: Campaign, slots: int, made: datetime) -> Body:
    """Return the first line of an archive, without the ruleset.

    Args:
        slots: The number of leaves under each row of the ledger.
    """
    return {
        "format": FORMAT,
        "made": instant_text(made),
        "site": site_name(),
        "vkey": site_key().verifier,
        "campaign": str(campaign.public_id),
        "name": campaign.name,
        "dice_key": campaign.dice_key,
        "timetable": campaign.timetable,
        "slots": slots,
        "seed_sha256": campaign.seed_sha256,
    }


def branch_line(branch: Branch, first: LedgerRow | None) -> Body:
    """Return the line of a branch.

    Args:
        first: Its first row; None if it has none yet.
    """
    opening = None if first is None else first.body.get("opening")
    line: Body = {"number": branch.number, "dice": branch.dice_number, "opening": opening}
    parent = own_parent(branch)
    if parent is not None:
        line["parent"] = [parent.branch.number, parent.seq]
    return line


def stage_line(stage: Stage, branch: Branch) -> Body:
    """Return the line of a stage that was played, or with which an abandoned timeline ended.

    Args:
        branch: That of the stage, which the caller has read already.
    """
    line = {
        "branch": branch.number,
        "ordinal": stage.ordinal,
        "week": stage.week,
        "stage": stage.kind,
        "again": stage.again,
        "opens": instant_text(stage.opens),
        "closes": None if stage.closes is None else instant_text(stage.closes),
        "closed_at": instant_text(stage.closed_at),
    }
    if stage.status == StageStatus.LEFT:
        line["how"] = LEFT
    return line


def entry_line(entry: Submission) -> Body:
    """Return the line of a sealed entry."""
    withdrawn = entry.withdrawn_at
    made_by_client = {"share": entry.share, "word": entry.withdrawal_word}
    return {key: value for key, value in made_by_client.items() if value is not None} | {
        "faction": entry.faction.key,
        "revision": entry.revision,
        "payload": entry.payload,
        "nonce": entry.nonce,
        "digest": entry.digest,
        "source": entry.source,
        "sealed_at": instant_text(entry.sealed_at),
        "withdrawn": None if withdrawn is None else instant_text(withdrawn),
    }


def view_line(view: View) -> Body:
    """Return the line of a faction's view."""
    return {"faction": view.faction.key, "sha256": view.sha256, "document": view.body}


def row_line(row: LedgerRow, branch: Branch) -> Body:
    """Return the line of a ledger row.

    Args:
        branch: That of the row, which the caller has read already.
    """
    return {
        "branch": branch.number,
        "seq": row.seq,
        "schema": row.schema,
        "body": row.body,
        "prev_hash": row.prev_hash,
        "hash": row.hash,
    }


def proof_parts(proof: LeafProof) -> Body:
    """Return what proves that a ledger row covers a leaf, besides the leaf itself."""
    return {"blind": proof.blind, "index": proof.index, "hashes": list(proof.hashes)}


def instant_text(moment: datetime | None) -> str:
    """Return a moment as text; empty if there is none."""
    return "" if moment is None else moment.astimezone(UTC).isoformat()
