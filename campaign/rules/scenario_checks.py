"""Checks of a scenario file beyond its form: places on the map, known names, valid forces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from campaign.rules.fire_by_ship import war_faults
from campaign.rules.fleet_violations import name_faults
from campaign.rules.forces import class_faults, force_violations, planned_fleet
from campaign.rules.hexes import on_map
from campaign.rules.objective_checks import objective_faults
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import (
    Condition,
    Entry,
    FleetPick,
    Link,
    Manifest,
    Objective,
    Reinforcement,
    Scenario,
    StarSystem,
)
from campaign.rules.ship_sections import find_section_faults
from campaign.rules.station_checks import station_faults
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import GateShape
from engine.core.phrase import phrase
from engine.core.terms import NO_DECOYS
from engine.ruleset import ruleset

LONGEST_FACILITY = 60  # characters


@dataclass(slots=True)
class FilePlaces:
    """The places in the file of what was read, in pairs of the place and the value.

    Attributes:
        hexes: The labels of hexes.
        faction_refs: The factions that the file names.
        system_refs: The systems that it names.
        class_refs: The ship classes that it names.
        enter: The factions that need an entry.
        picks: The place, the faction and the fleet of each line of a force list.
        station_places: The place of each station, system by system.
        has_objectives: Whether the file lists any objective, readable or not.
    """

    factions: list[str] = field(default_factory=list)
    systems: list[tuple[str, StarSystem]] = field(default_factory=list)
    hexes: list[tuple[str, str]] = field(default_factory=list)
    faction_refs: list[tuple[str, str]] = field(default_factory=list)
    system_refs: list[tuple[str, str]] = field(default_factory=list)
    class_refs: list[tuple[str, str]] = field(default_factory=list)
    enter: list[tuple[str, str]] = field(default_factory=list)
    links: list[tuple[str, Link]] = field(default_factory=list)
    entries: list[tuple[str, Entry]] = field(default_factory=list)
    picks: list[tuple[str, str, FleetPick]] = field(default_factory=list)
    arrivals: list[tuple[str, Reinforcement]] = field(default_factory=list)
    conditions: list[tuple[str, Condition]] = field(default_factory=list)
    cargo: list[tuple[str, Manifest]] = field(default_factory=list)
    objectives: list[tuple[str, Objective]] = field(default_factory=list)
    has_objectives: bool = False
    station_places: list[str] = field(default_factory=list)


def scenario_faults(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield every fault of the scenario that was read."""
    yield from _edition_faults(scenario)
    yield from _faction_faults(scenario)
    yield from _map_faults(scenario, draft)
    yield from _link_faults(draft)
    yield from _unknown_names(scenario, draft)
    yield from _entry_faults(scenario, draft)
    yield from _force_faults(scenario, draft)
    yield from _arrival_faults(scenario, draft)
    yield from _victory_faults(scenario, draft)
    yield from _cargo_faults(scenario, draft)
    yield from objective_faults(scenario, draft.objectives)
    yield from station_faults(scenario, draft.systems, draft.station_places)
    for name, words in find_section_faults(scenario.catalogue).items():
        yield Violation("classes", "section", phrase("'{}': {}", name, words))


def _edition_faults(scenario: Scenario) -> Iterator[Violation]:
    """Yield the faults of the edition and its options, and of what they do not allow."""
    if scenario.edition:
        try:
            rules = ruleset(scenario.edition, scenario.options)
        except RuleViolations as error:
            yield from error.violations
        else:
            if not rules.system_prices and any(faction.tech_base for faction in scenario.factions):
                words = phrase("these rules have no tech bases: choose none")
                yield Violation("factions", "no-tech-bases", words)
    yield from war_faults(scenario.options)
    if scenario.decoys and NO_DECOYS in scenario.options:
        words = phrase("with the option '{}' there are no decoys", NO_DECOYS)
        yield Violation("decoys.allowed", "no-decoys", words)


