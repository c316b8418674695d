"""The page behind More: what the bar of a war has no tab for."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer
from campaign.web.common import member_page, show
from campaign.web.tabs import tabs
from campaign.web.war_bar import more_pages


@member_page
@require_safe
def more(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the other pages of the war, and those of the site."""
    context = tabs(viewer, "more")
    links = more_pages(viewer, context["kind"], context["next_action"])
    return show(request, "more", links=links, **context)


urlpatterns: list[URLPattern | URLResolver] = [path("c/<uuid:c>/more/", more, name="more")]
