"""The public ledger in words, and how everybody can check the war."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import Refused
from campaign.models.campaign import Branch
from campaign.models.ledger import LedgerRow
from campaign.selectors.end_rows import end_row_of
from campaign.selectors.families import may_be_public
from campaign.selectors.heads import HeadMatch, head_of, match_head
from campaign.selectors.truth import ledger_of
from campaign.store.documents import scenario_of
from engine.core.merkle import prefix_roots
from engine.core.phrase import phrase
from engine.core.signed_notes import Checkpoint
from umpire.pages.frame import ASK_METHODS, page, show, stage_title
from umpire.services.reveal import is_reveal_voted_on, may_propose_reveal, reveal_propose

MAX_HEAD = 200  # characters of a head to compare
# What the comparison of a head found, and whether all is well.
ANSWERS = {
    HeadMatch.AGREES: (phrase("✓ This ledger had that head: no row up to it was changed."), True),
    HeadMatch.ABANDONED: (
        phrase("✓ An abandoned timeline of this war had that head: the war was rolled back since."),
        True,
    ),
    HeadMatch.DIFFERS: (
        phrase(
            "✗ This ledger never had that head. Check that you copied it completely. If you did, "
            "keep the mail and tell your umpire: a row may have been changed."
        ),
        False,
    ),
    HeadMatch.UNREADABLE: (phrase("A head looks like 12 · 4F7A-91C2-0B3E."), False),
}


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A row of the ledger in words.

    Attributes:
        closed_at: When the stage closed; None in rows of release 1.0.
        head: The short name of the head up to this row.
    """

    seq: int
    title: str
    closed_at: datetime | None
    head: str


@page()
def ledger(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the public ledger to any member, newest row first."""
    campaign = viewer.campaign
    rows = list(ledger_of(campaign=campaign))
    factions = sorted(scenario_of(campaign).factions, key=lambda faction: faction.id)
    left = Branch.objects.filter(campaign=campaign, left_at__isnull=False)
    return show(
        request,
        viewer,
        "public_ledger",
        "",
        here="public",
        lines=_lines(rows)[::-1],
        end_row=end_row_of(campaign),
        ledger=rows[::-1],
        ledger_head=head_of(campaign),
        abandoned=left.order_by("number"),
        faction_order=[faction.name for faction in factions],
    )


def _lines(rows: Sequence[LedgerRow]) -> list[LedgerLine]:
    """Return the rows of a ledger in words, in order."""
    roots = prefix_roots([bytes.fromhex(row.hash) for row in rows])
    lines = []
    for size, row in enumerate(rows, start=1):
        closed = row.body.get("closed_at")
        lines.append(
            LedgerLine(
                seq=row.seq,
                title=stage_title(row.body["week"], row.body["stage"]),
                closed_at=datetime.fromisoformat(closed) if closed else None,
                head=Checkpoint("", size, roots[size]).short_name,
            )
        )
    return lines


@page(methods=ASK_METHODS)
def check(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Say what is proven and what is not, and compare a head that the reader kept (`?head=`).

    A POST asks all sides to publish the story of a war that is over while a fork of it goes on.
    """
    if request.method == "POST":
        try:
            reveal_propose(viewer=viewer)
            messages.success(request, phrase("Proposed. Every side can vote for two days."))
        except Refused as error:
            messages.warning(request, phrase("Nothing was changed: {}.", error.words))
        return redirect("rollback", c=viewer.campaign.public_id)
    campaign = viewer.campaign
    text = request.GET.get("head", "")[:MAX_HEAD]
    words, is_good = ANSWERS[match_head(campaign, text)] if text else ("", True)
    may_propose = may_propose_reveal(viewer)
    return show(
        request,
        viewer,
        "check",
        "",
        here="public",
        ledger_head=head_of(campaign),
        may_be_told=may_be_public(campaign=campaign),
        may_propose=may_propose,
        is_voted_on=may_propose and is_reveal_voted_on(campaign, timezone.now()),
        head=text,
        answer=phrase(words) if words else "",
        is_good=is_good,
    )
