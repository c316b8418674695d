"""Every class of week events: its marks, its documents, and a sentence for everybody who hears of
it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest
from django.utils import translation

from campaign.events.battles import BattleOver, ShipLost, StoresShort
from campaign.events.contacts import Decided, Scan
from campaign.events.event import (
    Audience,
    Fact,
    ReasonFact,
    WeekEvent,
    fact_fields,
    fields_without_default,
    fields_without_mark,
)
from campaign.events.registry import WEEK_EVENTS, event_from, events_from
from campaign.events.war import OrderDropped
from campaign.rules.codec import decode, encode, from_document, to_document
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.perceive import notices_by_faction, perceive, told_event
from campaign.rules.view import View
from campaign.words.languages import in_language
from campaign.words.notices import lines_of
from campaign.words.week.registry import WEEK_WORDS
from engine.core.reason import reason
from engine.core.reason_texts import REASON_TEXTS
from tools.generate import parsed
from umpire.journal import JournalStep, report_of

THRUST = reason("turns-points-but-thrust", "turns {} points, but thrust {} allows {}", 3, 2, 1)
UMPIRE = Path(__file__).parents[3] / "umpire"
DROPPED = {
    "en": "turns 3 points, but thrust 2 allows 1",
    "de": "wendet 3 Punkte, aber Schub 2 erlaubt 1",
    "fr": "vire de 3 points, mais une poussée de 2 en permet 1",
}
# These have no `journal` line: umpire/journal.py tells them from the worlds before and after the
# stage and from the battles' results.
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


@dataclass(frozen=True, slots=True)
class NobodysEvent(WeekEvent):
    """An event for those who take part and for others, which does not say who takes part."""

    heard_by: ClassVar[Audience] = Audience.BOTH


@pytest.mark.parametrize("cls", WEEK_EVENTS)
def test_each_field_has_one_mark(cls: type[WeekEvent]) -> None:
    assert fields_without_mark(cls) == ()
    assert fields_without_default(cls) == ()


def test_each_audience_has_a_sentence() -> None:
    assert set(WEEK_WORDS) == set(WEEK_EVENTS), (
        "each class needs EventWords in campaign/words/week/"
    )
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
            lacking.append(
                f"{cls.__name__} has heard_by {cls.heard_by.name}, but own={own}, others={others}"
            )
        if words.journal is None and cls.code not in IN_THE_JOURNAL_ANYWAY:
            lacking.append(
                f"{cls.__name__} needs a journal line, or umpire/journal.py tells it: IN_THE_JOURNAL_ANYWAY"
            )
        if words.journal is not None and cls.code in IN_THE_JOURNAL_ANYWAY:
            lacking.append(f"{cls.__name__} has a journal line: take it off IN_THE_JOURNAL_ANYWAY")
    assert lacking == []


def test_an_event_that_loses_a_ship_names_it() -> None:
    """A ship's history and the links of reports find it by the field `ship`."""
    losing = [cls for cls in WEEK_EVENTS if cls.loses_ship]
    assert losing
    assert [
        cls.__name__ for cls in losing if "ship" not in {name for name, _, _ in fact_fields(cls)}
    ] == []


def test_an_event_for_both_says_whose_it_is() -> None:
    silent = [
        cls.__name__
        for cls in WEEK_EVENTS
        if cls.heard_by is Audience.BOTH and cls.is_own is WeekEvent.is_own
    ]
    assert silent == []
    with pytest.raises(NotImplementedError, match="NobodysEvent needs is_own"):
        NobodysEvent(("esu",), "0304").told_to("esu")


def test_codes_differ_and_all_classes_are_listed() -> None:
    codes = [cls.code for cls in WEEK_EVENTS]
    assert len(set(codes)) == len(codes)
    assert all(codes)


def test_what_adjudication_makes_is_typed() -> None:
    """No module of adjudication, and none of the umpire's pages and services, names an event by its
    code.
    """
    codes = {cls.code for cls in WEEK_EVENTS if "-" in cls.code} - {
        "stand-off"
    }  # that is a choice too
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
            OrderDropped(("esu",), "", "moves[0]", "thrust", THRUST),
            (
                ("order", "moves[0]"),
                ("code", "thrust"),
                ("why", ReasonFact("turns-points-but-thrust", [3, 2, 1])),
            ),
        ),
    ],
)
def test_documents_keep_their_keys(event: WeekEvent, facts: tuple[tuple[str, Fact], ...]) -> None:
    assert event.facts == facts
    assert event.told_to("esu") == facts
    assert event.told_to("fse") is None
    assert events_from([event.to_document()]) == (event,)
    assert event_from(event.code, event.hex, facts, event.audience) == event


@pytest.mark.parametrize(
    "why",
    [
        {"code": "turns-points-but-thrust", "args": [3, 2, 1]},
        "turns 3 points, but thrust 2 allows 1",  # as older documents have it
    ],
)
def test_a_dropped_order_says_why_in_the_readers_language(why: object) -> None:
    """In the umpire's journal and in the report to its owner, from what the week's document
    stores.
    """
    scenario = fixture_scenario("first-steps")
    world = initial_world(scenario)
    stored = {
        "code": "order-dropped",
        "audience": ["ember"],
        "hex": "",
        "facts": [["order", "moves[0]"], ["code", "thrust"], ["why", why]],
    }
    (event,) = events_from([stored])
    journal = report_of(scenario, JournalStep("decisions", 1, world, world, (event,)))[0]
    (notice,) = notices_by_faction([event], 1, "orders")["ember"]
    (line,) = lines_of(scenario, "ember", [notice])
    for language, said in DROPPED.items():
        with translation.override(language):
            assert said in in_language(journal)
            assert said in in_language(line.words)


def test_a_dropped_order_is_read_in_the_words_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REASON_TEXTS, "turns-points-but-thrust", "has thrust {1}: no turn of {0}")
    event = OrderDropped(("ember",), "", "moves[0]", "thrust", THRUST)
    (read,) = events_from([event.to_document()])
    assert isinstance(read, OrderDropped)
    assert read.why == "has thrust 2: no turn of 3"


def test_a_view_keeps_the_reason_of_a_dropped_order() -> None:
    scenario = fixture_scenario("first-steps")
    event = OrderDropped(
        ("ember",), "", "moves[0]", "thrust", reason("quoted", "'{}': {}", "x", THRUST)
    )
    notices = notices_by_faction([event], 1, "orders")["ember"]
    view = perceive(scenario, initial_world(scenario), "ember", None, notices)
    for read in (decode(View, encode(view)), from_document(View, to_document(view))):
        assert read == view
        assert told_event(read.notices[0]) == replace(event, audience=())
