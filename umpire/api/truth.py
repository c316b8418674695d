"""API resources for the truth: the world, sealed entries, battles, and what each faction knows."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.knowledge import ViewSheet, sight_for_query
from campaign.api.requests import number_in
from campaign.api.resource import Resource, json_response, stage_sheet
from campaign.api.schema import STAGE_QUERY, Query, documented
from campaign.errors import NotFound
from campaign.kinds import BattleStatus, Source
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Faction
from campaign.selectors.clock import Seat, acts_of, seats_by_stage
from campaign.selectors.truth import (
    battle_of,
    battles_of,
    entries_of,
    phases_of,
    snapshot_at,
    stage_at,
    stages_of,
    upgraded_phases,
    world_of,
)
from campaign.words.reasons_in_english import inputs_with_texts, view_with_texts, week_with_texts
from engine.view.worded_log import worded_log
from umpire.api.shapes import (
    ActLine,
    ActList,
    EntryList,
    SealedEntry,
    SeatAtStage,
    UmpireBattle,
    UmpireBattleList,
    UmpireBattleSheet,
    UmpirePhase,
    UmpireStage,
    UmpireStageList,
    WorldSheet,
)

TAG = "umpire"
SEQ = Query("seq", "An earlier snapshot; the newest by default.", number=True)
ORDINAL = Query("stage", "The ordinal of a stage; the newest by default.", number=True)
OF_WEEK = Query("week", "Only battles of this week.", number=True)


class WorldResource(Resource):
    """The true world."""

    @documented(
        "umpire_world",
        "The true state",
        {200: WorldSheet},
        query=(SEQ,),
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the whole world at a snapshot, and the events that led to it."""
        row = snapshot_at(
            branch=branch_of(self.viewer(campaign, umpire=True)), seq=number_in(request, "seq")
        )
        return json_response(
            WorldSheet(
                seq=row.seq,
                week=row.week,
                stage=row.stage,
                sha256=row.sha256,
                world=world_of(row),
                week_events=week_with_texts(row.events),
            )
        )


