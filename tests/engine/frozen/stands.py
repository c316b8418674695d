"""Battles of Continuum with very small ships that share a stand, beside those of `continuum`."""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import CORNERS, Document, valid_design


def battle(luck: Random) -> Document:
    """Return a battle in which each side has a stand of two or three ships, some of them damaged."""
    document = continuum.battle(luck)
    for (x, y, course), side in zip(CORNERS, document["sides"], strict=False):
        velocity = luck.randint(0, 8)
        for number in range(luck.randint(2, 3)):
            name = f"{side['name'][0]}K{number}"
            design = valid_design(
                {
                    "class": f"Corvette {name}", "edition": "continuum", "kind": "warship", "mass": 20,
                    "hull": {"boxes": luck.randint(3, 5), "rows": 4}, "thrust": 6, "ftl": "none",
                    "systems": [{"type": "firecon"}, {"type": "beam", "class": 1}],
                },
                document["options"],
            )  # fmt: skip
            ship: Document = {
                "id": name, "contact": f"c{name[::-1]}x", "stand": "corvettes", "design": design, "at": [x + 5, y + 8],
                "course": course, "velocity": velocity,
            }  # fmt: skip
            if luck.random() < 0.25:
                ship["lost"] = ["drive"]
            side["ships"].append(ship)
    return document
