"""Every class of week events: audience marks, documents, and a sentence for each reader."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, get_origin, get_type_hints

import pytest
from django.utils import translation

from campaign.events.battles import BattleOver, ShipLost, StoresShort
from campaign.events.contacts import ContactDecision, DummyLost, Scan
from campaign.events.event import (
    Audience,
    Fact,
    ReasonFact,
    WeekEvent,
    fact_fields,
    fields_without_default,
    fields_without_mark,
)
from campaign.events.registry import WEEK_EVENTS, event_class, event_from, events_from
from campaign.events.umpire import RecordCorrected
from campaign.events.war import OrderDropped
from campaign.rules.codec import decode, encode, from_document, to_document
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.perception import build_view, event_of_notice, notices_by_faction
from campaign.rules.view import View
from campaign.words.languages import in_language
from campaign.words.notices import lines_of
from campaign.words.week.reader import NoticeReader
from campaign.words.week.registry import WEEK_WORDS
from campaign.words.week.words import EventWords, JournalLine
from engine.core.reason import reason
from engine.core.reason_texts import REASON_TEXTS
from engine.english import Count, capitalize_first
from tools.generate import parse_module
from umpire.journal import JournalStep, report_of

THRUST = reason(
    "turns-points-but-thrust", "turns {} points; with thrust {} the limit is {}", 3, 2, 1
)
UMPIRE = Path(__file__).parents[3] / "umpire"
DROPPED = {
    "en": "turns 3 points; with thrust 2 the limit is 1",
    "de": "wendet um 3 Punkte; bei Schub 2 sind 1 möglich",
    "fr": "vire de 3 points\N{NO-BREAK SPACE}; avec une poussée de 2, la limite est 1",
}
# These have no `journal` line: umpire/journal.py derives them from the worlds before and after the
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
    """An event for participants and others that does not say who participates."""

    heard_by: ClassVar[Audience] = Audience.BOTH


class Places(dict[str, object]):
    """Values for the placeholders of a sentence, which records the names it does not have."""

    def __init__(self, *names: str) -> None:
        super().__init__({name: Count(1) for name in names})
        self.unknown: list[str] = []

    def __missing__(self, name: str) -> Count:
        self.unknown.append(name)
        return Count(1)


def classes_of_events() -> set[str]:
    """Return the name of every class of `campaign.events` that has a code."""
    class_names = set()
    todo = [WeekEvent]
    while todo:
        cls = todo.pop()
        todo += cls.__subclasses__()
        if cls.code and cls.__module__.startswith("campaign.events."):
            class_names.add(cls.__name__)
    return class_names


# Texts that are one of a list of words.
WORDS_OF_FIELDS: dict[type[WeekEvent], dict[str, object]] = {
    RecordCorrected: {"what": "ship", "field": "damage"},
}


def example_of(cls: type[WeekEvent]) -> WeekEvent:
    """Return an example of an event: numbers are 1, texts name a faction, collections are empty."""
    hints = get_type_hints(cls)
    values: dict[type, object] = {int: 1, str: "ember", tuple: ()}
    values_by_field = {
        name: values[get_origin(hints[name]) or hints[name]] for name, *_ in fact_fields(cls)
    }
    values_by_field |= WORDS_OF_FIELDS.get(cls, {})
    return cls(("ember",), "0101", **values_by_field)


def places_unknown(words: EventWords, cls: type[WeekEvent]) -> list[str]:
    """Return the placeholders in the sentences of a class that nothing fills."""
    event = example_of(cls)
    unknown_places = []
    if words.journal is not None:
        filled = {key for _, key, _ in fact_fields(cls)} | set(words.journal.values(event))
        places = Places("place", "whom", *filled)
        str(words.journal.message).format_map(places)
        unknown_places += places.unknown
    if words.story is not None:
        story = words.story(NoticeReader(fixture_scenario("first-steps"), "ember"), event)
        capitals = [capitalize_first(name) for name in story.words]
        places = Places("place", *story.words, *capitals)
        for text in (*story.kind.headlines, *story.kind.sentences):
            str(text).format_map(places)
        unknown_places += places.unknown
    return unknown_places


@pytest.mark.parametrize("cls", WEEK_EVENTS)
def test_every_placeholder_of_a_sentence_is_filled(cls: type[WeekEvent]) -> None:
    assert places_unknown(WEEK_WORDS[cls], cls) == [], (
        "a journal line can name fields as documents do, {place} and {whom}; the headlines and"
        " sentences of a story what its `words` have"
    )


def test_placeholder_without_field_is_found() -> None:
    line = JournalLine("{place}: {whom} misses {ship}, {dummy}")
    assert places_unknown(EventWords(journal=line), DummyLost) == ["ship"]


@pytest.mark.parametrize("cls", WEEK_EVENTS)
def test_each_field_has_one_privacy_mark(cls: type[WeekEvent]) -> None:
    assert fields_without_mark(cls) == (), (
        "write who may read these fields: `Open[...]`, `Own[...]` or `Umpire[...]`"
    )
    assert fields_without_default(cls) == (), (
        "give these `Own` and `Umpire` fields a default: what a faction reads that was not told"
    )


def test_each_audience_has_a_sentence() -> None:
    assert set(WEEK_WORDS) == set(WEEK_EVENTS), (
        "each class needs EventWords in campaign/words/week/"
    )
    lacking = []
    for cls in WEEK_EVENTS:
        words = WEEK_WORDS[cls]
        own = words.own_line is not None
        others = words.other_line is not None
        expected = {
            Audience.OWN: (True, False),
            Audience.OTHERS: (False, True),
            Audience.BOTH: (True, True),
        }
        if (own, others) != expected[cls.heard_by]:
            lacking.append(
                f"{cls.__name__} has heard_by {cls.heard_by.name}, but own={own}, others={others}:"
                " write the sentence that is missing, or change heard_by"
            )
        if words.journal is None and cls.code not in IN_THE_JOURNAL_ANYWAY:
            lacking.append(
                f"{cls.__name__} needs a journal line, or umpire/journal.py tells it: IN_THE_JOURNAL_ANYWAY"
            )
        if words.journal is not None and cls.code in IN_THE_JOURNAL_ANYWAY:
            lacking.append(f"{cls.__name__} has a journal line: take it off IN_THE_JOURNAL_ANYWAY")
    assert lacking == []


def test_loss_event_names_the_ship() -> None:
    """A ship's history and the links of reports use the field `ship`."""
    losing = [cls for cls in WEEK_EVENTS if cls.loses_ship]
    assert losing
    assert [
        cls.__name__ for cls in losing if "ship" not in {name for name, _, _ in fact_fields(cls)}
    ] == []


