"""Short names of groups of craft: how texts and lists call them, and the codes on the table.

A group is named by its carrier and its bay: the second hangar of Furious holds "Furious's fighters
B", with the code FB on the table. Another side does not know the carrier, so it calls a group by
its number: "fighters 3", with the code F3. Stored documents and the API keep the groups' ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.core.edition import EDITIONS
from engine.core.phrase import phrase
from engine.ruleset import rules_of

FLIGHT = "flight-"  # beginning of the id of a foreign group
FOREIGN_CODE = "F{}"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# What comes before the letter of a bay, because a ship may have bays of several types.
PREFIX_BY_BAY = {"combined-hangar": "C", "fighter-rack": "R", "gunboat-rack": "G", "boat-bay": "B"}
# Words with which a name is not shortened: alone they do not tell which ship is meant.
COMMON_WORDS = frozenset(
    ("Light", "Heavy", "Fast", "Fleet", "Escort", "Strike", "Assault", "Attack", "Super", "Battle")
)


def _craft_by_bay() -> dict[str, str]:
    craft_by_bay = {}
    for edition in EDITIONS:
        for bay, (craft_name, _) in rules_of(edition).profile.bays.items():
            craft_by_bay[bay] = craft_name
    return craft_by_bay


# The name of the craft in each type of bay.
CRAFT_BY_BAY = _craft_by_bay()


@dataclass(frozen=True, slots=True)
class CarrierName:
    """The short name of a ship, `Aerie 1` for `Aerie Light Carrier 1`, and its code, `A`."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class CarrierNames:
    """Short names and codes of carriers, each given once and unique in a battle.

    The first ship of an initial has it for its code, and further ones have more letters, so that
    a code stays the same when other ships arrive.
    """

    full_names: Mapping[str, str]  # by the key of a ship
    unknown_name: Callable[[str], str]  # from the key of another ship to its name
    by_key: dict[str, CarrierName] = field(default_factory=dict)

    def of(self, key: str) -> CarrierName:
        """Return the short name and code of a ship."""
        if not self.by_key:
            for ship, full_name in self.full_names.items():
                self._add(ship, full_name)
        if key not in self.by_key:
            self._add(key, self.unknown_name(key))
        return self.by_key[key]

    def _add(self, key: str, full_name: str) -> None:
        """Give a ship a name and a code that no other ship has."""
        names_used = {carrier.name for carrier in self.by_key.values()}
        codes_used = {carrier.code for carrier in self.by_key.values()}
        name = shortened(full_name)
        if name in names_used:
            name = full_name
        self.by_key[key] = CarrierName(name, _unused_code(name, codes_used))


def shortened(name: str) -> str:
    """Return a ship's name by its first word and number: `Aerie 1` for `Aerie Light Carrier 1`."""
    first, *rest = name.split() or [name]
    if first in COMMON_WORDS or (first.isupper() and len(rest) > 1):
        return name
    number = [word for word in rest[-1:] if word.isdecimal()]
    return " ".join((first, *number))


def _unused_code(name: str, used: set[str]) -> str:
    """Return the first letters of a name that are not used yet, with a number if none are free."""
    letters = "".join(letter for letter in name if letter.isalnum()) or "?"
    for length in range(1, len(letters) + 1):
        code = letters[0].upper() + letters[1:length].lower()
        if code not in used:
            return code
    number = 2
    while f"{letters}{number}" in used:
        number += 1
    return f"{letters}{number}"


def split_group_id(key: str) -> tuple[str, str, str] | None:
    """Return the carrier, type of bay and letter of a group's id, or None for another id.

    `n1/hangar-2` is of the ship `n1`, from a `hangar`, with the letter B.
    """
    carrier, _, bay_id = key.rpartition("/")
    bay, _, number = bay_id.rpartition("-")
    if not carrier or bay not in CRAFT_BY_BAY or not number.isdecimal():
        return None
    return carrier, bay, PREFIX_BY_BAY.get(bay, "") + _letter(int(number))


def _letter(number: int) -> str:
    """Return the letter of a bay's number, from A; a number if there are not enough letters."""
    if 1 <= number <= len(LETTERS):
        return LETTERS[number - 1]
    return str(number)


def group_name(key: str, carriers: CarrierNames) -> str:
    """Return the name of a group in texts and lists, or "" if the id is not of a group."""
    if key.startswith(FLIGHT):
        return phrase("fighters {}", key.removeprefix(FLIGHT))
    parts = split_group_id(key)
    if parts is None:
        return ""
    carrier, bay, letter = parts
    return phrase("{}'s {} {}", carriers.of(carrier).name, phrase(CRAFT_BY_BAY[bay]), letter)


def group_code(key: str, carriers: CarrierNames) -> str:
    """Return the code of a group on the table, or "" if the id is not of a group."""
    if key.startswith(FLIGHT):
        return FOREIGN_CODE.format(key.removeprefix(FLIGHT))
    parts = split_group_id(key)
    if parts is None:
        return ""
    carrier, _, letter = parts
    return carriers.of(carrier).code + letter
