"""Help: for everybody, each page of a war links to its own part, and no text names what does not exist."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import get_resolver

from campaign.kinds import StageKind
from campaign.rules.files import fixture_scenario
from campaign.rules.help_texts import chapters, guidance, guides, topic_of_page, topics
from tests.campaign.pages.house.rooms import lobby, page


def test_everybody_may_read_every_page_of_help() -> None:
    client = Client()
    first = page(client, "/help/")
    for topic in topics():
        assert f"/help/{topic.id}/" in first.links
        found = page(client, f"/help/{topic.id}/").text
        assert all(words in found for _, said in topic.parts for words in (" ".join(each.split()) for each in said))
    words = page(client, "/help/words/")
    assert {f"word-{word.id}" for chapter in chapters() for word in chapter.words} <= set(words.ids)
    assert {link.partition("#")[2] for link in words.links if "#word-" in link} <= set(words.ids)
    assert client.get("/help/dragons/").status_code == 404


def test_topics_explain_pages_that_there_are_and_each_but_once() -> None:
    named = [name for topic in topics() for name in topic.pages]
    assert len(named) == len(set(named))
    assert set(named) <= {str(name) for name in get_resolver().reverse_dict if isinstance(name, str)}


@pytest.mark.django_db
def test_a_page_links_to_its_own_part_and_others_to_help_as_a_whole() -> None:
    _, client, where = lobby()
    assert topic_of_page()["lobby"] == "week"
    assert "/help/week/" in page(client, where).links
    assert "/help/" in page(client, "/help/words/").links


def test_a_war_to_learn_by_says_one_thing_at_each_stage_and_others_nothing() -> None:
    for scenario, said in guides().items():
        war = fixture_scenario(scenario)
        assert {key.partition("-")[0] for key in said} <= {str(kind) for kind in StageKind}
        assert all(1 <= int(week) <= war.weeks for key in said if (week := key.partition("-")[2]))
    told = [guidance("first-steps", "orders", week) for week in (1, 2, 3)]
    assert len(set(told)) == 3
    assert guidance("first-steps", "deploy", 0)
    assert guidance("lafayette", "orders", 1) == ""
