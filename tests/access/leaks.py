"""Addresses that leak, each in a way a hurried change could bring: the two-world test has to find every one."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from campaign import models
from campaign.access import viewer_of


def sequential_id(request: HttpRequest, c: str) -> HttpResponse:
    """A row's own number counts the rows of others."""
    viewer = viewer_of(request.user, c)
    assert viewer.faction is not None
    return JsonResponse({"report": models.Report.objects.filter(faction=viewer.faction).order_by("pk")[0].pk})


def count(request: HttpRequest, c: str) -> HttpResponse:
    """How many fleets there are."""
    viewer = viewer_of(request.user, c)
    return JsonResponse({"pages": 1 + models.Fleet.objects.filter(branch=viewer.campaign.head_branch).count() // 3})


def order(request: HttpRequest, c: str) -> HttpResponse:
    """Own reports in the order of a key that the rows of others shuffle."""
    viewer = viewer_of(request.user, c)
    drafts = models.Submission.objects.filter(stage__branch=viewer.campaign.head_branch).order_by("pk")
    return JsonResponse({"factions": [row.faction.key for row in drafts.select_related("faction")]})


def error_text(request: HttpRequest, c: str) -> HttpResponse:
    """A refusal that says more than "not there" of what is there."""
    viewer = viewer_of(request.user, c)
    held = models.Fleet.objects.filter(branch=viewer.campaign.head_branch, hex=request.GET.get("hex", "")).exists()
    return JsonResponse({"error": "no such fleet" if held else "no such hex"}, status=404)


def etag(request: HttpRequest, c: str) -> HttpResponse:
    """The truth's hash as an ETag."""
    viewer = viewer_of(request.user, c)
    head = models.Snapshot.objects.get(heads=viewer.campaign.head_branch)
    return HttpResponse(b"the same", headers={"ETag": f'"{head.sha256}"'})


def extra_query(request: HttpRequest, c: str) -> HttpResponse:
    """The same answer, but one more query for each hidden thing: the time tells."""
    viewer = viewer_of(request.user, c)
    for row in models.Fleet.objects.filter(branch=viewer.campaign.head_branch):
        row.refresh_from_db()
    return HttpResponse(b"the same")


def status(request: HttpRequest, c: str) -> HttpResponse:
    """409 only where somebody else is in."""
    viewer = viewer_of(request.user, c)
    others = models.Submission.objects.filter(stage__branch=viewer.campaign.head_branch, withdrawn_at__isnull=True)
    return HttpResponse(status=200 + others.exclude(faction=viewer.faction).count() % 2)


LEAKS: tuple[Callable[[HttpRequest, str], HttpResponse], ...] = (
    sequential_id,
    count,
    order,
    error_text,
    etag,
    extra_query,
    status,
)
urlpatterns = [path(f"leak/<str:c>/{leak.__name__}/", leak, name=leak.__name__) for leak in LEAKS]
