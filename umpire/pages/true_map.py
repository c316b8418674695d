"""The true map, now or after any past stage, beside a faction's view of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from campaign.access import Viewer
from campaign.errors import NotFound, NoViewer
from campaign.kinds import StageKind
from campaign.models.campaign import Faction
from campaign.models.truth import Snapshot
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.view import View
from campaign.rules.world import World
from campaign.selectors.clock import factions_of
from campaign.selectors.truth import snapshot_at, snapshots_of, world_of
from campaign.sight.views import Sight, sight_in_snapshot
from campaign.store.documents import scenario_of
from campaign.web import chart_data
from campaign.web.hexmap import centre
from campaign.web.map_place import MapPlace
from campaign.web.map_views import MapView, map_data, map_view_of, requested_hex
from campaign.web.next_action import ActionWords
from campaign.web.seat_marks import seats
from campaign.web.war import KINDS, War, war_of
from campaign.words.common import place_words
from campaign.words.notices import lines_of
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.pages.frame import ASK_METHODS, branch_of, page, show
from umpire.pages.true_chart import Gap, gap, truth
from umpire.pages.true_world import Encounter, SystemHolder, TrueFleet, WorldDrawing, draw_world
from umpire.services.pencil_marks import LONGEST_MARK, pencil_mark_write, pencil_marks_of

MAX_DIGITS = 6
UNPROCESSABLE = 422


def number_in_address(request: HttpRequest, name: str) -> int | None:
    """Return the number given by a parameter of the address, or None without one.

    Raises:
        NotFound: If it is not a number.
    """
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise NotFound(phrase("there is no such week"))
    return int(text)


def moment_choices(viewer: Viewer) -> list[tuple[int, str]]:
    """Return the snapshots to choose from as (seq, words), newest first."""
    rows = snapshots_of(branch=branch_of(viewer.campaign)).values_list("seq", "week", "stage")
    return [(seq, moment_name(week, stage)) for seq, week, stage in rows][::-1]


def moment_navigation(choice: list[tuple[int, str]], seq: int) -> dict[str, Any]:
    """Return the context for choosing a moment: all moments, this one and its neighbours."""
    numbers = [number for number, _ in choice]
    return {
        "moments": choice,
        "seq": seq,
        "earlier_seq": max((number for number in numbers if number < seq), default=None),
        "later_seq": min((number for number in numbers if number > seq), default=None),
        "is_newest": numbers[0] == seq,
    }


def moment_name(week: int, stage: str) -> str:
    """Return the moment of a snapshot in words: the stage it waited for."""
    if stage == StageKind.OVER:
        return phrase("At the end")
    if stage == StageKind.DEPLOY:
        return phrase("Before the deployment")
    return phrase("Before week {}, {}", week, KINDS[stage])


@dataclass(frozen=True, slots=True)
class TruePlace:
    """The truth about a hex, and what the selected faction knows of it."""

    hex: str
    name: str
    fleets: tuple[TrueFleet, ...]
    encounters: tuple[Encounter, ...]
    hold: SystemHolder | None
    known_place: MapPlace | None

    @property
    def empty(self) -> bool:
        """Whether nothing is there."""
        return not (self.fleets or self.encounters or self.hold)


@dataclass(frozen=True, slots=True)
class Twin:
    """The truth beside one faction's knowledge."""

    picture: WorldDrawing
    faction: Faction | None  # the selected one; None before any faction has a view
    views: tuple[tuple[str, str, int], ...]  # (key, name, seat) of the factions to choose from
    view: View | None  # of the selected faction
    drawn_map: MapView | None
    gap: Gap | None
    data: dict[str, Any]  # of both maps, for the script
    systems: tuple[StarSystem, ...]
    place: TruePlace | None  # the hex that is listed in full
    keeps: tuple[tuple[str, str], ...]  # query parameters to keep in further links


def twin_of(
    request: HttpRequest,
    viewer: Viewer,
    scenario: Scenario,
    snapshot: Snapshot,
    world: World,
    *,
    in_gallery: bool = False,
) -> Twin:
    """Return both maps after a stage.

    `?as=` selects a faction (default: the first), `?hex=` a hex to list in full. The view is the
    one written with the snapshot, whether or not the faction has received it.

    Args:
        in_gallery: Whether the page is public or the story, so that marks do not link to umpire
            pages.

    Raises:
        NotFound: If the faction is unknown.
        Http404: If the hex is not on the map.
    """
    factions = {row.key: row for row in factions_of(viewer.campaign)}
    faction_key = request.GET.get("as", "")
    hex_ = requested_hex(request, scenario)
    if faction_key and faction_key not in factions:
        raise NotFound(phrase("there is no such faction"))
    numbers = seats(scenario)
    row = factions[faction_key or scenario.factions[0].id]
    data: dict[str, Any] = {
        "ground": chart_data.static_map_data(scenario),
        "truth": truth(scenario, world),
    }
    views = tuple((power.id, power.name, numbers[power.id]) for power in scenario.factions)
    drawing = draw_world(scenario, viewer.campaign.scenario.sha256, world)
    keeps = tuple((name, request.GET[name]) for name in ("seq", "as") if name in request.GET)
    twin = Twin(
        picture=drawing,
        faction=None,
        views=views,
        view=None,
        drawn_map=None,
        gap=None,
        data=data,
        systems=scenario.systems,
        place=_true_place(scenario, drawing, None, hex_),
        keeps=keeps,
    )
    try:
        sight = sight_in_snapshot(snapshot.pk, row)
    except NoViewer:
        return twin
    war = war_seen_by(viewer, row, scenario, sight)
    if in_gallery:
        # The picture appends its part after the `#`.
        faction_page = f"?seq={snapshot.seq}&as={row.key}#"
    else:
        faction_page = reverse("umpire-faction", args=(viewer.campaign.public_id, row.key))
    drawn_map = map_view_of(war, to=faction_page)
    data |= {
        "view": chart_data.moment_data(war.scenario, sight.view, drawn_map.chart),
        "me": row.key,
    }
    return replace(
        twin,
        faction=row,
        view=sight.view,
        drawn_map=drawn_map,
        gap=gap(war.scenario, world, sight.view),
        place=_true_place(scenario, drawing, drawn_map, hex_),
    )


