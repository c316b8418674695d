"""My orders at the stop of a battle online: read, saved, judged, sealed and taken back."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.envelopes import Desk, Names, check_resource, draft_resource, seal_resource, unseal_resource
from campaign.api.fights import TAG, Bridge, bridge_of, receipt_sheet, stop_line
from campaign.api.resource import Resource, answer
from campaign.api.schema import documented
from campaign.api.shapes_fights import StopDefault, StopOrders, StopOrdersSheet, StopReceipt, StopSealing
from campaign.models.submission import Submission
from campaign.services import stops


class StopDesk(Desk):
    """The orders at the stop now."""

    names = Names(draft="fight_orders", stem="fight", tag=TAG, what="orders", when="present stop")
    sheet_type, takes, sealing_type, receipt_type = StopOrdersSheet, StopOrders, StopSealing, StopReceipt

    def __init__(self, viewer: Viewer, bridge: Bridge) -> None:
        """Raises StageIsClosed where no stop asks him."""
        super().__init__(viewer, stops.StopOrders(bridge.fight, bridge.faction))
        self.bridge = bridge

    @classmethod
    def of(cls, viewer: Viewer, **where: Any) -> StopDesk:
        return cls(viewer, bridge_of(viewer, where["fight"]))

    @property
    def at(self) -> str:
        return self.bridge.at

    def sheet(self) -> StopOrdersSheet:
        fight, stage = self.bridge.fight, self.document.stage
        orders = self.envelope.payload or {}
        return StopOrdersSheet(
            battle=fight.id,
            stop=stop_line(fight.last),
            opens=stage.opens,
            closes=stage.closes,
            draft=self.envelope.version,
            orders=orders,
            violations=self.violations,
            sealed=self.mark,
        )

    def receipt(self, row: Submission) -> StopReceipt:
        return receipt_sheet(row, self.bridge)


FightOrdersResource = draft_resource(StopDesk)
FightCheckResource = check_resource(StopDesk)
FightSealResource = seal_resource(StopDesk)
FightUnsealResource = unseal_resource(StopDesk)


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
        desk = StopDesk.of(self.viewer(campaign, play=True), fight=fight)
        last = desk.bridge.fight.last
        return answer(StopDefault(last.battle, stop_line(last), desk.document.default()))
