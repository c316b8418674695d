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

from campaign.rules.queries import budget_name, budgets_of, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import Document, read_file, write_file
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from engine.english import counted_noun
from umpire.balance import Balance, Share

STEPS_TO_DOUBLE = 20  # a step is 1/20 of the points, so this many steps double them
STEPS = 20  # that can be tried
FIRST_TRY = 4  # the step that is tried first
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
    """Return the steps of a faction's handicap that keep a scenario valid, ascending.

    Of steps that add the same ships, only the first is returned.
    """
    result: dict[tuple[AddedShips, ...], int] = {}
    for step in range(1, STEPS + 1):
        handicap = handicap_of(text, faction, step)
        if handicap.added and handicap.added not in result and _is_valid(handicap.text):
            result[handicap.added] = step
    return tuple(result.values())


def handicap_of(text: str, faction: str, step: int) -> Handicap:
    """Return one step of a faction's handicap, valid or not.

    Args:
        text: The scenario file, which must be valid.
    """
    document, scenario = _read_scenario(text)
    before = _cost(scenario, faction)
    ships = _choose_ships(document, scenario, faction, before * step // STEPS_TO_DOUBLE)
    classes = ship_classes(scenario)
    changed = copy.deepcopy(document)
    force = changed["forces"][faction]
    cost_of: Counter[str] = Counter()  # by budget
    added = []
    for (number, cls), count in ships.items():
        row = force["default"][number]
        row["ships"][cls] += count
        cost_of[str(row["budget"])] += count * classes[cls].points
        added.append(AddedShips(str(row["name"]), cls, count))
    budgets = []
    for key in sorted(cost_of):
        # A budget has a table of its own in the file, or is an entry of the system defence.
        if key in (force.get("budgets") or {}):
            table, field = force["budgets"][key], "points"
        else:
            table, field = force["system_defence"], key
        label = budget_name(scenario, budgets_of(scenario, faction)[f"{faction}/{key}"])
        budgets.append((label, table[field], table[field] + cost_of[key]))
        table[field] += cost_of[key]
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
    if len(tried) > MAX_TRIES or _has_even_step(tried, equal):
        return None
    too_small = [step for step, share in tried.items() if share < equal]
    low = max(too_small, default=0)
    large_enough = [step for step in tried if step > low and tried[step] >= equal]
    if not large_enough:
        return _larger_step(steps, low)
    high = min(large_enough)
    candidates = [step for step in steps if low < step < high and step not in tried]
    rise = tried[high] - tried[low]
    aim = low + (high - low) * (equal - tried[low]) / rise
    return min(candidates, key=lambda step: (abs(step - aim), step), default=None)


def _has_even_step(tried: Mapping[int, float], equal: float) -> bool:
    """Return whether a step above 0 has a share close enough to the even one."""
    return any(step and abs(share - equal) <= TOLERANCE for step, share in tried.items())


def _larger_step(steps: Sequence[int], low: int) -> int | None:
    """Return a step about twice as large as one that is too small, or else the largest step."""
    target = max(FIRST_TRY, 2 * low)
    above = [step for step in steps if step > low]
    if not above:
        return None
    return next((step for step in above if step >= target), above[-1])


def best_step(tried: Mapping[int, float], equal: float) -> int:
    """Return the tried step closest to even; 0 means the scenario without a handicap."""
    return min(tried, key=lambda step: (abs(tried[step] - equal), step), default=0)


@lru_cache(maxsize=8)
def _read_scenario(text: str) -> tuple[Document, Scenario]:
    """Return a scenario file as a document and as a scenario; the same one is read many times."""
    document = read_file(text)
    return document, check_draft(document)[0]


def _is_valid(text: str) -> bool:
    """Return whether a scenario file has no faults."""
    try:
        return not check_draft(read_file(text))[1]
    except RuleViolations:  # more ships than a file may have
        return False


def _cost(scenario: Scenario, faction: str) -> int:
    """Return the points that the ships in a faction's default fleets cost."""
    classes = ship_classes(scenario)
    cost = 0
    for pick in dict(scenario.defaults).get(faction, ()):
        cost += sum(classes[name].points * count for name, count in pick.ships)
    return cost


@dataclass(frozen=True, slots=True)
class _FleetShips:
    """The ships of one class in a default fleet.

    Attributes:
        fleet: The index of the fleet in the file.
    """

    fleet: int
    cls: str
    count: int
    is_mobile: bool


def _choose_ships(
    document: Document, scenario: Scenario, faction: str, points: int
) -> dict[tuple[int, str], int]:
    """Choose ships that cost about the given points, in the proportions of the existing fleets.

    Ships bound to their system win no wars, so only others are chosen if there are any.

    Returns:
        The number of ships by (index of the fleet in the file, class).
    """
    classes = ship_classes(scenario)
    existing = _default_ships(document, scenario, faction)
    extendable = [ships for ships in existing if ships.is_mobile] or existing
    kinds: Counter[str] = Counter()  # mobile ships by classification
    for ships in existing:
        kinds[classes[ships.cls].classification] += ships.count if ships.is_mobile else 0
    added: Counter[tuple[int, str]] = Counter()
    remaining = points

    def preference(ships: _FleetShips) -> tuple[float, int]:
        """Return a key that prefers classes with few new ships for their old, then cheap ones."""
        count = added[ships.fleet, ships.cls]
        return ships.count / (count + 1), -classes[ships.cls].points

    while True:
        affordable = [ships for ships in extendable if classes[ships.cls].points <= 2 * remaining]
        if not affordable:
            return dict(sorted(added.items()))
        balanced = []
        for ships in affordable:
            if _keeps_class_limit(scenario, kinds, classes[ships.cls].classification):
                balanced.append(ships)
        best = max(balanced or affordable, key=preference)
        added[best.fleet, best.cls] += 1
        kinds[classes[best.cls].classification] += 1
        remaining -= classes[best.cls].points


def _default_ships(document: Document, scenario: Scenario, faction: str) -> list[_FleetShips]:
    """Return the ships in a faction's default fleets, class by class."""
    budgets = budgets_of(scenario, faction)
    result = []
    for number, fleet in enumerate(document["forces"][faction].get("default") or ()):
        is_mobile = budgets[f"{faction}/{fleet['budget']}"].ftl != "none"
        for cls, count in fleet["ships"].items():
            result.append(_FleetShips(number, cls, count, is_mobile))
    return result


def _keeps_class_limit(scenario: Scenario, kinds: Counter[str], kind: str) -> bool:
    """Return whether one more ship of a classification stays within the scenario's limit for it."""
    part, whole = scenario.classification_limit
    return (kinds[kind] + 1) * whole <= part * (kinds.total() + 1)
