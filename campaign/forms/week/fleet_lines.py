"""What a draft of a week's orders does, fleet by fleet, in words.

The rows of the orders page, its counter, the bar that seals and the list that is read back before
a seal all show these lines. They are made from the payload that is sealed, by what the rules do
with it (`campaign.orders.effects`), and not from the wording of the orders.
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
from campaign.orders.effects import FleetPreview, WeekPreview, preview
from campaign.orders.move import MOVE
from campaign.orders.preparation import lawful_orders
from campaign.orders.refit import refit_words
from campaign.orders.registry import KEY, ORDERS, fleet_changes, orders_by_fleet, stored_items
from campaign.rules.hexes import distance
from campaign.rules.orders import Orders
from campaign.rules.own_keys import page_id
from campaign.rules.queries import (
    grounded,
    in_sight,
    may_not_enter,
    ship_classes,
    ships_by_fleet,
    system_at,
)
from campaign.rules.scenario import Scenario
from campaign.rules.view import Fleet, Ship, View
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun

NAMED = 3  # ships that a line names; more are counted
INTENTS = {
    "fight": phrase("fights"),
    "stand-off": phrase("stands off"),
    "withdraw": phrase("withdraws if met"),
}
_ITEM = re.compile(rf"^({KEY})(?:\[([0-9]+)\])?")


class LineState(StrEnum):
    """What is left to do about a fleet. Its values name the groups of the list."""

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
        trouble: What is wrong, or empty.
        waits: Its plan does not go on, because some of its ships cannot jump.
    """

    key: str
    name: str
    state: LineState
    words: str
    trouble: str = ""
    waits: bool = False


@dataclass(frozen=True, slots=True)
class WeekLines:
    """All lines of a draft. `other`: what it orders besides fleets, such as shipyards."""

    fleets: tuple[FleetLine, ...]
    other: tuple[str, ...]

    def unordered(self) -> tuple[str, ...]:
        """The names of the fleets that could move and are ordered nothing."""
        return tuple(line.name for line in self.fleets if line.state == LineState.UNORDERED)

    def told(self) -> dict[str, Any]:
        """The lines as data for the page's script."""
        lines = {line.key: asdict(line) for line in self.fleets}
        return {"lines": lines, "other": list(self.other)}


def week_lines(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    faults: Faults,
    plans: Mapping[str, Mapping[str, Any]],
    stays: Iterable[str] = (),
) -> WeekLines:
    """Return what a draft does, the fleets in the order of the View, new ones after them.

    Args:
        faults: What is wrong with the payload. Only its lawful part is carried out.
        plans: The plans of further weeks, as `plan_fields.plans_told` gives them.
        stays: The keys of fleets of which the player has said that they stay.
    """
    return _Lines(scenario, view, payload, faults, plans, frozenset(stays)).all()


def readable_orders(payload: Mapping[str, Any]) -> Orders:
    """Return the orders of a payload without the items that cannot be read."""
    left = dict(payload)
    while True:
        orders, found = parse_orders(left)
        if orders is not None:
            return orders
        if not _dropped(left, [fault.where for fault in found]):
            return Orders()


def _dropped(payload: dict[str, Any], places: Sequence[str]) -> bool:
    """Drop what these places name; whether there was anything."""
    doomed: dict[str, set[int]] = {}
    for where in places:
        match = _ITEM.match(where)
        if match is None or match[1] not in payload:
            continue
        numbers = doomed.setdefault(match[1], set())
        if match[2]:
            numbers.add(int(match[2]))
    for part, numbers in doomed.items():
        given = payload[part]
        if numbers and isinstance(given, list):
            payload[part] = [item for n, item in enumerate(given) if n not in numbers]
        else:
            del payload[part]
    return bool(doomed)


