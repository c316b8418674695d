"""Orders of the stage now, a whole set at a time; sealing, unsealing, receipts. Decisions are orders of their stage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.db import models
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.bodies import body_of, read_json
from campaign.api.etags import must_match
from campaign.api.now import own, stage_now, stage_sheet
from campaign.api.problems import Refusal
from campaign.api.resource import Resource, answer, answer_if_changed, idempotent
from campaign.api.schema import documented
from campaign.api.shapes import Nothing
from campaign.api.shapes_orders import (
    DefaultSheet,
    OrderSet,
    OrdersSheet,
    ReceiptLine,
    ReceiptList,
    ReceiptSheet,
    Sealing,
    SealMark,
    Source,
)
from campaign.errors import AlreadySealed, NotThere
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Stage
from campaign.models.submission import Draft, Submission
from campaign.prepared import Prepared
from campaign.publication import entries_shown
from campaign.rules.codec import orders_payload, parse_orders
from campaign.rules.orders import Orders
from campaign.rules.orders_default import default_orders
from campaign.rules.violations import order_violations
from campaign.services.orders import draft_save, submission_seal, submission_unseal
from campaign.sight import sight_at
from campaign.stored import scenario_of
from engine.errors import RuleViolations

EMPTY: dict[str, Any] = {"schema": 1}
TAG = "orders"
OF_A_STAGE = (models.BigIntegerField(), models.BigIntegerField())
DRAFTS = Prepared(lambda stage, faction: Draft.objects.filter(stage_id=stage, faction_id=faction), *OF_A_STAGE)
SEALED = Prepared(
    lambda stage, faction, now: entries_shown(
        Submission.objects.filter(stage_id=stage, faction_id=faction, withdrawn_at__isnull=True), now
    ),
    *OF_A_STAGE,
    models.DateTimeField(),
)


@dataclass(frozen=True, slots=True)
class _Desk:
    """The caller's writing desk: the stage now, his draft and what he has sealed."""

    stage: Stage
    faction: Faction
    draft: Draft | None
    sealed: Submission | None

    @property
    def tag(self) -> str:
        """Changes with the stage, with every save and with every seal: all of it the faction's own doing."""
        sealed = 0 if self.sealed is None else self.sealed.revision
        return f"{self.stage.branch.number}-{self.stage.ordinal}-{self.version}-{sealed}"

    @property
    def version(self) -> int:
        return 0 if self.draft is None else self.draft.version

    @property
    def payload(self) -> dict[str, Any]:
        if self.sealed is not None:
            return cast("dict[str, Any]", self.sealed.payload)
        return EMPTY if self.draft is None else cast("dict[str, Any]", self.draft.payload)

    def sheet(self) -> OrdersSheet:
        mark = None if self.sealed is None else _mark(self.sealed)
        return OrdersSheet(
            self.faction.key, stage_sheet(self.stage.branch.campaign, self.stage), self.version, self.payload, mark
        )


