"""Battles of Continuum with rare events of craft.

They have reflex fields under fire of craft, squadrons of several types, craft with FTL drives,
rockets at gunboats, bombs, and guns of ships that fire at boats as point defence. They were added
later, so the random draws of earlier ones stay unchanged.
"""

from __future__ import annotations

from random import Random

from engine.craft import gunboats
from tests.engine.frozen.carriers import PLACES, TABLE, craft
from tests.engine.frozen.making import Document, fit_ids

FORE = ["FP", "F", "FS"]
WEAPONS: tuple[Document, ...] = (
    {"type": "beam", "class": 2, "arcs": FORE},
    {"type": "beam", "class": 3, "arcs": FORE},
    {"type": "graser", "class": 1, "arcs": FORE},
    {"type": "k-gun", "class": 2, "arcs": ["F"]},
    {"type": "pulse-torpedo", "arcs": ["F"]},
)


def rack(luck: Random) -> Document:
    """Return a rack of gunboats, often of two or three types."""
    types = [row.type for row in gunboats.CONTINUUM.types_under(())]
    several = luck.sample(types, luck.choice((1, 2, 2, 3)))
    load = {type_: 6 // len(several) for type_ in sorted(several, key=types.index)}
    mods = luck.choice(([], [], ["heavy"], ["ecm-1"]))
    return {"type": "gunboat-rack", "load": load} | ({"mods": mods} if mods else {})


def bay(luck: Random) -> Document:
    """Return a boat bay: empty, or with boats that have FTL drives."""
    if luck.random() < 0.5:
        return {"type": "boat-bay", "mass": luck.choice((14, 27, 40))}
    return {
        "type": "boat-bay",
        "mass": 36,
        "load": {luck.choice(("beam", "k-gun")): 6},
        "mods": ["ftl"],
    }


def hangar(luck: Random) -> Document:
    """Return a hangar, often of fighters with FTL drives."""
    load = craft(luck, "hangar")
    if luck.random() < 0.5:
        load["mods"] = sorted({*load.get("mods", ()), "ftl"})
    return {"type": "hangar"} | load


def ship(luck: Random, name: str, x: float, y: float, course: int) -> Document:
    """Return a ship with craft, rocket pods and guns against boats, often behind a reflex field."""
    systems: list[Document] = [
        {"type": "firecon", "count": 2},
        {"type": "pds", "count": luck.randint(1, 3)},
    ]
    systems += [{"type": "adfc"}, {"type": "reflex-field"}] if luck.random() < 0.6 else []
    systems += [{"type": "rocket-pod", "arcs": FORE, "count": 3}]
    systems += [{"count": 2} | gun for gun in luck.sample(WEAPONS, 2)]
    if luck.random() < 0.5:
        systems += [rack(luck) for _ in range(luck.randint(1, 2))]
        systems += [bay(luck) for _ in range(luck.randint(0, 2))]
    else:
        systems += [{"type": "launch-tube"}, *(hangar(luck) for _ in range(luck.randint(1, 3)))]
    design = {
        "class": f"wing {luck.randint(1, 9999)}", "edition": "continuum", "kind": "warship", "mass": 300,
        "hull": {"boxes": luck.randint(30, 42), "rows": 4}, "thrust": luck.randint(2, 4), "drive": "standard",
        "ftl": "standard", "armour": [[luck.randint(0, 4), 0]], "systems": systems,
    }  # fmt: skip
    return {
        "id": name, "contact": f"w{name[::-1]}x", "design": design, "at": [x, y], "course": course,
        "velocity": luck.randint(0, 4),
    }  # fmt: skip


def battle(luck: Random) -> Document:
    """Return two sides of one or two ships each; often boats fire at a reflex field nearby."""
    sides: list[Document] = []
    for n, (x, y, course) in enumerate(PLACES):
        ships = [
            ship(luck, f"{'rb'[n]}{k}W", x + luck.randint(-3, 3) + 8 * k, y, course)
            for k in range(luck.randint(1, 2))
        ]
        sides.append({"name": ("red", "blue")[n], "ships": ships})
    document: Document = {
        "edition": "continuum", "table": list(TABLE), "options": ["science-fiction"], "seed": luck.randint(0, 999),
        "sides": sides,
    }  # fmt: skip
    return (
        document | {"turns": close(sides[0]["ships"][0], sides[1]["ships"][0])}
        if luck.random() < 0.6
        else document
    )


def close(ours: Document, theirs: Document) -> list[Document]:
    """Return the first turns of two ships at rest, 16 MU apart.

    Boats of one fire at the other behind its field, which then answers with rockets and guns.
    """
    ours["at"], theirs["at"] = [30, 22], [30, 38]
    for ship in (ours, theirs):
        ship["velocity"] = 0
        systems = ship["design"]["systems"]
        ship["design"]["systems"] = [
            item for item in systems if item["type"] not in ("gunboat-rack", "reflex-field")
        ]
    ours["design"]["systems"].append({"type": "gunboat-rack", "load": {"beam": 6}})
    theirs["design"]["systems"].append({"type": "reflex-field"})
    squadron = f"{ours['id']}/gunboat-rack-1"
    return [
        {
            "plot": {ours["id"]: "launch gunboat-rack-1", theirs["id"]: "reflex"},
            "fighters": {squadron: "to 30 30.5; face 12"},
            "attack": {squadron: [{"weapon": "boats", "target": theirs["id"]}]},
            "defend": {theirs["id"]: []},
        },
        {
            "plot": {ours["id"]: "", theirs["id"]: ""},
            "launch": {
                theirs["id"]: [
                    {"weapon": f"rocket-pod-{pod}", "target": squadron} for pod in (1, 2)
                ]
            },
            "attack": {squadron: [{"weapon": "boats", "target": theirs["id"]}]},
            "defend": {
                theirs["id"]: [{"weapon": gun, "target": squadron} for gun in guns_of(theirs)]
            },
        },
    ]


def guns_of(ship_entry: Document) -> list[str]:
    """Return the ship's guns that may fire at boats."""
    types = [gun["type"] for gun in WEAPONS]
    return [fit for fit, item in fit_ids(ship_entry["design"]) if item["type"] in types][:3]
