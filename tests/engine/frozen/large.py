"""Battles of Continuum with a starbase between the fleets, or monster ships among them.

They are battles of `continuum` and were added later, so the random draws there stay unchanged.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import CORNERS, Document, valid_design

GUNS = ("beam", "pulser", "k-gun", "pds")


def battle(luck: Random) -> Document:
    """Return a battle in which one side has a starbase in the middle, a monster ship, or both."""
    document = continuum.battle(luck)
    document.pop("victory", None)
    side = luck.choice(document["sides"])
    place = document["sides"].index(side)
    if luck.random() < 0.6:
        velocity = luck.choice([0, 0, 0, 2])
        spots = [(32, 27), (32, 29), (32, 31), (34, 31)][: luck.randint(1, 4)]
        side["ships"] += [
            _section(
                luck,
                f"{side['name'][0]}H{n}",
                x,
                y,
                3,
                velocity,
                document["options"],
                "installation",
            )
            for n, (x, y) in enumerate(spots)
        ]
    if luck.random() < 0.7:
        x, y, course = CORNERS[place]
        velocity, ways = luck.randint(0, 9), _ways(course)
        parts = [
            _section(luck, f"{side['name'][0]}M{n}", x - ways[0] * 2 * n, y + 12 - ways[1] * 2 * n, course, velocity,
                     document["options"], "warship", aft=n == 2)
            for n in range(3)
        ]  # fmt: skip
        parts[2]["design"]["total_mass"] = sum(part["design"]["mass"] for part in parts)
        side["ships"] += parts
        if luck.random() < 0.7:
            document["turns"] = [{"plot": {parts[2]["id"]: "ftl"}}, {}]
    return document


def _ways(course: int) -> tuple[int, int]:
    return {3: (1, 0), 9: (-1, 0), 12: (0, 1)}[course]


def _section(
    luck: Random, name: str, x: float, y: float, course: int, velocity: int, options: list[str], kind: str,
    *, aft: bool = False,
) -> Document:  # fmt: skip
    mass = luck.choice([60, 90, 120])
    systems: list[Document] = [{"type": "firecon"}]
    systems += [{"type": luck.choice(GUNS)} for _ in range(luck.randint(1, 4))]
    for item in systems:
        if item["type"] in ("beam", "k-gun"):
            item |= {"class": luck.randint(1, 2), "arcs": ["A"] if aft else ["F"]}
        elif item["type"] == "pulser":
            item["arcs"] = ["AP", "A", "AS"]
    design = valid_design(
        {
            "class": f"Section {name}", "edition": "continuum", "kind": kind, "mass": mass,
            "hull": {"boxes": luck.randint(mass // 8, mass // 5), "rows": 4}, "systems": systems,
            "thrust": luck.randint(1, 3) if aft else 0, "ftl": "standard" if aft else "none",
        },
        options,
    )  # fmt: skip
    document: Document = {
        "id": name, "contact": f"c{name[::-1]}x", "section": f"{name[:2]} whole", "design": design,
        "at": [x, y], "course": course, "velocity": velocity,
    }  # fmt: skip
    if "core-systems" in options and luck.random() < 0.3:
        document |= {"lost": ["power-core"], "notes": {"reactor": luck.randint(3, 5)}}
    return document
