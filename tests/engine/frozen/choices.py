"""Battles of Continuum by the rules of 1.1, and random orders that only they know."""

from __future__ import annotations

from random import Random

from engine.battle import Battle
from engine.core.versions import CASUALTY_ORDER, RANDOM_MOUNTS
from engine.order_requests.order_of_others import may_order_others
from engine.stops import read_orders
from tests.engine.frozen import guards, level, sensing
from tests.engine.frozen.making import Document

RULES = "1.1"
THREE = ["FP", "F", "FS"]
TYPES = ("beam", "pulse-torpedo", "pds", "needle")


def battle(luck: Random) -> Document:
    """Return a battle in which a rule of 1.1 matters."""
    draw = luck.choice((three_sides, level.of_help, guards.covered, level.battle, sensing.battle))
    document = draw(luck)
    document["rules"] = RULES
    document["options"] = [*document.get("options", ())]
    if luck.random() < 0.2:
        document["options"].append("one-navy")
    if luck.random() < 0.2:
        document["options"] += ["scattergun-four", "short-spines"]
    if "advanced-sensors" in document["options"] and "sensor-ecm" not in document["options"]:
        document["options"].append("sensors-by-range")
    if "point-defence-level" in document["options"]:
        document["options"].append("advanced-missiles")
    return document


def three_sides(luck: Random) -> Document:
    """Return three sides of one ship within reach of each other, with closed record sheets."""
    sides = []
    for name, at, course in (("red", (30, 20), 12), ("blue", (26, 28), 3), ("gold", (36, 27), 8)):
        systems: list[Document] = [
            {"type": luck.choice(("firecon", "advanced-firecon")), "count": 2},
            {"type": "needle", "class": 2, "arcs": THREE},
            {"type": "beam", "class": 2, "arcs": THREE, "count": luck.randint(1, 2)},
            {"type": "pulse-torpedo", "arcs": ["F"]},
        ]
        design = {
            "class": f"Trio {name}",
            "edition": "continuum",
            "kind": "warship",
            "mass": 120,
            "hull": {"boxes": 30, "rows": 4},
            "thrust": luck.randint(2, 5),
            "ftl": "none",
            "systems": systems,
        }
        ship = {"id": name, "design": design, "at": list(at), "course": course, "velocity": 1}
        sides.append({"name": name, "ships": [ship]})
    flares = {"kind": "flares", "turns": [1, 2], "at": [30, 24], "radius": luck.randint(4, 9)}
    return {
        "edition": "continuum",
        "terrain": [flares] if luck.random() < 0.5 else [],
        "table": [60, 60],
        "seed": luck.randint(0, 999),
        "options": ["advanced-sensors", "core-systems"],
        "sides": sides,
    }


def add_order_of_others(battle: Battle, side: int, orders: Document) -> None:
    """Sometimes choose in which order a side lets the others act."""
    if not may_order_others(battle.state):
        return
    luck = Random(f"{battle.turn}/{side}/lets")
    others = [name for number, name in enumerate(battle.state.sides) if number != side]
    luck.shuffle(others)
    orders["lets"] = luck.choice((others, others, []))


def aim_at_types(battle: Battle, side: int, orders: Document) -> None:
    """Aim some needle beams at a type of weapon."""
    if not battle.state.terms.follows(RANDOM_MOUNTS):
        return
    luck = Random(f"{battle.turn}/{side}/types")
    for _, fires in orders["engage"]:
        for fire in fires:
            if fire["weapon"].startswith("needle") and luck.random() < 0.7:
                fire["system"] = luck.choice(TYPES)


def order_losses(battle: Battle, side: int, orders: Document) -> None:
    """Give some groups that attack a place in the order of losses."""
    if not battle.state.terms.follows(CASUALTY_ORDER):
        return
    luck = Random(f"{battle.turn}/{side}/losses")
    for name, (first, *more) in list(orders["attack"].items()):
        placed = [first | {"falls": luck.randint(1, 3)}, *more]
        if luck.random() < 0.7 and not read_orders(battle, side, {"attack": {name: placed}})[1]:
            orders["attack"][name] = placed
