"""The secret deployment: what each faction sealed stands on the map, or its default force where it sealed nothing."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.rules.forces import default_force, deploy_force
from campaign.rules.orders import Orders
from campaign.rules.world import Fleet, Ship
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
