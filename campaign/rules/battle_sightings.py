"""What a faction may count of its foes at a hex once a battle there is over. Pure.

Made of two things that the faction was told: the long range scan from before the battle, and what
its own side saw become of the contacts in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.view.contact_fates import ContactFate, FateKind

Counts = tuple[tuple[str, int], ...]  # (classification, contacts), sorted


@dataclass(frozen=True, slots=True)
class ContactOutcome:
    """Contacts of the side `of` with one fate, as the side `viewer` saw it, both by their names.

    `before`: their classification by the scan; `after`: by what they were identified as, if they
    were.
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
    """Add up what a side saw become of its contacts.

    Args:
        sides: The names of the battle's sides, by their numbers.
        classification_of: The classification of each class, by its name.
    """
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for contact in fates:
        after = classification_of.get(contact.cls, contact.label)
        counts[sides[contact.side], contact.label, after, contact.fate.value] += 1
    return tuple(ContactOutcome(viewer, *key, count) for key, count in sorted(counts.items()))


def counts_after(
    side: str,
    scans: Mapping[str, Counts],
    outcomes: Iterable[ContactOutcome],
    *,
    winner: str | None,
    withdrew: Collection[str] = (),
    has_system: bool = False,
) -> dict[str, Counts]:
    """Return what is left of the factions of a side at a hex, as one of its foes knows it.

    Contacts of the scan that were not on the table lay at dock, and still do. They are gone where
    their faction withdrew, or where the viewer's side now has the system to itself. A log does not
    say which of several allies lost a ship: it is taken off the ally with the most contacts of that
    classification.

    Args:
        side: The name of the side whose contacts are counted.
        scans: The counts of each of its factions by the viewer's scan from before the battle.
        seen: What the viewer's side saw become of the contacts of that side.
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
    """Return whether contacts with this fate are still there, and still that side's."""
    if fate == FateKind.DERELICT:
        return winner == side
    if fate == FateKind.LANDED:
        return winner in (None, side)
    return fate == FateKind.PRESENT
