"""Help for everybody: how each part of the game is played, and its words; every page links to its own topic."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.pages.common import show
from campaign.rules.help_texts import chapters, topic_of_page, topics


def topic_of(request: HttpRequest) -> dict[str, Any]:
    """For templates: `help_topic`, the id of the topic that belongs to the page asked for, "" where it has none."""
    match = request.resolver_match
    return {"help_topic": topic_of_page().get(match.url_name or "", "") if match else ""}


@never_cache
@require_safe
def help_pages(request: HttpRequest) -> HttpResponse:
    """All topics, and the way to the words."""
    return show(request, "help", topics=topics())


@never_cache
@require_safe
def help_topic(request: HttpRequest, topic: str) -> HttpResponse:
    """How one part of the game is played."""
    found = next((one for one in topics() if one.id == topic), None)
    if found is None:
        raise Http404
    return show(request, "help_topic", topic=found)


@never_cache
@require_safe
def words(request: HttpRequest) -> HttpResponse:
    """The words of the game."""
    return show(request, "help_words", chapters=chapters())


urlpatterns: list[URLPattern | URLResolver] = [
    path("help/", help_pages, name="help"),
    path("help/words/", words, name="help-words"),
    path("help/<slug:topic>/", help_topic, name="help-topic"),
]
