"""How a war begins: the world before anybody is deployed, and the fleets and ships that a deployment makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campaign.rules.lookup import class_name
from campaign.rules.orders import Deployed
from campaign.rules.scenario import FleetPick, Reinforcement, Scenario
from campaign.rules.world import Cargo, Fleet, Holding, Ship, World


def initial_world(scenario: Scenario) -> World:
    """Week 0: every system with its owner, no fleet anywhere.

    Rules: 2E "Campaign set-up" [camp.superiority]
    """
    holdings = (Holding(system.id, system.owner, 0) for system in scenario.systems)
    return World(0, "deploy", (), (), tuple(sorted(holdings, key=lambda holding: holding.system)))


def deploy_force(
    scenario: Scenario, faction: str, deploy: Iterable[Deployed]
) -> tuple[tuple[Fleet, ...], tuple[Ship, ...]]:
    """The fleets and ships of a lawful deployment. Keys count from 1 in the order of the fleets' names.

    Rules: 2E "The forces" [camp.budget]; 2E "The campaign map" [camp.fleets]
    """
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    for place, item in enumerate(sorted(deploy, key=lambda item: item.name), start=1):
        key = f"{faction}/f{place}"
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
            cargo = loaded(scenario, faction, cls)
            ships.append(Ship(f"{faction}/s{number}", faction, name, cls, key, cargo=cargo))
    return tuple(sorted(fleets, key=lambda f: f.key)), tuple(sorted(ships, key=lambda s: s.key))


def loaded(scenario: Scenario, faction: str, cls: str) -> Cargo | None:
    """What a ship of a class carries when it enters the war; None where the scenario names nothing.

    Rules: 2E "Merchant ships: damage to cargo and holds" [2e.cargo]
    """
    found = next((item for item in scenario.cargo if (item.faction, item.cls) == (faction, cls)), None)
    return None if found is None else Cargo(found.what, found.amount, found.amount)


def default_force(scenario: Scenario, faction: str) -> tuple[Deployed, ...]:
    """The scenario's force list of a faction, every ship named after its class in that navy and numbered."""
    picks = dict(scenario.defaults).get(faction, ())
    counts: dict[str, int] = {}
    return tuple(
        Deployed(pick.name, pick.budget, pick.hex, tuple(_named(scenario, faction, pick.ships, counts)), pick.decoys)
        for pick in sorted(picks, key=_pick_name)
    )


def _pick_name(pick: FleetPick) -> str:
    return pick.name


def _named(
    scenario: Scenario, faction: str, ships: Sequence[tuple[str, int]], counts: dict[str, int]
) -> Iterable[tuple[str, str]]:
    for cls, many in ships:
        for _ in range(many):
            counts[cls] = counts.get(cls, 0) + 1
            yield cls, f"{class_name(scenario, faction, cls)} {counts[cls]}"


def reinforce(
    scenario: Scenario, arrival: Reinforcement, fleets: Iterable[Fleet], ships: Iterable[Ship], gone: Iterable[Ship]
) -> tuple[Fleet, tuple[Ship, ...]]:
    """The fleet and ships of a reinforcement, with the next free keys and numbers of their faction.

    `fleets`, `ships`: those there are now; `gone`: those lost, whose keys and names are never given again.

    Rules: 2E "Repairs" [camp.reinforcements]
    """
    faction = arrival.faction
    theirs = [ship for ship in (*ships, *gone) if ship.key.startswith(f"{faction}/s")]
    key = f"{faction}/f{last_number(fleet.key for fleet in fleets if fleet.faction == faction) + 1}"
    number = last_number(ship.key for ship in theirs)
    counts: dict[str, int] = {}
    for ship in theirs:
        counts[ship.cls] = counts.get(ship.cls, 0) + 1
    named = list(_named(scenario, faction, sorted(arrival.ships), counts))
    fleet = Fleet(key=key, faction=faction, name=arrival.name, hex=arrival.hex)
    new = [
        Ship(f"{faction}/s{number + n}", faction, name, cls, key, cargo=loaded(scenario, faction, cls))
        for n, (cls, name) in enumerate(named, start=1)
    ]
    return fleet, tuple(sorted(new, key=lambda ship: ship.key))


def last_number(keys: Iterable[str]) -> int:
    """The highest number among keys such as `esu/f3` and `esu/s12`; 0 where there is none."""
    tails = (key.partition("/")[2][1:] for key in keys)
    return max((int(tail) for tail in tails if tail.isdigit()), default=0)
