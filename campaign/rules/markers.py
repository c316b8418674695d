"""Open markers: play without hidden movement.

Every fleet has a marker on the map that all can see; its strength stays hidden. Besides its fleets
a faction has dummy counters, markers without ships that move like fleets. Others see the same of a
fleet and of a dummy: a number drawn by lot, its hex, and its hex a week before. A dummy is a
`Fleet` in `World.dummies`, with a key like `ember/d1`; it is in no list of fleets, so code that
looks for ships or observers never finds it.
"""

from __future__ import annotations

from campaign.rules.forces import places_of
from campaign.rules.orders import Orders
from campaign.rules.queries import budgets_of, pending_entry_week
from campaign.rules.scenario import Scenario
from campaign.rules.view import Marker
from campaign.rules.world import Fleet, Mark, World
from engine.core.phrase import phrase


def open_markers(scenario: Scenario, world: World) -> tuple[Marker, ...]:
    """Return every marker on the map by faction and number, the same for every viewer.

    There are none if movement is hidden. Fleets still waiting to enter the map have none. A fleet
    that withdrew is in FTL space in its hex, and is shown.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not scenario.open_play:
        return ()
    marks = {mark.key: mark for mark in world.marks}
    markers = []
    for fleet in (*world.fleets, *world.dummies):
        mark = marks.get(fleet.key)
        if mark is not None and pending_entry_week(scenario, fleet, world.week) is None:
            markers.append(Marker(fleet.faction, mark.code, fleet.hex, mark.previous_hex))
    return tuple(sorted(markers, key=lambda marker: (marker.faction, marker.code)))


def own_dummies(world: World, faction: str) -> tuple[Fleet, ...]:
    """Return a faction's dummy counters by key."""
    dummies = [dummy for dummy in world.dummies if dummy.faction == faction]
    return tuple(sorted(dummies, key=lambda dummy: dummy.key))


def own_marks(world: World, faction: str) -> tuple[Mark, ...]:
    """Return the marks of a faction's fleets and dummies by key, including those that are gone."""
    marks = [mark for mark in world.marks if _owner(mark.key) == faction]
    return tuple(sorted(marks, key=lambda mark: mark.key))


def reserve_of(world: World, faction: str) -> int:
    """Return how many dummy counters a faction may still place on the map."""
    return dict(world.reserve).get(faction, 0)


def dummies_allowed(scenario: Scenario, fleets: int) -> int:
    """Return the number of dummy counters of a faction that begins with this many fleets."""
    if not scenario.open_play:
        return 0
    if scenario.dummies is None:
        return fleets
    return scenario.dummies


def fleets_at_start(scenario: Scenario, faction: str, orders: Orders) -> int:
    """Return the number of fleets of a faction's deployment, or of its default force."""
    return len(orders.deploy) or len(dict(scenario.defaults).get(faction, ()))


def starting_places(scenario: Scenario, faction: str) -> tuple[str, ...]:
    """Return the hexes where a faction's fleets, and so its dummies, may begin, in order."""
    hexes: set[str] = set()
    for budget in budgets_of(scenario, faction).values():
        hexes.update(places_of(scenario, budget))
    return tuple(sorted(hexes))


def dummy_counter(faction: str, key: str, hex_: str) -> Fleet:
    """Return a dummy counter. Only its owner sees its name."""
    number = key.rpartition("/d")[2]
    return Fleet(key=key, faction=faction, name=phrase("Dummy {}", number), hex=hex_)


def _owner(key: str) -> str:
    """Return the faction of a fleet or counter, by its key."""
    return key.partition("/")[0]
