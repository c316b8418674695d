"""Every kind of event reads well in a replay for one ship and for several, in every language."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from django.utils import translation

from campaign.replays.sentences import (
    Marking,
    consequence_sentence,
    sentence_text,
    sentences_of,
)
from campaign.words.battle.log import SILENT, SideNames
from engine.documents import KINDS
from engine.events.damage import ShipDamaged, ShipDestroyed, SystemLost
from engine.events.event import Event
from engine.events.movement import ReturnGivenUp, ShipMoved
from engine.pieces.hangar_events import GroupRearmed
from engine.pieces.mine import MineLaid
from tests.engine.samples import sample

NAMES = Marking(
    SideNames({"e1": "Destroyer A", **{f"n{number}": f"Wasp {number}" for number in range(1, 7)}})
)
CRUTCHES = ("Each of", "Jedes", "Chacun", "chacun", "{", "}")
TOLD = [cls for cls in KINDS.values() if cls not in SILENT]
# Each of these lines gives what belongs to one ship: its shots, place, points, losses or partner.
TOLD_ONE_BY_ONE = {
    "ship-chosen",
    "absorbed",
    "actions-ordered",
    "arrived",
    "assisted",
    "base-struck",
    "boats-fired",
    "bombarded",
    "broke-up",
    "cloaked",
    "cloud-searched",
    "core-hit",
    "craft-burned",
    "craft-emp-fired",
    "craft-fired-at-ordnance",
    "craft-launched",
    "craft-lost",
    "damaged",
    "decloaked",
    "defence-level-at-craft",
    "defence-level-rolled",
    "detonated",
    "docking",
    "dogfight-action",
    "emergency-thrust",
    "entered",
    "explosion-damage",
    "fighters-fired",
    "fire",
    "flak",
    "flak-laid",
    "ftl-entry",
    "group-shot-at",
    "in-tow",
    "launched",
    "losses-ordered",
    "mine-laid",
    "mine-swept",
    "needle",
    "ordnance-launched",
    "ordnance-swept",
    "pack",
    "pilots-rolled",
    "point-defence",
    "point-defence-at-craft",
    "point-defence-at-ordnance",
    "ram",
    "recovered",
    "reflected",
    "rock-shot",
    "rockets-launched",
    "scrambled",
    "screening-craft-fired",
    "shaped-bolt",
    "sheet-scanned",
    "stores-scanned",
    "shot",
    "shuttles-landed",
    "system-check",
    "threshold",
    "torpedo",
    "uncovered",
}


def of_ship(event: Event, number: int) -> Event:
    """Return the same event of another ship or group."""
    names = {field.name for field in fields(event)}
    changes: dict[str, Any] = {}
    for name in ("ship", "contact"):
        if name in names:
            changes[name] = f"n{number}"
    if "group" in names:
        changes["group"] = f"n{number}/fighter-bay-1"
    return replace(event, **changes)


def texts_of(events: list[Event]) -> list[str]:
    sentences, details = sentences_of(events, NAMES)
    return [*map(sentence_text, sentences), *details]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_event_of_one_or_several_ships_is_a_whole_sentence(language: str) -> None:
    faults: list[tuple[str, str]] = []
    for cls in TOLD:
        event = sample(cls)
        for count in (1, 2, 6):
            with translation.override(language):
                texts = texts_of([of_ship(event, number) for number in range(1, count + 1)])
            assert texts, cls.kind
            for text in texts:
                if any(crutch in text for crutch in CRUTCHES):
                    faults.append((cls.kind, text))
    assert faults == []


def test_event_that_begins_with_its_ship_has_a_plural_or_is_told_one_by_one() -> None:
    without_plural = set()
    for cls in TOLD:
        event = sample(cls)
        if cls is ShipMoved or not event.subject:
            continue
        events = [of_ship(event, number) for number in (1, 2)]
        sentences, _ = sentences_of(events, NAMES)
        if len(sentences) > 1 and sentence_text(sentences[0]).startswith("Wasp 1"):
            without_plural.add(cls.kind)
    assert without_plural == TOLD_ONE_BY_ONE


def test_many_ships_are_counted_and_named_in_the_details() -> None:
    events = [of_ship(sample(ReturnGivenUp), number) for number in range(1, 7)]
    (told,), (names,) = sentences_of(events, NAMES)
    assert sentence_text(told) == "6 ships do not return."
    assert names == "Wasp 1, Wasp 2, Wasp 3, Wasp 4, Wasp 5 and Wasp 6"
    with translation.override("de"):
        (told,), _ = sentences_of(events, NAMES)
    assert sentence_text(told) == "6 Schiffe kehren nicht zurück."


def test_plural_tells_of_the_groups_with_which_the_sentence_begins() -> None:
    """The event also names their ship."""
    events = [of_ship(sample(GroupRearmed), number) for number in (1, 2)]
    (told,), _ = sentences_of(events, NAMES)
    assert sentence_text(told).startswith("Wasp 1's fighters A and Wasp 2's fighters A are")
    events = [of_ship(sample(GroupRearmed), number) for number in range(1, 7)]
    (told,), _ = sentences_of(events, NAMES)
    assert sentence_text(told).startswith("6 groups are aboard")


def test_events_without_a_plural_are_told_one_by_one() -> None:
    events = [of_ship(sample(SystemLost, system="beam-1"), 1), of_ship(sample(MineLaid), 1)]
    events.append(of_ship(sample(MineLaid), 2))
    told, _ = sentences_of(events, NAMES)
    assert [sentence_text(sentence) for sentence in told] == [
        "Wasp 1 loses beam 1.",
        "Wasp 1 lays a mine at 1, 2.",
        "Wasp 2 lays a mine at 1, 2.",
    ]


def test_damage_of_earlier_hits_is_a_total_unless_the_ship_is_destroyed() -> None:
    hit = of_ship(sample(ShipDamaged, points=2, total=5), 1)
    excess = of_ship(sample(ShipDamaged, points=6, total=5), 1)
    destroyed = of_ship(sample(ShipDestroyed), 1)
    text, _ = consequence_sentence([hit], NAMES)
    assert sentence_text(text) == "Wasp 1 takes 2 (5 in all)."
    text, _ = consequence_sentence([excess, destroyed], NAMES)
    assert sentence_text(text) == "Wasp 1 takes 6 and is destroyed."
