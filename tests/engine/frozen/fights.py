"""Battles with dogfight actions or refusals: groups near each other, some with their own figures."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engine.battle import Battle
from engine.stops import read_orders
from tests.engine.frozen import carriers
from tests.engine.frozen.making import Document

MIDDLE = (
    (28, 27),
    (30, 29),
)  # courses 12 and 6: positions of either side's groups that begin in flight


def battle(luck: Random) -> Document:
    """Return two carriers with three groups each, of which two or three begin beside each other."""
    document = carriers.of_pilots(luck)
    document.pop("turns")
    document["options"] = ["dogfight-actions", *document["options"]]
    for n, side in enumerate(document["sides"]):
        ship = side["ships"][0]
        x, y = MIDDLE[n]
        ship["groups"] = {
            f"hangar-{bay}": {
                "at": [x + 2 * bay, y],
                "course": (12, 6)[n],
                "craft": luck.choice((2, 4, 6, 6)),
            }
            for bay in (1, 2, 3)[: luck.randint(2, 3)]
        }
        holds = [item for item in ship["design"]["systems"] if item["type"] == "hangar"]
        for item in holds:
            if luck.random() < 0.5:
                item |= {"load": {"standard": 6}, "mods": [luck.choice(("heavy", "fast"))]}
        if luck.random() < 0.6:
            ship["squadrons"] = {f"hangar-{luck.choice((1, 2))}": figures(luck)}
    red, blue = (f"{side['ships'][0]['id']}/hangar-1" for side in document["sides"])
    systems = document["sides"][1]["ships"][0]["design"]["systems"]
    first = next(item for item in systems if item["type"] == "hangar")
    first |= {"load": {"standard": 6}, "mods": ["heavy"]}
    then = luck.choice((["stay on target"], ["break off"], ["stay on target", "break off"]))
    attack = {red: [{"weapon": "fighters", "target": blue}], blue: [{"actions": then}]}
    plots = {side["ships"][0]["id"]: "" for side in document["sides"]}
    return document | {"turns": [{"plot": plots, "attack": attack}]}


def refused(luck: Random) -> Document:
    """Return two carriers with groups beside each other; red's first attacks blue's, which flies
    on.
    """
    document = battle(luck)
    document["options"] = ["refuse-dogfights", *document["options"][1:]]
    for side in document["sides"]:
        side["ships"][0].pop("squadrons", None)
    red, blue = (f"{side['ships'][0]['id']}/hangar-1" for side in document["sides"])
    for side in document["sides"]:
        systems = side["ships"][0]["design"]["systems"]
        first = next(item for item in systems if item["type"] == "hangar")
        first.pop("mods", None)
        first |= {"load": {"standard": 6}} | ({"mods": ["fast"]} if luck.random() < 0.5 else {})
    attack = {red: [{"weapon": "fighters", "target": blue}], blue: [{"to": [30, 45]}]}
    plots = {side["ships"][0]["id"]: "" for side in document["sides"]}
    stay = dict.fromkeys((red, blue), "evade 3")  # captains move groups without orders
    return document | {"turns": [{"plot": plots, "fighters": stay, "attack": attack}]}


def refusal(battle: Battle, side: int, group: Mapping[str, Any]) -> Document:
    """Return a destination for a group when attacked, where legal; half of the groups attack
    instead.
    """
    luck = Random(f"{battle.turn}/{group['id']}/refused")
    to = [round(group[axis] + luck.randint(-9, 9), 1) for axis in ("x", "y")]
    orders = {group["id"]: [{"to": to}]}
    valid = not read_orders(battle, side, {"attack": orders})[1]
    return orders if valid and luck.random() < 0.5 else {}


def figures(luck: Random) -> Document:
    """Return random figures of a group."""
    result: Document = {
        "weapons": [luck.randint(1, 5) for _ in range(luck.randint(1, 3))], "fire_control": luck.randint(1, 3),
        "fuel": luck.randint(2, 9), "skill": luck.randint(1, 5), "damage": luck.randint(2, 9),
        "traits": luck.sample(("fast", "heavy", "rugged"), luck.randint(0, 2)),
    }  # fmt: skip
    return {key: value for key, value in result.items() if luck.random() < 0.8}
