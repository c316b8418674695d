"""The effect of a week's orders on a faction's own fleets and ships, and where they go.

The resolution of a week and the preview of orders both call `carry_out_orders` and
`moved_fleet`, so that players are shown what happens. The preview knows no more than the View:
neither the dice by which fleets in contact get away, nor what other factions do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter

from campaign.orders.dummies import dummies_after
from campaign.orders.order import OwnForces
from campaign.orders.registry import week_sequence
from campaign.orders.yards import works_after
from campaign.rules.movement import moved_fleet, release_decoys
from campaign.rules.orders import Orders
from campaign.rules.perceive import standing_at
from campaign.rules.queries import grounded, in_sight, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, Work


def carry_out_orders(own: OwnForces, orders: Orders) -> None:
    """Change a faction's own fleets and ships as its lawful orders say, before anybody moves.

    Rules: 2E "The campaign map" [camp.fleets]
    """
    for order in week_sequence():
        lost = len(own.lost)
        order.carry_out(own, orders)
        if len(own.lost) > lost and not order.comes_first:
            name = type(order).__name__
            raise ValueError(
                f"{name} loses ships: it needs comes_first, so that others are judged after it"
            )


@dataclass(frozen=True, slots=True)
class FleetPreview:
    """A fleet, or a dummy counter, as lawful orders leave it at the end of movement.

    Attributes:
        fleet: The fleet after the move, or where it stays.
        start: The hex where it is now.
        ships: Its ships, in the order of their keys.
        withdraws: Its faction is in contact at `start` and withdraws. Dice decide whether it
            gets away; else it stays.
    """

    fleet: Fleet
    start: str
    ships: tuple[Ship, ...] = ()
    withdraws: bool = False

    @property
    def goes(self) -> bool:
        """Whether it leaves its hex."""
        return self.fleet.hex != self.start


@dataclass(frozen=True, slots=True)
class WeekPreview:
    """What lawful orders do with a faction's own fleets.

    Attributes:
        fleets: The fleets and dummy counters that there are after the orders, by key.
        merged: For each fleet whose ships all go elsewhere the keys of the fleets they go to.
        works: What its yards have to do then.
    """

    fleets: dict[str, FleetPreview]
    merged: dict[str, tuple[str, ...]] = field(default_factory=dict)
    works: tuple[Work, ...] = ()


def preview(scenario: Scenario, view: View, orders: Orders) -> WeekPreview:
    """Work out what lawful orders do, by the faction's own View alone."""
    classes = ship_classes(in_sight(scenario, view))
    own = OwnForces(
        classes=classes,
        fleets={fleet.key: fleet for fleet in view.fleets},
        ships={ship.key: ship for ship in view.ships},
    )
    carry_out_orders(own, orders)
    fleets, ships = own.fleets, own.ships
    moves = {move.fleet: move for move in orders.moves}
    withdrawing = _withdrawing(view, orders, fleets)
    chart = star_map(scenario)
    found: dict[str, FleetPreview] = {}
    for key, fleet in sorted(fleets.items()):
        crew = tuple(sorted(own.ships_of.get(key, ()), key=attrgetter("key")))
        held = {ship.key for ship in grounded(classes, crew)}
        goers = [ship for ship in crew if ship.key not in held]
        withdraws = bool(goers) and fleet.hex in withdrawing and not fleet.in_ftl
        going = replace(fleet, must_leave=True) if withdraws else fleet
        moving = goers if withdraws else crew
        after = moved_fleet(scenario, classes, chart, going, moving, moves.get(key))
        found[key] = FleetPreview(after, fleet.hex, crew, withdraws)
    ends = [one.fleet for one in found.values()]
    for fleet in release_decoys(scenario, ends, orders.settings, ships.values()):
        found[fleet.key] = replace(found[fleet.key], fleet=fleet)
    for key, dummy in sorted(dummies_after(view, orders.dummies).items()):
        after = moved_fleet(scenario, classes, chart, dummy, (), moves.get(key))
        found[key] = FleetPreview(after, dummy.hex)
    works = tuple(works_after(view.faction, view.works, orders))
    return WeekPreview(found, _merged(view, ships, fleets), works)


def _withdrawing(view: View, orders: Orders, fleets: Mapping[str, Fleet]) -> set[str]:
    """The hexes where the faction withdraws: it says so, or one of its fleets moves out.

    Where nothing is said, standing orders count. Their conditions ask for a scan of this week, of
    which there is none yet.
    """
    moving = [fleets[move.fleet] for move in orders.moves if move.fleet in fleets]
    leaving = {fleet.hex for fleet in moving if not fleet.in_ftl}
    said = {(item.hex, item.toward): item.choice for item in orders.decide}
    found = set()
    for touch in view.in_contact:
        standing = standing_at(fleets.values(), touch.hex, None)
        choice = said.get((touch.hex, touch.toward)) or standing
        if touch.hex in leaving or choice == "withdraw":
            found.add(touch.hex)
    return found


def _merged(
    view: View,
    ships: Mapping[str, Ship],
    fleets: Mapping[str, Fleet],
) -> dict[str, tuple[str, ...]]:
    """For each fleet that is gone, the fleets its ships went to."""
    into: dict[str, list[str]] = {}
    for ship in view.ships:
        if ship.fleet not in fleets and ship.key in ships:
            into.setdefault(ship.fleet, []).append(ships[ship.key].fleet)
    return {key: tuple(dict.fromkeys(heirs)) for key, heirs in into.items()}
