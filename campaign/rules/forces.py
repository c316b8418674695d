"""Forces at the start of a war: budgets, the faults of deployments, and the world they make.

Deployments and a scenario's force lists have the same faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.rules.designs import unavailable_technologies
from campaign.rules.fleet_names import unique_name, used_names
from campaign.rules.fleet_violations import name_faults
from campaign.rules.orders import DeployedFleet
from campaign.rules.queries import (
    budget_name,
    budgets_of,
    class_name,
    entry_of,
    ship_classes,
    short_class_name,
)
from campaign.rules.scenario import Budget, FleetPick, Reinforcement, Scenario, ShipClass
from campaign.rules.ship_sections import ftl_carried_classes
from campaign.rules.world import Cargo, Fleet, Holding, Ship, World
from engine.core.errors import Violation
from engine.core.reason import reason
from engine.english import counted_kind, counted_noun

LIMIT_APPLIES_FROM = 3  # a force of fewer ships has no limit on classifications


def initial_world(scenario: Scenario) -> World:
    """Return week 0: every system with its owner, and no fleet anywhere.

    Rules: 2E "Campaign set-up" [camp.superiority]
    """
    holdings = (Holding(system.id, system.owner, 0) for system in scenario.systems)
    return World(0, "deploy", (), (), tuple(sorted(holdings, key=lambda holding: holding.system)))


def deploy_force(
    scenario: Scenario, faction: str, deploy: Iterable[DeployedFleet]
) -> tuple[tuple[Fleet, ...], tuple[Ship, ...]]:
    """Return the fleets and ships of a lawful deployment.

    Keys count from 1 in the order of the fleets' names.

    Rules: 2E "The forces" [camp.budget]; 2E "The campaign map" [camp.fleets]
    """
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    for number, item in enumerate(sorted(deploy, key=lambda item: item.name), start=1):
        key = f"{faction}/f{number}"
        fleets.append(
            Fleet(
                key=key,
                faction=faction,
                name=item.name,
                hex=item.hex,
                decoys=item.decoys,
                standing=item.standing,
                doctrine=item.doctrine,
                budget=item.budget,
            )
        )
        for cls, name in sorted(item.ships):
            number = len(ships) + 1
            cargo = initial_cargo(scenario, faction, cls)
            ships.append(Ship(f"{faction}/s{number}", faction, name, cls, key, cargo=cargo))
    return tuple(sorted(fleets, key=lambda f: f.key)), tuple(sorted(ships, key=lambda s: s.key))


def initial_cargo(scenario: Scenario, faction: str, cls: str) -> Cargo | None:
    """Return the cargo of a ship of a class when it enters the war; None without any.

    Rules: 2E "Merchant ships: damage to cargo and holds" [2e.cargo]
    """
    manifest = next(
        (item for item in scenario.cargo if (item.faction, item.cls) == (faction, cls)), None
    )
    if manifest is None:
        return None
    return Cargo(manifest.what, manifest.amount, manifest.amount)


def default_force(scenario: Scenario, faction: str) -> tuple[DeployedFleet, ...]:
    """Return the scenario's force list of a faction, with ships named by class and number."""
    picks = dict(scenario.defaults).get(faction, ())
    counts: dict[str, int] = {}
    result: list[DeployedFleet] = []
    for pick in sorted(picks, key=_pick_name):
        result.append(
            DeployedFleet(
                pick.name,
                pick.budget,
                pick.hex,
                tuple(_name_ships(scenario, faction, pick.ships, counts)),
                pick.decoys,
            )
        )
    return tuple(result)


def _pick_name(pick: FleetPick) -> str:
    return pick.name


def _name_ships(
    scenario: Scenario, faction: str, ships: Sequence[tuple[str, int]], counts: dict[str, int]
) -> Iterable[tuple[str, str]]:
    for cls, count in ships:
        for _ in range(count):
            counts[cls] = counts.get(cls, 0) + 1
            yield cls, f"{class_name(scenario, faction, cls)} {counts[cls]}"


