"""Receipts of everything the faction sealed, with what a reader needs to check a digest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from campaign.access import Viewer
from campaign.forms.week.orders_words import orders_words
from campaign.kinds import TABLE, Source, StageKind, StageStatus, words_of
from campaign.models.knowledge import TABLE_SHEET
from campaign.pages.entry_page import canonical_text
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.envelopes import SealedEntry, sealed_entries_of
from campaign.sight.reports import list_phases, list_sheets
from campaign.web.war import KINDS, War, player_page, war_of
from campaign.words.battle.phase_titles import PHASE_TITLES
from campaign.words.common import battle_words
from engine.core.phrase import phrase
from engine.english import capitalize_first

SOURCES = words_of(Source)


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """A receipt on the page."""

    entry: SealedEntry
    title: str
    source: str
    text: str
    words: tuple[str, ...]
    is_in_force: bool  # whether this entry counts or counted
    is_open: bool
    key: str
    href: str


@player_page
def receipts(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the faction's receipts on this branch of the war, newest first."""
    war = war_of(viewer)
    battle_names = battle_names_by_id(war)
    rows = []
    for entry in sealed_entries_of(viewer.campaign, war.faction):
        rows.append(_receipt_row(war, entry, battle_names))
    context = {"war": war, "receipts": rows, **war.tabs("receipts")}
    return render(request, "campaign/receipts.html", context)


def battle_names_by_id(war: War) -> dict[str, str]:
    """Return the names of the battles the faction fights itself, by battle id."""
    battles = []
    for phase in list_phases(war.viewer.campaign, war.faction):
        battles.append((phase.battle, phase.hex))
    sheets = list_sheets(war.viewer.campaign, war.faction, TABLE_SHEET)
    battles += [(body["battle"], body["hex"]) for _, body in sheets]
    return {battle: battle_words(war.scenario, label) for battle, label in battles}


def _receipt_row(war: War, entry: SealedEntry, battle_names: Mapping[str, str]) -> ReceiptRow:
    """Return the row of a receipt. Receipts of battles link to the battle."""
    campaign = str(war.viewer.campaign.public_id)
    if not entry.battle:
        now, key, href = war.stage, f"{campaign}/{entry.ordinal}", ""
        title = phrase(KINDS[entry.stage])
        in_week = entry.stage != StageKind.DEPLOY and not is_skirmish(war.scenario)
        if in_week:
            title = phrase("Week {}, {}", entry.week, title)
        else:
            title = capitalize_first(title)
        words = orders_words(war.scenario, war.sight.view, entry.receipt.payload)
        is_open = (
            now is not None and now.ordinal == entry.ordinal and now.status != StageStatus.RESOLVED
        )
    else:
        key, words, is_open = f"{campaign}/{entry.battle}/{entry.ordinal}", (), entry.open
        if entry.stage == TABLE:
            entry_title = phrase("result")
            href = reverse("battle-table", kwargs={"c": campaign, "battle": entry.battle})
        else:
            entry_title = phrase("phase {}, {}", entry.ordinal + 1, PHASE_TITLES[entry.stage])
            href = reverse("battle-now", kwargs={"c": campaign, "fight": entry.battle})
        battle = battle_names.get(entry.battle) or phrase("battle")
        title = phrase("{}: {}", battle, entry_title)
        if not is_skirmish(war.scenario):
            title = phrase("Week {}, {}: {}", entry.week, battle, entry_title)
    return ReceiptRow(
        entry=entry,
        title=title,
        source=SOURCES[entry.source],
        text=canonical_text(entry.receipt.payload),
        words=words,
        is_in_force=entry.withdrawn is None,
        is_open=is_open,
        key=key,
        href=href,
    )


urlpatterns = [path("c/<str:c>/receipts/", receipts, name="receipts")]
