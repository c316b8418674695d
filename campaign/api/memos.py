"""A faction's memos for weeks to come."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.requests import body_of
from campaign.api.resource import Resource, json_response
from campaign.api.schema import documented
from campaign.services.memos import MemoTold, memo_write, memos_of

TAG = "memos"


@dataclass(frozen=True, slots=True)
class MemoList:
    """The memos of a faction, by weeks."""

    memos: list[MemoTold]


@dataclass(frozen=True, slots=True)
class MemoText:
    """What to remember in a week; an empty text takes the memo away."""

    text: str


class MemoListResource(Resource):
    """All memos."""

    @documented(
        "memos",
        "What the caller's faction reminds itself of",
        {200: MemoList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Those who play the faction read it, and nobody else."""
        return json_response(MemoList(list(memos_of(self.viewer(campaign, play=True)))))


class MemoResource(Resource):
    """The memo of a week."""

    @documented(
        "memo_write",
        "Keep a memo for a week, instead of the one there was",
        {200: MemoList},
        body_type=MemoText,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    def put(self, request: Request, campaign: str, week: int) -> HttpResponse:
        """All memos after it.

        422 for a week that the war does not have, and for a text that cannot be kept.
        """
        viewer = self.viewer(campaign, play=True)
        memo_write(viewer=viewer, week=week, text=body_of(request, MemoText).text)
        return json_response(MemoList(list(memos_of(viewer))))
