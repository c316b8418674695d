"""The public gallery: wars shown to everybody, some weeks late, if all their players consent.

A page shows the truth beside one faction's knowledge, at a moment long enough ago, and the results
of the stage before. It shows no orders, no name of a person who does not want it, and nothing of a
later week. Nothing is cached.

Battles of a finished war can be replayed turn by turn with all sides revealed. During a war only
their outcomes are shown, because a replay would reveal the record sheets of ships that still fight.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.access import Viewer, viewers_of
from campaign.errors import NotFound
from campaign.selectors.gallery import find_gallery_war, gallery_wars
from campaign.selectors.truth import (
    battles_of,
    resolved_stages_of,
    snapshot_at,
    snapshots_of,
    world_of,
)
from campaign.store.documents import scenario_of
from campaign.web.scenario_cards import scenario_card
from campaign.words.languages import all_in_language
from engine.core.phrase import phrase
from umpire.pages.battle_replay import film_of, replay_page
from umpire.pages.film import film_context
from umpire.pages.frame import battle_row, branch_of
from umpire.pages.stage_reports import stage_report
from umpire.pages.true_map import moment_name, moment_navigation, number_in_address, twin_of

P = ParamSpec("P")


def public_page(
    page: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Decorate a public page that caches and search engines do not keep.

    Consent to show it can be withdrawn.
    """

    @wraps(page)
    def opened(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            answer = page(request, *args, **kwargs)
        except NotFound as error:
            raise Http404 from error
        answer.headers["X-Robots-Tag"] = "noindex, noarchive"
        return answer

    return never_cache(require_safe(opened))


@public_page
def gallery(request: HttpRequest) -> HttpResponse:
    """List the wars that are shown now."""
    wars = []
    for war in gallery_wars():
        wars.append((war, scenario_card(scenario_of(war.campaign), war.campaign.scenario.sha256)))
    return render(request, "umpire/gallery.html", {"wars": wars})


@public_page
def gallery_battle(request: HttpRequest, war: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Show the replay of a battle of a finished war.

    `?as=` selects one side's view, `?turn=` a turn without scripts.
    """
    public_war = find_gallery_war(war)
    if not public_war.is_over:
        raise NotFound(phrase("there is no such battle"))
    return replay_page(
        request, public_war.campaign, public_id, f"{reverse('gallery-war', args=[war])}#battles"
    )


@public_page
def gallery_film(request: HttpRequest, war: uuid.UUID) -> HttpResponse:
    """Show the film of a finished war: `?seq=` selects the step, `?as=` the faction."""
    public_war = find_gallery_war(war)
    if not public_war.is_over:
        raise NotFound(phrase("there is no such war"))
    context = film_context(request, public_war.campaign, "gallery-battle", war=war)
    back = reverse("gallery-war", args=[war])
    return render(request, "umpire/film.html", {**context, "back": back})


@public_page
def gallery_newest(_request: HttpRequest) -> HttpResponse:
    """Return the newest battle of a finished war as a film, or nothing, for the front page."""
    for public_war in gallery_wars():
        campaign = public_war.campaign
        if not public_war.is_over:
            continue
        for row in battles_of(branch=branch_of(campaign)).order_by("-week", "-pk"):
            with suppress(NotFound):
                name = battle_row(scenario_of(campaign), row)["battle_name"]
                film = film_of(campaign, row)
                return JsonResponse({"name": name, "film": all_in_language(film)})
    return JsonResponse({})


def _is_member(request: HttpRequest, war: uuid.UUID) -> bool:
    """Return whether the reader has a seat in a war, other than a guest's."""
    if not request.user.is_authenticated:
        return False
    return bool(viewers_of(request.user, [war]))


@public_page
def gallery_war(request: HttpRequest, war: uuid.UUID) -> HttpResponse:
    """Show a war at a moment: `?seq=` selects it (default: newest shown), `?as=` the faction."""
    public_war = find_gallery_war(war)
    campaign = public_war.campaign
    scenario = scenario_of(public_war.campaign)
    branch = branch_of(campaign)
    rows = (
        snapshots_of(branch=branch)
        .filter(week__lte=public_war.until)
        .values_list("seq", "week", "stage")
    )
    moments = [(seq, moment_name(week, stage)) for seq, week, stage in rows][::-1]
    numbers = [seq for seq, _ in moments]
    seq = number_in_address(request, "seq")
    if seq is None and numbers:
        seq = numbers[0]
    if seq not in numbers:
        raise NotFound(phrase("there is no such week"))
    snapshot = snapshot_at(branch=branch, seq=seq)
    # The reader's own role in this war does not count here
    reader = Viewer(campaign, cast(Any, request.user), None, frozenset())
    twin = twin_of(request, reader, scenario, snapshot, world_of(snapshot), in_gallery=True)
    door = "gallery-battle" if public_war.is_over else ""
    battles = []
    for row in battles_of(branch=branch).filter(week__lte=public_war.until):
        battles.append(battle_row(scenario, row, door, war=campaign.public_id))
    led_here = resolved_stages_of(branch=branch).filter(to_snapshot=snapshot).first()
    return render(
        request,
        "umpire/gallery_war.html",
        {
            "campaign": campaign,
            "scenario": scenario,
            "public_war": public_war,
            "is_member": _is_member(request, war),
            "people": [
                (power.name, public_war.names.get(power.id, ())) for power in scenario.factions
            ],
            "twin": twin,
            "picture": twin.picture,
            "moment_query": f"seq={snapshot.seq}",
            **moment_navigation(moments, snapshot.seq),
            "moment": moment_name(snapshot.week, snapshot.stage),
            "report": stage_report(scenario, led_here) if led_here else None,
            "battles": battles,
        },
    )
