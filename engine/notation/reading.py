"""Reads mappings key by key, collects every fault with its place, and goes on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard, TypeVar

from engine.core.errors import MAX_LISTED, RuleViolations, Violation, fault_path, limit_violations
from engine.core.names import LONGEST_NAME, character_fault
from engine.core.reason import reason

S = TypeVar("S")
T = TypeVar("T")

NUMBERS_TO = 1_000_000
LONGEST_PROSE = 5000  # characters


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """One independent entry of a document, such as one of several designs.

    `faults` are the reasons why it could not be read.
    """

    where: str
    name: str
    document: Any
    faults: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class RejectedPart:
    """An entry that was rejected, with all its faults; their places are relative to the entry."""

    where: str
    name: str
    faults: tuple[Violation, ...]

    @property
    def faults_in_document(self) -> tuple[Violation, ...]:
        """The faults with their places in the whole document."""
        return prefix_places(self.where, self.faults)

    def to_json(self) -> dict[str, Any]:
        """Return its place, name and faults for an API answer."""
        return {
            "where": self.where,
            "name": self.name,
            "violations": [fault.to_json() for fault in self.faults],
        }


def is_pair(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether a value of a document is a list of two."""
    return isinstance(value, (list, tuple)) and len(value) == 2


class Reader:
    """Collects faults. A method that finds one returns a neutral value ("", 0, (), False)."""

    def __init__(self) -> None:
        self.faults: list[Violation] = []

    def fault(self, where: str, code: str, message: str) -> None:
        """Add a fault."""
        self.faults.append(Violation(where, code, message))

    def keys(self, data: Mapping[object, object], allowed: Collection[str], where: str) -> None:
        """Report every unknown key."""
        for key in data:
            if key not in allowed:
                self.fault(
                    join_place(where, str(key)),
                    "unknown-key",
                    reason("unknown-key-known", "unknown key; choose from {}", ", ".join(allowed)),
                )

    def text(
        self, data: Mapping[object, object], key: str, where: str = "", default: str | None = None
    ) -> str:
        """Return a text of one line that is not empty and no longer than a name."""
        if key not in data:
            return self._absent(key, where, default, "")
        return self.text_value(data[key], join_place(where, key))

    def prose(
        self, data: Mapping[object, object], key: str, where: str = "", default: str | None = None
    ) -> str:
        """Return a text of some sentences, on one or more lines."""
        if key not in data:
            return self._absent(key, where, default, "")
        return self.text_value(data[key], join_place(where, key), LONGEST_PROSE, lines=True)

    def text_value(
        self, value: object, where: str, longest: int = LONGEST_NAME, *, lines: bool = False
    ) -> str:
        """Return a text that is not empty and not too long, or "" with a fault.

        Args:
            lines: Whether the text may have more than one line.
        """
        if not isinstance(value, str) or not value.strip():
            self.fault(
                where,
                "not-a-text",
                reason("text-not-empty-needed", "write a text here"),
            )
        elif len(value) > longest:
            self.fault(
                where,
                "too-long",
                reason(
                    "text-most-characters-needed",
                    "expected text of at most {} characters",
                    longest,
                ),
            )
        elif words := character_fault(value, allowed="\n" if lines else ""):
            self.fault(where, "characters", words)
        else:
            return value
        return ""

    def choice(
        self, data: Mapping[object, object], key: str, choices: Collection[str], where: str = ""
    ) -> str:
        """Return one of the known words."""
        value = self.text(data, key, where)
        if value and value not in choices:
            self.fault(
                join_place(where, key),
                f"unknown-{key}",
                reason(
                    "unknown-choice", "no {} {!r}; choose from {}", key, value, ", ".join(choices)
                ),
            )
            return ""
        return value

    def number(
        self, data: Mapping[object, object], key: str, where: str = "", default: int | None = None
    ) -> int:
        """Return a whole number of reasonable size."""
        if key not in data:
            return self._absent(key, where, default, 0)
        value = data[key]
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(
                join_place(where, key),
                "not-a-number",
                reason("number-needed", "expected a whole number"),
            )
            return 0
        if abs(value) > NUMBERS_TO:
            self.fault(
                join_place(where, key),
                "number-too-large",
                reason("number-too-large", "numbers can be at most {}", NUMBERS_TO),
            )
            return 0
        return value

    def measure(self, data: Mapping[object, object], key: str, where: str, most: float) -> float:
        """Return a length above 0, in MU."""
        value = data.get(key)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= most:
            return float(value)
        self.fault(
            join_place(where, key),
            key,
            reason("distance-needed", "expected a number of MU above 0, at most {:g}", most),
        )
        return 1.0

    def flag(self, data: Mapping[object, object], key: str, where: str = "") -> bool:
        """Return true or false; false if the key is absent."""
        value = data.get(key, False)
        if not isinstance(value, bool):
            self.fault(
                join_place(where, key),
                "not-a-flag",
                reason("flag-needed", "expected true or false"),
            )
            return False
        return value

    def items(
        self,
        data: Mapping[object, object],
        key: str,
        where: str = "",
        default: Sequence[object] | None = None,
    ) -> Sequence[object]:
        """Return a list with items of any kind."""
        if key not in data:
            return self._absent(key, where, default, ())
        value = data[key]
        if not isinstance(value, (list, tuple)):
            self.fault(
                join_place(where, key), "not-a-list", reason("list-needed", "expected a list")
            )
            return ()
        return value

    def rows(
        self, data: object, allowed: Collection[str], where: str, words: tuple[str, str]
    ) -> Iterator[tuple[Mapping[Any, Any], str]]:
        """Yield the mappings of a list with their places, and report unknown keys.

        Args:
            words: The messages for data that is not a list, and for an item that is not a mapping.
        """
        if not isinstance(data, list):
            self.fault(where, "not-a-list", words[0])
            return
        for number, item in enumerate(data):
            spot = f"{where}{fault_path(number)}"
            if isinstance(item, Mapping):
                self.keys(item, allowed, spot)
                yield item, spot
            else:
                self.fault(spot, "not-a-mapping", words[1])

    def _absent(self, key: str, where: str, default: T | None, neutral: T) -> T:
        """Return the default of an absent key; without a default it is a fault."""
        if default is not None:
            return default
        self.fault(
            join_place(where, key), "missing", reason("key-missing", "the key {!r} is missing", key)
        )
        return neutral


