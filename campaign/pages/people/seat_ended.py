"""What former members of a campaign see: why they lost their seat, and the public record."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_POST

from campaign.access import viewer_of
from campaign.errors import NotFound
from campaign.services.seat_ends import seat_end_hide, seat_end_of, seat_end_words
from campaign.web.common import never_cached, show

LOST_SEAT_STATUS = 403


class SeatEndMiddleware:
    """Replaces the 404 of a campaign's pages with a lost-seat page for former members."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        if not isinstance(exception, Http404) or match is None or "c" not in match.kwargs:
            return None
        if not request.user.is_authenticated:
            return None
        return _page(request, match.kwargs["c"])


def _page(request: HttpRequest, campaign: object) -> HttpResponseBase | None:
    """Return the lost-seat page, or None if the reader lost no seat or has one again."""
    try:
        if isinstance(campaign, uuid.UUID):
            campaign_id = campaign
        else:
            campaign_id = uuid.UUID(str(campaign))
    except ValueError:
        return None
    end = None
    try:
        viewer_of(request.user, campaign_id, guest=True)
    except NotFound:
        end = seat_end_of(user=request.user, campaign=campaign_id)  # type: ignore[arg-type]
    if end is None:
        return None
    words = seat_end_words(end)
    page = show(
        request, "seat_ended", status=LOST_SEAT_STATUS, end=end, campaign=end.campaign, words=words
    )
    return never_cached(page)


@login_required
@require_POST
def hide_seat_end(request: HttpRequest, war: uuid.UUID) -> HttpResponse:
    """Remove a lost seat from the reader's list of wars."""
    seat_end_hide(user=request.user, campaign=war)  # type: ignore[arg-type]
    return redirect("home")


urlpatterns: list[URLPattern | URLResolver] = [
    path("me/seats/<uuid:war>/hide/", hide_seat_end, name="seat-end-hide"),
]
