"""Shipyards: ships to build or modify, and work to cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.line import Line, Word
from campaign.orders.order import SPARE_ORDERS, Order, OrderContext, Wording, tables
from campaign.rules.designs import add_designs, buildable_classes
from campaign.rules.fleet_violations import name_faults
from campaign.rules.forces import class_faults, last_number
from campaign.rules.one_navy import new_navy_faults
from campaign.rules.orders import Build, Orders
from campaign.rules.queries import ship_classes, short_class_name, with_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.world import Work, World
from campaign.rules.yards import may_build, own_yards
from engine.core.errors import Violation, fault_path
from engine.core.limits import ships_of_a_navy
from engine.core.phrase import phrase
from engine.core.reason import reason

MAX_WORKS = 40  # of all yards of a faction


class BuildOrder(Order):
    """Ships to build or modify, in the order in which the yards begin them.

    Work ordered in earlier weeks comes first. An order for which points or yard capacity are
    lacking this week has no fault: it waits.
    """

    key = "build"
    is_listed_separately = True
    value = Build
    ship_names = ("ship",)
    lines = (
        Line("build", "build HEX CLASS NAME", ("hex", "cls", "name")),
        Line(
            "convert",
            "convert HEX CLASS SHIP",
            ("hex", "cls", "ship"),
            "a docked ship is modified to that class",
        ),
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return items

    def limit(self, view: View) -> int:
        return MAX_WORKS + SPARE_ORDERS

    def judge(self, context: OrderContext) -> list[Violation]:
        """Return the faults of building orders after the detachments and docks of the week.

        Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
        """
        builds = self.items(context.orders)
        if not builds:
            return []
        view = context.view
        new_designs = buildable_classes(context.scenario, view.faction, context.orders.designs)
        scenario = with_classes(context.scenario, new_designs)
        classes = ship_classes(scenario)
        yards = own_yards(scenario, view, context.fleets, context.ships.values())
        missing = class_faults(scenario, view.faction, [item.cls for item in builds])
        open_works = [work for work in view.works if work.key not in context.orders.cancel]
        used_names = {ship.name for ship in context.ships.values()}
        used_names |= {work.name for work in open_works if not work.ship}
        ships_in_work = {work.ship for work in open_works if work.ship}
        faults = self._count_faults(context, builds, open_works)
        navy = _own_classes(context, classes)
        for n, item in enumerate(builds):
            where = fault_path(self.key, n)
            cls = classes.get(item.cls)
            if cls is None or not may_build(view.faction, cls):
                class_title = short_class_name(item.cls)
                words = reason("your-yards-know-no", "your yards have no class '{}'", class_title)
                faults.append(Violation(f"{where}.cls", "unknown-class", words))
                continue
            for code, message in missing.get(item.cls, ()):
                faults.append(Violation(f"{where}.cls", code, message))
            faults += new_navy_faults(scenario, navy, cls, f"{where}.cls")
            navy.append(cls)
            faults += _yard_faults(item, cls, yards, where)
            if item.ship:
                faults += _modification_faults(context, classes, cls, item=item, where=where)
                faults += _second_work_faults(item, ships_in_work, where)
            else:
                faults += _new_name_faults(item, used_names, where)
        return faults

    def _count_faults(
        self,
        context: OrderContext,
        builds: Sequence[Build],
        open_works: Sequence[Work],
    ) -> list[Violation]:
        """Return the faults of too much work, and of too many ships when it is done.

        Args:
            open_works: The work that the yards have already and that is not cancelled.
        """
        return [
            *self._work_faults(len(open_works) + len(builds)),
            *self._navy_faults(context, builds, open_works),
        ]

    def _work_faults(self, works: int) -> list[Violation]:
        """Return the fault of more work than the yards take."""
        if works <= MAX_WORKS:
            return []
        words = reason(
            "yards-told-too-much",
            "your yards can take orders for at most {} ships",
            MAX_WORKS,
        )
        return [Violation(self.key, "too-many", words)]

    def _navy_faults(
        self,
        context: OrderContext,
        builds: Sequence[Build],
        open_works: Sequence[Work],
    ) -> list[Violation]:
        """Return the fault of a navy that is too large once its new ships are built."""
        new_ships = sum(not work.ship for work in open_works)
        new_ships += sum(not item.ship for item in builds)
        most = ships_of_a_navy(len(context.scenario.factions))
        if not new_ships or len(context.ships) + new_ships <= most:
            return []
        words = reason("navy-too-large", "your navy can have at most {} ships", most)
        return [Violation(self.key, "too-many-ships", words)]

    def carry_out_in_world(
        self,
        scenario: Scenario,
        world: World,
        orders: Mapping[str, Orders],
    ) -> World:
        """Add the ordered work after the yards' present work, and add the new designs.

        Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
        """
        if not any(sheet.build or sheet.cancel or sheet.designs for sheet in orders.values()):
            return world
        works: list[Work] = []
        for faction in sorted({work.faction for work in world.works} | set(orders)):
            before = [work for work in world.works if work.faction == faction]
            works += works_after(faction, before, orders.get(faction, Orders()))
        designs = add_designs(scenario, world.designs, orders)
        return replace(world, works=tuple(works), designs=designs)

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        return [_build_words(wording, item) for item in tables(items)]

    def anchor(self, item: object, number: int, rest: str) -> str:
        if isinstance(item, dict):
            return yard_anchor(item.get("hex"))
        return ""


class CancelOrder(Order):
    """Work that the yards have not begun and that is to be cancelled."""

    key = "cancel"
    is_listed_separately = True
    value = str
    lines = (Line("cancel", "cancel WORK", (Word(""),)),)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items))

    def limit(self, view: View) -> int:
        return MAX_WORKS + SPARE_ORDERS

    def judge(self, context: OrderContext) -> list[Violation]:
        works = {work.key for work in context.view.works}
        faults = []
        for n, key in enumerate(self.items(context.orders)):
            if key not in works:
                words = reason("unknown-work", "your yards have no work '{}'", key)
                faults.append(Violation(fault_path(self.key, n), "unknown-work", words))
            works.discard(key)
        return faults

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        works = {work.key: work for work in wording.view.works}
        lines = []
        for key in items:
            work = works.get(str(key))
            if work is None:
                lines.append(phrase("Cancelled, but already finished"))
            else:
                lines.append(phrase("{} is cancelled", _work_words(wording, work)))
        return lines


def yard_anchor(hex_: object) -> str:
    """Return the id of the page element for the yards of a hex."""
    return f"yard-{hex_}"


def works_after(faction: str, works: Sequence[Work], orders: Orders) -> list[Work]:
    """Return the work of a faction's yards after its valid orders, in the order it is done.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    number = last_number(work.key for work in works)
    after = [work for work in works if work.key not in orders.cancel]
    for n, item in enumerate(orders.build, start=number + 1):
        key = f"{faction}/w{n}"
        work = Work(
            key=key,
            faction=faction,
            hex=item.hex,
            cls=item.cls,
            name=item.name,
            ship=item.ship,
        )
        after.append(work)
    return after


