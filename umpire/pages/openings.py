"""The page on which an umpire reads what the umpires of a war have opened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.models.campaign import Campaign
from campaign.models.umpire_access import UmpireAccess
from campaign.rules.starmap import named_hexes
from campaign.selectors.truth import battles_of, stages_of
from campaign.services.umpire_access import RECORDED, accesses_of
from campaign.store.documents import scenario_of
from campaign.web.seat_marks import power_names
from engine.core.phrase import join_phrases, phrase
from umpire.pages.frame import branch_of, page, show, stage_title

LATEST = 300  # entries on the page
# A part of a stored subject: the parameter of an address, if it is named, and its value.
PART = re.compile(r"(?:(as|seq|stage|week|hex) )?(.+)")


@dataclass(frozen=True, slots=True)
class Opening:
    """Something that an umpire opened, in words.

    Attributes:
        subject: The faction, stage, week, hex or battle; empty: all.
    """

    name: str
    page: str
    subject: str
    at: datetime


@page(umpire=True)
def openings(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List what umpires opened, newest first."""
    rows = opening_rows(viewer.campaign, accesses_of(viewer.campaign)[:LATEST])
    return show(request, viewer, "openings", "ledger", openings=rows)


def opening_rows(campaign: Campaign, rows: Iterable[UmpireAccess]) -> list[Opening]:
    """Return entries of the record in words, in the given order."""
    entries = list(rows)
    subjects = _subjects_of(campaign) if entries else {}
    result = []
    for row in entries:
        parts = [_part_words(subjects, part) for part in row.subject.split(", ") if part]
        result.append(Opening(row.name, RECORDED[row.page], join_phrases(", ", parts), row.at))
    return result


def _subjects_of(campaign: Campaign) -> dict[str, str]:
    """Return factions, stages and battles in words, by how stored subjects name them."""
    branch = branch_of(campaign)
    scenario = scenario_of(campaign)
    places = named_hexes(scenario)
    subjects = dict(power_names(scenario))
    for stage in stages_of(branch=branch):
        subjects[str(stage.ordinal)] = stage_title(stage.week, stage.kind)
    for battle in battles_of(branch=branch):
        hex_ = battle.key.partition("/")[0]
        place = places.get(hex_, phrase("hex {}", hex_))
        subjects[str(battle.public_id)] = phrase("{}, week {}", place, battle.week)
    return subjects


def _part_words(subjects: Mapping[str, str], part: str) -> str:
    """Return a part of a stored subject in words."""
    match = PART.fullmatch(part)
    assert match is not None
    parameter, value = match.groups()
    if parameter == "week":
        return phrase("week {}", value)
    if parameter == "hex":
        return phrase("hex {}", value)
    words = subjects.get(value, value)
    if parameter == "as":
        return phrase("compared with {}", words)
    if parameter == "seq":
        return phrase("at the start of {}", words)
    return words
