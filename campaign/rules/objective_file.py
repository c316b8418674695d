"""Reading of the objectives, the judging and the goods of a scenario file.

`campaign.rules.objective_checks` judges the names in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from campaign.rules.fleet_violations import name_faults
from campaign.rules.objective_checks import ALL, SETTLED
from campaign.rules.scenario import (
    Goods,
    GoodsKind,
    Judging,
    Measure,
    Objective,
    ObjectiveKind,
)
from campaign.rules.scenario_pieces import ScenarioParts, Table
from engine.core.errors import fault_path
from engine.core.phrase import phrase
from engine.notation.reading import join_place

COMMON_KEYS = ("id", "kind", "points", "by", "secret", "text")
# The further keys of each kind of objective.
KIND_KEYS: dict[str, tuple[str, ...]] = {
    "hold": ("of", "at_least", "including", "weeks", "when"),
    "deliver": ("what", "to", "amount"),
    "bring": ("ships", "to", "at_least"),
    "destroy": ("of", "ships", "at_least", "measure"),
    "save": ("ships", "at_least"),
    "lose-less": ("measure", "at_most"),
    "ruins": ("of", "at_least"),
    "deny": ("of",),
}
NUMBER_KEYS = ("at_least", "amount", "at_most")
GOODS_KINDS: tuple[GoodsKind, ...] = ("cargo", "passengers", "troops", "specialists")
MEASURES: tuple[Measure, ...] = ("ships", "points")
ONCE = "once"
END = "end"
MOST_POINTS = 1000  # of one objective


def read_objectives(file: ScenarioParts, weeks: int) -> Iterator[Objective]:
    """Yield the objectives of all factions, by faction and then in the order of the file.

    Args:
        weeks: The number of weeks of the war.
    """
    table = file.table(file.data, "objectives", (), optional=True)
    for faction in sorted(map(str, table)):
        file.draft.faction_refs.append((fault_path("objectives", faction), faction))
        for n, item in file.numbered_items(table, faction, (), "objectives"):
            where = f"objectives.{faction}[{n}]"
            file.draft.has_objectives = True
            if not isinstance(item, dict):
                words = phrase("must be an object (keys and values)")
                file.reader.fault(where, "not-a-table", words)
                continue
            objective = _ObjectiveReader(file, item, where).objective(faction, weeks)
            if objective is not None:
                file.draft.objectives.append((where, objective))
                yield objective


def read_judging(file: ScenarioParts) -> Judging:
    """Return how objectives decide the war."""
    table = file.table(file.data, "judging", ("first", "margin"), optional=True)
    first = Judging().first
    if "first" in table:
        first = file.reader.flag(table, "first", "judging")
    margin = file.number(table, "margin", "judging", low=0, high=1000, default=0)
    return Judging(first, margin)


def read_goods(file: ScenarioParts) -> Iterator[Goods]:
    """Yield the goods of a scenario, sorted by name."""
    table = file.table(file.data, "goods", (), optional=True)
    for name in sorted(map(str, table)):
        where = fault_path("goods", name)
        row = file.table(table, name, ("kind", "at"), "goods")
        file.reader.faults.extend(name_faults(name, where))
        kind = "cargo"
        if "kind" in row:
            kind = file.reader.choice(row, "kind", GOODS_KINDS, where) or kind
        stocks = file.table(row, "at", (), where, optional=True)
        at = []
        for system in sorted(map(str, stocks)):
            spot = f"{where}.at.{system}"
            file.draft.system_refs.append((spot, system))
            amount = file.whole_number(stocks[system], spot, low=1, high=1_000_000)
            at.append((system, amount))
        yield Goods(name, cast(GoodsKind, kind), tuple(at))


def read_capacity(file: ScenarioParts) -> Iterator[tuple[str, int]]:
    """Yield the classes that a scenario gives a capacity for goods, sorted, with the capacity."""
    table = file.table(file.data, "capacity", (), optional=True)
    for cls in sorted(map(str, table)):
        where = fault_path("capacity", cls)
        file.draft.class_refs.append((where, cls))
        yield cls, file.whole_number(table[cls], where, low=0, high=1_000_000)


class _ObjectiveReader:
    """Reads one objective of a file; the file's reader collects the faults."""

    def __init__(self, file: ScenarioParts, row: Table, where: str) -> None:
        self._file = file
        self._reader = file.reader
        self._row = row
        self._where = where

    def objective(self, faction: str, weeks: int) -> Objective | None:
        """Return the objective, or None if its kind is unknown."""
        row, where = self._row, self._where
        kind = cast(ObjectiveKind, self._reader.choice(row, "kind", tuple(KIND_KEYS), where))
        if kind not in KIND_KEYS:
            return None
        self._reader.keys(row, (*COMMON_KEYS, *KIND_KEYS[kind]), where)
        systems = self._held_systems() if kind == "hold" else ()
        return Objective(
            id=self._file.ident(row, "id", where),
            faction=faction,
            kind=kind,
            points=self._file.number(row, "points", where, low=1, high=MOST_POINTS, default=1),
            by=self._last_week(weeks),
            secret=self._reader.flag(row, "secret", where),
            text=self._reader.prose(row, "text", where, default=""),
            number=self._number(kind, systems),
            systems=systems,
            including=self._names("including"),
            weeks=self._file.number(row, "weeks", where, low=1, high=520, default=1),
            at_end=self._choice("when", (ONCE, END)) == END,
            what=self._reader.text(row, "what", where) if kind == "deliver" else "",
            to=self._places(kind),
            ships=self._ships(kind),
            ship_names=self._ship_names(),
            of=self._of(kind),
            measure=cast(Measure, self._choice("measure", MEASURES)),
        )

    def _last_week(self, weeks: int) -> int:
        """Return the last week that counts."""
        week = self._reader.number(self._row, "by", self._where, default=weeks)
        has_number = week == self._row.get("by", weeks)
        if has_number and not 1 <= week <= weeks:
            words = phrase("the war has weeks 1 to {}", weeks)
            self._reader.fault(join_place(self._where, "by"), "by", words)
            return weeks
        return week

    def _number(self, kind: ObjectiveKind, systems: tuple[str, ...]) -> int:
        """Return the number that a kind of objective wants.

        Args:
            systems: The systems that count for `hold`. By default all of a list are wanted.
        """
        key = next((name for name in KIND_KEYS[kind] if name in NUMBER_KEYS), None)
        if key is None:
            return 1
        default: int | None = None
        if key == "at_least":
            is_list = kind == "hold" and systems not in ((ALL,), (SETTLED,))
            default = max(1, len(systems)) if is_list else 1
        low = 0 if key == "at_most" else 1
        return self._file.number(self._row, key, self._where, low=low, default=default)

    def _choice(self, key: str, choices: tuple[str, ...]) -> str:
        """Return one of the words of a key, by default the first."""
        if key not in self._row:
            return choices[0]
        return self._reader.choice(self._row, key, choices, self._where) or choices[0]

    def _held_systems(self) -> tuple[str, ...]:
        """Return the systems that count for `hold`: a word, or a list of ids."""
        value = self._row.get("of", SETTLED)
        if value in (ALL, SETTLED):
            return (str(value),)
        return self._names("of")

    def _names(self, key: str) -> tuple[str, ...]:
        """Return the texts of a list; a single text is a list with one item."""
        value = self._row.get(key, ())
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, (list, tuple)):
            words = phrase("expected a list")
            self._reader.fault(join_place(self._where, key), "not-a-list", words)
            return ()
        return tuple(str(item) for item in value)

    def _places(self, kind: ObjectiveKind) -> tuple[str, ...]:
        """Return where goods or ships are to go; a place is required."""
        if "to" not in KIND_KEYS[kind]:
            return ()
        places = self._names("to")
        if not places and not isinstance(self._row.get("to"), (int, float, bool)):
            words = phrase("name at least one place")
            self._reader.fault(join_place(self._where, "to"), "missing", words)
        return places

    def _ships(self, kind: ObjectiveKind) -> str:
        """Return which ships count, by default all; "" for a list of names."""
        if "ships" not in KIND_KEYS[kind] or isinstance(self._row.get("ships"), (list, tuple)):
            return ""
        return self._reader.text(self._row, "ships", self._where, default=ALL)

    def _ship_names(self) -> tuple[str, ...]:
        """Return the names of the ships that count, if the file lists names."""
        if not isinstance(self._row.get("ships"), (list, tuple)):
            return ()
        names = self._names("ships")
        if not names:
            words = phrase("name at least one ship")
            self._reader.fault(join_place(self._where, "ships"), "missing", words)
        return names

    def _of(self, kind: ObjectiveKind) -> str:
        """Return whose ships or targets count, or which objective is denied."""
        if kind == "hold" or "of" not in KIND_KEYS[kind]:
            return ""
        return self._reader.text(self._row, "of", self._where)
