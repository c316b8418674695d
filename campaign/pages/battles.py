"""A battle as this faction saw it: how it ended, and turn by turn what happened."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.pages.battlelog import DESTROYED, SCALE, fates, turn_numbers, turn_of
from campaign.pages.battlewords import names_of
from campaign.pages.sayings import battle_words
from campaign.pages.war import player_page, war_of
from campaign.rules.queries import class_name
from campaign.sight import battle_read, sight_then


@player_page
def battle(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """The battle's result; `?turn=` with the log and the positions of that turn, `all` with every turn."""
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404("there is no such battle") from error
    told, seq, body = battle_read(viewer.campaign, war.faction, str(battle))
    try:
        before = sight_then(viewer.campaign, war.faction, seq - 1).view
    except NoViewer:  # the battle was the first thing on this branch of the war
        before = war.sight.view
    names = names_of(body, {ship.key: ship.name for ship in before.ships})
    classes = {ship.key: class_name(war.scenario, ship.faction, ship.cls) for ship in before.ships}
    numbers = turn_numbers(body)
    given = request.GET.get("turn", str(numbers[0]) if numbers else "all")
    if given != "all" and given not in {str(number) for number in numbers}:
        raise Http404("the battle has no such turn")
    shown = numbers if given == "all" else (int(given),)
    powers = {power.id: power.name for power in war.scenario.factions}
    ended = fates(body, names, classes)
    winner = body["winner"]
    context = {
        "war": war,
        "told": told,
        "called": battle_words(war.scenario, body["hex"]),
        "hex": body["hex"],
        "turns": body["turns"],
        "numbers": numbers,
        "shown": [turn_of(body, names, number, body["table"][1]) for number in shown],
        "all": given == "all",
        "now": shown[0] if shown else 0,
        "winner": winner and " and ".join(powers.get(part, part) for part in winner.split("+")),
        "won": winner == body["side"],
        "own": [fate for fate in ended if fate.own],
        "others": [fate for fate in ended if not fate.own],
        "lost": sum(fate.own and fate.how == DESTROYED for fate in ended),
        "killed": sum(not fate.own and fate.how == DESTROYED for fate in ended),
        "chain": body["chain"][-1] if body["chain"] else "",
        "width": body["table"][0] * SCALE,
        "half": body["table"][0] * SCALE / 2,
        "height": body["table"][1] * SCALE,
    }
    return render(request, "campaign/battle.html", context)


urlpatterns = [path("c/<str:c>/battles/<uuid:battle>/", battle, name="battle")]
