"""What a faction's fleets do about whom they met: the scan, their own strength, what each choice leads to."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.pages.choices import choosing, decided
from campaign.pages.entries import Entry, elsewhere, entry_of, entry_posted
from campaign.pages.fields import decisions_payload
from campaign.pages.orders import entry_context
from campaign.pages.war import War, not_begun, player_page, war_of

# What the two choices lead to, as the table of the rulebook has it: rows are ours, columns theirs.
OUTCOMES = (
    ("Fight", "Battle.", "Battle.", "They get away; on a roll of 6 there is a battle."),
    ("Stand off", "Battle.", "Stand-off: both stay.", "They leave."),
    (
        "Withdraw",
        "You get away; on a roll of 6 there is a battle.",
        "You leave.",
        "Both leave; nobody holds the system this week.",
    ),
)


@player_page
def decisions(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The decisions of the open stage."""
    try:
        war = war_of(viewer)
    except NoViewer:
        return not_begun(viewer)
    stage = war.stage
    if stage is None:
        return render(request, "campaign/war_over.html", {"war": war})
    if stage.kind != "decisions":
        return elsewhere(request, war)
    if request.method == "POST":
        done = entry_posted(request, war, stage, lambda posted: decisions_payload(war.sight.view, posted))
        return done if isinstance(done, HttpResponse) else _shown(request, war, done)
    return _shown(request, war, entry_of(war, stage))


def _shown(request: HttpRequest, war: War, entry: Entry) -> HttpResponse:
    view, given = war.sight.view, decided(entry.payload)
    asked = [
        choosing(war.scenario, view, a.hex, a.toward, "met this week", a.fixed or "", given, entry.faults, a.default)
        for a in view.asked
    ]
    context = entry_context(war, entry) | {
        "asked": [row for row in asked if not row.fixed],
        "fixed": [row for row in asked if row.fixed],
        "outcomes": OUTCOMES,
    }
    return render(request, "campaign/decisions.html", context, status=entry.status)


urlpatterns = [path("c/<str:c>/decisions/", decisions, name="decisions")]
