"""Where a force might go, and what each goal promises: what is at stake, the odds, the time it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rules.scenario import StarSystem
from umpire.admirals.character import Character
from umpire.admirals.picture import Picture
from umpire.admirals.reckoning import winning

LATER = 0.8  # what a goal is worth a week later
LURKING = 0.8  # the share of the enemy's unseen force thought to be at systems at all
NEAR, FAR = 0.25, 0.08  # the chance that an unseen enemy comes, where a place of its is in reach and where none is
IN_REACH = 0.6  # that a force in sight, one week away, strikes at some system in its reach
EMPTY = 0.5  # what a system that nobody holds is worth, beside one to be fought for
GETS_AWAY = 0.5  # the part of a lost venture's risk that remains, for one may withdraw on arrival
SAFE = 1.4  # the superiority that is enough
FOR_A_BASE = 0.1
SPARED = 3  # weeks for which ships are spared; toward the end there is nothing left to spare them for
TOGETHER = 0.04  # for joining a force of one's own


@dataclass(frozen=True, slots=True)
class Prospect:
    """A goal: its hex, the weeks to it, the strength that is enough there, and what going there promises."""

    hex: str
    weeks: int
    need: float
    score: float


def lurking(picture: Picture, system: StarSystem) -> float:
    """The strength of unseen enemies thought to be at a system that is not in sight."""
    if picture.known[system.id].week == picture.view.week:
        return 0.0
    wanted = sum(picture.aims.want.values())
    return picture.unseen * LURKING * picture.aims.want[system.id] / wanted if wanted else 0.0


def threat(picture: Picture, system: StarSystem) -> tuple[float, float]:
    """(chance, strength) of an enemy that may come to a system this week."""
    reach = picture.scenario.hexes_per_week
    haunts = (other.hex for other in picture.scenario.systems if picture.haunted(other))
    near = any(picture.chart.within(hex_, system.hex, reach) for hex_ in haunts)
    worst, chance = picture.unseen * LURKING, NEAR if near else FAR
    for hex_, strength in sorted(picture.enemies.items()):
        there = picture.system_at.get(hex_)
        if there is not None:
            strength -= picture.fixed_points(there) * picture.reckoner.fixed
        if hex_ == system.hex or strength <= 0 or not picture.chart.within(hex_, system.hex, reach):
            continue
        tempting = sum(
            picture.aims.want[other.id]
            for other in picture.scenario.systems
            if other.hex != hex_ and picture.chart.within(hex_, other.hex, reach)
        )
        comes = IN_REACH * picture.aims.want[system.id] / tempting
        if comes * strength > chance * worst:
            worst, chance = strength, comes
    return chance, worst


def prospects(
    picture: Picture,
    character: Character,
    strength: float,
    start: str,
    committed: Mapping[str, float],
    *,
    must_leave: bool = False,
    damaged: bool = False,
) -> list[Prospect]:
    """Every goal a force at `start` can reach in time, best first. `committed`: own strength there or bound there."""
    whole = max(strength, picture.mobile_strength(), 1.0)
    care = character.caution / 100 * min(1.0, picture.weeks_left / SPARED)
    found: list[Prospect] = []
    for system in picture.scenario.systems:
        weeks = picture.weeks_to(start, system.hex)
        if weeks is None or weeks > picture.weeks_left + 1 or (must_leave and weeks == 0):
            continue
        there = committed.get(system.hex, 0.0)
        known = picture.known[system.id]
        stake = picture.stakes[system.id]
        enemy = picture.enemies.get(system.hex, 0.0)
        holder = known.superior if known.superior is not None else known.holder
        ours = holder in picture.aims.side
        if enemy > 0 or not ours:
            enemy += lurking(picture, system)
            better = winning(strength + there, enemy) - winning(there, enemy)
            gain = stake * (better if enemy > 0 else (EMPTY if there <= 0 else 0.0))
            risk = (1.0 - winning(strength + there, enemy)) * GETS_AWAY
        else:
            chance, enemy = threat(picture, system)
            gain = stake * chance * (winning(strength + there, enemy) - winning(there, enemy))
            risk = (1.0 - winning(strength + there, enemy)) * GETS_AWAY * chance
            if damaged and system.facility is not None and system.facility.repairs:
                gain += FOR_A_BASE
        score = gain - risk * strength / whole * care + TOGETHER * there / (there + whole)
        for _ in range(1, weeks):
            score *= LATER
        found.append(Prospect(system.hex, weeks, max(0.0, SAFE * enemy - there), score - 0.002 * weeks))
    return sorted(found, key=lambda one: (-one.score, one.weeks, one.hex))
