"""What the table says of its pieces is told in the reader's language, to the last word."""

from __future__ import annotations

import re

import pytest

from engine.core.kinds import GateShape
from engine.core.phrase import Tongue, in_tongue
from engine.pieces.asteroid import Rock
from engine.pieces.gate import CLOSED, Gate
from engine.pieces.planet import Planet
from engine.pieces.registry import kinds

TEXT = re.compile(r"(\{[^{}]*\})")
SEEN = {
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
    """A language whose texts are the English ones in capitals: small letters went past the
    catalogues.
    """

    decimal, thousands = ".", ","

    def message(self, text: str) -> str:
        return "".join(part if part.startswith("{") else part.upper() for part in TEXT.split(text))

    def noun(self, one: str, many: str, number: int) -> str:
        return (one if number == 1 else many).upper()

    def before(self, text: str, value: str) -> str:
        return text

    def small(self, text: str) -> str:
        return text

    def behind(self, text: str) -> Tongue:
        return self


def _said(words: str) -> str:
    return in_tongue(words, Loud())


@pytest.mark.parametrize("opens", [0, 1, 4, CLOSED])
@pytest.mark.parametrize("shape", list(GateShape))
def test_gates(shape: GateShape, opens: int) -> None:
    seen = {
        "id": "G1",
        "x": 0.0,
        "y": 0.0,
        "shape": str(shape),
        "mass": 80,
        "opens": opens,
        "facing": 3,
    }
    words = Gate.drawn("gates", seen, str).words
    assert words.startswith(f"{shape.label} G1, takes mass 80; ")
    assert _said(words) == words.upper()


def test_planets_and_asteroids() -> None:
    planet = Planet.drawn("planets", SEEN["planet"], str).words
    assert planet.startswith("planet P1, gravity up to 9 MU, with air")
    assert _said(planet) == planet.upper()
    asteroid = Rock.drawn("asteroids", SEEN["asteroid"], str).words
    assert (asteroid, _said(asteroid)) == ("asteroid A1", "ASTEROID A1")


def test_what_kinds_of_pieces_are_called() -> None:
    assert [_said(kind.word) for kind in kinds()] == [kind.word.upper() for kind in kinds()]
