"""The truth as data for the star map's script (`static/js/true_map.js`), and a faction's gaps.

Pure. The truth and a view are two separate pictures, which only the umpire's pages show together.
The second contains exactly what the faction's own map does; nothing of it comes from the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaign.rules.queries import ships_by_fleet, side_of, with_all_designs
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, World
from campaign.web.chart import chart_contacts, chart_systems
from campaign.web.chart_data import Data, count_by_kind
from campaign.web.seat_marks import seats
from campaign.words.common import count_by_classification, strength_words
from umpire.pages.true_world import encounters


@dataclass(frozen=True, slots=True)
class Gap:
    """What a faction does not know."""

    foreign_fleets: int
    unseen: int  # of the foreign fleets
    ships: int  # in the unseen fleets
    wrong: tuple[str, ...]  # names of systems with a wrongly assumed holder


def truth(scenario: Scenario, world: World) -> Data:
    """Return all fleets, holders, encounters and routes of a world, in the format of `chart.js`."""
    true_scenario = with_all_designs(scenario, world)
    numbers = seats(scenario)
    ships_of = ships_by_fleet(world.ships)
    fleets = []
    for fleet in world.fleets:
        ships = ships_of.get(fleet.key, ())
        fleets.append(_fleet(true_scenario, fleet, ships, numbers[fleet.faction]))
    for dummy in world.dummies:
        mark = _fleet(true_scenario, dummy, (), numbers[dummy.faction])
        fleets.append({**mark, "dummy": True})
    return {
        "week": world.week,
        "fleets": fleets,
        "holds": _holders(scenario, world),
        "fights": sorted({meeting.hex for meeting in encounters(scenario, world)}),
        "ways": _routes(world, numbers),
    }


def _holders(scenario: Scenario, world: World) -> Data:
    """Return the holder of each system, by hex."""
    hex_of = {system.id: system.hex for system in scenario.systems}
    holders = {}
    for holding in world.holdings:
        holders[hex_of[holding.system]] = {
            "power": holding.holder or "",
            "state": holding.state,
            "week": holding.since,
            "here": True,
        }
    return holders


def _routes(world: World, numbers: Mapping[str, int]) -> list[Data]:
    """Return the last step of each fleet and dummy that has moved."""
    routes: list[Data] = []
    for fleet in (*world.fleets, *world.dummies):
        if fleet.back not in ("", fleet.hex):
            hexes = [fleet.back, fleet.hex]
            routes.append({"hexes": hexes, "seat": numbers[fleet.faction], "cls": "then"})
    return routes


def _fleet(scenario: Scenario, fleet: Fleet, ships: Iterable[Ship], seat: int) -> Data:
    """Return a fleet as the map's script reads it."""
    counts = count_by_classification(scenario, ships)
    return {
        "key": fleet.key,
        "name": fleet.name,
        "power": fleet.faction,
        "seat": seat,
        "hex": fleet.hex,
        "n": count_by_kind(counts),
        "words": strength_words(counts),
        "ftl": fleet.in_ftl,
    }


def gap(scenario: Scenario, world: World, view: View) -> Gap:
    """Return how far a faction's knowledge of others is from the truth.

    Args:
        scenario: With the classes that the faction knows.
    """
    side = side_of(scenario, view.faction)
    known_places = {(marker.hex, marker.faction) for marker in view.markers}
    for contact in chart_contacts(scenario, view):
        if contact.age == 0 and not contact.is_gone:
            known_places.add((contact.hex, contact.faction))
    foreign = [fleet for fleet in world.fleets if fleet.faction not in side]
    unseen = [fleet for fleet in foreign if (fleet.hex, fleet.faction) not in known_places]
    ships_of = ships_by_fleet(world.ships)
    return Gap(
        foreign_fleets=len(foreign),
        unseen=len(unseen),
        ships=sum(len(ships_of.get(fleet.key, ())) for fleet in unseen),
        wrong=_wrong_holders(scenario, world, view),
    )


def _wrong_holders(scenario: Scenario, world: World, view: View) -> tuple[str, ...]:
    """Return the names of the systems whose holder a faction's map shows wrongly."""
    holder_of = {holding.system: holding.holder or "" for holding in world.holdings}
    wrong = []
    for hold in chart_systems(scenario, view):
        if holder_of.get(hold.system, "") != hold.power:
            wrong.append(hold.name)
    return tuple(wrong)
