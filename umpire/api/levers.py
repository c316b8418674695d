"""API resources for what umpires keep beside a war: checklist, time line, openings, marks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.requests import body_of, number_in
from campaign.api.resource import Resource, json_response
from campaign.api.schema import Query, documented
from campaign.selectors.clock import waiting_stage
from campaign.services.umpire_access import accesses_of
from campaign.store.documents import scenario_of
from umpire.checklist import checklist_of
from umpire.services.pencil_marks import pencil_mark_write, pencil_marks_of
from umpire.services.time_line import time_line_of

TAG = "umpire"
OF_WEEK = Query("week", "A week; the present one by default.", number=True)
LATEST = 1000  # entries in one answer


@dataclass(frozen=True, slots=True)
class OpeningSheet:
    """An opening of a page or resource by an umpire.

    Attributes:
        page: The name of the address.
        subject: The faction, stage, snapshot or battle; empty: all.
    """

    name: str
    page: str
    subject: str
    at: datetime


@dataclass(frozen=True, slots=True)
class OpeningList:
    """What the umpires of a war opened, newest first; at most the last thousand."""

    opened: list[OpeningSheet]


class OpeningListResource(Resource):
    """The record of what umpires opened."""

    @documented(
        "umpire_opened",
        "Umpire: what the umpires of this war have opened, newest first",
        {200: OpeningList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the newest entries. After the war everybody reads all on the umpires' record."""
        viewer = self.viewer(campaign, umpire=True)
        rows = accesses_of(viewer.campaign)[:LATEST]
        return json_response(
            OpeningList([OpeningSheet(row.name, row.page, row.subject, row.at) for row in rows])
        )


@dataclass(frozen=True, slots=True)
class PencilMarkSheet:
    """A private mark of the caller on the true map."""

    hex: str
    text: str
    written_at: datetime


@dataclass(frozen=True, slots=True)
class PencilMarkList:
    """The caller's marks, by hex."""

    marks: list[PencilMarkSheet]


@dataclass(frozen=True, slots=True)
class WritingPencilMark:
    """A mark to save in a hex, replacing any earlier one; an empty text erases it."""

    hex: str
    text: str


class PencilMarkResource(Resource):
    """The caller's pencil marks on the true map."""

    @documented(
        "umpire_pencil_marks",
        "Umpire: your private pencil marks on the true map",
        {200: PencilMarkList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the marks. Nobody else can read them."""
        return json_response(_mark_list(self.viewer(campaign, umpire=True)))

    @documented(
        "umpire_pencil_mark_write",
        "Umpire: write a private pencil mark on the true map, or erase it",
        {200: PencilMarkList},
        body_type=WritingPencilMark,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Save a mark, and return all."""
        viewer = self.viewer(campaign, umpire=True)
        body = body_of(request, WritingPencilMark)
        pencil_mark_write(viewer=viewer, hex=body.hex, text=body.text)
        return json_response(_mark_list(viewer))


def _mark_list(viewer: Viewer) -> PencilMarkList:
    """Return a viewer's marks in the form of the API."""
    marks = []
    for mark in pencil_marks_of(viewer):
        marks.append(PencilMarkSheet(mark.hex, mark.text, mark.written_at))
    return PencilMarkList(marks)


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """Something for the umpire to look after.

    Attributes:
        kind: stage, sealed, opened, battle, trouble, message or event.
        faction: The faction concerned; empty for none.
        done: Whether nothing is left to do about it.
    """

    kind: str
    faction: str
    text: str
    done: bool


@dataclass(frozen=True, slots=True)
class ChecklistSheet:
    """The checklist of the open stage; empty before and after the war."""

    items: list[ChecklistLine]


class ChecklistResource(Resource):
    """The umpire's checklist."""

    @documented(
        "umpire_checklist",
        "Umpire: what is due, who has not sealed or opened the newest report, what waits",
        {200: ChecklistSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the checklist of the open stage."""
        items = checklist_of(self.viewer(campaign, umpire=True), timezone.now())
        return json_response(
            ChecklistSheet(
                [ChecklistLine(item.kind, item.faction, item.words, item.is_done) for item in items]
            )
        )


@dataclass(frozen=True, slots=True)
class TimeLineLine:
    """A message, a sealing or an action.

    Attributes:
        kind: message, orders or action.
        faction: Whose message or orders they are; empty for umpires and actions.
        user: Who sealed or acted, if known.
        what: `sealed`, `sealed-late` or `taken-back`, the verb of an action, or empty for a
            message.
        to: The faction that gets a message; empty for the umpire.
        text: Of a message, or the reason of an action.
        stage: The ordinal of the stage whose orders were sealed; null for other entries.
    """

    at: datetime
    kind: str
    faction: str
    user: str
    what: str
    to: str
    text: str
    stage: int | None


@dataclass(frozen=True, slots=True)
class TimeLineSheet:
    """The time line of a week, oldest first."""

    entries: list[TimeLineLine]


class TimeLineResource(Resource):
    """Messages, orders and actions of a week."""

    @documented(
        "umpire_time_line",
        "Umpire: messages, sealed orders and actions of a week on one time line",
        {200: TimeLineSheet},
        query=(OF_WEEK,),
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the entries of a week, by default the present one.

        Messages between factions are there only if the war lets its umpire read them.
        """
        viewer = self.viewer(campaign, umpire=True)
        week = number_in(request, "week")
        if week is None:
            stage = waiting_stage(campaign=viewer.campaign)
            week = scenario_of(viewer.campaign).weeks if stage is None else stage.week
        lines = []
        for entry in time_line_of(viewer, week):
            lines.append(
                TimeLineLine(
                    at=entry.at,
                    kind=entry.kind,
                    faction=entry.faction,
                    user=entry.user,
                    what=entry.what,
                    to=entry.to,
                    text=entry.text,
                    stage=entry.ordinal,
                )
            )
        return json_response(TimeLineSheet(lines))
