"""The door of the umpire's and the host's pages: who is no such person gets the 404 of what does not exist."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.views.decorators.cache import never_cache

from campaign.access import Viewer, need, viewer_of
from campaign.errors import NotThere

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, Viewer, P], HttpResponse]
View = Callable[..., HttpResponseBase]

READ = ("GET", "HEAD")
ASKED = (*READ, "POST")  # a page that asks before it acts


def page(*, host: bool = False, umpire: bool = False, methods: Sequence[str] = READ) -> Callable[[Page[P]], View]:
    """A page of a campaign. Nobody knows who is asking: to the login. Not for him, or not there: the same 404.

    The page is called with the viewer in place of the campaign's id; a NotThere of its own is a 404 too. What it shows
    is kept by no cache.
    """

    def wrap(view: Page[P]) -> View:
        @wraps(view)
        def opened(request: HttpRequest, c: uuid.UUID, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                viewer = need(viewer_of(request.user, c), host=host, umpire=umpire)
                if request.method not in methods:
                    return HttpResponseNotAllowed(methods)
                return view(request, viewer, *args, **kwargs)
            except NotThere as error:
                raise Http404 from error

        return never_cache(login_required(opened))

    return wrap
