"""What a draft of a week's orders does, fleet by fleet, in words.

The rows of the orders page, its counter, the seal bar and the list to review before sealing all
show these lines. They describe the effects of the payload by the rules (`campaign.orders.effects`),
not the wording of the orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from campaign.forms.faults import Faults
from campaign.forms.week.order_parts import items
from campaign.forms.week.orders_words import orders_words
from campaign.forms.week.plan_fields import ends_of, plan_words
from campaign.orders.codec import parse_orders
from campaign.orders.decide import DECIDE
from campaign.orders.detach import DETACH
from campaign.orders.dummies import DUMMIES
from campaign.orders.effects import FleetPreview, WeekPreview, preview_week
from campaign.orders.move import MOVE
from campaign.orders.preparation import valid_orders
from campaign.orders.refit import refit_words
from campaign.orders.registry import KEY, ORDERS, fleet_changes, orders_by_fleet, stored_items
from campaign.rules.hexes import distance
from campaign.rules.orders import Orders
from campaign.rules.own_keys import page_id
from campaign.rules.queries import (
    immobile_ships,
    pending_entry_week,
    ship_classes,
    ships_by_fleet,
    system_at,
    with_known_designs,
)
from campaign.rules.scenario import Scenario
from campaign.rules.view import Fleet, Ship, View
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun

MAX_NAMES = 3  # ships that a line names; above that it counts them
# A choice in a contact can differ from the standing order, so the line names it as one.
STANDING_ORDERS = {
    "fight": phrase("standing order: fight"),
    "stand-off": phrase("standing order: stand off"),
    "withdraw": phrase("standing order: withdraw"),
}
_ITEM = re.compile(rf"^({KEY})(?:\[([0-9]+)\])?")  # the part and the number in a fault's path


class LineState(StrEnum):
    """What is left to do about a fleet; the values name the groups of the list."""

    PROBLEM = "problem"
    UNORDERED = "todo"
    ORDERED = "done"
    CANNOT_MOVE = "still"


@dataclass(frozen=True, slots=True)
class FleetLine:
    """A fleet under a draft.

    Attributes:
        key: The fleet's key.
        name: Its name after these orders.
        state: What is left to do about it.
        words: What it does, as one line.
        problem: Its problems, or empty.
        is_waiting: Its plan pauses because some of its ships cannot jump.
    """

    key: str
    name: str
    state: LineState
    words: str
    problem: str = ""
    is_waiting: bool = False


@dataclass(frozen=True, slots=True)
class WeekLines:
    """All lines of a draft."""

    fleets: tuple[FleetLine, ...]
    other_lines: tuple[str, ...]  # orders that do not concern fleets, such as shipyards

    def unordered(self) -> tuple[str, ...]:
        """Return the names of the fleets that can move but have no orders."""
        return tuple(line.name for line in self.fleets if line.state == LineState.UNORDERED)

    def for_script(self) -> dict[str, Any]:
        """Return the lines as data for the page's script."""
        lines = {line.key: asdict(line) for line in self.fleets}
        return {"lines": lines, "other": list(self.other_lines)}


def week_lines(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    faults: Faults,
    plans: Mapping[str, Mapping[str, Any]],
    stays: Iterable[str] = (),
) -> WeekLines:
    """Return what a draft does to each fleet, in the order of the view, new fleets last.

    Args:
        faults: The faults of the payload. Only its valid part takes effect.
        plans: The plans of further weeks, from `plan_fields.plan_data`.
        stays: The keys of fleets that the player told to stay.
    """
    builder = _LineBuilder(
        scenario, view, payload, faults=faults, plans=plans, stays=frozenset(stays)
    )
    return builder.build()


def readable_orders(payload: Mapping[str, Any]) -> Orders:
    """Return the orders of a payload without unreadable items."""
    remaining = dict(payload)
    while True:
        orders, faults = parse_orders(remaining)
        if orders is not None:
            return orders
        if not _drop_places(remaining, [fault.where for fault in faults]):
            return Orders()


