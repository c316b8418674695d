"""Battles at tables in the API, as types."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from campaign.api.problems import Fault
from campaign.api.shapes_orders import SealMark, Source


@dataclass(frozen=True, slots=True)
class ShipEnd:
    """How a ship ended. `status`: fighting, left, ftl, destroyed, captured (by `captor`, a side), scanned (a drone).

    `lost`: its lost systems, `drive` once for half thrust, twice for none. `stock`: what is left, by system; absent: as
    it came. `how`: ftl or asteroid, where it was destroyed with boxes left.
    """

    status: str
    damage: int
    lost: list[str] = field(default_factory=list)
    stock: dict[str, int] = field(default_factory=dict)
    captor: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class ResultDraft:
    """What came of a battle at a table: of every ship its end, called as on my sheet.

    Of a ship of others that I never identified I may say nothing.
    """

    ships: dict[str, ShipEnd]
    turns: int = 1
    schema: Literal[1] = 1
    battle: str = ""


@dataclass(frozen=True, slots=True)
class ResultSealing:
    """`nonce`: 16 bytes in hexadecimal made by the client. `result`: this instead of the draft (see ResultDraft)."""

    nonce: str = ""
    result: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TableLine:
    """A battle at a table. `round`: how often the results did not fit; `open`: it takes a result."""

    id: str
    week: int
    hex: str
    round: int
    open: bool


@dataclass(frozen=True, slots=True)
class TableList:
    tables: list[TableLine]


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A battle at a table. `sheet`: my ships whole and the others as contacts; `checks`: what did not fit, by round.

    `result`: what is sealed, else the draft; `draft`: its version; `violations`: what keeps that from being sealed.
    """

    id: str
    week: int
    round: int
    open: bool
    sheet: dict[str, Any]
    checks: list[dict[str, Any]]
    draft: int
    result: dict[str, Any]
    violations: list[Fault]
    sealed: SealMark | None


@dataclass(frozen=True, slots=True)
class ResultReceipt:
    """A sealed result. The digest is SHA-256 of its canonical JSON and the nonce's bytes."""

    battle: str
    round: int
    faction: str
    revision: int
    source: Source
    result: dict[str, Any]
    nonce: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class ResultReceiptList:
    receipts: list[ResultReceipt]


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The umpire's result stands. `round`: in which the players stood."""

    battle: str
    round: int
