"""The pieces of a scenario file, read with their places: numbers in their bounds, ids, hexes,
powers, tables, rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import cast

from campaign.rules.scenario_checks import FilePlaces
from engine.core.errors import place
from engine.core.phrase import phrase
from engine.notation.reading import Reader, inside

Table = Mapping[object, object]
Bases = Mapping[str, object]  # documents of tech bases, by their names
NO_BASES: Bases = {}

NO_ID = phrase(
    "'{}' cannot be an id: up to {} small letters, digits and single hyphens, and none of {}"
)
LONGEST_ID = 32  # characters: a battle's key has a hex and two of them
WORDS = ("any", "all", "own", "entry", "settled")  # no system can be called so
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class ScenarioPieces:
    """One reading of one file: its data, the reader with its faults, and the places of what was
    read.
    """

    def __init__(self, data: Table, bases: Bases = NO_BASES) -> None:
        self.data = data
        self.bases = bases
        self.reader = Reader()
        self.draft = FilePlaces()
        named = self.reader.items(data, "options", "", ())
        self.options = tuple(
            self.reader.text_value(item, place("options", n)) for n, item in enumerate(named)
        )

    def number(
        self,
        data: Table,
        key: str,
        where: str,
        low: int,
        high: int = 1_000_000,
        default: int | None = None,
        otherwise: int | None = None,
    ) -> int:
        """A whole number in its bounds; `default` where the key may be absent, `otherwise` where it
        is at fault.
        """
        value = self.reader.number(data, key, where, default)
        if key not in data and default is not None:
            return default
        faulty = key not in data or value != data[key]
        found = low if faulty else self.whole(value, inside(where, key), low, high)
        return otherwise if otherwise is not None and (faulty or found != value) else found

    def whole(self, value: object, where: str, low: int, high: int) -> int:
        """The value where it is a whole number from `low` to `high`; else `low`, with a fault."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.reader.fault(where, "not-a-number", phrase("must be a whole number"))
        elif low <= value <= high:
            return value
        else:
            self.reader.fault(
                where, "out-of-range", phrase("{} is not from {} to {}", value, low, high)
            )
        return low

    def listed(
        self, data: Table, key: str, default: tuple[object, ...], where: str = ""
    ) -> Iterator[tuple[int, object]]:
        yield from enumerate(self.reader.items(data, key, where, default))

    def table(
        self, data: Table, key: str, known: tuple[str, ...], where: str = "", optional: bool = False
    ) -> Table:
        """Return a table within a table.

        Its keys become texts: YAML reads a class that is called 5 as a number.
        """
        value = data.get(key)
        spot = inside(where, key)
        if isinstance(value, Mapping):
            if known:
                self.reader.keys(value, known, spot)
            return {str(key): value for key, value in value.items()}
        if value is not None or not optional:
            code = "missing" if value is None else "not-a-table"
            self.reader.fault(spot, code, phrase("must be a table of keys and values"))
        return {}

    def rows(
        self, key: str, known: tuple[str, ...], data: Table | None = None, where: str = ""
    ) -> Iterator[tuple[str, Table]]:
        """The tables of a list, each with its place."""
        for n, item in self.listed(self.data if data is None else data, key, (), where):
            spot = inside(where, place(key, n))
            if isinstance(item, Mapping):
                self.reader.keys(item, known, spot)
                yield spot, cast(Table, item)
            else:
                self.reader.fault(spot, "not-a-table", phrase("must be a table of keys and values"))

    def ident(self, data: Table, key: str, where: str = "") -> str:
        value = self.reader.text(data, key, where)
        if value and (not _ID.fullmatch(value) or value in WORDS or len(value) > LONGEST_ID):
            words = NO_ID.format(value, LONGEST_ID, ", ".join(WORDS))
            self.reader.fault(inside(where, key), "bad-id", words)
        return value

    def hex_value(self, value: object, where: str) -> str:
        if isinstance(value, str):
            self.draft.hexes.append((where, value))
            return value
        self.reader.fault(
            where, "bad-hex", phrase('a hex is four digits in quotes, such as "0108"')
        )
        return ""

    def hex(self, data: Table, key: str, where: str) -> str:
        if key not in data:
            return self.reader.text(data, key, where)
        return self.hex_value(data[key], inside(where, key))

    def fraction(self, data: Table, key: str) -> tuple[int, int]:
        value = data.get(key, "1/2")
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            try:
                found = Fraction(str(value))
            except (ValueError, ZeroDivisionError):
                found = Fraction(0)
            if 0 < found <= 1 and found.denominator <= 1000:
                return found.numerator, found.denominator
        self.reader.fault(
            key, "not-a-share", phrase("a share is a fraction such as 1/2, above 0 and up to 1")
        )
        return 1, 2

    def owner(self, row: Table, key: str, where: str) -> str | None:
        if row.get(key) is None:
            return None
        owner = self.reader.text(row, key, where)
        self.draft.powers.append((inside(where, key), owner))
        return owner

    def power(self, row: Table, key: str, where: str) -> str:
        power = self.reader.text(row, key, where)
        if power:
            self.draft.powers.append((inside(where, key), power))
        return power
