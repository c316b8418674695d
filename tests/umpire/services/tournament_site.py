"""Tournaments of small battles on the site, for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from campaign.models import Stage, Tournament, TournamentMatch
from campaign.rules.files import scenario_from
from campaign.rules.timetable import timetable_of
from campaign.selectors.tournaments import link_token
from campaign.services.scenarios import scenario_import
from campaign.services.tournaments import (
    TournamentSettings,
    tournament_create,
    tournament_join,
)
from tests.umpire.services.mustered_battle import scenario_file
from umpire.services.stages import stage_resolve
from umpire.services.tournaments import results_store

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def user_named(name: str) -> User:
    """Return the user of this name."""
    user, _ = User.objects.get_or_create(username=name)
    return user


def duel(**battle: Any) -> dict[str, Any]:
    """Return the scenario of two frigates that meet for two turns."""
    sides = []
    for name in ("red", "blue"):
        sides.append({"name": name, "ships": [{"id": f"{name}-1", "class": "Frigate"}]})
    keys = {"sides": sides, "deployment": {"kind": "meeting"}, "max_turns": 2, "scoring": "losses"}
    document = scenario_file(**{**keys, **battle})
    document["battle"].pop("points")
    document["battle"].pop("bogeys")
    return document


def open_tournament(
    *players: str, document: dict[str, Any] | None = None, by: str = "olga", **settings: Any
) -> Tournament:
    """Open a tournament that these players have joined.

    Args:
        by: The name of the organiser.
    """
    scenario = scenario_import(scenario=scenario_from(document or duel()))
    chosen = {"name": "Friday Cup", "timetable": timetable_of("solo"), "battles": "captains"}
    tournament = tournament_create(
        user=user_named(by),
        scenario=scenario,
        settings=TournamentSettings(**{**chosen, **settings}),
        now=NOW,
    )
    for name in players:
        tournament_join(
            user=user_named(name),
            public_id=tournament.public_id,
            token=link_token(tournament),
        )
    return tournament


def fight_all(tournament: Tournament, hours: int = 1) -> None:
    """Let captains fight all open battles of a tournament to their end, and store the results."""
    matches = TournamentMatch.objects.filter(round__tournament=tournament, ended_at__isnull=True)
    for match in matches:
        stages = Stage.objects.filter(
            branch__headed__tournament_match=match, battle=None, status="open"
        )
        while stage := stages.first():
            stage_resolve(stage=stage.pk, force=True)
    results_store(now=NOW + timedelta(hours=hours))
