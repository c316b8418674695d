"""The form of a week's orders: each fleet and ship with its drafted and possible orders.

Built from the view, the scenario and a draft's payload, which may contain anything, faults
included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any

from django.utils.safestring import SafeString

from campaign.forms.faults import Faults
from campaign.forms.week.conditional_orders import answer_rows, answers_payload
from campaign.forms.week.destinations import destinations, reach_options
from campaign.forms.week.order_parts import (
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
from campaign.forms.week.week_payload import sort_keys
from campaign.orders.decide import choice_words
from campaign.orders.detach import DETACH
from campaign.orders.dock import DOCK
from campaign.orders.move import MOVE
from campaign.orders.order import as_list
from campaign.orders.registry import fleet_controls, orders_by_fleet
from campaign.orders.settings import SETTINGS
from campaign.orders.weasels import WEASELS
from campaign.rules.bases import base_for, can_repair, remaining_shortages
from campaign.rules.fleet_names import new_fleet_name
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
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, system_words

SLOTS = 2  # new fleets offered in a hex, besides the draft's


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
    return _Form(scenario, view, payload, faults, plans or {}, opened, line_texts or {}).places()


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
        opened: The fleet, which may be one that can be formed.
    """
    return _Form(scenario, view, payload, faults, plans, opened).place_of(opened)


def ship_lists_data(scenario: Scenario, view: View) -> dict[str, list[dict[str, Any]]]:
    """Return the ships of each fleet as data for scripts, matching `_fleet_ships.html`."""
    classes = ship_classes(scenario)
    limited = _limited(scenario)
    result: dict[str, list[dict[str, Any]]] = {}
    for key, ships in ships_by_fleet(view.ships).items():
        result[key] = [_ship_data(classes[ship.cls], ship, limited=limited) for ship in ships]
    return result


def _ship_data(cls: ShipClass, ship: Ship, *, limited: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"key": ship.key, "name": ship.name, "kind": cls.classification}
    if _grounded(cls, ship):
        data["held"] = 1
    if place := section_place(cls):
        data["part"] = place.of
    if limited:
        data["mass"] = cls.mass
    return data


def _limited(scenario: Scenario) -> bool:
    """Return whether gates limit the mass of ships."""
    return any(link.mass is not None for link in scenario.links)


