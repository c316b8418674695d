"""The form of a week's orders: each fleet and ship with its drafted and possible orders.

Built from the view, the scenario and a draft's payload, which may contain anything, faults
included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any

from django.utils.safestring import SafeString

from campaign.forms.faults import Faults
from campaign.forms.week.conditional_orders import answer_rows, answers_payload
from campaign.forms.week.destinations import destinations, reach_options
from campaign.forms.week.order_parts import (
    EncounterChoice,
    FleetBlock,
    OrderedShip,
    Place,
    Target,
    cargo_words,
    decisions_by_contact,
    doctrine_fields,
    encounter_choice,
    items,
)
from campaign.forms.week.rearming import rearm_rows
from campaign.forms.week.stuck_ships import stuck_ships
from campaign.forms.week.towing import Towing
from campaign.forms.week.week_payload import proposed_fleet_name, sort_keys
from campaign.orders.decide import choice_words
from campaign.orders.detach import DETACH
from campaign.orders.dock import DOCK
from campaign.orders.move import MOVE
from campaign.orders.order import Control
from campaign.orders.registry import fleet_controls, orders_by_fleet
from campaign.orders.settings import SETTINGS
from campaign.orders.weasels import WEASELS
from campaign.rules.bases import base_for, can_repair, remaining_shortages
from campaign.rules.codec import as_list
from campaign.rules.own_keys import page_id
from campaign.rules.queries import (
    class_name,
    immobile_ships,
    pending_entry_week,
    ship_classes,
    ships_by_fleet,
)
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.ship_sections import section_place
from campaign.rules.starmap import FleetMoves
from campaign.rules.view import Fleet, Ship, View
from campaign.web.folding import FOLD_FROM
from campaign.web.ship_drawings import ship_hull
from campaign.words.common import count_by_classification, place_words, strength_words
from campaign.words.stock import stock_words
from engine.combat.unidentified import decoy_drives
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, system_words

SLOTS = 2  # new fleets offered in a hex, besides the draft's
NO_PLAN = ("", "")  # form text and words


def is_form_folded(view: View) -> bool:
    """Return whether the page shows the form of only one fleet, and rows for the others."""
    return len(view.fleets) >= FOLD_FROM


def week_form(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    faults: Faults,
    plans: Mapping[str, tuple[str, str]] | None = None,
    opened: str = "",
    line_texts: Mapping[str, tuple[str, str]] | None = None,
) -> tuple[Place, ...]:
    """Return the form by hex; hexes that need a decision come first.

    Args:
        plans: Plans of further weeks by fleet: (form text, words).
        opened: The fleet whose form is shown unfolded.
        line_texts: (what it does, its problems) for each fleet's row.
    """
    builder = _FormBuilder(
        scenario, view, payload, faults, plans=plans, opened=opened, line_texts=line_texts
    )
    return builder.places()


def fleet_form(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    faults: Faults,
    plans: Mapping[str, tuple[str, str]],
    opened: str,
) -> Place | None:
    """Return the form of one fleet, and of fleets that can be formed beside it; None if unknown.

    Args:
        plans: Plans of further weeks by fleet: (form text, words).
        opened: The fleet, which may be one that can be formed.
    """
    builder = _FormBuilder(scenario, view, payload, faults, plans=plans, opened=opened)
    return builder.place_of(opened)


def ship_lists_data(scenario: Scenario, view: View) -> dict[str, list[dict[str, Any]]]:
    """Return the ships of each fleet as data for scripts, matching `_fleet_ships.html`."""
    classes = ship_classes(scenario)
    limits_mass = _limits_mass(scenario)
    result: dict[str, list[dict[str, Any]]] = {}
    for key, ships in ships_by_fleet(view.ships).items():
        result[key] = [_ship_data(classes[ship.cls], ship, with_mass=limits_mass) for ship in ships]
    return result


def _ship_data(cls: ShipClass, ship: Ship, *, with_mass: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"key": ship.key, "name": ship.name, "kind": cls.classification}
    if _grounded_reason(cls, ship):
        data["held"] = 1
    if section := section_place(cls):
        data["part"] = section.of
    if with_mass:
        data["mass"] = cls.mass
    return data


def _limits_mass(scenario: Scenario) -> bool:
    """Return whether gates limit the mass of ships."""
    return any(link.mass is not None for link in scenario.links)


class _FormBuilder:
    """Builds the parts of a form from its shared data."""

    def __init__(
        self,
        scenario: Scenario,
        view: View,
        payload: Mapping[str, Any],
        faults: Faults,
        *,
        plans: Mapping[str, tuple[str, str]] | None = None,
        opened: str = "",
        line_texts: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self.scenario = scenario
        self.view = view
        self.payload = payload
        self.faults = faults
        self.plans = plans or {}
        self.opened = opened
        self.line_texts = line_texts or {}
        self.is_folded = is_form_folded(view)
        self.classes = ship_classes(scenario)
        self.limits_mass = _limits_mass(scenario)
        self.can_set_decoy_thrust = bool(decoy_drives(scenario.edition))
        self.fleet_moves = FleetMoves(scenario, view)
        self.ships_of = self.fleet_moves.fleet_ships
        self.towing = Towing(scenario, view, payload)
        self.orders_by_fleet = orders_by_fleet(payload, view.ships)
        self.moves = {str(item.get("fleet")): item for item in items(payload, MOVE.key)}
        self.settings = {str(item.get("fleet")): item for item in items(payload, SETTINGS.key)}
        self.detach = {str(item.get("into")): item for item in items(payload, DETACH.key)}
        self.docks = {str(item.get("ship")): item for item in items(payload, DOCK.key)}
        self.decisions = decisions_by_contact(payload)
        self.weasels = {key for key in as_list(payload.get(WEASELS.key)) if isinstance(key, str)}
        # The fleet of each ship now; the fleet it is sent to; the ships of each fleet then
        self.fleet_of = {ship.key: ship.fleet for ship in view.ships}
        self.new_fleet_of = self._new_fleets_of_ships()
        self.ships_after = ships_by_fleet(
            replace(ship, fleet=self.new_fleet_of.get(ship.key, ship.fleet)) for ship in view.ships
        )
        # HTML that several ships or fleets share
        self.hulls: dict[tuple[object, ...], SafeString] = {}
        self.destinations_from: dict[str, str] = {}

    def _new_fleets_of_ships(self) -> dict[str, str]:
        """Return the fleet that the draft sends each ship to, for ships that it sends away."""
        new_fleet_of = {}
        for fleet, item in self.detach.items():
            for ship in as_list(item.get("ships")):
                if isinstance(ship, str):
                    new_fleet_of[ship] = fleet
        return new_fleet_of

    def places(self) -> tuple[Place, ...]:
        """Return the form by hex.

        Hexes with contacts come first, then those with fleets that can move, then the others.
        """
        fleets_by_hex = self._fleets_by_hex()
        slots = self._slots(fleets_by_hex)
        contact_hexes = {contact.hex for contact in self.view.in_contact}
        places = []
        for label, fleets in fleets_by_hex.items():
            places.append(self._place(label, fleets, slots[label]))

        def rank(place: Place) -> tuple[bool, bool, str]:
            can_move = any(block.reach for block in place.fleets)
            return place.hex not in contact_hexes, not can_move, place.hex

        return tuple(sorted(places, key=rank))

    def place_of(self, fleet: str) -> Place | None:
        """Return the hex of a fleet, or of one that can be formed there, with only this fleet."""
        fleets_by_hex = self._fleets_by_hex()
        slots = self._slots(fleets_by_hex)
        for label, fleets in fleets_by_hex.items():
            if fleet in slots[label] or any(fleet_here.key == fleet for fleet_here in fleets):
                place = self._place(label, fleets, slots[label])
                blocks = tuple(block for block in place.fleets if block.key == fleet)
                return replace(place, fleets=blocks)
        return None

    def _fleets_by_hex(self) -> dict[str, list[Fleet]]:
        """Return the faction's fleets by hex, sorted by their numbers."""
        fleets_by_hex: dict[str, list[Fleet]] = {}
        fleets = {fleet.key: fleet for fleet in self.view.fleets}
        for key in sort_keys(fleets):
            fleets_by_hex.setdefault(fleets[key].hex, []).append(fleets[key])
        return fleets_by_hex

    def _slots(self, fleets_by_hex: Mapping[str, list[Fleet]]) -> dict[str, list[str]]:
        """Return the keys of fleets that can be formed in each hex: the draft's, then unused ones.

        Each hex has its own series of numbers. Forming a fleet in one hex changes no key that
        another one offers.
        """
        slots_by_hex = self._drafted_slots(fleets_by_hex)
        used_keys = set()
        for keys in slots_by_hex.values():
            used_keys.update(keys)
        last_number = self._last_fleet_number()
        for place, label in enumerate(sorted(slots_by_hex), start=1):
            ship_count = sum(
                len(self.ships_of.get(fleet.key, ())) for fleet in fleets_by_hex[label]
            )
            if ship_count < 2:
                continue  # a single ship cannot leave its fleet
            numbers = count(last_number + place, len(slots_by_hex))
            series = (f"{self.view.faction}/f{number}" for number in numbers)
            slots_by_hex[label] += islice((key for key in series if key not in used_keys), SLOTS)
        return slots_by_hex

    def _drafted_slots(self, hexes: Iterable[str]) -> dict[str, list[str]]:
        """Return the keys of the fleets that the draft forms, by hex of their first ship."""
        hex_of_fleet = {fleet.key: fleet.hex for fleet in self.view.fleets}
        slots_by_hex: dict[str, list[str]] = {label: [] for label in hexes}
        for key in sort_keys({*self.detach, *self.moves, *self.settings}):
            origins = self._origins(key)
            if key not in hex_of_fleet and origins:
                slots_by_hex[hex_of_fleet[origins[0]]].append(key)
        return slots_by_hex

    def _origins(self, key: str) -> list[str]:
        """Return the present fleets of the ships that the draft sends to a fleet."""
        origins = []
        for ship, fleet in self.new_fleet_of.items():
            if fleet == key and ship in self.fleet_of:
                origins.append(self.fleet_of[ship])
        return origins

    def _last_fleet_number(self) -> int:
        """Return the largest number in the keys of the faction's fleets."""
        numbers = [0]
        for fleet in self.view.fleets:
            number = fleet.key.rpartition("/f")[2]
            if number.isdigit():
                numbers.append(int(number))
        return max(numbers)

    def _place(self, label: str, fleets: list[Fleet], slots: list[str]) -> Place:
        """Return the form of a hex.

        Args:
            slots: The keys of fleets that can be formed there.
        """
        base = self._base_at(fleets)
        can_dock = base is not None and (base.repairs or base.replenishes)
        blocks = [self.block(fleet, base if can_dock else None) for fleet in fleets]
        new_blocks = self._new_blocks(label, fleets, slots)
        targets = [Target(fleet.key, fleet.name) for fleet in fleets]
        for block in new_blocks:
            targets.append(Target(block.key, phrase("{} (new)", block.name or block.title)))
        return Place(
            hex=label,
            place=place_words(self.scenario, label),
            base="" if base is None else _base_words(base),
            can_dock=can_dock,
            fleets=tuple(_with_targets(block, targets) for block in blocks),
            slots=new_blocks,
            targets=tuple(targets),
            choices=self._choices_at(label),
        )

    def _new_blocks(
        self, label: str, fleets: list[Fleet], slots: list[str]
    ) -> tuple[FleetBlock, ...]:
        """Return the fleets that can be formed in a hex.

        A folded form cannot send ships to unused slots, so it shows only those that the draft uses.
        """
        keys_here = {*slots, *(fleet.key for fleet in fleets)}
        is_open = not self.is_folded or self.opened in keys_here
        blocks = []
        for key in slots:
            if is_open or self._is_used(key):
                blocks.append(self._new_block(key, label, fleets, folded=not is_open))
        return tuple(blocks)

    def _base_at(self, fleets: list[Fleet]) -> Facility | None:
        """Return the first base that one of the fleets in a hex can use, or None."""
        for fleet in fleets:
            base = base_for(self.scenario, self.view, fleet)
            if base is not None:
                return base
        return None

    def _choices_at(self, label: str) -> tuple[EncounterChoice, ...]:
        """Return the choices about hostile factions in contact in a hex."""
        choices = []
        for contact in self.view.in_contact:
            if contact.hex == label:
                choices.append(
                    encounter_choice(
                        self.scenario,
                        self.view,
                        label=label,
                        toward=contact.toward,
                        state=contact.state,
                        decisions=self.decisions,
                        faults=self.faults,
                    )
                )
        return tuple(choices)

    def block(self, fleet: Fleet, base: Facility | None) -> FleetBlock:
        """Return a fleet with its orders.

        Args:
            base: The base where its ships can dock, or None.
        """
        ships = self.ships_of.get(fleet.key, [])
        setting = self.settings.get(fleet.key, {})
        doctrine, is_doctrine_changed = doctrine_fields(fleet.doctrine, setting)
        stuck_reason, needs = self._stuck_reason(fleet)
        if "answers" in setting:
            answers = items(setting, "answers")
        else:
            answers = answers_payload(fleet.answers)
        is_folded = self.is_folded and fleet.key != self.opened
        line_text, problem = self.line_texts.get(fleet.key, ("", ""))
        move = self.moves.get(fleet.key, {})
        plan, plan_words = self.plans.get(fleet.key, NO_PLAN)
        return FleetBlock(
            key=fleet.key,
            id=page_id("fleet", fleet.key),
            is_new=False,
            is_used=True,
            hex=fleet.hex,
            place=place_words(self.scenario, fleet.hex),
            title=fleet.name,
            name=str(setting.get("name", fleet.name)),
            strength=strength_words(count_by_classification(self.scenario, ships)),
            is_folded=is_folded,
            ship_count=len(ships),
            ships=() if is_folded else tuple(self._ship(ship, fleet, base) for ship in ships),
            stuck_reason=stuck_reason,
            needs=needs,
            has_stuck_ships=self._has_stuck_ships(fleet),
            must_leave=fleet.must_leave,
            to=str(move.get("to", "")),
            path=_path(move),
            plan=plan,
            plan_words=plan_words,
            plan_example=self.scenario.systems[0].name,
            reach="" if is_folded or not self._needs_destinations(fleet) else self._reach(fleet),
            standing=str(setting.get("standing") or ""),
            standing_in_force=fleet.standing or "stand-off",
            standing_in_force_words=choice_words(fleet.standing or "stand-off"),
            answers=answer_rows(answers),
            answers_tag=counted_noun(len(answers), "condition") if answers else "",
            doctrine=doctrine,
            is_doctrine_changed=is_doctrine_changed,
            decoys=fleet.decoys,
            decoys_on=str(setting.get("decoys_on", "")),
            decoy_thrust=_decoy_thrust(fleet, setting),
            can_set_decoy_thrust=self.can_set_decoy_thrust,
            decoys_along=str(self.detach.get(fleet.key, {}).get("decoys", "")),
            controls=self._controls(fleet.key, ships),
            faults=self.faults.at(page_id("fleet", fleet.key)),
            line_text=line_text,
            problem=problem,
        )

    def _controls(self, key: str, ships: Sequence[Ship]) -> tuple[Control, ...]:
        """Return the controls that kinds of orders add to a fleet."""
        orders = self.orders_by_fleet.get(key, {})
        return fleet_controls(self.scenario, self.view, fleet=key, ships=ships, of_fleet=orders)

    def _reach(self, fleet: Fleet) -> str:
        """Return the fleet's destinations as HTML; fleets limited by gates have their own list."""
        grounded_ships = immobile_ships(self.classes, self.ships_of.get(fleet.key, ()))
        needs_gates = bool(grounded_ships and self.scenario.links)
        if self.limits_mass or needs_gates:
            reachable_hexes = self.fleet_moves.reachable_hexes(fleet.key)
            if reachable_hexes:
                return destinations(self.scenario, reachable_hexes, self.is_folded)
        return self._reach_from(fleet.hex)

    def _reach_from(self, start: str) -> str:
        """Return the destinations from a hex as HTML, which all its fleets share."""
        if start not in self.destinations_from:
            self.destinations_from[start] = reach_options(self.scenario, start, self.is_folded)
        return self.destinations_from[start]

    def _new_block(self, key: str, label: str, fleets: list[Fleet], *, folded: bool) -> FleetBlock:
        """Return a fleet that can be formed in a hex, with its orders if the draft forms it."""
        setting = self.settings.get(key, {})
        detach = self.detach.get(key, {})
        origin = self._origin_fleet(key) or fleets[0]
        doctrine, is_doctrine_changed = doctrine_fields(origin.doctrine, setting)
        line_text, problem = self.line_texts.get(key, ("", ""))
        move = self.moves.get(key, {})
        plan, _ = self.plans.get(key, NO_PLAN)
        return FleetBlock(
            key=key,
            id=page_id("fleet", key),
            is_new=True,
            is_used=self._is_used(key),
            hex=label,
            place=place_words(self.scenario, label),
            title=proposed_fleet_name(key),
            name=str(detach.get("name", "")),
            strength="",
            is_folded=folded,
            ship_count=0,
            ships=(),
            stuck_reason="",
            needs="",
            has_stuck_ships=False,
            must_leave=False,
            to=str(move.get("to", "")),
            path=_path(move),
            plan=plan,
            plan_words="",
            plan_example=self.scenario.systems[0].name,
            reach="" if folded else self._reach_from(label),
            standing=str(setting.get("standing") or ""),
            standing_in_force="",
            standing_in_force_words="",
            answers=(),
            answers_tag="",
            doctrine=doctrine,
            is_doctrine_changed=is_doctrine_changed,
            decoys=sum(fleet.decoys for fleet in fleets),
            decoys_on=str(setting.get("decoys_on", "")),
            decoy_thrust=_decoy_thrust(origin, setting),
            can_set_decoy_thrust=self.can_set_decoy_thrust,
            decoys_along=str(detach.get("decoys", "")),
            controls=self._controls(key, ()),
            faults=self.faults.at(page_id("fleet", key)),
            line_text=line_text,
            problem=problem,
        )

    def _is_used(self, key: str) -> bool:
        """Return whether the draft forms this fleet, or it has faults."""
        is_ordered = key in self.detach or key in self.settings or key in self.moves
        return is_ordered or bool(self.faults.at(page_id("fleet", key)))

    def _origin_fleet(self, key: str) -> Fleet | None:
        """Return the fleet from which a newly formed fleet takes its doctrine, or None."""
        first_origin = min(self._origins(key), default=None)
        return next((fleet for fleet in self.view.fleets if fleet.key == first_origin), None)

    def _stuck_reason(self, fleet: Fleet) -> tuple[str, str]:
        """Return why a fleet cannot move under any orders, and what must be done before it can."""
        week = pending_entry_week(self.scenario, fleet, self.view.week)
        if week is not None:
            return phrase("enters the map in week {}", week), ""
        ships = self.ships_after.get(fleet.key, [])
        stuck_ships = self._stuck_ships(ships)
        if not stuck_ships:
            return "", ""
        station = next((ship for ship in stuck_ships if ship.station), None)
        if station is not None and len(ships) == 1:
            return phrase("a station, which never moves"), ""
        if station is not None:
            return "", phrase(
                "{} is a station, which never moves. Move the other ships to another fleet.",
                station.name,
            )
        if len(stuck_ships) == len(ships) and self.fleet_moves.may_move(fleet.key):
            return "", phrase("No working FTL drive: it can leave only through gates.")
        names = join_phrases(", ", (ship.name for ship in stuck_ships))
        if any(self.towing.tugs_for(ship, fleet) for ship in stuck_ships):
            return "", phrase(
                "{}: no working FTL drive. Have it towed, or move it to another fleet.", names
            )
        if len(stuck_ships) == len(ships):
            return "", phrase(
                "No working FTL drive: the fleet stays here, unless other ships join it and "
                "these ships leave it."
            )
        return "", phrase("{}: no working FTL drive. Detach them first.", names)

    def _stuck_ships(self, ships: list[Ship]) -> list[Ship]:
        """Return the ships that keep the others from moving, given the draft's tows."""
        return stuck_ships(self.classes, ships, self.towing.tug_of)

    def _needs_destinations(self, fleet: Fleet) -> bool:
        """Return whether the fleet needs a list of destinations.

        It must have entered the map, and one of its ships can jump or there are gates.
        """
        if pending_entry_week(self.scenario, fleet, self.view.week) is not None:
            return False
        ships = self.ships_after.get(fleet.key, [])
        can_jump = len(self._stuck_ships(ships)) < len(ships)
        return can_jump or not ships or self.fleet_moves.may_move(fleet.key)

    def _has_stuck_ships(self, fleet: Fleet) -> bool:
        """Return whether some of a fleet's ships keep the others from moving."""
        if pending_entry_week(self.scenario, fleet, self.view.week) is not None:
            return False
        ships = self.ships_after.get(fleet.key, [])
        stuck_ships = self._stuck_ships(ships)
        if any(ship.station for ship in stuck_ships):
            return False
        return 0 < len(stuck_ships) < len(ships)

    def _hull(self, cls: ShipClass, ship: Ship) -> SafeString:
        """Return the hull of a ship as HTML; ships that look the same share it."""
        look = (cls.name, ship.damage, ship.stock)
        if look not in self.hulls:
            self.hulls[look] = ship_hull(self.scenario, cls, ship)
        return self.hulls[look]

    def _ship(self, ship: Ship, fleet: Fleet, base: Facility | None) -> OrderedShip:
        """Return a ship with its orders.

        Args:
            base: The base where it can dock, or None.
        """
        cls = self.classes[ship.cls]
        if ship.station:  # bases repair it without docking
            base = None
        dock = self.docks.get(ship.key, {})
        section = section_place(cls)
        has_lost_weasel = any(system.startswith("weasel") for system in ship.lost)
        can_be_repaired = base is not None and can_repair(base, cls)
        is_base_with_stores = base is not None and base.replenishes
        return OrderedShip(
            key=ship.key,
            id=page_id("ship", ship.key),
            name=ship.name,
            cls=class_name(self.scenario, ship.faction, ship.cls),
            classification=cls.classification,
            hull=self._hull(cls, ship),
            damage_text=phrase("{} of {}", ship.damage, cls.damage_points) if ship.damage else "",
            lost_systems=tuple(system_words(system) for system in ship.lost),
            grounded_reason=_grounded_reason(cls, ship),
            part=section.of if section else "",
            mass=cls.mass if self.limits_mass else 0,
            into=self.new_fleet_of.get(ship.key, ""),
            can_dock=can_be_repaired or is_base_with_stores,
            is_docked=ship.docked,
            is_to_dock=ship.key in self.docks,
            repairs=_repairs(ship, dock) if can_be_repaired else (),
            can_replenish=_can_replenish(base, ship),
            replenish=dock.get("replenish") is True,
            scuttle=dock.get("scuttle") is True,
            weasel="" if has_lost_weasel else cls.weasel,
            is_weasel_on=ship.key in self.weasels,
            is_laid_up=ship.laid_up,
            stock_left=tuple(stock_words(system, amount) for system, amount in ship.stock),
            cargo=cargo_words(ship.cargo),
            tugs=self.towing.tugs_for(ship, fleet),
            tug=self.towing.tug_of.get(ship.key, ""),
            refits=rearm_rows(cls, ship, self.payload, at_base=is_base_with_stores),
            faults=self.faults.at(page_id("ship", ship.key)),
        )


