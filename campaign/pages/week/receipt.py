"""Receipts of everything the faction sealed, with what a reader needs to check a digest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from campaign.access import Viewer
from campaign.forms.week.orders_words import orders_words
from campaign.kinds import TABLE, Source, StageKind, StageStatus, words_of
from campaign.models.knowledge import TABLE_SHEET
from campaign.pages.entry_page import canonical_text
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import View
from campaign.selectors.envelopes import SealedEntry, abandoned_entries_of, sealed_entries_of
from campaign.selectors.heads import head_of, past_heads_of
from campaign.selectors.receipts import ReceiptRows, ReceiptSigner, RowStanding, SignedReceipt
from campaign.sight.reports import list_phases, list_sheets
from campaign.sight.views import views_after
from campaign.web.war import KINDS, War, player_page, war_of
from campaign.words.battle.phase_titles import PHASE_TITLES
from campaign.words.common import battle_words
from engine.core.phrase import phrase
from engine.english import capitalize_first

SOURCES = words_of(Source)
STANDINGS = {
    RowStanding.STANDS: phrase("✓ Row {} of the ledger has it."),
    RowStanding.UNSEALED: phrase(
        "✓ It was unsealed before row {} of the ledger, and does not count."
    ),
    RowStanding.OPEN: phrase("The ledger has no row of this stage yet."),
    RowStanding.DIFFERS: phrase(
        "✗ Row {} of the ledger has other orders. Keep this receipt and tell your umpire."
    ),
    RowStanding.COUNTS: phrase(
        "✗ Row {} of the ledger counts these orders, although they were unsealed. Keep this "
        "receipt and tell your umpire."
    ),
}
IN_BATTLE = phrase(
    "✓ Row {} of the ledger covers the record of this battle. The archive compares these orders "
    "with it after the war."
)
WITH_WORD = phrase("The device that sealed it proved the unsealing with its withdrawal word.")
WITHOUT_WORD = phrase(
    "It was unsealed without the withdrawal word of the device that sealed it, so only the site's "
    "own record shows the unsealing."
)


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """A receipt on the page."""

    entry: SealedEntry
    signed: SignedReceipt
    title: str
    source: str  # how it was sealed, in words
    text: str  # whose digest was sealed
    words: tuple[str, ...]  # the orders in words
    is_in_force: bool  # whether this entry counts or counted
    is_open: bool  # it can still be unsealed
    unsealing: str  # what proves that it was unsealed; empty if it was not
    key: str  # under which the browser remembers its nonce
    href: str  # of the battle's page; "" for other stages
    ledger: str  # how the ledger covers it, in words; "" for battles
    differs: bool  # the ledger contradicts the receipt
    timeline: int = 0  # the number of the abandoned timeline in which it was sealed; 0 for none


@player_page
def receipts(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the faction's receipts, newest first; those of abandoned timelines come last."""
    war = war_of(viewer)
    battle_names = battle_names_by_id(war)
    entries = sealed_entries_of(viewer.campaign, war.faction)
    views = _views_when_sealed(war, entries)
    signer = ReceiptSigner(viewer.campaign)
    ledger_rows = ReceiptRows(viewer.campaign)
    rows = []
    for entry in entries:
        view = views.get(entry.ordinal, war.sight.view)
        signed = signer.receipt_of(entry)
        if entry.battle:
            name = battle_names.get(entry.battle) or phrase("battle")
            rows.append(_battle_row(war, entry, signed, name, ledger_rows.battle_row(entry)))
        else:
            rows.append(_receipt_row(war, entry, signed, view, ledger_rows.standing(entry)))
    rows.extend(_abandoned_rows(war))
    context = {
        "war": war,
        "receipts": rows,
        "ledger_head": head_of(viewer.campaign),
        **war.tabs("receipts"),
    }
    return render(request, "campaign/receipts.html", context)


