"""Battles fought at a table: what was handed out, the result as the faction enters it, sealing and unsealing it."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.envelopes import Desk, Names, check_resource, draft_resource, seal_resource, unseal_resource
from campaign.api.now import own
from campaign.api.resource import Resource, answer
from campaign.api.schema import documented
from campaign.api.shapes_orders import Source
from campaign.api.shapes_tables import (
    ResultDraft,
    ResultReceipt,
    ResultReceiptList,
    ResultSealing,
    TableLine,
    TableList,
    TableSheet,
)
from campaign.models.submission import Submission
from campaign.services.tables import Table, TableResult, results_sealed, table_of, tables_of

TAG = "tables"


class TableDesk(Desk):
    """The result of a battle at a table."""

    names = Names(draft="table", stem="table", tag=TAG, what="result", when="battle")
    sheet_type, takes, sealing_type, receipt_type = TableSheet, ResultDraft, ResultSealing, ResultReceipt

    def __init__(self, viewer: Viewer, table: Table) -> None:
        super().__init__(viewer, TableResult(table, own(viewer)))
        self.table = table

    @classmethod
    def of(cls, viewer: Viewer, **where: Any) -> TableDesk:
        return cls(viewer, table_of(viewer.campaign, own(viewer), where["battle"]))

    @property
    def at(self) -> str:
        return f"{self.table.stage.ordinal}-{self.table.stage.status}"

    def sheet(self) -> TableSheet:
        return TableSheet(
            id=self.table.id,
            week=self.table.week,
            round=self.table.stage.ordinal,
            open=self.table.open,
            sheet={**self.table.sheet},
            checks=[{**check} for check in self.table.checks],
            draft=self.envelope.version,
            result=self.envelope.payload or {},
            violations=self.violations,
            sealed=self.mark,
        )

    def receipt(self, row: Submission) -> ResultReceipt:
        return ResultReceipt(
            battle=self.table.id,
            round=row.stage.ordinal,
            faction=row.faction.key,
            revision=row.revision,
            source=cast(Source, row.source),
            result=row.payload,
            nonce=row.nonce,
            digest=row.digest,
            sealed_at=row.sealed_at,
            withdrawn_at=row.withdrawn_at,
        )


TableResource = draft_resource(
    TableDesk, reads="A battle at a table: the sheets, the faction's result, and what did not agree"
)
TableCheckResource = check_resource(TableDesk)
TableSealResource = seal_resource(TableDesk)
TableUnsealResource = unseal_resource(TableDesk)


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
        desk = TableDesk.of(self.viewer(campaign, play=True), battle=battle)
        rows = results_sealed(desk.table, desk.document.faction)
        return answer(ResultReceiptList([desk.receipt(row) for row in rows]))


class TableListResource(Resource):
    """The caller's battles at tables."""

    @documented("tables", "The faction's battles fought at a table", {200: TableList}, problems=(404,), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        rows = tables_of(viewer.campaign, own(viewer))
        return answer(
            TableList([TableLine(row.id, row.week, row.sheet["hex"], row.stage.ordinal, row.open) for row in rows])
        )
