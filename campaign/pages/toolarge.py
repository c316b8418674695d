"""Requests that bring too much are refused before they are read: 413, in words that name the limit.

What is large but within the limits is a heavy act (`campaign.services.heavy`), and so is what a page calls `weighed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.html import escape
from django.views.defaults import bad_request

from campaign.api.problems import too_large
from campaign.errors import TooMuch, TooOften
from campaign.limits import BODY, FIELD, FIELDS, FORM, LARGE, TEXT, TEXTS, VALUES
from campaign.services.heavy import heavy_act

API = "/api/"
WITH_FILES = "multipart/form-data"
BEYOND: dict[type[Exception], str] = {
    RequestDataTooBig: f"A form has at most {FORM} bytes.",
    TooManyFieldsSent: f"A form has at most {FIELDS} fields.",
    TooManyFilesSent: "A form brings one file.",
}


class LimitMiddleware:
    """Refuses what is too large by its announced length, and forms with too much in one field."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        announced = request.META.get("CONTENT_LENGTH") or "0"
        length = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 16 else BODY + 1
        if request.path_info.startswith(API):
            return too_large() if length > BODY else self.get_response(request)
        user = getattr(request, "user", None)
        known = user is not None and user.is_authenticated
        most = LARGE if not known else BODY if (request.content_type or "") == WITH_FILES else FORM
        if length > most:
            return _refused(request, f"A request here has at most {most} bytes.")
        if length <= LARGE:
            return self.get_response(request)
        try:
            with weighed(request):
                return self.get_response(request)
        except TooMuch as error:
            return _later(request, error)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return _later(request, exception) if isinstance(exception, TooMuch) else None

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        if request.method != "POST" or request.path_info.startswith(API):
            return None
        together = 0
        for name, values in request.POST.lists():
            most = TEXTS.get(name, FIELD)
            if len(name) > FIELD or any(len(str(value)) > most for value in values):
                return _refused(request, f"A field has at most {most} characters.")
            shown = sum(len(escape(value).encode(errors="replace")) for value in values)
            if name in TEXTS and shown > TEXT:
                return _refused(request, "A text has fewer quotation marks and signs than this one.")
            together += 0 if name in TEXTS else shown
        return _refused(request, f"All fields of a form have at most {VALUES} bytes.") if together > VALUES else None


@contextmanager
def weighed(request: HttpRequest) -> Iterator[None]:
    """What is done within is one heavy act of who asks, however often it is called. Raises TooOften, Busy."""
    if getattr(request, "weighed", False):
        yield
        return
    request.weighed = True  # type: ignore[attr-defined]
    with heavy_act(cast(Any, request.user)):
        yield


def unusable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to a request that cannot be read: 413 where it brings too much, else 400."""
    words = BEYOND.get(type(exception))
    return bad_request(request, exception) if words is None else _refused(request, words)


def _later(request: HttpRequest, error: TooMuch) -> HttpResponse:
    status = 429 if isinstance(error, TooOften) else 503
    answer = render(request, "later.html", {"words": str(error), "wait": error.wait}, status=status)
    answer.headers["Retry-After"] = str(error.wait)
    return answer


def _refused(request: HttpRequest, words: str) -> HttpResponse:
    return render(request, "413.html", {"words": words}, status=413)
