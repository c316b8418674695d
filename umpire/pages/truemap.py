"""The true map, now or after any stage of the past; and what a faction sees of it, from its View alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.errors import NotThere, NoViewer
from campaign.kinds import StageKind
from campaign.models.campaign import Faction
from campaign.notices import lines_of
from campaign.pages.starmap import drawn
from campaign.pages.war import war_of
from campaign.selectors.truth import snapshot_at, snapshots_of, world_of
from campaign.stored import scenario_of
from umpire.pages.desk import branch_of, page, show, stage_title
from umpire.pages.worldmap import picture

MOST_DIGITS = 6


def chosen_number(request: HttpRequest, name: str) -> int | None:
    """A number asked for in the address, None where none is. Raises NotThere for what is not a number."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise NotThere("there is no such week")
    return int(text)


def moments(viewer: Viewer) -> list[tuple[int, str]]:
    """The snapshots to choose from: (seq, words), the newest first."""
    rows = snapshots_of(branch=branch_of(viewer.campaign)).values_list("seq", "week", "stage")
    return [(seq, before(week, stage)) for seq, week, stage in rows][::-1]


def around(choice: list[tuple[int, str]], seq: int) -> dict[str, Any]:
    """The choices of the form that chooses a moment: all of them, this one, the ones next to it."""
    numbers = [number for number, _ in choice]
    return {
        "moments": choice,
        "seq": seq,
        "earlier": max((number for number in numbers if number < seq), default=None),
        "later": min((number for number in numbers if number > seq), default=None),
        "newest": numbers[0] == seq,
    }


def before(week: int, stage: str) -> str:
    """The moment at which a snapshot was true: the stage it waited for."""
    return "At the end" if stage == StageKind.OVER else f"Before {stage_title(week, stage).lower()}"


@page(umpire=True)
def truemap(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The true map."""
    branch, scenario = branch_of(viewer.campaign), scenario_of(viewer.campaign)
    snapshot = snapshot_at(branch=branch, seq=chosen_number(request, "seq"))
    choice = moments(viewer)
    return show(
        request,
        viewer,
        "truemap",
        "map",
        picture=picture(scenario, viewer.campaign.scenario.sha256, world_of(snapshot)),
        **around(choice, snapshot.seq),
        moment=before(snapshot.week, snapshot.stage),
    )


@page(umpire=True)
def faction(request: HttpRequest, viewer: Viewer, key: str) -> HttpResponse:
    """The page of what a faction sees."""
    row = Faction.objects.filter(campaign=viewer.campaign, key=key).first()
    if row is None:
        raise NotThere("there is no such faction")
    seq = chosen_number(request, "seq")
    try:
        war = war_of(replace(viewer, faction=row), seq)
    except NoViewer as error:
        raise NotThere("nothing was seen then") from error
    choice = moments(viewer)
    newest = choice[0][0] == war.sight.seq
    chosen = request.GET.get("fleet", "")
    if chosen and chosen not in {fleet.key for fleet in war.sight.view.fleets}:
        raise NotThere("there is no such fleet")
    return show(
        request,
        viewer,
        "faction",
        row.key,
        faction=row,
        war=war,
        told=lines_of(war.scenario, row.key, war.sight.view.notices),
        map=drawn(war, chosen=chosen, then=not newest),
        **around(choice, war.sight.seq),
        moment=before(war.sight.view.week, war.sight.view.stage),
    )