@player_page
def receipts_file(request: HttpRequest, viewer: Viewer) -> HttpResponse:  # noqa: ARG001
    """Return all signed receipts of the faction as one text, oldest first, to keep elsewhere."""
    war = war_of(viewer)
    signer = ReceiptSigner(viewer.campaign)
    notes: list[str] = []
    for _, _, signed in reversed(list(_abandoned_entries(war))):
        notes.extend(signed.notes)
    for entry in reversed(sealed_entries_of(viewer.campaign, war.faction)):
        notes.extend(signer.receipt_of(entry).notes)
    response = HttpResponse("\n".join(notes), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="receipts.txt"'
    return response


def _abandoned_rows(war: War) -> Iterator[ReceiptRow]:
    """Yield the receipts of abandoned timelines, which browsers have kept as well."""
    for number, entry, signed in _abandoned_entries(war):
        if entry.battle:
            row = _battle_row(war, entry, signed, phrase("battle"), None)
        else:
            row = _receipt_row(war, entry, signed, None, (RowStanding.OPEN, 0))
        yield replace(row, is_open=False, href="", ledger="", timeline=number)


def _abandoned_entries(war: War) -> Iterator[tuple[int, SealedEntry, SignedReceipt]]:
    """Yield the number of each abandoned timeline, and an entry that was sealed in it."""
    campaign = war.viewer.campaign
    branches = list(campaign.branches.filter(left_at__isnull=False).order_by("-number"))
    if not branches:
        return
    entries = abandoned_entries_of(campaign, branches, war.faction)
    heads = past_heads_of(campaign, branches)
    for branch in branches:
        signer = ReceiptSigner(campaign, heads[branch.pk])
        for entry in entries[branch.pk]:
            yield branch.number, entry, signer.receipt_of(entry)


def battle_names_by_id(war: War) -> dict[str, str]:
    """Return the names of the battles the faction fights itself, by battle id."""
    hex_by_battle = {}
    for phase in list_phases(war.viewer.campaign, war.faction):
        hex_by_battle[phase.battle] = phase.hex
    for _, body in list_sheets(war.viewer.campaign, war.faction, TABLE_SHEET):
        hex_by_battle[body["battle"]] = body["hex"]
    return {battle: battle_words(war.scenario, hex_) for battle, hex_ in hex_by_battle.items()}


def _views_when_sealed(war: War, entries: Sequence[SealedEntry]) -> dict[int, View]:
    """Return the side's views of the stages in which it sealed, by the stage's ordinal.

    They name its fleets and ships as they were then, also those lost since.
    """
    ordinals = {entry.ordinal for entry in entries if not entry.battle}
    seqs = ordinals & {moment.seq for moment in war.moments}
    return views_after(war.viewer.campaign, war.faction, seqs)


def _receipt_row(
    war: War,
    entry: SealedEntry,
    signed: SignedReceipt,
    view: View | None,
    standing: tuple[RowStanding, int],
) -> ReceiptRow:
    """Return the row of orders of a week.

    Args:
        view: The side's view of the stage in which the entry was sealed; None leaves out the orders
            in words.
        standing: How the ledger covers the entry, and the number of the row.
    """
    stage = war.stage
    is_present_stage = stage is not None and stage.ordinal == entry.ordinal
    is_resolved = stage is not None and stage.status == StageStatus.RESOLVED
    title = phrase(KINDS[entry.stage])
    if entry.stage == StageKind.DEPLOY or is_skirmish(war.scenario):
        title = capitalize_first(title)
    else:
        title = phrase("Week {}, {}", entry.week, title)
    return ReceiptRow(
        entry=entry,
        signed=signed,
        title=title,
        source=SOURCES[entry.source],
        text=canonical_text(entry.receipt.payload),
        words=() if view is None else orders_words(war.scenario, view, entry.receipt.payload),
        is_in_force=entry.withdrawn_at is None,
        unsealing=_unsealing_words(entry),
        is_open=is_present_stage and not is_resolved,
        key=f"{war.id}/{entry.ordinal}",
        href="",
        ledger=phrase(STANDINGS[standing[0]], standing[1]),
        differs=standing[0] in (RowStanding.DIFFERS, RowStanding.COUNTS),
    )


def _battle_row(
    war: War, entry: SealedEntry, signed: SignedReceipt, battle_name: str, row: int | None
) -> ReceiptRow:
    """Return the row of orders in an online battle, or of the result of a battle at a table.

    It links to the battle.

    Args:
        row: The number of the ledger row that covers the battle; None before there is one.
    """
    if entry.stage == TABLE:
        entry_title = phrase("result")
        href = reverse("battle-table", kwargs={"c": war.id, "battle": entry.battle})
    else:
        entry_title = phrase("phase {}, {}", entry.ordinal + 1, PHASE_TITLES[entry.stage])
        href = reverse("battle-now", kwargs={"c": war.id, "fight": entry.battle})
    if is_skirmish(war.scenario):
        title = phrase("{}: {}", battle_name, entry_title)
    else:
        title = phrase("Week {}, {}: {}", entry.week, battle_name, entry_title)
    return ReceiptRow(
        entry=entry,
        signed=signed,
        title=title,
        source=SOURCES[entry.source],
        text=canonical_text(entry.receipt.payload),
        words=(),
        is_in_force=entry.withdrawn_at is None,
        unsealing=_unsealing_words(entry),
        is_open=entry.is_open,
        key=f"{war.id}/{entry.battle}/{entry.ordinal}",
        href=href,
        ledger=STANDINGS[RowStanding.OPEN] if row is None else phrase(IN_BATTLE, row),
        differs=False,
    )


def _unsealing_words(entry: SealedEntry) -> str:
    """Return what proves that an entry was unsealed; empty if it was not."""
    if entry.withdrawn_at is None:
        return ""
    return WITH_WORD if entry.withdrawal_word else WITHOUT_WORD


urlpatterns = [
    path("c/<str:c>/receipts/", receipts, name="receipts"),
    path("c/<str:c>/receipts.txt", receipts_file, name="receipts-file"),
]
