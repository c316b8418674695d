"""Battles fought at a table: what was handed out, the result as the faction enters it, sealing and
unsealing it.
"""

from __future__ import annotations

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
from campaign.services.tables import TableBattle, TableResult, results_sealed, table_of, tables_of
from campaign.web.problems import Fault
from campaign.words.reasons_in_english import check_with_texts

TAG = "tables"


@dataclass(frozen=True, slots=True)
class ShipEnd:
    """How a ship ended.

    `status`: fighting, left, ftl, destroyed, captured or struck (`captor`, a side, has it then),
    scanned (a drone).

    `lost`: its lost systems, `drive` once for half thrust, twice for none. `stock`: what is left,
    by system; absent: as it came. `how`: ftl or asteroid, where it was destroyed with boxes left.
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
    """`nonce`: 16 bytes in hexadecimal made by the client.

    `result`: this instead of the draft (see ResultDraft).
    """

    nonce: str = ""
    result: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TableLine:
    """A battle at a table.

    `round`: how often the results did not fit; `open`: it takes a result.
    """

    id: str
    week: int
    hex: str
    round: int
    open: bool


@dataclass(frozen=True, slots=True)
class TableList:
    """Battles at a table, the earliest first."""

    tables: list[TableLine]


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A battle at a table.

    `sheet`: my ships whole and the others as contacts; `checks`: what did not fit, by round.

    `result`: what is sealed, else the draft; `draft`: its version; `violations`: what keeps that
    from being sealed.
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
    source: SourceText
    result: dict[str, Any]
    nonce: str
    digest: str
    sealed_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class ResultReceiptList:
    """Every sealed result of a battle, newest first."""

    receipts: list[ResultReceipt]


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The umpire's result stands. `round`: in which the players stood."""

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
        """The desk of the battle `where["battle"]`. Raises NotThere."""
        return cls(viewer, table_of(viewer.campaign, played_faction(viewer), where["battle"]))

    @property
    def etag_prefix(self) -> str:
        """The round of entering the result, and how its stage stands."""
        return f"{self.table.stage.ordinal}-{self.table.stage.status}"

    def sheet(self) -> TableSheet:
        """What was handed out, the result that is sealed or drafted, and what did not fit in
        earlier rounds.
        """
        return TableSheet(
            id=self.table.id,
            week=self.table.week,
            round=self.table.stage.ordinal,
            open=self.table.open,
            sheet={**self.table.sheet},
            checks=[check_with_texts(check) for check in self.table.checks],
            draft=self.envelope.version,
            result=self.envelope.payload or {},
            violations=self.violations,
            sealed=self.seal_mark,
        )

    def receipt(self, row: Submission) -> ResultReceipt:
        """An entry with its result, nonce and digest."""
        return ResultReceipt(
            battle=self.table.id,
            round=row.stage.ordinal,
            faction=row.faction.key,
            revision=row.revision,
            source=row.source,
            result=row.payload,
            nonce=row.nonce,
            digest=row.digest,
            sealed_at=row.sealed_at,
            withdrawn_at=row.withdrawn_at,
        )


TableResource = draft_resource(
    TableEndpoint,
    reads="A battle at a table: the sheets, the faction's result, and what did not agree",
)
TableCheckResource = check_resource(TableEndpoint)
TableSealResource = seal_resource(TableEndpoint)
TableUnsealResource = unseal_resource(TableEndpoint)


class TableReceiptListResource(Resource):
    """What was sealed of a battle at a table by or for the caller's faction."""

    @documented(
        "table_receipts",
        "Every result of a battle at a table sealed by or for the faction, newest first, with nonces",
        {200: ResultReceiptList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """The results of all rounds; withdrawn ones stay on the list."""
        endpoint = TableEndpoint.of(self.viewer(campaign, play=True), battle=battle)
        rows = results_sealed(endpoint.table, endpoint.document.faction)
        return json_response(ResultReceiptList([endpoint.receipt(row) for row in rows]))


class TableListResource(Resource):
    """The caller's battles at tables."""

    @documented(
        "tables",
        "The faction's battles fought at a table",
        {200: TableList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """One line for each, with its round and whether it takes a result now."""
        viewer = self.viewer(campaign, play=True)
        rows = tables_of(viewer.campaign, played_faction(viewer))
        return json_response(
            TableList(
                [
                    TableLine(row.id, row.week, row.sheet["hex"], row.stage.ordinal, row.open)
                    for row in rows
                ]
            )
        )
