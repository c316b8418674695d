"""This week's encounters pair by pair with present choices, and battles. Pure.

For the umpire alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaign.orders.decide import DECIDE
from campaign.orders.registry import stored_items
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import named_hexes
from campaign.rules.world import Pair, World
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


def meetings_of(scenario: Scenario, world: World, chosen: Choices) -> tuple[MeetingPlace, ...]:
    """Return the encounters by hex: battles, then pairs that decide, then older contacts."""
    numbers = seats(scenario)
    places = named_hexes(scenario)
    result: dict[str, list[MeetingRow]] = {}

    def part(power: str, choice: str = "") -> MeetingParty:
        return MeetingParty(short_name(power), numbers[power], choice)

    for battle in world.engagements:
        caught = join_phrases(" and ", map(short_name, battle.caught))
        if battle.caught:
            words = phrase("battle, {} caught", caught)
        else:
            words = phrase("battle")
        parts = tuple(part(power) for side in battle.sides for power in side)
        result.setdefault(battle.hex, []).append(MeetingRow(parts, words))
    battle_hexes = set(result)
    for pair in world.pairs:
        if pair.hex not in battle_hexes:
            parts = tuple(part(power, _choice(pair, power, chosen)) for power in (pair.a, pair.b))
            result.setdefault(pair.hex, []).append(
                MeetingRow(parts, phrase(pair.settled) if pair.settled else "")
            )
    paired = {(pair.hex, pair.a, pair.b) for pair in world.pairs}
    for contact in world.contacts:
        if (contact.hex, contact.a, contact.b) not in paired and contact.hex not in battle_hexes:
            row = MeetingRow((part(contact.a), part(contact.b)), contact.state)
            result.setdefault(contact.hex, []).append(row)
    return tuple(
        MeetingPlace(hex_, places.get(hex_, phrase("hex {}", hex_)), tuple(rows))
        for hex_, rows in sorted(result.items())
    )


def choices_of(entries: Iterable[tuple[str, Mapping[str, object]]]) -> Choices:
    """Return the decisions in sealed (faction, payload) entries."""
    result = {}
    for faction, payload in entries:
        for item in stored_items(payload, DECIDE):
            result[(faction, item["hex"], item["toward"])] = item["choice"]
    return result


def _choice(pair: Pair, power: str, chosen: Choices) -> str:
    sealed, other = (pair.choice_a, pair.b) if power == pair.a else (pair.choice_b, pair.a)
    choice = sealed or chosen.get((power, pair.hex, other), "")
    return CHOICES.get(choice, choice) or OPEN
