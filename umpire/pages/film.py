"""The film of a finished war: two maps side by side, the truth and what one faction believed.

Members see it as part of the story, everybody if the war is in the gallery. Without scripts each
step is a page (`?seq=`, `?as=`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.kinds import BattleStatus, StageKind
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import View
from campaign.rules.world import World
from campaign.selectors.clock import factions_of
from campaign.selectors.truth import battles_of, snapshot_at, snapshots_of, world_of
from campaign.services.rematches import may_rematch, next_side
from campaign.sight.reports import list_battles, read_battle_report
from campaign.sight.views import all_views
from campaign.store.documents import scenario_of
from campaign.web.hexmap import centre, hexes_path, outline, size
from campaign.web.seat_marks import SEATS, seats
from engine.core.cache import Cache
from engine.core.phrase import phrase
from umpire.pages.film_captions import FilmBattle, place_name
from umpire.pages.film_steps import Stack, WarFilm, film_data, film_of, stacks_of
from umpire.pages.frame import ASK_METHODS, branch_of, page, show
from umpire.pages.luck import damage_luck
from umpire.pages.rematch import begin_again, begin_rematch
from umpire.pages.result_facts import best_ship_of_war, result_of_war
from umpire.pages.stage_reports import hidden_story, story_campaign
from umpire.pages.true_map import number_in_address
from umpire.services.luck import luck_of

CACHE_SIZE = 16

# Flags of the seats: swallowtail, point, straight end, and again, so that colour is not needed.
FLAGS = ("M0-13h42l-6 13 6 13H0z", "M0-13h35l8 13-8 13H0z", "M0-13h40v26H0z")
_films: Cache[tuple[str, str], WarFilm] = Cache(CACHE_SIZE)


@dataclass(frozen=True, slots=True)
class MapSystem:
    """A system on the film's maps."""

    name: str
    x: int
    y: int
    is_settled: bool


@dataclass(frozen=True, slots=True)
class MapGround:
    """What is the same on both maps at every step."""

    width: int
    height: int
    edge: str
    closed: str
    links: str
    systems: tuple[MapSystem, ...]


@dataclass(frozen=True, slots=True)
class MapMark:
    """A mark of a faction's ships."""

    x: int
    y: int
    stack: Stack


@dataclass(frozen=True, slots=True)
class FilmMap:
    """One of the two maps at a step.

    Attributes:
        holders: The systems, each with the seat of its holder; 0: nobody.
        fights: The centres of the hexes with a battle.
        wrong: The centres of the hexes about which the faction was wrong.
    """

    holders: tuple[tuple[MapSystem, int], ...]
    marks: tuple[MapMark, ...]
    fights: tuple[tuple[int, int], ...]
    wrong: tuple[tuple[int, int], ...]


def film_of_war(campaign: Campaign, branch: Branch, scenario: Scenario) -> WarFilm:
    """Return the film of a finished war, cached because it never changes.

    Raises:
        NotFound: It is a single battle, which has a replay instead.
    """
    if is_skirmish(scenario):
        raise NotFound(phrase("there is no such war"))
    end = snapshots_of(branch=branch).last()
    if end is None or end.stage != StageKind.OVER:
        raise NotFound(phrase("there is no story yet"))

    def make() -> WarFilm:
        factions = list(factions_of(campaign))
        return film_of(scenario, _moments(branch, factions), _battles(scenario, branch))

    return _films.get_or_make((str(campaign.public_id), end.sha256), make)


def _moments(
    branch: Branch, factions: Sequence[Faction]
) -> Iterator[tuple[int, World, Mapping[str, View]]]:
    """Yield each snapshot's number, the true world, and what each faction knew, one at a time."""
    snapshots = snapshots_of(branch=branch).defer(None).defer("events")
    views = all_views(branch, factions)
    for row, (seq, known) in zip(snapshots.iterator(chunk_size=1), views, strict=True):
        assert row.seq == seq
        yield seq, world_of(row), known


def _battles(scenario: Scenario, branch: Branch) -> list[FilmBattle]:
    """Return the fought battles of a war, by week."""
    battles = []
    for row in battles_of(branch=branch).filter(status=BattleStatus.FOUGHT):
        result = row.result or {}
        hex_ = row.key.partition("/")[0]
        battles.append(
            FilmBattle(
                public_id=str(row.public_id),
                week=row.week,
                hex=hex_,
                place=place_name(scenario, hex_),
                winner=result.get("winner") or "",
                turns=result.get("turns") or 0,
            )
        )
    return battles