def join_place(where: str, rest: str) -> str:
    """Return a place within a place: `join_place("ships[2]", "mass")` is `ships[2].mass`."""
    if not where or not rest or rest.startswith("["):
        return where + rest
    return f"{where}.{rest}"


def prefix_places(where: str, faults: Iterable[Violation]) -> tuple[Violation, ...]:
    """Return the faults with places in the document that contains theirs at `where`."""
    places: list[Violation] = []
    for fault in faults:
        places.append(Violation(join_place(where, fault.where), fault.code, fault.message))
    return tuple(places)


def ship_entries(document: Mapping[object, object]) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """Yield the place and the entry of every ship of a battle file, skipping malformed ones."""
    sides = document.get("sides")
    for number, side in enumerate(sides if isinstance(sides, (list, tuple)) else ()):
        ships = side.get("ships") if isinstance(side, Mapping) else None
        for row, ship in enumerate(ships if isinstance(ships, (list, tuple)) else ()):
            if isinstance(ship, Mapping):
                yield join_place(fault_path("sides", number), fault_path("ships", row)), ship


def design_name(document: object) -> str:
    """Return the name of a design, in our notation or ftLibShip's; "" if it has none."""
    names = (document.get("name"), document.get("class")) if isinstance(document, Mapping) else ()
    return next((name for name in names if isinstance(name, str)), "")[:LONGEST_NAME]


def make_parts(
    parts: Iterable[DocumentPart], make: Callable[[Any], T], *, partial: bool
) -> tuple[list[T], tuple[RejectedPart, ...]]:
    """Make a result of each part, and collect the parts that are rejected.

    Args:
        make: Raises RuleViolations for a document that it rejects.
        partial: Whether to accept the others if some parts are rejected.

    Returns:
        The results and the rejected parts, with no more faults in all than an answer lists.

    Raises:
        RuleViolations: With all faults, if any part is rejected; with `partial` only if all are.
    """
    results: list[T] = []
    left_out: list[RejectedPart] = []
    for part in parts:
        try:
            if part.faults:
                raise RuleViolations(part.faults)
            results.append(make(part.document))
        except RuleViolations as refused:
            left_out.append(RejectedPart(part.where, part.name, refused.violations))
    if left_out and not (partial and results):
        raise RuleViolations(fault for part in left_out for fault in part.faults_in_document)
    return results, _limit_faults(left_out)


def _limit_faults(left_out: Iterable[RejectedPart]) -> tuple[RejectedPart, ...]:
    """Limit the total number of listed faults; each part counts those that are cut."""
    limited: list[RejectedPart] = []
    room = MAX_LISTED
    for part in left_out:
        limited.append(replace(part, faults=limit_violations(part.faults, room)))
        room = max(0, room - len(part.faults))
    return tuple(limited)
