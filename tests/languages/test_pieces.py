"""The lists of pieces on the table are entirely in the reader's language."""

from __future__ import annotations

import re

import pytest

from engine.core.kinds import GateShape
from engine.core.phrase import Language, translate
from engine.pieces.asteroid import Asteroid
from engine.pieces.gate import CLOSED, Gate
from engine.pieces.planet import Planet
from engine.pieces.registry import kinds

TEXT = re.compile(r"(\{[^{}]*\})")
SEEN_PIECES = {
    "planet": {
        "id": "P1",
        "x": 0.0,
        "y": 0.0,
        "radius": 4.0,
        "gravity": [9.0, 7.0],
        "air": True,
        "speeds": [6, 6],
        "pulls": 2,
    },
    "asteroid": {"id": "A1", "x": 0.0, "y": 0.0, "radius": 2.0, "course": 0, "speed": 0.0},
}


class Loud:
    """A language in capitals: small letters were not translated."""

    decimal, thousands = ".", ","

    def message(self, text: str) -> str:
        return "".join(part if part.startswith("{") else part.upper() for part in TEXT.split(text))

    def noun(self, singular: str, many: str, number: int) -> str:
        return (singular if number == 1 else many).upper()

    def before(self, text: str, value: str) -> str:
        return text

    def small(self, text: str) -> str:
        return text

    def behind(self, text: str) -> Language:
        return self


def _in_loud_language(words: str) -> str:
    return translate(words, Loud())


@pytest.mark.parametrize("opens", [0, 1, 4, CLOSED])
@pytest.mark.parametrize("shape", list(GateShape))
def test_gates(shape: GateShape, opens: int) -> None:
    sight = {
        "id": "G1",
        "x": 0.0,
        "y": 0.0,
        "shape": str(shape),
        "mass": 80,
        "opens": opens,
        "facing": 3,
    }
    words = Gate.draw("gates", sight, str).words
    assert words.startswith(f"{shape.label} G1, accepts mass 80; ")
    assert _in_loud_language(words) == words.upper()


def test_planets_and_asteroids() -> None:
    planet = Planet.draw("planets", SEEN_PIECES["planet"], str).words
    assert planet.startswith("planet P1, gravity up to 9 MU, with air")
    assert _in_loud_language(planet) == planet.upper()
    asteroid = Asteroid.draw("asteroids", SEEN_PIECES["asteroid"], str).words
    assert (asteroid, _in_loud_language(asteroid)) == ("asteroid A1", "ASTEROID A1")


def test_names_of_piece_kinds() -> None:
    assert [_in_loud_language(kind.word) for kind in kinds()] == [
        kind.word.upper() for kind in kinds()
    ]
