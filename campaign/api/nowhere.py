"""Addresses under /api/ that are none: the same answer as for what is hidden."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from campaign.api.resource import Resource
from campaign.errors import NotThere


@extend_schema(exclude=True)
class NowhereResource(Resource):
    """Nothing is here, whatever is asked of it."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        raise NotThere("there is no such address")

    post = put = delete = get
