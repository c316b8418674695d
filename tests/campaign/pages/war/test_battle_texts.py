"""Every kind of event in a battle has words, and every field in them is one that the engine writes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from campaign.words.battle.hulls import NOTE_WORDS
from campaign.words.battle.log import SILENT, SideNames, line_of
from campaign.words.battle.phrases import WORDS
from campaign.words.languages import in_language
from engine.core.reason_texts import REASON_TEXTS
from engine.documents import KINDS
from engine.events.battle import TurnEnded
from engine.events.event import Event, FieldMark, field_marks_of
from engine.events.movement import OrderRefused
from engine.view.event_reader import read_event
from tests.engine.samples import sample, sample_line, whole_event

NAMES = SideNames({"n1": "Wasp", "e1": "Destroyer A"})


def test_every_event_class_has_words_or_is_listed_as_silent() -> None:
    for cls in KINDS.values():
        ways = [cls in WORDS, bool(cls.text), cls in SILENT]
        assert sum(ways) == 1, (
            f"{cls.__name__}: give it `said`, or a function with words_of, and not both"
        )


def test_event_words_contain_no_keys() -> None:
    lines = {cls.kind: line_of(sample(cls), NAMES) for cls in KINDS.values() if cls not in SILENT}
    assert {kind: line for kind, line in lines.items() if line is None or not line.words} == {}
    words_by_kind = {
        kind: (line.words, line.detail) for kind, line in lines.items() if line is not None
    }
    assert {
        kind: words_and_detail
        for kind, words_and_detail in words_by_kind.items()
        if "n1" in words_and_detail[0] or "{" in words_and_detail[0] + words_and_detail[1]
    } == {}


@pytest.mark.parametrize("value", [0, 3])
def test_every_ship_note_has_words_or_is_listed_as_silent(value: int) -> None:
    noted: dict[str, Any] = {"event": "marked", "turn": 1, "ship": "n1", "value": value}
    lines = {
        name: line_of(whole_event(**noted, note=f"{name}:beam-1"), NAMES)
        for name in sorted(NOTE_WORDS)
    }
    assert {name for name, line in lines.items() if line is None} == {
        n for n, words_and_detail in NOTE_WORDS.items() if words_and_detail == ("", "")
    }
    words_by_note = {name: line.words for name, line in lines.items() if line is not None}
    assert {
        n: words
        for n, words in words_by_note.items()
        if not words.startswith("Wasp ") or "on its sheet" in words
    } == {}


def test_repairs_cores_and_blasts_name_their_subject() -> None:
    def words_of(**event: Any) -> tuple[str, str]:
        line = line_of(whole_event(**{"turn": 1, "ship": "n1", **event}), NAMES)
        assert line is not None
        return line.words, line.detail

    repair = {"event": "repair", "system": "firecon-1", "parties": 3, "die": 4, "succeeded": False}
    assert words_of(**repair) == ("Wasp fails to repair its FireCon 1", "3 parties, die 4")
    assert words_of(**{**repair, "parties": 0, "die": 0, "succeeded": True}) == (
        "Wasp regains its FireCon 1 without damage control parties",
        "",
    )
    core_hit = {"event": "core-hit", "die": 6}
    assert (
        words_of(**core_hit, system="bridge", value=9999)[0]
        == "Wasp loses its bridge and is out of control for good"
    )
    assert words_of(**core_hit, system="bridge", value=4)[0].endswith(
        "out of control to the end of turn 4"
    )
    assert words_of(**core_hit, system="life-support", value=4)[0].endswith(
        "has air to the end of turn 4"
    )
    burned = {
        "event": "explosion-damage",
        "cause": "reactor:e1",
        "dice": [1, 2],
        "screens": 0,
        "points": 3,
    }
    assert words_of(**burned) == (
        "Wasp is caught in the explosion of Destroyer A: 3 points",
        "reactor, dice 1 2",
    )
    aboard = [["nac", 2, 1], ["esu", 0, 0]]
    fight = {
        "event": "fought-aboard",
        "sides": ["nac"],
        "repelled": [[2, 5]],
        "defended": [],
        "attacked": [4, 6],
    }
    assert words_of(**fight, aboard=aboard) == (
        "Boarders fight aboard Wasp. Still aboard: nac with 2 marines and 1 party",
        "2 parties sent, die 5; boarders 4 6",
    )
    check = {"event": "boarders-checked", "checked": ["nac"], "loses_on": 5, "rolls": [5, 6]}
    assert words_of(**check, aboard=[]) == (
        "Boarders aboard Wasp take losses with the ship. None of them are left",
        "lost on 5 or more; dice 5 6",
    )
    fire = {
        "weapon": "beam-2",
        "target": "e1",
        "range": 11.6,
        "arc": "F",
        "screens": 1,
        "mode": "",
        "needed": 0,
    }
    assert words_of(event="fire", **fire, dice=[6, 4], damage=[], hits=2) == (
        "Wasp fires beam 2 at Destroyer A and hits for 2",
        "12 MU, arc F, screens 1, dice 6 4",
    )
    wave_hit = {
        "by": "e1",
        "weapon": "wave-gun-1",
        "range": 9.0,
        "screens": 0,
        "dice": [],
        "damage": [3, 4],
        "hits": 7,
    }
    assert words_of(event="struck", **wave_hit) == (
        "Wasp is hit by the wave gun 1 of Destroyer A",
        "hits for 7, damage 3 4",
    )
    assert words_of(event="absorbed", cause="fire:e1", points=2, armour=[[1, 2], [0, 0]]) == (
        "Wasp takes 2 points on its armour",
        "left, the outermost layer first: 0, 3",
    )


def test_groups_are_named_by_ship_or_number() -> None:
    assert NAMES.of("n1/fighter-bay-2") == "Wasp's fighters B"
    assert NAMES.of("flight-3") == "fighters 3"
    assert line_of(TurnEnded(1), NAMES) is None


def test_sides_are_named_by_faction() -> None:
    names = replace(
        NAMES, powers={"nac": "New Anglian Confederation", "esu": "Eurasian Solar Union"}
    )
    rolled: dict[str, Any] = {
        "event": "initiative",
        "rolls": [["esu", 5], ["nac+fse", 2]],
        "order": ["esu", "nac+fse"],
    }
    line = line_of(whole_event(**rolled), names)
    assert line is not None
    assert line.words == "Fire order: Eurasian Solar Union, New Anglian Confederation and fse"
    withdrawal: dict[str, Any] = {
        "event": "withdrawn",
        "side": "nac",
        "lost_mass": 60,
        "total_mass": 100,
    }
    withdrawal_line = line_of(whole_event(**withdrawal), names)
    assert withdrawal_line is not None
    assert withdrawal_line.words.startswith("New Anglian Confederation has lost mass 60 of 100")


BURNED = {"event": "explosion-damage", "ship": "n1", "screens": 0, "points": 8, "dice": [2]}
DOGFIGHT = {"event": "dogfight-action", "group": "flight-1", "target": "n1", "weapons": [1]}
FIGHTERS = {
    "event": "fighters-fired",
    "group": "flight-1",
    "target": "n1",
    "range": 4,
    "screens": 0,
}


@pytest.mark.parametrize(
    ("event", "words", "detail"),
    [
        (
            {**FIGHTERS, "armament": "strike", "hits": 0, "dice": [2]},
            "Chasseurs 1 attaquent Wasp et manquent leur cible",
            "4 MU, dés 2",
        ),
        (
            {**FIGHTERS, "armament": "strike", "hits": 3, "dice": [6]},
            "Chasseurs 1 attaquent Wasp et touchent 3 fois",
            "4 MU, dés 6",
        ),
        (
            {**DOGFIGHT, "action": "engage", "succeeded": True, "points": 0, "dice": [1]},
            "Chasseurs 1 engagent Wasp : rien",
            "dés 1",
        ),
        (
            {**DOGFIGHT, "action": "break off", "succeeded": False, "points": 0, "dice": [1]},
            "Chasseurs 1 ne peuvent rompre le combat tournoyant avec Wasp",
            "dés 1",
        ),
        (
            {
                "event": "actions-ordered",
                "group": "flight-1",
                "actions": ["engage", "break off"],
                "leaves_to": [],
            },
            "Chasseurs 1 : ordres de combat tournoyant, d’abord engager, puis rompre",
            "",
        ),
        (
            {"event": "scrambled", "ship": "n1", "groups": 1, "wrecked": "", "die": 6},
            "Wasp lance un décollage d’alerte : 1 groupe en vol",
            "dé 6",
        ),
        (
            {**BURNED, "cause": "suicide-charge"},
            "Wasp est pris dans l’explosion : 8 points",
            "charge d’autodestruction, dés 2",
        ),
        (
            {"event": "landing-not-agreed", "ship": "n1", "weapon": "boarding-torpedo-1"},
            "Torpille d’abordage 1 de Wasp ne débarque personne : l’abordage n’est pas permis dans cette bataille",
            "",
        ),
        (
            {"event": "system-lost", "ship": "n1", "system": "advanced-firecon-1"},
            "Wasp perd FireCon avancé 1",
            "",
        ),
        (
            {"event": "system-lost", "ship": "n1", "system": "life-support"},
            "Wasp perd support vital",
            "",
        ),
    ],
)
def test_log_lines_are_fully_translated(event: dict[str, Any], words: str, detail: str) -> None:
    line = line_of(whole_event(**event), NAMES)
    assert line is not None
    with translation.override("fr"):
        texts = [
            in_language(text).replace("\N{NO-BREAK SPACE}", " ")
            for text in (line.words, line.detail)
        ]
    assert texts == [words, detail]


TURNS_TOO_FAR = {"code": "turns-points-but-thrust", "args": [3, 2, 1]}
WITH_A_REASON = [cls for cls in KINDS.values() if FieldMark.REASON in field_marks_of(cls).values()]
REFUSED = {
    "en": "turns 3 points; with thrust 2 the limit is 1",
    "de": "wendet um 3 Punkte; bei Schub 2 sind 1 möglich",
    "fr": "vire de 3 points\N{NO-BREAK SPACE}; avec une poussée de 2, la limite est 1",
}


def _dropped_words(cls: type[Event], reason: object) -> str:
    line = line_of(read_event(sample_line(cls, reason=reason)), NAMES)
    assert line is not None
    return line.words


@pytest.mark.parametrize("language", REFUSED)
@pytest.mark.parametrize("cls", WITH_A_REASON)
def test_reason_is_in_the_reader_language(cls: type[Event], language: str) -> None:
    words = _dropped_words(cls, TURNS_TOO_FAR)
    with translation.override(language):
        assert REFUSED[language] in in_language(words)


def test_stored_reason_is_in_todays_wording(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(REASON_TEXTS, "turns-points-but-thrust", "has thrust {1}: no turn of {0}")
    assert "has thrust 2: no turn of 3" in _dropped_words(OrderRefused, TURNS_TOO_FAR)