def film_context(
    request: HttpRequest, campaign: Campaign, battle_door: str, **place: object
) -> dict[str, Any]:
    """Return the context of a film's page at the step in the address, by default the first.

    Args:
        battle_door: URL name of the replay of a battle, and its further arguments.

    Raises:
        NotFound: There is no such step or faction, or the war is a single battle.
    """
    scenario = scenario_of(campaign)
    film = film_of_war(campaign, branch_of(campaign), scenario)
    seq = number_in_address(request, "seq")
    numbers = [step.seq for step in film.steps]
    at = 0 if seq is None else _index(numbers, seq)
    step = film.steps[at]
    keys = [faction.id for faction in scenario.factions]
    side = request.GET.get("as", "") or keys[0]
    belief = step.beliefs[_index(keys, side)]
    ground = _ground(scenario)
    battles = []
    for other in film.steps:
        for battle in other.battles:
            href = reverse(battle_door, kwargs={**place, "public_id": battle.public_id})
            battles.append((other.seq, battle, href))
    weeks = {other.week: other.seq for other in reversed(film.steps)}
    return {
        "campaign": campaign,
        "film": film,
        "step": step,
        "at": at,
        "last_step": len(film.steps) - 1,
        "earlier": film.steps[at - 1] if at else None,
        "later": film.steps[at + 1] if at + 1 < len(film.steps) else None,
        "weeks": sorted(weeks.items()),
        "side": side,
        "sides": seats(scenario).items(),
        "ground": ground,
        "flags": _flags(),
        "truth": _map(ground, step.holders, stacks_of(step.fleets), step.fights, ()),
        "belief": _map(
            ground,
            belief.holders,
            stacks_of(belief.own, belief.contacts),
            belief.fights,
            belief.wrong,
        ),
        "battles": battles,
        "data": film_data(film),
    }


def _index(values: Sequence[object], value: object) -> int:
    """Return the place of a value.

    Raises:
        NotFound: It is none of them.
    """
    if value not in values:
        raise NotFound(phrase("there is no such week"))
    return values.index(value)


def _flags() -> list[tuple[int, str]]:
    """Return the shape of each seat's flag."""
    return [(seat, FLAGS[(seat - 1) % len(FLAGS)]) for seat in range(SEATS + 1)]


def _ground(scenario: Scenario) -> MapGround:
    """Return what is the same on both maps."""
    width, height = size(scenario.columns, scenario.rows)
    links = []
    for link in scenario.links:
        ax, ay = centre(link.a)
        bx, by = centre(link.b)
        links.append(f"M{ax} {ay}L{bx} {by}")
    systems = []
    for system in scenario.systems:
        x, y = centre(system.hex)
        systems.append(MapSystem(system.name, x, y, system.settled))
    return MapGround(
        width=width,
        height=height,
        edge=outline(scenario.columns, scenario.rows),
        closed=hexes_path(scenario.closed),
        links="".join(links),
        systems=tuple(systems),
    )


def _map(
    ground: MapGround,
    holders: Sequence[int],
    stacks: Sequence[Stack],
    fights: Sequence[str],
    wrong: Sequence[str],
) -> FilmMap:
    """Return one of the two maps."""
    marks = []
    for stack in stacks:
        x, y = centre(stack.hex)
        marks.append(MapMark(x, y, stack))
    return FilmMap(
        holders=tuple(zip(ground.systems, holders, strict=True)),
        marks=tuple(marks),
        fights=tuple(centre(hex_) for hex_ in fights),
        wrong=tuple(centre(hex_) for hex_ in wrong),
    )


@page()
def story_film(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the film, once this war and every war that shares its history are over."""
    hidden = hidden_story(request, viewer)
    if hidden is not None:
        return hidden
    campaign = story_campaign(viewer.campaign)
    context = film_context(request, campaign, "story-replay", c=campaign.public_id)
    return show(
        request,
        viewer,
        "film",
        "",
        here="public",
        back=reverse("story", args=(campaign.public_id,)),
        **context,
    )


@page(methods=ASK_METHODS)
def war_result(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show what decided a finished war, to those who may read its story; a POST begins it again."""
    hidden = hidden_story(request, viewer)
    if hidden is not None:
        return hidden
    if request.method == "POST":
        here = reverse("war-result", args=(viewer.campaign.public_id,))
        return begin_again(request, viewer, here, begin_rematch)
    campaign = story_campaign(viewer.campaign)
    branch = branch_of(campaign)
    scenario = scenario_of(campaign)
    film = film_of_war(campaign, branch, scenario)
    end = world_of(snapshot_at(branch=branch))
    faction = viewer.visible_faction
    own = faction.key if faction else ""
    result = result_of_war(scenario, film, end, own)
    luck_lines = [line for line in luck_of(branch).lines if not line.battle] if own else []
    ground = _ground(scenario)
    last = film.steps[-1]
    return show(
        request,
        viewer,
        "result",
        "",
        here="public",
        result=result,
        seat=seats(scenario).get(own, 0),
        best_ship=best_ship_of_war(scenario, end, _battle_bodies(campaign, faction)),
        luck=damage_luck(luck_lines, own),
        may_rematch=may_rematch(viewer),
        swap_side=next_side(viewer),
        film=film,
        last_step=last,
        ground=ground,
        flags=_flags(),
        truth=_map(ground, last.holders, stacks_of(last.fleets), last.fights, ()),
        scenario=scenario,
    )


def _battle_bodies(campaign: Campaign, faction: Faction | None) -> Iterator[dict[str, Any]]:
    """Yield a faction's reports of its battles, one at a time; none for other readers."""
    if faction is None:
        return
    for battle in list_battles(campaign, faction):
        _, _, body = read_battle_report(campaign, faction, battle.id)
        yield body
