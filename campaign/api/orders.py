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
    fault_list,
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
from campaign.kinds import StageKind
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage, Submission
from campaign.orders.registry import order_keys
from campaign.rules.one_navy import deployment_warnings
from campaign.selectors.due import closing_of
from campaign.selectors.receipts import ReceiptSigner
from campaign.services.orders import WeekOrders
from campaign.store.documents import scenario_of
from campaign.store.publication import public_entries, public_stage, public_stages
from campaign.web.problems import Refusal
from engine.core.errors import Violation

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
        payload = self.envelope.payload
        return OrdersSheet(
            faction=self.document.faction.key,
            stage=stage_sheet(self.viewer.campaign, self.document.stage),
            draft=self.envelope.version,
            orders=EMPTY if payload is None else payload,
            violations=self.violations,
            warnings=fault_list(self.warnings(payload)),
            sealed=self.seal_mark,
            closing=closing_of(self.document.stage).rule.value,
            ready=self.ready,
        )

    @override
    def warnings(self, payload: object) -> tuple[Violation, ...]:
        """Return the warnings of a deployment whose ships should be uniform and are not."""
        if self.document.stage.kind != StageKind.DEPLOY or not isinstance(payload, Mapping):
            return ()
        faction = self.document.faction.key
        return deployment_warnings(scenario_of(self.viewer.campaign), faction, payload)

    def receipt(self, row: Submission) -> ReceiptSheet:
        """Return an entry with its orders, nonce and digest."""
        return _receipt(self.viewer.campaign, row, self.document.stage)

    @override
    def check_stage(self, payload: object) -> None:
        """Raise Refusal for orders that only an earlier stage accepts: they come too late."""
        if not isinstance(payload, Mapping):
            return
        parts = {part for part in order_keys() if payload.get(part)}
        present_stage = self.document.stage
        if parts <= set(order_keys(present_stage.kind)):
            return
        earlier_stages = played_on_line(
            Stage.objects.filter(battle__isnull=True, ordinal__lt=present_stage.ordinal),
            present_stage.branch_id,
        )
        for stage in public_stages(self.viewer.campaign, earlier_stages.order_by("-ordinal")):
            if parts <= set(order_keys(stage.kind)):
                raise stage_closed(self.viewer.campaign, stage, present_stage)

    @override
    def closed_refusal(self, refused: StageClosed) -> Refusal:
        """Return the refusal with when the stage closed, and when its result is expected."""
        stage = Stage.objects.get(pk=self.document.stage.pk)
        return stage_closed(self.viewer.campaign, public_stage(self.viewer.campaign, stage), stage)

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
        rows = _public_entries(viewer).filter(stage__battle__isnull=True)
        if viewer.campaign.head_branch is None:
            return json_response(ReceiptList([]))
        rows = rows.select_related("stage", "author", "faction").defer("payload")
        rows = rows.order_by("-sealed_at", "-pk")
        signer = ReceiptSigner(viewer.campaign)
        return json_response(ReceiptList([_line(viewer.campaign, row, signer) for row in rows]))


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
        rows = _public_entries(viewer).filter(
            stage__ordinal=min(ordinal, 10**6),
            stage__battle__isnull=True,
            withdrawn_at__isnull=True,
        )
        row = rows.select_related("stage", "faction").first()
        if row is None:
            raise NotFound("there is no such receipt")
        return json_response(_receipt(viewer.campaign, row, row.stage))


def _public_entries(viewer: Viewer) -> Any:
    """Return the entries of the viewer's faction on the line of the war that it may see now."""
    rows = Submission.objects.filter(faction_id=played_faction(viewer).pk)
    rows = played_on_line(rows, viewer.campaign.head_branch_id or 0, "stage__ordinal")
    return public_entries(rows, timezone.now())


def _line(campaign: Campaign, row: Submission, signer: ReceiptSigner) -> ReceiptLine:
    signed = signer.receipt_of_row(row)
    return ReceiptLine(
        stage=stage_sheet(campaign, row.stage),
        revision=row.revision,
        source=row.source,
        author="" if row.author is None else row.author.get_username(),
        digest=row.digest,
        sealed_at=row.sealed_at,
        withdrawn_at=row.withdrawn_at,
        signed=signed.sealing,
        signed_unsealing=signed.unsealing or None,
    )


def _receipt(campaign: Campaign, row: Submission, stage: Stage) -> ReceiptSheet:
    return ReceiptSheet(
        stage=stage_sheet(campaign, stage),
        faction=row.faction.key,
        revision=row.revision,
        source=row.source,
        orders=row.payload,
        nonce=row.nonce,
        share=row.share,
        digest=row.digest,
        sealed_at=row.sealed_at,
        signed=ReceiptSigner(campaign).receipt_of_row(row).sealing,
    )
