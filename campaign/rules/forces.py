"""Forces at the start of a war: budgets, the faults of deployments, and the world they make.

Deployments and a scenario's force lists have the same faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from campaign.rules.designs import building_faults
from campaign.rules.fleet_names import unique_name, used_names
from campaign.rules.fleet_violations import name_faults
from campaign.rules.one_navy import navy_faults
from campaign.rules.orders import DeployedFleet
from campaign.rules.pilots import ACE_POINTS, with_aces
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
from campaign.rules.system_mines import initial_mines
from campaign.rules.world import (
    Cargo,
    Fleet,
    GoodsStock,
    Holding,
    LateFleet,
    Ship,
    World,
)
from engine.core.errors import Violation
from engine.core.reason import reason
from engine.english import counted_kind, counted_noun

LIMIT_APPLIES_FROM = 3  # a force of fewer ships has no limit on classifications


def initial_world(scenario: Scenario) -> World:
    """Return week 0: every system with its owner, and no fleet anywhere.

    Rules: 2E "Campaign set-up" [camp.superiority]
    """
    holdings = [Holding(system.id, system.owner, since=0) for system in scenario.systems]
    goods = []
    for item in scenario.goods:
        goods += [GoodsStock(system, item.name, amount) for system, amount in item.at]
    return World(
        week=0,
        stage="deploy",
        fleets=(),
        ships=(),
        holdings=tuple(sorted(holdings, key=lambda holding: holding.system)),
        goods=tuple(sorted(goods, key=lambda stock: (stock.system, stock.what))),
        mines=initial_mines(scenario),
    )


def deploy_force(
    scenario: Scenario, faction: str, deploy: Iterable[DeployedFleet]
) -> tuple[tuple[Fleet, ...], tuple[Ship, ...]]:
    """Return the fleets and ships of a valid deployment.

    Keys count from 1 in the order of the fleets' names.

    Rules: 2E "The forces" [camp.budget]; 2E "The campaign map" [camp.fleets]
    """
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    for fleet_number, item in enumerate(sorted(deploy, key=lambda item: item.name), start=1):
        key = f"{faction}/f{fleet_number}"
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
                decoy_thrust=item.decoy_thrust,
            )
        )
        for cls, name in sorted(item.ships):
            ship_number = len(ships) + 1
            ship = Ship(
                key=f"{faction}/s{ship_number}",
                faction=faction,
                name=name,
                cls=cls,
                fleet=key,
                cargo=initial_cargo(scenario, faction, cls),
            )
            ships.append(with_aces(ship, item.pilots))
    return tuple(sorted(fleets, key=lambda f: f.key)), tuple(sorted(ships, key=lambda s: s.key))


def split_late_force(
    scenario: Scenario, force: Iterable[DeployedFleet]
) -> tuple[list[DeployedFleet], list[DeployedFleet]]:
    """Return the fleets of a deployment that are there at the start, and those that come later."""
    week_of = {budget.id: budget.week for budget in scenario.budgets}
    present: list[DeployedFleet] = []
    late: list[DeployedFleet] = []
    for item in force:
        (late if week_of.get(item.budget) else present).append(item)
    return present, late


def late_force(
    scenario: Scenario, faction: str, deploy: Iterable[DeployedFleet]
) -> list[LateFleet]:
    """Return the fleets of a deployment that arrive in later weeks, by week and name.

    Rules: 2E "Repairs" [camp.late-forces]
    """
    week_of = {budget.id: budget.week for budget in scenario.budgets}
    fleets, ships = deploy_force(scenario, faction, deploy)
    result = []
    for fleet in fleets:
        own_ships = tuple(ship for ship in ships if ship.fleet == fleet.key)
        result.append(LateFleet(week_of[fleet.budget], fleet, own_ships))
    return sorted(result, key=lambda item: (item.week, item.fleet.name))


def arrive(
    late: LateFleet, fleets: Iterable[Fleet], ships: Iterable[Ship], lost_ships: Iterable[Ship]
) -> tuple[Fleet, tuple[Ship, ...]]:
    """Return a late fleet and its ships on the map, with the next free keys and fleet name.

    Args:
        fleets: All fleets there are now.
        ships: All ships there are now.
        lost_ships: Ships lost so far, whose keys are never reused.
    """
    faction = late.fleet.faction
    all_fleets = tuple(fleets)
    own_ships = [ship for ship in (*ships, *lost_ships) if ship.key.startswith(f"{faction}/s")]
    fleet_number = last_number(item.key for item in all_fleets if item.faction == faction) + 1
    ship_number = last_number(ship.key for ship in own_ships)
    key = f"{faction}/f{fleet_number}"
    name = unique_name(late.fleet.name, used_names(all_fleets, faction))
    new_ships = []
    for number, ship in enumerate(late.ships, ship_number + 1):
        new_ships.append(replace(ship, key=f"{faction}/s{number}", fleet=key))
    return replace(late.fleet, key=key, name=name), tuple(new_ships)


def initial_cargo(scenario: Scenario, faction: str, cls: str) -> Cargo | None:
    """Return the cargo of a ship of a class when it enters the war; None without any.

    Rules: 2E "Merchant ships: damage to cargo and holds" [2e.cargo]
    """
    for manifest in scenario.cargo:
        if (manifest.faction, manifest.cls) == (faction, cls):
            return Cargo(manifest.what, amount=manifest.amount, remaining=manifest.amount)
    return None


def default_force(scenario: Scenario, faction: str) -> tuple[DeployedFleet, ...]:
    """Return the scenario's force list of a faction, with ships named by class and number.

    Its decoys are left out in a war without decoys.
    """
    picks = dict(scenario.defaults).get(faction, ())
    counts: dict[str, int] = {}
    result: list[DeployedFleet] = []
    for pick in sorted(picks, key=lambda pick: pick.name):
        result.append(
            DeployedFleet(
                name=pick.name,
                budget=pick.budget,
                hex=pick.hex,
                ships=tuple(_name_ships(scenario, faction, pick.ships, counts)),
                decoys=pick.decoys if scenario.decoys else 0,
            )
        )
    return tuple(result)


def proposed_names(scenario: Scenario, faction: str) -> list[str]:
    """Return the names that the ships of a faction get in its force list and reinforcements."""
    counts: dict[str, int] = {}
    groups = [pick.ships for pick in dict(scenario.defaults).get(faction, ())]
    for arrival in scenario.reinforcements:
        if arrival.faction == faction:
            groups.append(arrival.ships)
    names = []
    for ships in groups:
        names += [name for _, name in _name_ships(scenario, faction, ships, counts)]
    return names


def _name_ships(
    scenario: Scenario, faction: str, ships: Sequence[tuple[str, int]], counts: dict[str, int]
) -> Iterable[tuple[str, str]]:
    """Yield the class and name of each new ship: its class and the next number of that class.

    Args:
        ships: Pairs of a class and a number of ships.
        counts: The ships of each class so far; the new ships are added.
    """
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
                key=f"{faction}/s{number + n}",
                faction=faction,
                name=name,
                cls=cls,
                fleet=key,
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
        aces: How many aces are bought for its fighters.
    """

    where: str
    name: str
    budget: str
    hex: str
    ships: tuple[tuple[str, str], ...]
    decoys: int
    aces: int = 0


