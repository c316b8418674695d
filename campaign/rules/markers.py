"""Open markers: play without hidden movement. Every fleet lies on the map for all to see, its strength does not.

Beside its fleets a faction has dummy counters, markers without ships that move as fleets do. Others know a fleet and a
dummy by the same things: a number drawn by lot, its hex, and where it was a week before. A dummy is a `Fleet` of
`World.dummies`, called `ember/d1`; it is in no list of fleets, so nothing that asks for ships or eyes ever finds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.kinds import StageKind
from campaign.rules.forces import places_of
from campaign.rules.orders import Dummy, Orders
from campaign.rules.queries import budgets_of, may_not_enter
from campaign.rules.scenario import Scenario
from campaign.rules.view import Marker, View
from campaign.rules.world import Fleet, Mark, World
from engine.core.errors import Violation, place
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.english import counted_noun


def markers_open(scenario: Scenario, world: World) -> tuple[Marker, ...]:
    """Every marker on the map, by faction and number: the same for whoever looks; none where movement is hidden.

    Fleets that still wait to enter the map are not on it. Who withdrew is in FTL space where he was, and is shown.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not scenario.open_play:
        return ()
    marks = {mark.key: mark for mark in world.marks}
    found = [
        Marker(fleet.faction, marks[fleet.key].code, fleet.hex, marks[fleet.key].was)
        for fleet in (*world.fleets, *world.dummies)
        if fleet.key in marks and may_not_enter(scenario, fleet, world.week) is None
    ]
    return tuple(sorted(found, key=lambda marker: (marker.faction, marker.code)))


def own_dummies(world: World, faction: str) -> tuple[Fleet, ...]:
    """A faction's dummy counters, by key."""
    return tuple(sorted((dummy for dummy in world.dummies if dummy.faction == faction), key=lambda dummy: dummy.key))


def own_marks(world: World, faction: str) -> tuple[Mark, ...]:
    """The marks that others know a faction's own fleets and dummies by, those that are gone too, by key."""
    return tuple(sorted((mark for mark in world.marks if _owner(mark.key) == faction), key=lambda mark: mark.key))


def reserve_of(world: World, faction: str) -> int:
    """The number of dummy counters that a faction may still put on the map."""
    return dict(world.reserve).get(faction, 0)


def dummies_allowed(scenario: Scenario, fleets: int) -> int:
    """The dummy counters of a faction that begins with so many fleets."""
    if not scenario.open_play:
        return 0
    return fleets if scenario.dummies is None else scenario.dummies


def fleets_at_start(scenario: Scenario, faction: str, orders: Orders) -> int:
    """The fleets a faction begins with: those of its deployment, else those of its default force."""
    return len(orders.deploy) or len(dict(scenario.defaults).get(faction, ()))


def starting_places(scenario: Scenario, faction: str) -> tuple[str, ...]:
    """The hexes where a faction's fleets may begin, and so its dummies, in order."""
    budgets = budgets_of(scenario, faction).values()
    return tuple(sorted({label for budget in budgets for label in places_of(scenario, budget)}))


def dummy(faction: str, key: str, hex_: str) -> Fleet:
    """A dummy counter; only its owner ever reads its name."""
    return Fleet(key=key, faction=faction, name=phrase("Dummy {}", key.rpartition("/d")[2]), hex=hex_)


def dummy_violations(scenario: Scenario, view: View, orders: Orders) -> list[Violation]:
    """The faults of what is ordered of dummy counters themselves; their moves are judged as those of fleets.

    One goes on the map where fleets of its faction may begin, and later where a fleet of its faction is.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if orders.dummies and not scenario.open_play:
        return [
            Violation(
                "dummies",
                "hidden-movement",
                reason("hidden-movement", "this war has hidden movement, and no dummy counters"),
            )
        ]
    if view.stage == StageKind.DEPLOY:
        at, left = starting_places(scenario, view.faction), fleets_at_start(scenario, view.faction, orders)
        return _dummies(view, orders.dummies, at, dummies_allowed(scenario, left))
    return _dummies(view, orders.dummies, tuple(sorted({fleet.hex for fleet in view.fleets})), view.reserve)


def _dummies(view: View, dummies: Iterable[Dummy], at: tuple[str, ...], left: int) -> list[Violation]:
    found: list[Violation] = []
    out = {item.key for item in view.dummies}
    used = {mark.key for mark in view.marks}
    seen: dict[str, int] = {}
    new = 0
    for n, item in enumerate(dummies):
        where = place("dummies", n)
        if item.dummy in seen:
            words = reason(
                "already-orders-dummies", "{} already has orders in dummies[{}]", item.dummy, seen[item.dummy]
            )
            found.append(Violation(f"{where}.dummy", "twice", words))
        seen.setdefault(item.dummy, n)
        if bool(item.hex) == item.remove:
            found.append(
                Violation(
                    where, "hex-or-remove", reason("hex-or-remove", "place a dummy in a hex or remove it from the map")
                )
            )
        elif item.remove and item.dummy not in out:
            found.append(
                Violation(
                    f"{where}.dummy",
                    "unknown-dummy",
                    reason("unknown-dummy", "you have no dummy '{}' on the map", item.dummy),
                )
            )
        elif item.hex:
            new += 1
            found.extend(_put_down(view.faction, item, used, at, where))
            if new > left:
                words = reason("you-left-place", "you have {} left to place", counted_noun(left, "dummy counter"))
                found.append(Violation(where, "too-many-dummies", words))
    return found


def _put_down(faction: str, item: Dummy, used: set[str], at: tuple[str, ...], where: str) -> list[Violation]:
    found = []
    if not re.fullmatch(rf"{re.escape(faction)}/d[1-9][0-9]{{0,2}}", item.dummy):
        words = reason("new-dummy-needs-key", "a new dummy needs a key like {}/d3, not '{}'", faction, item.dummy)
        found.append(Violation(f"{where}.dummy", "bad-key", words))
    elif item.dummy in used:
        found.append(
            Violation(
                f"{where}.dummy",
                "not-new",
                reason("already-placed-earlier", "{} was already placed earlier", item.dummy),
            )
        )
    if item.hex not in at:
        words = reason(
            "dummy-placed-only-where", "a dummy can be placed only where you have fleets, not in {}", item.hex
        )
        found.append(Violation(f"{where}.hex", "wrong-place", words))
    return found


def dummies_after(view: View, dummies: Iterable[Dummy]) -> dict[str, Fleet]:
    """A faction's dummy counters by key, after what is ordered of them and before any moves."""
    found = {item.key: item for item in view.dummies}
    for item in dummies:
        if item.remove:
            found.pop(item.dummy, None)
        elif item.hex:
            found.setdefault(item.dummy, dummy(view.faction, item.dummy, item.hex))
    return found


def dummies_ordered(world: World, orders: Mapping[str, Orders]) -> World:
    """The world with lawful dummy counters put down (from the reserve) and taken off; nobody has moved yet.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not any(sheet.dummies for sheet in orders.values()):
        return world
    found = {item.key: item for item in world.dummies}
    reserve = dict(world.reserve)
    for faction in sorted(orders):
        for item in orders[faction].dummies:
            if item.remove:
                found.pop(item.dummy, None)
            else:
                found[item.dummy] = dummy(faction, item.dummy, item.hex)
                reserve[faction] = reserve.get(faction, 0) - 1
    return replace(world, dummies=tuple(found[key] for key in sorted(found)), reserve=tuple(sorted(reserve.items())))


def _owner(key: str) -> str:
    return key.partition("/")[0]
