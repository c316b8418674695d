"""Variations of random battles: set-ups in zones, formations, bodies, mines, bases and options.

Each change of a battle file is drawn on its own and kept only if the file is still valid, so any
battle of any lot can be varied.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from engine.core.errors import RuleViolations
from engine.core.terms import MIXED_MOVEMENT
from engine.core.versions import played_versions
from engine.craft.roles import CHOICES
from engine.notation.battles import read_battle
from engine.notation.deployments import CORNERS, EDGES, KINDS
from engine.ruleset import rules_of
from tests.engine.battle.table import classes

Document = dict[str, Any]
Change = Callable[[Random, Document], None]

FORMATIONS = ("ranks", "line", "column", "wedge", "screen")
MANNERS = ("sealed", "by-side", "by-ship")
LABELS = ("escort", "cruiser", "capital", "merchant")
# What begins in a place of its own, or beside another ship
PLACED_OTHERWISE = (
    *("docked", "carried", "ftl_entry", "dummy", "groups", "berths"),
    *("section", "stand", "orbit", "gate", "fixed"),
)
BODIES: dict[str, tuple[Document, ...]] = {
    "second-edition": (),
    "continuum": (
        {"kind": "cloud", "radius": 6},
        {"kind": "field", "radius": 4},
        {"kind": "debris", "radius": 2, "course": 4, "velocity": 5},
        {"kind": "planet", "radius": 4},
    ),
}
SHARE = 0.35  # how often each change is tried
OPTIONS_TRIED = 4


def varied(luck: Random, document: Document) -> Document:
    """Return a valid battle file with random changes; the given one is valid."""
    result = document
    for change in CHANGES:
        if luck.random() > SHARE:
            continue
        changed: Document = json.loads(json.dumps(result))
        change(luck, changed)
        if _is_valid(changed):
            result = changed
    return result


def is_placed_by_sides(document: Document) -> bool:
    """Return whether sides may be asked to place their ships in this battle."""
    return isinstance(document.get("deployment"), dict)


def _is_valid(document: Document) -> bool:
    try:
        read_battle(document, classes())
    except RuleViolations:
        return False
    return True


def _add_options(luck: Random, document: Document) -> None:
    """Add options of the edition, each only if the file stays valid with it."""
    choices = [option.name for option in rules_of(document["edition"]).choices]
    for name in luck.sample(choices, min(len(choices), OPTIONS_TRIED)):
        options = document.get("options", [])
        if name not in options and _is_valid({**document, "options": [*options, name]}):
            document["options"] = [*options, name]


def _change_rules(luck: Random, document: Document) -> None:
    """Play the battle by any version of the rules."""
    document["rules"] = luck.choice(played_versions())


def _add_bodies(luck: Random, document: Document) -> None:
    """Leave a field of asteroids, or other bodies, to the sides or to the proposal."""
    by = luck.choice(["both", *(side["name"] for side in document["sides"])])
    bodies = BODIES[document["edition"]]
    if bodies and luck.random() < 0.5:
        document["terrain"] = [
            *document.get("terrain", ()),
            *({**body, "by": by} for body in luck.sample(bodies, luck.randint(1, 2))),
        ]
    else:
        document["asteroids"] = {
            "place": luck.randint(1, 5),
            "apart": luck.randint(4, 12),
            "by": by,
        }
        document.pop("drift", None)


def _add_mines(luck: Random, document: Document) -> None:
    """Put mines of any side, or of nobody, on the table."""
    width, height = document["table"]
    owners = [None, *(side["name"] for side in document["sides"])]
    document["mines"] = [
        {
            "side": luck.choice(owners),
            "at": [luck.randint(0, int(width)), luck.randint(0, int(height))],
        }
        for _ in range(luck.randint(1, 8))
    ]


def _add_deployment(luck: Random, document: Document) -> None:
    """Let the sides begin in zones, and open the places of most ships."""
    names = [side["name"] for side in document["sides"]]
    deployment: Document = {"manner": luck.choice(MANNERS), "step": luck.randint(1, 4)}
    if luck.random() < 0.3:
        deployment["first"] = luck.choice(names)
    if luck.random() < 0.2:
        deployment["order"] = luck.sample(LABELS, 2)
    if len(names) == 2 and luck.random() < 0.6:
        deployment["kind"] = luck.choice(KINDS)
    else:
        edges = luck.sample(EDGES, len(names))
        deployment["zones"] = {
            name: _zone(luck, edge, document["table"])
            for name, edge in zip(names, edges, strict=True)
        }
    document["deployment"] = deployment
    for side in document["sides"]:
        for ship in side["ships"]:
            if not any(key in ship for key in PLACED_OTHERWISE):
                for key in ("at", "course", "velocity", "facing"):
                    ship.pop(key, None)


def _zone(luck: Random, edge: str, table: list[float]) -> Document:
    """Return a zone at an edge or of another shape, with random limits."""
    zone: Document = {"edge": edge, "deep": luck.choice((6, 12, 20)), "half": luck.random() < 0.2}
    shape = luck.random()
    if shape < 0.2:
        zone = {"corner": luck.choice([name for name in CORNERS if edge in name]), "deep": 24}
    elif shape < 0.3:
        left, bottom = (luck.uniform(0, 0.6) * length for length in table)
        zone = {"box": [left, bottom, left + table[0] * 0.3, bottom + table[1] * 0.3]}
    elif shape < 0.4:
        zone = {"anywhere": True}
    zone["ftl"] = luck.random() < 0.5
    zone["aloft"] = luck.random() < 0.3
    if luck.random() < 0.3:
        zone["velocity"] = [luck.randint(0, 4), luck.randint(4, 24)]
    if luck.random() < 0.3:
        limits = {"bodies": 6, "edges": 8, "enemies": 18}
        limit = luck.choice(list(limits))
        zone["apart"] = {limit: luck.randint(0, limits[limit])}
    return zone


def _add_doctrines(luck: Random, document: Document) -> None:
    """Choose the formation, the velocity and the FTL reserve of each side."""
    for side in document["sides"]:
        side["doctrine"] = {
            **side.get("doctrine", {}),
            "formation": luck.choice(FORMATIONS),
            "reserve": luck.choice((0, 0, 2, 3, 5)),
            "speed": luck.randint(0, 24),
        }


def _hold_in_ftl(luck: Random, document: Document) -> None:
    """Let one ship of a side with several drop out of FTL in a later turn."""
    for side in document["sides"]:
        able = [ship for ship in side["ships"] if "at" in ship and "dummy" not in ship]
        if len(able) > 1 and luck.random() < 0.6:
            luck.choice(able)["ftl_entry"] = luck.randint(2, 5)


def _add_flares(luck: Random, document: Document) -> None:
    """Let the star flare over the whole table, or over a part of it."""
    flares: Document = {"kind": "flares", "turns": [luck.randint(1, 3), 5]}
    if luck.random() < 0.5:
        flares |= {"at": [length / 2 for length in document["table"]], "radius": 12}
    document["terrain"] = [*document.get("terrain", ()), flares]


def _choose_roles(luck: Random, document: Document) -> None:
    """Let multi-role fighters have three other types."""
    document["multi_role"] = luck.sample(CHOICES, 3)


def _mix_movement(luck: Random, document: Document) -> None:
    """Let the ships of a side move by vectors."""
    options = document.get("options", [])
    document["options"] = [*options, *({MIXED_MOVEMENT} - {*options})]
    for ship in luck.choice(document["sides"])["ships"]:
        ship["movement"] = "vector"


def _add_groups_of_bases(luck: Random, document: Document) -> None:
    """Give a side fighter groups from a base off the table."""
    height = document["table"][1]
    side = luck.choice(document["sides"])
    side["based"] = [
        {"load": {"standard": 6}, "at": [0, luck.randint(0, int(height))]}
        for _ in range(luck.randint(1, 2))
    ]


CHANGES: tuple[Change, ...] = (
    *(_change_rules, _add_options, _add_bodies, _add_mines, _hold_in_ftl),
    *(_add_deployment, _add_doctrines, _add_groups_of_bases),
    *(_add_flares, _choose_roles, _mix_movement),
)
