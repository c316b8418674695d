"""Where a force might go, and what each goal promises: what is at stake, the odds, the time it
takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rules.scenario import StarSystem
from umpire.admirals.character import Character
from umpire.admirals.picture import Picture
from umpire.admirals.reckoning import winning

LATER = 0.8  # what a goal is worth a week later
LURKING = 0.8  # the share of the enemy's unseen force thought to be at systems at all
NEAR, FAR = (
    0.25,
    0.08,
)  # the chance that an unseen enemy comes, where a place of its is in reach and where none is
IN_REACH = 0.6  # that a force in sight, one week away, strikes at some system in its reach
EMPTY = 0.5  # what a system that nobody holds is worth, beside one to be fought for
GETS_AWAY = 0.5  # the part of a lost venture's risk that remains, for one may withdraw on arrival
SAFE = 1.4  # the superiority that is enough
FOR_A_BASE = 0.1
SPARED = (
    3  # weeks for which ships are spared; toward the end there is nothing left to spare them for
)
ONWARD = 0.3  # what may come next, beside what comes first
AT_ONCE = 0.002  # a week on the way, all else equal
TOGETHER = 0.04  # for joining a force of one's own


@dataclass(frozen=True, slots=True)
class Prospect:
    """A goal: its hex, the weeks to it, the strength that is enough there, and what going there
    promises.
    """

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


def promise(
    picture: Picture,
    character: Character,
    system: StarSystem,
    strength: float,
    there: float,
    damaged: bool,
) -> tuple[float, float]:
    """(what a force gains less what it risks at a system where `there` of ours is, the enemy's
    strength there).
    """
    care = character.caution / 100 * min(1.0, picture.weeks_left / SPARED)
    whole = max(strength, picture.mobile, 1.0)
    known, stake = picture.known[system.id], picture.stake(system.id)
    enemy = picture.enemies.get(system.hex, 0.0)
    ours = (known.superior if known.superior is not None else known.holder) in picture.aims.side
    if enemy > 0 or not ours:
        chance = 1.0
        enemy += lurking(picture, system)
    else:
        chance, enemy = threat(picture, system)
    wins = winning(strength + there, enemy)
    better = wins - winning(there, enemy) if enemy > 0 else (EMPTY if there <= 0 else 0.0)
    gain = stake * chance * better + TOGETHER * there / (there + whole)
    if damaged and ours and system.facility is not None and system.facility.repairs:
        gain += FOR_A_BASE
    return gain - (1.0 - wins) * GETS_AWAY * chance * strength / whole * care, enemy


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
    """Every goal a force at `start` can reach in time, best first, each with what may come next
    from there.

    `committed`: own strength there or bound there.
    """
    week_of: dict[str, int] = {}
    for system in picture.scenario.systems:
        weeks = picture.weeks_to(start, system.hex)
        if (
            weeks is not None
            and max(1, weeks) <= picture.weeks_left + 1
            and not (must_leave and weeks == 0)
        ):
            week_of[system.hex] = weeks
    promised = {
        system.hex: promise(
            picture, character, system, strength, committed.get(system.hex, 0.0), damaged
        )
        for system in picture.scenario.systems
        if system.hex in week_of
    }
    found: list[Prospect] = []
    for hex_, weeks in sorted(week_of.items()):
        gain, enemy = promised[hex_]
        time = max(1, weeks)
        onward = 0.0
        for then, (more, _) in sorted(promised.items()):
            on = picture.weeks_to(hex_, then) if weeks and then != hex_ and more > 0 else None
            if on is not None and time + on <= picture.weeks_left + 1:
                onward = max(onward, more * later(time + on))
        score = gain * later(time) + ONWARD * onward - AT_ONCE * weeks
        found.append(
            Prospect(hex_, weeks, max(0.0, SAFE * enemy - committed.get(hex_, 0.0)), score)
        )
    return sorted(found, key=lambda one: (-one.score, one.weeks, one.hex))


def later(weeks: int) -> float:
    """The worth of a gain so many weeks from now, as a share of one this week."""
    worth = 1.0
    for _ in range(1, weeks):
        worth *= LATER
    return worth
