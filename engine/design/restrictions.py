"""What players agree to do without: systems and kinds of ships that are barred from a game.

A list names types of systems, groups of them (`system_groups`) and kinds of ships. Hulls,
drives and FTL drives can never be barred by naming what is allowed.

Rules: 2E "Introduction" [2e.agreed-rules]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.errors import Violation, fault_path
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.english import system_words
from engine.prices.system_price import (
    CORE,
    FIGHTERS,
    GUNBOATS,
    MINES,
    MISSILES,
    WEASEL_GROUP,
)
from engine.ruleset import RuleSet
from engine.weapons.registry import weapon_of

Q_SHIPS, TUGS, INSTALLATIONS = "q-ships", "tugs", "installations"
SHIP_KINDS = {  # titles of the kinds of ships that can be barred
    Q_SHIPS: phrase("Q ships"),
    TUGS: phrase("tugs"),
    INSTALLATIONS: phrase("installations"),
}
GROUP_TITLES = {  # titles of the groups of systems
    CORE: phrase("systems of the core rules"),
    FIGHTERS: phrase("fighters"),
    GUNBOATS: phrase("gunboats"),
    MISSILES: phrase("missiles"),
    MINES: phrase("mines"),
    WEASEL_GROUP: phrase("weasel systems"),
}
BARRED = "barred"  # the code of the fault, and the key of the list
ALLOWED = "allowed"


@dataclass(frozen=True, slots=True)
class Restrictions:
    """The list of what players agreed not to use, in their own words.

    Attributes:
        barred: What may not be used.
        allowed: The only systems that may be used; None: all that are not barred.
    """

    barred: tuple[str, ...] = ()
    allowed: tuple[str, ...] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether everything may be used."""
        return not self.barred and self.allowed is None


NO_RESTRICTIONS = Restrictions()


def system_types(rules: RuleSet) -> tuple[str, ...]:
    """Return the types of systems that an edition sells, in the order of its price list."""
    if rules.system_prices:
        return tuple(rules.system_prices)
    return tuple(dict.fromkeys(spec.type for spec in rules.systems))


def system_groups(rules: RuleSet) -> dict[str, tuple[str, ...]]:
    """Return the types of systems of each group that an edition has."""
    groups: dict[str, tuple[str, ...]] = {}
    for group in GROUP_TITLES:
        types = tuple(type_ for type_ in system_types(rules) if _group_of(rules, type_) == group)
        if types:
            groups[group] = types
    return groups


def _group_of(rules: RuleSet, type_: str) -> str:
    """Return the group of a type of system, "" if it is in none."""
    group = weapon_of(rules.edition, type_).group
    if group:
        return group
    rows = rules.system_prices.get(type_) or rules.variants(type_)
    return rows[0].group


def restriction_words(rules: RuleSet) -> tuple[str, ...]:
    """Return all words that a list may use: groups, kinds of ships, then types of systems."""
    return (*system_groups(rules), *SHIP_KINDS, *system_types(rules))


def word_title(word: str) -> str:
    """Return the title of a word of a list."""
    return GROUP_TITLES.get(word) or SHIP_KINDS.get(word) or system_words(word)


def barred_types(restrictions: Restrictions, rules: RuleSet) -> tuple[str, ...]:
    """Return the types of systems that may not be used, in the order of the price list."""
    types = system_types(rules)
    if restrictions.allowed is not None:
        allowed = _types_of_words(restrictions.allowed, rules)
        return tuple(type_ for type_ in types if type_ not in allowed)
    barred = _types_of_words(restrictions.barred, rules)
    return tuple(type_ for type_ in types if type_ in barred)


def _types_of_words(words: Sequence[str], rules: RuleSet) -> set[str]:
    """Return the types of systems that the words of a list stand for."""
    groups = system_groups(rules)
    result: set[str] = set()
    for word in words:
        result.update(groups.get(word, (word,)))
    return result


def listed_words(restrictions: Restrictions, rules: RuleSet) -> tuple[str, ...]:
    """Return what may not be used: the words of the list, or all types that are not allowed."""
    if restrictions.allowed is None:
        return restrictions.barred
    return barred_types(restrictions, rules)


def list_faults(restrictions: Restrictions, rules: RuleSet) -> list[Violation]:
    """Return the faults of a list: two lists at once, and words that the edition does not have."""
    if restrictions.is_empty:
        return []
    faults = []
    if restrictions.barred and restrictions.allowed is not None:
        words = reason("barred-or-allowed", "list what is barred or what is allowed, not both")
        faults.append(Violation(ALLOWED, "both", words))
    known_words = restriction_words(rules)
    for key, listed in ((BARRED, restrictions.barred), (ALLOWED, restrictions.allowed or ())):
        for number, word in enumerate(listed):
            if word not in known_words:
                text = reason(
                    "unknown-restriction",
                    "there is nothing called {!r} to bar or allow; choose from {}",
                    word,
                    ", ".join(known_words),
                )
                faults.append(Violation(fault_path(key, number), "unknown-system", text))
    return faults


def barred_faults(
    design: Mapping[str, Any], restrictions: Restrictions, rules: RuleSet, where: str = ""
) -> list[Violation]:
    """Return a fault for each entry of a design that is barred, and for a barred kind of ship.

    Args:
        design: A design in JSON.
        where: The place of the design in its document; the fault of its kind is there.
    """
    faults = []
    for number, title in _barred_parts(design, restrictions, rules):
        spot = where if number is None else fault_path(where, "systems", number)
        faults.append(Violation(spot, BARRED, _not_allowed(title)))
    return faults


def class_fault(
    design: Mapping[str, Any], restrictions: Restrictions, rules: RuleSet, where: str = ""
) -> Violation | None:
    """Return one fault for everything that is barred in a class, or None.

    Args:
        where: The place where the class is named.
    """
    titles = titles_of_barred_parts(design, restrictions, rules)
    if not titles:
        return None
    return Violation(where, BARRED, _not_allowed(titles))


def titles_of_barred_parts(
    design: Mapping[str, Any], restrictions: Restrictions, rules: RuleSet
) -> str:
    """Return everything that is barred in a design, such as "fighter bay, weasel", or ""."""
    titles = dict.fromkeys(title for _, title in _barred_parts(design, restrictions, rules))
    return join_phrases(", ", titles)


def _barred_parts(
    design: Mapping[str, Any], restrictions: Restrictions, rules: RuleSet
) -> list[tuple[int | None, str]]:
    """Return what is barred in a design: the number of its system and its title.

    The number is None for the kind of ship.
    """
    if restrictions.is_empty:
        return []
    parts: list[tuple[int | None, str]] = []
    for kind in _kinds_of(design):
        if kind in restrictions.barred:
            parts.append((None, word_title(kind)))
    types = barred_types(restrictions, rules)
    for number, system in enumerate(design.get("systems", ())):
        if system["type"] in types:
            parts.append((number, system_words(system["type"])))
    return parts


def _kinds_of(design: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kinds of ships to which a design belongs, of those that can be barred."""
    kinds = []
    if design.get("kind") == HullKind.Q_SHIP:
        kinds.append(Q_SHIPS)
    drive = design.get("ftl")
    if drive == FtlDrive.TUG or isinstance(drive, Mapping):
        kinds.append(TUGS)
    if design.get("kind") == HullKind.INSTALLATION:
        kinds.append(INSTALLATIONS)
    return tuple(kinds)


def _not_allowed(title: str) -> str:
    """Return the reason for refusing something barred."""
    return reason("barred", "not allowed in this game: {}", title)
