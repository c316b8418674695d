"""What the umpire's pages share: the frame around each, and the sentence that says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.access import Viewer
from campaign.errors import NotThere
from campaign.models.battle import FOUGHT, Battle
from campaign.models.branch import Branch
from campaign.models.campaign import Campaign
from campaign.models.stage import CLOSED, Stage
from campaign.rules.scenario import Scenario
from campaign.selectors.clock import Seat
from campaign.stored import scenario_of
from umpire.pages.worldmap import places_of

# kind of a stage -> what everybody does in it
STAGES = {
    "deploy": "Deployment",
    "orders": "Orders",
    "decisions": "Decisions",
    "battles": "Battles",
    "over": "The end",
}


@dataclass(frozen=True, slots=True)
class Next:
    """What the keeper of the clock does next. `verb`: the act that does it, empty where he waits."""

    title: str
    words: str
    verb: str = ""
    label: str = ""


def branch_of(campaign: Campaign) -> Branch:
    """The head branch. Raises NotThere where there is none."""
    if campaign.head_branch is None:
        raise NotThere("there is nothing to see yet")
    return campaign.head_branch


def stage_title(week: int, kind: str) -> str:
    """A stage as people say it."""
    name = STAGES.get(kind, kind)
    return name if kind in ("deploy", "over") else f"Week {week}, {name.lower()}"


def next_step(*, campaign: Campaign, stage: Stage | None, seats: Sequence[Seat], begun: bool) -> Next:
    """What the keeper of the clock does next."""
    if stage is None:
        if begun:
            return Next("The war is over", "Everybody may now read the whole story, week by week.")
        return Next("Not begun", "Fill the seats in the lobby, then start the war there.")
    title = stage_title(stage.week, stage.kind)
    if stage.status == CLOSED:
        return Next(title, "Closed, and being resolved. This takes some seconds; look again in a moment.")
    if campaign.paused_at is not None:
        return Next(title, "The clock stands still until it is started again.", "resume", "Start the clock")
    awaited = [seat.name for seat in seats if seat.awaited]
    if not awaited:
        return Next(title, "Nobody is awaited any more.", "resolve", "Resolve now")
    words = f"Waiting for {_and(awaited)}."
    if stage.closes is None:
        return Next(title, f"{words} No deadline is set: it closes when all are in.", "resolve", "Resolve without them")
    return Next(title, f"{words} It closes by itself at its deadline.", "extend", "Give them more time")


def show(request: HttpRequest, viewer: Viewer, template: str, tab: str, **context: Any) -> HttpResponse:
    """An umpire's page: its template in the frame of the desk, `tab` lit."""
    campaign = viewer.campaign
    factions = scenario_of(campaign).factions
    frame = {"campaign": campaign, "c": campaign.public_id, "viewer": viewer, "tab": tab, "powers": factions}
    return render(request, f"umpire/{template}.html", {**frame, **context})


def battle_row(scenario: Scenario, battle: Battle) -> dict[str, object]:
    """A battle in a list: where, who won, how long it took."""
    label = battle.key.partition("/")[0]
    names = {faction.id: faction.name for faction in scenario.factions}
    result = battle.result or {}
    victors = (result.get("winner") or "").split("+")
    return {
        "battle": battle,
        "place": places_of(scenario).get(label, f"hex {label}"),
        "fought": battle.status == FOUGHT,
        "turns": result.get("turns"),
        "winner": " and ".join(names[power] for power in victors if power) or "nobody",
    }


def _and(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
