"""Help: public, linked from each page of a war, and without references to missing things."""

from __future__ import annotations

import re
import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from campaign.kinds import StageKind
from campaign.models import Preference, Report
from campaign.pages.people.help_pages import parts_of
from campaign.rules.files import fixture_scenario
from campaign.rules.help_texts import chapters, guide_steps, guides, topic_of_page, topics
from campaign.rules.view import HostileContact
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.web.guide import ADDRESS_LABELS, ANY_BATTLE, OUTSIDE_CAMPAIGNS, orders_guide_name
from tests.campaign.pages.general.browser_pages import lobby, page
from tests.campaign.pages.war.browsing import at, online_battle
from tests.umpire.services.wars import resolve_stage


def test_help_is_public() -> None:
    client = Client()
    first = page(client, "/help/")
    for topic in topics():
        assert f"/help/{topic.id}/" in first.links
        topic_page = page(client, f"/help/{topic.id}/")
        text = topic_page.text
        parts = parts_of(topic)
        assert {f"part-{n}" for n in range(1, len(parts) + 1)} <= set(topic_page.ids)
        jumps = [link for link in topic_page.links if link.startswith("#part-")]
        assert len(jumps) == (len(parts) if len(parts) > 2 else 0)
        assert all(
            words in text
            for _, paragraphs in parts
            for words in (" ".join(paragraph.split()) for paragraph in paragraphs)
        )
    words = page(client, "/help/words/")
    assert {f"word-{word.id}" for chapter in chapters() for word in chapter.words} <= set(words.ids)
    assert {f"#{chapter.id}" for chapter in chapters()} <= set(words.links)
    assert {link.partition("#")[2] for link in words.links if "#word-" in link} <= set(words.ids)
    assert client.get("/help/dragons/").status_code == 404


@pytest.mark.rule("set.background")
@pytest.mark.rule("set.advice")
def test_help_has_the_setting_with_its_navies_and_advice_to_both_sides() -> None:
    client = Client()
    setting = page(client, "/help/setting/").text
    assert "Third Solar War" in setting
    assert "Heavy Cruiser: Markgraf" in setting
    assert "fighters: Mirage IX" in setting
    assert "2137: First battle of Gredel" in setting
    assert "Lafayette is the capital of the sector" in setting
    advice = page(client, "/help/advice/").text
    assert "The Lafayette Incident, the Union" in advice
    assert "The Lafayette Incident, the Confederation" in advice


def test_glossary_is_searched_in_the_reader_language() -> None:
    client = Client()
    everything = page(client, "/help/words/")
    assert {f"letter-{n}" for n in range(1, 10)} <= set(everything.ids)
    answer = page(client, "/help/words/?q=WEASEL boat")
    assert [id_ for id_ in answer.ids if id_.startswith("word-")] == ["word-weasel"]
    assert "No matches" in page(client, "/help/words/?q=weasel+beam").text
    german = client.get(
        "/help/words/", {"q": "uberlegenheit"}, headers={"accept-language": "de"}
    ).content.decode()
    assert 'id="word-superiority"' in german
    assert 'id="word-weasel"' not in german


def test_topics_explain_existing_pages_once_each() -> None:
    page_names = [name for topic in topics() for name in topic.pages]
    assert len(page_names) == len(set(page_names))
    assert set(page_names) <= {
        str(name) for name in get_resolver().reverse_dict if isinstance(name, str)
    }


@pytest.mark.django_db
def test_pages_link_to_their_help() -> None:
    _, client, where = lobby()
    assert topic_of_page()["lobby"] == "week"
    assert "/help/week/" in page(client, where).links
    assert "/help/" in page(client, "/help/words/").links


def test_only_guided_wars_have_steps() -> None:
    others = {"contested", "repairs", "report", "fought", "replay", "over"}
    for scenario, pages in guides().items():
        if scenario == ANY_BATTLE:
            continue
        war, sides = (
            fixture_scenario(scenario),
            {faction.id for faction in fixture_scenario(scenario).factions},
        )
        assert {key.partition("-")[0] for key in pages} == {*map(str, StageKind)} | others
        assert all(1 <= int(week) <= war.weeks for key in pages if (week := key.partition("-")[2]))
        for text in (text for texts in pages.values() for text in texts.values()):
            assert set(text.texts) in ({""}, sides)
            assert text.go in {"", *ADDRESS_LABELS}
    assert all(
        reverse(name) if name in OUTSIDE_CAMPAIGNS else reverse(name, args=[uuid.uuid4()])
        for name in ADDRESS_LABELS
    )
    steps_by_week = [guide_steps("first-steps", "orders", week, "ember") for week in (1, 2, 3)]
    assert len({step.id for steps in steps_by_week for step in steps}) == 9
    assert [(step.at, step.number, step.total) for step in steps_by_week[0]] == [
        ("top", 1, 3),
        ("list", 2, 3),
        ("seal", 3, 3),
    ]
    assert steps_by_week[0][0].text != guide_steps("first-steps", "orders", 1, "frost")[0].text
    assert guide_steps("lafayette", "orders", 1, "") == ()


def step_ids(answer: Any) -> list[str]:
    """Return the places of the visible guide steps on a page."""
    return re.findall(r'data-guide="(\w+)" data-number="\d">', answer.content.decode())


