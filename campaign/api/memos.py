"""API resources for a faction's memos for later weeks."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.requests import body_of
from campaign.api.resource import Resource, json_response
from campaign.api.schema import documented
from campaign.services.memos import MemoLine, memo_write, memos_of

TAG = "memos"


@dataclass(frozen=True, slots=True)
class MemoList:
    """The memos of a faction, by week."""

    memos: list[MemoLine]


@dataclass(frozen=True, slots=True)
class MemoText:
    """The text of a memo; an empty text deletes it."""

    text: str


class MemoListResource(Resource):
    """All memos."""

    @documented(
        "memos",
        "The faction's memos for later weeks",
        {200: MemoList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the memos, to those who play the faction only."""
        return json_response(MemoList(list(memos_of(self.viewer(campaign, play=True)))))


class MemoResource(Resource):
    """The memo of a week."""

    @documented(
        "memo_write",
        "Save the memo for a week, replacing any earlier one",
        {200: MemoList},
        body_type=MemoText,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    def put(self, request: Request, campaign: str, week: int) -> HttpResponse:
        """Replace the memo of a week, and return all memos.

        422 for a week outside the war, and for a text that cannot be stored.
        """
        viewer = self.viewer(campaign, play=True)
        memo_write(viewer=viewer, week=week, text=body_of(request, MemoText).text)
        return json_response(MemoList(list(memos_of(viewer))))
