"""Data for the scripts of the orders page: the map and what the faction knows now.

Everything comes from the reader's view, the public scenario and the reader's draft.
"""

from __future__ import annotations

from campaign.forms.week.order_parts import items
from campaign.orders.move import MOVE
from campaign.pages.entry_page import EntryState
from campaign.pages.week.visibility import visibility_data
from campaign.rules.codec import as_list
from campaign.web import chart_data
from campaign.web.chart import Chart, routes_of
from campaign.web.war import War
from engine.core.cache import Cache

_cache: Cache[tuple[str, ...], chart_data.Data] = Cache(128)


def orders_data(war: War, entry: EntryState, star_chart: Chart) -> chart_data.Data:
    """Return the data of the orders page.

    Routes are included only if the orders can no longer be changed.

    Args:
        star_chart: The view's chart.
    """
    can_change = entry.is_open and not entry.sealed
    return {
        **_sight_data(war, star_chart),
        "ways": [] if can_change else _route_data(war, entry),
    }


def _sight_data(war: War, star_chart: Chart) -> chart_data.Data:
    """Return what depends on view and scenario alone, cached."""

    def build_data() -> chart_data.Data:
        scenario, view = war.scenario, war.sight.view
        return {
            "me": war.faction.key,
            "ground": chart_data.static_map_data(scenario),
            "moment": chart_data.moment_data(scenario, view, star_chart),
            "known": visibility_data(scenario, view),
        }

    return _cache.get_or_make(
        (war.id, war.viewer.campaign.scenario.sha256, war.faction.key, war.sight.etag), build_data
    )


def moves_of(war: War, entry: EntryState) -> list[tuple[str, tuple[str, ...]]]:
    """Return the routes that a document orders, each from its fleet's present hex."""
    moves = []
    for move in items(entry.shown_payload, MOVE.key):
        path = tuple(map(str, as_list(move.get("path"))))
        moves.append((str(move.get("fleet")), path, str(move.get("to") or "")))
    return routes_of(war.scenario, war.sight.view, moves)


def _route_data(war: War, entry: EntryState) -> list[chart_data.Data]:
    """Return the first and last hex of each ordered route; the map's script draws the rest."""
    result: list[chart_data.Data] = []
    for fleet, route in moves_of(war, entry):
        result.append({"fleet": fleet, "hexes": [route[0], route[-1]]})
    return result
