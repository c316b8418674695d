"""Battles fought at a table: what was handed out, the result as the faction enters it, sealing and unsealing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.bodies import body_of, read_json
from campaign.api.etags import must_match
from campaign.api.now import own
from campaign.api.problems import Refusal
from campaign.api.resource import Resource, answer, answer_if_changed, idempotent
from campaign.api.schema import documented
from campaign.api.shapes import Nothing
from campaign.api.shapes_orders import SealMark, Source
from campaign.api.shapes_tables import ResultDraft, ResultReceipt, ResultSealing, TableLine, TableList, TableSheet
from campaign.errors import AlreadySealed
from campaign.models.campaign import Faction
from campaign.models.submission import Draft
from campaign.papers import Paper, draft_of, sealed_of
from campaign.services.orders import draft_save, submission_unseal
from campaign.services.tables import Table, table_of, table_seal, table_violations, tables_of
from engine.errors import RuleViolations

TAG = "tables"


@dataclass(frozen=True, slots=True)
class _Place:
    """The caller's place at a table: the battle, his draft and what he has sealed."""

    table: Table
    faction: Faction
    draft: Draft | None
    sealed: Paper | None

    @property
    def tag(self) -> str:
        """Changes with the round, with every save and with every seal: all of it the faction's own doing, or told."""
        sealed = 0 if self.sealed is None else self.sealed.receipt.revision
        return f"{self.table.stage.ordinal}-{self.table.stage.status}-{self.version}-{sealed}"

    @property
    def version(self) -> int:
        return 0 if self.draft is None else self.draft.version

    @property
    def result(self) -> dict[str, Any]:
        if self.sealed is not None:
            return self.sealed.receipt.payload
        return {} if self.draft is None else cast("dict[str, Any]", self.draft.payload)

    def sheet(self) -> TableSheet:
        return TableSheet(
            id=self.table.id,
            week=self.table.week,
            round=self.table.stage.ordinal,
            open=self.table.open,
            sheet=self.table.sheet,
            checks=list(self.table.checks),
            draft=self.version,
            result=self.result,
            sealed=None if self.sealed is None else _mark(self.sealed),
        )


class TableListResource(Resource):
    """The caller's battles at tables."""

    @documented("tables", "The faction's battles fought at a table", {200: TableList}, problems=(404,), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        rows = tables_of(viewer.campaign, own(viewer))
        return answer(
            TableList([TableLine(row.id, row.week, row.sheet["hex"], row.stage.ordinal, row.open) for row in rows])
        )


class TableResource(Resource):
    """One of them."""

    @documented(
        "table",
        "A battle at a table: the sheets, the faction's result, and what did not agree",
        {200: TableSheet},
        etag="read",
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        place = _place(self.viewer(campaign, play=True), battle)
        return answer_if_changed(request, place.sheet(), place.tag)

    @documented(
        "table_put",
        "Save the result as a draft, checked against the sheets",
        {200: TableSheet},
        takes=ResultDraft,
        etag="write",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def put(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        place = _place(viewer, battle)
        must_match(request, place.tag, needed=True)
        if place.sealed is not None:
            raise AlreadySealed("this result is sealed; unseal it first")
        payload = read_json(request)
        found = table_violations(place.table, payload)
        if found:
            raise RuleViolations(found)
        named = {**payload, "battle": place.table.id}
        draft_save(stage=place.table.stage, faction=place.faction, payload=named, version=place.version)
        place = _place(viewer, battle)
        return answer(place.sheet(), etag=place.tag)


class TableSealResource(Resource):
    """Sealing a result."""

    @documented(
        "table_seal",
        "Seal the draft, or the result in the body; when every side has sealed, the results are compared",
        {201: ResultReceipt},
        takes=ResultSealing,
        etag="may",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        place = _place(viewer, battle)
        given = body_of(request, ResultSealing)
        must_match(request, place.tag, needed=False)
        if given.result is None and place.draft is None:
            raise Refusal(409, "no-draft", "there is no draft: save a result first, or send it in the body")
        payload = given.result if given.result is not None else place.result
        table_seal(table=place.table, faction=place.faction, payload=payload, nonce=given.nonce, author=viewer.user)
        sealed = sealed_of(place.table.stage, place.faction)
        if sealed is None:
            raise Refusal(409, "stage-closed", "the results have been compared in the meantime")
        receipt = ResultReceipt(
            battle=place.table.id,
            round=place.table.stage.ordinal,
            faction=place.faction.key,
            revision=sealed.receipt.revision,
            source=cast(Source, sealed.source),
            result=sealed.receipt.payload,
            nonce=sealed.receipt.nonce,
            digest=sealed.receipt.digest,
            sealed_at=sealed.receipt.sealed_at,
        )
        return answer(receipt, 201)


class TableUnsealResource(Resource):
    """Unsealing a result."""

    @documented(
        "table_unseal",
        "Unseal the result before every side has sealed; does nothing if nothing is sealed",
        {200: TableSheet},
        takes=Nothing,
        etag="may",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        place = _place(viewer, battle)
        body_of(request, Nothing)
        must_match(request, place.tag, needed=False)
        if place.sealed is not None:
            submission_unseal(stage=place.table.stage, faction=place.faction)
            place = _place(viewer, battle)
        return answer(place.sheet(), etag=place.tag)


def _place(viewer: Viewer, battle: str) -> _Place:
    faction = own(viewer)
    table = table_of(viewer.campaign, faction, battle)
    return _Place(table, faction, draft_of(table.stage, faction), sealed_of(table.stage, faction))


def _mark(paper: Paper) -> SealMark:
    receipt = paper.receipt
    return SealMark(receipt.revision, receipt.digest, receipt.sealed_at, cast(Source, paper.source))
