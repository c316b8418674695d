"""Common parts of battles of both editions: legal designs, compatible options, terms, asteroids.

Everything is drawn from a seed and from the tables of this package, never from the engine's, so
reordering a table of the engine changes no battle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from engine.core.terms import design_options
from engine.notation.designs import read_design

Document = dict[str, Any]

SIDES = ("red", "blue", "gold")
TABLE = (64, 60)
RAMS = tuple(
    f"ram-on-{die}" for die in (5, 4, 3, 2)
)  # options of both editions, of which one applies
# Where each side begins, and on which course.
CORNERS = ((14.0, 28.0, 3), (48.0, 32.0, 9), (30.0, 14.0, 12))
FATES = ("destroyed", "stranded", "escaped", "damaged")
AIMED_AT_SHIPS = (
    "battery",
    "pulse-torpedo",
    "submunition",
    "beam",
    "k-gun",
    "graser",
    "phaser",
    "plasma-cannon",
)
EXTRAS = (
    "flawed",
    "streamlining",
    "stealth",
    "armour",
    "drive",
)  # keys of a design that may be missing
EDGES = ("left", "right", "bottom", "top")


def valid_design(design: Document, options: Sequence[str]) -> Document:
    """Return the design without what makes it illegal.

    Raises:
        AssertionError: Its bare hull is illegal, too.
    """
    priced = design_options(design["edition"], options, "1.0")  # sensors at their first price
    for _ in range(60):
        reading = read_design(design, options=priced)
        wrong = [*reading.malformed, *reading.illegal]
        if not wrong:
            return design
        places = {
            int(at[1]) for fault in wrong if (at := re.match(r"systems\[(\d+)\]", fault.where))
        }
        keys = {fault.where.partition("[")[0] for fault in wrong} & {*EXTRAS}
        if keys:
            design = {key: value for key, value in design.items() if key not in keys}
        elif places:
            design["systems"] = [
                item for n, item in enumerate(design["systems"]) if n not in places
            ]
        elif len(design["systems"]) > 1:
            design["systems"].pop()
        else:
            design = {key: design[key] for key in design if key not in EXTRAS} | {
                "systems": [],
                "thrust": min(design["thrust"], 2),
            }
            design |= (
                {"hull": {"boxes": design["mass"] // 4 + 1, "rows": 4}} if "hull" in design else {}
            )
    raise AssertionError(wrong)


def fit_ids(design: Document) -> list[tuple[str, Document]]:
    """Return the ids of a design's systems, each with its entry."""
    counted: dict[str, int] = {}
    result = []
    for item in design["systems"]:
        for _ in range(item.get("count", 1)):
            counted[item["type"]] = counted.get(item["type"], 0) + 1
            result.append((f"{item['type']}-{counted[item['type']]}", item))
    return result


def chosen(
    luck: Random, options: Sequence[str], clashes: Sequence[tuple[str, ...]], needs: dict[str, str]
) -> list[str]:
    """Return compatible options."""
    result: list[str] = []
    for option in luck.sample(options, len(options)):
        clash = any(option in group and other in group for group in clashes for other in result)
        if luck.random() < 0.3 and not clash:
            result.append(option)
    return [
        option for option in options if option in result and needs.get(option, option) in result
    ]


def wear(luck: Random, design: Document) -> Document:
    """Return the damage of a ship from earlier battles."""
    if luck.random() < 0.8:
        return {}
    names = [name for name, _ in fit_ids(design)]
    return {
        "damage": luck.randint(0, 2),
        "lost": sorted(luck.sample(names, min(len(names), luck.randint(0, 2)))),
    }