class OrdersResource(Resource):
    """The faction's orders for the present stage."""

    @documented("orders", "Orders for the present stage", {200: OrdersSheet}, etag="read", problems=(404, 409), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:
        desk = desk_of(self.viewer(campaign, play=True))
        return answer_if_changed(request, desk.sheet(), desk.tag)

    @documented(
        "orders_put",
        "Save all orders as a draft, checked against what the faction knows",
        {200: OrdersSheet},
        takes=OrderSet,
        etag="write",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def put(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        desk = desk_of(viewer)
        must_match(request, desk.tag, needed=True)
        if desk.sealed is not None:
            raise AlreadySealed("these orders are sealed; unseal them first")
        payload = read_json(request)
        _lawful(desk, payload)
        draft_save(stage=desk.stage, faction=desk.faction, payload=payload, version=desk.version)
        desk = desk_of(viewer)
        return answer(desk.sheet(), etag=desk.tag)


class DefaultOrdersResource(Resource):
    """What is done where nothing is sealed."""

    @documented(
        "orders_default",
        "The orders that are used if the faction seals nothing",
        {200: DefaultSheet},
        problems=(404, 409),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        stage, faction = stage_now(viewer.campaign), own(viewer)
        orders = default_orders(scenario_of(viewer.campaign), sight_at(stage, faction).view)
        return answer(DefaultSheet(faction.key, stage_sheet(viewer.campaign, stage), orders_payload(orders)))


class SealResource(Resource):
    """Sealing."""

    @documented(
        "orders_seal",
        "Seal the draft, or the orders in the body; sealing the same orders again returns the same receipt",
        {200: ReceiptSheet, 201: ReceiptSheet},
        takes=Sealing,
        etag="may",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        desk = desk_of(viewer)
        given = body_of(request, Sealing)
        must_match(request, desk.tag, needed=False)
        payload = given.orders
        if payload is None and desk.draft is not None:
            payload = desk.draft.payload
        if desk.sealed is not None:
            payload = desk.sealed.payload if payload is None else payload
            orders, _ = parse_orders(payload)
            same = orders is not None and orders_payload(orders) == desk.sealed.payload
            if same and given.nonce in ("", desk.sealed.nonce):
                return answer(_receipt(viewer.campaign, desk.sealed, desk.stage))
            raise AlreadySealed("other orders are sealed; unseal them first")
        if payload is None:
            raise Refusal(409, "no-draft", "there is no draft: save orders first, or send them in the body")
        submission_seal(stage=desk.stage, faction=desk.faction, payload=payload, nonce=given.nonce, author=viewer.user)
        row = _entries(desk.faction).get(stage=desk.stage, withdrawn_at__isnull=True)
        where = reverse("api-receipt", args=[campaign, desk.stage.ordinal])
        return answer(_receipt(viewer.campaign, row, desk.stage), 201, location=where)


class UnsealResource(Resource):
    """Unsealing."""

    @documented(
        "orders_unseal",
        "Unseal the orders; does nothing if nothing is sealed",
        {200: OrdersSheet},
        takes=Nothing,
        etag="may",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        desk = desk_of(viewer)
        body_of(request, Nothing)
        must_match(request, desk.tag, needed=False)
        if desk.sealed is not None:
            submission_unseal(stage=desk.stage, faction=desk.faction)
            desk = desk_of(viewer)
        return answer(desk.sheet(), etag=desk.tag)


class ReceiptListResource(Resource):
    """The sealed entries of the caller's faction."""

    @documented(
        "receipts",
        "Everything sealed by or for the faction, newest first",
        {200: ReceiptList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        rows = _entries(own(viewer)).filter(stage__branch_id=viewer.campaign.head_branch_id or 0)
        rows = rows.select_related("stage", "author").order_by("-sealed_at", "-pk").defer("payload")
        return answer(ReceiptList([_line(viewer.campaign, row) for row in rows]))


class ReceiptResource(Resource):
    """One receipt."""

    @documented(
        "receipt", "The receipt of a stage, with orders and nonce", {200: ReceiptSheet}, problems=(404,), tag=TAG
    )
    def get(self, request: Request, campaign: str, ordinal: int) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        rows = _entries(own(viewer)).filter(
            stage__branch_id=viewer.campaign.head_branch_id or 0,
            stage__ordinal=min(ordinal, 10**6),
            stage__battle__isnull=True,
            withdrawn_at__isnull=True,
        )
        row = rows.select_related("stage", "faction").first()
        if row is None:
            raise NotThere("there is no such receipt")
        return answer(_receipt(viewer.campaign, row, row.stage))


def desk_of(viewer: Viewer) -> _Desk:
    """The caller's desk. Raises Refusal where no stage waits for orders."""
    stage, faction = stage_now(viewer.campaign), own(viewer)
    sealed = SEALED.first(stage.pk, faction.pk, timezone.now())
    return _Desk(stage, faction, DRAFTS.first(stage.pk, faction.pk), sealed)


def _entries(faction: Faction) -> Any:
    return entries_shown(Submission.objects.filter(faction_id=faction.pk), timezone.now())


def _lawful(desk: _Desk, payload: Any) -> Orders:
    """Orders in order, judged by the faction's own knowledge. Raises RuleViolations with every fault."""
    orders, found = parse_orders(payload)
    if orders is None:
        raise RuleViolations(found)
    view = sight_at(desk.stage, desk.faction).view
    found = order_violations(scenario_of(desk.stage.branch.campaign), view, orders)
    if found:
        raise RuleViolations(found)
    return orders


def _mark(row: Submission) -> SealMark:
    return SealMark(row.revision, row.digest, row.sealed_at, cast(Source, row.source))


def _line(campaign: Campaign, row: Submission) -> ReceiptLine:
    author = "" if row.author is None else row.author.get_username()
    source = cast(Source, row.source)
    return ReceiptLine(
        stage_sheet(campaign, row.stage), row.revision, source, author, row.digest, row.sealed_at, row.withdrawn_at
    )


def _receipt(campaign: Campaign, row: Submission, stage: Stage) -> ReceiptSheet:
    return ReceiptSheet(
        stage=stage_sheet(campaign, stage),
        faction=row.faction.key,
        revision=row.revision,
        source=cast(Source, row.source),
        orders=row.payload,
        nonce=row.nonce,
        digest=row.digest,
        sealed_at=row.sealed_at,
    )
