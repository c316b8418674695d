"""Receipts that the site has signed: that it took a sealed entry, or unsealed it, and when.

The text of a receipt:

    games.example/war/<campaign>/receipt
    <branch>/<stage>/<again>/<faction>/<revision>
    <digest>
    sealed 2026-11-28T22:31:07Z
    after -
    head <size> <root>

For a battle, `<stage>` is `<battle>/<phase>` with the faction's own id of the battle. `<again>` is
0: a stage that an umpire's ruling opens again has an ordinal of its own. `after` has a dash: it is
for something that no war has yet. The last line is the head of the ledger at that moment, its root
in hexadecimal. Of orders that were unsealed, the fourth line is `unsealed <time> word <word>`;
without the word of the client that had sealed them it is `unsealed <time>`, and only the site's own
record shows the unsealing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from django.utils import timezone

from campaign.kinds import StageKind
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign
from campaign.models.ledger import LedgerRow
from campaign.models.stage import Submission
from campaign.selectors.envelopes import SealedEntry
from campaign.selectors.heads import PastHeads, past_heads
from campaign.store.publication import public_ledger
from campaign.store.signatures import sign_text, site_name


@dataclass(frozen=True, slots=True)
class SignedReceipt:
    """The signed notes about a sealed entry.

    Attributes:
        unsealing: Empty if the entry was not unsealed.
    """

    sealing: str
    unsealing: str

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the notes in the order in which they were signed."""
        return (self.sealing, self.unsealing) if self.unsealing else (self.sealing,)


class ReceiptSigner:
    """Signs the receipts of the sealed entries on the line of a branch.

    Args:
        heads: The heads that the ledger of the branch has had; by default those of the head branch.
    """

    def __init__(self, campaign: Campaign, heads: PastHeads | None = None) -> None:
        if campaign.head_branch is None:
            raise ValueError("nothing can be sealed before the war")
        self._campaign = campaign
        self._heads = heads or past_heads(campaign, campaign.head_branch)

    def receipt_of(self, entry: SealedEntry) -> SignedReceipt:
        """Return the signed receipt of an entry. The same entry always has the same receipt."""
        receipt = entry.receipt
        stage = self._stage_words(entry.branch_id, entry.ordinal, entry.battle)
        place = f"{stage}/0/{receipt.faction}/{receipt.revision}"
        unsealed = (entry.withdrawn_at, entry.withdrawal_word)
        return self._signed(place, receipt.digest, receipt.sealed_at, *unsealed)

    def receipt_of_row(self, row: Submission, battle: str = "") -> SignedReceipt:
        """Return the signed receipt of a row, without reading what was sealed.

        Args:
            row: With its stage and faction.
            battle: The faction's outside id of the stage's battle; empty for a stage of the week.
        """
        stage = self._stage_words(row.stage.branch_id, row.stage.ordinal, battle)
        place = f"{stage}/0/{row.faction.key}/{row.revision}"
        unsealed = (row.withdrawn_at, row.withdrawal_word or "")
        return self._signed(place, row.digest, row.sealed_at, *unsealed)

    def _stage_words(self, branch_id: int, ordinal: int, battle: str) -> str:
        """Return what names a stage and its branch in a receipt."""
        number = self._heads.branch_numbers[branch_id]
        return f"{number}/{battle}/{ordinal}" if battle else f"{number}/{ordinal}"

    def _signed(
        self,
        place: str,
        digest: str,
        sealed_at: datetime,
        withdrawn_at: datetime | None,
        word: str,
    ) -> SignedReceipt:
        """Return the notes about an entry."""
        unsealing = ""
        if withdrawn_at is not None:
            proof = f" word {word}" if word else ""
            unsealing = sign_text(self._text(place, digest, "unsealed", withdrawn_at, proof))
        sealing = sign_text(self._text(place, digest, "sealed", sealed_at))
        return SignedReceipt(sealing, unsealing)

    def _text(self, place: str, digest: str, verb: str, at: datetime, proof: str = "") -> str:
        """Return the text that is signed.

        Args:
            proof: That the client itself unsealed the entry, to be added after the time.
        """
        head = self._heads.at(at)
        lines = (
            f"{site_name()}/war/{self._campaign.public_id}/receipt",
            place,
            digest,
            f"{verb} {at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}{proof}",
            "after -",
            f"head {head.size} {head.root.hex()}",
        )
        return "".join(f"{line}\n" for line in lines)


class RowStanding(Enum):
    """How a public row of the ledger covers a sealed entry."""

    STANDS = "stands"
    UNSEALED = "unsealed"  # it was unsealed, and the row does not count it
    OPEN = "open"  # the stage has no public row yet
    DIFFERS = "differs"  # the row counts other orders
    COUNTS = "counts"  # it was unsealed, but the row counts it


class ReceiptRows:
    """The public rows of a war's line, to compare with sealed entries of its weeks."""

    def __init__(self, campaign: Campaign) -> None:
        rows = played_on_line(LedgerRow.objects.all(), campaign.head_branch_id or 0, "seq")
        rows = public_ledger(rows, timezone.now())
        self._rows: dict[int, tuple[int, list[str]]] = {}
        self._battles: dict[int, int] = {}
        fields = ("stage__ordinal", "stage__week", "stage__kind", "seq", "body__digests")
        for ordinal, week, kind, seq, digests in rows.order_by("seq").values_list(*fields):
            self._rows[ordinal] = seq, digests
            if kind == StageKind.BATTLES:
                self._battles[week] = seq

    def standing(self, entry: SealedEntry) -> tuple[RowStanding, int]:
        """Return how a row covers an entry of a stage of the week, and the number of the row."""
        if entry.ordinal not in self._rows:
            return RowStanding.OPEN, 0
        seq, digests = self._rows[entry.ordinal]
        counts = entry.receipt.digest in digests
        if entry.withdrawn_at is not None:
            return RowStanding.COUNTS if counts else RowStanding.UNSEALED, seq
        return RowStanding.STANDS if counts else RowStanding.DIFFERS, seq

    def battle_row(self, entry: SealedEntry) -> int | None:
        """Return the number of the row that covers the battle of an entry; None if there is none.

        The row covers the battle by its leaf; the archive compares the orders with the record.
        """
        return self._battles.get(entry.week)
