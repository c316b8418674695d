"""Orders for parties with goals: which fleets they form, their paths, decoys and weasel boats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter

from campaign.rules.orders import Decision, Detachment, Dock, FleetSetting, Move, Orders, Tow
from campaign.rules.queries import ships_by_fleet
from campaign.rules.view import Fleet, Ship
from engine.core.phrase import phrase
from umpire.admirals.situation import Situation, Stack


@dataclass(frozen=True, slots=True)
class Party:
    """Ships that travel together; an empty `to` means they only have to leave."""

    ships: tuple[Ship, ...]
    to: str


@dataclass(frozen=True, slots=True)
class StackPlans:
    """The decisions about an admiral's stacks, ready to be written as orders."""

    parties: Sequence[tuple[Stack, list[Party]]]
    docks: Sequence[Dock]
    decides: Sequence[Decision]
    tows: Sequence[Tow] = ()


def write_orders(situation: Situation, plans: StackPlans) -> Orders:
    """Return the orders that carry out the plans.

    A party keeps the fleet that most of its ships belong to, or forms a new one.

    Rules: 2E "The campaign map" [camp.fleets] [camp.ftl-move]
    """
    orders = _FleetOrders(situation)
    for stack, parties in plans.parties:
        orders.add_stack(stack, parties)
    busy = orders.changed_fleets()
    settings = orders.settings + _decoys_at_home(situation, busy)
    return Orders(
        settings=tuple(sorted(settings, key=attrgetter("fleet"))),
        detach=tuple(sorted(orders.detach, key=attrgetter("ships"))),
        dock=tuple(sorted(plans.docks, key=attrgetter("ship"))),
        weasels=_weasels(situation),
        decide=tuple(sorted(plans.decides, key=attrgetter("hex", "toward"))),
        moves=tuple(sorted(orders.moves, key=attrgetter("fleet"))),
        tow=tuple(sorted(plans.tows, key=attrgetter("tug"))),
    )


class _FleetOrders:
    """The orders that form and move fleets, written stack by stack."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.detach: list[Detachment] = []
        self.moves: list[Move] = []
        self.settings: list[FleetSetting] = []
        self._last_number = _last_number(situation)
        self._station_fleets = {ship.fleet for ship in situation.view.ships if ship.station}

    def add_stack(self, stack: Stack, parties: Iterable[Party]) -> None:
        """Write the orders of a stack's parties, and of the ships that they leave behind."""
        ships_of: dict[str, list[Ship]] = {}  # the ships of each fleet afterwards
        names: dict[str, str] = {}  # of new fleets
        for party in sorted(parties, key=lambda party: (-len(party.ships), party.to)):
            path = week_path(self.situation, stack, party.to)
            if not path:
                continue
            key = _own_key(party, {*ships_of, *self._station_fleets})
            if key is None:
                key, number = self._new_fleet()
                names[key] = phrase("Squadron {}", number)
            ships_of[key] = list(party.ships)
            self.moves.append(Move(key, path=path))
            self.settings += _decoys_out(
                self.situation, stack, key, ships=len(party.ships), end=path[-1]
            )
        stranded = _stranded_ships(stack, ships_of)
        if stranded:  # they need a fleet of their own
            bound = {*ships_of, *self._station_fleets}
            home = next((fleet for fleet in stack.fleets if fleet.key not in bound), None)
            if home is None:
                key, number = self._new_fleet()
                names[key] = _watch_name(self.situation, stack, number)
            else:
                key = home.key
            ships_of[key] = stranded
        for key, ships in sorted(ships_of.items()):
            joining = tuple(sorted(ship.key for ship in ships if ship.fleet != key))
            if joining:
                self.detach.append(Detachment(joining, key, names.get(key, "")))

    def changed_fleets(self) -> set[str]:
        """Return the fleets that move, or that ships join or leave."""
        changed = {move.fleet for move in self.moves}
        fleet_of = {ship.key: ship.fleet for ship in self.situation.view.ships}
        for item in self.detach:
            changed.add(item.into)
            changed |= {fleet_of[key] for key in item.ships}
        return changed

    def _new_fleet(self) -> tuple[str, int]:
        """Return the key and the number of a new fleet."""
        self._last_number += 1
        return f"{self.situation.view.faction}/f{self._last_number}", self._last_number


def _stranded_ships(stack: Stack, ships_of: Mapping[str, Sequence[Ship]]) -> list[Ship]:
    """Return the ships of a stack whose fleet departs without them.

    Args:
        ships_of: The ships of each fleet that departs.
    """
    away = {ship.key for ship in chain.from_iterable(ships_of.values())}
    stranded = []
    for ship in (*stack.movers, *stack.stuck):
        if ship.fleet in ships_of and ship.key not in away:
            stranded.append(ship)
    return stranded


