"""What a check of an archive finds: differences, and what was proven up to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from engine.core.canonical import canonical_json, encode_floats
from proof.archive import Line, StageLines

MAX_SHOWN = 120  # characters of a value in a difference


class Level(IntEnum):
    """How deep an archive is checked; each level contains those before it."""

    INTEGRITY = 1
    DICE = 2
    WEEKS = 3
    CHOICES = 4


class Exit(IntEnum):
    """The exit statuses of a check."""

    PROVEN = 0
    DIFFERS = 1
    UNREADABLE = 2
    AS_FAR_AS_SHOWN = 3
    CONTRADICTED = 4


@dataclass(frozen=True, slots=True)
class Difference:
    """A place at which an archive is not what it should be.

    Attributes:
        line: The number of the line, from 1.
        row: The number of the ledger row that covers it; None before the first.
        week: None before the first stage.
        stage: The kind of the stage; empty before the first.
        place: What differs, such as `view of esu`.
        words: How.
        stands: What the archive has, shortened; empty if `words` say it all.
        should: What it should have.
    """

    level: Level
    line: int
    row: int | None
    week: int | None
    stage: str
    place: str
    words: str
    stands: str = ""
    should: str = ""


class Differs(Exception):
    """Raised at the first difference within a part that cannot be checked any further."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.words)
        self.difference = difference


class Unplayable(Exception):
    """Raised for a part that this release cannot play again; its words say why."""


@dataclass(frozen=True, slots=True)
class Where:
    """The stage in which something is checked."""

    row: int | None = None
    week: int | None = None
    stage: str = ""

    def difference(
        self,
        level: Level,
        line: Line,
        place: str,
        words: str,
        stands: Any = None,
        should: Any = None,
    ) -> Difference:
        """Return a difference in this stage."""
        return Difference(
            level=level,
            line=line.number,
            row=self.row,
            week=self.week,
            stage=self.stage,
            place=place,
            words=words,
            stands=shown(stands),
            should=shown(should),
        )


def where_of(stage: StageLines) -> Where:
    """Return where the lines of a stage are."""
    body = stage.stage.body
    row = None if stage.row is None else stage.row.body["seq"]
    return Where(row, body["week"], body["stage"])


def shown(value: Any) -> str:
    """Return a value as short text; empty for None."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else canonical_json(encode_floats(value)).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def first_difference(stands: Any, should: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Return path and values of the first place where two JSON values differ; None if nowhere.

    Both have encoded floats, and objects are compared by the order of their keys.
    """
    if isinstance(stands, Mapping) and isinstance(should, Mapping):
        for key in sorted({*stands, *should}):
            inner = f"{path}.{key}" if path else str(key)
            if (key in stands) != (key in should):
                return inner, stands.get(key), should.get(key)
            found = first_difference(stands[key], should[key], inner)
            if found is not None:
                return found
        return None
    if isinstance(stands, list) and isinstance(should, list):
        for number, (left, right) in enumerate(zip(stands, should, strict=False)):
            found = first_difference(left, right, f"{path}[{number}]")
            if found is not None:
                return found
        if len(stands) != len(should):
            return path, f"{len(stands)} entries", f"{len(should)} entries"
        return None
    if stands == should and isinstance(stands, bool) == isinstance(should, bool):
        return None
    return path, stands, should


@dataclass(slots=True)
class Counts:
    """What was checked.

    Attributes:
        shares: Entries with a share that a client made; the server filled in the others.
        trusted_results: Battles whose results people entered.
        unshown_throws: Dice reserved for battles at a table that were never shown.
        one_step_throws: Dice for such battles that were not reserved before they were shown.
        rulings: Of umpires.
        beacons: Stages and phases whose dice contain a public random value.
        without_beacon: Stages and phases of a war with public dice that went on without.
        rollbacks: Each left an abandoned timeline, which is checked as well.
        rules: Versions of the rules by which stages were resolved.
    """

    weeks: int = 0
    factions: int = 0
    rows: int = 0
    battles: int = 0
    entries: int = 0
    dice: int = 0
    dice_proven: int = 0
    worlds: int = 0
    views: int = 0
    choices: int = 0
    trusted_results: int = 0
    unshown_throws: int = 0
    one_step_throws: int = 0
    rulings: int = 0
    acts: int = 0
    nameless_acts: int = 0
    rollbacks: int = 0
    shares: int = 0
    reports: int = 0
    beacons: int = 0
    without_beacon: int = 0
    rules: list[str] = field(default_factory=list)
