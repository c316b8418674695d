"""Shared parts of the pages around the war: time zone and theme of the reader, the door for
members, forms used once.

Pages that a browser need not be sent again: a private ETag of all that they are made of, and 304
where it fits. The ETag names all that a page is made of, its reader included, so the page is kept
under it in this process, too.

The ETag is compared only once session and membership were judged: a browser that keeps pages of a
campaign proves nothing with them. It is made of what its reader sees anyway: his view's hash, the
stage and its status as everybody sees them, his own entry, his name, his settings and his part in
the campaign.

Requests that bring too much are refused before they are read: 413, in words that name the limit.
What is large but within the limits is a heavy act (`campaign.services.heavy`), and so is what a
page calls `heavy_request`.
"""

from __future__ import annotations

import hashlib
import uuid
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.messages import get_messages
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import (
    add_never_cache_headers,
    get_conditional_response,
    patch_cache_control,
    patch_vary_headers,
)
from django.utils.crypto import salted_hmac
from django.utils.html import escape
from django.utils.http import quote_etag
from django.views.defaults import bad_request

from campaign.access import Viewer, viewer_for
from campaign.errors import NotFound, NoViewer, TooMuch, TooOften
from campaign.models.account import AUTO
from campaign.models.stage import Stage
from campaign.rules.limits import BODY, FIELD, FIELDS, FORM, LARGE, TEXT, TEXTS, VALUES, size_words
from campaign.services.heavy import heavy_act, heavy_act_count
from campaign.web.problems import too_large
from campaign.words.languages import all_in_language, language_from_query, language_of
from engine.core.cache import Cache
from engine.core.errors import Violation, limit_violations
from engine.core.phrase import capitalize_first, join_phrases, phrase

PROGRAM = (
    "campaign/**/*.py",
    "umpire/**/*.py",
    "config/*.py",
    "engine/**/*.py",
    "templates/**/*.html",
    "templates/**/*.typ",
    "locale/**/*.mo",
)
HASHED = "staticfiles.json"  # names of style sheets and scripts by their content
TOKEN_COOKIE_NEEDED = "CSRF_COOKIE_NEEDS_UPDATE"  # noqa: S105 (what Django notes where a page has been given a form's token)

_pages: Cache[str, bytes] = Cache(256)  # by ETag

API = "/api/"
WITH_FILES = "multipart/form-data"
LIMIT_WORDS: dict[type[Exception], str] = {
    RequestDataTooBig: phrase("A form has at most {}.", size_words(FORM)),
    TooManyFieldsSent: phrase("A form has at most {} fields.", FIELDS),
    TooManyFilesSent: phrase("A form brings one file."),
}

P = ParamSpec("P")
LANGUAGE_COOKIE_AGE = (
    365 * 24 * 60 * 60
)  # seconds for which a stranger's browser keeps the language that he chose
PLAIN_PATHS = (
    "/api/",
    "/static/",
    "/health/",
    "/metrics",
    "/feed/",
)  # addresses whose answers show no times to people
PLAIN_PATH_EXCEPTIONS = ("/api/docs/",)  # of those, pages all the same, in the frame of all others
UNPROCESSABLE = 422  # the form is understood and refused


def if_changed(
    request: HttpRequest, key: tuple[object, ...], draw: Callable[[], HttpResponse]
) -> HttpResponseBase:
    """The page that `draw` makes, or 304 where the browser has it.

    `key`: all that it is made of, its address aside.

    A page that has a message to show is sent whole, and not to be kept. Raises ValueError where a
    form's token stands in it: that is one browser's, and in no key.
    """
    if len(get_messages(request)):
        return draw()
    etag = etag_of(request, key)

    def page_bytes() -> bytes:
        page = draw().content
        if TOKEN_COOKIE_NEEDED in request.META:
            raise ValueError("a page with a form's token is not one to keep")
        return page

    return _tagged(
        get_conditional_response(request, etag=etag)
        or HttpResponse(_pages.get_or_make(etag, page_bytes)),
        etag,
    )


def data_for_script(data: Mapping[str, object], status: int = 200) -> JsonResponse:
    """Data that a script of a page asks for, its texts in the reader's language."""
    return JsonResponse(all_in_language(data), status=status)


def if_same(
    request: HttpRequest, key: tuple[object, ...], make: Callable[[], HttpResponse]
) -> HttpResponseBase:
    """A file that `make` makes, or 304 where the browser has it.

    `key`: all that it is made of, its address aside.

    Nobody but the browser keeps it.
    """
    etag = etag_of(request, key)
    return _tagged(get_conditional_response(request, etag=etag) or make(), etag)


