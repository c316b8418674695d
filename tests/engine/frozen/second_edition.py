"""Battles of the second edition: every system, kind of ship, body, option and term."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import (
    CORNERS,
    RAMS,
    SIDES,
    TABLE,
    Document,
    chosen,
    drones,
    field,
    fit_ids,
    formed,
    moored,
    terms,
    valid_design,
    wear,
)

EDITION = "second-edition"
OPTIONS = ("asteroid-destruction", "moving-table", "no-ftl", "ftl-scatter", *RAMS)
CLASHES = (RAMS,)
ARCS = (["P", "F", "S"], ["F"], ["F", "S"], ["P", "F"])
# type: what else its entry says
FITS: tuple[Document, ...] = (
    *({"type": "battery", "battery": letter} for letter in "ABCAB"),
    {"type": "pulse-torpedo"},
    {"type": "pulse-torpedo", "arcs": ["S"]},
    {"type": "needle", "arcs": ["F"]},
    {"type": "needle", "arcs": ["P"]},
    {"type": "submunition"},
    {"type": "submunition", "arcs": ["P"]},
    *(
        {"type": type_}
        for type_ in (
            "screen",
            "firecon",
            "pdaf",
            "adaf",
            "minelayer",
            "minesweeper",
            "nova-cannon",
        )
    ),
    {"type": "fighter-bay"},
    {"type": "fighter-bay"},
    {"type": "weasel", "class": "cruiser"},
    {"type": "weasel", "class": "capital"},
)
# The first systems of every warship, in one battle of three.
THEMES: tuple[tuple[str, ...], ...] = (
    ("minelayer", "minesweeper"),
    ("fighter-bay", "fighter-bay", "pdaf", "adaf"),
    ("nova-cannon", "minelayer"),
    ("fighter-bay", "fighter-bay", "fighter-bay"),
    ("submunition", "submunition"),
)
STOCKED = {"fighter-bay": 6, "minelayer": 4}


def design(luck: Random, kind: str, theme: tuple[str, ...]) -> Document:
    """Return a legal ship or base of a kind, full of what fits beside the `theme`."""
    still = kind == "installation"
    mass = luck.choice([80, 200] if still else [8, 14, 24, 36, 40, 60, 96])
    fitted: list[Document] = [{"type": type_} for type_ in theme] if kind == "warship" else []
    mass = max(mass, 40) if fitted else mass
    for _ in range(luck.randint(2, 12)):
        fit = luck.choice(FITS)
        fitted.append(fit | ({"arcs": luck.choice(ARCS)} if fit["type"] == "battery" else {}))
    document = {
        "class": f"{kind} {luck.randint(1, 9999)}",
        "edition": EDITION,
        "kind": kind,
        "mass": mass,
        "thrust": 0 if still else luck.randint(1, 3 if kind == "merchant" else 8),
        "ftl": "none" if still else luck.choice(["none", "standard", "standard"]),
        "systems": fitted,
    }
    if still and luck.random() < 0.4:
        document["civil"] = True
    if kind == "merchant" and luck.random() < 0.2:
        document["ftl"] = "tug"
    return valid_design(document, ())


def ship(
    luck: Random,
    name: str,
    x: float,
    y: float,
    course: int,
    options: list[str],
    theme: tuple[str, ...],
) -> Document:
    """Return a ship of any kind near its side's place."""
    kind = luck.choice(["warship"] * 6 + ["q-ship", "merchant", "installation"])
    plan = design(luck, kind, theme)
    document: Document = {
        "id": name,
        "contact": f"c{name[::-1]}x",
        "design": plan,
        "at": [x, y],
        "course": course,
        "velocity": luck.choice([0, 0, 3]) if kind == "installation" else luck.randint(0, 14),
    } | wear(luck, plan)
    if kind == "installation":
        document["berths"] = luck.choice([[], [20], [40, 20]])
    if kind == "q-ship" and luck.random() < 0.2:
        document["cover"] = None
    if (
        plan["ftl"] == "standard"
        and "no-ftl" not in options
        and not document.get("lost")
        and luck.random() < 0.12
    ):
        document["ftl_entry"] = luck.randint(1, 3)
    stocks = {
        fit: luck.randint(0, STOCKED[item["type"]])
        for fit, item in fit_ids(plan)
        if item["type"] in STOCKED
    }
    if stocks and "lost" not in document and luck.random() < 0.2:
        document["stock"] = stocks
    return document


def battle(luck: Random) -> Document:
    """Return two or three sides of one to three ships, with random bogeys, asteroids, options and
    terms.
    """
    options = chosen(luck, OPTIONS, CLASHES, {})
    bogeys = luck.random() < 0.4
    theme = luck.choice((*THEMES, *[()] * 2 * len(THEMES)))
    sides = []
    for n, (x, y, course) in enumerate(CORNERS[: luck.choice([2, 2, 2, 3])]):
        ships = [
            ship(
                luck, f"{'rbg'[n]}{k}Q", x + luck.randint(-6, 6), y - 5 * k, course, options, theme
            )
            for k in range(luck.randint(1, 3))
        ]
        formed(luck, ships)
        moored(luck, ships)
        decoys = drones(luck, ships, "rbg"[n], x, y, course) if bogeys else []
        sides.append({"name": SIDES[n], "ships": ships + decoys})
    document = {
        "edition": EDITION,
        "table": list(TABLE),
        "bogeys": bogeys,
        "options": options,
        "seed": luck.randint(0, 999),
    }
    return document | {"sides": sides} | field(luck) | terms(luck, sides, options)
