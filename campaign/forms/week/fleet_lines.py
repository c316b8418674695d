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
from campaign.orders.preparation import lawful_orders
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

MOST_NAMES = 3  # ships that a line names; above that it counts them
INTENTS = {
    "fight": phrase("fights"),
    "stand-off": phrase("stands off"),
    "withdraw": phrase("withdraws if met"),
}
_ITEM = re.compile(rf"^({KEY})(?:\[([0-9]+)\])?")


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
    return _Lines(scenario, view, payload, faults, plans, frozenset(stays)).build()


def readable_orders(payload: Mapping[str, Any]) -> Orders:
    """Return the orders of a payload without unreadable items."""
    remaining = dict(payload)
    while True:
        orders, faults = parse_orders(remaining)
        if orders is not None:
            return orders
        if not _drop_places(remaining, [fault.where for fault in faults]):
            return Orders()


def _drop_places(payload: dict[str, Any], places: Sequence[str]) -> bool:
    """Remove the items at these paths; return whether there were any."""
    numbers_by_part: dict[str, set[int]] = {}
    for where in places:
        match = _ITEM.match(where)
        if match is None or match[1] not in payload:
            continue
        numbers = numbers_by_part.setdefault(match[1], set())
        if match[2]:
            numbers.add(int(match[2]))
    for part, numbers in numbers_by_part.items():
        items_of_part = payload[part]
        if numbers and isinstance(items_of_part, list):
            payload[part] = [item for n, item in enumerate(items_of_part) if n not in numbers]
        else:
            del payload[part]
    return bool(numbers_by_part)


