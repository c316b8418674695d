"""The chronicle of a finished war for one faction: headlines by week, and each ship's story.

Made only from that faction's newspapers, views, reports and sealed orders.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer, require
from campaign.errors import NotFound, NoViewer
from campaign.kinds import StageKind
from campaign.pages.ships.ship_history import (
    Chapter,
    PastStage,
    chapters,
    find_loss,
    find_ship,
)
from campaign.pages.ships.ship_sheets import past_stages
from campaign.rules.queries import result_words, ship_classes, short_class_name
from campaign.web.common import if_changed, member_page, show
from campaign.web.gazette_issues import NO_ISSUE, OWN, issue_for, weeks_out
from campaign.web.tabs import tabs, tabs_key
from campaign.web.war import War, war_of
from campaign.words.common import loss_words, place_words
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class ShipStory:
    """A ship's history in the war."""

    key: str
    name: str
    cls: str
    points: int  # cost of a ship of its class
    fate_text: str  # where it is, or how it was lost
    is_lost: bool
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True, slots=True)
class ClassStory:
    """The ships of a class, longest stories first, and how many of them were lost."""

    name: str
    ships: tuple[ShipStory, ...]
    lost_count: int


MAX_STORIES = 3  # ship stories shown above the list by class


def ship_stories(war: War) -> tuple[ShipStory, ...]:
    """Return the stories of all ships the faction had, longest first."""
    stages = tuple(past_stages(war))
    ships_by_key = {}
    for stage in stages:
        for ship in (*stage.before.ships, *stage.after.ships):
            ships_by_key[ship.key] = ship
    final_places = _final_places(war)
    loss_texts = _loss_texts(war, stages)
    classes = ship_classes(war.scenario)
    stories = []
    for key, ship in ships_by_key.items():
        is_lost = key not in final_places
        if is_lost:
            fate_text = loss_texts.get(key, phrase("no longer yours"))
        else:
            fate_text = phrase("at the end of the war: {}", final_places[key])
        story = ShipStory(
            key=key,
            name=ship.name,
            cls=phrase(short_class_name(ship.cls)),
            points=classes[ship.cls].points if ship.cls in classes else 0,
            fate_text=fate_text,
            is_lost=is_lost,
            chapters=chapters(war.scenario, key, stages),
        )
        stories.append(story)
    return tuple(sorted(stories, key=lambda story: (-len(story.chapters), story.name, story.key)))


def _final_places(war: War) -> dict[str, str]:
    """Return where the faction's ships are at the end, in words, by ship."""
    view = war.sight.view
    hex_of_fleet = {fleet.key: fleet.hex for fleet in view.fleets}
    places = {}
    for ship in view.ships:
        if ship.fleet in hex_of_fleet:
            places[ship.key] = place_words(war.scenario, hex_of_fleet[ship.fleet])
    return places


def _loss_texts(war: War, stages: Iterable[PastStage]) -> dict[str, str]:
    """Return how each ship was lost in the stages of the war, by its key."""
    texts = {}
    for stage in stages:
        for ship in stage.before.ships:
            if find_ship(stage.after, ship.key) is not None:
                continue
            loss = find_loss(stage.before, stage.after, ship)
            if loss is not None:
                place = place_words(war.scenario, loss.hex)
                cause = loss_words(loss.cause)
                texts[ship.key] = phrase("{} at {}, week {}", cause, place, loss.week)
    return texts


def stories_by_class(ships: Iterable[ShipStory]) -> tuple[ClassStory, ...]:
    """Group stories by class, the most expensive class first."""
    stories_by_name: dict[str, list[ShipStory]] = {}
    for ship in sorted(ships, key=lambda story: (-story.points, story.cls)):
        stories_by_name.setdefault(ship.cls, []).append(ship)
    result: list[ClassStory] = []
    for name, class_ships in stories_by_name.items():
        lost_count = sum(ship.is_lost for ship in class_ships)
        result.append(ClassStory(name, tuple(class_ships), lost_count))
    return tuple(result)


@member_page
@require_safe
def chronicle(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the chronicle; it does not exist before the war ends."""
    require(viewer, see=True)
    if viewer.campaign.ruleset.get("single"):
        raise NotFound(NO_ISSUE)
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(NO_ISSUE) from error
    if war.sight.view.stage != StageKind.OVER or war.stage is not None:
        raise NotFound(NO_ISSUE)
    shared = tabs(viewer, "gazette")
    cache_key = (
        "chronicle",
        war.id,
        viewer.campaign.scenario.sha256,
        war.faction.key,
        war.sight.etag,
        war.sight.seq,
        *tabs_key(shared),
    )

    def page() -> HttpResponse:
        ships = ship_stories(war)
        weeks = []
        for week in weeks_out(viewer.campaign):
            weeks.append((week, issue_for(viewer, OWN, week)[0].stories))
        return show(
            request,
            "chronicle",
            ships=ships,
            listed_ships=ships[:MAX_STORIES],
            classes=stories_by_class(ships),
            lost_count=sum(ship.is_lost for ship in ships),
            weeks=weeks,
            result=result_words(war.scenario, war.sight.view.result or ""),
            faction=war.faction,
            **shared,
        )

    return if_changed(request, cache_key, page)


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/gazette/chronicle/", chronicle, name="chronicle")
]
