"""This week's encounters pair by pair with present choices, and battles. Pure.

For the umpire alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from campaign.orders.decide import DECIDE
from campaign.orders.registry import stored_items
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import named_hexes
from campaign.rules.world import Contact, Engagement, Pair, World
from campaign.web.seat_marks import seats
from engine.core.phrase import join_phrases, phrase
from engine.english import short_name

OPEN = "open"
# Texts of sealed decisions, or of those in standing orders.
CHOICES = {
    "fight": phrase("fights"),
    "stand-off": phrase("stands off"),
    "withdraw": phrase("withdraws"),
}

Choices = Mapping[tuple[str, str, str], str]  # (faction, hex, other faction) -> sealed choice


@dataclass(frozen=True, slots=True)
class MeetingParty:
    """A faction in an encounter."""

    name: str
    seat: int
    choice: str  # in words; "open" if none is sealed


@dataclass(frozen=True, slots=True)
class MeetingRow:
    """Two factions that meet, or the sides of a battle."""

    parts: tuple[MeetingParty, ...]
    outcome: str  # empty while undecided


@dataclass(frozen=True, slots=True)
class MeetingPlace:
    """The encounters in a hex."""

    hex: str
    place: str
    rows: tuple[MeetingRow, ...]


def meetings_of(scenario: Scenario, world: World, sealed: Choices) -> tuple[MeetingPlace, ...]:
    """Return the encounters by hex: battles, then pairs that decide, then older contacts.

    Args:
        sealed: The decisions that are sealed (`choices_of`).
    """
    numbers = seats(scenario)
    result: dict[str, list[MeetingRow]] = {}

    def party(power: str, choice: str = "") -> MeetingParty:
        return MeetingParty(short_name(power), numbers[power], choice)

    for battle in world.engagements:
        parties = [party(power) for power in chain.from_iterable(battle.sides)]
        row = MeetingRow(tuple(parties), _battle_words(battle))
        result.setdefault(battle.hex, []).append(row)
    for pair in undecided_pairs(world):
        parties = [party(power, _choice(pair, power, sealed)) for power in (pair.a, pair.b)]
        row = MeetingRow(tuple(parties), phrase(pair.settled) if pair.settled else "")
        result.setdefault(pair.hex, []).append(row)
    for contact in older_contacts(world):
        row = MeetingRow((party(contact.a), party(contact.b)), phrase(contact.state))
        result.setdefault(contact.hex, []).append(row)
    places = named_hexes(scenario)
    meetings = []
    for hex_, rows in sorted(result.items()):
        place = places.get(hex_, phrase("hex {}", hex_))
        meetings.append(MeetingPlace(hex_, place, tuple(rows)))
    return tuple(meetings)


def undecided_pairs(world: World) -> list[Pair]:
    """Return the pairs that decide this week, outside the hexes with battles."""
    battle_hexes = {engagement.hex for engagement in world.engagements}
    return [pair for pair in world.pairs if pair.hex not in battle_hexes]


def older_contacts(world: World) -> list[Contact]:
    """Return the contacts from earlier weeks that neither decide this week nor fight."""
    battle_hexes = {engagement.hex for engagement in world.engagements}
    pairs = {(pair.hex, pair.a, pair.b) for pair in world.pairs}
    result = []
    for contact in world.contacts:
        is_pair = (contact.hex, contact.a, contact.b) in pairs
        if not is_pair and contact.hex not in battle_hexes:
            result.append(contact)
    return result


def _battle_words(battle: Engagement) -> str:
    """Return that there is a battle, and who was caught withdrawing."""
    if not battle.caught:
        return phrase("battle")
    caught = join_phrases(" and ", map(short_name, battle.caught))
    return phrase("battle, {} caught", caught)


def choices_of(entries: Iterable[tuple[str, Mapping[str, object]]]) -> Choices:
    """Return the decisions in sealed (faction, payload) entries."""
    result = {}
    for faction, payload in entries:
        for item in stored_items(payload, DECIDE):
            result[(faction, item["hex"], item["toward"])] = item["choice"]
    return result


def _choice(pair: Pair, power: str, sealed: Choices) -> str:
    """Return a faction's choice in words: given with its orders, or sealed as a decision."""
    if power == pair.a:
        ordered, other = pair.choice_a, pair.b
    else:
        ordered, other = pair.choice_b, pair.a
    choice = ordered or sealed.get((power, pair.hex, other), "")
    return CHOICES.get(choice, choice) or OPEN
