"""The truth as data for the star map's script (`static/js/true_map.js`), and a faction's gaps.

Pure. The truth and a view are two separate pictures, which only the umpire's pages show together.
The second contains exactly what the faction's own map does; nothing of it comes from the first.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    places = {system.id: system.hex for system in scenario.systems}
    return {
        "week": world.week,
        "fleets": [
            *(
                _fleet(true_scenario, fleet, ships_of.get(fleet.key, ()), numbers[fleet.faction])
                for fleet in world.fleets
            ),
            *(
                {**_fleet(true_scenario, dummy, (), numbers[dummy.faction]), "dummy": True}
                for dummy in world.dummies
            ),
        ],
        "holds": {
            places[hold.system]: {
                "power": hold.holder or "",
                "state": hold.state,
                "week": hold.since,
                "here": True,
            }
            for hold in world.holdings
        },
        "fights": sorted({meeting.hex for meeting in encounters(scenario, world)}),
        "ways": [
            {"hexes": [fleet.back, fleet.hex], "seat": numbers[fleet.faction], "cls": "then"}
            for fleet in (*world.fleets, *world.dummies)
            if fleet.back not in ("", fleet.hex)
        ],
    }


def _fleet(scenario: Scenario, fleet: Fleet, ships: Iterable[Ship], seat: int) -> Data:
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
    known_fleets = set()
    for contact in chart_contacts(scenario, view):
        if contact.age == 0 and not contact.is_gone:
            known_fleets.add((contact.hex, contact.faction))
    known_fleets |= {(marker.hex, marker.faction) for marker in view.markers}
    others = [fleet for fleet in world.fleets if fleet.faction not in side]
    unseen = [fleet for fleet in others if (fleet.hex, fleet.faction) not in known_fleets]
    ships_of = ships_by_fleet(world.ships)
    holder_of = {holding.system: holding.holder or "" for holding in world.holdings}
    wrong = []
    for hold in chart_systems(scenario, view):
        if holder_of.get(hold.system, "") != hold.power:
            wrong.append(hold.name)
    return Gap(
        foreign_fleets=len(others),
        unseen=len(unseen),
        ships=sum(len(ships_of.get(fleet.key, ())) for fleet in unseen),
        wrong=tuple(wrong),
    )