def terms(luck: Random, sides: list[Document], options: Sequence[str]) -> Document:
    """Return hostilities, victory conditions, FTL limits, and nerve for ramming."""
    document: Document = {}
    names = [side["name"] for side in sides]
    ships = [ship["id"] for side in sides for ship in side["ships"]]
    if len(names) == 3 and luck.random() < 0.4:
        document["hostile"] = [["red", "blue"], ["red", "gold"]]
    if luck.random() < 0.4:
        document["victory"] = [
            {
                "winner": luck.choice(names),
                "ships": sorted(luck.sample(ships, luck.randint(1, 2))),
                "fate": fate,
                "least": luck.randint(1, 2) if fate != "damaged" else luck.randint(4, 20),
                "at_end": luck.random() < 0.5,
                "reason": f"so many {fate}",
            }
            for fate in luck.sample(FATES, luck.randint(1, 2))
        ]
    if "moving-table" not in options and luck.random() < 0.3:
        document["jump_edge"] = {luck.choice(names): luck.choice(EDGES)}
    if luck.random() < 0.2:
        document["scoring"] = "losses"
    if "no-ramming" not in options and luck.random() < 0.4:
        for side in sides:
            side["ram_on"] = luck.randint(1, 6)
    return document


def field(luck: Random) -> Document:
    """Return asteroids between the fleets, placed or by dice, at rest or drifting."""
    if luck.random() < 0.6:
        return {}
    laid = [
        {"at": [31, 40], "radius": 3, "boxes": 6},
        {"at": [44, 14], "radius": 2},
        {"at": [12, 56], "radius": 1},
    ]
    document: Document = {
        "asteroids": luck.choice([{"roll": True, "radius": 1.5, "apart": 8, "boxes": 5}, laid])
    }
    drift = luck.choice(["", "roll", {"course": 8, "speed": 3}])
    return document | ({"drift": drift} if drift else {})


def formed(luck: Random, ships: list[Document]) -> None:
    """Sometimes place the ships of a side close together, on one course at one velocity."""
    if luck.random() < 0.25:
        first = ships[0]
        for number, ship in enumerate(ships):
            if (
                ship["design"]["kind"] != "installation"
                and first["design"]["kind"] != "installation"
            ):
                x, y = first["at"]
                ship |= {
                    "at": [x, y - 1.5 * number],
                    "course": first["course"],
                    "velocity": first["velocity"],
                }
                ship.pop("facing", None)


def moored(luck: Random, ships: list[Document]) -> None:
    """Return a warship beside an installation of its side: docked, or about to dock."""
    base, guest = ships[0], ships[-1]
    if base["design"]["kind"] == "installation" and guest["design"]["kind"] == "warship":
        guest |= {"at": [base["at"][0] + 1, base["at"][1]], "velocity": luck.choice([0, 1])}
        if luck.random() < 0.7 and "ftl_entry" not in guest:
            guest["docked"] = base["id"]


def unjudged_orders(luck: Random, sides: list[Document]) -> list[Document]:
    """Return unchecked orders of the first two turns for one ship of each side; most are
    impossible.
    """
    turns = []
    for _ in range(2):
        turn: Document = {"plot": {}, "engage": {}}
        for number, side in enumerate(sides):
            ship = side["ships"][0]
            foe = sides[number - 1]["ships"][0]["id"]
            turn["plot"][ship["id"]] = luck.choice(
                ["S6+30", "+1; nova", "P1; sweep", f"dock {foe}", "mine 2", "ftl"]
            )
            fires = [
                name for name, item in fit_ids(ship["design"]) if item["type"] in AIMED_AT_SHIPS
            ]
            turn["engage"][ship["id"]] = [{"weapon": name, "target": foe} for name in fires]
        turns.append(turn)
    return turns


def drones(
    luck: Random, ships: list[Document], prefix: str, x: float, y: float, course: int
) -> list[Document]:
    """Return decoys among a side's bogeys, no more than it has ships."""
    return [
        {
            "id": f"{prefix}D{n}",
            "contact": f"d{n}{prefix}x",
            "dummy": True,
            "at": [x + luck.randint(-5, 5), y + luck.randint(-4, 4)],
            "course": course,
            "velocity": luck.randint(2, 8),
        }
        for n in range(luck.randint(0, min(1, len(ships))))
    ]
