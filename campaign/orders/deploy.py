"""Deploy: the fleets that a faction sets up in secret before the first week."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import Order, OrderContext, Wording, count_entries, tables
from campaign.orders.settings import decoy_thrust_faults, decoy_words
from campaign.rules.codec import as_list
from campaign.rules.designs import buildable_classes
from campaign.rules.fleet_violations import doctrine_faults, name_faults
from campaign.rules.forces import PlannedFleet, default_force, force_violations
from campaign.rules.muster import muster_faults
from campaign.rules.orders import DeployedFleet
from campaign.rules.pilots import count_aces, pilot_faults
from campaign.rules.queries import class_name, ship_classes, with_classes
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import View
from engine.core.errors import Violation, fault_path
from engine.core.limits import SHIPS_OF_A_WAR
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.english import counted_noun

MAX_FLEETS = 500  # of one deployment


class DeployOrder(Order):
    """The force list of a faction."""

    key = "deploy"
    value = DeployedFleet
    stages = (StageKind.DEPLOY,)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        fleets = [replace(item, ships=tuple(sorted(item.ships))) for item in items]
        return tuple(sorted(fleets, key=_sort_key))

    def limit(self, view: View) -> int:
        return MAX_FLEETS

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        yield self.key, count_entries(items, "ships"), SHIPS_OF_A_WAR

    def default(self, scenario: Scenario, view: View) -> tuple[DeployedFleet, ...]:
        """Return the default force list."""
        return default_force(scenario, view.faction)

    def judge(self, context: OrderContext) -> list[Violation]:
        faction = context.view.faction
        orders = context.orders
        new_designs = buildable_classes(context.scenario, faction, orders.designs)
        scenario = with_classes(context.scenario, new_designs)
        return deploy_faults(scenario, faction, self.items(orders))

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        return [_deployment_words(wording, item) for item in tables(items)]

    def anchor(self, item: object, number: int, rest: str) -> str:
        return deploy_anchor(number)


def _sort_key(fleet: DeployedFleet) -> tuple[Any, ...]:
    """Return the sort key by which equal deployments are stored equally."""
    return (fleet.name, fleet.budget, fleet.hex, fleet.ships, repr(fleet))


def deploy_anchor(number: int) -> str:
    """Return the id of the page element that shows a fleet of a deployment and its faults."""
    return f"deploy-{number}"


def deploy_faults(
    scenario: Scenario, faction: str, deploy: Sequence[DeployedFleet]
) -> list[Violation]:
    """Return every fault of a deployment.

    Rules: 2E "The forces" [camp.budget]; 2E "Non-FTL ships" [camp.non-ftl];
    2E "Dummy bogeys" [camp.decoys]
    """
    faults: list[Violation] = []
    ship_names: set[str] = set()
    all_classes = ship_classes(scenario)
    planned = []
    for n, item in enumerate(deploy):
        where = fault_path(DEPLOY.key, n)
        classes = []
        for m, (cls, name) in enumerate(item.ships):
            spot = f"{where}.ships[{m}]"
            classes.append((cls, f"{spot}[0]"))
            faults += name_faults(name, f"{spot}[1]")
            if name in ship_names:
                words = reason("ship-name-used", "another ship is already called '{}'", name)
                faults.append(Violation(f"{spot}[1]", "twice", words))
            ship_names.add(name)
        faults += doctrine_faults(item.doctrine, f"{where}.doctrine")
        faults += decoy_thrust_faults(scenario, item.decoy_thrust, f"{where}.decoy_thrust")
        faults += pilot_faults(
            scenario, all_classes, item.ships, item.pilots, where=f"{where}.pilots"
        )
        planned.append(
            PlannedFleet(
                where=where,
                name=item.name,
                budget=item.budget,
                hex=item.hex,
                ships=tuple(classes),
                decoys=item.decoys,
                aces=count_aces(item.pilots),
            )
        )
    faults += force_violations(scenario, faction, planned, DEPLOY.key)
    if is_skirmish(scenario):
        ships = [row for fleet in planned for row in fleet.ships]
        decoys = sum(fleet.decoys for fleet in planned)
        faults += muster_faults(scenario, faction, ships, decoys, DEPLOY.key)
    return faults


def _deployment_words(wording: Wording, item: Mapping[str, Any]) -> str:
    """Return a fleet of a stored deployment in one line."""
    counts: Counter[str] = Counter()  # ships by class
    for ship in as_list(item.get("ships")):
        if isinstance(ship, list) and ship:
            counts[str(ship[0])] += 1
    classes = []
    for cls, count in counts.items():
        navy_class = class_name(wording.scenario, wording.view.faction, cls)
        classes.append(phrase("{} × {}", count, navy_class))
    ships = join_phrases(", ", classes) or phrase("no ships")
    if item.get("decoys"):
        ships = join_phrases(", ", (ships, decoy_words(item["decoys"])))
    if aces := count_aces(item.get("pilots")):
        ships = join_phrases(", ", (ships, counted_noun(aces, "ace")))
    return phrase("{} at {}: {}", item.get("name"), wording.place(item.get("hex")), ships)


DEPLOY = DeployOrder()
