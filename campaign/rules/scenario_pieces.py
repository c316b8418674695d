"""Readers for parts of a scenario file: bounded numbers, ids, hexes, factions, tables, rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import cast

from campaign.rules.navies import NO_NAVIES, ClassNames
from campaign.rules.scenario_checks import FilePlaces
from engine.core.errors import fault_path
from engine.core.phrase import phrase
from engine.english import join_names
from engine.notation.reading import Reader, join_place

Table = Mapping[object, object]
Bases = Mapping[str, object]  # documents of tech bases by name
NO_BASES: Bases = {}

NO_ID = phrase(
    "'{}' cannot be used as an id: write up to {} lower-case letters, digits and single hyphens; "
    "the words {} are reserved"
)
LONGEST_ID = 32  # characters: a battle's key contains a hex and two ids
WORDS = ("any", "all", "own", "entry", "settled")  # no system can have these ids
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class ScenarioParts:
    """A scenario file while it is read: its data, its faults, and the places of what was read."""

    def __init__(
        self, data: Table, bases: Bases = NO_BASES, navies: ClassNames = NO_NAVIES
    ) -> None:
        self.data = data
        self.bases = bases
        self.navies = navies
        self.reader = Reader()
        self.draft = FilePlaces()
        raw_options = self.reader.items(data, "options", "", ())
        options = []
        for n, item in enumerate(raw_options):
            options.append(self.reader.text_value(item, fault_path("options", n)))
        self.options = tuple(options)

    def number(
        self,
        data: Table,
        key: str,
        where: str,
        *,
        low: int,
        high: int = 1_000_000,
        default: int | None = None,
        otherwise: int | None = None,
    ) -> int:
        """Return a whole number within bounds.

        Args:
            default: The value if the key is absent; None: the key is required.
            otherwise: The value if there is a fault; None: `low`.
        """
        value = self.reader.number(data, key, where, default)
        if key not in data and default is not None:
            return default
        if key in data and value == data[key]:
            bounded = self.whole_number(value, join_place(where, key), low=low, high=high)
            has_fault = bounded != value
        else:  # the reader has reported the fault
            bounded = low
            has_fault = True
        if has_fault and otherwise is not None:
            return otherwise
        return bounded

    def whole_number(self, value: object, where: str, *, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`; for other values, `low` and a fault."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.reader.fault(where, "not-a-number", phrase("must be a whole number"))
        elif low <= value <= high:
            return value
        else:
            words = phrase("{} is not between {} and {}", value, low, high)
            self.reader.fault(where, "out-of-range", words)
        return low

    def numbered_items(
        self, data: Table, key: str, default: tuple[object, ...], where: str = ""
    ) -> Iterator[tuple[int, object]]:
        """Yield the items of a list with their numbers from 0."""
        yield from enumerate(self.reader.items(data, key, where, default))

    def table(
        self,
        data: Table,
        key: str,
        allowed_keys: tuple[str, ...],
        where: str = "",
        optional: bool = False,
    ) -> Table:
        """Return a nested table, with keys as text: YAML reads a class named 5 as a number."""
        value = data.get(key)
        spot = join_place(where, key)
        if isinstance(value, Mapping):
            if allowed_keys:
                self.reader.keys(value, allowed_keys, spot)
            return {str(key): value for key, value in value.items()}
        if value is not None or not optional:
            code = "missing" if value is None else "not-a-table"
            self.reader.fault(spot, code, phrase("must be an object (keys and values)"))
        return {}

    def rows(
        self, key: str, allowed_keys: tuple[str, ...], data: Table | None = None, where: str = ""
    ) -> Iterator[tuple[str, Table]]:
        """Yield the place and table of each entry of a list."""
        for n, item in self.numbered_items(self.data if data is None else data, key, (), where):
            spot = join_place(where, fault_path(key, n))
            if isinstance(item, Mapping):
                self.reader.keys(item, allowed_keys, spot)
                yield spot, cast(Table, item)
            else:
                words = phrase("must be an object (keys and values)")
                self.reader.fault(spot, "not-a-table", words)

    def ident(self, data: Table, key: str, where: str = "") -> str:
        """Return an id: lower-case letters, digits and single hyphens, and no reserved word."""
        value = self.reader.text(data, key, where)
        if value and (not _ID.fullmatch(value) or value in WORDS or len(value) > LONGEST_ID):
            words = NO_ID.format(value, LONGEST_ID, join_names(WORDS))
            self.reader.fault(join_place(where, key), "bad-id", words)
        return value

    def hex_value(self, value: object, where: str) -> str:
        """Return a label of a hex; "" if it is no text. It may be off the map."""
        if isinstance(value, str):
            self.draft.hexes.append((where, value))
            return value
        words = phrase('write a hex as four digits in quotes, such as "0108"')
        self.reader.fault(where, "bad-hex", words)
        return ""

    def hex(self, data: Table, key: str, where: str) -> str:
        """Return the label of the hex that a key has."""
        if key not in data:
            return self.reader.text(data, key, where)
        return self.hex_value(data[key], join_place(where, key))

    def fraction(self, data: Table, key: str) -> tuple[int, int]:
        """Return a share as numerator and denominator; one half if it is left out or faulty."""
        value = data.get(key, "1/2")
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            try:
                share = Fraction(str(value))
            except (ValueError, ZeroDivisionError):
                share = Fraction(0)
            if 0 < share <= 1 and share.denominator <= 1000:
                return share.numerator, share.denominator
        words = phrase("a share must be a fraction such as 1/2, above 0 and at most 1")
        self.reader.fault(key, "not-a-share", words)
        return 1, 2

    def owner(self, row: Table, key: str, where: str) -> str | None:
        """Return the faction that a key names, or None without one."""
        if row.get(key) is None:
            return None
        owner = self.reader.text(row, key, where)
        self.draft.faction_refs.append((join_place(where, key), owner))
        return owner

    def power(self, row: Table, key: str, where: str) -> str:
        """Return the faction that a key must name; whether it exists is judged later."""
        power = self.reader.text(row, key, where)
        if power:
            self.draft.faction_refs.append((join_place(where, key), power))
        return power
