"""Open markers: play without hidden movement.

Every fleet lies on the map for all to see, its strength does not.

Beside its fleets a faction has dummy counters, markers without ships that move as fleets do. Others
know a fleet and a dummy by the same things: a number drawn by lot, its hex, and where it was a week
before. A dummy is a `Fleet` of `World.dummies`, called `ember/d1`; it is in no list of fleets, so
nothing that asks for ships or eyes ever finds it.
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
    """Every marker on the map, by faction and number: the same for whoever looks; none where
    movement is hidden.

    Fleets that still wait to enter the map are not on it. Who withdrew is in FTL space where he
    was, and is shown.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not scenario.open_play:
        return ()
    marks = {mark.key: mark for mark in world.marks}
    markers = [
        Marker(fleet.faction, marks[fleet.key].code, fleet.hex, marks[fleet.key].was)
        for fleet in (*world.fleets, *world.dummies)
        if fleet.key in marks and pending_entry_week(scenario, fleet, world.week) is None
    ]
    return tuple(sorted(markers, key=lambda marker: (marker.faction, marker.code)))


def own_dummies(world: World, faction: str) -> tuple[Fleet, ...]:
    """A faction's dummy counters, by key."""
    return tuple(
        sorted(
            (dummy for dummy in world.dummies if dummy.faction == faction),
            key=lambda dummy: dummy.key,
        )
    )


def own_marks(world: World, faction: str) -> tuple[Mark, ...]:
    """The marks that others know a faction's own fleets and dummies by, those that are gone too, by
    key.
    """
    return tuple(
        sorted(
            (mark for mark in world.marks if _owner(mark.key) == faction), key=lambda mark: mark.key
        )
    )


def reserve_of(world: World, faction: str) -> int:
    """The number of dummy counters that a faction may still put on the map."""
    return dict(world.reserve).get(faction, 0)


def dummies_allowed(scenario: Scenario, fleets: int) -> int:
    """The dummy counters of a faction that begins with so many fleets."""
    if not scenario.open_play:
        return 0
    return fleets if scenario.dummies is None else scenario.dummies


def fleets_at_start(scenario: Scenario, faction: str, orders: Orders) -> int:
    """The fleets a faction begins with: those of its deployment, else those of its default
    force.
    """
    return len(orders.deploy) or len(dict(scenario.defaults).get(faction, ()))


def starting_places(scenario: Scenario, faction: str) -> tuple[str, ...]:
    """The hexes where a faction's fleets may begin, and so its dummies, in order."""
    budgets = budgets_of(scenario, faction).values()
    return tuple(sorted({label for budget in budgets for label in places_of(scenario, budget)}))


def dummy_counter(faction: str, key: str, hex_: str) -> Fleet:
    """Return a dummy counter. Only its owner ever reads its name."""
    return Fleet(
        key=key, faction=faction, name=phrase("Dummy {}", key.rpartition("/d")[2]), hex=hex_
    )


def _owner(key: str) -> str:
    return key.partition("/")[0]
