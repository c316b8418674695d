"""Branches of a war's history, and the only place that reads along their ancestry.

A rollback opens a branch at an old snapshot. What happened up to there belongs to both branches and
is stored once: on the line of a branch are its own rows and those that its ancestors had up to the
snapshot at which the line leaves them (`Lineage.upto`). All reads of weeks that are over go through
`of_line` or `played_on_line`. Only the stage that is open or closed now is on its own branch.

A fork is a war of its own with factions of its own: its branch names the snapshot of the other war
as its parent, but has no ancestors there. Nothing of that war is read along its line.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import models
from django.db.models import F, Q, QuerySet

from campaign.kinds import BranchDice, BranchKind
from campaign.models.campaign import Branch, Campaign, Lineage

if TYPE_CHECKING:  # pages and API must not import the truth, not even through this module
    from campaign.models.truth import Snapshot

WHOLE = 2147483647  # `Lineage.upto` of the branch itself: the greatest value of the column

Row = TypeVar("Row", bound=models.Model)


def of_line(rows: QuerySet[Row], branch: Any, seq: str = "seq") -> QuerySet[Row]:
    """Keep the rows that were written with a snapshot on the line of a branch.

    Args:
        branch: The primary key of the branch, or an `OuterRef` of one.
        seq: The lookup of the number of the row's snapshot. The branch is beside it.
    """
    return rows.filter(on_line(branch, seq, "lte"))


def played_on_line(
    rows: QuerySet[Row], branch: Any, ordinal: str = "ordinal", at: str | None = None
) -> QuerySet[Row]:
    """Keep the rows of stages, of battles or of what belongs to them on the line of a branch.

    A stage leads from the snapshot with its ordinal to the next one. If the line leaves a branch at
    a snapshot, the stage that was played there is no longer on it.

    Args:
        branch: The primary key of the branch, or an `OuterRef` of one.
        ordinal: The lookup of the ordinal of a stage of the week, or of the number of the snapshot
            from which a battle is fought. The branch is beside it, if `at` does not name it.
        at: The lookup of the row's branch.
    """
    return rows.filter(on_line(branch, ordinal, "lt", at))


def played_on_lines(
    rows: QuerySet[Any], branches: Sequence[Branch], ordinal: str = "ordinal"
) -> QuerySet[Any]:
    """Keep the rows that are played on the lines of branches, as `played_on_line`.

    A row on several of them is found once for each; `line` is the primary key of the branch.
    """
    condition = on_line([branch.pk for branch in branches], ordinal, "lt", several=True)
    found: QuerySet[Any] = rows.filter(condition).annotate(line=F("branch__heirs__branch_id"))
    return found


def on_line(
    branch: Any, seq: str, comparison: str, at: str | None = None, *, several: bool = False
) -> Q:
    """Return the condition of `of_line` ("lte") or `played_on_line` ("lt").

    Each row meets it for at most one ancestor of a branch, so a query finds no row twice.

    Args:
        several: `branch` is a list of primary keys.
    """
    if at is None:
        prefix = seq.rpartition("__")[0]
        at = f"{prefix}__branch" if prefix else "branch"
    heirs = f"{at}__heirs"
    of_branch = f"{heirs}__branch__in" if several else f"{heirs}__branch"
    return Q(**{of_branch: branch, f"{seq}__{comparison}": F(f"{heirs}__upto")})


def shared_up_to(branch: Branch, other: Branch) -> int:
    """Return the number of the last snapshot that two branches share; -1 if there is none."""
    upto = Lineage.objects.filter(branch=branch).values_list("ancestor", "upto")
    other_upto = dict(Lineage.objects.filter(branch=other).values_list("ancestor", "upto"))
    return max((min(seq, other_upto.get(pk, -1)) for pk, seq in upto), default=-1)


def branch_create(
    *,
    campaign: Campaign,
    parent: Snapshot | None = None,
    kind: BranchKind = BranchKind.BEGINNING,
    dice: BranchDice = BranchDice.FRESH,
    reason: str,
    opened_by: int | None = None,
    now: datetime | None = None,
) -> Branch:
    """Create a campaign's next branch, with its lineage. The caller makes it the head.

    Args:
        parent: The snapshot at which it begins; None for the beginning of the war. For a fork, a
            snapshot of another war.
        opened_by: The primary key of a user.
    """
    last = Branch.objects.filter(campaign=campaign).order_by("number").last()
    number = 1 if last is None else last.number + 1
    has_dice_of_parent = parent is not None and dice == BranchDice.SAME
    branch = Branch.objects.create(
        campaign=campaign,
        number=number,
        parent=parent,
        head=None if kind == BranchKind.FORK else parent,
        kind=kind,
        dice=dice,
        dice_number=parent.branch.dice_number if parent and has_dice_of_parent else number,
        reason=reason,
        opened_by_id=opened_by,
        opened_at=now,
    )
    lineage_write(branch=branch)
    return branch


def own_parent(branch: Branch) -> Snapshot | None:
    """Return the snapshot of the same war from which a branch starts; None for a war's first."""
    return None if branch.kind == BranchKind.FORK else branch.parent


def lineage_write(*, branch: Branch) -> None:
    """Write the ancestry of a new branch: that of its parent, cut at the parent, and itself."""
    rows = [Lineage(branch=branch, ancestor=branch, upto=WHOLE, distance=0)]
    parent = own_parent(branch)
    if parent is not None:
        for row in Lineage.objects.filter(branch=parent.branch_id):
            upto = min(row.upto, parent.seq)
            rows.append(
                Lineage(
                    branch=branch,
                    ancestor_id=row.ancestor_id,
                    upto=upto,
                    distance=row.distance + 1,
                )
            )
    Lineage.objects.bulk_create(rows)
