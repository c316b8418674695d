"""Deploy: the fleets that a faction sets up in secret before the first week."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import Judging, Order, Wording, count_entries, listed, tables
from campaign.orders.settings import decoy_words
from campaign.rules.designs import designed
from campaign.rules.forces import default_force, deploy_violations
from campaign.rules.orders import Deployed
from campaign.rules.queries import furnished, plain_class
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.limits import SHIPS_OF_A_WAR
from engine.core.phrase import joined_phrases, phrase

MOST_FLEETS = 500  # of a deployment


class DeployOrder(Order):
    """The force list of a faction."""

    key = "deploy"
    value = Deployed
    stages = (StageKind.DEPLOY,)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        sorted_ships = (replace(item, ships=tuple(sorted(item.ships))) for item in items)
        return tuple(sorted(sorted_ships, key=lambda d: (d.name, d.budget, d.hex, d.ships, repr(d))))

    def limit(self, view: View) -> int:
        return MOST_FLEETS

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        yield self.key, count_entries(items, "ships"), SHIPS_OF_A_WAR

    def default(self, scenario: Scenario, view: View) -> tuple[Deployed, ...]:
        """The default force list."""
        return default_force(scenario, view.faction)

    def judge(self, judging: Judging) -> list[Violation]:
        faction, orders = judging.view.faction, judging.orders
        drawn = furnished(judging.scenario, designed(judging.scenario, faction, orders.designs))
        return deploy_violations(drawn, faction, self.items(orders))

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        return [_deployed(about, item) for item in tables(items)]

    def anchor(self, item: object, number: int, rest: str) -> str:
        return deploy_anchor(number)


def deploy_anchor(number: int) -> str:
    """Return where a page shows a fleet of a deployment, and what is wrong with it."""
    return f"deploy-{number}"


def _deployed(about: Wording, item: Mapping[str, Any]) -> str:
    counts: dict[str, int] = {}
    for ship in listed(item.get("ships")):
        if isinstance(ship, list) and ship:
            counts[str(ship[0])] = counts.get(str(ship[0]), 0) + 1
    classes = (phrase("{} × {}", count, plain_class(cls)) for cls, count in counts.items())
    ships = joined_phrases(", ", classes) or phrase("no ships")
    if item.get("decoys"):
        ships = joined_phrases(", ", (ships, decoy_words(item["decoys"])))
    return phrase("{} at {}: {}", item.get("name"), about.place(item.get("hex")), ships)


DEPLOY = DeployOrder()
