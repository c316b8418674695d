"""What a resolved stage leaves behind: the new world, and what happened with its audience."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.rules.frozen import quick
from campaign.rules.world import World


@quick
@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened, with the factions that learn of it (no default: nobody hears by accident).

    `facts` are what fills the words of the report; they must hold nothing the audience may not know.
    """

    code: str
    audience: tuple[str, ...]
    hex: str
    facts: tuple[tuple[str, str | int], ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class ShipAfter:
    """A ship after a battle. `status`: fighting, left, ftl, destroyed, captured, struck, hulk.

    `stock`: what is left of what is below full, `notes`: what stays pencilled on its sheet, both as in `Ship`.
    `captor`: the faction that took it (captured, struck).
    """

    ship: str
    damage: int
    lost: tuple[str, ...]
    stock: tuple[tuple[str, int], ...]
    status: str
    captor: str = ""
    notes: tuple[tuple[str, int], ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class BattleResult:
    """How an engagement ended. `decoys_lost`: (fleet, drones found out). `turns` and `winner` are for the reports."""

    engagement: str
    ships: tuple[ShipAfter, ...]
    decoys_lost: tuple[tuple[str, int], ...]
    turns: int
    winner: str | None


@quick
@dataclass(frozen=True, slots=True)
class Outcome:
    world: World
    happenings: tuple[Happening, ...]