@pytest.mark.django_db
def test_newcomer_gets_one_step_at_a_time_without_scripts() -> None:
    ember = at("deploy")
    where = ember.url("deploy/")
    page_at = ember.client.get(where)
    assert step_ids(page_at) == ["list"]
    assert page_at.content.decode().count("data-guide") == 2
    back = ember.client.post("/guide/", {"step": "first-steps/deploy/list", "back": where})
    assert back.headers["Location"] == where
    assert step_ids(ember.client.get(where)) == ["seal"]
    assert ember.fill("deploy/", action="seal").status_code == 302
    assert "data-guide" not in ember.client.get(where).content.decode()
    assert ember.fill("deploy/", action="unseal").status_code == 302
    assert (
        "data-guide" not in ember.client.get(where).content.decode()
    )  # a step that was done is not shown again
    assert Preference.objects.get(user=ember.user).completed_guide_steps == [
        "first-steps/deploy/list",
        "first-steps/deploy/seal",
    ]


@pytest.mark.django_db
def test_idle_stage_shows_no_step_and_the_first_encounter_is_guided() -> None:
    ember = at("decisions")
    assert "data-guide" not in ember.client.get(ember.url("decisions/")).content.decode()
    assert ember.fill("decisions/", action="seal").status_code == 302
    assert not Preference.objects.filter(user=ember.user).exists()


@pytest.mark.django_db
def test_guide_can_be_hidden_and_restored() -> None:
    ember = at("decisions", ember="attack")
    where = ember.url("decisions/")
    assert step_ids(ember.client.get(where)) == ["scan"]
    for away in ("//evil.example", "https://evil.example/", "/\\evil.example", ""):
        back = ember.client.post("/guide/", {"step": "x", "back": away})
        assert back.headers["Location"] == "/"
    assert Preference.objects.get(user=ember.user).completed_guide_steps == []
    ember.client.post("/guide/", {"step": "all"})
    for tail in ("decisions/", "reports/"):
        assert "data-guide" not in ember.client.get(ember.url(tail)).content.decode()
    assert 'value="again"' in ember.client.get("/me/").content.decode()
    ember.client.post("/guide/", {"step": "again"})
    assert step_ids(ember.client.get(where)) == ["scan"]
    assert step_ids(ember.client.get(ember.url("reports/"))) == ["top"]
    assert Client().post("/guide/", {"step": "all"}).status_code == 302  # to the log-in
    opened = ember.client.get("/guide/")
    assert (opened.status_code, opened.headers["Allow"]) == (405, "POST")
    assert "Nothing to show here" in opened.content.decode()


@pytest.mark.django_db
def test_guide_leads_from_battle_to_report_replay_and_end() -> None:
    ember, battle = online_battle()
    top = ember.client.get(ember.url("orders/"))
    assert step_ids(top) == ["top"]
    ((way, step),) = re.findall(
        r'formaction="(/guide/\?to=[^"]+)" name="step" value="([^"]+)"', top.content.decode()
    )
    led = ember.client.post(way, {"step": step, "back": ember.url("orders/")})
    assert led.headers["Location"] == ember.url("reports/")
    assert ember.client.post("/guide/?to=//evil.example", {"step": "x"}).headers["Location"] == "/"
    assert step_ids(ember.client.get(ember.url("orders/"))) == ["list"]
    for path in (
        "reports/",
        f"reports/{Report.objects.filter(kind='battle').values_list('seq', flat=True)[0]}/",
    ):
        assert step_ids(ember.client.get(ember.url(path))) == ["battle"]
    replay = ember.client.get(ember.url(f"battles/{battle}/"))
    assert step_ids(replay) == ["player"]
    assert 'data-guide="told"' in replay.content.decode()
    following = resolve_stage(ember.stage()).next
    while following is not None:
        following = resolve_stage(following).next
    assert ember.client.get(ember.url("orders/")).headers["Location"] == ember.url("")
    for at_, to in (("top", "reports"), ("story", ""), ("next", "new")):
        over = ember.client.get(ember.url(""))
        assert step_ids(over) == [at_]
        ways = re.findall(r"formaction=\"/guide/\?to=([^\"]+)\"", over.content.decode())
        assert any(to in link for link in ways) or not to
        ember.client.post("/guide/", {"step": f"first-steps/over/{at_}"})
    assert "data-guide" not in ember.client.get(ember.url("")).content.decode()
    assert (
        f'href="{ember.url("")}"'
        in ember.client.get(ember.url("reports/")).content.decode().split("<main")[1]
    )
    for old_hint in ("must move this week", "Order it to dock"):
        assert old_hint not in ember.get("ships/").text


@pytest.mark.django_db
def test_guide_knows_what_a_week_requires() -> None:
    ember = at("orders")
    scenario, view = scenario_of(ember.campaign), current_sight(ember.campaign, ember.faction).view
    assert orders_guide_name(scenario, view) == "orders"
    hurt = replace(view, ships=(replace(view.ships[0], damage=1), *view.ships[1:]))
    assert orders_guide_name(scenario, hurt) == "repairs"
    assert (
        orders_guide_name(scenario, replace(hurt, week=scenario.weeks)) == "orders"
    )  # it would be too late
    away = replace(hurt, fleets=tuple(replace(fleet, hex="0101") for fleet in hurt.fleets))
    assert orders_guide_name(scenario, away) == "orders"
    there = replace(hurt, in_contact=(HostileContact("0304", "frost", "contested"),))
    assert orders_guide_name(scenario, there) == "contested"
