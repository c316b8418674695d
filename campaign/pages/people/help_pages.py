"""Help pages: how to play each part of the game, and the glossary.

Every page of the site links to its topic.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.orders.registry import ORDERS
from campaign.rules.help_texts import Topic, chapters, topic_of_page, topics
from campaign.web.common import show
from campaign.web.list_search import index_letter, matches_all_words, normalize_text, search_text_of

ORDERS_TOPIC = "orders"  # the topic with a chapter for each kind of order


def topic_of(request: HttpRequest) -> dict[str, Any]:
    """Return `help_topic` for templates: the topic id of the requested page, or ""."""
    match = request.resolver_match
    return {"help_topic": topic_of_page().get(match.url_name or "", "") if match else ""}


@never_cache
@require_safe
def help_pages(request: HttpRequest) -> HttpResponse:
    """List all topics and link to the glossary."""
    return show(request, "help", topics=topics())


@never_cache
@require_safe
def help_topic(request: HttpRequest, topic: str) -> HttpResponse:
    """Explain one part of the game."""
    match = next((candidate for candidate in topics() if candidate.id == topic), None)
    if match is None:
        raise Http404
    return show(request, "help_topic", topic=replace(match, parts=parts_of(match)))


def parts_of(topic: Topic) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the parts of a topic; the orders topic also gets one for each order that has help."""
    if topic.id != ORDERS_TOPIC:
        return topic.parts
    return (*topic.parts, *((order.title, (order.help,)) for order in ORDERS if order.help))


@never_cache
@require_safe
def words(request: HttpRequest) -> HttpResponse:
    """Show the glossary; `?q=` searches names and meanings."""
    search_text = search_text_of(request)
    matching_chapters = []
    for chapter in chapters():
        matching_chapters.append(
            replace(
                chapter,
                words=tuple(
                    word
                    for word in chapter.words
                    if matches_all_words(search_text, (word.word, word.means))
                ),
            )
        )
    names = sorted(
        (
            (normalize_text(word.word), index_letter(word.word), word)
            for chapter in matching_chapters
            for word in chapter.words
        ),
        key=lambda item: item[:2],
    )
    index = [
        (letter, [word for *_, word in of])
        for letter, of in groupby(names, key=lambda item: item[1])
    ]
    return show(
        request,
        "help_glossary",
        chapters=[
            chapter_with_matches
            for chapter_with_matches in matching_chapters
            if chapter_with_matches.words
        ],
        index=index,
        wanted=search_text,
    )


urlpatterns: list[URLPattern | URLResolver] = [
    path("help/", help_pages, name="help"),
    path("help/words/", words, name="help-words"),
    path("help/<slug:topic>/", help_topic, name="help-topic"),
]