def etag_of(request: HttpRequest, key: tuple[object, ...]) -> str:
    """The ETag of what this reader gets at this address from what the key names."""
    preferences = getattr(request, "ui_preferences", None)
    everything = (
        _program_hash(),
        request.get_full_path(),
        request.user.get_username(),
        preferences,
        translation.get_language(),
        *key,
    )
    return quote_etag(hashlib.sha256(repr(everything).encode()).hexdigest())


def _tagged(response: HttpResponseBase, etag: str) -> HttpResponseBase:
    """The answer with its ETag, for one browser to keep and to ask again about."""
    response.headers["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie"])
    return response


def stage_key(stage: Stage | None) -> tuple[object, ...]:
    """The key by which pages name the stage that waits; no row's number, which counts what others
    do.
    """
    return (
        () if stage is None else (stage.ordinal, stage.kind, stage.week, stage.status, stage.closes)
    )


@cache
def _program_hash() -> str:
    """A hash of the program that draws the pages: another release, other pages."""
    sha256 = hashlib.sha256()
    for pattern in PROGRAM:
        for path in sorted(settings.BASE_DIR.glob(pattern)):
            sha256.update(path.read_bytes())
    manifest = settings.STATIC_ROOT / HASHED
    sha256.update(manifest.read_bytes() if manifest.is_file() else b"")
    return sha256.hexdigest()


class LimitMiddleware:
    """Refuses what is too large by its announced length, and forms with too much in one field."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        announced = request.META.get("CONTENT_LENGTH") or "0"
        length = (
            int(announced)
            if announced.isascii() and announced.isdigit() and len(announced) < 16
            else BODY + 1
        )
        if request.path_info.startswith(API):
            return too_large() if length > BODY else self.get_response(request)
        user = getattr(request, "user", None)
        is_logged_in = user is not None and user.is_authenticated
        limit = (
            LARGE
            if not is_logged_in
            else BODY
            if (request.content_type or "") == WITH_FILES
            else FORM
        )
        if length > limit:
            return too_large_page(
                request, phrase("A request here has at most {}.", size_words(limit))
            )
        if length <= LARGE:
            return self.get_response(request)
        try:
            with heavy_request(request):
                return self.get_response(request)
        except TooMuch as error:
            return _try_later(request, error)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return _try_later(request, exception) if isinstance(exception, TooMuch) else None

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        if request.method != "POST" or request.path_info.startswith(API):
            return None
        total_size = 0
        for name, values in request.POST.lists():
            limit = TEXTS.get(name, FIELD)
            if len(name) > FIELD or any(len(str(value)) > limit for value in values):
                return too_large_page(request, phrase("A field has at most {} characters.", limit))
            shown_size = sum(len(escape(value).encode(errors="replace")) for value in values)
            if name in TEXTS and shown_size > TEXT:
                return too_large_page(
                    request, phrase("A text has fewer quotation marks and signs than this one.")
                )
            total_size += 0 if name in TEXTS else shown_size
        return (
            too_large_page(
                request, phrase("All fields of a form have at most {}.", size_words(VALUES))
            )
            if total_size > VALUES
            else None
        )


@contextmanager
def heavy_request(request: HttpRequest) -> Iterator[None]:
    """Count what is done within as one heavy act of who asks, however often it is called.

    Raises TooOften, Busy.
    """
    if not _counts_now(request):
        yield
        return
    with heavy_act(cast(Any, request.user)):
        yield


def count_heavy_request(request: HttpRequest) -> None:
    """Count one heavy act of who asks, which workers will do, however often this is called.

    Raises TooOften.
    """
    if _counts_now(request):
        heavy_act_count(cast(Any, request.user))


def _counts_now(request: HttpRequest) -> bool:
    """Whether a request's heavy act is still to be counted: true once."""
    before = getattr(request, "heavy_request", False)
    request.heavy_request = True  # type: ignore[attr-defined]
    return not before


