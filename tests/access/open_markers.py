"""Pairs of worlds with the same open markers and different things behind them.

For every foreign marker, each world draws anew whether a fleet is behind it, and which.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.rules.hexes import labels
from campaign.rules.orders import Dummy, Move, Orders
from campaign.rules.scenario import Scenario
from campaign.rules.world import Fleet, Mark, World
from tests.access.two_worlds import WorldPair

MOST = 7  # markers of a faction


@dataclass(frozen=True)
class PlacedMarker:
    """A marker on the map: number, hex, and earlier hex."""

    code: int
    hex: str
    was: str


class OpenMap:
    """The markers on the map, drawn once; `apply_to` puts them into a world."""

    def __init__(
        self, dice: random.Random, scenario: Scenario, viewer: str, own_fleets: Sequence[Fleet]
    ) -> None:
        self.viewer = viewer
        places = labels(scenario.columns, scenario.rows)
        systems = [system.hex for system in scenario.systems]
        self.hexes = dice.sample(places, 12) + systems

        def lying(code: int) -> PlacedMarker:
            return PlacedMarker(
                code, dice.choice(self.hexes), dice.choice(("", dice.choice(self.hexes)))
            )

        others = [faction.id for faction in scenario.factions if faction.id != viewer]
        self.other_markers = {
            key: [lying(code) for code in range(1, dice.randint(2, MOST))] for key in others
        }
        self.dummies = tuple(
            _dummy(viewer, n, dice.choice(self.hexes)) for n in range(1, dice.randint(2, 4))
        )
        codes = dice.sample(range(1, 30), len(own_fleets) + len(self.dummies) + 1)
        keys = [
            *(fleet.key for fleet in own_fleets),
            *(dummy.key for dummy in self.dummies),
            f"{viewer}/d9",
        ]
        self.marks = tuple(
            Mark(key, code, dice.choice(self.hexes)) for key, code in zip(keys, codes, strict=True)
        )
        self.reserve = dice.randint(0, 2)

    def apply_to(self, dice: random.Random, world: World) -> World:
        """Return the world with these markers: foreign fleets behind some, nothing behind the rest."""
        fleets = [fleet for fleet in world.fleets if fleet.faction == self.viewer]
        dummies, marks = list(self.dummies), list(self.marks)
        for faction, lying in self.other_markers.items():
            faction_fleets = [fleet for fleet in world.fleets if fleet.faction == faction]
            real = dice.sample(
                faction_fleets, min(len(faction_fleets), dice.randint(0, len(lying)))
            )
            names = dice.sample(range(1, 60), len(lying) + 1)
            for place, marker in enumerate(dice.sample(lying, len(lying))):
                if place < len(real):
                    behind = replace(real[place], hex=marker.hex)
                    fleets.append(behind)
                else:
                    behind = _dummy(faction, names[place], marker.hex)
                    dummies.append(behind)
                marks.append(Mark(behind.key, marker.code, marker.was))
            marks.append(Mark(f"{faction}/d{names[-1]}", 70 + dice.randint(0, 20)))  # gone
        manned = {fleet.key for fleet in fleets}
        reserves = [
            (self.viewer, self.reserve),
            *((faction, dice.randint(0, 5)) for faction in self.other_markers),
        ]
        return replace(
            world,
            fleets=_shuffled(dice, fleets),
            ships=tuple(ship for ship in world.ships if ship.fleet in manned),
            dummies=_shuffled(dice, dummies),
            marks=_shuffled(dice, marks),
            reserve=_shuffled(dice, reserves),
        )


def with_open_markers(dice: random.Random, two: WorldPair) -> WorldPair:
    """Return the pair with open markers; its orders try markers of both worlds."""
    own_fleets = [fleet for fleet in two.a.fleets if fleet.faction == two.viewer]
    scenario = replace(two.scenario, open_play=True, shared_sight=False)
    scenario_b = replace(two.scenario_b or two.scenario, open_play=True, shared_sight=False)
    lying = OpenMap(dice, scenario, two.viewer, sorted(own_fleets, key=lambda fleet: fleet.key))
    a, b = lying.apply_to(dice, two.a), lying.apply_to(dice, two.b)
    orders = _orders(dice, two, lying, a, b)
    return replace(two, scenario=scenario, scenario_b=scenario_b, a=a, b=b, orders=orders)


def _orders(dice: random.Random, two: WorldPair, lying: OpenMap, *worlds: World) -> Orders:
    keys = [dummy.key for world in worlds for dummy in world.dummies]
    return replace(
        two.orders,
        moves=(
            *two.orders.moves,
            *(Move(key, to=dice.choice(lying.hexes)) for key in dice.choices(keys, k=2)),
        ),
        dummies=tuple(
            Dummy(key, remove=True) if dice.random() < 0.5 else Dummy(key, dice.choice(lying.hexes))
            for key in (*dice.choices(keys, k=3), f"{two.viewer}/d20")
        ),
    )


def _dummy(faction: str, number: int, hex_: str) -> Fleet:
    return Fleet(f"{faction}/d{number}", faction, f"Dummy {number}", hex_)


def _shuffled(dice: random.Random, items: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(dice.sample(items, len(items)))
