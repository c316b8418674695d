"""Checks of a scenario file beyond its form: places on the map, known names, lawful forces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from campaign.rules.fleet_violations import name_faults
from campaign.rules.forces import PlannedFleet, force_violations, missing_by_class
from campaign.rules.hexes import on_map
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import (
    Condition,
    Entry,
    FleetPick,
    Link,
    Manifest,
    Reinforcement,
    Scenario,
    StarSystem,
)
from campaign.rules.ship_sections import find_section_faults
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import GateShape
from engine.core.phrase import phrase
from engine.core.terms import NO_DECOYS
from engine.ruleset import ruleset

LONGEST_FACILITY = 60  # characters


@dataclass(slots=True)
class FilePlaces:
    """The places in the file of what was read, in pairs of the place and the value."""

    factions: list[str] = field(default_factory=list)
    systems: list[tuple[str, StarSystem]] = field(default_factory=list)
    hexes: list[tuple[str, str]] = field(default_factory=list)
    faction_refs: list[tuple[str, str]] = field(default_factory=list)  # factions named
    system_refs: list[tuple[str, str]] = field(default_factory=list)  # systems named
    class_refs: list[tuple[str, str]] = field(default_factory=list)  # ship classes named
    enter: list[tuple[str, str]] = field(default_factory=list)  # factions that need an entry
    links: list[tuple[str, Link]] = field(default_factory=list)
    entries: list[tuple[str, Entry]] = field(default_factory=list)
    picks: list[tuple[str, str, FleetPick]] = field(default_factory=list)
    arrivals: list[tuple[str, Reinforcement]] = field(default_factory=list)
    conditions: list[tuple[str, Condition]] = field(default_factory=list)
    cargo: list[tuple[str, Manifest]] = field(default_factory=list)


def scenario_faults(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    """Yield every fault of the scenario that was read."""
    yield from _edition(scenario)
    yield from _factions(scenario)
    yield from _map(scenario, draft)
    yield from _links(draft)
    yield from _names(scenario, draft)
    yield from _entries(scenario, draft)
    yield from _forces(scenario, draft)
    yield from _arrivals(scenario, draft)
    yield from _victory(scenario, draft)
    yield from _cargo(draft)
    for name, words in find_section_faults(scenario.catalogue).items():
        yield Violation("classes", "section", phrase("'{}': {}", name, words))


def _edition(scenario: Scenario) -> Iterator[Violation]:
    if scenario.edition:
        try:
            rules = ruleset(scenario.edition, scenario.options)
        except RuleViolations as error:
            yield from error.violations
        else:
            if not rules.system_prices and any(faction.tech_base for faction in scenario.factions):
                yield Violation(
                    "factions",
                    "no-tech-bases",
                    phrase("the rules of '{}' have no tech bases", scenario.edition),
                )
    if scenario.decoys and NO_DECOYS in scenario.options:
        yield Violation(
            "decoys.allowed",
            "no-decoys",
            phrase("with the option '{}' there are no decoys", NO_DECOYS),
        )


def _factions(scenario: Scenario) -> Iterator[Violation]:
    ids = [faction.id for faction in scenario.factions]
    alliances = {faction.alliance for faction in scenario.factions if faction.alliance}
    yield from _twice("factions", "faction", ids)
    for name in sorted(alliances & set(ids)):
        yield Violation(
            "factions",
            "bad-alliance",
            phrase("'{}' is a faction; an alliance needs another id", name),
        )
    if len({faction.alliance or faction.id for faction in scenario.factions}) < 2:
        yield Violation("factions", "no-enemies", phrase("a war needs at least two sides"))


def _twice(where: str, noun: str, ids: Iterable[str]) -> Iterator[Violation]:
    earlier: set[str] = set()
    for key in ids:
        if key and key in earlier:
            yield Violation(where, "twice", phrase("duplicate {} '{}'", noun, key))
        earlier.add(key)


def _map(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    size = f"{scenario.columns:02d}{scenario.rows:02d}"
    for where, label in draft.hexes:
        if not on_map(label, scenario.columns, scenario.rows):
            yield Violation(
                where, "bad-hex", phrase("'{}' is not a hex of this map (0101 to {})", label, size)
            )
    at: dict[str, str] = {}
    for where, system in draft.systems:
        if system.hex in at:
            words = phrase(
                "{} contains two systems: '{}' and '{}'", system.hex, at[system.hex], system.id
            )
            yield Violation(f"{where}.hex", "two-systems", words)
        if system.hex:
            at.setdefault(system.hex, system.id)
        if system.hex in scenario.closed:
            yield Violation(
                f"{where}.hex", "closed-hex", phrase("'{}' is in a closed hex", system.id)
            )
        if system.facility is not None and len(system.facility.kind) > LONGEST_FACILITY:
            words = phrase("expected text of at most {} characters", LONGEST_FACILITY)
            yield Violation(f"{where}.facility.kind", "too-long", words)
    if not draft.systems:
        yield Violation("systems", "no-systems", phrase("a map needs at least one system"))
    yield from _twice("systems", "system", (system.id for _, system in draft.systems))
    yield from _twice("closed", "hex", scenario.closed)


def _links(draft: FilePlaces) -> Iterator[Violation]:
    closed = {label for where, label in draft.hexes if where.startswith("closed")}
    for where, link in draft.links:
        if link.a == link.b:
            yield Violation(where, "bad-link", phrase("a link must join two different hexes"))
        if link.kind == GateShape.JUMP_POINT and link.mass is not None:
            words = phrase("a jump point has no mass limit")
            yield Violation(f"{where}.transfer_mass", "natural", words)
        for end, label in (("a", link.a), ("b", link.b)):
            if label in closed:
                yield Violation(
                    f"{where}.{end}",
                    "closed-hex",
                    phrase("{} is closed: nothing can be linked to it", label),
                )


def _names(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
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
        if key not in classes:
            yield Violation(where, "unknown-class", phrase("there is no class '{}'", key))
    for faction in sorted(factions - {budget.faction for budget in scenario.budgets}):
        yield Violation("forces", "no-force", phrase("'{}' has no budget", faction))
    yield from _twice("forces", "budget", (budget.id for budget in scenario.budgets))


def _entries(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    yield from _twice("entries", phrase("entry of"), (entry.faction for _, entry in draft.entries))
    systems = {system.hex for system in scenario.systems}
    for where, entry in draft.entries:
        if entry.hex in scenario.closed:
            yield Violation(
                f"{where}.hex",
                "closed-hex",
                phrase("nothing can enter at {}: the hex is closed", entry.hex),
            )
        if entry.week > scenario.weeks:
            yield Violation(
                f"{where}.week", "too-late", phrase("the war ends after week {}", scenario.weeks)
            )
        if entry.week > 1 and entry.hex in systems:
            yield Violation(
                f"{where}.hex",
                "entry-system",
                phrase("a force that enters later cannot start in a system"),
            )
    enters = {entry.faction for _, entry in draft.entries}
    for where, faction in draft.enter:
        if faction not in enters:
            yield Violation(where, "no-entry", phrase("'{}' has no entry", faction))


def _forces(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    for power in sorted({faction for _, faction, _ in draft.picks}):
        planned = []
        for where, faction, pick in draft.picks:
            if faction == power:
                planned.append(
                    PlannedFleet(
                        where=where,
                        name=pick.name,
                        budget=pick.budget,
                        hex=pick.hex,
                        ships=tuple(
                            (cls, f"{where}.ships.{cls}")
                            for cls, count in pick.ships
                            for _ in range(count)
                        ),
                        decoys=pick.decoys,
                    )
                )
        for fault in force_violations(scenario, power, planned, f"forces.{power}.default"):
            yield (
                Violation(fault.where.removesuffix(".hex") + ".at", fault.code, fault.message)
                if (fault.where.endswith(".hex"))
                else fault
            )


def _arrivals(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    classes = ship_classes(scenario)
    systems = {system.hex for system in scenario.systems}
    yield from _twice(
        "reinforcements", "reinforcement", (arrival.id for _, arrival in draft.arrivals)
    )
    for where, arrival in draft.arrivals:
        if arrival.week > scenario.weeks:
            yield Violation(
                f"{where}.week", "too-late", phrase("the war ends after week {}", scenario.weeks)
            )
        if arrival.hex in scenario.closed:
            yield Violation(
                f"{where}.at",
                "closed-hex",
                phrase("nothing can arrive at {}: the hex is closed", arrival.hex),
            )
        if not arrival.ships:
            yield Violation(
                f"{where}.ships", "no-ships", phrase("a reinforcement must have at least one ship")
            )
        lacks = missing_by_class(scenario, arrival.faction, [cls for cls, _ in arrival.ships])
        for cls, _ in arrival.ships:
            for fault in lacks.get(cls, ()):
                yield Violation(f"{where}.ships.{cls}", *fault)
            if cls not in classes:
                yield Violation(
                    f"{where}.ships.{cls}", "unknown-class", phrase("there is no class '{}'", cls)
                )
            elif not classes[cls].ftl and arrival.hex not in systems:
                words = phrase("'{}' has no FTL drive, so it must be placed in a system", cls)
                yield Violation(f"{where}.ships.{cls}", "wrong-place", words)


def _victory(scenario: Scenario, draft: FilePlaces) -> Iterator[Violation]:
    powers = {faction.id for faction in scenario.factions}
    powers |= {faction.alliance for faction in scenario.factions if faction.alliance}
    for where, condition in draft.conditions:
        for part, power in (("winner", condition.winner), ("superiority.by", condition.by)):
            if power and power not in powers:
                yield Violation(
                    f"{where}.{part}",
                    "unknown-faction",
                    phrase("there is no faction or alliance '{}'", power),
                )
        yield from _superiority(scenario, condition, where)
        if condition.ruins:
            yield from _ruins(scenario, condition, where)
    last = draft.conditions[-1][1] if draft.conditions else None
    if last is None or not last.is_unconditional:
        yield Violation("victory", "no-last-word", phrase("the last result must have no condition"))
    for where, condition in draft.conditions[:-1]:
        if condition.is_unconditional:
            yield Violation(
                where,
                "always-holds",
                phrase("this result always applies, so those after it can never be reached"),
            )


def _superiority(scenario: Scenario, condition: Condition, where: str) -> Iterator[Violation]:
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
    if not condition.ruins and condition.at_least > len(eligible):
        words = phrase("{} systems are required, out of {}", condition.at_least, len(eligible))
        yield Violation(f"{where}.superiority.at_least", "out-of-range", words)


def _ruins(scenario: Scenario, condition: Condition, where: str) -> Iterator[Violation]:
    """Yield the faults of a condition that counts ground targets in ruins."""
    targets = sum(
        target.faction == condition.ruins for system in scenario.systems for target in system.ground
    )
    if condition.by is not None:
        words = phrase("a result can count systems or ruins, not both")
        yield Violation(f"{where}.ruins", "two-conditions", words)
    if not 1 <= condition.at_least <= targets:
        words = phrase(
            "{} ground targets are required, out of {} of '{}'",
            condition.at_least,
            targets,
            condition.ruins,
        )
        yield Violation(f"{where}.ruins.at_least", "out-of-range", words)


def _cargo(draft: FilePlaces) -> Iterator[Violation]:
    earlier: set[tuple[str, str]] = set()
    for where, item in draft.cargo:
        yield from name_faults(item.what, f"{where}.what") if item.what else ()
        if (item.faction, item.cls) in earlier:
            words = phrase("the cargo of '{}' of '{}' is already given", item.cls, item.faction)
            yield Violation(f"{where}.class", "twice", words)
        earlier.add((item.faction, item.cls))
