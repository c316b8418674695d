"""What the pages around the war share: the reader's time zone and theme, the door for members, forms that act once."""

from __future__ import annotations

import uuid
import zoneinfo
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from campaign.access import Viewer, viewer_of
from campaign.errors import NotThere, NoViewer
from campaign.models.account import AUTO
from engine.core.errors import Violation, listed

P = ParamSpec("P")
WITHOUT = ("/api/", "/static/", "/health/", "/metrics", "/feed/")  # addresses whose answers show no times to people
UNLAWFUL = 422  # the form is understood and refused


@dataclass(frozen=True, slots=True)
class UiPreferences:
    """How the reader wants the pages. `zone`: empty where he has chosen none."""

    theme: str = AUTO
    zone: str = ""


class UiPreferencesMiddleware:
    """Times are the reader's own while his page is made; `request.ui_preferences` says how he likes it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        chosen = UiPreferences()
        if not request.path_info.startswith(WITHOUT) and request.user.is_authenticated:
            preference = getattr(request.user, "preference", None)  # it came with the session's user
            chosen = UiPreferences() if preference is None else UiPreferences(preference.theme, preference.zone)
        request.ui_preferences = chosen  # type: ignore[attr-defined]
        if not chosen.zone:
            return self.get_response(request)
        with timezone.override(zoneinfo.ZoneInfo(chosen.zone)):
            return self.get_response(request)


def ui_preferences(request: HttpRequest) -> dict[str, Any]:
    """For every template: how the reader wants the pages."""
    return {"ui_preferences": getattr(request, "ui_preferences", UiPreferences())}


def member_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """A page for everybody who has a part in a campaign: log in first; for strangers it does not exist.

    The page is called with the viewer in place of the campaign's id. What it says is not there is a 404 like any other.
    """

    @wraps(page)
    def opened(request: HttpRequest, c: uuid.UUID, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return kept_by_nobody(page(request, viewer_of(request.user, c), *args, **kwargs))
        except (NotThere, NoViewer) as error:
            raise Http404 from error

    return login_required(opened)


def kept_by_nobody(response: HttpResponseBase) -> HttpResponseBase:
    """A campaign's page, not to be kept by browser or proxy, unless it has an ETag to be asked about again."""
    if not response.has_header("ETag"):
        add_never_cache_headers(response)
    return response


def show(request: HttpRequest, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """A page of the campaign's templates."""
    return render(request, f"campaign/{template}.html", context, status=status)


def words_of(found: Iterable[Violation]) -> str:
    """Faults as one sentence, for a message above a page."""
    return ". ".join(f"{fault.message[:1].upper()}{fault.message[1:]}" for fault in listed(found)) + "."