def test_event_for_both_sides_names_the_owner() -> None:
    silent = [
        cls.__name__
        for cls in WEEK_EVENTS
        if cls.heard_by is Audience.BOTH and cls.is_own is WeekEvent.is_own
    ]
    assert silent == [], "write `is_own`, which says whether a faction takes part"
    with pytest.raises(NotImplementedError, match="NobodysEvent needs is_own"):
        NobodysEvent(("esu",), "0304").facts_for("esu")


def test_codes_are_unique_and_all_classes_are_listed() -> None:
    codes = [cls.code for cls in WEEK_EVENTS]
    assert len(set(codes)) == len(codes), "two classes have the same `code`"
    assert all(codes), "a class has no `code`"
    assert classes_of_events() - {cls.__name__ for cls in WEEK_EVENTS} == set(), (
        "add these classes to WEEK_EVENTS in campaign/events/registry.py"
    )


def test_unlisted_class_cannot_be_read() -> None:
    with pytest.raises(KeyError, match="nobodys: add its class to WEEK_EVENTS in campaign/events"):
        event_class("nobodys")


def test_adjudication_makes_typed_events() -> None:
    """No module of adjudication, of the umpire's pages or of services names an event by its code."""
    codes = {cls.code for cls in WEEK_EVENTS if "-" in cls.code} - {
        "stand-off"
    }  # this is also a choice
    spelled_codes = []
    for path in sorted(UMPIRE.rglob("*.py")):
        constants = [
            node for node in ast.walk(parse_module(path)) if isinstance(node, ast.Constant)
        ]
        spelled_codes += [f"{path.name}: {node.value}" for node in constants if node.value in codes]
    assert spelled_codes == []


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
            (("ship", "Kiev"), ("class", "Gorshkov"), ("cause", "destroyed")),
        ),
        (
            StoresShort(("esu",), "0304", "Kiev", (("magazine-1/extended", 2),)),
            (("ship", "Kiev"), ("magazine-1/extended", 2)),
        ),
        (
            ContactDecision(("esu", "nac"), "0304", "esu", "fight", "nac", "withdraw", "gone"),
            (
                ("a", "esu"),
                ("a-choice", "fight"),
                ("b", "nac"),
                ("b-choice", "withdraw"),
                ("outcome", "gone"),
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
    assert event.facts_for("esu") == facts
    assert event.facts_for("fse") is None
    assert events_from([event.to_document()]) == (event,)
    assert event_from(event.code, event.hex, facts, event.audience) == event


def test_dropped_order_gives_its_reason_in_the_reader_language() -> None:
    """Both the umpire's journal and the owner's report do, from the stored document."""
    scenario = fixture_scenario("first-steps")
    world = initial_world(scenario)
    stored = {
        "code": "order-dropped",
        "audience": ["ember"],
        "hex": "",
        "facts": [
            ["order", "moves[0]"],
            ["code", "thrust"],
            ["why", {"code": "turns-points-but-thrust", "args": [3, 2, 1]}],
        ],
    }
    (event,) = events_from([stored])
    journal = report_of(scenario, JournalStep("decisions", 1, world, world, (event,)))[0]
    (notice,) = notices_by_faction([event], 1, "orders")["ember"]
    (line,) = lines_of(scenario, "ember", [notice])
    for language, expected in DROPPED.items():
        with translation.override(language):
            assert expected in in_language(journal)
            assert expected in in_language(line.words)


def test_dropped_order_is_read_in_todays_wording(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REASON_TEXTS, "turns-points-but-thrust", "has thrust {1}: no turn of {0}")
    event = OrderDropped(("ember",), "", "moves[0]", "thrust", THRUST)
    (event_read,) = events_from([event.to_document()])
    assert isinstance(event_read, OrderDropped)
    assert event_read.why == "has thrust 2: no turn of 3"


def test_view_keeps_the_reason_of_a_dropped_order() -> None:
    scenario = fixture_scenario("first-steps")
    event = OrderDropped(
        ("ember",), "", "moves[0]", "thrust", reason("quoted", "'{}': {}", "x", THRUST)
    )
    notices = notices_by_faction([event], 1, "orders")["ember"]
    view = build_view(scenario, initial_world(scenario), "ember", None, notices)
    for view_read in (decode(View, encode(view)), from_document(View, to_document(view))):
        assert view_read == view
        assert event_of_notice(view_read.notices[0]) == replace(event, audience=())
