"""What a war is about for one faction: which systems count, and how much one of them would change the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campaign.rules.queries import side_of
from campaign.rules.scenario import Condition, Scenario, StarSystem

INCLUDED = 5.0  # a system a condition asks for by name, beside one of several
BASE = 0.15  # a naval base, beside the most wanted system
NOTHING = 0.02  # a system nobody asks for

Superior = Mapping[str, str | None]  # system id -> the faction superior there


class Aims:
    """A faction's aims, from the scenario's victory conditions alone.

    `want`: what each system is worth by itself, the most wanted 1; a base counts besides. `side`: it and its allies.
    """

    __slots__ = ("_alliance", "_counted", "faction", "scenario", "side", "want")

    def __init__(self, scenario: Scenario, faction: str) -> None:
        self.scenario = scenario
        self.faction = faction
        self.side = side_of(scenario, faction)
        self._alliance = {power.id: power.alliance for power in scenario.factions}
        self._counted = [tuple(s.id for s in scenario.systems if counts(c, s)) for c in scenario.victory]
        self.want = self._wants()

    def ours(self, power: str | None) -> bool:
        """Whether a faction or alliance is of this side."""
        return power is not None and (power in self.side or power == self._alliance[self.faction])

    def _wants(self) -> dict[str, float]:
        raw = {system.id: 0.0 for system in self.scenario.systems}
        for condition in self.scenario.victory:
            if condition.by is None:
                continue
            for system in self.scenario.systems:
                if system.id in condition.including:
                    raw[system.id] += INCLUDED
                elif counts(condition, system):
                    raw[system.id] += 1.0
        most = max(raw.values(), default=0.0) or 1.0
        found: dict[str, float] = {}
        for system in self.scenario.systems:
            base = BASE if system.facility is not None and system.facility.repairs else 0.0
            found[system.id] = max(NOTHING, raw[system.id] / most) + base
        return found

    def score(self, superior: Superior, *, at_once: bool = False) -> float:
        """What the war would come to if it ended so: 1 won, 0 lost, a half drawn.

        `at_once`: by the conditions alone that end it as soon as they hold; a half where it goes on.
        """
        for condition, counted in zip(self.scenario.victory, self._counted, strict=True):
            if (condition.total or not at_once) and self._holds(condition, counted, superior):
                if condition.winner is None:
                    return 0.5
                return 1.0 if self.ours(condition.winner) else 0.0
        return 0.5

    def _holds(self, condition: Condition, counted: Sequence[str], superior: Superior) -> bool:
        if condition.by is None:
            return True
        if not all(self._is(superior.get(id_), condition.by) for id_ in condition.including):
            return False
        return sum(self._is(superior.get(id_), condition.by) for id_ in counted) >= condition.at_least

    def _is(self, faction: str | None, power: str) -> bool:
        return faction is not None and power in (faction, self._alliance[faction])

    def swing(self, system: str, superior: Superior, *, at_once: bool = False) -> float:
        """What it would change if this side rather than its worst enemy stood superior in a system, from 0 to 1."""
        with_us = self.score({**superior, system: self.faction}, at_once=at_once)
        return max(0.0, with_us - self.without(system, superior, at_once=at_once))

    def without(self, system: str, superior: Superior, *, at_once: bool = False) -> float:
        """What the war would come to if the worst enemy, or nobody, stood superior in a system."""
        enemies = [power.id for power in self.scenario.factions if not self.ours(power.id)]
        return min(self.score({**superior, system: power}, at_once=at_once) for power in (None, *enemies))

    def stake(self, system: str, superior: Superior, week: int) -> float:
        """What a system is worth now: by itself, in what it would decide at once, and ever more in what it changes."""
        late = week / self.scenario.weeks
        sudden = 2.0 * self.swing(system, superior, at_once=True)
        return self.want[system] + sudden + 2.0 * late * late * self.swing(system, superior)


def counts(condition: Condition, system: StarSystem) -> bool:
    """Whether a system is among those of which a condition asks for some number."""
    return "all" in condition.of or system.id in condition.of or ("settled" in condition.of and system.settled)
