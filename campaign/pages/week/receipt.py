"""Receipts: all that the faction sealed, in weeks and in battles, with what it takes to check a
digest by oneself.
"""

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
from campaign.pages.drafts import canonical_text
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.envelopes import SealedEntry, sealed_entries_of
from campaign.sight.reports import sheets_told, stops_told
from campaign.web.war import KINDS, War, player_page, war_of
from campaign.words.battle.phase_titles import STOP_TITLES
from campaign.words.sayings import battle_words
from engine.core.phrase import phrase
from engine.english import capital

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
    key: str
    href: str


@player_page
def receipts(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All receipts of the faction on this branch of the war, the newest first."""
    war = war_of(viewer)
    called = battles_called(war)
    slips = [_slip(war, entry, called) for entry in sealed_entries_of(viewer.campaign, war.faction)]
    context = {"war": war, "slips": slips, **war.tabs("receipts")}
    return render(request, "campaign/receipts.html", context)


def battles_called(war: War) -> dict[str, str]:
    """The names of the battles that the faction fights itself, by its own ids of them."""
    told = [(stop.battle, stop.hex) for stop in stops_told(war.viewer.campaign, war.faction)]
    sheets = sheets_told(war.viewer.campaign, war.faction, TABLE_SHEET)
    told += [(body["battle"], body["hex"]) for _, body in sheets]
    return {battle: battle_words(war.scenario, label) for battle, label in told}


def _slip(war: War, entry: SealedEntry, called: Mapping[str, str]) -> Slip:
    """A receipt; of a battle with a link to it."""
    campaign = str(war.viewer.campaign.public_id)
    if not entry.battle:
        now, key, href = war.stage, f"{campaign}/{entry.ordinal}", ""
        title = phrase(KINDS[entry.stage])
        in_week = entry.stage != StageKind.DEPLOY and not is_skirmish(war.scenario)
        title = phrase("Week {}, {}", entry.week, title) if in_week else capital(title)
        words = orders_words(war.scenario, war.sight.view, entry.receipt.payload)
        is_open = (
            now is not None and now.ordinal == entry.ordinal and now.status != StageStatus.RESOLVED
        )
    else:
        key, words, is_open = f"{campaign}/{entry.battle}/{entry.ordinal}", (), entry.open
        if entry.stage == TABLE:
            what, href = (
                phrase("result"),
                reverse("battle-table", kwargs={"c": campaign, "battle": entry.battle}),
            )
        else:
            what = phrase("stop {}, {}", entry.ordinal + 1, STOP_TITLES[entry.stage])
            href = reverse("battle-now", kwargs={"c": campaign, "fight": entry.battle})
        battle = called.get(entry.battle) or phrase("battle")
        title = phrase("{}: {}", battle, what)
        if not is_skirmish(war.scenario):
            title = phrase("Week {}, {}: {}", entry.week, battle, what)
    return Slip(
        entry=entry,
        title=title,
        source=SOURCES[entry.source],
        text=canonical_text(entry.receipt.payload),
        words=words,
        counts=entry.withdrawn is None,
        open=is_open,
        key=key,
        href=href,
    )


urlpatterns = [path("c/<str:c>/receipts/", receipts, name="receipts")]
