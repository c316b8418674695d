"""Queries about scenarios and ships that many rules share: classes, sides, FTL ability."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from campaign.kinds import StageKind
from campaign.rules.scenario import Budget, Entry, Scenario, ShipClass, StarSystem
from campaign.rules.ship_sections import is_carried
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, World
from engine.core.phrase import capitalize_first, join_phrases, phrase


def ship_classes(scenario: Scenario) -> dict[str, ShipClass]:
    """Return the classes of the catalogue by name."""
    return {cls.name: cls for cls in scenario.catalogue}


def with_classes(scenario: Scenario, classes: Iterable[ShipClass]) -> Scenario:
    """Add classes to a scenario's catalogue if it has none of that name."""
    names = {cls.name for cls in scenario.catalogue}
    added = tuple(cls for cls in classes if cls.name not in names)
    if not added:
        return scenario
    catalogue = sorted((*scenario.catalogue, *added), key=lambda cls: cls.name)
    return replace(scenario, catalogue=tuple(catalogue))


def with_all_designs(scenario: Scenario, world: World) -> Scenario:
    """Add the classes of all factions' own designs, for adjudication and the umpire."""
    if world.designs:
        return with_classes(scenario, (item.cls for item in world.designs))
    return scenario


def with_known_designs(scenario: Scenario, view: View) -> Scenario:
    """Add the classes beyond the catalogue that a faction knows."""
    if view.classes:
        return with_classes(scenario, view.classes)
    return scenario


def own_class_name(faction: str, name: str) -> str:
    """Return the name of a faction's own class in worlds and orders: `esu/Hunter`."""
    return f"{faction}/{name}"


def systems_by_hex(scenario: Scenario) -> dict[str, StarSystem]:
    """Return the systems by hex; a hex has at most one."""
    return {system.hex: system for system in scenario.systems}


def system_at(scenario: Scenario, label: str) -> StarSystem | None:
    """Return the system in a hex, or None. For many hexes `systems_by_hex` is faster."""
    return next((system for system in scenario.systems if system.hex == label), None)


def budgets_of(scenario: Scenario, faction: str) -> dict[str, Budget]:
    """Return the budgets of a faction by id."""
    result: dict[str, Budget] = {}
    for budget in scenario.budgets:
        if budget.faction == faction:
            result[budget.id] = budget
    return result


ONLY_BUDGET = "fleet"  # the key of the budget of a side in a single battle by points


def budget_name(scenario: Scenario, budget: Budget) -> str:
    """Return the title of a budget: by the system that it defends, as mobile force, or by id.

    It also says in which week its fleets arrive, if they arrive later.
    """
    if budget.week:
        name = budget_name(scenario, replace(budget, week=0))
        return phrase("{}, arriving in week {}", name, budget.week)
    part = budget.id.removeprefix(f"{budget.faction}/")
    system = next((system.name for system in scenario.systems if system.id == part), None)
    if system is not None:
        return phrase("System defence of {}", system)
    if part == ONLY_BUDGET:
        return phrase("Fleet")
    if part == "mobile":
        return phrase("Mobile force")
    if part == "convoy":
        return phrase("Convoy")
    return capitalize_first(phrase("{} force", part.replace("-", " ")))


def entry_of(scenario: Scenario, faction: str) -> Entry | None:
    """Return the entry of a faction to the map; None if it begins on it."""
    for entry in scenario.entries:
        if entry.faction == faction:
            return entry
    return None


def side_of(scenario: Scenario, faction: str) -> tuple[str, ...]:
    """Return the faction with its allies, sorted."""
    alliance = next((power.alliance for power in scenario.factions if power.id == faction), None)
    if alliance is None:
        return (faction,)
    return tuple(sorted(power.id for power in scenario.factions if power.alliance == alliance))


def members_of(scenario: Scenario, power: str) -> tuple[str, ...]:
    """Return the factions of a power: one faction, or the members of an alliance."""
    members = []
    for faction in scenario.factions:
        if power in (faction.id, faction.alliance):
            members.append(faction.id)
    return tuple(members)


def victory_words(scenario: Scenario, power: str) -> str:
    """Return the result of a war that a faction or alliance has won."""
    members = members_of(scenario, power)
    names = [faction.name for faction in scenario.factions if faction.id in members]
    return phrase("{} victory", join_phrases(" and ", names))


