"""Searchable lists of fleets, ships and systems in the head's projection; and the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import groupby
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.db.models.functions import Length
from django.http import HttpRequest, HttpResponse, QueryDict

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.rules.queries import ship_classes, ships_by_fleet, short_class_name, with_all_designs
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import named_hexes
from campaign.selectors.heads import head_of
from campaign.selectors.truth import CONDITIONS, fleets_of, ledger_of, ships_of, world_of
from campaign.store.documents import scenario_of
from campaign.web.seat_marks import seats
from campaign.web.ship_drawings import hull_strip
from campaign.words.common import count_by_classification, strength_words
from campaign.words.stock import stock_words
from engine.core.phrase import join_phrases, phrase
from engine.english import system_words
from umpire.pages.frame import branch_of, page, show

PAGE = 50
NUMBER_ORDER = (Length("key"), "key")  # keys end in numbers: the tenth comes after the second
LONGEST = 80  # characters of a search text
# Fields of a ship's state, apart from its name
STATE_FIELDS = ("cls", "damage", "lost", "stock", "docked", "tug", "laid_up", "cargo", "settings")


@dataclass(frozen=True, slots=True)
class ListFilter:
    """A search in a list: text and filters as in the form."""

    text: str
    faction: str
    hex: str
    fleet: str
    cls: str
    condition: str


def list_filter_of(query: QueryDict) -> ListFilter:
    """Parse the search of an address.

    Long texts are truncated. Unknown values find nothing (factions: see `_list_context`).
    """

    def text_of(name: str) -> str:
        return query.get(name, "").strip()[:LONGEST]

    return ListFilter(
        text=text_of("q"),
        faction=text_of("faction"),
        hex=text_of("hex"),
        fleet=text_of("fleet"),
        cls=text_of("class"),
        condition=text_of("condition"),
    )


@page(umpire=True)
def fleets(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the present fleets by faction, each with its ships by classification."""
    filters = list_filter_of(request.GET)
    scenario = scenario_of(viewer.campaign)
    branch = branch_of(viewer.campaign)
    rows = fleets_of(
        branch=branch,
        hex=filters.hex,
        faction=filters.faction,
        text=filters.text,
        condition=filters.condition,
    ).order_by("faction", *NUMBER_ORDER)
    context = _list_context(request, rows, filters, scenario)
    if branch.head is not None:
        world = world_of(branch.head)
        truth = with_all_designs(scenario, world)
        fleet_ships = ships_by_fleet(world.ships)
        for item in context["rows"]:
            counts = count_by_classification(truth, fleet_ships.get(item["row"].key, ()))
            item["strength"] = strength_words(counts)
    return show(request, viewer, "fleets", "fleets", **context)


@page(umpire=True)
def ships(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the present ships by faction and fleet."""
    filters = list_filter_of(request.GET)
    scenario = scenario_of(viewer.campaign)
    branch = branch_of(viewer.campaign)
    rows = ships_of(
        branch=branch,
        fleet=filters.fleet,
        cls=filters.cls,
        hex=filters.hex,
        faction=filters.faction,
        text=filters.text,
        condition=filters.condition,
    ).order_by("faction", Length("fleet"), "fleet", *NUMBER_ORDER)
    context = _list_context(request, rows, filters, scenario)
    if branch.head is None:
        truth = scenario
    else:
        truth = with_all_designs(scenario, world_of(branch.head))
    fleet_names = dict(fleets_of(branch=branch).values_list("key", "name"))
    context["fleet_name"] = fleet_names.get(filters.fleet, filters.fleet)
    tug_names: dict[str, str] = {}
    if tugs := {row.tug for row in context["page"] if row.tug}:
        tug_rows = ships_of(branch=branch).filter(key__in=tugs)
        tug_names = dict(tug_rows.values_list("key", "name"))
    crews = []
    for fleet, grouped in groupby(context["page"], key=lambda row: str(row.fleet)):
        fleet_ships = list(grouped)
        first = fleet_ships[0]
        lines = []
        for group in _group_equal_ships(fleet_ships):
            lines.append(_ship_line(truth, group, tug_names))
        crews.append(
            {
                "fleet": fleet_names.get(fleet, fleet),
                "seat": context["seats"][first.faction],
                "place": context["places"].get(first.hex, phrase("hex {}", first.hex)),
                "count": len(fleet_ships),
                "lines": lines,
            }
        )
    context["crews"] = crews
    context["classes"] = sorted(ship_classes(truth))
    return show(request, viewer, "ships", "ships", **context)


def _ship_line(
    scenario: Scenario, group: Sequence[Any], tug_names: Mapping[str, str]
) -> dict[str, Any]:
    """Return a line of the list of ships, for ships of equal class and state.

    Args:
        scenario: With the classes that factions designed.
        tug_names: The names of ships that tow, by key.
    """
    row = group[0]
    cls = ship_classes(scenario)[row.cls]
    settings = []
    for system, setting in row.settings:
        settings.append(phrase("{}: {}", system_words(system), setting))
    return {
        "row": row,
        "names": _join_names([ship.name for ship in group]),
        "count": len(group),
        "tug": tug_names.get(row.tug, row.tug),
        "points": cls.damage_points,
        "kind": cls.classification,
        "hull": hull_strip(scenario, cls, row.damage, row.stock),
        "class_name": phrase(short_class_name(row.cls)),
        "settings": join_phrases(", ", settings),
        "lost_systems": [system_words(system) for system in row.lost],
        "low_stores": [stock_words(system, remaining) for system, remaining in row.stock],
    }


@page(umpire=True)
def ledger(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the public ledger, newest row first."""
    pages = Paginator(ledger_of(campaign=viewer.campaign).order_by("-seq"), PAGE)
    return show(
        request,
        viewer,
        "ledger",
        "ledger",
        page=pages.get_page(request.GET.get("page")),
        search="",
        ledger_head=head_of(viewer.campaign),
    )


def _group_equal_ships(ships: Iterable[Any]) -> list[list[Any]]:
    """Group a fleet's ships of equal class and state."""
    groups: dict[str, list[Any]] = {}
    for row in ships:
        state = repr([getattr(row, name) for name in STATE_FIELDS])
        groups.setdefault(state, []).append(row)
    return list(groups.values())


def _join_names(names: Sequence[str]) -> str:
    """Join ship names, with a common prefix only once: `Warsaw 1, 2, 5`."""
    stem = names[0].rpartition(" ")[0] + " "
    if not all(name.startswith(stem) for name in names):
        return join_phrases(", ", names)
    endings = [name.removeprefix(stem) for name in names[1:]]
    return join_phrases(", ", [names[0], *endings])


def _list_context(
    request: HttpRequest, rows: QuerySet[Any], filters: ListFilter, scenario: Scenario
) -> dict[str, Any]:
    """Return the context that list pages share.

    Raises:
        NotFound: If the faction is not in this war.
    """
    query = request.GET.copy()
    query.pop("page", None)
    page: Page[Any] = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    numbers = seats(scenario)
    if filters.faction and filters.faction not in numbers:
        raise NotFound(phrase("there is no such faction"))
    places = named_hexes(scenario)
    items = []
    for row in page:
        place = places.get(row.hex, phrase("hex {}", row.hex))
        items.append({"row": row, "seat": numbers[row.faction], "place": place})
    return {
        "page": page,
        "rows": items,
        "seats": numbers,
        "places": places,
        "filters": filters,
        "is_search": any(astuple(filters)),
        "conditions": CONDITIONS,
        "search": query.urlencode(),
    }
