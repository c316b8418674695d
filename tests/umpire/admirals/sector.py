"""Situations in the Lafayette sector for the admirals' tests: worlds, and views of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from campaign.orders.validation import order_violations
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.orders import Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice, View
from campaign.rules.world import Contact, Fleet, Holding, Pair, Scan, Ship, World
from engine.core.dice import Dice
from umpire.admirals import orders_for

LAFAYETTE, HUDSON, KAKISA, NEW_TOLEDO, VN_459 = "1408", "1104", "0605", "1810", "1212"
MIDWAY_HEX = "1207"


@cache
def lafayette() -> Scenario:
    return fixture_scenario("lafayette")


class Sector:
    """Fleets built ship by ship; `view` returns what a faction sees."""

    def __init__(self) -> None:
        self.fleets: list[Fleet] = []
        self.ships: list[Ship] = []
        self.holdings = {holding.system: holding for holding in initial_world(lafayette()).holdings}

    def fleet(
        self, key: str, hex_: str, ships: Mapping[str, int], *, hurt: Any = None, **changes: Any
    ) -> None:
        """Add a fleet of so many ships of each class; `hurt` changes every one of its ships."""
        faction = key.partition("/")[0]
        self.fleets.append(Fleet(key, faction, f"Fleet {key}", hex_, **changes))
        for cls, many in ships.items():
            for _ in range(many):
                number = len(self.ships) + 1
                self.ships.append(
                    Ship(
                        f"{faction}/s{number}", faction, f"Ship {number}", cls, key, **(hurt or {})
                    )
                )

    def hold(
        self, system: str, holder: str | None, superior: str | None, state: Any = "held"
    ) -> None:
        self.holdings[system] = Holding(system, holder, 1, state, superior)

    def view(
        self,
        faction: str,
        stage: Any = "orders",
        week: int = 3,
        *,
        scans: tuple[Scan, ...] = (),
        contact: str = "",
        previous: View | None = None,
        notices: tuple[Notice, ...] = (),
    ) -> View:
        """Return what a faction sees.

        Args:
            contact: The hex where the two factions have met or are in stand-off.
        """
        in_decisions = contact and stage == "decisions"
        world = World(
            week,
            stage,
            tuple(sorted(self.fleets, key=lambda fleet: fleet.key)),
            tuple(sorted(self.ships, key=lambda ship: ship.key)),
            tuple(sorted(self.holdings.values(), key=lambda holding: holding.system)),
            scans=scans,
            contacts=(Contact(contact, "esu", "nac", "stand-off", "nac"),)
            if contact and not in_decisions
            else (),
            pairs=(Pair(contact, "esu", "nac"),) if in_decisions else (),
        )
        return build_view(lafayette(), world, faction, previous, notices)


def make_orders(view: View, name: str = "steady", seed: int | str = 1) -> Orders:
    """Return an admiral's orders, and check that they are legal."""
    orders = orders_for(lafayette(), view, name, Dice(seed))
    assert order_violations(lafayette(), view, orders) == ()
    return orders


def measure_share(view: View, is_wanted: Any, name: str = "steady", seeds: int = 40) -> float:
    """Return the share of tries in which an admiral's orders are as wanted."""
    return sum(bool(is_wanted(make_orders(view, name, seed))) for seed in range(seeds)) / seeds
