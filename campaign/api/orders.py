"""API resources for the orders of the present stage: save, check, seal, unseal, receipts.

Decisions are the orders of their stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from typing_extensions import override

from campaign.access import Viewer
from campaign.api.closed import stage_closed
from campaign.api.envelopes import (
    EnvelopeEndpoint,
    RouteNames,
    check_resource,
    draft_resource,
    seal_resource,
    unseal_resource,
)
from campaign.api.order_shapes import (
    DefaultSheet,
    OrderSet,
    OrdersSheet,
    ReceiptLine,
    ReceiptList,
    ReceiptSheet,
    Sealing,
)
from campaign.api.resource import Resource, json_response, played_faction, stage_now, stage_sheet
from campaign.api.schema import documented
from campaign.errors import NotFound, StageClosed
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Stage, Submission
from campaign.orders.registry import order_keys
from campaign.selectors.due import closing_of
from campaign.services.orders import WeekOrders
from campaign.store.publication import public_entries, public_stage, public_stages
from campaign.web.problems import Refusal

EMPTY: dict[str, Any] = {"schema": 1}
TAG = "orders"


class OrdersEndpoint(EnvelopeEndpoint):
    """The orders of the present stage."""

    names = RouteNames(
        draft="orders", stem="orders", tag=TAG, document_name="orders", stage_name="present stage"
    )
    sheet_type, body_type, sealing_type, receipt_type = OrdersSheet, OrderSet, Sealing, ReceiptSheet

    @classmethod
    @override
    def of(cls, viewer: Viewer, **where: Any) -> OrdersEndpoint:
        """Return the endpoint. Raises Refusal before and after the war."""
        return cls(viewer, WeekOrders(stage_now(viewer.campaign), played_faction(viewer)))

    @property
    def etag_prefix(self) -> str:
        """Return the branch and the ordinal of the stage."""
        stage = self.document.stage
        return f"{stage.branch.number}-{stage.ordinal}"

    def sheet(self) -> OrdersSheet:
        """Return what is sealed, or else the draft, or else empty orders, with their stage."""
        stage = stage_sheet(self.viewer.campaign, self.document.stage)
        envelope = self.envelope
        if envelope.payload is None:
            orders = EMPTY
        else:
            orders = envelope.payload
        closing = closing_of(self.document.stage).rule
        return OrdersSheet(
            self.document.faction.key,
            stage,
            envelope.version,
            orders,
            self.violations,
            self.seal_mark,
            closing.value,
            self.ready,
        )

    def receipt(self, row: Submission) -> ReceiptSheet:
        """Return an entry with its orders, nonce and digest."""
        return _receipt(self.viewer.campaign, row, self.document.stage)

    @override
    def check_stage(self, payload: object) -> None:
        """Raise Refusal for orders that only an earlier stage accepts: they come too late."""
        if isinstance(payload, Mapping):
            parts = {part for part in order_keys() if payload.get(part)}
        else:
            parts = set()
        here = self.document.stage
        if parts <= {*order_keys(here.kind)}:
            return
        before = Stage.objects.filter(
            branch_id=here.branch_id, battle__isnull=True, ordinal__lt=here.ordinal
        )
        for stage in public_stages(self.viewer.campaign, before.order_by("-ordinal")):
            if parts <= {*order_keys(stage.kind)}:
                raise stage_closed(self.viewer.campaign, stage, here)

    @override
    def closed_refusal(self, refused: StageClosed) -> Refusal:
        """Return the refusal with the stage's deadline, if it closed then, and its expected outcome
        time.
        """
        here = Stage.objects.get(pk=self.document.stage.pk)
        return stage_closed(self.viewer.campaign, public_stage(self.viewer.campaign, here), here)

    def receipt_url(self) -> str:
        """Return the address of the stage's receipt."""
        where = [str(self.viewer.campaign.public_id), self.document.stage.ordinal]
        return reverse("api-receipt", args=where)


OrdersResource = draft_resource(OrdersEndpoint)
CheckResource = check_resource(OrdersEndpoint)
SealResource = seal_resource(OrdersEndpoint)
UnsealResource = unseal_resource(OrdersEndpoint)


class DefaultOrdersResource(Resource):
    """The orders that apply if nothing is sealed."""

    @documented(
        "orders_default",
        "The orders that are used if the faction seals nothing",
        {200: DefaultSheet},
        problems=(404, 409),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the default orders.

        They contain the default force list, docked ships that stay docked, and standing answers to
        contacts. 409 before and after the war.
        """
        viewer = self.viewer(campaign, play=True)
        document = WeekOrders(stage_now(viewer.campaign), played_faction(viewer))
        stage = stage_sheet(viewer.campaign, document.stage)
        return json_response(DefaultSheet(document.faction.key, stage, document.default()))


class ReceiptListResource(Resource):
    """The sealed entries of the caller's faction."""

    @documented(
        "receipts",
        "All entries sealed by or for the faction in stages of the week, newest first",
        {200: ReceiptList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the entries of the weeks' stages; battles have lists of their own.

        Withdrawn entries stay on the list.
        """
        viewer = self.viewer(campaign, play=True)
        rows = _entries(played_faction(viewer)).filter(
            stage__branch_id=viewer.campaign.head_branch_id or 0, stage__battle__isnull=True
        )
        rows = rows.select_related("stage", "author").order_by("-sealed_at", "-pk").defer("payload")
        return json_response(ReceiptList([_line(viewer.campaign, row) for row in rows]))


class ReceiptResource(Resource):
    """One receipt."""

    @documented(
        "receipt",
        "The receipt of a stage, with orders and nonce",
        {200: ReceiptSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, ordinal: int) -> HttpResponse:
        """Return the valid entry of the stage with this ordinal: orders, nonce and digest.

        404 if nothing is sealed.
        """
        viewer = self.viewer(campaign, play=True)
        rows = _entries(played_faction(viewer)).filter(
            stage__branch_id=viewer.campaign.head_branch_id or 0,
            stage__ordinal=min(ordinal, 10**6),
            stage__battle__isnull=True,
            withdrawn_at__isnull=True,
        )
        row = rows.select_related("stage", "faction").first()
        if row is None:
            raise NotFound("there is no such receipt")
        return json_response(_receipt(viewer.campaign, row, row.stage))


def _entries(faction: Faction) -> Any:
    return public_entries(Submission.objects.filter(faction_id=faction.pk), timezone.now())


def _line(campaign: Campaign, row: Submission) -> ReceiptLine:
    if row.author is None:
        author = ""
    else:
        author = row.author.get_username()
    source = row.source
    return ReceiptLine(
        stage_sheet(campaign, row.stage),
        row.revision,
        source,
        author,
        row.digest,
        row.sealed_at,
        row.withdrawn_at,
    )


def _receipt(campaign: Campaign, row: Submission, stage: Stage) -> ReceiptSheet:
    return ReceiptSheet(
        stage=stage_sheet(campaign, stage),
        faction=row.faction.key,
        revision=row.revision,
        source=row.source,
        orders=row.payload,
        nonce=row.nonce,
        digest=row.digest,
        sealed_at=row.sealed_at,
    )