def _own_classes(context: OrderContext, classes: Mapping[str, ShipClass]) -> list[ShipClass]:
    """Return the class of each ship that the faction built, without ships taken from others."""
    prefix = f"{context.view.faction}/"
    return [
        classes[ship.cls]
        for ship in context.ships.values()
        if ship.key.startswith(prefix) and ship.cls in classes
    ]


def _yard_faults(
    item: Build,
    cls: ShipClass,
    yards: Mapping[str, int],
    where: str,
) -> list[Violation]:
    """Return the fault of a hex without a yard, or with yards that are too small.

    Args:
        yards: The mass of the largest ship that can be built in each hex.
    """
    if item.hex not in yards:
        words = reason("no-yard", "you have no working shipyard in {}", item.hex)
        return [Violation(f"{where}.hex", "no-yard", words)]
    if cls.mass > yards[item.hex]:
        words = reason(
            "mass-yard-takes-ships",
            "'{}' has mass {}; this yard builds ships of up to {}",
            short_class_name(item.cls),
            cls.mass,
            yards[item.hex],
        )
        return [Violation(f"{where}.cls", "ship-too-large", words)]
    return []


def _second_work_faults(item: Build, ships_in_work: set[str], where: str) -> list[Violation]:
    """Return the fault of a ship that a yard is to modify already; the ship is added to these."""
    faults = []
    if item.ship in ships_in_work:
        words = reason("yards-ship-modify-already", "a yard already has orders to modify that ship")
        faults.append(Violation(f"{where}.ship", "twice", words))
    ships_in_work.add(item.ship)
    return faults


def _new_name_faults(item: Build, used_names: set[str], where: str) -> list[Violation]:
    """Return the faults of a new ship's name; the name is added to the used ones."""
    faults = name_faults(item.name, f"{where}.name")
    if item.name in used_names:
        words = reason("name-used", "the name '{}' is already used", item.name)
        faults.append(Violation(f"{where}.name", "twice", words))
    used_names.add(item.name)
    return faults


def _modification_faults(
    context: OrderContext,
    classes: Mapping[str, ShipClass],
    cls: ShipClass,
    *,
    item: Build,
    where: str,
) -> list[Violation]:
    """Return why a ship cannot be modified. It must be docked there, and keeps mass and hull.

    Args:
        classes: All classes by name, new designs included.
        cls: The class that the ship is to have.
    """
    ship = context.ships.get(item.ship)
    if ship is None:
        words = reason("you-no-such-ship", "you have no such ship")
        return [Violation(f"{where}.ship", "unknown-ship", words)]
    faults = []
    if not ship.docked or context.fleets[ship.fleet].hex != item.hex:
        words = reason("not-docked", "{} must dock in {} to be modified", ship.name, item.hex)
        faults.append(Violation(f"{where}.ship", "not-docked", words))
    before = classes[ship.cls]
    if ship.cls == cls.name:
        words = reason("same-class", "{} is already of that class", ship.name)
        faults.append(Violation(f"{where}.cls", "same-class", words))
    elif before.mass != cls.mass or before.damage_points != cls.damage_points:
        words = reason(
            "become-only-ship-mass",
            "{} can be rebuilt only as a ship of the same mass and hull: {}, not {}",
            ship.name,
            before.mass,
            cls.mass,
        )
        faults.append(Violation(f"{where}.cls", "other-hull", words))
    return faults


def _build_words(wording: Wording, item: Mapping[str, Any]) -> str:
    """Return what a yard is to do by a stored order."""
    place_name = wording.place(item.get("hex"))
    cls = short_class_name(str(item.get("cls")))
    if item.get("ship"):
        ship = wording.name_of(item.get("ship"))
        return phrase("The yard at {} rebuilds {} as {}", place_name, ship, cls)
    return phrase("The yard at {} builds {}, {}", place_name, item.get("name"), cls)


def _work_words(wording: Wording, work: Work) -> str:
    """Return a yard's work as text."""
    if work.ship:
        return phrase("Rebuilding {}", wording.name_of(work.ship))
    return phrase("Building {}", work.name)


BUILD = BuildOrder()
CANCEL = CancelOrder()
