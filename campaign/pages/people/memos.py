"""Memos for weeks to come: a list by weeks, each with its form; this week's stands above the orders
as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_http_methods

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.forms.field import number
from campaign.services.memos import LONGEST_MEMO, memo_write, memos_of
from campaign.store.documents import scenario_of
from campaign.web.common import UNLAWFUL, show
from campaign.web.tabs import tabs
from campaign.web.war import player_page, war_of
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase


@player_page
@require_http_methods(("GET", "HEAD", "POST"))
def memos(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The memos of the reader's faction, and the form for one more week."""
    if request.method != "POST":
        return _shown(request, viewer)
    given = number(request.POST.get("week", ""))
    week = given if isinstance(given, int) else -1
    try:
        memo_write(viewer=viewer, week=week, text=request.POST.get("text", ""))
    except RuleViolations as error:
        return _shown(request, viewer, error.listed, UNLAWFUL)
    messages.success(request, phrase("The memo for week {} is kept.", week) if request.POST.get("text", "").strip() else
                     phrase("There is no memo for week {} any more.", week))  # fmt: skip
    return redirect("memos", c=viewer.campaign.public_id)


def _shown(
    request: HttpRequest, viewer: Viewer, found: Sequence[Violation] = (), status: int = 200
) -> HttpResponse:
    told = memos_of(viewer)
    try:
        week = war_of(viewer).week
    except NoViewer:
        week = 1
    taken = {memo.week for memo in told}
    free = [
        n for n in range(max(week, 1), scenario_of(viewer.campaign).weeks + 1) if n not in taken
    ]
    parts = {"violations": found, "told": told, "week": week, "free": free, "longest": LONGEST_MEMO}
    given = {"week": request.POST.get("week", ""), "text": request.POST.get("text", "")}
    return show(request, "memos", status=status, given=given, **parts, **tabs(viewer, "memos"))


urlpatterns = [path("c/<uuid:c>/memos/", memos, name="memos")]
