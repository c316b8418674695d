"""Orders, receipts and the ledger in the API, as types."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema

from campaign.api.problems import Fault
from campaign.api.shapes import StageSheet
from campaign.kinds import SourceText
from campaign.rules.orders import Orders


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
    source: SourceText


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
    source: SourceText
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
    source: SourceText
    orders: OrdersJson
    nonce: str
    digest: str
    sealed_at: datetime


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that a version changed. `version`: since which."""

    version: str
    words: str


@dataclass(frozen=True, slots=True)
class RulesTurn:
    """The war goes over to another version of the rules as a week begins. `by`: who had it so; null: an update."""

    week: int
    before: str
    after: str
    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class RulesSheet:
    """The rules of a war. `begun`: the version it began with; `now`: by which the week is played; `recorded`: what the
    record names for it, another one where this release does not play that any more.

    `coming`: the change-over to come, `past` those that have been. `changes`: what `newest` would change in this war,
    in words; `everywhere`: what changed in every war since it began, because what was before is not kept.
    """

    begun: str
    now: str
    recorded: str
    newest: str
    known: list[str]
    coming: RulesTurn | None
    past: list[RulesTurn]
    changes: list[RuleChange]
    everywhere: list[RuleChange]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A row: `body` holds week, stage, the factions' digests and the outcome's root; `hash` chains it on the last.

    `rules_version`: by which rules the stage was resolved, `release`: the newest of the release that did so.
    """

    seq: int
    body: dict[str, Any]
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class LedgerSheet:
    rows: list[LedgerLine]
