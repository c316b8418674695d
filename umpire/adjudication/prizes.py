"""Prizes and hulks: who holds the field recovers what lies on it, and a captor sails what he took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from campaign.rules.fleet_violations import MOST_LETTERS
from campaign.rules.forces import last_number
from campaign.rules.queries import class_name, plain_class
from campaign.rules.world import Engagement, Fleet, Ship
from umpire.adjudication.muster import Book
from umpire.adjudication.outcome import BattleResult, Happening

# How a ship may end a battle that somebody can recover afterwards.
ADRIFT = ("captured", "struck", "hulk")
SIDES_JOINED = "+"


@dataclass(frozen=True, slots=True)
class Taken:
    """A ship that changed hands at a hex: as it was under its old flag, who has it now, and how he came by it."""

    ship: Ship
    hex: str
    captor: str
    how: str
    at_dock: bool = False


def field_holders(engagement: Engagement, result: BattleResult) -> tuple[str, ...]:
    """The factions of the side a battle left alone on the field; none where both remain, or nobody."""
    return next((side for side in engagement.sides if SIDES_JOINED.join(side) == result.winner), ())


def captor_of(book: Book, holders: Sequence[str], named: str, survivors: Iterable[Ship]) -> str:
    """Which faction of the side that holds the field gets a prize: who took it, else the strongest there, in points.

    Empty where none of them has a ship left that is not helpless.
    """
    points: dict[str, int] = {}
    for ship in survivors:
        if ship.faction in holders and not ship.helpless:
            points[ship.faction] = points.get(ship.faction, 0) + book.classes[ship.cls].points
    if named in points:
        return named
    return min(points, key=lambda faction: (-points[faction], faction), default="")


def prizes_made(
    book: Book, fleets: Sequence[Fleet], ships: Sequence[Ship], gone: Iterable[Ship], taken: Sequence[Taken]
) -> tuple[list[Fleet], list[Ship], list[Happening]]:
    """All fleets and ships with the prizes, each hex's in a new fleet of its captor, and what the captors hear.

    Fleets and ships come in the order of their keys, and leave in it. A prize is as it was taken, laid up until a base
    has worked on it. Its key and name are the captor's own, so that neither tells how many ships its old flag has.
    `gone`: ships lost, whose keys are never given again.

    Rules: PC "Boarding actions" [camp.prizes]; PC "Core systems" [camp.prizes]
    """
    all_fleets, all_ships = list(fleets), list(ships)
    heard: list[Happening] = []
    if not taken:
        return all_fleets, all_ships, heard
    known = [*ships, *gone]
    by_place: dict[tuple[str, str], list[Taken]] = {}
    for item in taken:
        by_place.setdefault((item.captor, item.hex), []).append(item)
    for (captor, hex_), here in sorted(by_place.items()):
        number = last_number(fleet.key for fleet in all_fleets if fleet.faction == captor) + 1
        name = f"Prizes of {book.system_at[hex_].name}"[:MOST_LETTERS].strip()
        fleet = Fleet(key=f"{captor}/f{number}", faction=captor, name=name, hex=hex_)
        all_fleets.append(fleet)
        for item in sorted(here, key=lambda item: (item.ship.cls, item.ship.damage, item.ship.key)):
            prize = _prize(book, fleet, item.ship, known)
            known.append(prize)
            all_ships.append(prize)
            facts = (
                ("class", plain_class(prize.cls)),
                ("owner", item.ship.faction),
                ("how", item.how),
                ("ship", prize.name),
            )
            heard.append(Happening("taken-at-dock" if item.at_dock else "prize", (captor,), hex_, facts))
    return sorted(all_fleets, key=lambda f: f.key), sorted(all_ships, key=lambda s: s.key), heard


def _prize(book: Book, fleet: Fleet, ship: Ship, known: Sequence[Ship]) -> Ship:
    captor = fleet.faction
    number = last_number(other.key for other in known if other.key.startswith(f"{captor}/s")) + 1
    name = f"{class_name(book.scenario, captor, ship.cls)} prize {number}"
    return replace(
        ship,
        key=f"{captor}/s{number}",
        faction=captor,
        name=name,
        fleet=fleet.key,
        docked=False,
        scuttle=False,
        weasel_on=False,
        repair=(),
        replenish=False,
        refit=(),
        tug="",
        laid_up=True,
    )
