"""Receipts: everything the faction sealed, with what it takes to check the digest by oneself."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.envelopes import SealedEntry, sealed_entries_of
from campaign.errors import NoViewer
from campaign.models.kinds import Source, words_of
from campaign.models.stage import RESOLVED
from campaign.pages.entries import canonical_text
from campaign.pages.war import KINDS, War, not_begun, player_page, war_of
from campaign.pages.words import orders_words

SOURCES = words_of(Source)


@dataclass(frozen=True, slots=True)
class Slip:
    """A receipt on the page. `counts`: it is the entry that counts, or counted."""

    entry: SealedEntry
    title: str
    source: str
    text: str
    words: tuple[str, ...]
    counts: bool
    open: bool


@player_page
def receipts(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All receipts of the faction on this branch of the war, the newest first."""
    try:
        war = war_of(viewer)
    except NoViewer:
        return not_begun(viewer)
    slips = [_slip(war, entry) for entry in sealed_entries_of(viewer.campaign, war.faction)]
    return render(request, "campaign/receipts.html", {"war": war, "slips": slips})


def _slip(war: War, entry: SealedEntry) -> Slip:
    week = "" if entry.stage == "deploy" else f"Week {entry.week}, "
    return Slip(
        entry=entry,
        title=f"{week}{KINDS[entry.stage]}".capitalize(),
        source=SOURCES[entry.source],
        text=canonical_text(entry.receipt.payload),
        words=orders_words(war.scenario, war.sight.view, entry.receipt.payload),
        counts=entry.withdrawn is None,
        open=war.stage is not None and war.stage.ordinal == entry.ordinal and war.stage.status != RESOLVED,
    )


urlpatterns = [path("c/<str:c>/receipts/", receipts, name="receipts")]