def _can_replenish(base: Facility | None, ship: Ship) -> bool:
    """Return whether a ship lacks stores and the base can replace some of them."""
    if base is None or not ship.stock:
        return False
    return remaining_shortages(base, ship) != ship.stock


def _with_targets(block: FleetBlock, targets: Sequence[Target]) -> FleetBlock:
    """Return a fleet with the other own fleets in its hex, which its ships can join."""
    return replace(block, targets=tuple(target for target in targets if target.key != block.key))


def _grounded_reason(cls: ShipClass, ship: Ship) -> str:
    """Return why a ship cannot jump without a tug, or "" if it can."""
    if ship.station:
        return phrase("station")
    if not cls.ftl:
        return phrase("no FTL drive")
    if "ftl" in ship.lost:
        return phrase("FTL drive lost")
    return ""


def _decoy_thrust(fleet: Fleet, setting: Mapping[str, Any]) -> str:
    """Return the thrust of a fleet's decoys under the draft, "" if nothing is chosen."""
    thrust = setting.get("decoy_thrust", fleet.decoy_thrust)
    return str(thrust) if thrust else ""


def _path(move: Mapping[str, Any]) -> str:
    """Return the hexes of a move's path as form text."""
    return " ".join(str(label) for label in as_list(move.get("path")))


