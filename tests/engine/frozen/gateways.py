"""Battles of Continuum at gates: ships before, in and out of them, gate bases, ends of portals."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import CORNERS, Document, valid_design

CENTRE = (32, 30)


def battle(luck: Random) -> Document:
    """Return two sides at a few gates, with arrivals; one gate may be a base, one side may flee."""
    options = [
        option
        for option in ("jump-points", "vector", "no-ftl", "core-systems")
        if luck.random() < 0.4
    ]
    sides: list[Document] = []
    for (x, y, course), name in zip(CORNERS, ("red", "blue"), strict=False):
        ships = []
        for number in range(luck.randint(2, 3)):
            at = (
                x + (CENTRE[0] - x) * luck.choice((0.3, 0.6, 0.8)),
                y + (CENTRE[1] - y) * 0.7 + 2 * number,
            )
            entry = _ship(luck, f"{name[0]}{number}G", *at, course, options)
            if luck.random() < 0.4:
                entry |= {
                    "ftl_entry": luck.randint(1, 2),
                    "gate": luck.choice(("one", "one", "deep")),
                }
                entry["velocity"] = min(entry["velocity"], entry["design"]["thrust"])
            ships.append(entry)
        ships[0].pop("ftl_entry", None), ships[0].pop("gate", None)
        sides.append(
            {
                "name": name,
                "ships": ships,
                **({"doctrine": {"flee": True}} if luck.random() < 0.4 else {}),
            }
        )
    gates: list[Document] = [
        {
            "id": "one",
            "at": [30, 30],
            "mass": luck.choice((40, 60, 100, 400)),
            "active": luck.random() < 0.6,
        },
        {"id": "deep", "at": [34, 24], "kind": "jump-point"},
        {
            "id": "in",
            "at": [26, 34],
            "mass": 150,
            "kind": "portal",
            "to": "out",
            "active": luck.random() < 0.7,
        },
        {
            "id": "out",
            "at": [40, 34],
            "mass": 150,
            "kind": "portal",
            "to": "in",
            "facing": luck.randint(1, 12),
        },
    ]
    gates[0] |= {"side": luck.choice(("red", "blue"))} if luck.random() < 0.6 else {}
    gates[1] |= {"facing": luck.randint(1, 12)} if luck.random() < 0.3 else {}
    if luck.random() < 0.6:
        sides[0]["ships"].append(_base(luck))
        gates.append({"id": "port", "ship": "rPG", "active": luck.random() < 0.7})
    return {
        "edition": "continuum", "table": [64, 60], "seed": luck.randint(1, 999), "options": options, "sides": sides,
        "gates": gates,
    }  # fmt: skip


def _ship(luck: Random, name: str, x: float, y: float, course: int, options: list[str]) -> Document:
    systems: list[Document] = [
        {"type": "firecon"},
        {"type": "beam", "class": 2, "arcs": ["FP", "F", "FS"]},
    ]
    design = valid_design(
        {
            "class": f"Gater {name}", "edition": "continuum", "kind": "warship", "mass": luck.choice([40, 60, 90]),
            "hull": {"boxes": 16, "rows": 4}, "thrust": luck.randint(2, 6),
            "ftl": luck.choice(["none", "none", "standard"]), "systems": systems,
        },
        options,
    )  # fmt: skip
    return {
        "id": name, "contact": f"c{name[::-1]}x", "design": design, "at": [round(x), round(y)], "course": course,
        "velocity": luck.randint(1, 6),
    }  # fmt: skip


def _base(luck: Random) -> Document:
    """Return a base that is a jump gate, or a portal."""
    type_, mass = luck.choice((("jump-gate", 10), ("portal", 60)))
    design = valid_design(
        {
            "class": "Port", "edition": "continuum", "kind": "installation", "mass": 120,
            "hull": {"boxes": 12, "rows": 4}, "systems": [{"type": type_, "mass": mass}, {"type": "firecon"}],
        },
        [],
    )  # fmt: skip
    return {
        "id": "rPG",
        "contact": "cGPrx",
        "design": design,
        "at": [24, 26],
        "course": 12,
        "velocity": 0,
    }
