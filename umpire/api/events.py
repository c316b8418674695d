"""API resource for the events that umpires write into a war."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.requests import body_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.kinds import StageKind
from campaign.selectors.clock import waiting_stage
from campaign.store.documents import scenario_of
from umpire.adjudication.umpire_events import UmpireEvent
from umpire.services.umpire_events import WrittenEvent, umpire_event_write, written_events

TAG = "umpire"


@dataclass(frozen=True, slots=True)
class WritingEvent:
    """An event to be written. Empty fields are those that its kind does not use.

    Attributes:
        kind: report, rumour, contact, reinforcements, bulletin or press.
        factions: The factions to which it is delivered.
        week: The week of the stage at whose opening it is delivered.
        at: The kind of that stage: orders, decisions or battles.
        unconfirmed: A report or rumour is marked as unconfirmed for its readers.
        power: The faction of a reported contact.
        counts: Its contacts by classification.
        name: The name of the fleet that arrives.
        ships: The number of ships that arrive by class.
        stage: The ordinal of the open stage; null for any.
    """

    kind: str
    factions: list[str]
    week: int
    at: str
    text: str = ""
    headline: str = ""
    hex: str = ""
    unconfirmed: bool = False
    power: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    name: str = ""
    ships: dict[str, int] = field(default_factory=dict)
    stage: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenEventSheet:
    """An event that was written; its fields are those of the request.

    Attributes:
        sha256: The hash of its act, which the ledger covers.
        delivered: Whether the stage for which it was written has opened.
    """

    kind: str
    factions: list[str]
    week: int
    at: str
    text: str
    headline: str
    hex: str
    unconfirmed: bool
    power: str
    counts: dict[str, int]
    name: str
    ships: dict[str, int]
    author: str
    written_at: datetime
    sha256: str
    delivered: bool


@dataclass(frozen=True, slots=True)
class WrittenEventList:
    """The events of a war, newest first."""

    events: list[WrittenEventSheet]


class UmpireEventResource(Resource):
    """The events that umpires write into a war."""

    @documented(
        "umpire_events",
        "Umpire: the events written so far, newest first",
        {200: WrittenEventList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return all events, delivered or not."""
        viewer = self.viewer(campaign, umpire=True)
        stage = waiting_stage(campaign=viewer.campaign)
        if stage is None:
            moment = (scenario_of(viewer.campaign).weeks, str(StageKind.OVER))
        else:
            moment = (stage.week, stage.kind)
        events = [_sheet(event) for event in written_events(viewer, moment)]
        return json_response(WrittenEventList(events))

    @documented(
        "umpire_event_write",
        "Umpire: write a report, rumour, contact, reinforcements, bulletin or press item",
        {201: WrittenEventSheet},
        body_type=WritingEvent,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Seal an event as an act, and return it. It cannot be changed or withdrawn.

        422 lists all faults; 409 while the stage is being resolved.
        """
        viewer = self.viewer(campaign, umpire=True)
        body = body_of(request, WritingEvent)
        event = UmpireEvent(
            kind=body.kind,
            factions=tuple(body.factions),
            week=body.week,
            stage=body.at,
            text=body.text,
            headline=body.headline,
            hex=body.hex,
            unconfirmed=body.unconfirmed,
            power=body.power,
            counts=tuple(sorted(body.counts.items())),
            name=body.name,
            ships=tuple(sorted(body.ships.items())),
        )
        act = umpire_event_write(viewer=viewer, event=event, stage=body.stage)
        written = WrittenEvent(
            event=UmpireEvent.from_facts(act.body["facts"]),
            author=act.body["actor"],
            at=act.at,
            sha256=act.sha256,
            is_delivered=False,
        )
        return json_response(_sheet(written), 201)


def _sheet(written: WrittenEvent) -> WrittenEventSheet:
    """Return a written event in the form of the API."""
    event = written.event
    return WrittenEventSheet(
        kind=event.kind,
        factions=list(event.factions),
        week=event.week,
        at=event.stage,
        text=event.text,
        headline=event.headline,
        hex=event.hex,
        unconfirmed=event.unconfirmed,
        power=event.power,
        counts=dict(event.counts),
        name=event.name,
        ships=dict(event.ships),
        author=written.author,
        written_at=written.at,
        sha256=written.sha256,
        delivered=written.is_delivered,
    )