def _drop_places(payload: dict[str, Any], paths: Sequence[str]) -> bool:
    """Remove the items at these paths; return whether there were any."""
    numbers_by_part: dict[str, set[int]] = {}
    for path in paths:
        match = _ITEM.match(path)
        if match is None or match[1] not in payload:
            continue
        numbers = numbers_by_part.setdefault(match[1], set())
        if match[2]:
            numbers.add(int(match[2]))
    for part, numbers in numbers_by_part.items():
        part_items = payload[part]
        if numbers and isinstance(part_items, list):
            payload[part] = [
                item for number, item in enumerate(part_items) if number not in numbers
            ]
        else:
            del payload[part]
    return bool(numbers_by_part)


class _LineBuilder:
    """Builds the lines of a draft from its shared data."""

    def __init__(
        self,
        scenario: Scenario,
        view: View,
        payload: Mapping[str, Any],
        *,
        faults: Faults,
        plans: Mapping[str, Mapping[str, Any]],
        stays: frozenset[str],
    ) -> None:
        self.scenario = scenario
        self.view = view
        self.payload = payload
        self.orders_by_fleet = orders_by_fleet(payload, view.ships)
        self.plans = plans
        self.stays = stays
        self.classes = ship_classes(with_known_designs(scenario, view))
        valid, _ = valid_orders(scenario, view, readable_orders(payload))
        self.week_after: WeekPreview = preview_week(scenario, view, valid)
        self.fleets_before: dict[str, Fleet] = {
            fleet.key: fleet for fleet in (*view.fleets, *view.dummies)
        }
        self.ships_before = {ship.key: ship for ship in view.ships}
        self.ship_names = {ship.key: ship.name for ship in view.ships}
        self.ships_of = ships_by_fleet(view.ships)
        self.fleet_after_of: dict[str, Fleet] = {}  # by ship
        self.names = {key: fleet.name for key, fleet in self.fleets_before.items()}
        for key, preview in self.week_after.fleets.items():
            self.names[key] = preview.fleet.name
            for ship in preview.ships:
                self.fleet_after_of[ship.key] = preview.fleet
        self.moves = ends_of(payload)
        dummy_items = items(payload, DUMMIES.key)
        self.removed = {str(item.get("dummy")) for item in dummy_items if item.get("remove")}
        self.decided_hexes = {str(item.get("hex")) for item in items(payload, DECIDE.key)}
        self.problems = self._problems_by_fleet(faults)

    def build(self) -> WeekLines:
        """Return the lines of all fleets, and of orders that do not concern fleets."""
        keys = dict.fromkeys([*self.fleets_before, *self.week_after.fleets, *self.problems])
        other_orders = {}
        for order in ORDERS:
            if order.is_listed_separately:
                other_orders[order.key] = stored_items(self.payload, order)
        other_lines: tuple[str, ...] = ()
        if any(other_orders.values()):
            other_lines = orders_words(self.scenario, self.view, other_orders)
        return WeekLines(tuple(self._line(key) for key in keys), other_lines)

    def _problems_by_fleet(self, faults: Faults) -> dict[str, list[str]]:
        """Return the faults of the payload by fleet, including those of its present ships."""
        fleet_keys = {*self.fleets_before, *self.week_after.fleets, *self.moves}
        fleet_keys |= {str(item.get("into")) for item in items(self.payload, DETACH.key)}
        fleet_by_anchor = {page_id("fleet", key): key for key in fleet_keys}
        fleet_by_anchor |= {page_id("ship", ship.key): ship.fleet for ship in self.view.ships}
        problems: dict[str, list[str]] = {}
        for fault in faults.all:
            if fault.anchor in fleet_by_anchor:
                words = fault.words
                if fault.subject:
                    words = phrase("{}: {}", fault.subject, words)
                problems.setdefault(fleet_by_anchor[fault.anchor], []).append(words)
        return problems

    def _line(self, key: str) -> FleetLine:
        """Return the line of a fleet."""
        name = self.names.get(key) or phrase("New fleet")
        problem = join_phrases("; ", self.problems.get(key, ()))
        preview = self.week_after.fleets.get(key)
        if key in self.week_after.merged or preview is None:
            state = LineState.PROBLEM if problem else LineState.ORDERED
            return FleetLine(
                key=key, name=name, state=state, words=self._end_text(key), problem=problem
            )
        is_waiting = not problem and self._is_waiting(preview)
        problem = problem or self._plan_problem(preview)
        stuck_reason = self._stuck_reason(preview)
        changes = self._change_lines(preview)
        is_ordered = self._has_orders(preview, changes)
        if problem:
            state = LineState.PROBLEM
        elif stuck_reason:
            state = LineState.CANNOT_MOVE
        elif is_ordered:
            state = LineState.ORDERED
        else:
            state = LineState.UNORDERED
        words = self._line_text(
            preview,
            [*self._formation_lines(preview), *changes],
            stuck_reason,
            is_ordered=is_ordered,
        )
        return FleetLine(key, name, state, words, problem=problem, is_waiting=is_waiting)

    def _end_text(self, key: str) -> str:
        """Return how a fleet ceases to exist, or that it is not formed."""
        if key in self.week_after.merged:
            heirs = [self.names[heir] for heir in self.week_after.merged[key]]
            return phrase("Merged into {}", join_phrases(", ", heirs))
        if key in self.fleets_before and self.ships_of.get(key):
            return phrase("Loses its last ship")
        if key in self.removed:
            return phrase("Removed from the map")
        return phrase("Not formed")

    def _has_orders(self, preview: FleetPreview, changes: Sequence[str]) -> bool:
        """Return whether the player has decided what a fleet does this week.

        Besides its own orders, a plan, an order to stay or a decision about a contact in its hex
        count.
        """
        key = preview.fleet.key
        return (
            preview.has_moved
            or bool(changes)
            or key in self.plans
            or key in self.stays
            or preview.start in self.decided_hexes
        )

    def _is_waiting(self, preview: FleetPreview) -> bool:
        """Return whether some of the fleet's ships, not all, keep it from continuing its plan."""
        if preview.has_moved or preview.fleet.key not in self.plans:
            return False
        return 0 < len(self._stuck_ships(preview)) < len(preview.ships)

    def _plan_problem(self, preview: FleetPreview) -> str:
        """Return why a fleet will not complete its plan, or ""."""
        plan = self.plans.get(preview.fleet.key)
        if plan is None:
            return ""
        if self._is_waiting(preview):
            names = join_phrases(", ", (ship.name for ship in self._stuck_ships(preview)))
            return phrase("{} cannot jump: the plan waits", names)
        legs = plan["legs"]
        if any(leg["week"] > self.scenario.weeks for leg in legs):
            return phrase("The war ends in week {}: it will not arrive", self.scenario.weeks)
        if not legs and any(goal != plan["end"] for goal in plan["goals"]):
            return phrase("No route there: the plan waits")
        return ""

    def _stuck_ships(self, preview: FleetPreview) -> list[Ship]:
        """Return the ships that keep a fleet from moving; docked ones leave their dock with it."""
        immobile = immobile_ships(self.classes, preview.ships)
        return [ship for ship in immobile if not ship.docked]

    def _stuck_reason(self, preview: FleetPreview) -> str:
        """Return why a fleet cannot move under any orders; empty if it can, or does."""
        if preview.has_moved:
            return ""
        week = pending_entry_week(self.scenario, preview.fleet, self.view.week)
        if week is not None:
            return phrase("enters the map in week {}", week)
        if not preview.ships:  # a dummy counter
            return ""
        if all(ship.station for ship in preview.ships):
            return phrase("a station, which never moves")
        can_jump = len(self._stuck_ships(preview)) < len(preview.ships)
        if can_jump or self._has_gates(preview.start):
            return ""
        return phrase("no ship with a working FTL drive")

    def _has_gates(self, label: str) -> bool:
        return any(label in (link.a, link.b) for link in self.scenario.links)

    def _line_text(
        self,
        preview: FleetPreview,
        changes: Sequence[str],
        stuck_reason: str,
        *,
        is_ordered: bool,
    ) -> str:
        """Return what a fleet does as one line: movement, changes, intent and plan."""
        movement = self._movement_text(preview, stuck_reason)
        if not is_ordered and not stuck_reason and not preview.withdraws:
            if changes:
                movement = phrase("{}; no move ordered", movement)
            else:
                movement = phrase("No order: stays at {}", self._place_name(preview.start))
        parts = [movement, *changes]
        if preview.ships and is_ordered:
            parts.append(STANDING_ORDERS[preview.fleet.standing or "stand-off"])
        if preview.fleet.answers:
            conditions = counted_noun(len(preview.fleet.answers), "condition")
            parts.append(phrase("conditions first ({})", conditions))
        words = join_phrases("; ", parts)
        plan = self.plans.get(preview.fleet.key)
        plan_text = plan_words(self.scenario, plan) if plan else ""
        if plan_text:
            return phrase("{}, then {}", words, plan_text)
        return words

    def _movement_text(self, preview: FleetPreview, stuck_reason: str) -> str:
        """Return where a fleet goes or stays."""
        end = self._place_name(preview.fleet.hex)
        if preview.withdraws and preview.has_moved:
            return phrase("Withdraws to {}, if it gets away", end)
        if preview.withdraws:
            return phrase("Withdraws at {}, if it can, like all your ships there", end)
        if preview.has_moved:
            return phrase("→ {}, week {}", self._with_distance(end, preview), self.view.week)
        if stuck_reason:
            return phrase("Stays at {}: {}", end, stuck_reason)
        return phrase("Stays at {}", end)

    def _with_distance(self, end: str, preview: FleetPreview) -> str:
        """Return a destination with its distance, unless gates or a fixed path make it unclear."""
        if self.scenario.links or self._has_path(preview.fleet.key):
            return end
        hexes = counted_noun(distance(preview.start, preview.fleet.hex), "hex")
        return join_phrases(", ", (end, hexes))

    def _has_path(self, key: str) -> bool:
        moves = items(self.payload, MOVE.key)
        return any(move.get("path") for move in moves if move.get("fleet") == key)

    def _place_name(self, label: str) -> str:
        system = system_at(self.scenario, label)
        if system is None:
            return phrase("hex {}", label)
        return system.name

    def _formation_lines(self, preview: FleetPreview) -> list[str]:
        """Return how a fleet's name or composition changes, which gives it nothing to do yet."""
        lines = []
        fleet_before = self.fleets_before.get(preview.fleet.key)
        if fleet_before is not None and fleet_before.name != preview.fleet.name:
            lines.append(phrase("renamed, was {}", fleet_before.name))
        return lines + self._exchange_lines(preview)

    def _change_lines(self, preview: FleetPreview) -> list[str]:
        """Return what happens to a fleet and its ships besides movement."""
        fleet = preview.fleet
        fleet_before = self.fleets_before.get(fleet.key)
        lines = fleet_changes(self.orders_by_fleet.get(fleet.key, {}), self.ship_names)
        lines += self._dock_lines(preview.ships)
        lines += self._ship_lines(preview.ships)
        has_same_decoys = fleet_before is not None and fleet.decoys_out == fleet_before.decoys_out
        if fleet.decoys_out and (preview.has_moved or not has_same_decoys):
            lines.append(phrase("deploys {}", counted_noun(fleet.decoys_out, "decoy")))
        origin = fleet_before or self._origin_fleet(preview)
        if origin is not None and origin.doctrine != fleet.doctrine:
            lines.append(phrase("new doctrine"))
        if fleet_before is not None:
            orders_before = (fleet_before.standing, fleet_before.answers)
            if orders_before != (fleet.standing, fleet.answers):
                lines.append(phrase("standing order changed"))
        return lines

    def _origin_fleet(self, preview: FleetPreview) -> Fleet | None:
        """Return the fleet that a new fleet's first ship comes from, or None without ships."""
        if not preview.ships:
            return None
        first_ship = self.ships_before[preview.ships[0].key]
        return self.fleets_before.get(first_ship.fleet)

    def _exchange_lines(self, preview: FleetPreview) -> list[str]:
        """Return which ships join or leave a fleet, and which it loses by its orders."""
        key = preview.fleet.key
        lines = []
        joining = [ship for ship in preview.ships if self.ships_before[ship.key].fleet != key]
        if joining:
            lines.append(phrase("takes over {}", _ship_names(joining)))
        leaving: dict[str, list[Ship]] = {}  # by name of their new fleet
        lost_ships = []
        for ship in self.ships_of.get(key, ()):
            fleet = self.fleet_after_of.get(ship.key)
            if fleet is None:
                lost_ships.append(ship)
            elif fleet.key != key:
                leaving.setdefault(fleet.name, []).append(ship)
        for name, ships in leaving.items():
            lines.append(phrase("gives {} to {}", _ship_names(ships), name))
        if lost_ships:
            lines.append(phrase("loses {}", _ship_names(lost_ships)))
        return lines

    def _dock_lines(self, ships: Sequence[Ship]) -> list[str]:
        """Return which ships are in dock, what is done to them there, and which leave it."""
        docked = [ship for ship in ships if ship.docked]
        undocked = []
        for ship in ships:
            if self.ships_before[ship.key].docked and not ship.docked:
                undocked.append(ship)
        rows = (
            (phrase("in dock: {}"), docked),
            (phrase("under repair: {}"), [ship for ship in docked if ship.repair]),
            (phrase("takes on stores: {}"), [ship for ship in docked if ship.replenish]),
            (phrase("scuttled if captured: {}"), [ship for ship in docked if ship.scuttle]),
            (phrase("leaves its dock: {}"), undocked),
        )
        return [words.format(_ship_names(group)) for words, group in rows if group]

    def _ship_lines(self, ships: Sequence[Ship]) -> list[str]:
        """Return changes of tows, weasels, settings and loads."""
        lines: list[str] = []
        newly_towed: dict[str, list[Ship]] = {}  # by tug
        released = []
        switched_on = []
        switched_off = []
        for ship in ships:
            ship_before = self.ships_before[ship.key]
            if ship.tug and ship.tug != ship_before.tug:
                newly_towed.setdefault(ship.tug, []).append(ship)
            if ship_before.tug and not ship.tug:
                released.append(ship)
            if ship.weasel_on and not ship_before.weasel_on:
                switched_on.append(ship)
            if ship_before.weasel_on and not ship.weasel_on:
                switched_off.append(ship)
        for tug, towed in newly_towed.items():
            lines.append(phrase("{} tows {}", self.ships_before[tug].name, _ship_names(towed)))
        rows = (
            (phrase("no longer in tow: {}"), released),
            (phrase("weasel on: {}"), switched_on),
            (phrase("weasel off: {}"), switched_off),
        )
        lines += [words.format(_ship_names(group)) for words, group in rows if group]
        for ship in ships:
            lines += _refit_lines(ship, self.ships_before[ship.key])
        return lines


def _ship_names(ships: Sequence[Ship]) -> str:
    """Return the names of some ships, or the number of many."""
    if len(ships) > MAX_NAMES:
        return counted_noun(len(ships), "ship")
    return join_phrases(", ", (ship.name for ship in ships))


def _refit_lines(ship: Ship, ship_before: Ship) -> list[str]:
    """Return a ship's changed settings, and the loads that its base is to change."""
    settings = dict(ship.settings)
    changed = settings.items() ^ dict(ship_before.settings).items()
    new_settings = {system: settings.get(system, "") for system, _ in sorted(changed)}
    new_settings |= dict(ship.refit)
    lines = []
    for system, setting in new_settings.items():
        lines.append(refit_words(ship.name, {"system": system, "setting": setting}))
    return lines
