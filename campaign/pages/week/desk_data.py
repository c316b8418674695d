"""What the admiral's desk is made of beside its form: the map, what is known now. As data.

Everything is the reader's View, the public scenario and his own draft.
"""

from __future__ import annotations

from campaign.forms.week.order_parts import items
from campaign.orders.move import MOVE
from campaign.orders.order import listed
from campaign.pages.drafts import EntryShown
from campaign.pages.week.known_of_me import known_told
from campaign.web import chart_data
from campaign.web.chart import Chart, routed
from campaign.web.war import War
from engine.core.cache import Cache

_kept: Cache[tuple[str, ...], chart_data.Data] = Cache(128)


def desk_data(war: War, entry: EntryShown, known: Chart) -> chart_data.Data:
    """The data of the page of a week's orders.

    `ways`: of the moves that are ordered, where none can be changed. `known`: the view's chart.
    """
    return {
        **_seen(war, known),
        "ways": _ways(war, entry) if entry.sealed or not entry.open else [],
    }


def _seen(war: War, known: Chart) -> chart_data.Data:
    """What depends on view and scenario alone: made once."""

    def made() -> chart_data.Data:
        scenario, view = war.scenario, war.sight.view
        return {
            "me": war.faction.key,
            "ground": chart_data.ground(scenario),
            "moment": chart_data.moment(scenario, view, known),
            "known": known_told(scenario, view),
        }

    return _kept.made(
        (war.id, war.viewer.campaign.scenario.sha256, war.faction.key, war.sight.etag), made
    )


def moves_of(war: War, entry: EntryShown) -> list[tuple[str, tuple[str, ...]]]:
    """The ways that a document orders, each from where its fleet is."""
    moves = (
        (
            str(move.get("fleet")),
            tuple(map(str, listed(move.get("path")))),
            str(move.get("to") or ""),
        )
        for move in items(entry.shown, MOVE.key)
    )
    return routed(war.scenario, war.sight.view, moves)


def _ways(war: War, entry: EntryShown) -> list[chart_data.Data]:
    return [{"fleet": fleet, "hexes": [way[0], way[-1]]} for fleet, way in moves_of(war, entry)]
