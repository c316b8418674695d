"""What a battle needs to be fought and what it leaves, whoever fights it: the seam between stages and the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from campaign import models
from campaign.rules.scenario import Scenario
from campaign.rules.world import Engagement, World
from engine.canonical import digest, exact
from engine.dice import Dice
from umpire.adjudication.outcome import BattleResult


@dataclass(frozen=True, slots=True)
class Task:
    """A battle to fight. `start`: the engine's set-up; `doctrines`: of the captain of each side, by the side's name.

    `captain_seed` begins the captains' own random stream.
    """

    scenario: Scenario
    world: World
    engagement: Engagement
    start: dict[str, Any]
    doctrines: dict[str, dict[str, Any]]
    dice: Dice
    captain_seed: str


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of a battle: what each side chose, what happened then, and what each side saw of it."""

    inputs: dict[str, Any]
    events: list[dict[str, Any]]
    views: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fought:
    """A battle that is over: the engine's last state, every stop, and the result for the aftermath."""

    state: dict[str, Any]
    stops: tuple[Stop, ...]
    result: BattleResult


Fighter = Callable[[Task], Fought]


@dataclass(frozen=True, slots=True)
class Battled:
    """A battle of a stage, fought: its row, its engagement, the beginning of its dice's keys, its chain of hashes."""

    row: models.Battle
    engagement: Engagement
    dice_context: list[str | int]
    fought: Fought
    chain: tuple[str, ...]

    def side_of(self, faction: str) -> str | None:
        """The name of the side a faction fought on; None where it was not there."""
        for side, factions in zip(self.row.start["sides"], self.engagement.sides, strict=True):
            if faction in factions:
                return str(side["name"])
        return None


def chain_hashes(start: dict[str, Any], stops: tuple[Stop, ...]) -> tuple[str, ...]:
    """The hash of each stop, chained onto the one before; the first onto the battle's start. Floats count exactly."""
    last, hashes = digest(exact(start)), []
    for stop in stops:
        last = digest([last, exact({"inputs": stop.inputs, "events": stop.events, "views": stop.views})])
        hashes.append(last)
    return tuple(hashes)
