"""Weapons for tests: shots at bare targets, ships with weapons in one line, battles of Continuum."""

from __future__ import annotations

import re
from typing import Any

from engine.battle import Battle
from engine.core.geometry import SIX_ARC_BITS
from engine.core.rolls import Effect, Shot
from engine.weapons.registry import weapon_of
from tests.engine.battle.table import play as play_second
from tests.engine.battle.table import scripted, setup

_WORD = re.compile(
    r"([a-z-]+)(?::(\d))?(?::([a-z-]+))?(?:@([A-Z+]+))?(?:/([a-z]+))?(?:>([a-z0-9-]+))?(?:x(\d+))?"
)


def system(word: str) -> dict[str, Any]:
    """Return a system of a design from its text.

    Examples: `beam:3@F+FS`, `pulse-torpedo:long@F/overload`, `k-gun:2@F>turret-1`, `meson@ALLx2`.
    """
    match = _WORD.fullmatch(word)
    assert match, word
    type_, size, model, arcs, flag, turret, count = match.groups()
    entry: dict[str, Any] = {"type": type_}
    if size:
        entry["class"] = int(size)
    if model:
        entry["model"] = model
    if arcs:
        entry["arcs"] = list(SIX_ARC_BITS) if arcs == "ALL" else arcs.split("+")
    if flag:
        entry[flag] = True
    if turret:
        entry["turret"] = turret
    if count:
        entry["count"] = int(count)
    return entry


def ship(
    id_: str, x: float, y: float, systems: str, course: int = 12, **more: Any
) -> dict[str, Any]:
    """Return a ship at rest with three rows of ten boxes, two FireCons and the named systems."""
    design = {
        "class": f"Ship {id_}",
        "edition": "continuum",
        "kind": more.pop("kind", "warship"),
        "mass": more.pop("mass", 200),
        "hull": {"boxes": more.pop("boxes", 30), "rows": more.pop("rows", 3)},
        "thrust": more.pop("thrust", 4),
        "drive": "standard",
        "ftl": more.pop("ftl", "standard"),
        "armour": more.pop("armour", []),
        "orientation": more.pop("orientation", "alpha"),
        "systems": [
            system(word)
            for word in ("firecon" + more.pop("firecons", "x2") + " " + systems).split()
        ],
    }
    velocity = more.pop("velocity", 0)
    return {
        "id": id_,
        "design": design,
        "at": [x, y],
        "course": course,
        "velocity": velocity,
        **more,
    }


def table(
    *sides: list[dict[str, Any]], options: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    return setup(*sides, edition="continuum", options=list(options), **more)


def duel(
    systems: str, distance: float = 10.0, *, options: tuple[str, ...] = (), **target: Any
) -> dict[str, Any]:
    """Return `r1` with these systems, and an unarmed `b1` so far ahead of it.

    Args:
        ours: Further keys of `r1`.
        fitted: Systems of `b1`.
    """
    ours = target.pop("ours", {})
    theirs = target.pop("fitted", "")
    return table(
        [ship("r1", 60, 20, systems, **ours)],
        [ship("b1", 60, 20 + distance, theirs, **target)],
        options=options,
    )


def play(document: dict[str, Any], turns: list[dict[str, Any]], **dice: list[int]) -> Battle:
    """Play turns of a battle with scripted dice; threshold checks roll ones unless scripted."""
    return play_second(document, turns, **{"threshold": [1] * 200, **dice})


def volley(*weapons: str, **more: Any) -> dict[str, Any]:
    """Return a turn in which `r1` fires these at `b1`, all in the same `mode` and at the same
    `system`.
    """
    return {"engage": {"r1": [{"weapon": weapon, "target": "b1", **more} for weapon in weapons]}}


def shoot(type_: str, distance: float = 10.0, *, size: int = 0, **shot: Any) -> Effect:
    """Return a weapon's effect on a target, with keys of `Shot` and dice by purpose (`beam=[6]`)."""
    dice = {
        name: shot.pop(name)
        for name in ("beam", "re_roll", "to_hit", "damage", "double", "boarding")
        if name in shot
    }
    fire = weapon_of("continuum", type_).fire
    assert fire is not None
    return fire(Shot("r1/gun", distance, distance, size, **shot), scripted(**dice))


def points(effect: Effect) -> list[tuple[int, str, int]]:
    """Return an effect's damage: points, kind, depth."""
    return [(typed.points, typed.kind, typed.depth) for typed in effect.damage_types]


def total(effect: Effect) -> int:
    return sum(typed.points for typed in effect.damage_types)