def _repairs(ship: Ship, dock: Mapping[str, Any]) -> tuple[tuple[str, str, bool], ...]:
    """Return a ship's lost systems as (system, label, ticked), ticked if the draft repairs it.

    A system may be lost several times; the draft then names it once for each repair.
    """
    repairs_left = Counter(
        system for system in as_list(dock.get("repair")) if isinstance(system, str)
    )
    rows = []
    for system in ship.lost:
        is_ticked = repairs_left[system] > 0
        repairs_left[system] -= is_ticked
        rows.append((system, system_words(system), is_ticked))
    return tuple(rows)


def _base_words(base: Facility) -> str:
    """Return what a base is and does for the faction's ships, in words."""
    services = []
    if base.repairs and base.repair_mass_limit is None:
        services.append(phrase("repairs ships"))
    elif base.repairs:
        services.append(phrase("repairs ships of up to MASS {}", base.repair_mass_limit))
    if base.replenishes:
        services.append(phrase("replenishes"))
    return phrase(
        "{} on your side: {}",
        phrase(base.kind.replace("-", " ")),
        join_phrases(" and ", services) or phrase("neither repairs nor stores"),
    )


def fleets_fighting(
    scenario: Scenario, view: View, payload: Mapping[str, Any], faults: Faults
) -> tuple[FleetBlock, ...]:
    """Return the fleets that have a battle this week, for their doctrine, sorted by hex."""
    builder = _FormBuilder(scenario, view, payload, faults)
    fleets = []
    for fleet in view.fleets:
        if fleet.hex in view.fighting and not fleet.in_ftl:
            fleets.append(fleet)
    fleets.sort(key=lambda fleet: fleet.hex)
    return tuple(builder.block(fleet, base=None) for fleet in fleets)
