"""API resources for online battles: their state, what a side sees, orders in a phase, results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpResponse
from rest_framework.request import Request
from typing_extensions import override

from campaign.access import Viewer
from campaign.api.closed import phase_closed
from campaign.api.envelopes import (
    EnvelopeEndpoint,
    RouteNames,
    check_resource,
    draft_resource,
    seal_resource,
    unseal_resource,
)
from campaign.api.fight_shapes import (
    FightCaptain,
    FightLine,
    FightList,
    FightSheet,
    PhaseDefault,
    PhaseLine,
    PhaseOrders,
    PhaseOrdersSheet,
    PhaseReceipt,
    PhaseReceiptList,
    PhaseSealing,
    PhaseSheet,
)
from campaign.api.requests import body_of, choice_in
from campaign.api.resource import Resource, json_response, json_response_if_changed, played_faction
from campaign.api.schema import Query, documented
from campaign.errors import NotFound, StageClosed
from campaign.kinds import FactionBattleState
from campaign.models.campaign import Faction
from campaign.models.stage import Submission
from campaign.selectors.receipts import ReceiptSigner
from campaign.services import phases
from campaign.services.phases import (
    Fight,
    entries_at_phases,
    fight_of,
    fights_of,
    newest_sheet,
    set_up_in_formation,
)
from campaign.sight.reports import PhaseSummary, read_phase
from campaign.store import battle_documents
from campaign.web.problems import Refusal
from engine.captains.common.doctrine import FORMATIONS
from engine.core.state import SET_UP
from engine.sequences import entries_at
from engine.view.worded_log import worded_log

TAG = "fights"
FORMATION = Query(
    "formation", "During the set-up: the formation of the proposal.", choices=FORMATIONS
)


@dataclass(frozen=True, slots=True)
class OwnFight:
    """A battle of the caller's faction."""

    viewer: Viewer
    faction: Faction
    fight: Fight

    @property
    def etag_prefix(self) -> str:
        """Return the state of the battle for the faction."""
        return f"{self.fight.last.number}-{self.fight.state}"

    @property
    def tag(self) -> str:
        """Return the ETag.

        It changes with the phase, with each save and with each seal: all known to the faction.
        """
        draft = self.fight.draft
        sealed = self.fight.sealed
        return (
            f"{self.etag_prefix}-{draft.version if draft else 0}-{sealed.revision if sealed else 0}"
        )

    def sheet(self) -> battle_documents.PhaseSheet:
        """Return the battle as the caller's side sees it now."""
        return newest_sheet(self.viewer.campaign, self.faction, self.fight)

    def sheet_at(self, phase: PhaseSummary) -> battle_documents.PhaseSheet:
        """Return the battle as the caller's side saw it at a phase."""
        return read_phase(self.viewer.campaign, self.faction, self.fight.id, phase.number)


