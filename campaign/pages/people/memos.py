"""Memos for coming weeks, one form each. This week's memo also appears above the orders."""

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
from campaign.web.common import UNPROCESSABLE, show
from campaign.web.tabs import tabs
from campaign.web.war import player_page, war_of
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase


@player_page
@require_http_methods(("GET", "HEAD", "POST"))
def memos(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the faction's memos, with a form for one more week."""
    if request.method != "POST":
        return _render_memos(request, viewer)
    week_number = number(request.POST.get("week", ""))
    if isinstance(week_number, int):
        week = week_number
    else:
        week = -1
    text = request.POST.get("text", "")
    if not text.strip() and week not in {memo.week for memo in memos_of(viewer)}:
        words = phrase("write something first")
        return _render_memos(request, viewer, [Violation("text", "empty", words)], UNPROCESSABLE)
    try:
        memo_write(viewer=viewer, week=week, text=text)
    except RuleViolations as error:
        return _render_memos(request, viewer, error.limited_violations, UNPROCESSABLE)
    if text.strip():
        messages.success(request, phrase("Memo for week {} saved.", week))
    else:
        messages.success(request, phrase("Memo for week {} deleted.", week))
    return redirect("memos", c=viewer.campaign.public_id)


def _render_memos(
    request: HttpRequest, viewer: Viewer, violations: Sequence[Violation] = (), status: int = 200
) -> HttpResponse:
    memo_rows = memos_of(viewer)
    try:
        week = war_of(viewer).week
    except NoViewer:
        week = 1
    weeks_with_memo = {memo.week for memo in memo_rows}
    last_week = scenario_of(viewer.campaign).weeks
    free_weeks = []
    for later_week in range(max(week, 1), last_week + 1):
        if later_week not in weeks_with_memo:
            free_weeks.append(later_week)
    parts = {
        "violations": violations,
        "memos": memo_rows,
        "week": week,
        "free_weeks": free_weeks,
        "longest": LONGEST_MEMO,
    }
    form_data = {"week": request.POST.get("week", ""), "text": request.POST.get("text", "")}
    return show(
        request, "memos", status=status, form_data=form_data, **parts, **tabs(viewer, "memos")
    )


urlpatterns = [path("c/<uuid:c>/memos/", memos, name="memos")]