def _last_number(situation: Situation) -> int:
    """Return the highest number in the keys of the faction's fleets, to number a new one.

    The keys are such as `esu/f12` and, for a part of that fleet, `esu/f12.1`.
    """
    numbers = [0]
    for fleet in situation.view.fleets:
        tail = fleet.key.partition("/f")[2].partition(".")[0]
        if tail.isdigit():
            numbers.append(int(tail))
    return max(numbers)


def _own_key(party: Party, excluded: Container[str]) -> str | None:
    """Return the fleet that most of a party's ships belong to and that is not excluded, or None."""
    counts = Counter(ship.fleet for ship in party.ships)
    free = [key for key in counts if key not in excluded]
    return min(free, key=lambda key: (-counts[key], key), default=None)


def _watch_name(situation: Situation, stack: Stack, number: int) -> str:
    """Return the name of a new fleet of ships that stay behind."""
    system = situation.system_at.get(stack.hex)
    if system is not None:
        return phrase("{} Watch {}", system.name[:24], number)
    return phrase("Squadron {}", number)


def week_path(situation: Situation, stack: Stack, to: str) -> tuple[str, ...]:
    """Return the hexes of this week's move towards a goal.

    The path is as long as a week allows and does not end in a system on the way. Without a goal, or
    if the goal is the present hex, it is one hex back or aside.
    """
    chart, limit = situation.chart, situation.scenario.hexes_per_week
    route = chart.route(stack.hex, to) if to and to != stack.hex else None
    if not route:
        return _step_out(situation, stack)
    path: list[str] = []
    cost, here = 0, stack.hex
    for next_hex in route:
        cost += chart.step(here, next_hex) or 0
        if cost > limit:
            break
        path.append(next_hex)
        here = next_hex
    while len(path) > 1 and path[-1] != to and path[-1] in situation.system_at:
        path.pop()
    return tuple(path)


def _step_out(situation: Situation, stack: Stack) -> tuple[str, ...]:
    """Return a path of one hex: back where a fleet of the stack came from, or aside."""
    chart = situation.chart
    came_from = next((fleet.back for fleet in stack.fleets if fleet.back), "")
    hex_ = came_from or chart.step_aside(stack.hex)
    if hex_ and chart.step(stack.hex, hex_) is not None:
        return (hex_,)
    return ()


def _decoys_out(
    situation: Situation, stack: Stack, key: str, *, ships: int, end: str
) -> list[FleetSetting]:
    """Turn on decoys in a fleet that arrives at a system where an enemy may be.

    Args:
        ships: The number of its ships.
        end: The hex where its move ends.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    fleet: Fleet | None = next((fleet for fleet in stack.fleets if fleet.key == key), None)
    system = situation.system_at.get(end)
    if fleet is None or not fleet.decoys or system is None:
        return []
    is_ours = situation.system_views[system.id].superior in situation.aims.side
    if is_ours and not situation.enemies.get(end):
        return []
    return [FleetSetting(key, decoys_on=min(fleet.decoys, ships))]


def _decoys_at_home(situation: Situation, busy: Container[str]) -> list[FleetSetting]:
    """Turn on decoys in unchanged fleets that a known enemy could reach this week.

    Args:
        busy: The fleets that move or change.
    """
    ships_of = ships_by_fleet(situation.view.ships)
    result = []
    for fleet in situation.view.fleets:
        has_unused_decoys = fleet.decoys and not fleet.decoys_out
        if fleet.key in busy or not has_unused_decoys or fleet.hex not in situation.system_at:
            continue
        if _is_in_reach(situation, fleet.hex):
            ships = len(ships_of.get(fleet.key, ()))
            result.append(FleetSetting(fleet.key, decoys_on=min(fleet.decoys, ships)))
    return result


def _is_in_reach(situation: Situation, hex_: str) -> bool:
    """Return whether a known enemy could come to a hex this week."""
    limit = situation.scenario.hexes_per_week
    return any(
        strength > 0 and situation.chart.is_within(start, hex_, limit)
        for start, strength in situation.enemies.items()
    )


def _weasels(situation: Situation) -> tuple[str, ...]:
    """Return the ships with a working weasel system; all of them switch it on."""
    classes = situation.estimator.classes
    keys = []
    for ship in situation.view.ships:
        has_lost_it = any(system.startswith("weasel") for system in ship.lost)
        if classes[ship.cls].weasel and not has_lost_it:
            keys.append(ship.key)
    return tuple(sorted(keys))