def _true_place(
    scenario: Scenario, drawing: WorldDrawing, drawn_map: MapView | None, hex_: str
) -> TruePlace | None:
    """Return the truth about a hex, and what a faction's map shows there; None without a hex."""
    if not hex_:
        return None
    name = place_words(scenario, hex_)
    return TruePlace(
        hex=hex_,
        name=name,
        fleets=tuple(fleet for fleet in drawing.fleets if fleet.hex == hex_),
        encounters=tuple(meeting for meeting in drawing.encounters if meeting.hex == hex_),
        hold=next((hold for hold in drawing.holds if hold.hex == hex_), None),
        known_place=None if drawn_map is None else drawn_map.place(hex_, name),
    )


def war_seen_by(viewer: Viewer, row: Faction, scenario: Scenario, sight: Sight) -> War:
    """Return a faction's war for drawing its map, with its sight and without a next action."""
    nothing = ActionWords("watch", "", "", "", "", is_due=False)
    return War(
        replace(viewer, faction=row),
        row,
        with_known_designs(scenario, sight.view),
        sight,
        None,
        (),
        nothing,
    )


@dataclass(frozen=True, slots=True)
class MarkOnMap:
    """A pencil mark of the reader, and where it is drawn."""

    hex: str
    place: str
    text: str
    x: int
    y: int


def marks_on_map(viewer: Viewer, scenario: Scenario, twin: Twin) -> list[MarkOnMap]:
    """Return the reader's pencil marks, and add them to the true map's data for scripts."""
    marks = []
    for mark in pencil_marks_of(viewer):
        x, y = centre(mark.hex)
        place = place_words(scenario, mark.hex)
        marks.append(MarkOnMap(mark.hex, place, mark.text, x, y))
    twin.data["truth"]["pencils"] = {mark.hex: mark.text for mark in marks}
    return marks


@page(umpire=True, methods=ASK_METHODS)
def true_map(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the true map beside what one faction (`?as=`) knew; a POST writes a pencil mark."""
    if request.method == "POST":
        hex_ = request.POST.get("hex", "").strip()
        try:
            pencil_mark_write(viewer=viewer, hex=hex_, text=request.POST.get("text", ""))
        except RuleViolations as error:
            response = _render_true_map(request, viewer, error.limited_violations)
            response.status_code = UNPROCESSABLE
            return response
        messages.success(request, phrase("Pencil mark saved."))
        return redirect("umpire-map", c=viewer.campaign.public_id)
    return _render_true_map(request, viewer)


def _render_true_map(
    request: HttpRequest, viewer: Viewer, faults: tuple[Violation, ...] = ()
) -> HttpResponse:
    """Render the true map, with the faults of a pencil mark that was refused."""
    branch = branch_of(viewer.campaign)
    scenario = scenario_of(viewer.campaign)
    snapshot = snapshot_at(branch=branch, seq=number_in_address(request, "seq"))
    choice = moment_choices(viewer)
    twin = twin_of(request, viewer, scenario, snapshot, world_of(snapshot))
    return show(
        request,
        viewer,
        "true_map",
        "map",
        twin=twin,
        picture=twin.picture,
        moment_query="" if snapshot.seq == choice[0][0] else f"seq={snapshot.seq}",
        **moment_navigation(choice, snapshot.seq),
        moment=moment_name(snapshot.week, snapshot.stage),
        pencil_marks=marks_on_map(viewer, scenario, twin),
        longest_mark=LONGEST_MARK,
        faults=faults,
        form_data=request.POST,
    )


@page(umpire=True)
def faction(request: HttpRequest, viewer: Viewer, key: str) -> HttpResponse:
    """Show what a faction sees."""
    row = Faction.objects.filter(campaign=viewer.campaign, key=key).first()
    if row is None:
        raise NotFound(phrase("there is no such faction"))
    seq = number_in_address(request, "seq")
    try:
        war = war_of(replace(viewer, guest_of=row), seq)
    except NoViewer as error:
        raise NotFound(phrase("there is no view of that moment")) from error
    choice = moment_choices(viewer)
    newest = choice[0][0] == war.sight.seq
    chosen = request.GET.get("fleet", "")
    if chosen and chosen not in {fleet.key for fleet in war.sight.view.fleets}:
        raise NotFound(phrase("there is no such fleet"))
    picture_of_it = map_view_of(war, chosen=chosen, is_past=not newest)
    hex_ = requested_hex(request, war.scenario)
    return show(
        request,
        viewer,
        "faction",
        row.key,
        faction=row,
        war=war,
        notices=lines_of(war.scenario, row.key, war.sight.view.notices),
        map=picture_of_it,
        hex=hex_,
        place=picture_of_it.place(hex_, place_words(war.scenario, hex_)) if hex_ else None,
        keeps=[(name, request.GET[name]) for name in ("seq", "fleet") if name in request.GET],
        data=map_data(war, chosen, picture_of_it.chart),
        **moment_navigation(choice, war.sight.seq),
        moment=moment_name(war.sight.view.week, war.sight.view.stage),
    )
