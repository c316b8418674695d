"""What lies and flies on the drawing of a battle's table besides ships: asteroids, mines, fighters, nova templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.pages.battlelog import units
from campaign.pages.battlewords import Names
from engine.systems.templates import FLARES

MINE, GROUP, FLYER, ROCK, NOVA = "mine", "group", "flyer", "rock", "nova"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on the drawing. `r`: its radius there; `turn` in degrees; `label`: written beside it."""

    kind: str
    x: int
    y: int
    r: int
    turn: int
    words: str
    label: str = ""


def things_of(view: Mapping[str, Any], names: Names, height: float) -> tuple[Thing, ...]:
    """All of them, as a side sees them. `height`: of the table, in MU."""
    things = [
        Thing(ROCK, units(rock["x"]), units(height - rock["y"]), units(rock["radius"]), 0, f"asteroid {rock['id']}")
        for rock in view["rocks"]
    ]
    for nova in view["novas"]:
        flare = FLARES[min(max(nova["age"], 1), len(FLARES)) - 1]
        words = f"nova burst of {names.of(nova['ship'])}"
        things.append(Thing(NOVA, units(nova["x"]), units(height - nova["y"]), units(flare.radius), 0, words))
    things += [
        Thing(MINE, units(mine["x"]), units(height - mine["y"]), 5, 0, f"mine at {mine['x']:.0f}, {mine['y']:.0f}")
        for mine in view["mines"]
    ]
    for group in view["groups"]:
        things.append(_flight(GROUP, group["x"], group["y"], group, names, height))
    for flyer in view["flyers"]:
        x, y = flyer["at"]
        things.append(_flight(FLYER, x, y, flyer, names, height))
    return tuple(things)


def _flight(kind: str, x: float, y: float, group: Mapping[str, Any], names: Names, height: float) -> Thing:
    name = names.of(group["id"])
    words = f"{name}, {group['craft']} craft"
    turn = int(group["course"]) % 12 * 30
    return Thing(kind, units(x), units(height - y), 6, turn, words, f"{name} ({group['craft']})")
