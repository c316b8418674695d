"""Who comes onto the map: the secret deployment of each faction, or its default force, and reinforcements in their
weeks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campaign.rules.forces import default_force, deploy_force, reinforce
from campaign.rules.orders import Orders
from campaign.rules.world import Fleet, Loss, Ship
from umpire.adjudication.muster import Book
from umpire.adjudication.outcome import Happening


def deployed(book: Book, orders: Mapping[str, Orders]) -> tuple[list[Fleet], list[Ship], list[Happening]]:
    """The fleets and ships of all factions, and what each hears of its own.

    Rules: 2E "Campaign set-up" [camp.lafayette]
    """
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    heard: list[Happening] = []
    for faction in book.factions:
        sealed = orders[faction].deploy if faction in orders else ()
        own, crew = deploy_force(book.scenario, faction, sealed or default_force(book.scenario, faction))
        fleets.extend(own)
        ships.extend(crew)
        facts = (("fleets", len(own)), ("ships", len(crew)), ("points", book.points(crew)))
        heard.append(Happening("deployed", (faction,), "", facts))
    return fleets, ships, heard


def arrivals(
    book: Book, fleets: Sequence[Fleet], ships: Sequence[Ship], losses: Sequence[Loss], week: int
) -> tuple[list[Fleet], list[Ship], list[Happening]]:
    """All fleets and ships with those that arrive at the start of `week`; only their owner hears of it.

    Fleets and ships come in the order of their keys, and leave in it.

    Rules: 2E "Repairs" [camp.reinforcements]
    """
    all_fleets, all_ships = list(fleets), list(ships)
    heard: list[Happening] = []
    due = [arrival for arrival in book.scenario.reinforcements if arrival.week == week]
    if not due:
        return all_fleets, all_ships, heard
    for arrival in sorted(due, key=lambda arrival: (arrival.faction, arrival.id)):
        gone = [loss.ship for loss in losses]
        fleet, crew = reinforce(book.scenario, arrival, all_fleets, all_ships, gone)
        all_fleets.append(fleet)
        all_ships.extend(crew)
        facts = (("fleet", fleet.name), ("ships", len(crew)), ("points", book.points(crew)))
        heard.append(Happening("reinforced", (arrival.faction,), arrival.hex, facts))
    return sorted(all_fleets, key=lambda f: f.key), sorted(all_ships, key=lambda s: s.key), heard
