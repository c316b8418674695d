"""Receipts: everything the faction sealed, with what it takes to check the digest by oneself."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.models.kinds import Source, words_of
from campaign.models.stage import RESOLVED
from campaign.pages.entries import canonical_text
from campaign.pages.war import KINDS, War, not_begun, player_page, war_of
from campaign.pages.words import orders_words
from campaign.papers import Paper, papers_of

SOURCES = words_of(Source)


@dataclass(frozen=True, slots=True)
class Slip:
    """A receipt on the page. `counts`: it is the entry that counts, or counted."""

    paper: Paper
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
    slips = [_slip(war, paper) for paper in papers_of(viewer.campaign, war.faction)]
    return render(request, "campaign/receipts.html", {"war": war, "slips": slips})


def _slip(war: War, paper: Paper) -> Slip:
    week = "" if paper.stage == "deploy" else f"Week {paper.week}, "
    return Slip(
        paper=paper,
        title=f"{week}{KINDS[paper.stage]}".capitalize(),
        source=SOURCES[paper.source],
        text=canonical_text(paper.receipt.payload),
        words=orders_words(war.scenario, war.sight.view, paper.receipt.payload),
        counts=paper.withdrawn is None,
        open=war.stage is not None and war.stage.ordinal == paper.ordinal and war.stage.status != RESOLVED,
    )


urlpatterns = [path("c/<str:c>/receipts/", receipts, name="receipts")]
