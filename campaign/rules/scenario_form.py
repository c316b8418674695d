"""The pieces a scenario file is made of: numbers in their bounds, ids, hexes, tables and rows, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import cast

from campaign.rules.scenario import Faction
from campaign.rules.scenario_checks import Draft
from engine.core.errors import place
from engine.design.techbase import RECOMMENDED, TechBase
from engine.notation.designs import read_base
from engine.notation.reading import Reader, inside

Table = Mapping[object, object]
Bases = Mapping[str, object]  # documents of tech bases, by their names
NO_BASES: Bases = {}
MOST_CHOICES = 100  # that a campaign may allow

WORDS = ("any", "all", "own", "entry", "settled")  # no system can be called so
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Form:
    """One reading of one file: its data, the reader with its faults, and the places of what was read."""

    def __init__(self, data: Table, bases: Bases = NO_BASES) -> None:
        self.data = data
        self.bases = bases
        self.reader = Reader()
        self.draft = Draft()

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
        """A whole number in its bounds; `default` where the key may be absent, `otherwise` where it is at fault."""
        value = self.reader.number(data, key, where, default)
        if key not in data and default is not None:
            return default
        faulty = key not in data or value != data[key]
        found = low if faulty else self.whole(value, inside(where, key), low, high)
        return otherwise if otherwise is not None and (faulty or found != value) else found

    def whole(self, value: object, where: str, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.reader.fault(where, "not-a-number", "must be a whole number")
        elif low <= value <= high:
            return value
        else:
            self.reader.fault(where, "out-of-range", f"{value} is not from {low} to {high}")
        return low

    def listed(
        self, data: Table, key: str, default: tuple[object, ...], where: str = ""
    ) -> Iterator[tuple[int, object]]:
        yield from enumerate(self.reader.items(data, key, where, default))

    def table(self, data: Table, key: str, known: tuple[str, ...], where: str = "", optional: bool = False) -> Table:
        value = data.get(key)
        spot = inside(where, key)
        if isinstance(value, Mapping):
            if known:
                self.reader.keys(value, known, spot)
            return cast(Table, value)
        if value is not None or not optional:
            code = "missing" if value is None else "not-a-table"
            self.reader.fault(spot, code, "must be a table of keys and values")
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
                self.reader.fault(spot, "not-a-table", "must be a table of keys and values")

    def factions(self) -> Iterator[Faction]:
        for where, row in self.rows("factions", ("id", "name", "alliance", "tech_base")):
            alliance = self.ident(row, "alliance", where) if row.get("alliance") is not None else None
            self.draft.factions.append(where)
            base = self.tech_base(row, inside(where, "tech_base"))
            yield Faction(self.ident(row, "id", where), self.reader.text(row, "name", where), alliance, base)

    def tech_choices(self) -> int:
        """How many choices a tech base may take in this war."""
        return self.number(self.data, "tech_choices", "", 0, MOST_CHOICES, default=RECOMMENDED, otherwise=RECOMMENDED)

    def tech_base(self, row: Table, where: str) -> TechBase | None:
        """A faction's tech base: one that comes with the project by its name, or its technologies as a list.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        given = row.get("tech_base")
        if given is None:
            return None
        if isinstance(given, str):
            if given not in self.bases:
                known = ", ".join(sorted(self.bases)) or "none"
                self.reader.fault(where, "unknown-tech-base", f"there is no tech base '{given}'; known: {known}")
                return None
            given = self.bases[given]
        base, faults = read_base(given, where, _whole(self.data.get("tech_choices")))
        self.reader.faults.extend(faults)
        return base

    def ident(self, data: Table, key: str, where: str = "") -> str:
        value = self.reader.text(data, key, where)
        if value and (not _ID.fullmatch(value) or value in WORDS):
            words = (
                f"'{value}' cannot be an id: small letters, digits and single hyphens, and none of {', '.join(WORDS)}"
            )
            self.reader.fault(inside(where, key), "bad-id", words)
        return value

    def hex_value(self, value: object, where: str) -> str:
        if isinstance(value, str):
            self.draft.hexes.append((where, value))
            return value
        self.reader.fault(where, "bad-hex", 'a hex is four digits in quotes, such as "0108"')
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
        self.reader.fault(key, "not-a-share", "a share is a fraction such as 1/2, above 0 and up to 1")
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


def _whole(value: object) -> int:
    """The number of choices where it can be read; a fault in it is told elsewhere."""
    return value if isinstance(value, int) and not isinstance(value, bool) else RECOMMENDED
