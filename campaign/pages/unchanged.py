"""Pages that a browser need not be sent again: a private ETag of all that they are made of, and 304 where it fits.

The ETag names all that a page is made of, its reader included, so the page is kept under it in this process, too.

The ETag is compared only once session and membership were judged: a browser that keeps pages of a campaign proves
nothing with them. It is made of what its reader sees anyway: his view's hash, the stage and its status as everybody
sees them, his own entry, his name, his settings and his part in the campaign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language

from campaign.kept import Kept
from campaign.models.stage import Stage

PROGRAM = ("campaign/**/*.py", "umpire/**/*.py", "config/*.py", "engine/**/*.py", "templates/**/*.html")
HASHED = "staticfiles.json"  # names of style sheets and scripts by their content
TOKEN_GIVEN = "CSRF_COOKIE_NEEDS_UPDATE"  # noqa: S105 (what Django notes where a page has been given a form's token)

_pages: Kept[str, bytes] = Kept(256)  # by ETag


def if_changed(request: HttpRequest, key: tuple[object, ...], draw: Callable[[], HttpResponse]) -> HttpResponseBase:
    """The page that `draw` makes, or 304 where the browser has it. `key`: all that it is made of, its address aside.

    A page that has a message to show is sent whole, and not to be kept. Raises ValueError where a form's token stands
    in it: that is one browser's, and in no key.
    """
    if len(get_messages(request)):
        return draw()
    ui_preferences = getattr(request, "ui_preferences", None)
    everything = (
        _program(),
        request.get_full_path(),
        request.user.get_username(),
        ui_preferences,
        get_language(),
        *key,
    )
    etag = quote_etag(hashlib.sha256(repr(everything).encode()).hexdigest())

    def drawn() -> bytes:
        page = draw().content
        if TOKEN_GIVEN in request.META:
            raise ValueError("a page with a form's token is not one to keep")
        return page

    response = get_conditional_response(request, etag=etag) or HttpResponse(_pages.made(etag, drawn))
    response.headers["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie"])
    return response


def stage_key(stage: Stage | None) -> tuple[object, ...]:
    """What pages show of the stage that waits; no row's number, which counts what others do."""
    return () if stage is None else (stage.ordinal, stage.kind, stage.week, stage.status, stage.closes)


@cache
def _program() -> str:
    """A hash of the program that draws the pages: another release, other pages."""
    found = hashlib.sha256()
    for pattern in PROGRAM:
        for path in sorted(settings.BASE_DIR.glob(pattern)):
            found.update(path.read_bytes())
    manifest = settings.STATIC_ROOT / HASHED
    found.update(manifest.read_bytes() if manifest.is_file() else b"")
    return found.hexdigest()
