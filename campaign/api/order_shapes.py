"""Types of the API for orders of a stage: draft, sealed orders, receipts."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from datetime import datetime
from typing import Any, Literal

from campaign.api.shapes import OrdersJson, SealMark, StageSheet
from campaign.kinds import ClosingText, SourceText
from campaign.orders.registry import ORDERS
from campaign.web.problems import Fault


def order_set() -> type[Any]:
    """Return the type of the orders of a stage, with an entry for each kind of order."""
    entries: list[tuple[str, Any, Any]] = []
    for order in ORDERS:
        entries.append((order.key, order.list_type, field(default=())))
    entries.append(("schema", Literal[1], field(default=1)))
    shape = make_dataclass("OrderSet", entries, frozen=True, slots=True)
    shape.__doc__ = "All orders of a stage. A stage accepts only its own parts and refuses others."
    return shape


OrderSet: type[Any] = order_set()


@dataclass(frozen=True, slots=True)
class OrdersSheet:
    """The orders of the present stage.

    Attributes:
        draft: The draft's version, 0 without one.
        orders: What is sealed, or else the draft.
        violations: The faults that keep the draft from being sealed.
        warnings: What is valid but advised against, such as a deployment with mixed drives.
        closing: What closes the stage: only its deadline (`deadline`), all seals (`sealed`), or all
            sides being ready to go on (`ready`).
        ready: This side is ready to go on; other sides do not learn this before all are.
    """

    faction: str
    stage: StageSheet
    draft: int
    orders: OrdersJson
    violations: list[Fault]
    warnings: list[Fault]
    sealed: SealMark | None
    closing: ClosingText
    ready: bool


@dataclass(frozen=True, slots=True)
class DefaultSheet:
    """What the faction does in the present stage if nothing is sealed."""

    faction: str
    stage: StageSheet
    orders: OrdersJson


@dataclass(frozen=True, slots=True)
class Sealing:
    """What to seal in a stage.

    Attributes:
        nonce: 16 bytes in hexadecimal, made by the client.
        share: 32 random bytes in hexadecimal, made by the client, which enter the dice.
        orders: Orders to seal instead of the draft.
        ready: Whether the side is ready to go on as soon as all sides are, if the stage's `closing`
            is `ready`; null keeps the present value, or means not ready.
    """

    nonce: str = ""
    share: str = ""
    orders: OrdersJson | None = None
    ready: bool | None = None


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """A sealed entry.

    Attributes:
        withdrawn_at: When it was unsealed, so that it does not count.
        signed: The receipt, signed by the site (see `ReceiptSheet`).
        signed_unsealing: That it was unsealed, signed by the site; null otherwise.
    """

    stage: StageSheet
    revision: int
    source: SourceText
    author: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None
    signed: str
    signed_unsealing: str | None


@dataclass(frozen=True, slots=True)
class ReceiptList:
    """Sealed entries, newest first."""

    receipts: list[ReceiptLine]


@dataclass(frozen=True, slots=True)
class ReceiptSheet:
    """A receipt, from which the digest can be recomputed.

    Attributes:
        digest: SHA-256 of the orders' canonical JSON and the nonce's bytes,
            followed by the SHA-256 of the share\'s bytes if the client made one.
        share: Of the client; null if the server fills it in.
        signed: The receipt as a text that the site has signed (a C2SP signed note). The site's key
            is at /.well-known/blindjump-key.
    """

    stage: StageSheet
    faction: str
    revision: int
    source: SourceText
    orders: OrdersJson
    nonce: str
    share: str | None
    digest: str
    sealed_at: datetime
    signed: str
