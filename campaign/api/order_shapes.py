"""Shapes of the API about orders of a stage: a draft, what is sealed, receipts."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from datetime import datetime
from typing import Any, Literal

from campaign.api.shapes import OrdersJson, SealMark, StageSheet
from campaign.kinds import ClosingText, SourceText
from campaign.orders.registry import ORDERS
from campaign.web.problems import Fault


def order_set() -> type[Any]:
    """Return the shape of the whole set of orders of a stage: an entry for each kind of order there
    is.
    """
    entries: list[tuple[str, Any, Any]] = [
        (order.key, order.list_type, field(default=())) for order in ORDERS
    ]
    entries.append(("schema", Literal[1], field(default=1)))
    shape = make_dataclass("OrderSet", entries, frozen=True, slots=True)
    shape.__doc__ = "The whole set of orders of a stage; a stage reads the parts that are its own and refuses the rest."
    return shape


OrderSet: type[Any] = order_set()


@dataclass(frozen=True, slots=True)
class OrdersSheet:
    """The orders of the stage now.

    `orders`: what is sealed, else the draft; `draft`: its version (0: none yet).

    `violations`: what keeps the draft from being sealed. `closing`: what closes the stage besides
    its deadline: nothing (`deadline`), all seals (`sealed`), or all sides being ready to go on
    (`ready`). `ready`: what is sealed says that this side is; nobody else learns it before all are.
    """

    faction: str
    stage: StageSheet
    draft: int
    orders: OrdersJson
    violations: list[Fault]
    sealed: SealMark | None
    closing: ClosingText
    ready: bool


@dataclass(frozen=True, slots=True)
class DefaultSheet:
    """What the faction does in the stage now where nothing is sealed."""

    faction: str
    stage: StageSheet
    orders: OrdersJson


@dataclass(frozen=True, slots=True)
class Sealing:
    """`nonce`: 16 bytes in hexadecimal made by the client.

    `orders`: these instead of the draft. `ready`: whether the side is ready to go on as soon as
    everybody is, where the stage's `closing` is `ready`; null: not, or as before.
    """

    nonce: str = ""
    orders: OrdersJson | None = None
    ready: bool | None = None


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """A sealed entry. `withdrawn_at`: it was unsealed and does not count."""

    stage: StageSheet
    revision: int
    source: SourceText
    author: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReceiptList:
    """Sealed entries, newest first."""

    receipts: list[ReceiptLine]


@dataclass(frozen=True, slots=True)
class ReceiptSheet:
    """With orders and nonce the digest can be computed again: SHA-256 of canonical JSON and the
    nonce's bytes.
    """

    stage: StageSheet
    faction: str
    revision: int
    source: SourceText
    orders: OrdersJson
    nonce: str
    digest: str
    sealed_at: datetime
