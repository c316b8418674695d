"""Steps of a guided war: those that the reader has taken his account keeps, and no page shows them again."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from campaign.pages.common import UiPreferences
from campaign.rules.help_texts import GuideStep, guide_ids, guide_steps
from campaign.services.preferences import guide_again, guide_taken

ALL, AGAIN = "all", "again"


def steps_left(preferences: UiPreferences, scenario: str, page: str, week: int) -> list[GuideStep]:
    """The steps of a page that its reader has not taken."""
    return [step for step in guide_steps(scenario, page, week) if step.id not in preferences.guided]


@login_required
@require_POST
def guide(request: HttpRequest) -> HttpResponse:
    """Takes a step, or `all` of them; `again` begins anew. Then comes the page it was sent from, else home."""
    step, user = request.POST.get("step", ""), request.user
    if step == AGAIN:
        guide_again(user=user)  # type: ignore[arg-type]
    else:
        guide_taken(user=user, steps=guide_ids() if step == ALL else (step,))  # type: ignore[arg-type]
    back = request.POST.get("back", "")
    return redirect(back if back.startswith("/") and url_has_allowed_host_and_scheme(back, None) else "home")


urlpatterns: list[URLPattern | URLResolver] = [path("guide/", guide, name="guide")]
