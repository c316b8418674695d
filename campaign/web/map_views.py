"""The star map as a picture with lists, for players and umpires, cached under the view's hash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from campaign.rules.hexes import on_map
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import reachable_hexes
from campaign.rules.view import View
from campaign.web import chart_data
from campaign.web.chart import Chart, chart, open_marks
from campaign.web.hexmap import MapBackground, map_background, names_layer
from campaign.web.map_place import MapPlace, map_place
from campaign.web.mini_map import mini_map
from campaign.web.seat_marks import seat_classes
from campaign.web.war import War
from engine.core.cache import Cache
from engine.core.phrase import phrase

HEX_LABEL_LENGTH = 4  # characters of a label such as 0405


class MapView:
    """A map for the page: its picture and its lists, each rendered on first use."""

    def __init__(self, context: Mapping[str, Any], scenario: Scenario, view: View) -> None:
        self.context = dict(context)
        self.scenario = scenario
        self.view = view

    @property
    def chart(self) -> Chart:
        """The chart of the view."""
        star_chart: Chart = self.context["chart"]
        return star_chart

    @cached_property
    def overview(self) -> SafeString:
        """The whole map, small. Without scripts the large picture starts at its corner."""
        mini = mini_map(self.scenario, self.view, self.chart)
        return render_to_string("campaign/_mini_map.html", {"mini": mini, "c": self.context["c"]})

    @cached_property
    def picture(self) -> SafeString:
        """The large map as a picture."""
        return render_to_string("campaign/map_picture.html", self.context)

    @property
    def lists(self) -> SafeString:
        """What the picture shows as lists."""
        return render_to_string("campaign/map_lists.html", self.context)

    def place(self, hex_: str, place_text: str) -> MapPlace:
        """Return what is known about a hex of the map."""
        return map_place(self.chart, self.context["marks"], hex_, place_text)


_map_views: Cache[tuple[object, ...], MapView] = Cache(256)


def map_view_of(
    war: War,
    *,
    chosen: str = "",
    ways: Iterable[tuple[str, tuple[str, ...]]] = (),
    is_past: bool = False,
    is_second_map: bool = False,
    to: str = "",
) -> MapView:
    """Return the map of a view, cached under the view's hash because views never change.

    Args:
        chosen: The fleet whose reach is shown.
        ways: (fleet, hexes from its present one) of each route.
        is_past: Whether it is an earlier view.
        is_second_map: Whether it appears beside a form; its marks lead to the form's fleets.
        to: Address that the marks lead to, if it is another page.
    """
    routes = tuple(ways)
    key = (
        war.id,
        war.viewer.campaign.scenario.sha256,
        war.faction.key,
        war.sight.etag,
        chosen,
        routes,
        is_past,
        is_second_map,
        to,
    )

    def draw() -> MapView:
        context = {
            "c": war.id,
            "chart": chart(war.scenario, war.sight.view, chosen=chosen, ways=routes),
            "marks": open_marks(war.scenario, war.sight.view),
            "ground": _background(war),
            "seat": seat_classes(war.scenario)[war.faction.key],
            "names": _trusted(names_layer(war.scenario)),
            "then": is_past,
            "beside": is_second_map,
            "to": to,
        }
        return MapView(context, war.scenario, war.sight.view)

    return _map_views.get_or_make((get_language(), *key), draw)


def requested_hex(request: HttpRequest, scenario: Scenario) -> str:
    """Return the hex in `?hex=`, or "".

    Raises:
        Http404: If it is not on the map.
    """
    label = request.GET.get("hex", "")
    if label and not on_map(label, scenario.columns, scenario.rows):
        raise Http404(phrase("there is no such hex"))
    return label


def hex_fault(request: HttpRequest, scenario: Scenario) -> str:
    """Return why there is no such hex as in `?hex=`, as a sentence, or ""."""
    label = request.GET.get("hex", "")
    if not label or on_map(label, scenario.columns, scenario.rows):
        return ""
    return phrase(
        "There is no hex {} on this map. Its columns are 01 to {}, its rows 01 to {}.",
        label[:HEX_LABEL_LENGTH],
        f"{scenario.columns:02}",
        f"{scenario.rows:02}",
    )


def map_data(war: War, chosen: str, star_chart: Chart) -> chart_data.Data:
    """Return the data for the script of a read-only map (`static/js/map.js`).

    Args:
        chosen: The fleet whose reach is shown, or "".
        star_chart: The view's chart.
    """
    reach = reachable_hexes(war.scenario, war.sight.view, chosen) if chosen else ()
    return {
        "me": war.faction.key,
        "ground": chart_data.static_map_data(war.scenario),
        "moment": chart_data.moment_data(war.scenario, war.sight.view, star_chart),
        "reach": [label for label, _ in reach],
    }


def _background(war: War) -> MapBackground:
    return map_background(war.scenario, war.viewer.campaign.scenario.sha256)


def _trusted(layer: str) -> SafeString:
    return mark_safe(layer)  # noqa: S308 (made by hexmap, which escapes every name)
