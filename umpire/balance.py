"""How even a scenario is, judged by wars that computer admirals play.

It counts who wins them, with confidence intervals, and how they end.

All admirals have the same skill, so the figures describe the map, the forces and the victory
conditions, not the players' planning. Wars are played in memory (`umpire.rehearsal`), and the same
seeds give the same figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from campaign.rules.forces import fleet_cost
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from engine.core.phrase import phrase
from engine.odds import wilson

if TYPE_CHECKING:
    from umpire.rehearsal import RehearsedWar


# The widest interval that supports a verdict: about 22 decided wars of two sides.
MAX_INTERVAL_WIDTH = 0.4


@dataclass(frozen=True, slots=True)
class WarEnd:
    """How a war ended.

    Attributes:
        result: The text of the condition that ended the war.
        winner: A faction or an alliance; None for a draw.
    """

    result: str
    winner: str | None
    weeks: int

    @classmethod
    def of(cls, war: RehearsedWar) -> WarEnd:
        """Return the end of a war that was played."""
        return cls(war.result, war.winner, war.weeks)


@dataclass(frozen=True, slots=True)
class Share:
    """The share of decided wars that a side won.

    Attributes:
        low: The lower end of the 95% confidence interval of the share.
        high: The upper end of that interval.
    """

    side: str
    name: str
    wins: int
    decided: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The wins divided by the decided wars, from 0 to 1; 0 if no war was decided."""
        if self.decided:
            return self.wins / self.decided
        return 0.0

    @property
    def words(self) -> str:
        """The share and its interval in percent, as text."""
        share, low, high = (round(100 * part) for part in (self.share, self.low, self.high))
        return phrase("{} wins {}% of decided wars ({} to {})", self.name, share, low, high)


@dataclass(frozen=True, slots=True)
class Balance:
    """The figures of a number of wars.

    Attributes:
        last_week: The number of wars that reached the scenario's last week.
        weeks: The median length of a war.
        results: Each deciding result and its number of wars, the most frequent first.
    """

    wars: int
    shares: tuple[Share, ...]
    draws: int
    last_week: int
    weeks: float
    results: tuple[tuple[str, int], ...]

    @property
    def decided(self) -> int:
        """The number of wars with a winner."""
        return self.wars - self.draws

    @property
    def is_uneven(self) -> bool:
        """Whether these wars show that some side wins more often than others."""
        equal = 1 / len(self.shares) if self.shares else 0.0
        return not all(share.low <= equal <= share.high for share in self.shares)

    @property
    def is_even(self) -> bool:
        """Whether these wars show that all sides win about equally often."""
        return not self.is_uneven and all(
            share.high - share.low <= MAX_INTERVAL_WIDTH for share in self.shares
        )

    @property
    def verdict(self) -> str:
        """What these wars show, in one sentence."""
        if not self.decided:
            return phrase(
                "None of {} wars was decided, so they do not show who is stronger.", self.wars
            )
        evidence = phrase("based on {} wars between computer admirals", self.wars)
        if self.is_even:
            return phrase("Even, {}.", evidence)
        if not self.is_uneven and self.decided == self.wars:
            return phrase("These wars do not show who is stronger: play more of them.")
        if not self.is_uneven:
            return phrase(
                "These wars do not show who is stronger: only {} of {} were decided.",
                self.decided,
                self.wars,
            )
        equal = 1 / len(self.shares)
        ahead = [share.name for share in self.shares if share.low > equal]
        behind = [share.name for share in self.shares if share.high < equal]
        parts = []
        for names, words in ((ahead, "ahead"), (behind, "behind")):
            if names:
                parts.append(f"{' and '.join(names)} {words}")
        return phrase("Not even, {}: {}.", evidence, ", ".join(parts))


def sides_of(scenario: Scenario) -> tuple[tuple[str, str], ...]:
    """Return the sides that may win a war, each as (id, name).

    These are the alliances, the factions outside alliances, and any other winner that a victory
    condition names.
    """
    name_of = {power.id: power.name for power in scenario.factions}
    sides = {}
    for power in scenario.factions:
        sides[power.alliance or power.id] = power.alliance or power.name
    for condition in scenario.victory:
        winner = condition.winner
        if winner:
            sides.setdefault(winner, name_of.get(winner, winner))
    return tuple(sides.items())


def balance_of(scenario: Scenario, ends: Iterable[WarEnd]) -> Balance:
    """Compute the figures of some wars of a scenario.

    Without a decided war, the interval of every share is 0 to 1.
    """
    wars: Sequence[WarEnd] = tuple(ends)
    wins = Counter(war.winner for war in wars if war.winner)
    decided = wins.total()
    shares = []
    for side, name in sides_of(scenario):
        low, high = wilson(wins[side], decided) if decided else (0.0, 1.0)
        shares.append(
            Share(side=side, name=name, wins=wins[side], decided=decided, low=low, high=high)
        )
    results = Counter(war.result for war in wars)
    return Balance(
        wars=len(wars),
        shares=tuple(shares),
        draws=len(wars) - decided,
        last_week=sum(war.weeks >= scenario.weeks for war in wars),
        weeks=float(median(war.weeks for war in wars)) if wars else 0.0,
        results=tuple(sorted(results.items(), key=lambda item: (-item[1], item[0]))),
    )


def points_of(scenario: Scenario) -> dict[str, int]:
    """Return the cost in points of each side's default fleets, used by computer admirals."""
    classes, points = ship_classes(scenario), Counter[str]()
    sides = {power.id: power.alliance or power.id for power in scenario.factions}
    for faction, picks in scenario.defaults:
        for pick in picks:
            ships: list[ShipClass] = []
            for name, count in pick.ships:
                ships += [classes[name]] * count
            points[sides[faction]] += fleet_cost(scenario, ships, pick.decoys)
    return dict(points)


def advice(scenario: Scenario, balance: Balance) -> tuple[str, ...]:
    """Suggest changes that may make a scenario more even, one sentence each.

    The result is empty if no change is needed.
    """
    result = []
    points = points_of(scenario)
    if balance.decided and balance.is_uneven:
        ranked = sorted(balance.shares, key=lambda share: (share.share, share.side))
        ahead, behind = ranked[-1], ranked[0]
        result.append(
            phrase(
                "{} is ahead. Its preset fleets cost {} points, those of {} {}: give {} more, "
                "or {} less.",
                ahead.name,
                points.get(ahead.side, 0),
                behind.name,
                points.get(behind.side, 0),
                behind.name,
                ahead.name,
            )
        )
    if balance.wars and balance.draws * 2 > balance.wars:
        result.append(
            phrase(
                "More than half of the wars are drawn: make the victory conditions easier, or "
                "give more weeks."
            )
        )
    return tuple(result)


def results_of(scenario: Scenario, balance: Balance) -> tuple[tuple[str, int], ...]:
    """Return the results of a scenario's wars; results that never occurred have a count of 0."""
    result_names = dict.fromkeys(condition.result for condition in scenario.victory)
    reached = dict(balance.results)
    return (*balance.results, *((result, 0) for result in result_names if result not in reached))
