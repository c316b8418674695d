"""Heads of a war's ledger: how many rows are public, and one hash over all of them.

A head that a player has kept contradicts every later change of these rows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from django.db.models import BigIntegerField, CharField, DateTimeField, IntegerField
from django.utils import timezone

from campaign.lineage import played_on_line, played_on_lines
from campaign.models.campaign import Branch, Campaign
from campaign.models.ledger import LedgerRow
from campaign.store.prepared import PreparedValues
from campaign.store.publication import public_ledger
from campaign.store.signatures import sign_text, site_name
from engine.core.merkle import prefix_roots, tree_root
from engine.core.signed_notes import Checkpoint, find_short_name

HASHES = PreparedValues(
    lambda branch, now: (
        public_ledger(played_on_line(LedgerRow.objects.all(), branch, "seq"), now)
        .order_by("seq")
        .values_list("hash")
    ),
    parameters=(BigIntegerField(), DateTimeField()),
    columns=(CharField(),),
)
PAST_ROWS = PreparedValues(
    lambda branch: (
        played_on_line(LedgerRow.objects.filter(stage__publishes_at__isnull=False), branch, "seq")
        .order_by("seq")
        .values_list("stage__publishes_at", "hash", "branch_id", "branch__number")
    ),
    parameters=(BigIntegerField(),),
    columns=(DateTimeField(), CharField(), BigIntegerField(), IntegerField()),
)

# When a row became public, its hash, and the primary key and the number of its branch.
HeadRow = tuple[datetime, str, int, int]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a ledger.

    Attributes:
        checkpoint: Its size and root.
        note: The signed checkpoint.
    """

    checkpoint: Checkpoint
    note: str

    @property
    def short_name(self) -> str:
        """Return the size and the beginning of the root, for people."""
        return self.checkpoint.short_name


@dataclass(frozen=True, slots=True)
class PastHeads:
    """All heads of a branch so far.

    Attributes:
        origin: The name of its ledger.
        instants: When each row became public, in the order of rows.
        roots: Over the first n rows, from none to all.
        branch_numbers: The numbers of the branches that have rows on the line, and of the branch
            itself, by primary key.
    """

    origin: str
    instants: Sequence[datetime]
    roots: Sequence[bytes]
    branch_numbers: Mapping[int, int]

    def at(self, moment: datetime) -> Checkpoint:
        """Return the head that was public at a moment."""
        size = bisect_right(self.instants, moment)
        return Checkpoint(self.origin, size, self.roots[size])


def head_of(campaign: Campaign) -> Head | None:
    """Return the head of a war's ledger that is public now; None before its first row."""
    if campaign.head_branch is None:
        return None
    return head_at(campaign, campaign.head_branch, timezone.now())


def head_at(campaign: Campaign, branch: Branch, moment: datetime) -> Head | None:
    """Return the head of a branch's ledger that is public at a moment; None without a row."""
    hashes = [row[0] for row in HASHES.tuples(branch.pk, moment)]
    if not hashes:
        return None
    root = tree_root(map(bytes.fromhex, hashes))
    checkpoint = Checkpoint(origin_of(campaign, branch), len(hashes), root)
    return Head(checkpoint, sign_text(checkpoint.text))


def past_heads(campaign: Campaign, branch: Branch) -> PastHeads:
    """Return the heads that a branch's ledger has had."""
    return _past_heads(campaign, branch, PAST_ROWS.tuples(branch.pk))


def past_heads_of(campaign: Campaign, branches: Sequence[Branch]) -> dict[int, PastHeads]:
    """Return the heads that the ledgers of branches have had, by primary key, in one query."""
    rows = LedgerRow.objects.filter(stage__publishes_at__isnull=False)
    rows = played_on_lines(rows, branches, "seq")
    columns = ("line", "stage__publishes_at", "hash", "branch_id", "branch__number")
    rows_of: dict[int, list[HeadRow]] = {}
    for line, *row in rows.order_by("seq").values_list(*columns):
        rows_of.setdefault(line, []).append((row[0], row[1], row[2], row[3]))
    found = {}
    for branch in branches:
        found[branch.pk] = _past_heads(campaign, branch, rows_of.get(branch.pk, []))
    return found


def _past_heads(campaign: Campaign, branch: Branch, rows: Sequence[Any]) -> PastHeads:
    """Return the heads of a ledger with these rows (`HeadRow`)."""
    numbers = {branch.pk: branch.number}
    for *_, row_branch, number in rows:
        numbers[row_branch] = number
    return PastHeads(
        origin=origin_of(campaign, branch),
        instants=[row[0] for row in rows],
        roots=prefix_roots([bytes.fromhex(row[1]) for row in rows]),
        branch_numbers=numbers,
    )


class HeadMatch(Enum):
    """What the comparison of a head with a war's ledgers found."""

    AGREES = "agrees"
    ABANDONED = "abandoned"  # it was the head of a timeline that the war has left
    DIFFERS = "differs"
    UNREADABLE = "unreadable"


def match_head(campaign: Campaign, text: str) -> HeadMatch:
    """Compare the short name of a head with all public heads that a war's ledgers have had.

    Heads that are not public yet are not found, like wrong ones.
    """
    short_name = find_short_name(text)
    if short_name is None:
        return HeadMatch.UNREADABLE
    now = timezone.now()
    branches = list(Branch.objects.filter(campaign=campaign).order_by("-number"))
    heads_of = past_heads_of(campaign, branches)
    for branch in branches:
        if _has_head(heads_of[branch.pk], short_name, now):
            is_present = branch.pk == campaign.head_branch_id
            return HeadMatch.AGREES if is_present else HeadMatch.ABANDONED
    return HeadMatch.DIFFERS


def _has_head(heads: PastHeads, given: str, now: datetime) -> bool:
    """Return whether one of the heads that are public has a short name."""
    size, _, _ = given.partition(" ")
    public = bisect_right(heads.instants, now)
    if int(size) > public:
        return False
    return Checkpoint("", int(size), heads.roots[int(size)]).short_name == given


def origin_of(campaign: Campaign, branch: Branch) -> str:
    """Return the name of a branch's ledger in its heads."""
    return f"{site_name()}/war/{campaign.public_id}/{branch.number}"
