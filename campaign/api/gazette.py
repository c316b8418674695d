"""API resource for the weekly newspaper as structured text, with only what the caller may read."""

from __future__ import annotations

import hashlib

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.requests import choice_in
from campaign.api.resource import Resource, json_response_if_changed
from campaign.api.schema import Query, documented
from campaign.web.gazette_issues import EDITIONS, editions_for, issue_for
from campaign.words.gazette.issues import GazetteIssue

EDITION = Query(
    "for",
    "An edition: own, allies (if allies share their sight) or public; by default the caller's own.",
)


class GazetteResource(Resource):
    """The newspaper of a week."""

    @documented(
        "gazette",
        "The newspaper of a week that was played",
        {200: GazetteIssue},
        query=(EDITION,),
        etag="read",
        problems=(404, 422),
        tag="knowledge",
    )
    def get(self, request: Request, campaign: str, week: int) -> HttpResponse:
        """Return stories by place, losses and flags, from the caller's own reports of that week.

        The public edition contains what all members may know.
        """
        viewer = self.viewer(campaign)
        edition = choice_in(request, "for", EDITIONS) or editions_for(viewer)[0]
        issue, key = issue_for(viewer, edition, week)
        return json_response_if_changed(
            request, issue, hashlib.sha256(repr(key).encode()).hexdigest()
        )
