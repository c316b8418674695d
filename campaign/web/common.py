"""Shared parts of the campaign pages: preferences, member check, ETags, request limits, addresses.

Pages that a browser may keep have a private ETag of everything they depend on, the reader included,
and get 304 if it matches. The page is cached under the ETag in this process too. The ETag is
compared only after the session and membership checks, so a browser with old pages proves nothing.
It contains only what its reader sees anyway: the view's hash, the stage and its public status, own
entry, name, preferences and role in the campaign.

Requests that exceed a limit are refused unread: 413, with a text that names the limit. Large
requests within the limits count as heavy (`campaign.services.heavy`), and so does whatever a page
marks with `heavy_request`.
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
from campaign.words.design_faults import with_option_titles
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
HASHED = "staticfiles.json"  # hashed names of style sheets and scripts
# Set by Django in a request's META if its page contains a form token
TOKEN_COOKIE_NEEDED = "CSRF_COOKIE_NEEDS_UPDATE"  # noqa: S105 (no secret)

_pages: Cache[str, bytes] = Cache(256)  # by ETag

API = "/api/"
WITH_FILES = "multipart/form-data"
LIMIT_WORDS: dict[type[Exception], str] = {
    RequestDataTooBig: phrase("A form can be at most {} in size.", size_words(FORM)),
    TooManyFieldsSent: phrase("A form can have at most {} fields.", FIELDS),
    TooManyFilesSent: phrase("A form can contain only one file."),
}

P = ParamSpec("P")
# Seconds for which an anonymous browser keeps the chosen language
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
# Addresses whose answers show no times to people
PLAIN_PATHS = ("/api/", "/static/", "/health/", "/metrics", "/feed/")
PLAIN_PATH_EXCEPTIONS = ("/api/docs/",)  # exceptions: full pages within those addresses
UNPROCESSABLE = 422  # the form was understood but refused


def if_changed(
    request: HttpRequest, key: tuple[object, ...], draw: Callable[[], HttpResponse]
) -> HttpResponseBase:
    """Return the page made by `draw`, or 304 if the browser has it.

    A page with a flash message is sent in full and not cached.

    Args:
        key: Everything it depends on, except its address.

    Raises:
        ValueError: If the page contains a form token, which belongs to one browser and is in no
            key.
    """
    if len(get_messages(request)):
        return draw()
    etag = etag_of(request, key)

    def page_bytes() -> bytes:
        page = draw().content
        if TOKEN_COOKIE_NEEDED in request.META:
            raise ValueError("a page with a form token cannot be cached")
        return page

    not_modified = get_conditional_response(request, etag=etag)
    if not_modified is not None:
        return _tagged(not_modified, etag)
    return _tagged(HttpResponse(_pages.get_or_make(etag, page_bytes)), etag)


def data_for_script(data: Mapping[str, object], status: int = 200) -> JsonResponse:
    """Return data for a page's script, with texts in the reader's language."""
    return JsonResponse(all_in_language(data), status=status)


def if_same(
    request: HttpRequest, key: tuple[object, ...], make: Callable[[], HttpResponse]
) -> HttpResponseBase:
    """Return the file made by `make`, or 304 if the browser has it. Only the browser caches it.

    Args:
        key: Everything it depends on, except its address.
    """
    etag = etag_of(request, key)
    return _tagged(get_conditional_response(request, etag=etag) or make(), etag)


def etag_of(request: HttpRequest, key: tuple[object, ...]) -> str:
    """Return the ETag of what this reader gets at this address, given a key.

    It is keyed with the site's secret: a key may contain the hash of a scenario with secret
    objectives, and guesses of them must not be tested.
    """
    preferences = getattr(request, "ui_preferences", None)
    everything = (
        program_hash(),
        request.get_full_path(),
        request.user.get_username(),
        preferences,
        translation.get_language(),
        *key,
    )
    return quote_etag(salted_hmac("etag", repr(everything), algorithm="sha256").hexdigest())


def _tagged(response: HttpResponseBase, etag: str) -> HttpResponseBase:
    """Set the ETag of a response, to be cached by the browser and revalidated."""
    response.headers["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie"])
    return response


def stage_key(stage: Stage | None) -> tuple[object, ...]:
    """Return a cache key for the waiting stage.

    It contains no row id, because that would count other campaigns' rows.
    """
    if stage is None:
        return ()
    return (stage.ordinal, stage.kind, stage.week, stage.status, stage.closes)


@cache
def program_hash() -> str:
    """Return a hash of the program files that draw pages: a new release changes every ETag."""
    sha256 = hashlib.sha256()
    for pattern in PROGRAM:
        for path in sorted(settings.BASE_DIR.glob(pattern)):
            sha256.update(path.read_bytes())
    manifest = settings.STATIC_ROOT / HASHED
    sha256.update(manifest.read_bytes() if manifest.is_file() else b"")
    return sha256.hexdigest()


class LimitMiddleware:
    """Refuses requests whose announced length is too large, and forms with oversized fields."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        length = _announced_length(request)
        if request.path_info.startswith(API):
            if length > BODY:
                return too_large()
            return self.get_response(request)
        limit = _length_limit(request)
        if length > limit:
            return too_large_page(
                request,
                phrase("A request to this page can be at most {} in size.", size_words(limit)),
            )
        if length <= LARGE:
            return self.get_response(request)
        try:
            with heavy_request(request):
                return self.get_response(request)
        except TooMuch as error:
            return _try_later(request, error)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a request that was refused as too much with a page that says when to retry."""
        if isinstance(exception, TooMuch):
            return _try_later(request, exception)
        return None

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        """Refuse a form with a field that is too long, or whose fields together are too large."""
        if request.method != "POST" or request.path_info.startswith(API):
            return None
        total_size = 0
        for name, values in request.POST.lists():
            limit = TEXTS.get(name, FIELD)
            if len(name) > FIELD or any(len(str(value)) > limit for value in values):
                return too_large_page(
                    request, phrase("A field can have at most {} characters.", limit)
                )
            size = _escaped_size(values)
            if name not in TEXTS:
                total_size += size
            elif size > TEXT:
                return too_large_page(
                    request,
                    phrase("This text has too many quotation marks and special characters."),
                )
        if total_size > VALUES:
            return too_large_page(
                request,
                phrase(
                    "All fields of a form together can be at most {} in size.", size_words(VALUES)
                ),
            )
        return None


def _announced_length(request: HttpRequest) -> int:
    """Return the length that a request announces; beyond every limit if it is not readable."""
    text = request.META.get("CONTENT_LENGTH") or "0"
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    return BODY + 1


def _length_limit(request: HttpRequest) -> int:
    """Return how long a request to a page can be: longer for users, longest with files."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return LARGE
    return BODY if request.content_type == WITH_FILES else FORM


