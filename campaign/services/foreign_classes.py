"""What a faction knows of foreign ship classes from the sheets and reports of its battles."""

from __future__ import annotations

from collections import Counter
from functools import partial

from campaign.errors import NoViewer
from campaign.models.campaign import Campaign, Faction
from campaign.rules.foreign_classes import (
    Class,
    ForeignClass,
    merge_readings,
    read_at_phases,
    read_in_report,
)
from campaign.sight.reports import list_battles, list_phases, read_battle_report, read_phases
from engine.core.cache import Cache

REPORT = 0  # in cache keys, instead of a number of sheets: read from the report
ALL_SHEETS = -1  # likewise: from all sheets of a battle whose report exists, so none will follow

# Keys: faction, battle, and the number of its sheets that were read. Sheets never change.
_cache: Cache[tuple[int, str, int], tuple[ForeignClass, ...]] = Cache(1024)


def foreign_classes_of(
    campaign: Campaign, faction: Faction, up_to: int | None = None
) -> dict[Class, ForeignClass]:
    """Return what a faction knows of other factions' classes.

    Args:
        up_to: Only from battles whose report is of this snapshot or an earlier one.
    """
    readings: list[ForeignClass] = []
    try:
        reports = list_battles(campaign, faction)
        phases = list_phases(campaign, faction)
    except NoViewer:  # the war has not begun
        return {}
    included = {report.id for report in reports if up_to is None or report.seq <= up_to}
    for report in reports:
        if report.id not in included:
            continue
        readings += _cache.get_or_make(
            (faction.pk, report.id, REPORT),
            partial(_classes_in_report, campaign, faction, report.id),
        )
    sheet_counts = Counter(phase.battle for phase in phases)
    for battle, count in sheet_counts.items():
        if up_to is not None and battle not in included:
            continue
        key = (faction.pk, battle, count)
        readings += _cache.get_or_make(key, partial(_classes_on_sheets, campaign, faction, battle))
    return merge_readings(readings)


def classes_in_battle(campaign: Campaign, faction: Faction, id_: str) -> tuple[ForeignClass, ...]:
    """Return what the sheets of one battle told a faction that has its report.

    Args:
        id_: The faction's outside id of the battle.
    """
    return _cache.get_or_make(
        (faction.pk, id_, ALL_SHEETS), partial(_classes_on_sheets, campaign, faction, id_)
    )


def _classes_in_report(campaign: Campaign, faction: Faction, id_: str) -> tuple[ForeignClass, ...]:
    """Read what the report of a battle says about foreign classes."""
    report, _, body = read_battle_report(campaign, faction, id_)
    return read_in_report(body, report.week)


def _classes_on_sheets(
    campaign: Campaign, faction: Faction, battle: str
) -> tuple[ForeignClass, ...]:
    """Read what the sheets of a battle, one for each phase so far, say about foreign classes."""
    return read_at_phases(read_phases(campaign, faction, battle))