class _Form:
    """Builds the parts of a form from its shared data."""

    def __init__(
        self,
        scenario: Scenario,
        view: View,
        payload: Mapping[str, Any],
        faults: Faults,
        plans: Mapping[str, tuple[str, str]],
        opened: str = "",
        line_texts: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self.plans = plans
        self.opened = opened
        self.line_texts = line_texts or {}
        self.brief = is_form_folded(view)
        self.scenario = scenario
        self.view = view
        self.faults = faults
        self.classes = ship_classes(scenario)
        self.payload = payload
        self.orders_by_fleet = orders_by_fleet(payload)
        self.limited = _limited(scenario)
        self.hulls: dict[tuple[object, ...], SafeString] = {}
        self.reaches: dict[str, str] = {}
        self.fleet_moves = FleetMoves(scenario, view)
        self.ships_of = self.fleet_moves.fleet_ships
        self.moves = {str(item.get("fleet")): item for item in items(payload, MOVE.key)}
        self.settings = {str(item.get("fleet")): item for item in items(payload, SETTINGS.key)}
        self.detach = {str(item.get("into")): item for item in items(payload, DETACH.key)}
        self.docks = {str(item.get("ship")): item for item in items(payload, DOCK.key)}
        self.decides = decisions_by_contact(payload)
        self.weasels = {key for key in as_list(payload.get(WEASELS.key)) if isinstance(key, str)}
        self.into = {
            ship: into
            for into, item in self.detach.items()
            for ship in as_list(item.get("ships"))
            if isinstance(ship, str)
        }
        self.homes = {ship.key: ship.fleet for ship in view.ships}
        detached = (replace(ship, fleet=self.into.get(ship.key, ship.fleet)) for ship in view.ships)
        self.after = ships_by_fleet(detached)
        self.towing = Towing(scenario, view, payload)

    def places(self) -> tuple[Place, ...]:
        by_hex = self._by_hex()
        slots = self._slots(by_hex)
        touched = {touch.hex for touch in self.view.in_contact}
        places_shown = []
        for label, fleets in by_hex.items():
            places_shown.append(self._place(label, fleets, slots[label]))
        return tuple(
            sorted(
                places_shown,
                key=lambda p: (p.hex not in touched, not any(b.reach for b in p.fleets), p.hex),
            )
        )

    def place_of(self, fleet: str) -> Place | None:
        by_hex = self._by_hex()
        slots = self._slots(by_hex)
        for label, fleets in by_hex.items():
            if fleet in slots[label] or any(fleet_here.key == fleet for fleet_here in fleets):
                place = self._place(label, fleets, slots[label])
                blocks_shown = tuple(block for block in place.fleets if block.key == fleet)
                return replace(place, fleets=blocks_shown)
        return None

    def _by_hex(self) -> dict[str, list[Fleet]]:
        fleets_by_hex: dict[str, list[Fleet]] = {}
        fleets = {fleet.key: fleet for fleet in self.view.fleets}
        for key in sort_keys(fleets):
            fleets_by_hex.setdefault(fleets[key].hex, []).append(fleets[key])
        return fleets_by_hex

    def _slots(self, by_hex: Mapping[str, list[Fleet]]) -> dict[str, list[str]]:
        """Return the keys of fleets that can be formed in each hex: the draft's, then unused ones.

        Each hex has its own series. Forming a fleet in one hex changes no key that another one
        offers.
        """
        hex_of_fleet = {fleet.key: fleet.hex for fleet in self.view.fleets}
        slots_by_hex: dict[str, list[str]] = {label: [] for label in by_hex}
        for into in sort_keys(
            set(self.detach) | {str(key) for key in (*self.moves, *self.settings)}
        ):
            ships = []
            for ship, target in self.into.items():
                if target == into and ship in self.homes:
                    ships.append(ship)
            if into not in hex_of_fleet and ships:
                slots_by_hex[hex_of_fleet[self.homes[ships[0]]]].append(into)
        used = set()
        for keys in slots_by_hex.values():
            for key in keys:
                used.add(key)
        last = max(
            (
                int(tail)
                for _, _, tail in (key.rpartition("/f") for key in hex_of_fleet)
                if tail.isdigit()
            ),
            default=0,
        )
        for n, label in enumerate(sorted(slots_by_hex), start=1):
            if sum(len(self.ships_of.get(f.key, ())) for f in by_hex[label]) > 1:
                free = SLOTS
            else:
                free = 0
            series = (
                f"{self.view.faction}/f{number}" for number in count(last + n, len(slots_by_hex))
            )
            slots_by_hex[label] += islice((key for key in series if key not in used), free)
        return slots_by_hex

    def _place(self, label: str, fleets: list[Fleet], slots: list[str]) -> Place:
        base = next(
            (
                facility
                for facility in (base_for(self.scenario, self.view, fleet) for fleet in fleets)
                if facility
            ),
            None,
        )
        can_dock = base is not None and (base.repairs or base.replenishes)
        blocks = tuple(self.block(fleet, base if can_dock else None) for fleet in fleets)
        opened = not self.brief or self.opened in {*slots, *(fleet.key for fleet in fleets)}
        if not opened:  # a folded form cannot send ships to unused slots
            slots = [key for key in slots if self._is_used(key)]
        new = tuple(self._new_block(key, label, fleets, folded=not opened) for key in slots)
        names = [Target(fleet.key, fleet.name) for fleet in fleets]
        names += [Target(block.key, phrase("{} (new)", block.name or block.title)) for block in new]
        choices = []
        for touch in self.view.in_contact:
            if touch.hex == label:
                choices.append(
                    encounter_choice(
                        self.scenario,
                        self.view,
                        label,
                        touch.toward,
                        touch.state,
                        "",
                        self.decides,
                        self.faults,
                    )
                )
        return Place(
            hex=label,
            place=place_words(self.scenario, label),
            base="" if base is None else _base_words(base),
            can_dock=can_dock,
            fleets=tuple(_joining(block, names) for block in blocks),
            slots=new,
            targets=tuple(names),
            choices=tuple(choices),
        )

    def block(self, fleet: Fleet, base: Facility | None) -> FleetBlock:
        ships = self.ships_of.get(fleet.key, [])
        setting = self.settings.get(fleet.key, {})
        doctrine, changed = doctrine_fields(fleet.doctrine, setting)
        stuck, needs = self._stuck_reason(fleet)
        if "answers" in setting:
            answers = items(setting, "answers")
        else:
            answers = answers_payload(fleet.answers)
        folded = self.brief and fleet.key != self.opened
        line_text, trouble = self.line_texts.get(fleet.key, ("", ""))
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
            is_folded=folded,
            ship_count=len(ships),
            ships=() if folded else tuple(self._ship(ship, fleet, base) for ship in ships),
            stuck_reason=stuck,
            needs=needs,
            has_stuck_ships=self._has_stuck_ships(fleet),
            must_leave=fleet.must_leave,
            to=str(self.moves.get(fleet.key, {}).get("to", "")),
            path=_path(self.moves.get(fleet.key, {})),
            plan=self.plans.get(fleet.key, ("", ""))[0],
            plan_words=self.plans.get(fleet.key, ("", ""))[1],
            reach="" if folded or not self._may_go(fleet) else self._reach(fleet),
            standing=str(setting.get("standing") or ""),
            standing_in_force=fleet.standing or "stand-off",
            standing_in_force_words=choice_words(fleet.standing or "stand-off"),
            answers=answer_rows(answers),
            answers_tag=counted_noun(len(answers), "condition") if answers else "",
            doctrine=doctrine,
            is_doctrine_changed=changed,
            decoys=fleet.decoys,
            decoys_on=str(setting.get("decoys_on", "")),
            decoys_along=str(self.detach.get(fleet.key, {}).get("decoys", "")),
            controls=fleet_controls(
                self.scenario,
                self.view,
                fleet.key,
                ships,
                self.orders_by_fleet.get(fleet.key, {}),
            ),
            faults=self.faults.at(page_id("fleet", fleet.key)),
            line_text=line_text,
            problem=trouble,
        )

    def _reach(self, fleet: Fleet) -> str:
        """Return the fleet's destinations as HTML; fleets limited by gates have their own list."""
        grounded_ships = immobile_ships(self.classes, self.ships_of.get(fleet.key, ()))
        if not self.limited and not (grounded_ships and self.scenario.links):
            return self._reach_from(fleet.hex)
        near = self.fleet_moves.reachable_hexes(fleet.key)
        if near:
            return destinations(self.scenario, near, self.brief)
        return self._reach_from(fleet.hex)

    def _reach_from(self, start: str) -> str:
        if start not in self.reaches:
            self.reaches[start] = reach_options(self.scenario, start, self.brief)
        return self.reaches[start]

    def _new_block(self, key: str, label: str, fleets: list[Fleet], *, folded: bool) -> FleetBlock:
        setting = self.settings.get(key, {})
        detach = self.detach.get(key, {})
        first = self._source(key) or fleets[0]
        doctrine, changed = doctrine_fields(first.doctrine, setting)
        reach = "" if folded else self._reach_from(label)
        line_text, trouble = self.line_texts.get(key, ("", ""))
        return FleetBlock(
            key=key,
            id=page_id("fleet", key),
            is_new=True,
            is_used=self._is_used(key),
            hex=label,
            place=place_words(self.scenario, label),
            title=new_fleet_name(key),
            name=str(detach.get("name", "")),
            strength="",
            is_folded=folded,
            ship_count=0,
            ships=(),
            stuck_reason="",
            needs="",
            has_stuck_ships=False,
            must_leave=False,
            to=str(self.moves.get(key, {}).get("to", "")),
            path=_path(self.moves.get(key, {})),
            plan=self.plans.get(key, ("", ""))[0],
            plan_words="",
            reach=reach,
            standing=str(setting.get("standing") or ""),
            standing_in_force="",
            standing_in_force_words="",
            answers=(),
            answers_tag="",
            doctrine=doctrine,
            is_doctrine_changed=changed,
            decoys=sum(fleet.decoys for fleet in fleets),
            decoys_on=str(setting.get("decoys_on", "")),
            decoys_along=str(detach.get("decoys", "")),
            controls=fleet_controls(
                self.scenario,
                self.view,
                key,
                (),
                self.orders_by_fleet.get(key, {}),
            ),
            faults=self.faults.at(page_id("fleet", key)),
            line_text=line_text,
            problem=trouble,
        )

    def _is_used(self, key: str) -> bool:
        """Return whether the draft forms this fleet, or it has faults."""
        is_ordered = key in self.detach or key in self.settings or key in self.moves
        return is_ordered or bool(self.faults.at(page_id("fleet", key)))

    def _source(self, key: str) -> Fleet | None:
        homes = []
        for ship, into in self.into.items():
            if into == key and ship in self.homes:
                homes.append(self.homes[ship])
        return next(
            (fleet for fleet in self.view.fleets if homes and fleet.key == min(homes)), None
        )

    def _stuck_reason(self, fleet: Fleet) -> tuple[str, str]:
        """Return why a fleet cannot move under any orders, and what must be done before it can."""
        week = pending_entry_week(self.scenario, fleet, self.view.week)
        if week is not None:
            return phrase("enters the map in week {}", week), ""
        ships = self.after.get(fleet.key, [])
        stuck_ships = self._stuck_ships(ships)
        if not stuck_ships:
            return "", ""
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

    def _may_go(self, fleet: Fleet) -> bool:
        """Return whether the fleet needs a list of destinations.

        It must have entered the map, and one of its ships can jump or there are gates.
        """
        if pending_entry_week(self.scenario, fleet, self.view.week) is not None:
            return False
        ships = self.after.get(fleet.key, [])
        return (
            len(self._stuck_ships(ships)) < len(ships)
            or not ships
            or self.fleet_moves.may_move(fleet.key)
        )

    def _has_stuck_ships(self, fleet: Fleet) -> bool:
        """Return whether some of a fleet's ships keep the others from moving."""
        if pending_entry_week(self.scenario, fleet, self.view.week) is not None:
            return False
        ships = self.after.get(fleet.key, [])
        return 0 < len(self._stuck_ships(ships)) < len(ships)

    def _hull(self, cls: ShipClass, ship: Ship) -> SafeString:
        """Return the hull of a ship as HTML; ships that look the same share it."""
        look = (cls.name, ship.damage, ship.stock)
        if look not in self.hulls:
            self.hulls[look] = ship_hull(self.scenario, cls, ship)
        return self.hulls[look]

    def _ship(self, ship: Ship, fleet: Fleet, base: Facility | None) -> OrderedShip:
        cls = self.classes[ship.cls]
        dock = self.docks.get(ship.key, {})
        can_be_repaired = base is not None and can_repair(base, cls)
        return OrderedShip(
            key=ship.key,
            id=page_id("ship", ship.key),
            name=ship.name,
            cls=class_name(self.scenario, ship.faction, ship.cls),
            classification=cls.classification,
            hull=self._hull(cls, ship),
            damage_text=phrase("{} of {}", ship.damage, cls.damage_points) if ship.damage else "",
            lost_systems=tuple(system_words(system) for system in ship.lost),
            grounded_reason=_grounded(cls, ship),
            part=place.of if (place := section_place(cls)) else "",
            mass=cls.mass if self.limited else 0,
            into=self.into.get(ship.key, ""),
            can_dock=base is not None and (can_be_repaired or base.replenishes),
            is_docked=ship.docked,
            is_to_dock=ship.key in self.docks,
            repairs=_repairs(ship, dock) if can_be_repaired else (),
            can_replenish=base is not None
            and bool(ship.stock)
            and remaining_shortages(base, ship) != ship.stock,
            replenish=dock.get("replenish") is True,
            scuttle=dock.get("scuttle") is True,
            weasel="" if any(system.startswith("weasel") for system in ship.lost) else cls.weasel,
            is_weasel_on=ship.key in self.weasels,
            is_laid_up=ship.laid_up,
            stock_left=tuple(stock_words(system, amount) for system, amount in ship.stock),
            cargo=cargo_words(ship.cargo),
            tugs=self.towing.tugs_for(ship, fleet),
            tug=self.towing.tug_of.get(ship.key, ""),
            refits=rearm_rows(
                cls, ship, self.payload, at_base=base is not None and base.replenishes
            ),
            faults=self.faults.at(page_id("ship", ship.key)),
        )


