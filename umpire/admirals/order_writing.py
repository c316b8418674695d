"""Orders for parties with goals: which fleets they form, their paths, drones and weasel boats."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

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
    detach: list[Detachment] = []
    moves: list[Move] = []
    settings: list[FleetSetting] = []
    number = _last_number(situation)
    for stack, parties in plans.parties:
        ships_of: dict[str, list[Ship]] = {}
        names: dict[str, str] = {}
        for party in sorted(parties, key=lambda party: (-len(party.ships), party.to)):
            path = week_path(situation, stack, party.to)
            if not path:
                continue
            key = _own_key(party, ships_of)
            if key is None:
                number += 1
                key = f"{situation.view.faction}/f{number}"
                names[key] = phrase("Squadron {}", number)
            ships_of[key] = list(party.ships)
            moves.append(Move(key, path=path))
            settings.extend(_drones_out(situation, stack, key, len(party.ships), path[-1]))
        # Ships left behind by a departing fleet need a fleet of their own.
        away = {ship.key for ships in ships_of.values() for ship in ships}
        stranded = [
            s for s in (*stack.movers, *stack.stuck) if s.key not in away and s.fleet in ships_of
        ]
        if stranded:
            home = next((fleet for fleet in stack.fleets if fleet.key not in ships_of), None)
            if home is None:
                number += 1
                key = f"{situation.view.faction}/f{number}"
                names[key] = _watch_name(situation, stack, number)
            else:
                key = home.key
            ships_of[key] = stranded
        for key, ships in sorted(ships_of.items()):
            joining = tuple(sorted(ship.key for ship in ships if ship.fleet != key))
            if joining:
                detach.append(Detachment(joining, key, names.get(key, "")))
    formed = {item.into for item in detach} | {
        ship.fleet for stack, _ in plans.parties for ship in _transferred_ships(stack, detach)
    }
    settings.extend(_drones_at_home(situation, formed | {move.fleet for move in moves}))
    return Orders(
        settings=tuple(sorted(settings, key=lambda item: item.fleet)),
        detach=tuple(sorted(detach, key=lambda item: item.ships)),
        dock=tuple(sorted(plans.docks, key=lambda item: item.ship)),
        weasels=_weasels(situation),
        decide=tuple(sorted(plans.decides, key=lambda item: (item.hex, item.toward))),
        moves=tuple(sorted(moves, key=lambda item: item.fleet)),
        tow=tuple(sorted(plans.tows, key=lambda item: item.tug)),
    )


def _last_number(situation: Situation) -> int:
    tails = (fleet.key.partition("/f")[2].partition(".")[0] for fleet in situation.view.fleets)
    return max((int(tail) for tail in tails if tail.isdigit()), default=0)


def _own_key(party: Party, ships_of: dict[str, list[Ship]]) -> str | None:
    """Return the fleet, not yet taken, that most of a party's ships belong to, or None."""
    counts: dict[str, int] = {}
    for ship in party.ships:
        counts[ship.fleet] = counts.get(ship.fleet, 0) + 1
    free = []
    for key, count in sorted(counts.items()):
        if key not in ships_of:
            free.append((-count, key))
    if free:
        return min(free)[1]
    return None


def _watch_name(situation: Situation, stack: Stack, number: int) -> str:
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
        back = next((fleet.back for fleet in stack.fleets if fleet.back), "") or chart.step_aside(
            stack.hex
        )
        if back and chart.step(stack.hex, back) is not None:
            return (back,)
        return ()
    path: list[str] = []
    cost, here = 0, stack.hex
    for there in route:
        cost += chart.step(here, there) or 0
        if cost > limit:
            break
        path.append(there)
        here = there
    while len(path) > 1 and path[-1] != to and path[-1] in situation.system_at:
        path.pop()
    return tuple(path)


def _drones_out(
    situation: Situation, stack: Stack, key: str, ships: int, end: str
) -> list[FleetSetting]:
    """Turn on drones in a fleet that arrives at a system where an enemy may be.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    fleet: Fleet | None = next((fleet for fleet in stack.fleets if fleet.key == key), None)
    if fleet is None or not fleet.decoys or end not in situation.system_at:
        return []
    system = situation.system_at[end]
    if situation.system_views[
        system.id
    ].superior in situation.aims.side and not situation.enemies.get(end):
        return []
    return [FleetSetting(key, decoys_on=min(fleet.decoys, ships))]


def _transferred_ships(stack: Stack, detach: Sequence[Detachment]) -> list[Ship]:
    """Return the ships of a stack that change fleets."""
    keys = set()
    for item in detach:
        for key in item.ships:
            keys.add(key)
    return [ship for ship in (*stack.movers, *stack.stuck) if ship.key in keys]


def _drones_at_home(situation: Situation, busy: Container[str]) -> list[FleetSetting]:
    """Turn on drones in unchanged fleets that a known enemy could reach this week."""
    ships_of = ships_by_fleet(situation.view.ships)
    result = []
    for fleet in situation.view.fleets:
        if (
            fleet.key in busy
            or not fleet.decoys
            or fleet.decoys_out
            or fleet.hex not in situation.system_at
        ):
            continue
        if any(
            strength > 0
            and situation.chart.is_within(hex_, fleet.hex, situation.scenario.hexes_per_week)
            for hex_, strength in sorted(situation.enemies.items())
        ):
            result.append(
                FleetSetting(
                    fleet.key, decoys_on=min(fleet.decoys, len(ships_of.get(fleet.key, ())))
                )
            )
    return result


def _weasels(situation: Situation) -> tuple[str, ...]:
    """Return the ships with a working weasel system; all of them switch it on."""
    classes = situation.estimator.classes
    return tuple(
        sorted(
            ship.key
            for ship in situation.view.ships
            if classes[ship.cls].weasel
            and not any(system.startswith("weasel") for system in ship.lost)
        )
    )
