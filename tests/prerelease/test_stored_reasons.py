"""English reasons in old documents become codes and values, which readers see in their language."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from django.utils import translation

from campaign.words.languages import in_language
from engine.core.phrase import phrase
from engine.core.phrase_data import restore_phrase
from engine.core.reason import Reason
from engine.events.detection import ScanFailed
from engine.events.fire import ShotRefused
from engine.view.event_reader import read_event
from tools.prerelease.convert import convert
from tools.prerelease.stored_reasons import _messages, reason_of, retranslate, with_reasons

STORED_BATTLES = Path(__file__).with_name("battles-1.json.gz")


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (
            "it cannot launch fighters off the table",
            "il ne peut pas lancer de chasseurs hors de la table",
        ),
        (
            "turns 3 points, but thrust 2 allows 1",
            "vire de 3 points ; avec une poussée de 2, la limite est 1",
        ),
        (
            "turns 3 points, but thrust 2 allows 1; Xyz",
            "vire de 3 points ; avec une poussée de 2, la limite est 1; Xyz",
        ),
        (
            "battery 1, main drive: no row of its track was crossed, and no enemy had needle beams",
            "batterie 1, propulsion principale : perte impossible, car aucune rangée de coque ne s’est "
            "terminée et aucun ennemi n’avait de rayons aiguilles",
        ),
        (
            "uses 1 thrust of 0; it has no working nova cannon",
            "emploie 1 de poussée ; la limite est 0 ; il n’a pas de canon nova en état",
        ),
        ("rW: it has no working nova cannon", "rW : il n’a pas de canon nova en état"),
        (
            "Battle had no ship there to take it with",
            "Battle n’avait pas de vaisseau sur place pour le capturer",
        ),
        ("nothing that any message says", "nothing that any message says"),
    ],
)
def test_stored_text_is_shown_in_another_language(stored: str, expected: str) -> None:
    assert retranslate(stored) == stored
    with translation.override("fr"):
        assert (
            in_language(restore_phrase(reason_of(stored))).replace("\N{NO-BREAK SPACE}", " ")
            == expected
        )


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
    """Lines with reasons, from the stored logs of `tests.prerelease.test_old_battles`."""
    for battle in json.loads(gzip.decompress(STORED_BATTLES.read_bytes())):
        for log in battle["log"]:
            yield from (line for line in log if "why" in line)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_old_log_reasons_are_in_the_reader_language(language: str) -> None:
    lines = list(lines_with_reasons())
    assert len(lines) == 30
    with translation.override(language):
        for line in lines:
            event = read_event(convert("stop-events", [line])[0])
            assert isinstance(event, ShotRefused | ScanFailed)
            assert isinstance(event.reason, Reason)
            assert in_language(event.reason) != line["why"]


def test_only_reasons_are_converted() -> None:
    lines = [{"event": "moved", "why": "it has no working FireCon"}, {"why": "uses 1 thrust of 0"}]
    assert with_reasons(lines) == lines


def test_faults_and_week_events_have_reasons() -> None:
    fault = {"code": "thrust", "where": "ships.n1", "message": "uses 3 thrust of 2"}
    expected = {"code": "uses-thrust", "args": ["3", "2"]}
    assert with_reasons({"faults": [fault]}) == {
        "faults": [{"code": "thrust", "where": "ships.n1", "reason": expected}]
    }
    event = {"code": "order-dropped", "facts": [["order", "x"], ["why", "uses 3 thrust of 2"]]}
    assert with_reasons([event])[0]["facts"] == [["order", "x"], ["why", expected]]


def test_text_without_a_message_is_kept() -> None:
    assert reason_of("Xyz is away") == {"code": "as-written", "args": ["Xyz is away"]}