def _joining(block: FleetBlock, targets: Sequence[Target]) -> FleetBlock:
    """Return a fleet with the other fleets in its hex as targets for its ships."""
    return replace(block, targets=tuple(target for target in targets if target.key != block.key))


def _grounded(cls: ShipClass, ship: Ship) -> str:
    if not cls.ftl:
        return phrase("no FTL drive")
    if "ftl" in ship.lost:
        return phrase("FTL drive lost")
    return ""


def _path(move: Mapping[str, Any]) -> str:
    return " ".join(str(label) for label in as_list(move.get("path")))


def _repairs(ship: Ship, dock: Mapping[str, Any]) -> tuple[tuple[str, str, bool], ...]:
    repairs_left = Counter(
        system for system in as_list(dock.get("repair")) if isinstance(system, str)
    )
    rows = []
    for system in ship.lost:
        ticked = repairs_left[system] > 0
        repairs_left[system] -= ticked
        rows.append((system, system_words(system), ticked))
    return tuple(rows)


def _base_words(base: Facility) -> str:
    does = []
    if base.repairs:
        limit = base.repair_mass_limit
        does.append(
            phrase("repairs ships")
            if limit is None
            else phrase("repairs ships of up to MASS {}", limit)
        )
    if base.replenishes:
        does.append(phrase("replenishes"))
    return phrase(
        "{} on your side: {}",
        phrase(base.kind.replace("-", " ")),
        join_phrases(" and ", does) or phrase("neither repairs nor stores"),
    )


def fleets_fighting(
    scenario: Scenario, view: View, payload: Mapping[str, Any], faults: Faults
) -> tuple[FleetBlock, ...]:
    """Return the fleets that have a battle this week, for their doctrine."""
    form = _Form(scenario, view, payload, faults, {})
    fighting = []
    for fleet in view.fleets:
        if fleet.hex in view.fighting and not fleet.in_ftl:
            fighting.append(fleet)
    return tuple(form.block(fleet, None) for fleet in sorted(fighting, key=lambda fleet: fleet.hex))
