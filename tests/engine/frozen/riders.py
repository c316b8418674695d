"""Battles of Continuum with motherships: riders that detach, take damage and return."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import CORNERS, Document, valid_design


def battle(luck: Random) -> Document:
    """Return two sides with a mothership, riders and an escort; some arrive by FTL, some flee."""
    options = [
        option for option in ("core-systems", "ftl-scatter", "vector") if luck.random() < 0.3
    ]
    sides: list[Document] = []
    for (x, y, course), name in zip(CORNERS, ("red", "blue"), strict=False):
        head, velocity = name[0], luck.randint(0, 6)
        at = round(x + (32 - x) * luck.choice((0.2, 0.5))), round(y + (30 - y) * 0.5)
        carrier = _ship(luck, f"{head}MR", *at, course, velocity, options, 300)
        carrier |= {"ftl_entry": luck.randint(1, 2)} if luck.random() < 0.25 else {}
        riders = [
            _ship(luck, f"{head}{number}R", 0, 0, course, 0, options, luck.choice((20, 40)))
            | {"carried": carrier["id"]}
            for number in range(luck.randint(1, 2))
        ]
        loose = _ship(luck, f"{head}LR", at[0] + 1, at[1] + 1, course, velocity, options, 20)
        ships = [carrier, *riders, loose]
        luck.shuffle(ships)
        sides.append(
            {
                "name": name,
                "ships": ships,
                **({"doctrine": {"flee": True}} if luck.random() < 0.4 else {}),
            }
        )
    plots = [{f"{head}LR": f"dock {head}MR", f"{head}MR": f"bear {head}0R"} for head in "rb"]
    turns: list[Document] = [
        {"plot": {**plots[0], **plots[1]}},
        {"plot": {}},
        {"plot": {"rMR": "ftl"}},
    ]
    return {
        "edition": "continuum", "table": [64, 60], "seed": luck.randint(1, 999), "options": options, "sides": sides,
        "turns": turns if luck.random() < 0.7 else [], "scoring": "losses",
    }  # fmt: skip


def _ship(
    luck: Random,
    name: str,
    x: float,
    y: float,
    course: int,
    velocity: int,
    options: list[str],
    mass: int,
) -> Document:
    mother = mass > 100
    systems: list[Document] = [{"type": "firecon"}, {"type": "beam", "class": 1}]
    systems += (
        [{"type": "pds"}, {"type": "screen"}, {"type": "tender-bay", "mass": luck.choice((30, 90))}]
        if mother
        else []
    )
    design = valid_design(
        {
            "class": f"Mother {name}", "edition": "continuum", "kind": "warship", "mass": mass,
            "hull": {"boxes": 34 if mother else mass // 5, "rows": 4}, "thrust": 3 if mother else 6,
            "ftl": {"tug": 60} if mother else "none", "systems": systems,
        },
        options,
    )  # fmt: skip
    return {
        "id": name, "contact": f"c{name[::-1]}x", "design": design, "at": [x, y], "course": course,
        "velocity": velocity,
    }  # fmt: skip
