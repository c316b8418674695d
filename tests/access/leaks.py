"""Addresses that leak, each in a way a hurried change could bring: the two-world test has to find
every one.
"""

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
    return JsonResponse(
        {"report": models.Report.objects.filter(faction=viewer.faction).order_by("pk")[0].pk}
    )


def count(request: HttpRequest, c: str) -> HttpResponse:
    """How many fleets there are."""
    viewer = viewer_of(request.user, c)
    return JsonResponse(
        {"pages": 1 + models.Fleet.objects.filter(branch=viewer.campaign.head_branch).count() // 3}
    )


def order(request: HttpRequest, c: str) -> HttpResponse:
    """Own reports in the order of a key that the rows of others shuffle."""
    viewer = viewer_of(request.user, c)
    drafts = models.Submission.objects.filter(stage__branch=viewer.campaign.head_branch).order_by(
        "pk"
    )
    return JsonResponse({"factions": [row.faction.key for row in drafts.select_related("faction")]})


def error_text(request: HttpRequest, c: str) -> HttpResponse:
    """A refusal that says more than "not there" of what is there."""
    viewer = viewer_of(request.user, c)
    is_held = models.Fleet.objects.filter(
        branch=viewer.campaign.head_branch, hex=request.GET.get("hex", "")
    ).exists()
    return JsonResponse({"error": "no such fleet" if is_held else "no such hex"}, status=404)


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
    others = models.Submission.objects.filter(
        stage__branch=viewer.campaign.head_branch, withdrawn_at__isnull=True
    )
    return HttpResponse(status=200 + others.exclude(faction=viewer.faction).count() % 2)


def battles_on(request: HttpRequest, c: str) -> HttpResponse:
    """How many phases of battles wait for somebody."""
    viewer = viewer_of(request.user, c)
    stages = models.Stage.objects.filter(
        branch=viewer.campaign.head_branch, battle__isnull=False, kind="plot"
    )
    return JsonResponse({"stops": stages.count()})


def bogey_class(request: HttpRequest, c: str) -> HttpResponse:
    """What his foes really are, in a battle of his own."""
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
    """A refusal that tells a drone from a ship."""
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
    """Whether the other side is in in the phase of his own battle."""
    viewer = viewer_of(request.user, c)
    rows = models.Submission.objects.filter(stage__battle__key__endswith="/online").exclude(
        faction=viewer.faction
    )
    return HttpResponse(b"the same", headers={"X-In": str(rows.count())})


def written_among_others(request: HttpRequest, c: str) -> HttpResponse:
    """How many messages there are in the war, those of others among them."""
    viewer = viewer_of(request.user, c)
    return JsonResponse(
        {"messages": models.Message.objects.filter(campaign=viewer.campaign).count()}
    )


def not_gone_out(request: HttpRequest, c: str) -> HttpResponse:
    """That somebody has written to the viewer, before it has gone out."""
    viewer = viewer_of(request.user, c)
    rows = models.Message.objects.filter(receiver=viewer.faction).exclude(sender=viewer.faction)
    return JsonResponse({"messages": [str(row.public_id) for row in rows.order_by("public_id")]})


def next_in_plans(request: HttpRequest, c: str) -> HttpResponse:
    """Where others mean to go in weeks to come."""
    viewer = viewer_of(request.user, c)
    rows = models.Plan.objects.filter(branch=viewer.campaign.head_branch)
    return JsonResponse({"goals": list(rows.order_by("pk").values_list("goals", flat=True))})


def plans_of_weeks_past(request: HttpRequest, c: str) -> HttpResponse:
    """How many plans go on that were written in an earlier week, those of others among them."""
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
