"""What a form for scenario files consists of: sections, groups of rows, and fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "text",
    "prose",
    "number",
    "flag",
    "choice",
    "words",
    "hex",
    "hexes",
    "numbers",
    "pair",
    "ships",
    "ticks",
    "yaml",
]
Of = Literal[
    "",
    "editions",
    "factions",
    "systems",
    "sides",
    "links",
    "ftl",
    "manners",
    "options",
    "places",
    "budgets",
    "shares",
    "alliances",
    "facilities",
    "tech-bases",
    "technologies",
    "traits",
    "planets",
    "turns",
    "ship-names",
    "war-terrain",
    "starts",
    "counted",
    "conditions",
    "classes",
    "navies",
    "objective-kinds",
    "objectives",
    "held",
    "when",
    "goods",
    "goods-kinds",
    "measures",
    "ship-kinds",
    "restrictions",
    "movements",
    "edges",
    "fleet-values",
    "fleet-limits",
    "terrain-kinds",
    "craft-types",
    "pilot-sources",
    "deployments",
    "set-up-manners",
    "station-classes",
    "gates",
    "link-users",
    "scorings",
    "battle-ships",
    "winners",
    "fates",
    "fighters",
    "clock-courses",
    "drifts",
    "asteroid-counts",
]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a row.

    Attributes:
        kind: `words` is a list of texts; `numbers` is a list of numbers; `pair` is a list of two
            numbers; `ships` is a number for each class; `yaml` is a value with a notation of its
            own.
        of: The options to choose from, or the suggestions for a text.
        default: The value of a flag that the file leaves out.
        parts: The labels of the two numbers of a pair.
        by: The field of the same row on whose value it depends whether a row has this field.
        only: The values of that field with which a row has this field; empty: it always has it.
        is_required: Whether a menu has no empty choice once something is chosen.
        places: Other paths inside the row of the file whose faults it shows.
    """

    key: str
    label: str
    kind: Kind = "text"
    hint: str = ""
    of: Of = ""
    default: bool = False
    parts: tuple[str, ...] = ()
    by: str = "kind"
    only: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    is_required: bool = False

    def covers(self, path: str) -> bool:
        """Return whether it shows the faults at a path inside its row."""
        for place in (self.key, *self.places):
            if path == place or path.startswith((f"{place}.", f"{place}[")):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one kind.

    Attributes:
        key: The list in the file, or another name for rows that are stored elsewhere.
        single: Whether there is always exactly one row.
        add_label: The text of the button that adds a row.
    """

    key: str
    title: str
    noun: str
    fields: tuple[Field, ...]
    single: bool = False
    hint: str = ""
    add_label: str = ""

    def has_field(self, field: Field, row: Mapping[str, Any]) -> bool:
        """Return whether a row has a field, by the value of the field on which that depends."""
        if not field.only:
            return True
        if str(row.get(field.by) or "") not in field.only:
            return False
        deciding = next((other for other in self.fields if other.key == field.by), None)
        return deciding is None or self.has_field(deciding, row)


@dataclass(frozen=True, slots=True)
class Section:
    """A page of the editor. `keys` are those of the file whose faults it shows."""

    slug: str
    title: str
    keys: tuple[str, ...]
    groups: tuple[Group, ...]
