"""Lists with search and filters, from the projection of the head: fleets, ships, systems; and the
ledger.
"""

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
from campaign.errors import NotThere
from campaign.rules.queries import in_truth, plain_class, ship_classes, ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import named_hexes
from campaign.selectors.truth import CONDITIONS, fleets_of, ledger_of, ships_of, world_of
from campaign.store.documents import scenario_of
from campaign.web.seat_marks import seats
from campaign.web.ship_drawings import hull_strip
from campaign.words.sayings import counted, strength_words
from campaign.words.stock import stock_words
from engine.core.phrase import joined_phrases, phrase
from engine.english import system_words
from umpire.pages.desk import branch_of, page, show

PAGE = 50
NUMBERED = (Length("key"), "key")  # keys end in numbers: the tenth comes after the second
LONGEST = 80  # of a search text
# of a ship, besides its name
SHOWN = ("cls", "damage", "lost", "stock", "docked", "tug", "laid_up", "cargo", "settings")


@dataclass(frozen=True, slots=True)
class ListFilter:
    """A search in a list: a text and filters, as they stood in the form."""

    text: str
    faction: str
    hex: str
    fleet: str
    cls: str
    condition: str


def wanted_of(query: QueryDict) -> ListFilter:
    """Read the search of an address.

    Long texts are cut; unknown values find nothing (factions: see `_listed`).
    """

    def given(name: str) -> str:
        return query.get(name, "").strip()[:LONGEST]

    return ListFilter(
        given("q"),
        given("faction"),
        given("hex"),
        given("fleet"),
        given("class"),
        given("condition"),
    )


@page(umpire=True)
def fleets(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The fleets as they stand, faction by faction, each with its ships by classification."""
    wanted, scenario = wanted_of(request.GET), scenario_of(viewer.campaign)
    branch = branch_of(viewer.campaign)
    rows = fleets_of(
        branch=branch,
        hex=wanted.hex,
        faction=wanted.faction,
        text=wanted.text,
        condition=wanted.condition,
    ).order_by("faction", *NUMBERED)
    listed = _listed(request, rows, wanted, scenario)
    if branch.head is not None:
        world = world_of(branch.head)
        truth, crews = in_truth(scenario, world), ships_by_fleet(world.ships)
        for item in listed["rows"]:
            item["strength"] = strength_words(counted(truth, crews.get(item["row"].key, ())))
    return show(request, viewer, "fleets", "fleets", **listed)


@page(umpire=True)
def ships(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The ships as they are, faction by faction and fleet by fleet."""
    wanted, scenario = wanted_of(request.GET), scenario_of(viewer.campaign)
    branch = branch_of(viewer.campaign)
    rows = ships_of(
        branch=branch,
        fleet=wanted.fleet,
        cls=wanted.cls,
        hex=wanted.hex,
        faction=wanted.faction,
        text=wanted.text,
        condition=wanted.condition,
    ).order_by("faction", Length("fleet"), "fleet", *NUMBERED)
    listed = _listed(request, rows, wanted, scenario)
    truth = scenario if branch.head is None else in_truth(scenario, world_of(branch.head))
    classes = ship_classes(truth)
    fleet_names = dict(fleets_of(branch=branch).values_list("key", "name"))
    listed["fleet_name"] = fleet_names.get(wanted.fleet, wanted.fleet)
    tugs = {row.tug for row in listed["page"] if row.tug}
    names = (
        dict(ships_of(branch=branch).filter(key__in=tugs).values_list("key", "name"))
        if tugs
        else {}
    )
    listed["crews"] = [
        {
            "fleet": fleet_names.get(fleet, fleet),
            "seat": listed["seats"][crew[0].faction],
            "place": listed["places"].get(crew[0].hex, phrase("hex {}", crew[0].hex)),
            "count": len(crew),
            "lines": [
                {
                    "row": row,
                    "names": _together([one.name for one in same]),
                    "count": len(same),
                    "tug": names.get(row.tug, row.tug),
                    "points": classes[row.cls].damage_points,
                    "kind": classes[row.cls].classification,
                    "hull": hull_strip(truth, classes[row.cls], row.damage, row.stock),
                    "called": plain_class(row.cls),
                    "set": joined_phrases(
                        ", ",
                        (
                            phrase("{}: {}", system_words(system), setting)
                            for system, setting in row.settings
                        ),
                    ),
                    "lost": [system_words(system) for system in row.lost],
                    "short": [stock_words(system, left) for system, left in row.stock],
                }
                for row, same in _alike(crew)
            ],
        }
        for fleet, crew in (
            (fleet, list(of))
            for fleet, of in groupby(listed["page"], key=lambda row: str(row.fleet))
        )
    ]
    listed["classes"] = sorted(classes)
    return show(request, viewer, "ships", "ships", **listed)


@page(umpire=True)
def ledger(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The public ledger, the newest row first."""
    pages = Paginator(ledger_of(campaign=viewer.campaign).order_by("-seq"), PAGE)
    return show(
        request, viewer, "ledger", "ledger", page=pages.get_page(request.GET.get("page")), search=""
    )


def _alike(crew: Iterable[Any]) -> list[tuple[Any, list[Any]]]:
    """The ships of a fleet, those of a class and in the same state together, each with the first of
    them.
    """
    found: dict[str, list[Any]] = {}
    for row in crew:
        found.setdefault(repr([getattr(row, name) for name in SHOWN]), []).append(row)
    return [(same[0], same) for same in found.values()]


def _together(names: Sequence[str]) -> str:
    """Names of ships in a row; what all begin with stands once: `Warsaw 1, 2, 5`."""
    stem = names[0].rpartition(" ")[0] + " "
    if all(name.startswith(stem) for name in names):
        return joined_phrases(", ", (names[0], *(name.removeprefix(stem) for name in names[1:])))
    return joined_phrases(", ", names)


def _listed(
    request: HttpRequest, rows: QuerySet[Any], wanted: ListFilter, scenario: Scenario
) -> dict[str, Any]:
    """What the pages of lists share. Raises NotThere for a faction that is not in this war."""
    query = request.GET.copy()
    query.pop("page", None)
    shown: Page[Any] = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    numbers = seats(scenario)
    if wanted.faction and wanted.faction not in numbers:
        raise NotThere(phrase("there is no such faction"))
    places = named_hexes(scenario)
    return {
        "page": shown,
        "rows": [
            {
                "row": row,
                "seat": numbers[row.faction],
                "place": places.get(row.hex, phrase("hex {}", row.hex)),
            }
            for row in shown
        ],
        "seats": numbers,
        "places": places,
        "wanted": wanted,
        "conditions": CONDITIONS,
        "search": query.urlencode(),
    }
