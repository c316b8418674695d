"""What a faction knows to be left of its foes at a hex after a battle there.

It is derived from the long range scan before the battle and from what the faction's side saw happen
to those contacts. All functions are pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.view.contact_fates import ContactFate, FateKind

Counts = tuple[tuple[str, int], ...]  # (classification, contacts), sorted


@dataclass(frozen=True, slots=True)
class ContactOutcome:
    """How many contacts of the side `of` met one fate (`FateKind`), as the side `viewer` saw it.

    Attributes:
        before: Their classification on the scan.
        after: The classification of their class if it was identified, else that of the scan.
    """

    viewer: str
    of: str
    before: str
    after: str
    fate: str
    contacts: int


def count_contact_outcomes(
    viewer: str,
    sides: Sequence[str],
    fates: Iterable[ContactFate],
    classification_of: Mapping[str, str],
) -> tuple[ContactOutcome, ...]:
    """Add up what a side saw happen to its contacts.

    Args:
        sides: The names of the battle's sides, by number.
        classification_of: The classification of each class, by name.
    """
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for contact in fates:
        after = classification_of.get(contact.cls, contact.label)
        counts[sides[contact.side], contact.label, after, contact.fate.value] += 1
    outcomes: list[ContactOutcome] = []
    for key, count in sorted(counts.items()):
        outcomes.append(ContactOutcome(viewer, *key, count))
    return tuple(outcomes)


def counts_after(
    side: str,
    scans: Mapping[str, Counts],
    outcomes: Iterable[ContactOutcome],
    *,
    winner: str | None,
    withdrew: Collection[str] = (),
    has_system: bool = False,
) -> dict[str, Counts]:
    """Return what is left of the factions of a side at a hex, as a foe knows it.

    Contacts of the scan that were not on the table were docked, and still are. They are gone if
    their faction withdrew, or if the viewer's side now has the system to itself. A battle log does
    not say which of several allies lost a ship: it is taken off the ally with the most contacts of
    that classification.

    Args:
        side: The name of the side whose contacts are counted.
        scans: The counts of each of its factions on the viewer's scan before the battle.
        outcomes: What the viewer's side saw happen to the contacts of that side.
        winner: The name of the side left alone on the table.
        withdrew: The factions of that side that chose to withdraw and were not caught.
        has_system: Whether the viewer's side now has the system to itself.
    """
    unaccounted = {faction: Counter(dict(counts)) for faction, counts in scans.items()}
    remaining: dict[str, Counter[str]] = {faction: Counter() for faction in scans}
    for outcome in outcomes:
        stays = _stays(outcome.fate, side, winner)
        for _ in range(outcome.contacts):
            faction = max(sorted(unaccounted), key=lambda name: unaccounted[name][outcome.before])
            if not unaccounted[faction][outcome.before]:
                break
            unaccounted[faction][outcome.before] -= 1
            remaining[faction][outcome.after] += stays
    for faction, docked in unaccounted.items():
        if not has_system and faction not in withdrew:
            remaining[faction] += docked
    return {faction: tuple(sorted((+counts).items())) for faction, counts in remaining.items()}


def _stays(fate: str, side: str, winner: str | None) -> bool:
    """Return whether contacts with this fate are still there and still belong to that side."""
    if fate == FateKind.DERELICT:
        return winner == side
    if fate == FateKind.LANDED:
        return winner in (None, side)
    return fate == FateKind.PRESENT
