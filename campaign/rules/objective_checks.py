"""Checks of objectives beyond their form: unknown names, and what a scenario can never give."""

from __future__ import annotations

from collections.abc import Iterator

from campaign.rules.hexes import on_map
from campaign.rules.queries import members_of, ship_classes
from campaign.rules.scenario import Objective, Scenario
from engine.core.errors import Violation
from engine.core.phrase import phrase

ALL = "all"
SETTLED = "settled"
CLASSIFICATIONS = ("escort", "cruiser", "capital", "merchant", "installation")


def objective_faults(
    scenario: Scenario, objectives: list[tuple[str, Objective]]
) -> Iterator[Violation]:
    """Yield the faults of objectives beyond their form: unknown names, and what can never be.

    Args:
        objectives: Each objective with its place in the file.
    """
    earlier: set[str] = set()
    by_key = {objective.key: objective for _, objective in objectives}
    for where, objective in objectives:
        if objective.key in earlier and objective.id:
            words = phrase("the id '{}' is given twice", objective.id)
            yield Violation(f"{where}.id", "twice", words)
        earlier.add(objective.key)
        yield from _place_faults(scenario, objective, where)
        yield from _goods_faults(scenario, objective, where)
        yield from _ship_faults(scenario, objective, where)
        yield from _of_faults(scenario, objective, by_key, where)
        yield from _never_faults(scenario, objective, where)


def _place_faults(scenario: Scenario, objective: Objective, where: str) -> Iterator[Violation]:
    """Yield the faults of systems and hexes that the map does not have."""
    systems = {system.id for system in scenario.systems}
    places = []
    if objective.systems not in ((ALL,), (SETTLED,)):
        places += [("of", n, name) for n, name in enumerate(objective.systems)]
    places += [("including", n, name) for n, name in enumerate(objective.including)]
    places += [("to", n, name) for n, name in enumerate(objective.to)]
    for key, n, name in places:
        is_hex = key == "to" and objective.kind == "bring"
        if is_hex and on_map(name, scenario.columns, scenario.rows):
            continue
        if name not in systems:
            words = phrase("there is no system '{}'", name)
            yield Violation(f"{where}.{key}[{n}]", "unknown-system", words)


def _goods_faults(scenario: Scenario, objective: Objective, where: str) -> Iterator[Violation]:
    """Yield the fault of goods that the scenario does not have."""
    if objective.what and objective.what not in {goods.name for goods in scenario.goods}:
        words = phrase("there are no goods '{}'", objective.what)
        yield Violation(f"{where}.what", "unknown-goods", words)


def _ship_faults(scenario: Scenario, objective: Objective, where: str) -> Iterator[Violation]:
    """Yield the fault of ships that are neither a classification nor a class.

    A list has names of ships, which players choose themselves, so any name is valid. Reading the
    file has found a list without names.
    """
    if not objective.counts_ships:
        return
    known_words = {ALL, *CLASSIFICATIONS, *ship_classes(scenario)}
    if objective.ships and objective.ships not in known_words:
        words = phrase("'{}' is neither a classification nor a ship class", objective.ships)
        yield Violation(f"{where}.ships", "unknown-ships", words)


def _of_faults(
    scenario: Scenario, objective: Objective, by_key: dict[str, Objective], where: str
) -> Iterator[Violation]:
    """Yield the faults of an unknown faction, and of an objective that cannot be denied."""
    spot = f"{where}.of"
    if objective.kind == "deny":
        denied = by_key.get(objective.of)
        if objective.of and denied is None:
            words = phrase("there is no objective '{}'", objective.of)
            yield Violation(spot, "unknown-objective", words)
        elif denied is not None and denied.kind == "deny":
            words = phrase("an objective of the kind deny cannot be denied")
            yield Violation(spot, "deny-deny", words)
        return
    if objective.of and not members_of(scenario, objective.of):
        words = phrase("there is no faction or alliance '{}'", objective.of)
        yield Violation(spot, "unknown-faction", words)


def _never_faults(scenario: Scenario, objective: Objective, where: str) -> Iterator[Violation]:
    """Yield the fault of a number above what the scenario can give."""
    most = most_possible(scenario, objective)
    if most is not None and objective.number > most:
        key = "amount" if objective.kind == "deliver" else "at_least"
        words = phrase("{} are wanted, but there can be at most {}", objective.number, most)
        yield Violation(f"{where}.{key}", "never", words)


def most_possible(scenario: Scenario, objective: Objective) -> int | None:
    """Return the most that an objective can reach; None if the scenario does not limit it."""
    if objective.kind == "deliver":
        return _most_goods(scenario, objective.what)
    if objective.kind == "hold":
        if objective.systems in ((ALL,), (SETTLED,)):
            return len(counted_systems(scenario, objective))
        return len(set(objective.systems))
    if objective.kind == "ruins":
        return _count_targets(scenario, objective.of)
    if objective.ship_names and objective.measure == "ships":
        return len(objective.ship_names)
    return None


def _count_targets(scenario: Scenario, power: str) -> int | None:
    """Return the number of ground targets of a faction or alliance; None if it is unknown."""
    members = members_of(scenario, power)
    if not members:
        return None
    count = 0
    for system in scenario.systems:
        count += sum(target.faction in members for target in system.ground)
    return count


def counted_systems(scenario: Scenario, objective: Objective) -> tuple[str, ...]:
    """Return the ids of the systems that count for an objective of the kind `hold`."""
    counted = []
    for system in scenario.systems:
        is_settled = objective.systems == (SETTLED,) and system.settled
        if is_settled or objective.systems == (ALL,) or system.id in objective.systems:
            counted.append(system.id)
    return tuple(counted)


def _most_goods(scenario: Scenario, name: str) -> int | None:
    """Return the amount of goods in all systems; None if they are unknown, or ships bring more."""
    if any(manifest.what == name for manifest in scenario.cargo):
        return None
    for goods in scenario.goods:
        if goods.name == name:
            return sum(amount for _, amount in goods.at)
    return None
