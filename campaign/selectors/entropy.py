"""The entropy chain of a war: a hash over all digests and shares up to a row of the ledger.

Each row has its link in `past`. Dice of rules 2 depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from campaign.kinds import BranchDice
from campaign.lineage import own_parent
from campaign.models.campaign import Branch, Campaign
from campaign.models.ledger import LedgerRow
from campaign.selectors.genesis import genesis_parts
from engine.core import fair
from engine.core.war_dice import dice_rules

if TYPE_CHECKING:  # pages and API must not import the truth, not even through this module
    from campaign.models.truth import Snapshot


def genesis(campaign: Campaign) -> str:
    """Return the digest before the first row."""
    return fair.genesis_hash(genesis_parts(campaign))


def row_before(branch: Branch, seq: int) -> LedgerRow | None:
    """Return the row before one of a branch; before its first, that of the snapshot it starts from.

    A fork begins a ledger of its own.

    Args:
        seq: The number of the row, which is the ordinal of its stage.
    """
    newest = LedgerRow.objects.filter(branch=branch, seq__lt=seq).order_by("-seq").first()
    return parent_row(own_parent(branch)) if newest is None else newest


def parent_row(snapshot: Snapshot | None) -> LedgerRow | None:
    """Return the row that covers a snapshot; None for the first world of a war."""
    if snapshot is None:
        return None
    return LedgerRow.objects.filter(stage__to_snapshot=snapshot).first()


def opening_of(branch: Branch, last: LedgerRow | None) -> dict[str, Any] | None:
    """Return what the first row of a branch says about its beginning; None for all other rows.

    Args:
        last: The row before, which may be one of another branch.
    """
    if last is not None and last.branch_id == branch.pk:
        return None
    campaign = branch.campaign
    opening: dict[str, Any] = {
        "kind": branch.kind,
        "number": branch.number,
        "parent": None,
        "parent_row": None,
        "left_row": None,
        "genesis": genesis(campaign),
        "seed_sha256": campaign.seed_sha256,
        "reason": branch.reason,
    }
    if branch.parent is not None:
        parent = branch.parent.branch
        abandoned_rows = LedgerRow.objects.filter(
            branch__campaign=branch.campaign_id, branch__number=branch.number - 1
        )
        opening["parent"] = [
            str(parent.campaign.public_id),
            parent.number,
            branch.parent.seq,
        ]
        row = parent_row(branch.parent)
        opening["parent_row"] = None if row is None else row.hash
        abandoned_hashes = abandoned_rows.order_by("-seq").values_list("hash", flat=True)
        opening["left_row"] = abandoned_hashes.first()
    return opening


def entropy_before(
    branch: Branch, last: LedgerRow | None, opening: Mapping[str, Any] | None
) -> str:
    """Return the link of the entropy chain before a branch's next row."""
    past = entropy_begin(branch.campaign) if last is None else _link_of(last)
    if opening is None or own_parent(branch) is None or branch.dice == BranchDice.SAME:
        return past
    return fair.entropy_of_branch(past, branch.number, opening)


def entropy_begin(campaign: Campaign) -> str:
    """Return the link of the entropy chain before the first row."""
    return fair.entropy_begin(genesis_parts(campaign), dice_rules(campaign.ruleset))


def entropy_at(branch: Branch, seq: int) -> str:
    """Return the link of the entropy chain before a row of a branch."""
    last = row_before(branch, seq)
    return entropy_before(branch, last, opening_of(branch, last))


def _link_of(row: LedgerRow) -> str:
    """Return the link of a row; rows of release 1.0 have none, so their hash is used."""
    return str(row.body.get("past") or row.hash)
