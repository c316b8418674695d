"""A handicap that makes a scenario more even.

It adds ships to the default fleets of the side that wins too seldom. The budgets that pay for those
fleets grow by the same points, so that human players get the ships too.

A handicap has steps, each worth a twentieth of the cost of those fleets. Ships are added in the
proportions of the existing fleets and as whole ships, so some steps are the same. Wars are played
to find the even step: between the last step that is too small and the first that is large enough,
the share of wins is interpolated linearly.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from campaign.rules.files import check_scenario
from campaign.rules.queries import budget_name, budgets_of, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import Document, read_file, write_file
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from engine.english import counted_noun
from umpire.balance import Balance, Share

STEP, STEPS = 20, 20  # a step is 1/20 of the points; the last step doubles them
FIRST_TRY = 4
MAX_TRIES = 5  # steps to try at most
TOLERANCE = 0.02  # distance from the even share at which the search ends


@dataclass(frozen=True, slots=True)
class AddedShips:
    """Ships of one class added to a fleet."""

    fleet: str
    cls: str
    count: int


@dataclass(frozen=True, slots=True)
class Handicap:
    """A handicap of a faction.

    Attributes:
        points: The cost of the added ships.
        percent: That cost in percent of the cost of the faction's fleets so far.
        budgets: (name, points before, points after) of each budget that grows.
        text: The scenario file with the handicap.
    """

    step: int
    faction: str
    name: str
    added: tuple[AddedShips, ...]
    points: int
    percent: int
    budgets: tuple[tuple[str, int, int], ...]
    text: str

    @property
    def ships(self) -> tuple[str, ...]:
        """The added ships as text, one line per fleet."""
        result: dict[str, list[str]] = {}
        for item in self.added:
            result.setdefault(item.fleet, []).append(counted_noun(item.count, item.cls))
        return tuple(f"{fleet}: {', '.join(ships)}" for fleet, ships in result.items())

    @property
    def budget_lines(self) -> tuple[str, ...]:
        """The budgets that pay for the added ships as text, one line per budget."""
        lines: list[str] = []
        for name, before, after in self.budgets:
            lines.append(phrase("{}: {} points instead of {}", name, after, before))
        return tuple(lines)


def side_behind(balance: Balance) -> Share | None:
    """Return the side that these wars show to win too seldom; of several, the weakest."""
    equal = 1 / len(balance.shares)
    return min(
        (share for share in balance.shares if share.high < equal),
        key=lambda item: item.share,
        default=None,
    )


def faction_of(scenario: Scenario, side: str) -> str:
    """Return the faction of a side whose default fleets cost most."""
    members = []
    for power in scenario.factions:
        if side in (power.id, power.alliance):
            members.append(power.id)
    return max(members, key=lambda key: (_cost(scenario, key), key))


@lru_cache(maxsize=16)
def steps_of(text: str, faction: str) -> tuple[int, ...]:
    """Return the steps of a faction's handicap that keep a scenario lawful, ascending.

    Of steps that add the same ships, only the first is returned.
    """
    result: dict[tuple[AddedShips, ...], int] = {}
    for step in range(1, STEPS + 1):
        handicap = handicap_of(text, faction, step)
        if handicap.added and handicap.added not in result and _is_lawful(handicap.text):
            result[handicap.added] = step
    return tuple(result.values())


def handicap_of(text: str, faction: str, step: int) -> Handicap:
    """Return one step of a faction's handicap, lawful or not.

    Args:
        text: The scenario file, which must be lawful.
    """
    document, scenario = _read_scenario(text)
    before = _cost(scenario, faction)
    chosen = _choose_ships(document, scenario, faction, before * step // STEP)
    changed, classes = copy.deepcopy(document), ship_classes(scenario)
    force, cost_of = changed["forces"][faction], Counter[str]()
    for (number, cls), count in chosen.items():
        row = force["default"][number]
        row["ships"][cls] += count
        cost_of[str(row["budget"])] += count * classes[cls].points
    budgets = []
    for key in sorted(cost_of):
        has_own_budget = key in (force.get("budgets") or {})
        table, field = (
            (force["budgets"][key], "points") if has_own_budget else (force["system_defence"], key)
        )
        label = budget_name(scenario, budgets_of(scenario, faction)[f"{faction}/{key}"])
        budgets.append((label, table[field], table[field] + cost_of[key]))
        table[field] += cost_of[key]
    added = []
    for (number, cls), count in chosen.items():
        added.append(AddedShips(str(force["default"][number]["name"]), cls, count))
    return Handicap(
        step=step,
        faction=faction,
        name=next(power.name for power in scenario.factions if power.id == faction),
        added=tuple(added),
        points=cost_of.total(),
        percent=round(100 * cost_of.total() / before) if before else 0,
        budgets=tuple(budgets),
        text=write_file(changed),
    )


def next_step(steps: Sequence[int], tried: Mapping[int, float], equal: float) -> int | None:
    """Return the step to try next; None if no untried step can come closer to even.

    Args:
        steps: The steps that can be tried, ascending.
        tried: The share of wins at each step tried so far, including step 0.
        equal: The share that is even.
    """
    if len(tried) > MAX_TRIES or any(
        abs(share - equal) <= TOLERANCE for step, share in tried.items() if step
    ):
        return None
    low = max((step for step, share in tried.items() if share < equal), default=0)
    high = min(
        (step for step, share in tried.items() if share >= equal and step > low), default=None
    )
    if high is None:
        target = max(FIRST_TRY, 2 * low)
        above = [step for step in steps if step > low]
        return next((step for step in above if step >= target), above[-1] if above else None)
    candidates = [step for step in steps if low < step < high and step not in tried]
    rise = tried[high] - tried[low]
    aim = low + (high - low) * (equal - tried[low]) / rise
    return min(candidates, key=lambda step: (abs(step - aim), step), default=None)


def best_step(tried: Mapping[int, float], equal: float) -> int:
    """Return the tried step closest to even; 0 means the scenario without a handicap."""
    return min(tried, key=lambda step: (abs(tried[step] - equal), step), default=0)


@lru_cache(maxsize=8)
def _read_scenario(text: str) -> tuple[Document, Scenario]:
    document = read_file(text)
    return document, check_scenario(document)[0]


def _is_lawful(text: str) -> bool:
    try:
        return not check_scenario(read_file(text))[1]
    except RuleViolations:  # more ships than a file may have
        return False


def _cost(scenario: Scenario, faction: str) -> int:
    classes = ship_classes(scenario)
    picks = dict(scenario.defaults).get(faction, ())
    return sum(classes[name].points * count for pick in picks for name, count in pick.ships)


def _choose_ships(
    document: Document, scenario: Scenario, faction: str, points: int
) -> dict[tuple[int, str], int]:
    """Choose ships that cost about the given points, in the proportions of the existing fleets.

    Ships bound to their system win no wars, so only others are chosen if there are any.

    Returns:
        The number of ships by (index of the fleet in the file, class).
    """
    classes, budgets = ship_classes(scenario), budgets_of(scenario, faction)
    rows = [
        (number, cls, count, budgets[f"{faction}/{row['budget']}"].ftl != "none")
        for number, row in enumerate(document["forces"][faction].get("default") or ())
        for cls, count in row["ships"].items()
    ]
    free = [row for row in rows if row[3]] or rows
    kinds: Counter[str] = Counter()
    for _, cls, count, mobile in rows:
        kinds[classes[cls].classification] += count * mobile
    chosen: Counter[tuple[int, str]] = Counter()
    remaining = points
    while True:
        may = [row for row in free if classes[row[1]].points <= 2 * remaining]
        if not may:
            return dict(sorted(chosen.items()))
        balanced = [
            row
            for row in may
            if _keeps_class_limit(scenario, kinds, classes[row[1]].classification)
        ]
        number, cls, *_ = max(
            balanced or may,
            key=lambda row: (row[2] / (chosen[row[:2]] + 1), -classes[row[1]].points),
        )
        chosen[number, cls] += 1
        kinds[classes[cls].classification] += 1
        remaining -= classes[cls].points


def _keeps_class_limit(scenario: Scenario, kinds: Counter[str], kind: str) -> bool:
    """Return whether one more ship of a classification stays within the scenario's limit for it."""
    part, whole = scenario.classification_limit
    return (kinds[kind] + 1) * whole <= part * (kinds.total() + 1)
