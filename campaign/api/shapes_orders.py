"""Orders, receipts and the ledger in the API, as types."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema

from campaign.api.problems import Fault
from campaign.api.shapes import StageSheet
from campaign.rules.orders import Orders

Source = Literal["player", "standing", "default", "admiral", "umpire"]


@dataclass(frozen=True, slots=True)
class OrderSet(Orders):
    """The whole set of orders of a stage; a stage reads the parts that are its own and refuses the rest."""

    schema: Literal[1] = 1


# Orders as they are stored: an `OrderSet`, what is left at its default left out.
OrdersJson = Annotated[dict[str, Any], WithJsonSchema({"x-shape": "OrderSet"})]


@dataclass(frozen=True, slots=True)
class SealMark:
    """That orders are sealed, and how they can be recognised."""

    revision: int
    digest: str
    sealed_at: datetime
    source: Source


@dataclass(frozen=True, slots=True)
class OrdersSheet:
    """The orders of the stage now. `orders`: what is sealed, else the draft; `draft`: its version (0: none yet).

    `violations`: what keeps the draft from being sealed.
    """

    faction: str
    stage: StageSheet
    draft: int
    orders: OrdersJson
    violations: list[Fault]
    sealed: SealMark | None


@dataclass(frozen=True, slots=True)
class DocumentFaults:
    """All that is wrong with what was handed in; nothing was kept."""

    violations: list[Fault]


@dataclass(frozen=True, slots=True)
class DefaultSheet:
    """What the faction does in the stage now where nothing is sealed."""

    faction: str
    stage: StageSheet
    orders: OrdersJson


@dataclass(frozen=True, slots=True)
class Sealing:
    """`nonce`: 16 bytes in hexadecimal made by the client. `orders`: these instead of the draft."""

    nonce: str = ""
    orders: OrdersJson | None = None


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """A sealed entry. `withdrawn_at`: it was unsealed and does not count."""

    stage: StageSheet
    revision: int
    source: Source
    author: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReceiptList:
    receipts: list[ReceiptLine]


@dataclass(frozen=True, slots=True)
class ReceiptSheet:
    """With orders and nonce the digest can be computed again: SHA-256 of canonical JSON and the nonce's bytes."""

    stage: StageSheet
    faction: str
    revision: int
    source: Source
    orders: OrdersJson
    nonce: str
    digest: str
    sealed_at: datetime


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A row: `body` holds week, stage, the factions' digests and the outcome's root; `hash` chains it on the last."""

    seq: int
    body: dict[str, Any]
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class LedgerSheet:
    rows: list[LedgerLine]