def result_words(scenario: Scenario, result: str) -> str:
    """Return the stored result of a war, which is plain English, so that it can be translated.

    It is a victory in the program's words, or a text of the scenario.
    """
    for faction in scenario.factions:
        for power in (faction.id, faction.alliance):
            if power and victory_words(scenario, power) == result:
                return victory_words(scenario, power)
    return phrase(result)


def are_hostile(scenario: Scenario, a: str, b: str) -> bool:
    """Return whether two factions are on different sides."""
    return b not in side_of(scenario, a)


def class_name(scenario: Scenario, faction: str, cls: str) -> str:
    """Return a navy's name for a class, for readers: the scenario's, or its designer's."""
    for power, names in scenario.class_names:
        if power == faction and cls in dict(names):
            return dict(names)[cls]
    return phrase(short_class_name(cls))


def has_contact_at(view: View, hex_: str) -> bool:
    """Return whether a faction is in contact with another in a hex since an earlier week."""
    return any(contact.hex == hex_ for contact in view.in_contact)


def short_class_name(cls: str) -> str:
    """Return a class's name without its designer: `esu/Hunter` is a Hunter."""
    designer, slash, name = cls.partition("/")
    if slash:
        return name
    return designer


def can_jump(cls: ShipClass, ship: Ship) -> bool:
    """Return whether a ship has a working FTL drive of its own.

    Rules: 2E "Non-FTL ships" [camp.non-ftl]
    """
    return cls.ftl and "ftl" not in ship.lost


def empty_holders(ship: Ship) -> frozenset[str]:
    """Return the bays, packs and minelayers of a ship in which nothing is left."""
    return frozenset(system for system, amount in ship.stock if not amount)


def holder_of(stock: str) -> str:
    """Return the system that holds a stock: `magazine-1` for `magazine-1/standard`."""
    return stock.partition("/")[0]


def sort_by_count(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return counts by classification, largest classification first."""
    order = {"capital": 0, "cruiser": 1, "escort": 2}
    return tuple(sorted(counts.items(), key=lambda item: (order.get(item[0], 3), item[0])))


def ships_by_fleet(ships: Iterable[Ship]) -> dict[str, list[Ship]]:
    """Return the ships of each fleet, in the order given."""
    groups: defaultdict[str, list[Ship]] = defaultdict(list)
    for ship in ships:
        groups[ship.fleet].append(ship)
    return dict(groups)


def ships_by_faction(ships: Iterable[Ship]) -> dict[str, list[Ship]]:
    """Return the ships of each faction, in the order given."""
    groups: defaultdict[str, list[Ship]] = defaultdict(list)
    for ship in ships:
        groups[ship.faction].append(ship)
    return dict(groups)


def fleets_by_faction(fleets: Iterable[Fleet]) -> dict[str, list[Fleet]]:
    """Return the fleets of each faction, in the order given."""
    groups: defaultdict[str, list[Fleet]] = defaultdict(list)
    for fleet in fleets:
        groups[fleet.faction].append(fleet)
    return dict(groups)


def immobile_ships(classes: Mapping[str, ShipClass], ships: Sequence[Ship]) -> list[Ship]:
    """Return the ships that keep their fleet from moving, by key.

    They are docked, or have no working FTL drive, are not in tow, and are no section of a starbase
    or monster ship whose drive another section has.

    Rules: 2E "Non-FTL ships" [camp.non-ftl]; 2E "FTL tugs and tenders" [camp.tugs]; Continuum 13.15
    [pc.starbases]
    """
    immobile = []
    for ship in ships:
        can_move = ship.tug or can_jump(classes[ship.cls], ship) or is_carried(classes, ship, ships)
        if ship.docked or not can_move:
            immobile.append(ship)
    if len(immobile) > 1:
        return sorted(immobile, key=lambda ship: ship.key)
    return immobile


def pending_entry_week(scenario: Scenario, fleet: Fleet, week: int) -> int | None:
    """Return the week in which a fleet still off the map enters; None for all other fleets."""
    entry = entry_of(scenario, fleet.faction)
    if entry is None or week >= entry.week or fleet.hex != entry.hex or fleet.back:
        return None
    return entry.week


def departure_week(scenario: Scenario, state: View | World, fleet: Fleet) -> int | None:
    """Return the week in which a fleet that withdrew must leave its hex.

    It is None if the fleet need not leave, or if the war has no such week.

    Rules: 2E "When fleets meet" [camp.must-leave]
    """
    if not fleet.must_leave or state.result is not None:
        return None
    if state.stage == StageKind.ORDERS:
        return state.week
    # After this week's moves it leaves with the next ones
    if state.week < scenario.weeks:
        return state.week + 1
    return None
