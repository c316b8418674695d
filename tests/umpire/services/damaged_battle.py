"""A single online battle of Continuum whose first side begins with lost systems."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.contrib.auth.models import User

from campaign import models
from campaign.rules.files import fixture_scenario
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.scenarios import scenario_import
from tests.umpire.services.online_war import TIMETABLE, OnlineWar
from umpire.services.battle_phases import phase_resolve
from umpire.services.wars import campaign_start

OWN_FACTION, OTHER_FACTION = "nac", "esu"
LOST_SYSTEMS = ["firecon-1", "drive"]


class DamagedBattle(OnlineWar):
    """The battle in its first phase, or at its first damage control."""

    def __init__(self, *, at_control: bool = True) -> None:
        scenario = fixture_scenario("meeting-engagement")
        sides: list[dict[str, Any]] = [
            {
                **side,
                "ships": [
                    {**ship, "lost": LOST_SYSTEMS} if side["name"] == OWN_FACTION else ship
                    for ship in side["ships"]
                ],
            }
            for side in scenario.battle["sides"]
        ]
        battle = {**scenario.battle, "sides": sides, "deployment": "meeting"}  # without a set-up
        scenario = dataclasses.replace(scenario, battle=battle)
        self.campaign: models.Campaign = campaign_create(
            scenario=scenario_import(scenario=scenario),
            timetable=TIMETABLE,
            battles="online",
            seed="7" * 64,
            dice_key="damaged",
        )
        self.factions = {row.key: row for row in self.campaign.factions.all()}
        self.users: dict[str, User] = {}
        for key in (OWN_FACTION, OTHER_FACTION):
            self.users[key], _ = User.objects.get_or_create(username=f"player-{key}")
            membership_add(
                campaign=self.campaign,
                user=self.users[key],
                role="player",
                faction=self.factions[key],
            )
        self.stage: models.Stage = campaign_start(campaign=self.campaign)
        self.battle = models.Battle.objects.get(branch__campaign=self.campaign)
        if at_control:
            self.play(most=1)  # nothing is in range in the first turn, so its fire phase is skipped

    def resolve_phase(self) -> None:
        """Resolve the present phase."""
        stage = self.open_phase()
        assert stage is not None
        assert phase_resolve(stage=stage.pk)