def _faction_faults(scenario: Scenario) -> Iterator[Violation]:
    """Yield the faults of factions: ids used twice, and fewer than two sides."""
    ids = [faction.id for faction in scenario.factions]
    alliances = {faction.alliance for faction in scenario.factions if faction.alliance}
    yield from _duplicates("factions", "faction", ids)
    for name in sorted(alliances & set(ids)):
        words = phrase("'{}' is a faction; an alliance needs another id", name)
        yield Violation("factions", "bad-alliance", words)
    if len({faction.alliance or faction.id for faction in scenario.factions}) < 2:
        yield Violation("factions", "no-enemies", phrase("a war needs at least two sides"))


def _duplicates(where: str, noun: str, ids: Iterable[str]) -> Iterator[Violation]:
    """Yield a fault for each id that was used before; `noun` says what has the id."""
    earlier: set[str] = set()
    for key in ids:
        if key and key in earlier:
            yield Violation(where, "twice", phrase("duplicate {} '{}'", phrase(noun), key))
        earlier.add(key)


def _map_faults(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield the faults of hexes that are not on the map, and of systems."""
    last_label = f"{scenario.columns:02d}{scenario.rows:02d}"
    for where, label in draft.hexes:
        if not on_map(label, scenario.columns, scenario.rows):
            words = phrase("'{}' is not a hex of this map (0101 to {})", label, last_label)
            yield Violation(where, "bad-hex", words)
    system_in: dict[str, str] = {}
    for where, system in draft.systems:
        yield from _system_faults(scenario, system, system_in.get(system.hex), where)
        if system.hex:
            system_in.setdefault(system.hex, _system_title(system))
    if not draft.systems:
        yield Violation("systems", "no-systems", phrase("a map needs at least one system"))
    yield from _duplicates("systems", "system", (system.id for _, system in draft.systems))
    yield from _duplicates("closed", "hex", scenario.closed)


def _system_faults(
    scenario: Scenario, system: StarSystem, earlier: str | None, where: str
) -> Iterator[Violation]:
    """Yield the faults of a system's hex and facility.

    Args:
        earlier: The name of an earlier system in the same hex, or None.
    """
    title = _system_title(system)
    if earlier is not None:
        words = phrase("{} contains two systems: '{}' and '{}'", system.hex, earlier, title)
        yield Violation(f"{where}.hex", "two-systems", words)
    if system.hex in scenario.closed:
        words = phrase("'{}' is in a closed hex", title)
        yield Violation(f"{where}.hex", "closed-hex", words)
    if system.facility is not None and len(system.facility.kind) > LONGEST_FACILITY:
        words = phrase("expected text of at most {} characters", LONGEST_FACILITY)
        yield Violation(f"{where}.facility.kind", "too-long", words)


def _system_title(system: StarSystem) -> str:
    """Return the name of a system, or its id if it has none."""
    return system.name or system.id


def _faction_title(scenario: Scenario, id_: str) -> str:
    """Return the name of a faction, or its id if it has none."""
    names = {faction.id: faction.name for faction in scenario.factions}
    return names.get(id_) or id_


def _link_faults(draft: FilePlaces) -> Iterator[Violation]:
    """Yield the faults of portals, gates and jump points."""
    closed = {label for where, label in draft.hexes if where.startswith("closed")}
    yield from _duplicates("links", "link", (link.id for _, link in draft.links))
    for where, link in draft.links:
        if link.a == link.b:
            yield Violation(where, "bad-link", phrase("a link must join two different hexes"))
        if link.kind == GateShape.JUMP_POINT and link.mass is not None:
            words = phrase("a jump point has no mass limit")
            yield Violation(f"{where}.transfer_mass", "natural", words)
        for end, label in (("a", link.a), ("b", link.b)):
            if label in closed:
                words = phrase("{} is closed: nothing can be linked to it", label)
                yield Violation(f"{where}.{end}", "closed-hex", words)


def _unknown_names(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield the faults of names that nothing has, and of factions without a budget."""
    factions = {faction.id for faction in scenario.factions}
    systems = {system.id for system in scenario.systems}
    classes = ship_classes(scenario)
    for where, key in draft.faction_refs:
        if key and key not in factions:
            yield Violation(where, "unknown-faction", phrase("there is no faction '{}'", key))
    for where, key in draft.system_refs:
        if key not in systems:
            yield Violation(where, "unknown-system", phrase("there is no system '{}'", key))
    for where, key in draft.class_refs:
        was_missing = not key and not where.endswith(".")  # the reader has reported it
        if key not in classes and not was_missing:
            yield Violation(where, "unknown-class", phrase("there is no class '{}'", key))
    factions_with_budget = {budget.faction for budget in scenario.budgets}
    for faction in sorted(filter(None, factions - factions_with_budget)):
        words = phrase("'{}' has no budget", _faction_title(scenario, faction))
        yield Violation("forces", "no-force", words)
    yield from _duplicates("forces", "budget", (budget.id for budget in scenario.budgets))


def _entry_faults(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield the faults of the hexes and weeks in which forces enter, and of missing entries."""
    factions = [entry.faction for _, entry in draft.entries]
    titles = [_faction_title(scenario, faction) for faction in factions]
    yield from _duplicates("entries", phrase("entry of"), titles)
    systems = {system.hex for system in scenario.systems}
    for where, entry in draft.entries:
        if entry.hex in scenario.closed:
            words = phrase("nothing can enter at {}: the hex is closed", entry.hex)
            yield Violation(f"{where}.hex", "closed-hex", words)
        if entry.week > scenario.weeks:
            yield _too_late(scenario, where)
        if entry.week > 1 and entry.hex in systems:
            words = phrase("a force that enters later cannot start in a system")
            yield Violation(f"{where}.hex", "entry-system", words)
    for where, faction in draft.enter:
        if faction not in factions:
            words = phrase("'{}' has no entry", _faction_title(scenario, faction))
            yield Violation(where, "no-entry", words)


def _too_late(scenario: Scenario, where: str) -> Violation:
    """Return the fault of ships that would enter after the end of the war."""
    words = phrase("the war ends after week {}", scenario.weeks)
    return Violation(f"{where}.week", "too-late", words)


def _force_faults(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield the faults of the default force lists, judged like deployments of players."""
    for power in sorted({faction for _, faction, _ in draft.picks}):
        planned = []
        for where, faction, pick in draft.picks:
            if faction == power:
                planned.append(planned_fleet(pick, where))
        for fault in force_violations(scenario, power, planned, f"forces.{power}.default"):
            if fault.where.endswith(".hex"):  # a file calls the hex of a fleet `at`
                where = fault.where.removesuffix(".hex") + ".at"
                yield Violation(where, fault.code, fault.message)
            else:
                yield fault


def _arrival_faults(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield the faults of reinforcements."""
    ids = [arrival.id for _, arrival in draft.arrivals]
    yield from _duplicates("reinforcements", "reinforcement", ids)
    for where, arrival in draft.arrivals:
        if arrival.week > scenario.weeks:
            yield _too_late(scenario, where)
        if arrival.hex in scenario.closed:
            words = phrase("nothing can arrive at {}: the hex is closed", arrival.hex)
            yield Violation(f"{where}.at", "closed-hex", words)
        if not arrival.ships:
            words = phrase("a reinforcement must have at least one ship")
            yield Violation(f"{where}.ships", "no-ships", words)
        yield from _arriving_class_faults(scenario, arrival, where)


def _arriving_class_faults(
    scenario: Scenario, arrival: Reinforcement, where: str
) -> Iterator[Violation]:
    """Yield the faults of the classes of a reinforcement."""
    classes = ship_classes(scenario)
    systems = {system.hex for system in scenario.systems}
    missing = class_faults(scenario, arrival.faction, [cls for cls, _ in arrival.ships])
    for cls, _ in arrival.ships:
        spot = f"{where}.ships.{cls}"
        for code, message in missing.get(cls, ()):
            yield Violation(spot, code, message)
        if cls not in classes:
            yield Violation(spot, "unknown-class", phrase("there is no class '{}'", cls))
        elif not classes[cls].ftl and arrival.hex not in systems:
            words = phrase("'{}' has no FTL drive, so it must be placed in a system", cls)
            yield Violation(spot, "wrong-place", words)


def _victory_faults(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield the faults of the results of the war and of their order."""
    for where, condition in draft.conditions:
        yield from _power_faults(scenario, condition, where)
        yield from _superiority_faults(scenario, condition, where)
        if condition.ruins:
            yield from _ruin_faults(scenario, condition, where)
    has_last_word = draft.conditions and draft.conditions[-1][1].is_unconditional
    if not has_last_word and not draft.has_objectives:
        yield Violation("victory", "no-last-word", phrase("the last result must have no condition"))
    for where, condition in draft.conditions[:-1]:
        if condition.is_unconditional:
            words = phrase(
                "this result always applies, so those after it can never be reached",
            )
            yield Violation(where, "always-holds", words)


def _power_faults(scenario: Scenario, condition: Condition, where: str) -> Iterator[Violation]:
    """Yield the faults of a winner, or of a holder of systems, that is no faction or alliance."""
    powers = {faction.id for faction in scenario.factions}
    powers |= {faction.alliance for faction in scenario.factions if faction.alliance}
    named_powers = (
        ("winner", condition.winner),
        ("superiority.by", condition.by),
        ("score.of", condition.score_of),
    )
    for part, power in named_powers:
        if power and power not in powers:
            words = phrase("there is no faction or alliance '{}'", power)
            yield Violation(f"{where}.{part}", "unknown-faction", words)


def _superiority_faults(
    scenario: Scenario, condition: Condition, where: str
) -> Iterator[Violation]:
    """Yield the faults of the systems that a condition names, and of their number."""
    systems = {system.id for system in scenario.systems}
    settled = {system.id for system in scenario.systems if system.settled}
    named_groups: dict[tuple[str, ...], set[str]] = {("settled",): settled, ("all",): systems}
    eligible = named_groups.get(condition.of)
    if eligible is None:
        eligible = set(condition.of)
        for key in condition.of:
            if key not in systems:
                words = phrase("there is no system '{}'", key)
                yield Violation(f"{where}.superiority.of", "unknown-system", words)
    for n, key in enumerate(condition.including):
        if key not in systems:
            spot = f"{where}.superiority.including[{n}]"
            yield Violation(spot, "unknown-system", phrase("there is no system '{}'", key))
    if condition.by is not None and condition.at_least > len(eligible):
        words = phrase("{} systems are required, out of {}", condition.at_least, len(eligible))
        yield Violation(f"{where}.superiority.at_least", "out-of-range", words)


def _ruin_faults(scenario: Scenario, condition: Condition, where: str) -> Iterator[Violation]:
    """Yield the faults of a condition that counts ground targets in ruins."""
    targets = 0
    for system in scenario.systems:
        targets += sum(target.faction == condition.ruins for target in system.ground)
    if condition.by is not None:
        words = phrase("a result can count systems or ruins, not both")
        yield Violation(f"{where}.ruins", "two-conditions", words)
    if not 1 <= condition.at_least <= targets:
        words = phrase(
            "{} ground targets are required, out of {} of '{}'",
            condition.at_least,
            targets,
            _faction_title(scenario, condition.ruins),
        )
        yield Violation(f"{where}.ruins.at_least", "out-of-range", words)


def _cargo_faults(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield the faults of the names of cargo, and of a second cargo for the same class."""
    earlier: set[tuple[str, str]] = set()
    for where, item in draft.cargo:
        if item.what:
            yield from name_faults(item.what, f"{where}.what")
        if (item.faction, item.cls) in earlier:
            faction = _faction_title(scenario, item.faction)
            words = phrase("the cargo of '{}' of '{}' is already given", item.cls, faction)
            yield Violation(f"{where}.class", "twice", words)
        earlier.add((item.faction, item.cls))