def planned_fleet(pick: FleetPick, where: str) -> PlannedFleet:
    """Return a fleet of a force list as it is judged, ship by ship."""
    ships = []
    for cls, count in pick.ships:
        ships += [(cls, f"{where}.ships.{cls}")] * count
    return PlannedFleet(
        where=where,
        name=pick.name,
        budget=pick.budget,
        hex=pick.hex,
        ships=tuple(ships),
        decoys=pick.decoys,
    )


def force_violations(
    scenario: Scenario, faction: str, force: Sequence[PlannedFleet], where: str
) -> list[Violation]:
    """Return the faults of a force: of each fleet, of budgets, and of shares of classifications."""
    classes = ship_classes(scenario)
    budgets = budgets_of(scenario, faction)
    class_names: set[str] = set()
    for fleet in force:
        class_names.update(name for name, _ in fleet.ships)
    missing = class_faults(scenario, faction, class_names)
    violations: list[Violation] = []
    names: set[str] = set()
    counts: Counter[str] = Counter()  # ships by classification
    for fleet in force:
        budget = budgets.get(fleet.budget)
        violations.extend(_fleet_name_faults(fleet, names))
        violations.extend(_budget_faults(scenario, faction, budgets, fleet))
        violations.extend(_ship_faults(scenario, classes, budget, fleet))
        for name, spot in fleet.ships:
            for code, message in missing.get(name, ()):
                violations.append(Violation(spot, code, message))
        violations.extend(_decoy_faults(scenario, fleet))
        fleet_classes = [classes[cls] for cls, _ in fleet.ships if cls in classes]
        if budget is None or budget.ftl != "none":
            counts.update(cls.classification for cls in fleet_classes)
    own_classes = [classes[name] for name in sorted(class_names) if name in classes]
    violations.extend(navy_faults(scenario, own_classes, where))
    violations.extend(_cost_faults(scenario, budgets, force_costs(scenario, force), where))
    violations.extend(_classification_faults(scenario, counts, where))
    return violations


def _fleet_name_faults(fleet: PlannedFleet, names: set[str]) -> list[Violation]:
    """Return the faults of a fleet's name.

    Args:
        names: The names of the fleets before it; its own name is added.
    """
    faults = name_faults(fleet.name, f"{fleet.where}.name")
    if fleet.name in names:
        words = reason("fleet-name-used", "another fleet is already called '{}'", fleet.name)
        faults.append(Violation(f"{fleet.where}.name", "twice", words))
    names.add(fleet.name)
    return faults


