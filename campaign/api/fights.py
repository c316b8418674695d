"""Battles fought online: where they stand, what my side sees, what came of a stop, what was sealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from django.http import HttpResponse
from rest_framework.request import Request

from campaign import handed
from campaign.access import Viewer
from campaign.api.now import own
from campaign.api.resource import Resource, answer, answer_if_changed
from campaign.api.schema import documented
from campaign.api.shapes_fights import (
    FightLine,
    FightList,
    FightSheet,
    StopKind,
    StopLine,
    StopReceipt,
    StopReceiptList,
    StopSheet,
)
from campaign.api.shapes_orders import Source
from campaign.errors import NotThere
from campaign.models.campaign import Faction
from campaign.models.submission import Submission
from campaign.services.stops import (
    Fight,
    entries_at_stops,
    fight_of,
    fights_of,
    sheet_now,
)
from campaign.sight import Stop, stop_read

TAG = "fights"


@dataclass(frozen=True, slots=True)
class Bridge:
    """The caller's place in a battle."""

    viewer: Viewer
    faction: Faction
    fight: Fight

    @property
    def at(self) -> str:
        """Where the battle stands for him."""
        return f"{self.fight.last.number}-{self.fight.state}"

    @property
    def tag(self) -> str:
        """Changes with the stop, with every save and with every seal: what he was told, and his own doing."""
        draft, sealed = self.fight.draft, self.fight.sealed
        return f"{self.at}-{draft.version if draft else 0}-{sealed.revision if sealed else 0}"

    def sheet(self) -> handed.StopSheet:
        return sheet_now(self.viewer.campaign, self.faction, self.fight)


class FightListResource(Resource):
    """The caller's battles online."""

    @documented("fights", "The faction's battles fought online", {200: FightList}, problems=(404,), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:
        viewer = self.viewer(campaign, play=True)
        return answer(FightList([_fight(fight) for fight in fights_of(viewer.campaign, own(viewer))]))


class FightResource(Resource):
    """One of them."""

    @documented(
        "fight",
        "The present state of an online battle: the stop, what the side sees, what happened since the previous stop",
        {200: FightSheet},
        etag="read",
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        bridge = bridge_of(self.viewer(campaign, play=True), fight)
        sheet, line = bridge.sheet(), _fight(bridge.fight)
        whole = FightSheet(
            id=line.id,
            week=line.week,
            hex=line.hex,
            side=line.side,
            sides=sheet["sides"],
            table=sheet["table"],
            state=line.state,
            stop=line.stop,
            opens=line.opens,
            closes=line.closes,
            mine=sheet["mine"],
            view=sheet["view"],
            log=sheet["log"],
            known=sheet.get("known"),
            winner=sheet["winner"],
            chain=sheet["chain"],
            stops=[stop_line(stop) for stop in bridge.fight.stops],
        )
        return answer_if_changed(request, whole, bridge.tag)


class FightStopResource(Resource):
    """A resolved stop."""

    @documented(
        "fight_stop",
        "A resolved stop of an online battle: the side's view before and after it, and the log as the side saw it",
        {200: StopSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str, number: int) -> HttpResponse:
        bridge = bridge_of(self.viewer(campaign, play=True), fight)
        stops = bridge.fight.stops
        if not 0 <= number < len(stops) - 1:
            raise NotThere("there is no such stop")
        before, after = (
            stop_read(bridge.viewer.campaign, bridge.faction, bridge.fight.id, stop.number)
            for stop in stops[number : number + 2]
        )
        line = stop_line(stops[number])
        return answer(StopSheet(bridge.fight.id, line, before["view"], after["log"], after["view"], after["chain"]))


class FightReceiptListResource(Resource):
    """What was sealed in a battle by or for the caller's faction."""

    @documented(
        "fight_receipts",
        "Everything sealed in a battle by or for the faction, newest first, with orders and nonces",
        {200: StopReceiptList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        bridge = bridge_of(self.viewer(campaign, play=True), fight)
        rows = entries_at_stops(bridge.fight, bridge.faction)
        return answer(StopReceiptList([receipt_sheet(row, bridge) for row in rows]))


def bridge_of(viewer: Viewer, battle: str) -> Bridge:
    """The caller's place in a battle of his faction. Raises NotThere."""
    faction = own(viewer)
    return Bridge(viewer, faction, fight_of(viewer.campaign, faction, battle))


def stop_line(stop: Stop) -> StopLine:
    """A stop as the API shows it."""
    return StopLine(stop.number, stop.turn, cast(StopKind, stop.kind), stop.asked)


def _fight(fight: Fight) -> FightLine:
    last, stage = fight.last, fight.stage
    asked = stage is not None and fight.state != "over"
    return FightLine(
        id=fight.id,
        week=last.week,
        hex=last.hex,
        side=last.side,
        state=fight.state,
        stop=stop_line(last),
        opens=stage.opens if stage is not None and asked else None,
        closes=stage.closes if stage is not None and asked else None,
    )


def receipt_sheet(row: Submission, bridge: Bridge) -> StopReceipt:
    """A sealed entry of a stop as the API shows it."""
    return StopReceipt(
        battle=bridge.fight.id,
        stop=row.stage.ordinal,
        kind=row.stage.kind,
        faction=bridge.faction.key,
        revision=row.revision,
        source=cast(Source, row.source),
        orders=row.payload,
        nonce=row.nonce,
        digest=row.digest,
        sealed_at=row.sealed_at,
        withdrawn_at=row.withdrawn_at,
    )
