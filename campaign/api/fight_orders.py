"""My orders at the stop of a battle online: read, saved, judged, sealed and taken back."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.bodies import body_of, read_json
from campaign.api.etags import must_match
from campaign.api.fights import TAG, bridge_of, receipt_sheet, stop_line
from campaign.api.problems import Refusal
from campaign.api.resource import Resource, answer, answer_if_changed, idempotent
from campaign.api.schema import documented
from campaign.api.shapes import Nothing
from campaign.api.shapes_fights import (
    StopDefault,
    StopFaults,
    StopOrders,
    StopOrdersSheet,
    StopReceipt,
    StopSealing,
)
from campaign.errors import AlreadySealed
from campaign.services.orders import submission_unseal
from campaign.services.stops import entries_at_stops, stage_asked, stop_draft, stop_seal, stop_violations
from engine.errors import RuleViolations, faults_json


class FightOrdersResource(Resource):
    """The orders of the stop now."""

    @documented(
        "fight_orders",
        "The faction's orders for the present stop",
        {200: StopOrdersSheet},
        etag="read",
        problems=(404, 409),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        bridge = bridge_of(self.viewer(campaign, play=True), fight)
        return answer_if_changed(request, bridge.orders_sheet(), bridge.tag)

    @documented(
        "fight_orders_put",
        "Save orders for the present stop as a draft, checked against what the side knows",
        {200: StopOrdersSheet},
        takes=StopOrders,
        etag="write",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def put(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        bridge = bridge_of(viewer, fight)
        must_match(request, bridge.tag, needed=True)
        stage_asked(bridge.fight)
        if bridge.fight.sealed is not None:
            raise AlreadySealed("these orders are sealed; unseal them first")
        payload = read_json(request)
        found = stop_violations(bridge.sheet(), payload)
        if found:
            raise RuleViolations(found)
        stop_draft(fight=bridge.fight, faction=bridge.faction, payload=payload, version=bridge.version)
        bridge = bridge_of(viewer, fight)
        return answer(bridge.orders_sheet(), etag=bridge.tag)


class FightDefaultResource(Resource):
    """What is done where nothing is sealed."""

    @documented(
        "fight_default",
        "The captain's orders for the present stop, used if nothing is sealed",
        {200: StopDefault},
        problems=(404, 409),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        bridge = bridge_of(self.viewer(campaign, play=True), fight)
        stage_asked(bridge.fight)
        return answer(StopDefault(bridge.fight.id, stop_line(bridge.fight.last), bridge.sheet()["advice"]))


class FightCheckResource(Resource):
    """Judging orders without keeping them."""

    @documented(
        "fight_check",
        "Check orders for the present stop without saving them",
        {200: StopFaults},
        takes=StopOrders,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    def post(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        bridge = bridge_of(self.viewer(campaign, play=True), fight)
        stage_asked(bridge.fight)
        found = stop_violations(bridge.sheet(), read_json(request))
        return answer(StopFaults(cast(Any, faults_json(found))))


class FightSealResource(Resource):
    """Sealing."""

    @documented(
        "fight_seal",
        "Seal the draft for the present stop, or the orders in the body",
        {201: StopReceipt},
        takes=StopSealing,
        etag="may",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        bridge = bridge_of(viewer, fight)
        given = body_of(request, StopSealing)
        must_match(request, bridge.tag, needed=False)
        payload = bridge.orders if given.orders is None else given.orders
        stop_seal(fight=bridge.fight, faction=bridge.faction, payload=payload, nonce=given.nonce, author=viewer.user)
        row = next(iter(entries_at_stops(bridge.fight, bridge.faction)), None)
        if row is None:
            raise Refusal(409, "stage-closed", "the stop is closed")
        return answer(receipt_sheet(row, bridge), 201)


class FightUnsealResource(Resource):
    """Unsealing."""

    @documented(
        "fight_unseal",
        "Unseal the orders for the present stop while it is open; does nothing if nothing is sealed",
        {200: StopOrdersSheet},
        takes=Nothing,
        etag="may",
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        bridge = bridge_of(viewer, fight)
        body_of(request, Nothing)
        must_match(request, bridge.tag, needed=False)
        if bridge.fight.sealed is not None:
            submission_unseal(stage=stage_asked(bridge.fight), faction=bridge.faction)
            bridge = bridge_of(viewer, fight)
        return answer(bridge.orders_sheet(), etag=bridge.tag)