def reinforce(
    scenario: Scenario,
    arrival: Reinforcement,
    fleets: Iterable[Fleet],
    ships: Iterable[Ship],
    lost_ships: Iterable[Ship],
) -> tuple[Fleet, tuple[Ship, ...]]:
    """Return the fleet and ships of a reinforcement, with the next free keys and names.

    Args:
        fleets: All fleets there are now.
        ships: All ships there are now.
        lost_ships: Ships lost so far, whose keys and names are never reused.

    Rules: 2E "Repairs" [camp.reinforcements]
    """
    faction = arrival.faction
    all_fleets = tuple(fleets)
    faction_ships = [ship for ship in (*ships, *lost_ships) if ship.key.startswith(f"{faction}/s")]
    fleet_keys = [fleet.key for fleet in all_fleets if fleet.faction == faction]
    key = f"{faction}/f{last_number(fleet_keys) + 1}"
    number = last_number(ship.key for ship in faction_ships)
    counts: dict[str, int] = {}
    for ship in faction_ships:
        counts[ship.cls] = counts.get(ship.cls, 0) + 1
    named_ships = list(_name_ships(scenario, faction, sorted(arrival.ships), counts))
    fleet_name = unique_name(arrival.name, used_names(all_fleets, faction))
    fleet = Fleet(key=key, faction=faction, name=fleet_name, hex=arrival.hex)
    new = []
    for n, (cls, name) in enumerate(named_ships, start=1):
        new.append(
            Ship(
                f"{faction}/s{number + n}",
                faction,
                name,
                cls,
                key,
                cargo=initial_cargo(scenario, faction, cls),
            )
        )
    return fleet, tuple(sorted(new, key=lambda ship: ship.key))


def last_number(keys: Iterable[str]) -> int:
    """Return the highest number among keys such as `esu/f3` and `esu/s12`; 0 without any."""
    tails = (key.partition("/")[2][1:] for key in keys)
    return max((int(tail) for tail in tails if tail.isdigit()), default=0)


@dataclass(frozen=True, slots=True)
class PlannedFleet:
    """A fleet of a force list or deployment while it is judged.

    Attributes:
        where: Its place in the document.
        ships: Pairs of a class and the class's place in the document.
    """

    where: str
    name: str
    budget: str
    hex: str
    ships: tuple[tuple[str, str], ...]
    decoys: int


def force_violations(
    scenario: Scenario, faction: str, force: Sequence[PlannedFleet], where: str
) -> list[Violation]:
    """Return the faults of a force: of each fleet, of budgets, and of shares of classifications."""
    classes = ship_classes(scenario)
    budgets = budgets_of(scenario, faction)
    class_names = []
    for fleet in force:
        for name, _ in fleet.ships:
            class_names.append(name)
    lacks = missing_by_class(scenario, faction, class_names)
    violations: list[Violation] = []
    names: dict[str, str] = {}
    costs: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for fleet in force:
        violations.extend(name_faults(fleet.name, f"{fleet.where}.name"))
        if fleet.name in names:
            words = reason(
                "name-used-in", "the name '{}' is already used in {}", fleet.name, names[fleet.name]
            )
            violations.append(Violation(f"{fleet.where}.name", "twice", words))
        names.setdefault(fleet.name, fleet.where)
        budget = budgets.get(fleet.budget)
        violations.extend(_budget_faults(scenario, faction, budgets, fleet))
        if not fleet.ships:
            words = reason("fleet-must-least-ship", "a fleet must have at least one ship")
            violations.append(Violation(f"{fleet.where}.ships", "no-ships", words))
        violations.extend(_ship_faults(scenario, classes, budget, fleet))
        for name, spot in fleet.ships:
            violations.extend(Violation(spot, *fault) for fault in lacks.get(name, ()))
        violations.extend(_decoy_faults(scenario, fleet))
        fleet_classes = [classes[cls] for cls, _ in fleet.ships if cls in classes]
        costs[fleet.budget] += fleet_cost(scenario, fleet_classes, fleet.decoys)
        if budget is None or budget.ftl != "none":
            kinds.update(cls.classification for cls in fleet_classes)
    violations.extend(_cost_faults(scenario, budgets, costs, where))
    violations.extend(_classification_faults(scenario, kinds, where))
    return violations


