"""Every class of week events: its marks, its documents, and a sentence for everybody who hears of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.utils import translation

from campaign.events.battles import BattleOver, ShipLost, StoresShort
from campaign.events.contacts import Decided, Scan
from campaign.events.event import (
    Audience,
    WeekEvent,
    fields_without_default,
    fields_without_mark,
)
from campaign.events.registry import WEEK_EVENTS, event_from, events_from
from campaign.events.war import OrderDropped
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.words.languages import in_language
from campaign.words.week.registry import WEEK_WORDS
from tools.generate import parsed
from umpire.journal import JournalStep, report_of

UMPIRE = Path(__file__).parents[3] / "umpire"
# The journal tells these from the worlds and the battles' results themselves.
IN_THE_JOURNAL_ANYWAY = {
    "war-over",
    "deployed",
    "scan",
    "battle-joined",
    "battle-over",
    "survivors",
    "stores",
    "holding",
}


@pytest.mark.parametrize("cls", WEEK_EVENTS)
def test_each_field_has_one_mark(cls: type[WeekEvent]) -> None:
    assert fields_without_mark(cls) == ()
    assert fields_without_default(cls) == ()


def test_each_audience_has_a_sentence() -> None:
    lacking = []
    for cls in WEEK_EVENTS:
        words = WEEK_WORDS[cls]
        own = words.own is not None
        others = words.others is not None
        wanted = {
            Audience.OWN: (True, False),
            Audience.OTHERS: (False, True),
            Audience.BOTH: (True, True),
        }
        if (own, others) != wanted[cls.heard_by]:
            lacking.append(cls.code)
        if (words.journal is None) != (cls.code in IN_THE_JOURNAL_ANYWAY):
            lacking.append(f"{cls.code}: journal")
    assert lacking == []
    assert set(WEEK_WORDS) == set(WEEK_EVENTS)


def test_codes_differ_and_all_classes_are_listed() -> None:
    codes = [cls.code for cls in WEEK_EVENTS]
    assert len(set(codes)) == len(codes)
    assert all(codes)


def test_what_adjudication_makes_is_typed() -> None:
    """No module of adjudication, and none of the umpire's pages and services, names an event by its code."""
    codes = {cls.code for cls in WEEK_EVENTS if "-" in cls.code} - {"stand-off"}  # that is a choice too
    named = []
    for path in sorted(UMPIRE.rglob("*.py")):
        constants = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.Constant)]
        named += [f"{path.name}: {node.value}" for node in constants if node.value in codes]
    assert named == []


@pytest.mark.parametrize(
    ("event", "facts"),
    [
        (
            Scan(("esu",), "0304", "nac", (("capital", 2), ("escort", 3))),
            (("faction", "nac"), ("capital", 2), ("escort", 3)),
        ),
        (
            BattleOver(("esu", "nac"), "0304", 5, "", (("esu", 1), ("nac", 0))),
            (("turns", 5), ("winner", ""), ("esu-lost", 1), ("nac-lost", 0)),
        ),
        (
            ShipLost(("esu",), "0304", "Kiev", "Gorshkov", "destroyed"),
            (("ship", "Kiev"), ("class", "Gorshkov"), ("how", "destroyed")),
        ),
        (
            StoresShort(("esu",), "0304", "Kiev", (("magazine-1/extended", 2),)),
            (("ship", "Kiev"), ("magazine-1/extended", 2)),
        ),
        (
            Decided(("esu", "nac"), "0304", "esu", "fight", "nac", "withdraw", "gone"),
            (
                ("a", "esu"),
                ("a-choice", "fight"),
                ("b", "nac"),
                ("b-choice", "withdraw"),
                ("came-to", "gone"),
            ),
        ),
        (
            OrderDropped(("esu",), "", "moves[0]", "far", "too far"),
            (("order", "moves[0]"), ("code", "far"), ("why", "too far")),
        ),
    ],
)
def test_documents_keep_their_keys(event: WeekEvent, facts: tuple[tuple[str, str | int], ...]) -> None:
    assert event.facts == facts
    assert event.told_to("esu") == facts
    assert event.told_to("fse") is None
    assert events_from([event.to_document()]) == (event,)
    assert event_from(event.code, event.hex, facts, event.audience) == event


def test_the_journal_says_why_in_the_readers_language() -> None:
    scenario = fixture_scenario("first-steps")
    world = initial_world(scenario)
    why = "turns 3 points, but thrust 2 allows 1"
    event = OrderDropped(("ember",), "", "moves[0]", "thrust", why)
    line = report_of(scenario, JournalStep("decisions", 1, world, world, (event,)))[0]
    assert line == f"Ember: an order is not carried out, moves[0]: {why}"
    with translation.override("fr"):
        assert "vire de 3 points, mais une poussée de 2 en permet 1" in in_language(line)
