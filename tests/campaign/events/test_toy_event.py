"""A toy event, from adjudication to everybody who is notified.

docs/how-to/add-a-week-event.md describes it step by step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from campaign.events.event import Audience, Open, OwnerOnly, Umpire, WeekEvent
from campaign.events.registry import WEEK_EVENTS, event_from
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.perception import event_of_notice, initial_view, notices_by_faction
from campaign.words.gazette.issues import faction_issue
from campaign.words.notices import lines_of
from campaign.words.week.reader import NoticeReader
from campaign.words.week.registry import WEEK_WORDS
from campaign.words.week.words import EventWords, JournalLine, Line, Story, StoryKind
from engine.core.phrase import phrase
from tests.campaign.api.calls import json_of, war_at
from tests.umpire.services.wars import resolve_stage
from umpire.adjudication import week
from umpire.adjudication.outcome import StageOutcome
from umpire.journal import JournalStep, report_of
from umpire.services.records import step_of


@dataclass(frozen=True, slots=True)
class CometFound(WeekEvent):
    """A comet in a hex, named by the faction that found it."""

    code: ClassVar[str] = "comet-seen"
    heard_by: ClassVar[Audience] = Audience.BOTH
    finder: Open[str]
    tail: Open[int]
    captain: OwnerOnly[str] = ""
    die: Umpire[int] = 0

    def is_own(self, faction: str) -> bool:
        return faction == self.finder


COMET = StoryKind(
    "comet",
    195,
    (phrase("A comet at {place}"), phrase("{place}: a light in the sky")),
    (phrase("{power} found a comet."), phrase("A comet was found by {power}.")),
)


def found_it(_: NoticeReader, event: CometFound) -> Line:
    return phrase("{} found a comet with a tail of {}.", event.captain, event.tail), "good"


def others_found_it(reader: NoticeReader, event: CometFound) -> Line:
    return phrase("{} found a comet with a tail of {}.", reader.power(event.finder), event.tail), ""


def comet_story(reader: NoticeReader, event: CometFound) -> Story:
    return Story(COMET, {"power": reader.us(event.finder)})


WORDS = EventWords(
    own_line=found_it,
    other_line=others_found_it,
    story=comet_story,
    journal=JournalLine(phrase("{place}: {finder} finds a comet, {captain} rolls {die}")),
)
EVENT = CometFound(("ember", "frost"), "0304", "ember", 3, captain="Captain Vey", die=5)


@pytest.fixture(autouse=True)
def comets() -> Iterator[None]:
    """List the event and register its words."""
    WEEK_EVENTS.append(CometFound)
    WEEK_WORDS[CometFound] = WORDS
    yield
    WEEK_EVENTS.remove(CometFound)
    del WEEK_WORDS[CometFound]


def test_faction_reads_the_marked_facts() -> None:
    notices = notices_by_faction([EVENT], 1, "orders")
    assert set(notices) == {"ember", "frost"}
    assert notices["ember"][0].facts == (
        ("finder", "ember"),
        ("tail", 3),
        ("captain", "Captain Vey"),
    )
    assert notices["frost"][0].facts == (("finder", "ember"), ("tail", 3))
    assert event_of_notice(notices["frost"][0]) == CometFound((), "0304", "ember", 3)
    assert event_from(EVENT.code, EVENT.hex, EVENT.facts, EVENT.audience) == EVENT


def test_hidden_facts_change_no_notice() -> None:
    """The two worlds have another captain and another die."""
    other = replace(EVENT, captain="Captain Oro", die=1)
    here, there = (notices_by_faction([event], 1, "orders") for event in (EVENT, other))
    assert here["frost"] == there["frost"]
    assert here["ember"] != there["ember"]


def test_report_newspaper_and_journal_mention_it() -> None:
    scenario = fixture_scenario("first-steps")
    notices = notices_by_faction([EVENT], 1, "orders")
    place = next(system.name for system in scenario.systems if system.hex == "0304")
    (own,) = lines_of(scenario, "ember", notices["ember"])
    (others,) = lines_of(scenario, "frost", notices["frost"])
    assert own.words == "Captain Vey found a comet with a tail of 3."
    assert others.words == "Ember Cooperative found a comet with a tail of 3."
    view = initial_view(scenario, "frost")
    (story,) = faction_issue(scenario, 1, view, view, notices["frost"], {}).stories
    assert story.kind == "comet"
    assert "Ember Cooperative" in story.text[0]
    assert place in story.headline
    world = initial_world(scenario)
    journal = report_of(scenario, JournalStep("decisions", 1, world, world, (EVENT,)))
    assert journal[0] == f"At {place}: Ember Cooperative finds a comet, Captain Vey rolls 5"


@pytest.mark.django_db
def test_api_tells_each_faction_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    adjudicate = week.resolve

    def with_comet(*args: object) -> StageOutcome:
        outcome = adjudicate(*args)  # type: ignore[arg-type]
        return replace(outcome, week_events=(*outcome.week_events, EVENT))

    war = war_at("orders")
    monkeypatch.setattr(week, "resolve", with_comet)
    resolution = resolve_stage(war.stage)
    journal = report_of(fixture_scenario("first-steps"), step_of(resolution.stage))
    assert any("Captain Vey rolls 5" in line for line in journal)
    for caller, captain in ((war.ember, True), (war.frost, False)):
        report = json_of(caller.get("reports/"))["reports"][-1]
        body = json_of(caller.get(f"reports/{report['id']}/"))
        assert any("found a comet with a tail of 3" in line["words"] for line in body["lines"])
        assert ("Captain Vey" in str(body)) is captain
        assert "die" not in str(
            [notice for notice in body["body"]["notices"] if notice["code"] == "comet-seen"]
        )
