"""What battles and checks keep in English is told in the reader's language: its message is found again."""

from __future__ import annotations

from string import Formatter

import pytest
from django.utils import translation

from campaign.words.languages import in_language
from campaign.words.stored_reasons import _messages, told_again
from engine.core.phrase import phrase


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        ("it cannot launch fighters off the table", "il ne peut pas lancer de chasseurs hors de la table"),
        ("turns 3 points, but thrust 2 allows 1", "vire de 3 points, mais une poussée de 2 en permet 1"),
        ("turns 3 points, but thrust 2 allows 1; Xyz", "vire de 3 points, mais une poussée de 2 en permet 1; Xyz"),
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
        ("Battle had no ship there to take it with", "Battle n’avait pas de vaisseau sur place pour le prendre"),
        ("nothing that any message says", "nothing that any message says"),
    ],
)
def test_a_stored_text_is_told_in_another_language(stored: str, told: str) -> None:
    assert told_again(stored) == stored
    with translation.override("fr"):
        assert in_language(told_again(stored)).replace("\N{NO-BREAK SPACE}", " ") == told


def test_every_message_is_found_by_its_text() -> None:
    missed = []
    for message, _ in _messages()[1]:
        places = [spec for _, name, spec, _ in Formatter().parse(message) if name is not None]
        made = phrase(message, *((3.5 if "f" in spec else 3) if spec else f"Q{n}" for n, spec in enumerate(places)))
        with translation.override("fr"):
            missed += [message] if in_language(made) != in_language(told_again(str(made))) else []
    assert missed == []