def _escaped_size(values: Iterable[object]) -> int:
    """Return the bytes that the values of a field take when a page shows them again."""
    return sum(len(escape(value).encode(errors="replace")) for value in values)


@contextmanager
def heavy_request(request: HttpRequest) -> Iterator[None]:
    """Count the enclosed work as one heavy request of the user, however often this is used.

    Raises:
        TooOften: If the user has used up the present allowance.
        Busy: If no slot for heavy work is free.
    """
    if not _counts_now(request):
        yield
        return
    with heavy_act(cast(Any, request.user)):
        yield


def count_heavy_request(request: HttpRequest) -> None:
    """Count one heavy request of the user that workers will do, however often this is called.

    Raises:
        TooOften: If the user has used up the present allowance.
    """
    if _counts_now(request):
        heavy_act_count(cast(Any, request.user))


def _counts_now(request: HttpRequest) -> bool:
    """Return whether a request is still to be counted as heavy, and note that it is counted."""
    was_counted = getattr(request, "heavy_request", False)
    request.heavy_request = True  # type: ignore[attr-defined]
    return not was_counted


def unreadable_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response to an unreadable request: 413 if it is too large, else 400."""
    words = LIMIT_WORDS.get(type(exception))
    if words is None:
        return bad_request(request, exception)
    return too_large_page(request, words)


def _try_later(request: HttpRequest, error: TooMuch) -> HttpResponse:
    """Return the page that tells when to retry: 429 for a user's limit, 503 for a busy server."""
    status = 429 if isinstance(error, TooOften) else 503
    context = {"words": str(error), "wait": error.wait, "status": status}
    response = render(request, "try_later.html", context, status=status)
    response.headers["Retry-After"] = str(error.wait)
    return response


def too_large_page(request: HttpRequest, words: str) -> HttpResponse:
    """Return the 413 page, with a text that names the limit."""
    return render(request, "413.html", {"words": words}, status=413)


