"""Searchable lists of fleets, ships and systems in the head's projection; and the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
        text_of("q"),
        text_of("faction"),
        text_of("hex"),
        text_of("fleet"),
        text_of("class"),
        text_of("condition"),
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
        ships_of = ships_by_fleet(world.ships)
        for item in context["rows"]:
            item["strength"] = strength_words(
                count_by_classification(truth, ships_of.get(item["row"].key, ()))
            )
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
    classes = ship_classes(truth)
    fleet_names = dict(fleets_of(branch=branch).values_list("key", "name"))
    context["fleet_name"] = fleet_names.get(filters.fleet, filters.fleet)
    tugs = {row.tug for row in context["page"] if row.tug}
    names = (
        dict(ships_of(branch=branch).filter(key__in=tugs).values_list("key", "name"))
        if tugs
        else {}
    )
    context["crews"] = [
        {
            "fleet": fleet_names.get(fleet, fleet),
            "seat": context["seats"][fleet_ships[0].faction],
            "place": context["places"].get(
                fleet_ships[0].hex, phrase("hex {}", fleet_ships[0].hex)
            ),
            "count": len(fleet_ships),
            "lines": [
                {
                    "row": row,
                    "names": _join_names([item.name for item in equal_ships]),
                    "count": len(equal_ships),
                    "tug": names.get(row.tug, row.tug),
                    "points": classes[row.cls].damage_points,
                    "kind": classes[row.cls].classification,
                    "hull": hull_strip(truth, classes[row.cls], row.damage, row.stock),
                    "called": short_class_name(row.cls),
                    "set": join_phrases(
                        ", ",
                        (
                            phrase("{}: {}", system_words(system), setting)
                            for system, setting in row.settings
                        ),
                    ),
                    "lost": [system_words(system) for system in row.lost],
                    "short": [stock_words(system, remaining) for system, remaining in row.stock],
                }
                for row, equal_ships in _group_equal_ships(fleet_ships)
            ],
        }
        for fleet, fleet_ships in (
            (fleet, list(of))
            for fleet, of in groupby(context["page"], key=lambda row: str(row.fleet))
        )
    ]
    context["classes"] = sorted(classes)
    return show(request, viewer, "ships", "ships", **context)


@page(umpire=True)
def ledger(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the public ledger, newest row first."""
    pages = Paginator(ledger_of(campaign=viewer.campaign).order_by("-seq"), PAGE)
    return show(
        request, viewer, "ledger", "ledger", page=pages.get_page(request.GET.get("page")), search=""
    )


def _group_equal_ships(ships: Iterable[Any]) -> list[tuple[Any, list[Any]]]:
    """Group a fleet's ships of equal class and state, each group with its first ship."""
    groups: dict[str, list[Any]] = {}
    for row in ships:
        groups.setdefault(repr([getattr(row, name) for name in STATE_FIELDS]), []).append(row)
    return [(group[0], group) for group in groups.values()]


def _join_names(names: Sequence[str]) -> str:
    """Join ship names, with a common prefix only once: `Warsaw 1, 2, 5`."""
    stem = names[0].rpartition(" ")[0] + " "
    if all(name.startswith(stem) for name in names):
        return join_phrases(", ", (names[0], *(name.removeprefix(stem) for name in names[1:])))
    return join_phrases(", ", names)


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
    return {
        "page": page,
        "rows": [
            {
                "row": row,
                "seat": numbers[row.faction],
                "place": places.get(row.hex, phrase("hex {}", row.hex)),
            }
            for row in page
        ],
        "seats": numbers,
        "places": places,
        "wanted": filters,
        "conditions": CONDITIONS,
        "search": query.urlencode(),
    }