def unreadable_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to a request that cannot be read: 413 where it brings too much, else 400."""
    words = LIMIT_WORDS.get(type(exception))
    return bad_request(request, exception) if words is None else too_large_page(request, words)


def _try_later(request: HttpRequest, error: TooMuch) -> HttpResponse:
    status = 429 if isinstance(error, TooOften) else 503
    context = {"words": str(error), "wait": error.wait, "status": status}
    response = render(request, "later.html", context, status=status)
    response.headers["Retry-After"] = str(error.wait)
    return response


def too_large_page(request: HttpRequest, words: str) -> HttpResponse:
    """The answer to a request that asks for or brings too much, in words that name the limit."""
    return render(request, "413.html", {"words": words}, status=413)


@dataclass(frozen=True, slots=True)
class UiPreferences:
    """The reader's settings of the pages.

    `zone`, `language`: empty where none was chosen; `single_keys`: whether they act; `guided`: the
    steps of guided wars that were taken; `reader`: a mark of the account that tells its browser
    whose data it keeps (static/js/kept.js), and nothing else.
    """

    theme: str = AUTO
    zone: str = ""
    single_keys: bool = True
    language: str = ""
    guided: tuple[str, ...] = ()
    reader: str = ""


class UiPreferencesMiddleware:
    """Times and language are the reader's own while his page is made; `request.ui_preferences` says
    how he likes it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        chosen = UiPreferences()
        is_plain = (
            request.path_info.startswith(PLAIN_PATHS)
            and request.path_info not in PLAIN_PATH_EXCEPTIONS
        )
        if not is_plain and request.user.is_authenticated:
            reader = salted_hmac(
                "blindjump.reader", request.user.get_username(), algorithm="sha256"
            ).hexdigest()[:16]
            preference = getattr(request.user, "stored_preference", None)  # set by config.sessions
            if preference is None:
                chosen = UiPreferences(reader=reader)
            else:
                chosen = UiPreferences(
                    preference.theme,
                    preference.zone,
                    preference.single_keys,
                    preference.language,
                    tuple(preference.guided),
                    reader,
                )
        request.ui_preferences = chosen  # type: ignore[attr-defined]
        if is_plain:
            return self.get_response(request)
        requested_language = "" if request.user.is_authenticated else language_from_query(request)
        language = language_of(request, requested_language or chosen.language)
        with (
            translation.override(language),
            timezone.override(zoneinfo.ZoneInfo(chosen.zone) if chosen.zone else None),
        ):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        if requested_language:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                requested_language,
                LANGUAGE_COOKIE_AGE,
                secure=request.is_secure(),
                samesite="Lax",
            )
        if not chosen.language:
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response


def ui_preferences(request: HttpRequest) -> dict[str, Any]:
    """For every template: how the reader wants the pages."""
    return {"ui_preferences": getattr(request, "ui_preferences", UiPreferences())}


def member_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """A page for everybody who has a part in a campaign: log in first; for strangers it does not
    exist.

    The page is called with the viewer in place of the campaign's id. What it says is not there is a
    404 like any other.
    """

    @wraps(page)
    def opened(
        request: HttpRequest, c: uuid.UUID, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        try:
            return never_cached(page(request, viewer_for(request, c), *args, **kwargs))
        except (NotFound, NoViewer) as error:
            raise Http404 from error

    return login_required(opened)


def never_cached(response: HttpResponseBase) -> HttpResponseBase:
    """A campaign's page, not to be kept by browser or proxy, unless it has an ETag to be asked
    about again.
    """
    if not response.has_header("ETag"):
        add_never_cache_headers(response)
    return response


def show(request: HttpRequest, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """A page of the campaign's templates."""
    return render(request, f"campaign/{template}.html", context, status=status)


def absolute(request: HttpRequest, where: str) -> str:
    """A path of the site as an address from anywhere: as the site's settings call it, else as it
    was asked for.
    """
    return f"{settings.SITE_URL}{where}" if settings.SITE_URL else request.build_absolute_uri(where)


def ship_addresses(request: HttpRequest, campaign: str, faction: str) -> Callable[[str], str]:
    """The addresses of the pages of a faction's ships by their keys, for codes on paper; "" for
    ships of others.

    An address opens to the faction alone: to anybody else nothing is there.
    """

    def address(key: str) -> str:
        where = reverse("ship", kwargs={"c": campaign, "ship": key})
        return absolute(request, where) if may_be_own(faction, key) else ""

    return address


def may_be_own(faction: str, key: str) -> bool:
    """Whether a ship may be one that a faction has or had, by its key: in a campaign it begins with
    the faction's, in a single battle it says nothing.
    """
    return key.startswith(f"{faction}/") or "/" not in key


def words_of(violations: Iterable[Violation]) -> str:
    """Faults as one sentence, for a message above a page."""
    return (
        join_phrases(
            ". ", (capitalize_first(fault.message) for fault in limit_violations(violations))
        )
        + "."
    )
