"""Hostile factions in one system hex: who meets whom, their choices settled hex by hex, and who stays in contact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from campaign.rules.orders import Orders
from campaign.rules.scenario import Choice
from campaign.rules.world import Contact, Engagement, Pair, World
from engine.core.dice import Dice
from umpire.adjudication import reports
from umpire.adjudication.decisions import Choosing, by_hex, engagements, force, settle, standing_choice, with_choices
from umpire.adjudication.muster import Book, Muster
from umpire.adjudication.outcome import Happening

PairKey = tuple[str, str, str]  # hex, and the two factions in order


def meetings(book: Book, muster: Muster, in_contact: Mapping[PairKey, Pair]) -> list[Pair]:
    """Every pair of hostile factions with ships in one system hex, in order of hex and factions.

    Fleets in FTL space and between the stars meet nobody. Pairs in contact since an earlier week (`in_contact`) come
    with the choices given in the orders; whoever joined their fleets since is bound by them.

    Rules: 2E "When fleets meet" [camp.meeting]
    """
    pairs: list[Pair] = []
    for hex_, present in muster.at.items():
        if len(present) < 2:
            continue
        factions = list(present)
        for place, a in enumerate(factions):
            for b in factions[place + 1 :]:
                if book.hostile(a, b):
                    known = in_contact.get((hex_, a, b))
                    pairs.append(known if known is not None and known.settled != "gone" else Pair(hex_, a, b))
    return pairs


@dataclass(frozen=True, slots=True)
class Met:
    """What all pairs came to. `ships_going`: keys of the ships that get away; `held`: (faction, hex) that must stay.

    `both_withdrew`: hexes where two factions withdrew from each other.
    """

    pairs: tuple[Pair, ...]
    engagements: tuple[Engagement, ...]
    ships_going: frozenset[str]
    held: frozenset[tuple[str, str]]
    both_withdrew: tuple[str, ...]
    heard: list[Happening]

    def fleets_bound(self, world: World) -> frozenset[str]:
        """The fleets that may not move: their faction is in contact and did not get away."""
        if not self.held:
            return frozenset()
        return frozenset(
            fleet.key for fleet in world.fleets if not fleet.in_ftl and (fleet.faction, fleet.hex) in self.held
        )


def choices_given(book: Book, world: World, orders: Mapping[str, Orders], dice: Dice) -> Met:
    """The choices of those in contact since an earlier week, settled before movement.

    A fleet that moves out withdraws, and with it all its faction has there; else the choice given holds, else the
    standing order, else they stand off.

    Rules: 2E "The stand off" [camp.stand-off]; 2E "When fleets meet" [camp.contested]
    """
    if not world.contacts:
        return Met((), (), frozenset(), frozenset(), (), [])
    muster = Muster(book, world)
    moving = {move.fleet for sheet in orders.values() for move in sheet.moves}
    leaving = {(fleet.hex, fleet.faction) for fleet in world.fleets if fleet.key in moving and not fleet.in_ftl}
    given = _given(orders)
    standing = cache(partial(standing_choice, muster))

    def choose(hex_: str, faction: str, toward: str) -> Choice:
        if (hex_, faction) in leaving:
            return "withdraw"
        return given.get((hex_, faction, toward)) or standing(hex_, faction)

    pairs = [
        Pair(contact.hex, contact.a, contact.b)
        for contact in world.contacts
        if contact.a in muster.present(contact.hex) and contact.b in muster.present(contact.hex)
    ]
    return _met(book, muster, world.week, pairs, choose, dice)


def choices_revealed(book: Book, world: World, orders: Mapping[str, Orders], dice: Dice) -> Met:
    """The choices of all who met this week, settled at the same moment with those given with the orders.

    Rules: 2E "When fleets meet" [camp.decision]
    """
    muster = Muster(book, world)
    given = _given(orders)
    standing = cache(partial(standing_choice, muster))

    def choose(hex_: str, faction: str, toward: str) -> Choice:
        return given.get((hex_, faction, toward)) or standing(hex_, faction)

    met = _met(book, muster, world.week, world.pairs, choose, dice)
    met.heard.extend(reports.joined(met.engagements))
    return met


def _given(orders: Mapping[str, Orders]) -> dict[tuple[str, str, str], Choice]:
    return {(item.hex, faction, item.toward): item.choice for faction, sheet in orders.items() for item in sheet.decide}


def _met(book: Book, muster: Muster, week: int, pairs: Iterable[Pair], choose: Choosing, dice: Dice) -> Met:
    settled: list[Pair] = []
    fights: list[Engagement] = []
    going: set[str] = set()
    held: set[tuple[str, str]] = set()
    emptied: list[str] = []
    heard: list[Happening] = []
    for hex_, here in by_hex(pairs).items():
        names = sorted({name for pair in here for name in (pair.a, pair.b)})
        forces = {name: force(book, muster, hex_, name) for name in names}
        asked = [with_choices(pair, choose) for pair in here]
        done = settle(asked, forces, dice)
        settled.extend(done.pairs)
        fights.extend(engagements(book, week, done.pairs))
        for name in names:
            if name in done.leaving:
                going.update(ship.key for ship in muster.ships(hex_, name) if book.can_leave(ship))
            else:
                held.add((name, hex_))
        if any(pair.settled == "gone" and {pair.a, pair.b} <= set(done.leaving) for pair in done.pairs):
            emptied.append(hex_)
        heard.extend(reports.chased(hex_, done.chases))
        heard.extend(
            reports.decided(pair for pair, before in zip(done.pairs, here, strict=True) if before.settled is None)
        )
        heard.extend(reports.withdrew(hex_, done.leaving))
    return Met(tuple(settled), tuple(fights), frozenset(going), frozenset(held), tuple(emptied), heard)


def stand_offs(book: Book, world: World, pairs: Iterable[Pair]) -> tuple[Contact, ...]:
    """The pairs that glare at each other: the occupant in the inner system, the newcomer on the fringe.

    Rules: 2E "The stand off" [camp.stand-off]
    """
    inner = {(contact.hex, contact.a, contact.b): contact.inner for contact in world.contacts}
    holders = {holding.system: holding.holder for holding in world.holdings}
    found = []
    for pair in pairs:
        if pair.settled == "apart":
            holder = holders[book.system_at[pair.hex].id]
            occupant = inner.get((pair.hex, pair.a, pair.b)) or (holder if holder in (pair.a, pair.b) else "")
            found.append(Contact(pair.hex, pair.a, pair.b, "stand-off", occupant or ""))
    return tuple(found)
