"""Moments: the fleets on the picture are those that were counted, drawn like everywhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from campaign.drawings import moment as drawing
from campaign.drawings.moment import Force, MomentSide, MomentSize, Scene, Ships, draw_moment

SYMBOLS = Path(__file__).resolve().parents[3] / "static" / "img" / "battle.svg"
OUTLINE = re.compile(r'id="ship-(\w+)"[^>]*><path d="([^"]+)"')
FIGURE = re.compile(r"[MmLlHhVv]|-?[0-9]*\.?[0-9]+")


def _points(path: str) -> list[tuple[float, float]]:
    """Return the corners of a path of straight lines."""
    tokens = FIGURE.findall(path)
    points: list[tuple[float, float]] = []
    x = y = 0.0
    command = ""
    while tokens:
        if tokens[0].isalpha():
            command = tokens.pop(0)
        origin = (x, y) if command.islower() else (0.0, 0.0)
        if command in "Vv":
            y = origin[1] + float(tokens.pop(0))
        elif command in "Hh":
            x = origin[0] + float(tokens.pop(0))
        else:
            x, y = origin[0] + float(tokens.pop(0)), origin[1] + float(tokens.pop(0))
        points.append((round(x, 2), round(y, 2)))
    return points


def _ships_in(scene: Scene, state: str) -> int:
    return sum(getattr(force, state).count("M") for force in scene.forces)


def test_moments_draw_the_outlines_of_the_battle_symbols() -> None:
    symbols = dict(OUTLINE.findall(SYMBOLS.read_text(encoding="utf-8")))
    for kind, outline in drawing._OUTLINES.items():
        if kind != drawing.UNKNOWN:
            assert _points(symbols[kind]) == list(outline), kind


@pytest.mark.parametrize("size", MomentSize)
def test_every_counted_ship_is_on_both_pictures(size: MomentSize) -> None:
    own = MomentSide(
        name="You",
        figures="",
        is_own=True,
        forces=(Force(1, (Ships("capital", 11, lost=2), Ships("escort", 4))),),
    )
    theirs = MomentSide(
        name="Others",
        figures="",
        forces=(Force(2, (Ships("escort", 19, lost=4, maybe=15),)), Force(3, (Ships("odd", 2),))),
    )
    moment = draw_moment(size, own, theirs, place="Lafayette", alt="")
    for scene in (moment.wide, moment.narrow):
        assert [_ships_in(scene, state) for state in ("ships", "maybe", "lost")] == [15, 15, 6]
        assert [force.is_own for force in scene.forces] == [True, False, False]
    assert moment == draw_moment(size, own, theirs, place="Lafayette", alt="")