def missing_by_class(
    scenario: Scenario, faction: str, names: Iterable[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return the technologies that a faction lacks for each class, as (code, message).

    Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
    """
    classes = ship_classes(scenario)
    missing: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(set(names) & set(classes)):
        faults = unavailable_technologies(scenario, faction, classes[name])
        entries = []
        for fault in faults:
            entries.append(
                (
                    fault.code,
                    reason(
                        "quoted-at",
                        "'{}': {} ({})",
                        short_class_name(name),
                        fault.message,
                        fault.where,
                    ),
                )
            )
        missing[name] = list(dict.fromkeys(entries))
    return missing


def fleet_cost(scenario: Scenario, ships: Iterable[ShipClass], decoys: int) -> int:
    """Return the points that a fleet costs its budget: its ships and its decoy drones."""
    return sum(cls.points for cls in ships) + max(0, decoys) * scenario.decoy_points


def places_of(scenario: Scenario, budget: Budget) -> tuple[str, ...]:
    """Return the hexes where fleets of a budget may begin."""
    if budget.deploy == ("any",):
        return tuple(system.hex for system in scenario.systems)
    if budget.deploy == ("entry",):
        entry = entry_of(scenario, budget.faction)
        if entry is None:
            return ()
        return (entry.hex,)
    return tuple(system.hex for system in scenario.systems if system.id in budget.deploy)


def _budget_faults(
    scenario: Scenario, faction: str, budgets: Mapping[str, Budget], fleet: PlannedFleet
) -> list[Violation]:
    """Return the fault of an unknown budget, or of a hex where its fleets may not begin."""
    budget = budgets.get(fleet.budget)
    if budget is None:
        words = reason(
            "not-budget-there",
            "'{}' is not a budget of '{}'; choose from {}",
            fleet.budget,
            faction,
            _list(budgets),
        )
        return [Violation(f"{fleet.where}.budget", "unknown-budget", words)]
    if fleet.hex not in places_of(scenario, budget):
        words = reason(
            "not-starting-place-fleets",
            "fleets of '{}' cannot start in {}",
            fleet.hex,
            budget_name(scenario, budget),
        )
        return [Violation(f"{fleet.where}.hex", "wrong-place", words)]
    return []


def _cost_faults(
    scenario: Scenario, budgets: Mapping[str, Budget], costs: Mapping[str, int], where: str
) -> list[Violation]:
    """Return the faults of fleets that cost more than their budgets."""
    faults = []
    for key in sorted(costs):
        if key in budgets and costs[key] > budgets[key].points:
            words = reason(
                "pays-points-these-fleets",
                "'{}' has {} points; these fleets cost {}",
                budget_name(scenario, budgets[key]),
                budgets[key].points,
                costs[key],
            )
            faults.append(Violation(where, "over-budget", words))
    return faults


def _ship_faults(
    scenario: Scenario, classes: dict[str, ShipClass], budget: Budget | None, fleet: PlannedFleet
) -> list[Violation]:
    faults = []
    if budget is not None:
        budget_title = budget_name(scenario, budget)
    else:
        budget_title = ""
    carried = ftl_carried_classes([classes[name] for name, _ in fleet.ships if name in classes])
    for name, spot in fleet.ships:
        cls = classes.get(name)
        if cls is None:
            faults.append(
                Violation(
                    spot, "unknown-class", reason("unknown-class", "there is no class '{}'", name)
                )
            )
        elif (
            budget is not None and budget.ftl == "required" and not (cls.ftl or cls.name in carried)
        ):
            words = reason(
                "no-ftl-drive-pays",
                "'{}' has no FTL drive; '{}' is only for ships that have one",
                name,
                budget_title,
            )
            faults.append(Violation(spot, "ftl-required", words))
        elif budget is not None and budget.ftl == "none" and cls.ftl:
            words = reason(
                "ftl-drive-pays-system",
                "'{}' has an FTL drive; '{}' is only for system defence ships, which have none",
                name,
                budget_title,
            )
            faults.append(Violation(spot, "ftl-forbidden", words))
    return faults


def _decoy_faults(scenario: Scenario, fleet: PlannedFleet) -> list[Violation]:
    where = f"{fleet.where}.decoys"
    if fleet.decoys < 0:
        return [
            Violation(
                where,
                "out-of-range",
                reason("number-decoys-not-below", "the number of decoys cannot be negative"),
            )
        ]
    if fleet.decoys and not scenario.decoys:
        return [Violation(where, "no-decoys", reason("no-decoys", "this war has no decoys"))]
    if fleet.decoys > len(fleet.ships):
        words = reason(
            "decoys-beside-real-ships",
            "{} decoys for {} real ships; the limit is one per ship",
            fleet.decoys,
            len(fleet.ships),
        )
        return [Violation(where, "too-many-decoys", words)]
    return []


def _classification_faults(scenario: Scenario, kinds: Counter[str], where: str) -> list[Violation]:
    numerator, denominator = scenario.classification_limit
    total = sum(kinds.values())
    if total < LIMIT_APPLIES_FROM:
        return []
    faults: list[Violation] = []
    for kind in sorted(kinds):
        if kinds[kind] * denominator > numerator * total:
            faults.append(
                Violation(
                    where,
                    "classification-limit",
                    reason(
                        "classification-limit",
                        "{}, including {}: the limit is {}/{}",
                        counted_noun(total, "ship"),
                        counted_kind(kinds[kind], kind),
                        numerator,
                        denominator,
                    ),
                )
            )
    return faults


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names)) or reason("none-at-all", "none")
