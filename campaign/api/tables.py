"""API resources for battles at a table: sheets, the faction's result, sealing and unsealing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.envelopes import (
    EnvelopeEndpoint,
    RouteNames,
    check_resource,
    draft_resource,
    seal_resource,
    unseal_resource,
)
from campaign.api.resource import Resource, json_response, played_faction
from campaign.api.schema import documented
from campaign.api.shapes import SealMark
from campaign.kinds import SourceText
from campaign.models.stage import Submission
from campaign.selectors.receipts import ReceiptSigner, SignedReceipt
from campaign.services.tables import (
    TableBattle,
    TableResult,
    sealed_results_of,
    table_of,
    tables_of,
)
from campaign.web.problems import Fault
from campaign.words.reasons_in_english import check_with_texts

TAG = "tables"


@dataclass(frozen=True, slots=True)
class ShipEnd:
    """The end of a ship.

    Attributes:
        status: fighting, left, ftl, destroyed, captured or struck (then `captor` has it), or
            scanned (a decoy).
        lost: Its lost systems; `drive` once for half thrust, twice for none.
        stock: What is left, by system; systems without an entry are unchanged.
        captor: A side.
        how: ftl or asteroid, if it was destroyed with boxes left.
    """

    status: str
    damage: int
    lost: list[str] = field(default_factory=list)
    stock: dict[str, int] = field(default_factory=dict)
    captor: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class ResultDraft:
    """The result of a battle at a table.

    Attributes:
        ships: The end of each ship, named as on the faction's sheet. Foreign ships that the faction
            never identified may be left out.
    """

    ships: dict[str, ShipEnd]
    turns: int = 1
    schema: Literal[1] = 1
    battle: str = ""


@dataclass(frozen=True, slots=True)
class ResultSealing:
    """What to seal as result.

    Attributes:
        nonce: 16 bytes in hexadecimal, made by the client.
        share: 32 random bytes in hexadecimal, made by the client, which enter the dice.
        result: A result to seal instead of the draft (see ResultDraft).
    """

    nonce: str = ""
    share: str = ""
    result: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TableLine:
    """A battle at a table.

    Attributes:
        round: How often the sides' results differed.
        open: It accepts a result.
    """

    id: str
    week: int
    hex: str
    round: int
    open: bool


@dataclass(frozen=True, slots=True)
class TableList:
    """Battles at a table, earliest first."""

    tables: list[TableLine]


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A battle at a table.

    Attributes:
        sheet: The faction's own ships in full, and the others as contacts.
        checks: Differences of the sides' results, by round.
        draft: The draft's version.
        result: What is sealed, or else the draft.
        violations: The faults that keep the draft from being sealed.
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
    """A sealed result.

    Attributes:
        digest: SHA-256 of the result's canonical JSON and the nonce's bytes,
            followed by the SHA-256 of the share\'s bytes if the client made one.
        share: Of the client; null if the server fills it in.
        signed: The receipt, signed by the site (see `ReceiptSheet`).
        signed_unsealing: That it was unsealed, signed by the site; null otherwise.
    """

    battle: str
    round: int
    faction: str
    revision: int
    source: SourceText
    result: dict[str, Any]
    nonce: str
    share: str | None
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None
    signed: str
    signed_unsealing: str | None


@dataclass(frozen=True, slots=True)
class ResultReceiptList:
    """All sealed results of a battle, newest first."""

    receipts: list[ResultReceipt]


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The umpire's result was accepted.

    Attributes:
        round: The round that the players had reached.
    """

    battle: str
    round: int


class TableEndpoint(EnvelopeEndpoint):
    """The result of a battle at a table."""

    names = RouteNames(
        draft="table", stem="table", tag=TAG, document_name="result", stage_name="battle"
    )
    sheet_type, body_type, sealing_type, receipt_type = (
        TableSheet,
        ResultDraft,
        ResultSealing,
        ResultReceipt,
    )

    def __init__(self, viewer: Viewer, table: TableBattle) -> None:
        super().__init__(viewer, TableResult(table, played_faction(viewer)))
        self.table = table

    @classmethod
    def of(cls, viewer: Viewer, **where: Any) -> TableEndpoint:
        """Return the endpoint of the battle `where["battle"]`. Raises NotFound."""
        return cls(viewer, table_of(viewer.campaign, played_faction(viewer), where["battle"]))

    @property
    def etag_prefix(self) -> str:
        """Return the round of entering the result, and the status of its stage."""
        return f"{self.table.stage.ordinal}-{self.table.stage.status}"

    def sheet(self) -> TableSheet:
        """Return the sheet, the sealed or drafted result, and the differences of earlier rounds."""
        return TableSheet(
            id=self.table.id,
            week=self.table.week,
            round=self.table.stage.ordinal,
            open=self.table.is_open,
            sheet={**self.table.sheet},
            checks=[check_with_texts(check) for check in self.table.checks],
            draft=self.envelope.version,
            result=self.envelope.payload or {},
            violations=self.violations,
            sealed=self.seal_mark,
        )

    def receipt(self, row: Submission) -> ResultReceipt:
        """Return an entry with its result, nonce and digest."""
        return self.receipts([row])[0]

    def receipts(self, rows: Sequence[Submission]) -> list[ResultReceipt]:
        """Return entries with their results, nonces and digests."""
        signer = ReceiptSigner(self.viewer.campaign)
        return [self._receipt(row, signer.receipt_of_row(row, self.table.id)) for row in rows]

    def _receipt(self, row: Submission, signed: SignedReceipt) -> ResultReceipt:
        return ResultReceipt(
            battle=self.table.id,
            round=row.stage.ordinal,
            faction=row.faction.key,
            revision=row.revision,
            source=row.source,
            result=row.payload,
            nonce=row.nonce,
            share=row.share,
            digest=row.digest,
            sealed_at=row.sealed_at,
            withdrawn_at=row.withdrawn_at,
            signed=signed.sealing,
            signed_unsealing=signed.unsealing or None,
        )


TableResource = draft_resource(
    TableEndpoint,
    reads="A battle at a table: the sheets, the faction's result, and what did not agree",
)
TableCheckResource = check_resource(TableEndpoint)
TableSealResource = seal_resource(TableEndpoint)
TableUnsealResource = unseal_resource(TableEndpoint)


class TableReceiptListResource(Resource):
    """The results sealed by or for the caller's faction."""

    @documented(
        "table_receipts",
        "All results of a battle at a table sealed by or for the faction, newest first",
        {200: ResultReceiptList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Return the results of all rounds; withdrawn ones stay on the list."""
        endpoint = TableEndpoint.of(self.viewer(campaign, play=True), battle=battle)
        rows = sealed_results_of(endpoint.table, endpoint.document.faction)
        return json_response(ResultReceiptList(endpoint.receipts(rows)))


class TableListResource(Resource):
    """The battles of the caller's faction at a table."""

    @documented(
        "tables",
        "The faction's battles at a table",
        {200: TableList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return a summary of each, with its round and whether it accepts a result now."""
        viewer = self.viewer(campaign, play=True)
        rows = tables_of(viewer.campaign, played_faction(viewer))
        return json_response(
            TableList(
                [
                    TableLine(
                        id=row.id,
                        week=row.week,
                        hex=row.sheet["hex"],
                        round=row.stage.ordinal,
                        open=row.is_open,
                    )
                    for row in rows
                ]
            )
        )