class _Lines:
    """Builds the lines of a draft from its shared data."""

    def __init__(
        self,
        scenario: Scenario,
        view: View,
        payload: Mapping[str, Any],
        faults: Faults,
        plans: Mapping[str, Mapping[str, Any]],
        stays: frozenset[str],
    ) -> None:
        self.scenario, self.view, self.payload = scenario, view, payload
        self.orders_by_fleet = orders_by_fleet(payload)
        self.plans, self.stays = plans, stays
        self.classes = ship_classes(with_known_designs(scenario, view))
        lawful, _ = lawful_orders(scenario, view, readable_orders(payload))
        self.after: WeekPreview = preview_week(scenario, view, lawful)
        self.before: dict[str, Fleet] = {
            entry.key: entry for entry in (*view.fleets, *view.dummies)
        }
        self.ships = {ship.key: ship for ship in view.ships}
        self.fleet_after: dict[str, Fleet] = {}
        for planned in self.after.fleets.values():
            self.fleet_after |= dict.fromkeys((ship.key for ship in planned.ships), planned.fleet)
        self.ships_of = ships_by_fleet(view.ships)
        self.names = {key: entry.name for key, entry in self.before.items()}
        self.names |= {key: entry.fleet.name for key, entry in self.after.fleets.items()}
        self.moves = ends_of(payload)
        dummies = items(payload, DUMMIES.key)
        self.removed = {str(entry.get("dummy")) for entry in dummies if entry.get("remove")}
        self.decided = {str(entry.get("hex")) for entry in items(payload, DECIDE.key)}
        self.problems = self._problems_by_fleet(faults)

    def build(self) -> WeekLines:
        keys = list(dict.fromkeys([*self.before, *self.after.fleets, *self.problems]))
        parts = {}
        for order in ORDERS:
            if order.is_listed_separately:
                parts[order.key] = stored_items(self.payload, order)
        other_lines = orders_words(self.scenario, self.view, parts) if any(parts.values()) else ()
        return WeekLines(tuple(map(self._line, keys)), other_lines)

    def _problems_by_fleet(self, faults: Faults) -> dict[str, list[str]]:
        """Return the faults of the payload by fleet, including those of its present ships."""
        keys = {*self.before, *self.after.fleets, *self.moves}
        keys |= {str(item.get("into")) for item in items(self.payload, DETACH.key)}
        places = {page_id("fleet", key): key for key in keys}
        places |= {page_id("ship", ship.key): ship.fleet for ship in self.view.ships}
        problems: dict[str, list[str]] = {}
        for fault in faults.all:
            if fault.anchor in places:
                words = fault.words
                if fault.subject:
                    words = phrase("{}: {}", fault.subject, words)
                problems.setdefault(places[fault.anchor], []).append(words)
        return problems

    def _line(self, key: str) -> FleetLine:
        name = self.names.get(key) or phrase("New fleet")
        trouble = join_phrases("; ", self.problems.get(key, ()))
        if key in self.after.merged:
            into = join_phrases(", ", (self.names[heir] for heir in self.after.merged[key]))
            state = LineState.PROBLEM if trouble else LineState.ORDERED
            return FleetLine(key, name, state, phrase("Merged into {}", into), trouble)
        fleet_preview = self.after.fleets.get(key)
        if fleet_preview is None:
            if key in self.removed:
                end_text = phrase("Removed from the map")
            else:
                end_text = phrase("Not formed")
            if key in self.before and self.ships_of.get(key):
                end_text = phrase("Loses its last ship")
            state = LineState.PROBLEM if trouble else LineState.ORDERED
            return FleetLine(key, name, state, end_text, trouble)
        waits = not trouble and self._is_waiting(fleet_preview)
        trouble = trouble or self._plan_trouble(fleet_preview)
        stuck = self._stuck_reason(fleet_preview)
        formed = self._formation_lines(fleet_preview)
        changes = self._change_lines(fleet_preview)
        ordered = fleet_preview.has_moved or bool(changes) or key in self.plans or key in self.stays
        ordered = ordered or fleet_preview.start in self.decided
        if trouble:
            state = LineState.PROBLEM
        elif stuck:
            state = LineState.CANNOT_MOVE
        elif ordered:
            state = LineState.ORDERED
        else:
            state = LineState.UNORDERED
        words = self._line_text(fleet_preview, [*formed, *changes], stuck, ordered=ordered)
        return FleetLine(key, name, state, words, trouble, waits)

    def _is_waiting(self, fleet_preview: FleetPreview) -> bool:
        """Return whether some of the fleet's ships, not all, keep it from continuing its plan."""
        if fleet_preview.has_moved or fleet_preview.fleet.key not in self.plans:
            return False
        return 0 < len(self._stuck_ships(fleet_preview)) < len(fleet_preview.ships)

    def _plan_trouble(self, fleet_preview: FleetPreview) -> str:
        plan = self.plans.get(fleet_preview.fleet.key)
        if plan is None:
            return ""
        if self._is_waiting(fleet_preview):
            names = join_phrases(", ", (ship.name for ship in self._stuck_ships(fleet_preview)))
            return phrase("{} cannot jump: the plan waits", names)
        legs = plan["legs"]
        if any(leg["week"] > self.scenario.weeks for leg in legs):
            return phrase("The war ends in week {}: it will not arrive", self.scenario.weeks)
        here = plan["end"]
        if not legs and any(goal != here for goal in plan["goals"]):
            return phrase("No route there: the plan waits")
        return ""

    def _stuck_ships(self, fleet_preview: FleetPreview) -> list[Ship]:
        """Return the ships that keep a fleet from moving; docked ones leave their dock with it."""
        ships: list[Ship] = []
        for ship in immobile_ships(self.classes, fleet_preview.ships):
            if not ship.docked:
                ships.append(ship)
        return ships

    def _stuck_reason(self, fleet_preview: FleetPreview) -> str:
        """Return why a fleet cannot move under any orders; empty if it can, or does."""
        if fleet_preview.has_moved:
            return ""
        week = pending_entry_week(self.scenario, fleet_preview.fleet, self.view.week)
        if week is not None:
            return phrase("enters the map in week {}", week)
        if not fleet_preview.ships:  # a dummy counter
            return ""
        if len(self._stuck_ships(fleet_preview)) < len(fleet_preview.ships) or self._has_gates(
            fleet_preview.start
        ):
            return ""
        return phrase("no ship with a working FTL drive")

    def _has_gates(self, start: str) -> bool:
        return any(start in (link.a, link.b) for link in self.scenario.links)

    def _line_text(
        self,
        fleet_preview: FleetPreview,
        changes: Sequence[str],
        stuck: str,
        *,
        ordered: bool,
    ) -> str:
        way = self._movement_text(fleet_preview, stuck)
        if not (ordered or stuck):
            stays = phrase("{}; no move ordered", way)
            if changes:
                way = stays
            else:
                way = phrase("No order: stays at {}", self._place(fleet_preview.start))
        parts = [way, *changes]
        if fleet_preview.ships and ordered:
            parts.append(INTENTS[fleet_preview.fleet.standing or "stand-off"])
        if fleet_preview.fleet.answers:
            conditions = counted_noun(len(fleet_preview.fleet.answers), "condition")
            parts.append(phrase("conditions first ({})", conditions))
        words = join_phrases("; ", parts)
        plan = self.plans.get(fleet_preview.fleet.key)
        then = plan_words(self.scenario, plan) if plan else ""
        if then:
            return phrase("{}, then {}", words, then)
        return words

    def _movement_text(self, fleet_preview: FleetPreview, stuck: str) -> str:
        """Return where a fleet goes or stays."""
        end = self._place(fleet_preview.fleet.hex)
        if fleet_preview.withdraws:
            if fleet_preview.has_moved:
                return phrase("Withdraws to {}, if it gets away", end)
            return phrase("Withdraws at {}, if it can", end)
        if fleet_preview.has_moved:
            plain = not self.scenario.links and not self._has_path(fleet_preview.fleet.key)
            if plain:
                far = counted_noun(distance(fleet_preview.start, fleet_preview.fleet.hex), "hex")
            else:
                far = ""
            way = join_phrases(", ", (part for part in (end, far) if part))
            return phrase("→ {}, week {}", way, self.view.week)
        if stuck:
            return phrase("Stays at {}: {}", end, stuck)
        return phrase("Stays at {}", end)

    def _has_path(self, key: str) -> bool:
        moves = items(self.payload, MOVE.key)
        return any(move.get("path") for move in moves if move.get("fleet") == key)

    def _place(self, label: str) -> str:
        system = system_at(self.scenario, label)
        if system is None:
            return phrase("hex {}", label)
        return system.name

    def _formation_lines(self, fleet_preview: FleetPreview) -> list[str]:
        """Return how a fleet's name or composition changes, which gives it nothing to do yet."""
        was = self.before.get(fleet_preview.fleet.key)
        renamed = was is not None and was.name != fleet_preview.fleet.name
        lines = [phrase("renamed, was {}", was.name)] if was is not None and renamed else []
        return lines + self._exchange_lines(fleet_preview)

    def _change_lines(self, fleet_preview: FleetPreview) -> list[str]:
        """Return what happens to a fleet and its ships besides movement."""
        after = fleet_preview.fleet
        was = self.before.get(after.key)
        lines = fleet_changes(self.orders_by_fleet.get(after.key, {}))
        lines += self._dock_lines(fleet_preview.ships)
        lines += self._ship_lines(fleet_preview.ships)
        if after.decoys_out and (
            fleet_preview.has_moved or was is None or after.decoys_out != was.decoys_out
        ):
            lines.append(phrase("deploys {}", counted_noun(after.decoys_out, "decoy")))
        like = was or self.before.get(
            self.ships[fleet_preview.ships[0].key].fleet if fleet_preview.ships else ""
        )
        if like is not None and like.doctrine != after.doctrine:
            lines.append(phrase("new doctrine"))
        if was is not None and (was.standing, was.answers) != (after.standing, after.answers):
            lines.append(phrase("new standing order"))
        return lines

    def _exchange_lines(self, fleet_preview: FleetPreview) -> list[str]:
        """Return which ships join or leave a fleet, and which it loses by its orders."""
        key = fleet_preview.fleet.key
        lines = []
        joined = [ship for ship in fleet_preview.ships if self.ships[ship.key].fleet != key]
        if joined:
            lines.append(phrase("takes over {}", _ships(joined)))
        departed: dict[str, list[Ship]] = {}
        lost_ships = []
        for ship in self.ships_of.get(key, ()):
            fleet = self.fleet_after.get(ship.key)
            if fleet is None:
                lost_ships.append(ship)
            elif fleet.key != key:
                departed.setdefault(fleet.name, []).append(ship)
        lines += [phrase("gives {} to {}", _ships(ships), name) for name, ships in departed.items()]
        if lost_ships:
            lines.append(phrase("loses {}", _ships(lost_ships)))
        return lines

    def _dock_lines(self, ships: Sequence[Ship]) -> list[str]:
        docked = [ship for ship in ships if ship.docked]
        undocked = [ship for ship in ships if self.ships[ship.key].docked and not ship.docked]
        rows = (
            (phrase("in dock: {}"), docked),
            (phrase("under repair: {}"), [ship for ship in docked if ship.repair]),
            (phrase("takes on stores: {}"), [ship for ship in docked if ship.replenish]),
            (phrase("scuttled if captured: {}"), [ship for ship in docked if ship.scuttle]),
            (phrase("leaves its dock: {}"), undocked),
        )
        return [words.format(_ships(group)) for words, group in rows if group]

    def _ship_lines(self, ships: Sequence[Ship]) -> list[str]:
        """Return changes of tows, weasels, settings and loads."""
        lines: list[str] = []
        towed: dict[str, list[Ship]] = {}
        for ship in ships:
            if ship.tug and ship.tug != self.ships[ship.key].tug:
                towed.setdefault(ship.tug, []).append(ship)
        for tug, group in towed.items():
            lines.append(phrase("{} tows {}", self.ships[tug].name, _ships(group)))
        was = self.ships
        dropped = [ship for ship in ships if was[ship.key].tug and not ship.tug]
        on = [ship for ship in ships if ship.weasel_on and not was[ship.key].weasel_on]
        off = [ship for ship in ships if was[ship.key].weasel_on and not ship.weasel_on]
        rows = (
            (phrase("no longer in tow: {}"), dropped),
            (phrase("weasel on: {}"), on),
            (phrase("weasel off: {}"), off),
        )
        lines += [words.format(_ships(group)) for words, group in rows if group]
        for ship in ships:
            lines += _rearm_lines(ship, was[ship.key])
        return lines


def _ships(ships: Sequence[Ship]) -> str:
    """Return the names of some ships, or the number of many."""
    if len(ships) > MOST_NAMES:
        return counted_noun(len(ships), "ship")
    return join_phrases(", ", (ship.name for ship in ships))


def _rearm_lines(ship: Ship, was: Ship) -> list[str]:
    """Return a ship's changed settings, and the loads that its base is to change."""
    settings = dict(ship.settings)
    changed = settings.items() ^ dict(was.settings).items()
    new_settings = {system: settings.get(system, "") for system, _ in sorted(changed)} | dict(
        ship.refit
    )
    items_of = ({"system": system, "setting": setting} for system, setting in new_settings.items())
    return [refit_words(ship.name, item) for item in items_of]