def class_faults(
    scenario: Scenario, faction: str, names: Iterable[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return why a faction may not have ships of each class, as (code, message)."""
    classes = ship_classes(scenario)
    result: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(set(names) & set(classes)):
        entries = []
        class_title = short_class_name(name)
        for fault in building_faults(scenario, faction, classes[name]):
            if fault.where:
                words = reason(
                    "quoted-at", "'{}': {} ({})", class_title, fault.message, fault.where
                )
            else:
                words = reason("quoted", "'{}': {}", class_title, fault.message)
            entries.append((fault.code, words))
        result[name] = list(dict.fromkeys(entries))
    return result


def force_costs(scenario: Scenario, force: Iterable[PlannedFleet]) -> Counter[str]:
    """Return the points that the fleets of a force cost, by the id of their budget."""
    classes = ship_classes(scenario)
    costs: Counter[str] = Counter()
    for fleet in force:
        fleet_classes = [classes[cls] for cls, _ in fleet.ships if cls in classes]
        costs[fleet.budget] += fleet_cost(scenario, fleet_classes, fleet.decoys, fleet.aces)
    return costs


def fleet_cost(scenario: Scenario, ships: Iterable[ShipClass], decoys: int, aces: int = 0) -> int:
    """Return the points that a fleet costs its budget: its ships, decoy drones and aces."""
    points = sum(cls.points for cls in ships) + max(0, decoys) * scenario.decoy_points
    return points + aces * ACE_POINTS


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
            _quoted_list(budgets),
        )
        return [Violation(f"{fleet.where}.budget", "unknown-budget", words)]
    if fleet.hex not in places_of(scenario, budget):
        words = reason(
            "not-starting-place-fleets",
            "{} is not a starting place for fleets of '{}'",
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
    """Return the faults of a fleet without ships, and of ships that its budget cannot pay."""
    faults = []
    if not fleet.ships:
        words = reason("fleet-must-least-ship", "a fleet must have at least one ship")
        faults.append(Violation(f"{fleet.where}.ships", "no-ships", words))
    carried = ftl_carried_classes([classes[name] for name, _ in fleet.ships if name in classes])
    for name, spot in fleet.ships:
        cls = classes.get(name)
        if cls is None:
            words = reason("unknown-class", "there is no class '{}'", name)
            faults.append(Violation(spot, "unknown-class", words))
        elif budget is not None:
            can_jump = cls.ftl or cls.name in carried
            faults += _drive_faults(scenario, budget, cls, spot, can_jump=can_jump)
    return faults


def _drive_faults(
    scenario: Scenario, budget: Budget, cls: ShipClass, where: str, *, can_jump: bool
) -> list[Violation]:
    """Return the fault of a ship whose FTL drive its budget forbids, or that lacks a drive.

    Args:
        can_jump: Whether the ship, or another section of its whole, has an FTL drive.
    """
    if budget.ftl == "required" and not can_jump:
        words = reason(
            "no-ftl-drive-pays",
            "'{}' has no FTL drive; '{}' is only for ships that have one",
            cls.name,
            budget_name(scenario, budget),
        )
        return [Violation(where, "ftl-required", words)]
    if budget.ftl == "none" and cls.ftl:
        words = reason(
            "ftl-drive-pays-system",
            "'{}' has an FTL drive; '{}' is only for system defence ships, which have none",
            cls.name,
            budget_name(scenario, budget),
        )
        return [Violation(where, "ftl-forbidden", words)]
    return []


def _decoy_faults(scenario: Scenario, fleet: PlannedFleet) -> list[Violation]:
    """Return the fault of a fleet's number of decoys."""
    where = f"{fleet.where}.decoys"
    if fleet.decoys < 0:
        words = reason("number-decoys-not-below", "the number of decoys cannot be negative")
        return [Violation(where, "out-of-range", words)]
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


def _classification_faults(scenario: Scenario, counts: Counter[str], where: str) -> list[Violation]:
    """Return the faults of classifications with too large a share of the ships.

    Args:
        counts: The ships of each classification.
    """
    numerator, denominator = scenario.classification_limit
    total = sum(counts.values())
    if total < LIMIT_APPLIES_FROM:
        return []
    faults: list[Violation] = []
    for kind in sorted(counts):
        if counts[kind] * denominator > numerator * total:
            words = reason(
                "classification-limit",
                "{}, including {}: the limit is {}/{}",
                counted_noun(total, "ship"),
                counted_kind(counts[kind], kind),
                numerator,
                denominator,
            )
            faults.append(Violation(where, "classification-limit", words))
    return faults


def _quoted_list(names: Iterable[str]) -> str:
    """Return names in quotes, sorted; "none" without any."""
    return ", ".join(f"'{name}'" for name in sorted(names)) or reason("none-at-all", "none")
