"""Battles of Continuum with point defence by level: missile ships, escorts, and carriers."""

from __future__ import annotations

from random import Random

from tests.engine.frozen import carriers
from tests.engine.frozen.making import Document, fit_ids

FORE, ROUND = ["FP", "F", "FS"], ["F", "FS", "AS", "A", "AP", "FP"]
LAUNCHERS: tuple[Document, ...] = (
    {"type": "heavy-missile"},
    {"type": "heavy-missile", "model": "two-stage"},
    {"type": "salvo-rack", "arcs": FORE},
    {"type": "rocket-pod", "arcs": FORE},
    {"type": "plasma-bolt", "class": 2, "arcs": ["F"]},
    {"type": "antimatter-missile", "arcs": FORE},
)
GUARDS: tuple[Document, ...] = (
    {"type": "pds"}, {"type": "pds"}, {"type": "ads", "arcs": ROUND}, {"type": "beam", "class": 1, "arcs": ROUND},
    {"type": "scattergun"}, {"type": "grapeshot"}, {"type": "adfc"}, {"type": "advanced-adfc"}, {"type": "screen"},
)  # fmt: skip
WIDTH = 6.0  # MU between the ships of a side


def battle(luck: Random) -> Document:
    """Return two sides of up to four ships, sometimes with the option's prices."""
    options = ["point-defence-level", *(["point-defence-costs"] if luck.random() < 0.5 else [])]
    sides = [
        {
            "name": name,
            "ships": [
                _ship(luck, f"{name[0]}{number}", x, course, number) for number in range(many)
            ],
        }
        for name, x, course in (("red", 22, 3), ("blue", 46, 9))
        for many in [luck.randint(1, 4)]
    ]
    return {
        "edition": "continuum",
        "table": [72, 60],
        "seed": luck.randint(1, 999),
        "options": options,
        "sides": sides,
    }


def _ship(luck: Random, name: str, x: int, course: int, number: int) -> Document:
    systems = [luck.choice(LAUNCHERS) for _ in range(luck.randint(1, 4))]
    systems += [luck.choice(GUARDS) for _ in range(luck.randint(2, 7))]
    screens = [system for system in systems if system["type"] == "screen"]
    design = {
        "class": f"Level {name}",
        "edition": "continuum",
        "kind": "warship",
        "mass": 180,
        "hull": {"boxes": luck.randint(24, 36), "rows": 4},
        "thrust": 4,
        "ftl": "none",
        "systems": [
            {"type": "firecon", "count": 2},
            *(system for system in systems if system not in screens),
            *screens[:2],
        ],
    }
    at = [x + luck.randint(-3, 3), 20 + WIDTH * number]
    return {
        "id": name,
        "at": at,
        "course": course,
        "velocity": luck.randint(0, 6),
        "design": design,
    }


def of_craft(luck: Random) -> Document:
    """Return a carrier and escorts a side, with the first carrier's groups on their way."""
    document = luck.choice((carriers.battle, carriers.battle, carriers.of_boats))(luck)
    document["options"] = [
        "point-defence-level",
        *document["options"],
        *(["aces"] if luck.random() < 0.3 else []),
    ]
    for n, side in enumerate(document["sides"]):
        for ship, (x, y) in zip(side["ships"], carriers.HALF_WAY, strict=False):
            loaded = [
                name for name, item in fit_ids(ship["design"])
                if item.get("load") and item["type"] in ("hangar", "combined-hangar", "gunboat-rack")
            ]  # fmt: skip
            at = document["sides"][1 - n]["ships"][0]["at"]
            there = [
                round((x + 2 * at[0]) / 3 + luck.randint(-3, 3), 1),
                round((y + 2 * at[1]) / 3, 1),
            ]
            ship["groups"] = {
                name: {"at": there, "course": luck.choice((12, 6, 3))} for name in loaded[:3]
            }
    return document


def of_help(luck: Random) -> Document:
    """Return two attack groups of red before blue's first ship, one of them ordered to help the
    other.

    A group screens that ship, and red fires missiles at it, too.
    """
    document, early = carriers.battle(luck), luck.random() < 0.6
    tubes: list[Document] = [{"type": "launch-tube"}, {"type": "launch-tube"}]
    red, blue = (side["ships"][0] for side in document["sides"])
    (x, y), velocity = blue["at"], blue["velocity"]
    red["design"]["systems"] = [
        {"type": "firecon"}, {"type": "salvo-rack", "arcs": FORE}, {"type": "salvo-rack", "arcs": FORE}, *tubes,
        {"type": "hangar", "load": {"attack": 6}}, {"type": "hangar", "load": {luck.choice(("attack", "standard")): 6}},
    ]  # fmt: skip
    blue["design"]["systems"] = [
        {"type": "firecon"}, *({"type": "pds"} for _ in range(luck.randint(0, 3))), *tubes,
        {"type": "hangar", "load": {luck.choice(("interceptor", "standard")): 6}},
    ]  # fmt: skip
    for side in document["sides"]:
        side["ships"] = side["ships"][:1]
    if early:
        blue["design"]["systems"].pop()
    red["at"], red["course"], red["velocity"] = [x, y - 16], 12, 0
    red["groups"] = {
        f"hangar-{n}": {"at": [x + n, y - velocity - 4], "course": 12} for n in (1, 2) if early
    }
    blue["groups"] = {} if early else {"hangar-1": {"at": [x, y - velocity + 1], "course": 6}}
    first, second, screen = (
        f"{red['id']}/hangar-1",
        f"{red['id']}/hangar-2",
        f"{blue['id']}/hangar-1",
    )
    at = {"weapon": "fighters", "target": blue["id"]}
    aimed = [{"weapon": f"salvo-rack-{n}", "at": [x, y - velocity]} for n in (1, 2)]
    turn: Document = {
        "plot": {red["id"]: "", blue["id"]: ""}, "launch": {red["id"]: aimed},
        "fighters": {screen: f"screen {blue['id']}"} if not early else {},
    }  # fmt: skip
    turn |= {"attack": {first: [at], second: [at | {"assist": first}]}} if early else {}
    return document | {"options": ["point-defence-level"], "turns": [turn]}
