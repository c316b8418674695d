"""Battles of Continuum with ships in tow: each side has one beside another that cannot move.

They are battles of `continuum` and were added later, so the random draws there stay unchanged.
Captains fight them after turns that the file gives.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import CORNERS, Document, valid_design


def battle(luck: Random) -> Document:
    """Return a battle with a ship in tow, or about to be, on each side, and some turns of towing."""
    document = continuum.battle(luck)
    turns: list[Document] = [{"plot": {}} for _ in range(5)]
    for (x, y, course), side in zip(CORNERS, document["sides"], strict=False):
        head, velocity = side["name"][0], luck.randint(0, 5)
        tug, towed = f"{head}T", f"{head}W"
        tows = luck.random() < 0.6
        side["ships"] += [
            _ship(tug, x + 6, y + 9, course, velocity, document["options"], thrust=4,
                  ftl={"tug": 60, "advanced": luck.random() < 0.5} if tows else "standard"),
            _ship(towed, x + 4, y + 9, course, velocity, document["options"], thrust=luck.choice([0, 2])),
        ]  # fmt: skip
        jumps = luck.choice([3, 3, 9])
        for number, turn in enumerate(turns):
            move = (
                luck.choice(["P1", "+1", "TP2 MD1", "S2"])
                if number > 1 and luck.random() < 0.6
                else ""
            )
            words = "ftl" if number == jumps else move if number < jumps else ""
            turn["plot"][tug] = "; ".join(word for word in (f"tow {towed}", words) if word)
    return document | {"turns": turns}


def together(luck: Random) -> Document:
    """Return a pair of tugs on each side that jump with one ship in tow between them."""
    plots: list[Document] = [{} for _ in range(4)]
    sides: list[Document] = []
    for (x, y, course), name in zip(CORNERS, ("red", "blue"), strict=False):
        velocity, head = luck.randint(0, 4), name[0]
        drives = [
            {"tug": luck.choice([25, 30, 60]), "advanced": luck.random() < 0.8} for _ in range(2)
        ]
        ships = [
            _ship(
                f"{head}{kind}", x + at, y, course, velocity, [], thrust=2 * (kind != "W"), ftl=ftl
            )
            for kind, at, ftl in (
                ("T", 0, drives[0]),
                ("H", luck.choice([1, 2, 4]), drives[1]),
                ("W", 1, "none"),
            )
        ]
        luck.shuffle(ships)
        sides.append({"name": name, "ships": ships})
        for number, plot in enumerate(plots):
            plot[f"{head}T"] = f"tow {head}W" + ("; ftl" if number == 1 else "")
        plots[luck.choice([1, 1, 1, 2])][f"{head}H"] = "ftl"
    return {
        "edition": "continuum", "table": [72, 60], "seed": luck.randint(1, 999), "sides": sides,
        "turns": [{"plot": plot} for plot in plots],
    }  # fmt: skip


def surveying(luck: Random) -> Document:
    """Return a battle in which a ship of each side has spaces for specialists."""
    document = continuum.battle(luck)
    for (x, y, course), side in zip(CORNERS, document["sides"], strict=False):
        ship = _ship(f"{side['name'][0]}S", x + 6, y + 9, course, 4, document["options"], thrust=4)
        ship["design"]["systems"].append({"type": "specialists", "mass": 4})
        side["ships"].append(ship)
    return document


def _ship(
    name: str,
    x: float,
    y: float,
    course: int,
    velocity: int,
    options: list[str],
    *,
    thrust: int,
    ftl: object = "none",
) -> Document:
    systems = [{"type": "firecon"}, {"type": "beam", "class": 1}]
    design = valid_design(
        {
            "class": f"Haul {name}", "edition": "continuum", "kind": "warship", "mass": 60,
            "hull": {"boxes": 12, "rows": 4}, "thrust": thrust, "ftl": ftl, "systems": systems,
        },
        options,
    )  # fmt: skip
    return {
        "id": name, "contact": f"c{name[::-1]}x", "design": design, "at": [x, y], "course": course,
        "velocity": velocity,
    }  # fmt: skip
