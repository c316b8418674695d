"""The truth as data for the star map's script (`static/js/true_map.js`), and what a faction does
not know of it.

Pure. The truth and a View are two pictures that are joined on the umpire's pages alone; what stands
in the second one is what its faction's own map is made of, and nothing is taken out of the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.rules.queries import in_truth, ships_by_fleet, side_of
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, World
from campaign.web.chart import contacts_of, holds_of
from campaign.web.chart_data import Data, by_kind
from campaign.web.seat_marks import seats
from campaign.words.sayings import counted, strength_words
from umpire.pages.true_world import encounters


@dataclass(frozen=True, slots=True)
class Gap:
    """What a faction does not know.

    `unseen` of the `others` fleets, with `ships`; `wrong`: systems whose holder it has wrong, by
    name.
    """

    others: int
    unseen: int
    ships: int
    wrong: tuple[str, ...]


def truth(scenario: Scenario, world: World) -> Data:
    """Every fleet with its ships, who holds what, who meets whom, whence everybody came; in the
    shape of `chart.js`.
    """
    told, numbers, crews = in_truth(scenario, world), seats(scenario), ships_by_fleet(world.ships)
    places = {system.id: system.hex for system in scenario.systems}
    return {
        "week": world.week,
        "fleets": [
            *(
                _fleet(told, fleet, crews.get(fleet.key, ()), numbers[fleet.faction])
                for fleet in world.fleets
            ),
            *(
                {**_fleet(told, one, (), numbers[one.faction]), "dummy": True}
                for one in world.dummies
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


def _fleet(scenario: Scenario, fleet: Fleet, crew: Iterable[Ship], seat: int) -> Data:
    counts = counted(scenario, crew)
    return {
        "key": fleet.key,
        "name": fleet.name,
        "power": fleet.faction,
        "seat": seat,
        "hex": fleet.hex,
        "n": by_kind(counts),
        "words": strength_words(counts),
        "ftl": fleet.in_ftl,
    }


def gap(scenario: Scenario, world: World, view: View) -> Gap:
    """How far a faction's knowledge of others is from the truth.

    `scenario`: with the classes that it knows.
    """
    side = side_of(scenario, view.faction)
    read = {
        (one.hex, one.faction)
        for one in contacts_of(scenario, view)
        if one.age == 0 and not one.gone
    }
    read |= {(marker.hex, marker.faction) for marker in view.markers}
    others = [fleet for fleet in world.fleets if fleet.faction not in side]
    unseen = [fleet for fleet in others if (fleet.hex, fleet.faction) not in read]
    crews = ships_by_fleet(world.ships)
    held = {holding.system: holding.holder or "" for holding in world.holdings}
    return Gap(
        others=len(others),
        unseen=len(unseen),
        ships=sum(len(crews.get(fleet.key, ())) for fleet in unseen),
        wrong=tuple(
            hold.name
            for hold in holds_of(scenario, view)
            if held.get(hold.system, "") != hold.power
        ),
    )
