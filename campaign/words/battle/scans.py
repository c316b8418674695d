"""Sentences about what scans reveal of ships with hidden record sheets, for logs and contacts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.words.battle.phrases import BattleNames, Words, systems_words, words_of
from campaign.words.stock import stock_words
from engine.core.kinds import ScanDetail
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, system_words
from engine.events.sheet_scans import SheetScanned, StoresScanned


@words_of(SheetScanned)
def sheet_scanned_words(event: SheetScanned, names: BattleNames) -> Words:
    """Describe a scan with improved sensors: what it reveals, with its dice."""
    facts = SheetFacts(
        reading=event.detail,
        mass=event.mass,
        thrust=event.thrust,
        drive=event.drive,
        systems=event.systems,
        damage=event.damage,
        lost_systems=event.lost,
    )
    words = phrase(
        "{} scans {} with its {}: {}",
        names.of(event.ship),
        names.of(event.target),
        system_words(event.suite),
        sheet_facts_words(facts) or phrase("nothing new"),
    )
    if not event.die:  # the range decided
        return words, ""
    dice = [phrase("die {}", event.die), *(phrase("jamming {}", die) for die in event.jamming)]
    return words, join_phrases(", ", dice)


@words_of(StoresScanned)
def stores_scanned_words(event: StoresScanned, names: BattleNames) -> Words:
    """Describe what superior sensors have seen of a ship's stores."""
    stores = _stores_words(event.stock)
    words = phrase(
        "{} sees the stores of {}: {}", names.of(event.ship), names.of(event.target), stores
    )
    return words, ""


def _stores_words(stock: Iterable[tuple[str, int]]) -> str:
    """Describe what is left in each store."""
    return join_phrases(", ", (stock_words(name, amount) for name, amount in stock))


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """What scans have revealed of a ship with a hidden record sheet.

    Attributes:
        reading: How much is known (a `ScanDetail`).
    """

    reading: int
    mass: int
    thrust: int
    drive: str
    systems: tuple[str, ...]
    damage: int
    lost_systems: tuple[str, ...]
    stock: tuple[tuple[str, int], ...] = ()


def facts_of_contact(contact: Mapping[str, Any]) -> SheetFacts:
    """Return what a view contains of a contact; unknown values are 0 or empty."""
    return SheetFacts(
        reading=contact["scan_detail"],
        mass=contact.get("mass", 0),
        thrust=contact.get("thrust", 0),
        drive=contact.get("drive", ""),
        systems=tuple(contact.get("systems", ())),
        damage=contact.get("damage", 0),
        lost_systems=tuple(contact.get("lost", ())),
        stock=tuple(contact.get("stock", {}).items()),
    )


def sheet_facts_words(facts: SheetFacts) -> str:
    """Describe the mass, drive and systems of a ship as far as they are known."""
    parts: list[str] = []
    if facts.reading >= ScanDetail.MASS:
        parts.append(phrase("mass {}", facts.mass))
    if facts.reading >= ScanDetail.DRIVE:
        parts.append(phrase("{} drive, thrust {}", facts.drive, facts.thrust))
        # Up to this detail only screens are known of the systems
        is_screens_alone = facts.reading < ScanDetail.SYSTEMS
        nothing = phrase("no screens") if is_screens_alone else phrase("no systems")
        parts.append(systems_words(facts.systems) or nothing)
    if facts.reading >= ScanDetail.EVERYTHING:
        points = counted_noun(facts.damage, "point")
        parts.append(phrase("{} of damage when it was scanned", points))
        if facts.lost_systems:
            parts.append(phrase("lost at that time: {}", systems_words(facts.lost_systems)))
        else:
            parts.append(phrase("nothing lost at that time"))
        if facts.stock:
            parts.append(_stores_words(facts.stock))
    return join_phrases(", ", parts)
