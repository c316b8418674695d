"""Help pages: how to play each part of the game, and the glossary.

Every page of the site links to its topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.orders.registry import ORDERS
from campaign.rules.files import fixture_navies, fixture_situation, fixture_timeline
from campaign.rules.help_texts import Chapter, Topic, Word, chapters, topic_of_page, topics
from campaign.rules.navies import Navy
from campaign.web.common import show
from campaign.web.list_search import index_letter, matches_all_words, normalize_text, search_text_of
from engine.core.phrase import join_phrases, phrase

ORDERS_TOPIC = "orders"  # the topic with a chapter for each kind of order
SETTING_TOPIC = "setting"  # the topic with the names of each navy's classes


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
    """Return the parts of a topic, and those that are made from data.

    The orders topic gets one for each order that has help; the setting gets its powers and places,
    its timeline, and one for each navy.
    """
    if topic.id == ORDERS_TOPIC:
        return (*topic.parts, *((order.title, (order.help,)) for order in ORDERS if order.help))
    if topic.id == SETTING_TOPIC:
        return (*_setting_parts(), *topic.parts, *map(_navy_part, fixture_navies()))
    return topic.parts


def _setting_parts() -> list[tuple[str, tuple[str, ...]]]:
    """Return the parts about the powers and places of the setting, and its timeline."""
    parts = [(part.heading, part.paragraphs) for part in fixture_situation()]
    events = []
    for item in fixture_timeline():
        events.append(phrase("{}: {}", item.when, item.event))
    parts.append((phrase("Timeline"), tuple(events)))
    return parts


def _navy_part(navy: Navy) -> tuple[str, tuple[str, ...]]:
    """Return a part with the names of a navy's classes and fighters."""
    names = [f"{cls}: {name}" for cls, name in navy.classes]
    if navy.fighters:
        names.append(phrase("fighters: {}", navy.fighters))
    return phrase(navy.name), (join_phrases(", ", names),)


@never_cache
@require_safe
def words(request: HttpRequest) -> HttpResponse:
    """Show the glossary; `?q=` searches names and meanings."""
    search_text = search_text_of(request)
    matching_chapters = []
    for chapter in chapters():
        matches = _matching_words(chapter, search_text)
        if matches:
            matching_chapters.append(replace(chapter, words=matches))
    return show(
        request,
        "help_glossary",
        chapters=matching_chapters,
        index=_index(matching_chapters),
        search_text=search_text,
    )


def _matching_words(chapter: Chapter, search_text: str) -> tuple[Word, ...]:
    """Return the terms of a chapter whose name or meaning has all words of the search text."""
    matches = []
    for word in chapter.words:
        if matches_all_words(search_text, (word.word, word.means)):
            matches.append(word)
    return tuple(matches)


def _index(chapters: Sequence[Chapter]) -> list[tuple[str, list[Word]]]:
    """Return all terms in alphabetical order, grouped by first letter."""
    words: list[Word] = []
    for chapter in chapters:
        words += chapter.words
    words.sort(key=lambda word: normalize_text(word.word))
    groups = groupby(words, key=lambda word: index_letter(word.word))
    return [(letter, list(group)) for letter, group in groups]


urlpatterns: list[URLPattern | URLResolver] = [
    path("help/", help_pages, name="help"),
    path("help/words/", words, name="help-words"),
    path("help/<slug:topic>/", help_topic, name="help-topic"),
]
