"""What battles and checks keep in English is told in the reader's language: its message is found
again.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from django.utils import translation

from campaign.store.documents import report_body
from campaign.words.languages import in_language
from campaign.words.stored_reasons import _messages, reason_words, retranslate
from engine.core.phrase import phrase
from engine.events.detection import ScanFailed
from engine.events.fire import ShotRefused
from engine.view.event_reader import read_event

STORED_BATTLES = Path(__file__).parents[1] / "engine" / "stored" / "battles-1.json.gz"


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (
            "it cannot launch fighters off the table",
            "il ne peut pas lancer de chasseurs hors de la table",
        ),
        (
            "turns 3 points, but thrust 2 allows 1",
            "vire de 3 points, mais une poussée de 2 en permet 1",
        ),
        (
            "turns 3 points, but thrust 2 allows 1; Xyz",
            "vire de 3 points, mais une poussée de 2 en permet 1; Xyz",
        ),
        (
            "battery 1, main drive: no row of its track was crossed, and no enemy had needle beams",
            "batterie 1, propulsion principale : aucune rangée de sa piste n’a été franchie, et aucun ennemi n’avait "
            "de rayons aiguilles",
        ),
        (
            "uses 1 thrust of 0; it has no working nova cannon",
            "emploie 1 de poussée sur 0 ; il n’a pas de canon nova en état",
        ),
        ("rW: it has no working nova cannon", "rW : il n’a pas de canon nova en état"),
        (
            "Battle had no ship there to take it with",
            "Battle n’avait pas de vaisseau sur place pour le prendre",
        ),
        ("nothing that any message says", "nothing that any message says"),
    ],
)
def test_a_stored_text_is_told_in_another_language(stored: str, expected: str) -> None:
    assert retranslate(stored) == stored
    with translation.override("fr"):
        assert in_language(retranslate(stored)).replace("\N{NO-BREAK SPACE}", " ") == expected


def test_every_message_is_found_by_its_text() -> None:
    missed = []
    for message, _ in _messages()[1]:
        places = [spec for _, name, spec, _ in Formatter().parse(message) if name is not None]
        text = phrase(
            message,
            *((3.5 if "f" in spec else 3) if spec else f"Q{n}" for n, spec in enumerate(places)),
        )
        with translation.override("fr"):
            missed += [message] if in_language(text) != in_language(retranslate(str(text))) else []
    assert missed == []


def lines_with_reasons() -> Iterator[dict[str, Any]]:
    """Lines that say why, of logs that an earlier release stored
    (`tests/engine/stored/test_stored_battles.py`).
    """
    for battle in json.loads(gzip.decompress(STORED_BATTLES.read_bytes())):
        for log in battle["log"]:
            yield from (line for line in log if "why" in line)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_logs_of_older_releases_are_read_in_the_readers_language(language: str) -> None:
    events = [read_event(line) for line in lines_with_reasons()]
    assert len(events) == 30
    with translation.override(language):
        for event in events:
            assert isinstance(event, ShotRefused | ScanFailed)
            why = event.why
            assert type(why) is str
            assert in_language(reason_words(why)) != why


def test_an_older_report_keeps_its_texts_for_their_reader() -> None:
    line = next(lines_with_reasons())
    body = {"stops": [{"log": [line]}]}
    assert report_body("battle", 2, body) == body
    assert report_body("stop", 1, {"log": [line]}) == {"log": [line]}
    check = {
        "round": 1,
        "faults": [{"code": "thrust", "where": "ships.n1", "message": "is docked"}],
    }
    assert report_body("table-check", 1, check) == check
