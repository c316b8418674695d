"""Lay: a minelayer leaves mines in its system, before any fleet moves.

Rules: 2E "Minelaying" [camp.minefields]; Continuum "Minelaying" 6.10 [pc.mines]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.events.event import WeekEvent
from campaign.events.mines import MinesLaid
from campaign.orders.cargo_controls import control_name, ship_values
from campaign.orders.line import Line, Word
from campaign.orders.order import (
    Control,
    OrderContext,
    OwnForces,
    PlacePlan,
    Wording,
    entries,
    tables,
)
from campaign.orders.single_ships import SingleShipOrder, items_by_ship
from campaign.rules.orders import Orders, OrderValue
from campaign.rules.queries import (
    has_contact_at,
    pending_entry_week,
    ship_classes,
    side_of,
    system_at,
    with_known_designs,
)
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.starmap import star_map
from campaign.rules.system_mines import (
    MAX_MINES,
    THOUSANDTHS,
    mines_aboard,
    place_in_mu,
    sorted_mines,
    stock_after_laying,
)
from campaign.rules.system_terrain import MIDDLE, is_in_middle, middle_words
from campaign.rules.view import View
from campaign.rules.world import Mine, Ship, World
from engine.core.errors import Violation, fault_path
from engine.core.phrase import Count, phrase
from engine.core.reason import reason

Place = tuple[int, int]
MAX_SIGHTING_AGE = 2  # weeks; admirals fear no older sightings


@dataclass(frozen=True, slots=True)
class Lay(OrderValue):
    """An order that a ship lays a mine at each place, in MU from the middle of the table."""

    ship: str
    at: tuple[Place, ...]


class LayOrder(SingleShipOrder):
    """The mines that ships lay in a week."""

    key = "lay"
    value = Lay
    lines = (
        Line(
            "lay",
            "lay SHIP X,Y [X,Y ...]",
            ("ship", Word("at", "places")),
            "places in MU from the middle of the table, to the right and up",
        ),
    )
    title = phrase("Lay mines")
    help = phrase(
        "A ship with minelayers lays mines before it moves, in the system where it is, if no "
        "hostile faction is there and it is not docked. Choose places in the middle half of the "
        "battle table. The mines lie there in all battles until they explode or are swept. Others "
        "learn of them only by fighting or sweeping there.",
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        lays = [replace(item, at=tuple(sorted(item.at))) for item in items]
        return tuple(sorted(lays, key=repr))

    def twice_words(self, ship: Ship) -> str:
        return reason("lays-twice", "{} has an order to lay mines already", ship.name)

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        for n, item in enumerate(items):
            yield fault_path(self.key, n, "at"), len(entries(item, "at")), MAX_MINES

    def judge(self, context: OrderContext) -> list[Violation]:
        faults: list[Violation] = []
        view = context.view
        counts = Counter(mine.system for mine in view.mines if mine.faction == view.faction)
        for where, ship, item in self.first_orders(context, faults):
            new_faults = [
                *_ship_faults(context, ship, item, f"{where}.ship"),
                *_place_faults(context.scenario, item, f"{where}.at"),
            ]
            system = system_at(context.scenario, context.fleets[ship.fleet].hex)
            if not new_faults and system is not None:
                counts[system.id] += len(item.at)
                if counts[system.id] > MAX_MINES:
                    words = reason("lays-too-many", "at most {} mines in a system", MAX_MINES)
                    new_faults.append(Violation(f"{where}.at", "too-many", words))
            faults += new_faults
            if not new_faults:
                _take_from_stock(context, ship, len(item.at))
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        for item in self.items(orders):
            _take_from_stock(own, own.ships[item.ship], len(item.at))

    def carry_out_in_world(
        self, scenario: Scenario, world: World, orders: Mapping[str, Orders]
    ) -> World:
        new = []
        for faction, item, hex_ in self._laid(world, orders):
            system = system_at(scenario, hex_)
            if system is not None:
                for x, y in item.at:
                    new.append(Mine(system.id, faction, x * THOUSANDTHS, y * THOUSANDTHS))
        if not new:
            return world
        return replace(world, mines=sorted_mines((*world.mines, *new)))

    def week_events(
        self, scenario: Scenario, before: World, after: World, orders: Mapping[str, Orders]
    ) -> list[WeekEvent]:
        names = {ship.key: ship.name for ship in after.ships}
        events: list[WeekEvent] = []
        for faction, item, hex_ in self._laid(after, orders):
            events.append(MinesLaid((faction,), hex_, names[item.ship], len(item.at)))
        return events

    def _laid(self, world: World, orders: Mapping[str, Orders]) -> Iterator[tuple[str, Lay, str]]:
        """Yield the faction, the order and the hex of each ship that lays mines."""
        sealed = {faction: self.items(orders[faction]) for faction in sorted(orders)}
        if not any(sealed.values()):
            return
        hexes = {fleet.key: fleet.hex for fleet in world.fleets}
        fleets = {ship.key: ship.fleet for ship in world.ships}
        for faction, items in sealed.items():
            for item in items:
                yield faction, item, hexes[fleets[item.ship]]

    def advise(self, scenario: Scenario, view: View, orders: Orders) -> tuple[Any, ...]:
        """Return mines in threatened systems that the side holds, where newcomers come from."""
        classes = ship_classes(scenario)
        hexes = {fleet.key: fleet.hex for fleet in view.fleets if not fleet.in_ftl}
        docking = {item.ship for item in orders.dock}
        free_places: dict[str, list[Place]] = {}
        lays = []
        for ship in view.ships:
            hex_ = hexes.get(ship.fleet, "")
            aboard = mines_aboard(classes[ship.cls], ship)
            if ship.is_helpless or ship.key in docking or not aboard:
                continue
            if not _is_threatened(scenario, view, hex_):
                continue
            places = free_places.setdefault(hex_, _free_places(scenario, view, hex_))
            if places:
                lays.append(Lay(ship.key, tuple(places[:aboard])))
                del places[:aboard]
        return tuple(lays)

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            places = [_place_text(place) for place in entries(item, "at")]
            ship = wording.name_of(item.get("ship"))
            lines.append(phrase("{} lays mines at {}", ship, "; ".join(places)))
        return lines

    def changes(self, items: Sequence[Any], names: Mapping[str, str]) -> list[str]:
        count = sum(len(entries(item, "at")) for item in tables(items))
        return [phrase("lays {mines:mine}", mines=Count(count))] if count else []

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        ordered = items_by_ship(items)
        classes = ship_classes(with_known_designs(scenario, view))
        controls = []
        for ship in ships:
            places = [_place_text(place) for place in entries(ordered.get(ship.key, {}), "at")]
            carried = 0 if ship.is_helpless else mines_aboard(classes[ship.cls], ship)
            if not carried and not places:
                continue
            system = _system_of(scenario, view, fleet)
            most = 0 if system is None else carried
            if not most and not places:
                continue
            controls.append(
                Control(
                    control_name(self.key, ship.key),
                    phrase("{} lays mines ({} aboard)", ship.name, most),
                    "places",
                    " ".join(places),
                    hint=phrase(
                        "Click the plan, or write places such as -6,4 0,8: MU to the right of the "
                        "middle of the table, and up."
                    ),
                    plan=_plan(scenario, view, system, most),
                )
            )
        return tuple(controls)

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        orders = []
        for ship, value in ship_values(self.key, posted):
            orders.append({"ship": ship, "at": [_typed_place(word) for word in value.split()]})
        return orders


def _is_threatened(scenario: Scenario, view: View, hex_: str) -> bool:
    """Return whether the side holds an undisturbed system that known foes can reach this week."""
    system = system_at(scenario, hex_)
    if system is None or has_contact_at(view, hex_):
        return False
    own_side = side_of(scenario, view.faction)
    holder_of = {item.system: item.holder for item in view.systems}
    if holder_of[system.id] not in own_side:
        return False
    chart = star_map(scenario)
    return any(
        chart.is_within(hex_of_foe, hex_, scenario.hexes_per_week)
        for hex_of_foe in _hexes_of_foes(view, own_side)
    )


def _hexes_of_foes(view: View, own_side: Collection[str]) -> Iterator[str]:
    """Yield the hexes where others were seen lately."""
    for sighting in view.sightings:
        is_recent = view.week - sighting.week <= MAX_SIGHTING_AGE
        if is_recent and sighting.counts and sighting.faction not in own_side:
            yield sighting.hex


def _free_places(scenario: Scenario, view: View, hex_: str) -> list[Place]:
    """Return places on the side of newcomers where the faction has no mine, a few MU apart."""
    system = system_at(scenario, hex_)
    assert system is not None
    own = [place_in_mu(mine) for mine in view.mines if mine.system == system.id and mine.faction]
    width, depth = (length // 2 // MIDDLE for length in scenario.table)
    places = []
    for x in (-2 * width // 3, -width // 3):
        for y in (0, depth // 2, -depth // 2, depth, -depth):
            if [x, y] not in own:
                places.append((x, y))
    return places


def _ship_faults(context: OrderContext, ship: Ship, item: Lay, where: str) -> list[Violation]:
    """Return the faults of a ship that cannot lay so many mines where it is."""
    fleet = context.fleets[ship.fleet]
    system = system_at(context.scenario, fleet.hex)
    is_away = fleet.in_ftl or pending_entry_week(context.scenario, fleet, context.view.week)
    if system is None or is_away:
        words = reason("loads-not-there", "{} is in no system", ship.name)
        return [Violation(where, "not-there", words)]
    if ship.is_helpless:
        words = reason("lays-helpless", "{} is docked or laid up", ship.name)
        return [Violation(where, "docked", words)]
    if has_contact_at(context.view, fleet.hex):
        words = reason("lays-disturbed", "a hostile faction is at {}", system.name)
        return [Violation(where, "disturbed", words)]
    aboard = mines_aboard(context.classes[ship.cls], ship)
    if aboard < max(1, len(item.at)):
        words = reason("lays-more-than-aboard", "{} can lay {} mines", ship.name, aboard)
        return [Violation(where, "no-mines", words)]
    return []


def _place_faults(scenario: Scenario, item: Lay, where: str) -> list[Violation]:
    """Return the faults of the places of an order."""
    if not item.at:
        words = reason("lays-nowhere", "name at least one place")
        return [Violation(where, "no-places", words)]
    faults = []
    for number, (x, y) in enumerate(item.at):
        if not is_in_middle(x, y, scenario.table):
            words = middle_words(scenario.table)
            faults.append(Violation(f"{where}{fault_path(number)}", "off-middle", words))
    return faults


def _take_from_stock(own: OwnForces, ship: Ship, count: int) -> None:
    """Take mines from the stores of a ship."""
    stock = stock_after_laying(own.classes[ship.cls], ship, count)
    own.change_ships({ship.key: replace(ship, stock=tuple(sorted(stock.items())))})


def _system_of(scenario: Scenario, view: View, fleet_key: str) -> StarSystem | None:
    """Return the system where a fleet is, if no foe is known to be there."""
    for fleet in view.fleets:
        if fleet.key == fleet_key and not fleet.in_ftl and not has_contact_at(view, fleet.hex):
            return system_at(scenario, fleet.hex)
    return None


def _plan(scenario: Scenario, view: View, system: StarSystem | None, most: int) -> PlacePlan | None:
    """Return the plan of the middle of the table, on which places are clicked."""
    if system is None:
        return None
    width, depth = scenario.table
    bodies = []
    for entry in system.terrain:
        if "at" in entry:
            bodies.append((*entry["at"], entry.get("radius", 1)))
    mines = [place_in_mu(mine) for mine in view.mines if mine.system == system.id]
    return PlacePlan(
        half_width=width // 2 // MIDDLE,
        half_depth=depth // 2 // MIDDLE,
        most=most,
        bodies=tuple(bodies),
        mines=tuple((x, y) for x, y in mines),
    )


def _place_text(place: object) -> str:
    """Return a place as people write it: `-6,4`."""
    if isinstance(place, list):
        return ",".join(map(str, place))
    return str(place)


def _typed_place(word: str) -> Any:
    """Return the place that a word gives; other words as they are, which is a fault."""
    parts = word.split(",")
    try:
        return [int(part) for part in parts]
    except ValueError:
        return word


LAY = LayOrder()