@dataclass(frozen=True, slots=True)
class UiPreferences:
    """The reader's preferences for pages."""

    theme: str = AUTO
    zone: str = ""  # empty if none was chosen
    single_keys: bool = True  # whether single-key shortcuts are on
    language: str = ""  # empty if none was chosen
    guided: tuple[str, ...] = ()  # finished steps of guided wars
    # An account mark, so that a browser knows whose data it keeps (static/js/browser_storage.js)
    reader: str = ""


def keep_language(request: HttpRequest, response: HttpResponseBase, language: str) -> None:
    """Let the browser keep a language for pages that it reads without being logged in."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        LANGUAGE_COOKIE_AGE,
        secure=request.is_secure(),
        samesite="Lax",
    )


class UiPreferencesMiddleware:
    """Activates the reader's time zone and language, and sets `request.ui_preferences`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if _is_plain(request.path_info):
            request.ui_preferences = UiPreferences()  # type: ignore[attr-defined]
            return self.get_response(request)
        preferences = _preferences_of(request)
        request.ui_preferences = preferences  # type: ignore[attr-defined]
        requested_language = ""
        if not request.user.is_authenticated:
            requested_language = language_from_query(request)
        language = language_of(request, requested_language or preferences.language)
        zone = zoneinfo.ZoneInfo(preferences.zone) if preferences.zone else None
        with translation.override(language), timezone.override(zone):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        if requested_language:
            keep_language(request, response, requested_language)
        if not preferences.language:
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response


def _is_plain(path: str) -> bool:
    """Return whether the answers at an address show no texts or times to people."""
    return path.startswith(PLAIN_PATHS) and path not in PLAIN_PATH_EXCEPTIONS


def _preferences_of(request: HttpRequest) -> UiPreferences:
    """Return the preferences of the reader's account; the default ones without an account."""
    if not request.user.is_authenticated:
        return UiPreferences()
    username = request.user.get_username()
    reader = salted_hmac("blindjump.reader", username, algorithm="sha256").hexdigest()[:16]
    preference = getattr(request.user, "stored_preference", None)  # set by config.sessions
    if preference is None:
        return UiPreferences(reader=reader)
    return UiPreferences(
        theme=preference.theme,
        zone=preference.zone,
        single_keys=preference.single_keys,
        language=preference.language,
        guided=tuple(preference.completed_guide_steps),
        reader=reader,
    )


def ui_preferences(request: HttpRequest) -> dict[str, Any]:
    """Add the reader's preferences to the context of every template."""
    return {"ui_preferences": getattr(request, "ui_preferences", UiPreferences())}


def member_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Decorate a page for members of a campaign: login first; 404 for everybody else.

    The page gets the viewer instead of the campaign's id. `NotFound` becomes a normal 404.
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
    """Forbid caching of a campaign's page, unless it has an ETag to revalidate."""
    if not response.has_header("ETag"):
        add_never_cache_headers(response)
    return response


def show(request: HttpRequest, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """Render a template of the campaign app."""
    return render(request, f"campaign/{template}.html", context, status=status)


def absolute(request: HttpRequest, where: str) -> str:
    """Return a path as an absolute URL, from the site's settings or else from the request."""
    if settings.SITE_URL:
        return f"{settings.SITE_URL}{where}"
    return request.build_absolute_uri(where)


def ship_addresses(request: HttpRequest, campaign: str, faction: str) -> Callable[[str], str]:
    """Return a function from ship keys to page addresses, for codes on paper; "" for foreign ships.

    The addresses only work for the faction.
    """

    def address(key: str) -> str:
        where = reverse("ship", kwargs={"c": campaign, "ship": key})
        if may_be_own(faction, key):
            return absolute(request, where)
        return ""

    return address


def may_be_own(faction: str, key: str) -> bool:
    """Return whether a key may belong to a present or former ship of a faction.

    In a campaign the key begins with the faction's; in a single battle it does not tell.
    """
    return key.startswith(f"{faction}/") or "/" not in key


def words_of(violations: Iterable[Violation]) -> str:
    """Return faults as one text, for a message above a page."""
    return (
        join_phrases(
            ". ",
            (
                capitalize_first(with_option_titles(fault.message))
                for fault in limit_violations(violations)
            ),
        )
        + "."
    )
