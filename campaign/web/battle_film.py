"""What happened in the newest phases of an online battle, as a film for the battle's page.

A film is the document of a replay (`campaign.replays.replay.document_of`) of the phases since one
that the player has seen. It is made from the sheets that the side has received, so nothing in it is
known later or by others.
"""

from __future__ import annotations

from typing import Any

from campaign.replays.replay import document_of
from campaign.services.phases import Fight
from campaign.sight.reports import read_phases, report_so_far
from campaign.web.replays import side_replay
from campaign.web.war import War
from campaign.words.battle.log import SideNames

MAX_PHASES = 3  # phases in a film; a player who has missed more reads about them in the log


def film_since(war: War, fight: Fight, names: SideNames, number: int) -> dict[str, Any] | None:
    """Return the film of what happened since a phase, or None if there was no further phase.

    Args:
        names: The names of everything on the table, from all phases.
        number: The number of the phase that the player has seen.
    """
    first = max(number, fight.last.number - MAX_PHASES, 0)
    sheets = [
        sheet
        for sheet in read_phases(war.viewer.campaign, war.faction, fight.id)
        if sheet["number"] >= first
    ]
    if len(sheets) < 2:
        return None
    film = document_of(side_replay(war.scenario, report_so_far(sheets), war.sight.view, names))
    film["moments"][0].pop("say", None)  # it says how the battle begins
    return film
