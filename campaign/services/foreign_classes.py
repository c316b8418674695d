"""The foreign classes that a faction has read in its battles, by the sheets and reports that were
handed to it.
"""

from __future__ import annotations

from functools import partial

from campaign.errors import NoViewer
from campaign.models.campaign import Campaign, Faction
from campaign.rules.foreign_classes import (
    Class,
    ForeignClass,
    foreign_classes,
    read_at_stops,
    read_in_report,
)
from campaign.sight.reports import battle_read, battles_told, stops_read, stops_told
from engine.core.cache import Cache

OVER = -1  # all sheets of a battle whose report was told: no more come

# By faction, battle and how many sheets of it there are, 0 for its report: what was handed out does
# not change.
_read: Cache[tuple[int, str, int], tuple[ForeignClass, ...]] = Cache(1024)


def foreign_classes_of(campaign: Campaign, faction: Faction) -> dict[Class, ForeignClass]:
    """What a faction knows of the classes of others."""
    found: list[ForeignClass] = []
    try:
        reports, stops = battles_told(campaign, faction), stops_told(campaign, faction)
    except NoViewer:  # the war has not begun
        return {}
    for told in reports:
        found += _read.made(
            (faction.pk, told.id, 0), partial(_in_report, campaign, faction, told.id)
        )
    sheets: dict[str, int] = {}
    for stop in stops:
        sheets[stop.battle] = sheets.get(stop.battle, 0) + 1
    for battle, many in sheets.items():
        key = (faction.pk, battle, many)
        found += _read.made(key, partial(_at_stops, campaign, faction, battle))
    return foreign_classes(found)


def read_in_a_battle(campaign: Campaign, faction: Faction, id_: str) -> tuple[ForeignClass, ...]:
    """What the sheets of one battle told a faction that has been told its report, by the faction's
    own id of it.
    """
    return _read.made((faction.pk, id_, OVER), partial(_at_stops, campaign, faction, id_))


def _in_report(campaign: Campaign, faction: Faction, id_: str) -> tuple[ForeignClass, ...]:
    report, _, body = battle_read(campaign, faction, id_)
    return read_in_report(body, report.week)


def _at_stops(campaign: Campaign, faction: Faction, battle: str) -> tuple[ForeignClass, ...]:
    return read_at_stops(stops_read(campaign, faction, battle))