class UmpireStageListResource(Resource):
    """Stages and which factions have sealed them."""

    @documented(
        "umpire_stages",
        "All stages, and which factions have sealed",
        {200: UmpireStageList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the stages of the weeks, each with players, seals and awaited factions."""
        viewer = self.viewer(campaign, umpire=True)
        rows = list(stages_of(branch=branch_of(viewer)))
        seats = seats_by_stage(campaign=viewer.campaign, stages=rows, umpire=True)
        stages = []
        for row, row_seats in zip(rows, seats, strict=True):
            sheet = stage_sheet(viewer.campaign, row)
            stages.append(UmpireStage(sheet, [_seat(seat) for seat in row_seats]))
        return json_response(UmpireStageList(stages))


class EntryListResource(Resource):
    """Sealed entries."""

    @documented(
        "umpire_submissions",
        "The sealed entries of a stage with their orders",
        {200: EntryList},
        query=(ORDINAL,),
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return all entries of the stage with orders and nonce, including withdrawn ones."""
        viewer = self.viewer(campaign, umpire=True)
        branch = branch_of(viewer)
        ordinal = number_in(request, "stage")
        if ordinal is None:
            stage = stages_of(branch=branch).last()
        else:
            stage = stage_at(branch=branch, ordinal=ordinal)
        if stage is None:
            raise NotFound("there is no such stage")
        return json_response(
            EntryList(
                stage_sheet(viewer.campaign, stage),
                [_entry(row) for row in entries_of(stage=stage)],
            )
        )


class UmpireBattleListResource(Resource):
    """Battles."""

    @documented(
        "umpire_battles",
        "All battles with their results",
        {200: UmpireBattleList},
        query=(OF_WEEK,),
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return a summary of the battles, with their results."""
        viewer = self.viewer(campaign, umpire=True)
        rows = battles_of(branch=branch_of(viewer), week=number_in(request, "week"))
        return json_response(UmpireBattleList([battle_line(row) for row in rows]))


class UmpireBattleResource(Resource):
    """One battle."""

    @documented(
        "umpire_battle", "A battle in full", {200: UmpireBattleSheet}, problems=(404,), tag=TAG
    )
    def get(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Return the set-up of the battle, and all phases with orders and events."""
        branch = branch_of(self.viewer(campaign, umpire=True))
        row = battle_of(branch=branch, public_id=uuid_of(battle))
        phases = []
        for phase in upgraded_phases(phases_of(battle=row)):
            phases.append(
                UmpirePhase(
                    phase.seq,
                    inputs_with_texts(_known_inputs(row, phase.inputs)),
                    worded_log(phase.events),
                    phase.chain,
                )
            )
        line = battle_line(row)
        sheet = UmpireBattleSheet(
            id=line.id,
            week=line.week,
            key=line.key,
            mode=line.mode,
            status=line.status,
            start=row.start,
            result=line.result,
            phases=phases,
        )
        return json_response(sheet)


class FactionViewResource(Resource):
    """What a faction knows."""

    @documented(
        "umpire_faction_view",
        "What a faction knows or knew",
        {200: ViewSheet},
        query=STAGE_QUERY,
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, faction: str) -> HttpResponse:
        """Return the faction's view as its players see it, now or at the queried week and stage."""
        viewer = self.viewer(campaign, umpire=True)
        row = Faction.objects.filter(campaign_id=viewer.campaign.pk, key=faction).first()
        if row is None:
            raise NotFound("there is no such faction")
        sight = sight_for_query(request, viewer.campaign, row)
        return json_response(ViewSheet(sight.seq, view_with_texts(sight.view)))


class ActListResource(Resource):
    """Acts of hosts and umpires."""

    @documented(
        "umpire_acts",
        "Actions of hosts and umpires, newest first",
        {200: ActList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return each act with its actor, time, and the part that the ledger covers."""
        viewer = self.viewer(campaign, umpire=True)
        rows = acts_of(campaign=viewer.campaign, umpire=True)
        return json_response(
            ActList([ActLine(row.verb, str(row.body["actor"]), row.at, row.body) for row in rows])
        )


def branch_of(viewer: Viewer) -> Branch:
    """Return the head branch. Raises NotFound."""
    if viewer.campaign.head_branch is None:
        raise NotFound("there is no such campaign")
    return viewer.campaign.head_branch


def uuid_of(text: str) -> uuid.UUID:
    """Return the id of a battle from the text in an address. Raises NotFound."""
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise NotFound("there is no such battle") from error


def _seat(seat: Seat) -> SeatAtStage:
    """Return a faction at a stage in the form of the API."""
    return SeatAtStage(
        faction=seat.key,
        players=seat.people,
        admiral=seat.admiral or None,
        sealed_at=seat.sealed_at,
        late=seat.is_late,
        excused=seat.excused,
        awaited=seat.awaited,
    )


def _known_inputs(battle: Battle, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a phase as an umpire may know them.

    Until the battle ends, what a captain sealed for a player looks like the player's own orders.
    """
    if battle.status == BattleStatus.FOUGHT or "entries" not in inputs:
        return {**inputs}
    entries = []
    for entry in inputs["entries"]:
        is_captain = entry["source"] == Source.CAPTAIN
        entries.append({**entry, "source": str(Source.PLAYER)} if is_captain else entry)
    return {**inputs, "entries": entries}


def _entry(row: Any) -> SealedEntry:
    """Return a sealed entry in the form of the API."""
    return SealedEntry(
        faction=row.faction.key,
        revision=row.revision,
        source=row.source,
        author="" if row.author is None else row.author.get_username(),
        orders=row.payload,
        nonce=row.nonce,
        digest=row.digest,
        sealed_at=row.sealed_at,
        late=bool(row.is_late),
        withdrawn_at=row.withdrawn_at,
    )


def battle_line(row: Battle) -> UmpireBattle:
    """Return a battle in the form of the umpire's lists."""
    return UmpireBattle(
        id=str(row.public_id),
        week=row.week,
        key=row.key,
        mode=row.mode,
        status=row.status,
        result=row.result,
    )
