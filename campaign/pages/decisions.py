"""What a faction's fleets do about whom they met: the scan, their own strength, what each choice leads to."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.pages.choices import choosing, decided
from campaign.pages.entries import Entry, WeekPage, week_page
from campaign.pages.fields import Payload, decisions_payload
from campaign.pages.war import player_page

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


class DecisionsPage(WeekPage):
    """The decisions of a week."""

    kinds = ("decisions",)

    def payload(self, posted: QueryDict) -> Payload:
        return decisions_payload(self.war.sight.view, posted)

    def drawn(self, entry: Entry) -> HttpResponse:
        view, given = self.war.sight.view, decided(entry.payload)
        asked = [
            choosing(
                self.war.scenario, view, a.hex, a.toward, "met this week", a.fixed or "", given, entry.faults, a.default
            )
            for a in view.asked
        ]
        context = self.context(entry) | {
            "asked": [row for row in asked if not row.fixed],
            "fixed": [row for row in asked if row.fixed],
            "outcomes": OUTCOMES,
        }
        return render(self.request, "campaign/decisions.html", context, status=entry.status)


@player_page
def decisions(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The decisions of the open stage."""
    return week_page(request, viewer, DecisionsPage)


urlpatterns = [path("c/<str:c>/decisions/", decisions, name="decisions")]