class FightListResource(Resource):
    """The online battles of the caller's faction."""

    @documented(
        "fights", "The faction's online battles", {200: FightList}, problems=(404,), tag=TAG
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return present and past battles, each with its newest phase and state."""
        viewer = self.viewer(campaign, play=True)
        return json_response(
            FightList(
                [_fight(fight) for fight in fights_of(viewer.campaign, played_faction(viewer))]
            )
        )


class FightResource(Resource):
    """One online battle."""

    @documented(
        "fight",
        "The present state of an online battle: the phase, what the side sees, and the latest log",
        {200: FightSheet},
        etag="read",
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        """Return what the side sees, the ships it orders, the latest log, and all phases."""
        own_fight = own_fight_of(self.viewer(campaign, play=True), fight)
        sheet = own_fight.sheet()
        line = _fight(own_fight.fight)
        body = FightSheet(
            id=line.id,
            week=line.week,
            hex=line.hex,
            side=line.side,
            sides=sheet["sides"],
            table=sheet["table"],
            state=line.state,
            phase=line.phase,
            opens=line.opens,
            closes=line.closes,
            captain_finishes=line.captain_finishes,
            mine=sheet["mine"],
            view=cast(battle_documents.Document, sheet["view"]),
            zones=sheet["view"]["set_up"]["zones"] if "set_up" in sheet["view"] else {},
            log=worded_log(sheet["log"]),
            battle_document=cast("battle_documents.Document | None", sheet.get("battle_document")),
            winner=sheet["winner"],
            chain=sheet["chain"],
            phases=[phase_line(phase) for phase in own_fight.fight.phases],
        )
        return json_response_if_changed(request, body, own_fight.tag)


class FightCaptainResource(Resource):
    """Whether the captain finishes an online battle."""

    @documented(
        "fight_captain",
        "Leave all further phases of a battle to the captain, or take over again",
        {200: FightLine},
        body_type=FightCaptain,
        problems=(404, 409),
        writes=True,
        tag=TAG,
    )
    def post(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        """Seal the captain's orders now and in each further phase, until the player takes over.

        The caller can change this in every phase that asks the faction; otherwise 409. Taking over
        unseals what is sealed in the present phase.
        """
        viewer = self.viewer(campaign, play=True)
        endpoint = PhaseEndpoint.of(viewer, fight=fight)
        body = body_of(request, FightCaptain)
        with endpoint.while_open():
            phases.captain_set(
                document=endpoint.document, finishes=body.finishes, author=viewer.user
            )
        return json_response(_fight(own_fight_of(viewer, fight).fight))


class FightPhaseResource(Resource):
    """A resolved phase."""

    @documented(
        "fight_phase",
        "A resolved phase of an online battle: the side's view before and after it, and its log",
        {200: PhaseSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str, number: int) -> HttpResponse:
        """Return a phase by its number, counted from 0.

        The newest phase is not resolved yet: it is 404, like one that does not exist.
        """
        own_fight = own_fight_of(self.viewer(campaign, play=True), fight)
        phases = own_fight.fight.phases
        if not 0 <= number < len(phases) - 1:
            raise NotFound("there is no such phase")
        # What happened in a phase is stored with the next one
        before = own_fight.sheet_at(phases[number])
        after = own_fight.sheet_at(phases[number + 1])
        return json_response(
            PhaseSheet(
                battle=own_fight.fight.id,
                phase=phase_line(phases[number]),
                before=cast(battle_documents.Document, before["view"]),
                log=worded_log(after["log"]),
                after=cast(battle_documents.Document, after["view"]),
                chain=after["chain"],
            )
        )


class FightReceiptListResource(Resource):
    """The entries sealed in a battle by or for the caller's faction."""

    @documented(
        "fight_receipts",
        "All orders sealed in a battle by or for the faction, newest first, with nonces",
        {200: PhaseReceiptList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        """Return all sealed entries, including withdrawn ones with the time of withdrawal."""
        viewer = self.viewer(campaign, play=True)
        own_fight = own_fight_of(viewer, fight)
        rows = entries_at_phases(own_fight.fight, own_fight.faction)
        signer = ReceiptSigner(viewer.campaign)
        receipts = [receipt_sheet(row, own_fight, signer) for row in rows]
        return json_response(PhaseReceiptList(receipts))


def own_fight_of(viewer: Viewer, battle: str) -> OwnFight:
    """Return a battle of the caller's faction. Raises NotFound."""
    faction = played_faction(viewer)
    return OwnFight(viewer, faction, fight_of(viewer.campaign, faction, battle))


def phase_line(phase: PhaseSummary) -> PhaseLine:
    """Return a phase in the form of the API."""
    return PhaseLine(phase.number, phase.turn, phase.kind, phase.is_asked)


def _fight(fight: Fight) -> FightLine:
    last = fight.last
    stage = fight.stage
    is_open = stage is not None and fight.state != FactionBattleState.OVER
    return FightLine(
        id=fight.id,
        week=last.week,
        hex=last.hex,
        side=last.side,
        state=fight.state,
        phase=phase_line(last),
        opens=stage.opens if stage is not None and is_open else None,
        closes=stage.closes if stage is not None and is_open else None,
        captain_finishes=fight.is_left_to_captain,
    )


def receipt_sheet(row: Submission, own_fight: OwnFight, signer: ReceiptSigner) -> PhaseReceipt:
    """Return a sealed entry of a phase in the form of the API."""
    signed = signer.receipt_of_row(row, own_fight.fight.id)
    return PhaseReceipt(
        battle=own_fight.fight.id,
        phase=row.stage.ordinal,
        kind=row.stage.kind,
        faction=own_fight.faction.key,
        revision=row.revision,
        source=row.source,
        orders=row.payload,
        nonce=row.nonce,
        share=row.share,
        digest=row.digest,
        sealed_at=row.sealed_at,
        withdrawn_at=row.withdrawn_at,
        signed=signed.sealing,
        signed_unsealing=signed.unsealing or None,
    )


class PhaseEndpoint(EnvelopeEndpoint):
    """The orders in the present phase."""

    names = RouteNames(
        draft="fight_orders",
        stem="fight",
        tag=TAG,
        document_name="orders",
        stage_name="present phase",
    )
    sheet_type, body_type, sealing_type, receipt_type = (
        PhaseOrdersSheet,
        PhaseOrders,
        PhaseSealing,
        PhaseReceipt,
    )

    document: phases.PhaseOrders

    def __init__(self, viewer: Viewer, own_fight: OwnFight) -> None:
        """Load the envelope. Raises StageClosed if no phase asks the faction."""
        super().__init__(viewer, phases.PhaseOrders(own_fight.fight, own_fight.faction))
        self.own_fight = own_fight

    @classmethod
    def of(cls, viewer: Viewer, **where: Any) -> PhaseEndpoint:
        """Return the endpoint of the battle `where["fight"]`.

        Raises:
            NotFound: The faction has no such battle.
            Refusal: No phase asks the faction.
        """
        own_fight = own_fight_of(viewer, where["fight"])
        try:
            return cls(viewer, own_fight)
        except StageClosed as refused:
            asked_phases = [phase for phase in own_fight.fight.phases if phase.is_asked]
            raise (
                phase_closed(own_fight.fight, asked_phases[-1]) if asked_phases else refused
            ) from refused

    @property
    def etag_prefix(self) -> str:
        """Return the number of the newest phase and the state of the battle for the faction."""
        return self.own_fight.etag_prefix

    def sheet(self) -> PhaseOrdersSheet:
        """Return the sealed orders, or else the draft, with their phase.

        The first draft is the captain's advice.
        """
        fight = self.own_fight.fight
        stage = self.document.stage
        return PhaseOrdersSheet(
            battle=fight.id,
            phase=phase_line(fight.last),
            opens=stage.opens,
            closes=stage.closes,
            draft=self.envelope.version,
            orders=self.envelope.payload or {},
            violations=self.violations,
            sealed=self.seal_mark,
        )

    def receipt(self, row: Submission) -> PhaseReceipt:
        """Return an entry with its orders, nonce and digest."""
        return receipt_sheet(row, self.own_fight, ReceiptSigner(self.viewer.campaign))

    @override
    def check_stage(self, payload: object) -> None:
        """Raise Refusal for orders that are meant for an earlier phase and come too late.

        They name that phase, or have parts that only an earlier phase accepts.
        """
        fight = self.own_fight.fight
        if not isinstance(payload, Mapping) or payload.get("battle", fight.id) not in (
            "",
            fight.id,
        ):
            return
        newest = fight.last
        number = payload.get("stop", newest.number)
        parts = {part for part in payload if part not in phases.ENVELOPE and payload[part]}
        names_newest = number == newest.number
        if names_newest and _accepts(newest, parts):
            return
        for phase in reversed(fight.phases[:-1]):
            is_meant = _accepts(phase, parts) if names_newest else number == phase.number
            if phase.is_asked and is_meant:
                raise phase_closed(fight, phase)

    @override
    def closed_refusal(self, refused: StageClosed) -> Refusal:
        """Return the refusal with the phase that closed meanwhile and the battle's state."""
        fight = self.own_fight.fight
        now = phases.fight_of(self.viewer.campaign, self.own_fight.faction, fight.id)
        return phase_closed(now, fight.last)


def _accepts(phase: PhaseSummary, parts: set[str]) -> bool:
    """Return whether a phase accepts all these parts of orders."""
    return parts <= set(entries_at(phase.kind))


FightOrdersResource = draft_resource(PhaseEndpoint)
FightCheckResource = check_resource(PhaseEndpoint)
FightSealResource = seal_resource(PhaseEndpoint)
FightUnsealResource = unseal_resource(PhaseEndpoint)


class FightDefaultResource(Resource):
    """The orders that apply if nothing is sealed."""

    @documented(
        "fight_default",
        "The captain's orders for the present phase, used if nothing is sealed",
        {200: PhaseDefault},
        query=(FORMATION,),
        problems=(404, 409, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, fight: str) -> HttpResponse:
        """Return the captain's orders, based on what the faction's side sees.

        409 if no phase asks the faction. During the set-up `formation` gives another proposal.
        """
        endpoint = PhaseEndpoint.of(self.viewer(campaign, play=True), fight=fight)
        last = endpoint.own_fight.fight.last
        formation = choice_in(request, "formation", FORMATIONS)
        orders = endpoint.document.default()
        if formation is not None and last.kind == SET_UP:
            orders = set_up_in_formation(endpoint.own_fight.sheet(), formation)
        return json_response(PhaseDefault(last.battle, phase_line(last), orders))