class _Lines:
    """What the lines of one draft need of each other."""

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
        self.classes = ship_classes(in_sight(scenario, view))
        lawful, _ = lawful_orders(scenario, view, readable_orders(payload))
        self.after: WeekPreview = preview(scenario, view, lawful)
        self.before: dict[str, Fleet] = {one.key: one for one in (*view.fleets, *view.dummies)}
        self.ships = {ship.key: ship for ship in view.ships}
        self.fleet_after: dict[str, Fleet] = {}
        for planned in self.after.fleets.values():
            self.fleet_after |= dict.fromkeys((ship.key for ship in planned.ships), planned.fleet)
        self.crews = ships_by_fleet(view.ships)
        self.names = {key: one.name for key, one in self.before.items()}
        self.names |= {key: one.fleet.name for key, one in self.after.fleets.items()}
        self.moves = ends_of(payload)
        dummies = items(payload, DUMMIES.key)
        self.removed = {str(one.get("dummy")) for one in dummies if one.get("remove")}
        self.decided = {str(one.get("hex")) for one in items(payload, DECIDE.key)}
        self.troubles = self._troubles(faults)

    def all(self) -> WeekLines:
        keys = list(dict.fromkeys([*self.before, *self.after.fleets, *self.troubles]))
        parts = {
            order.key: stored_items(self.payload, order)
            for order in ORDERS
            if order.is_listed_separately
        }
        other = orders_words(self.scenario, self.view, parts) if any(parts.values()) else ()
        return WeekLines(tuple(map(self._line, keys)), other)

    def _troubles(self, faults: Faults) -> dict[str, list[str]]:
        """The faults of the payload by fleet: its own, and those of the ships it has now."""
        keys = {*self.before, *self.after.fleets, *self.moves}
        keys |= {str(item.get("into")) for item in items(self.payload, DETACH.key)}
        places = {page_id("fleet", key): key for key in keys}
        places |= {page_id("ship", ship.key): ship.fleet for ship in self.view.ships}
        found: dict[str, list[str]] = {}
        for fault in faults.all:
            if fault.anchor in places:
                words = fault.words
                if fault.subject:
                    words = phrase("{}: {}", fault.subject, words)
                found.setdefault(places[fault.anchor], []).append(words)
        return found

    def _line(self, key: str) -> FleetLine:
        name = self.names.get(key) or phrase("New fleet")
        trouble = joined_phrases("; ", self.troubles.get(key, ()))
        if key in self.after.merged:
            into = joined_phrases(", ", (self.names[heir] for heir in self.after.merged[key]))
            state = LineState.PROBLEM if trouble else LineState.ORDERED
            return FleetLine(key, name, state, phrase("Merged into {}", into), trouble)
        found = self.after.fleets.get(key)
        if found is None:
            gone = phrase("Removed from the map") if key in self.removed else phrase("Not formed")
            if key in self.before and self.crews.get(key):
                gone = phrase("Loses its last ship")
            state = LineState.PROBLEM if trouble else LineState.ORDERED
            return FleetLine(key, name, state, gone, trouble)
        waits = not trouble and self._waits(found)
        trouble = trouble or self._plan_trouble(found)
        stuck = self._stuck(found)
        formed = self._formed(found)
        changes = self._changes(found)
        ordered = found.goes or bool(changes) or key in self.plans or key in self.stays
        ordered = ordered or found.start in self.decided
        if trouble:
            state = LineState.PROBLEM
        elif stuck:
            state = LineState.CANNOT_MOVE
        else:
            state = LineState.ORDERED if ordered else LineState.UNORDERED
        words = self._words(found, [*formed, *changes], stuck, ordered=ordered)
        return FleetLine(key, name, state, words, trouble, waits)

    def _waits(self, found: FleetPreview) -> bool:
        """Whether some of its ships, not all, keep a fleet from going on with its plan."""
        if found.goes or found.fleet.key not in self.plans:
            return False
        return 0 < len(self._bound(found)) < len(found.ships)

    def _plan_trouble(self, found: FleetPreview) -> str:
        plan = self.plans.get(found.fleet.key)
        if plan is None:
            return ""
        if self._waits(found):
            names = joined_phrases(", ", (ship.name for ship in self._bound(found)))
            return phrase("{} cannot jump: the plan waits", names)
        legs = plan["legs"]
        if any(leg["week"] > self.scenario.weeks for leg in legs):
            return phrase("The war ends in week {}: it will not arrive", self.scenario.weeks)
        here = plan["end"]
        if not legs and any(goal != here for goal in plan["goals"]):
            return phrase("No way leads there: the plan waits")
        return ""

    def _bound(self, found: FleetPreview) -> list[Ship]:
        """The ships that keep a fleet from moving; docked ones leave their dock with it."""
        return [ship for ship in grounded(self.classes, found.ships) if not ship.docked]

    def _stuck(self, found: FleetPreview) -> str:
        """Why a fleet cannot move whatever is ordered; empty where it can, or does."""
        if found.goes:
            return ""
        week = may_not_enter(self.scenario, found.fleet, self.view.week)
        if week is not None:
            return phrase("enters the map in week {}", week)
        if not found.ships:  # a dummy counter
            return ""
        if len(self._bound(found)) < len(found.ships) or self._by_gates(found.start):
            return ""
        return phrase("no ship with a working FTL drive")

    def _by_gates(self, start: str) -> bool:
        return any(start in (link.a, link.b) for link in self.scenario.links)

    def _words(
        self,
        found: FleetPreview,
        changes: Sequence[str],
        stuck: str,
        *,
        ordered: bool,
    ) -> str:
        way = self._way(found, stuck)
        if not (ordered or stuck):
            stays = phrase("{}, no move ordered", way)
            way = stays if changes else phrase("No order: stays at {}", self._place(found.start))
        parts = [way, *changes]
        if found.ships and ordered:
            parts.append(INTENTS[found.fleet.standing or "stand-off"])
        if found.fleet.answers:
            conditions = counted_noun(len(found.fleet.answers), "condition")
            parts.append(phrase("first its {}", conditions))
        words = joined_phrases("; ", parts)
        plan = self.plans.get(found.fleet.key)
        then = plan_words(self.scenario, plan) if plan else ""
        return phrase("{}, then {}", words, then) if then else words

    def _way(self, found: FleetPreview, stuck: str) -> str:
        """Where a fleet goes or stays."""
        end = self._place(found.fleet.hex)
        if found.withdraws:
            if found.goes:
                return phrase("Withdraws to {}, if it gets away", end)
            return phrase("Withdraws at {}, if it can", end)
        if found.goes:
            plain = not self.scenario.links and not self._by_path(found.fleet.key)
            far = counted_noun(distance(found.start, found.fleet.hex), "hex") if plain else ""
            way = joined_phrases(", ", (one for one in (end, far) if one))
            return phrase("→ {}, week {}", way, self.view.week)
        if stuck:
            return phrase("Stays at {}: {}", end, stuck)
        return phrase("Stays at {}", end)

    def _by_path(self, key: str) -> bool:
        moves = items(self.payload, MOVE.key)
        return any(move.get("path") for move in moves if move.get("fleet") == key)

    def _place(self, label: str) -> str:
        system = system_at(self.scenario, label)
        return phrase("hex {}", label) if system is None else system.name

    def _formed(self, found: FleetPreview) -> list[str]:
        """How a fleet is formed anew, which does not yet say what it is to do."""
        was = self.before.get(found.fleet.key)
        renamed = was is not None and was.name != found.fleet.name
        said = [phrase("renamed, was {}", was.name)] if was is not None and renamed else []
        return said + self._exchanged(found)

    def _changes(self, found: FleetPreview) -> list[str]:
        """What becomes of a fleet and its ships besides the way it goes."""
        after = found.fleet
        was = self.before.get(after.key)
        said = fleet_changes(self.orders_by_fleet.get(after.key, {}))
        said += self._docked(found.ships)
        said += self._of_ships(found.ships)
        if after.decoys_out and (found.goes or was is None or after.decoys_out != was.decoys_out):
            said.append(phrase("deploys {}", counted_noun(after.decoys_out, "decoy")))
        like = was or self.before.get(self.ships[found.ships[0].key].fleet if found.ships else "")
        if like is not None and like.doctrine != after.doctrine:
            said.append(phrase("new doctrine"))
        if was is not None and (was.standing, was.answers) != (after.standing, after.answers):
            said.append(phrase("new standing order"))
        return said

    def _exchanged(self, found: FleetPreview) -> list[str]:
        """Ships that join a fleet, that leave it, and that orders cost it."""
        key = found.fleet.key
        said = []
        joined = [ship for ship in found.ships if self.ships[ship.key].fleet != key]
        if joined:
            said.append(phrase("takes over {}", _ships(joined)))
        left: dict[str, list[Ship]] = {}
        lost = []
        for ship in self.crews.get(key, ()):
            fleet = self.fleet_after.get(ship.key)
            if fleet is None:
                lost.append(ship)
            elif fleet.key != key:
                left.setdefault(fleet.name, []).append(ship)
        said += [phrase("gives {} to {}", _ships(ships), name) for name, ships in left.items()]
        if lost:
            said.append(phrase("loses {}", _ships(lost)))
        return said

    def _docked(self, ships: Sequence[Ship]) -> list[str]:
        docked = [ship for ship in ships if ship.docked]
        undocked = [ship for ship in ships if self.ships[ship.key].docked and not ship.docked]
        rows = (
            (phrase("in dock: {}"), docked),
            (phrase("under repair: {}"), [ship for ship in docked if ship.repair]),
            (phrase("takes on stores: {}"), [ship for ship in docked if ship.replenish]),
            (phrase("scuttled if captured: {}"), [ship for ship in docked if ship.scuttle]),
            (phrase("leaves its dock: {}"), undocked),
        )
        return [words.format(_ships(some)) for words, some in rows if some]

    def _of_ships(self, ships: Sequence[Ship]) -> list[str]:
        """Tows, weasels and weapons that are set or loaded otherwise."""
        said: list[str] = []
        towed: dict[str, list[Ship]] = {}
        for ship in ships:
            if ship.tug and ship.tug != self.ships[ship.key].tug:
                towed.setdefault(ship.tug, []).append(ship)
        for tug, some in towed.items():
            said.append(phrase("{} tows {}", self.ships[tug].name, _ships(some)))
        was = self.ships
        dropped = [ship for ship in ships if was[ship.key].tug and not ship.tug]
        on = [ship for ship in ships if ship.weasel_on and not was[ship.key].weasel_on]
        off = [ship for ship in ships if was[ship.key].weasel_on and not ship.weasel_on]
        rows = (
            (phrase("no longer in tow: {}"), dropped),
            (phrase("weasel on: {}"), on),
            (phrase("weasel off: {}"), off),
        )
        said += [words.format(_ships(some)) for words, some in rows if some]
        for ship in ships:
            said += _rearmed(ship, was[ship.key])
        return said


def _ships(ships: Sequence[Ship]) -> str:
    """Some ships by their names, or counted where they are many."""
    if len(ships) > NAMED:
        return counted_noun(len(ships), "ship")
    return joined_phrases(", ", (ship.name for ship in ships))


def _rearmed(ship: Ship, was: Ship) -> list[str]:
    """What is set otherwise on a ship, and what its base is to load otherwise."""
    settings = dict(ship.settings)
    changed = settings.items() ^ dict(was.settings).items()
    wanted = {system: settings.get(system, "") for system, _ in sorted(changed)} | dict(ship.refit)
    items_of = ({"system": system, "setting": setting} for system, setting in wanted.items())
    return [refit_words(ship.name, item) for item in items_of]
