"""Addresses with a leak each, as a hurried change could add them; the two-world test must find all."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from campaign import models
from campaign.access import viewer_of


def sequential_id(request: HttpRequest, c: str) -> HttpResponse:
    """Show a row's own number, which counts the rows of others."""
    viewer = viewer_of(request.user, c)
    assert viewer.faction is not None
    return JsonResponse(
        {"report": models.Report.objects.filter(faction=viewer.faction).order_by("pk")[0].pk}
    )


def count(request: HttpRequest, c: str) -> HttpResponse:
    """Show how many fleets there are."""
    viewer = viewer_of(request.user, c)
    return JsonResponse(
        {"pages": 1 + models.Fleet.objects.filter(branch=viewer.campaign.head_branch).count() // 3}
    )


def order(request: HttpRequest, c: str) -> HttpResponse:
    """Sort own reports by a key that depends on the rows of others."""
    viewer = viewer_of(request.user, c)
    drafts = models.Submission.objects.filter(stage__branch=viewer.campaign.head_branch).order_by(
        "pk"
    )
    return JsonResponse({"factions": [row.faction.key for row in drafts.select_related("faction")]})


def error_text(request: HttpRequest, c: str) -> HttpResponse:
    """Refuse with more than "not there"."""
    viewer = viewer_of(request.user, c)
    is_held = models.Fleet.objects.filter(
        branch=viewer.campaign.head_branch, hex=request.GET.get("hex", "")
    ).exists()
    return JsonResponse({"error": "no such fleet" if is_held else "no such hex"}, status=404)


def etag(request: HttpRequest, c: str) -> HttpResponse:
    """Use the hash of the truth as an ETag."""
    viewer = viewer_of(request.user, c)
    head = models.Snapshot.objects.get(heads=viewer.campaign.head_branch)
    return HttpResponse(b"the same", headers={"ETag": f'"{head.sha256}"'})


def extra_query(request: HttpRequest, c: str) -> HttpResponse:
    """Answer the same with one more query for each hidden thing: the time tells."""
    viewer = viewer_of(request.user, c)
    for row in models.Fleet.objects.filter(branch=viewer.campaign.head_branch):
        row.refresh_from_db()
    return HttpResponse(b"the same")


def status(request: HttpRequest, c: str) -> HttpResponse:
    """Answer 409 only if another faction has sealed."""
    viewer = viewer_of(request.user, c)
    others = models.Submission.objects.filter(
        stage__branch=viewer.campaign.head_branch, withdrawn_at__isnull=True
    )
    return HttpResponse(status=200 + others.exclude(faction=viewer.faction).count() % 2)


def battles_on(request: HttpRequest, c: str) -> HttpResponse:
    """Show how many phases of battles wait."""
    viewer = viewer_of(request.user, c)
    stages = models.Stage.objects.filter(
        branch=viewer.campaign.head_branch, battle__isnull=False, kind="plot"
    )
    return JsonResponse({"stops": stages.count()})


def bogey_class(request: HttpRequest, c: str) -> HttpResponse:
    """Show the true classes of foes in the viewer's battle."""
    viewer = viewer_of(request.user, c)
    assert viewer.faction is not None
    battles = models.Battle.objects.filter(
        branch=viewer.campaign.head_branch, stages__drafts__faction=viewer.faction
    )
    classes = [
        ship["class"]
        for row in battles.distinct().order_by("week")
        for ship in (row.state or {"ships": {}})["ships"].values()
    ]
    return JsonResponse({"classes": sorted(classes)})


def dummy(request: HttpRequest, c: str) -> HttpResponse:
    """Refuse differently for a drone and a ship."""
    viewer = viewer_of(request.user, c)
    battle = models.Battle.objects.filter(
        branch=viewer.campaign.head_branch, key__endswith="/online"
    ).first()
    ships = {} if battle is None or battle.state is None else battle.state["ships"]
    return JsonResponse(
        {"error": "a drone" if any(ship["dummy"] for ship in ships.values()) else "a ship"},
        status=422,
    )


def they_sealed(request: HttpRequest, c: str) -> HttpResponse:
    """Show whether the other side has sealed in the viewer's battle."""
    viewer = viewer_of(request.user, c)
    rows = models.Submission.objects.filter(stage__battle__key__endswith="/online").exclude(
        faction=viewer.faction
    )
    return HttpResponse(b"the same", headers={"X-In": str(rows.count())})


def written_among_others(request: HttpRequest, c: str) -> HttpResponse:
    """Show how many messages the war has, with those of others."""
    viewer = viewer_of(request.user, c)
    return JsonResponse(
        {"messages": models.Message.objects.filter(campaign=viewer.campaign).count()}
    )


def not_gone_out(request: HttpRequest, c: str) -> HttpResponse:
    """Show that a message to the viewer was written before it is sent."""
    viewer = viewer_of(request.user, c)
    rows = models.Message.objects.filter(receiver=viewer.faction).exclude(sender=viewer.faction)
    return JsonResponse({"messages": [str(row.public_id) for row in rows.order_by("public_id")]})


def next_in_plans(request: HttpRequest, c: str) -> HttpResponse:
    """Show where others plan to go."""
    viewer = viewer_of(request.user, c)
    rows = models.Plan.objects.filter(branch=viewer.campaign.head_branch)
    return JsonResponse({"goals": list(rows.order_by("pk").values_list("goals", flat=True))})


def plans_of_weeks_past(request: HttpRequest, c: str) -> HttpResponse:
    """Show how many plans from earlier weeks continue, with those of others."""
    viewer = viewer_of(request.user, c)
    rows = models.Plan.objects.filter(branch=viewer.campaign.head_branch)
    weeks = list(rows.order_by("pk").values_list("week", flat=True))
    return JsonResponse({"older": sum(week < max(weeks) for week in weeks)})


LEAKS: tuple[Callable[[HttpRequest, str], HttpResponse], ...] = (
    sequential_id,
    count,
    order,
    error_text,
    etag,
    extra_query,
    status,
    battles_on,
    bogey_class,
    dummy,
    they_sealed,
    written_among_others,
    not_gone_out,
    next_in_plans,
    plans_of_weeks_past,
)
urlpatterns = [path(f"leak/<str:c>/{leak.__name__}/", leak, name=leak.__name__) for leak in LEAKS]
