"""The results that people enter of a battle at a table, and how they are read.

`engine.table_results.validation` checks whether a result is possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from engine.core.errors import RuleViolations
from engine.core.kinds import (
    CAPTURED,
    DESTROYED,
    FIGHTING,
    FTL,
    HULK,
    LANDED,
    LEFT_TABLE,
    SCANNED_AWAY,
    SHIP_SURRENDERED,
    DestroyedBy,
)
from engine.core.reason import reason
from engine.core.schemas import RESULT
from engine.notation.reading import Reader

ENDS = (
    FIGHTING,
    LEFT_TABLE,
    FTL,
    DESTROYED,
    CAPTURED,
    SHIP_SURRENDERED,
    SCANNED_AWAY,
    HULK,
    LANDED,
)
TAKEN_STATUSES = (CAPTURED, SHIP_SURRENDERED)  # these need a captor
ENDS_OF_DUMMIES = (FIGHTING, LEFT_TABLE, SCANNED_AWAY)
DESTRUCTION_CAUSES = tuple(DestroyedBy)
KEYS = ("schema", "turns", "ships", "ground")
SHIP_KEYS = ("status", "damage", "lost", "stock", "captor", "cause")
MAX_TURNS = 1000


class EndDocument(TypedDict):
    """The end of a ship as a document; empty parts may be left out."""

    status: str
    damage: int
    lost: list[str]
    stock: NotRequired[dict[str, int]]
    captor: NotRequired[str]
    cause: NotRequired[str]


class ResultDocument(TypedDict):
    """A result: the number of turns, and the end of every ship by name."""

    schema: NotRequired[int]
    turns: NotRequired[int]
    ships: dict[str, EndDocument]
    ground: NotRequired[dict[str, int]]


@dataclass(frozen=True, slots=True)
class End:
    """The end of a ship as entered; `stock` may be incomplete."""

    status: str
    damage: int
    lost: tuple[str, ...]
    stock: tuple[tuple[str, int], ...]
    captor: str
    cause: str

    def to_json(self) -> EndDocument:
        """Return the end as a document without empty parts."""
        document: EndDocument = {
            "status": self.status,
            "damage": self.damage,
            "lost": sorted(self.lost),
        }
        if self.stock:
            document["stock"] = dict(self.stock)
        if self.captor:
            document["captor"] = self.captor
        if self.cause:
            document["cause"] = self.cause
        return document


def read_ends(reader: Reader, result: Any) -> dict[str, End | None]:
    """Return the ends of a result by ship's name, None if unreadable; faults go to the reader."""
    if not isinstance(result, Mapping):
        reader.fault(
            "",
            "not-a-mapping",
            reason("result-mapping-keys-values", "a result must be an object with keys and values"),
        )
        return {}
    reader.keys(result, KEYS, "")
    try:
        result = RESULT.upgrade(result)
    except RuleViolations as unread:
        reader.faults.extend(unread.violations)
    faults_before = len(reader.faults)
    turns = reader.number(result, "turns", default=1)
    if len(reader.faults) == faults_before and not 1 <= turns <= MAX_TURNS:
        reader.fault(
            "turns",
            "turns",
            reason("battle-takes-1-turns", "a battle can have 1 to {} turns", MAX_TURNS),
        )
    ships = result.get("ships")
    if not isinstance(ships, Mapping):
        reader.fault(
            "ships",
            "not-a-mapping",
            reason("ends-ships-needed-names", "expected what happened to each ship, by name"),
        )
        return {}
    return {str(name): _read_end(reader, item, f"ships.{name}") for name, item in ships.items()}


def read_ends_json(result: Mapping[str, Any]) -> ResultDocument:
    """Return a result without faults in normal form, without empty parts."""
    ends = read_ends(Reader(), {key: value for key, value in result.items() if key in KEYS})
    document: ResultDocument = {
        "turns": int(result.get("turns", 1)),
        "ships": {name: end.to_json() for name, end in sorted(ends.items()) if end is not None},
    }
    if result.get("ground"):
        document["ground"] = dict(result["ground"])
    return document


def _read_end(reader: Reader, item: object, where: str) -> End | None:
    """Return the end of one ship; None, with faults in the reader, if it is unreadable."""
    if not isinstance(item, Mapping):
        reader.fault(
            where,
            "not-a-mapping",
            reason("status-damage-what-lost", "expected a status, damage and losses"),
        )
        return None
    faults_before = len(reader.faults)
    reader.keys(item, SHIP_KEYS, where)
    status = reader.choice(item, "status", ENDS, where)
    damage = reader.number(item, "damage", where)
    lost_systems = []
    for name in reader.items(item, "lost", where, default=()):
        lost_systems.append(reader.text_value(name, f"{where}.lost"))
    stock = _read_stock(reader, item, where)
    captor = reader.text(item, "captor", where, default="")
    cause = ""
    if item.get("cause"):
        cause = reader.choice(item, "cause", DESTRUCTION_CAUSES, where)
    _check_captor(reader, status, captor, where)
    if cause and status != DESTROYED:
        reader.fault(
            f"{where}.cause",
            "cause",
            reason(
                "only-destroyed-ship-destroyed",
                "only a destroyed ship can have a cause of destruction",
            ),
        )
    if len(reader.faults) > faults_before:
        return None
    return End(
        status,
        damage=damage,
        lost=tuple(lost_systems),
        stock=tuple(stock.items()),
        captor=captor,
        cause=cause,
    )


def _check_captor(reader: Reader, status: str, captor: str, where: str) -> None:
    """Check that a captured ship, and no other, has a captor."""
    if status in TAKEN_STATUSES and not captor:
        words = reason("say-side-took", "name the side that captured it")
        reader.fault(f"{where}.captor", "captor", words)
    elif captor and status and status not in TAKEN_STATUSES:
        words = reason("only-captured-ship-taken", "only a captured ship can have a captor")
        reader.fault(f"{where}.captor", "captor", words)


def _read_stock(reader: Reader, item: Mapping[Any, Any], where: str) -> dict[str, int]:
    """Return what is left in a ship's systems, by system."""
    stock = item.get("stock", {})
    if not isinstance(stock, Mapping):
        reader.fault(
            f"{where}.stock",
            "not-a-mapping",
            reason("what-left-needed-system", "expected what is left, by system"),
        )
        return {}
    stock = {str(name): amount for name, amount in stock.items()}
    return {name: reader.number(stock, name, f"{where}.stock") for name in stock}
