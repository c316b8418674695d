"""A single battle played online that begins with the set-up phase."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from campaign.models import Campaign, Stage
from campaign.rules.files import SHIPS, load_sheets
from campaign.rules.skirmish import skirmish_scenario
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.phases import Fight, fights_of, newest_sheet
from campaign.services.scenarios import scenario_import
from campaign.store.battle_documents import PhaseSheet
from tests.sealing import stop_seal
from umpire.services.battle_phases import phase_resolve
from umpire.services.wars import campaign_start, seed_from

EDITION = "second-edition"
MEETING = {"zones": {"nac": {"edge": "left", "ftl": True}, "esu": {"edge": "right"}}}
FLEETS = {"nac": ("Heavy Cruiser", "Frigate", "Frigate"), "esu": ("Light Cruiser", "Destroyer")}


class SetUpBattle:
    """The battle, its campaign and its players, whose names begin like their sides."""

    def __init__(
        self,
        deployment: dict[str, Any] | None = None,
        *,
        names: dict[str, str] | None = None,
        asteroids: object = None,
        **keys: Any,
    ) -> None:
        """Open the battle; `keys` are further keys of its file."""
        names = names or {key: f"{key}-player" for key in FLEETS}
        title: dict[object, object] = {
            "slug": "set-up",
            "version": 1,
            "name": "Set-up",
            "edition": EDITION,
            "intro": "A battle with a set-up.",
            "factions": [{"id": key, "name": key.upper()} for key in FLEETS],
        }
        sides = []
        for key, classes in FLEETS.items():
            ships = [{"id": f"{key[0]}{n}", "class": cls} for n, cls in enumerate(classes, 1)]
            sides.append({"name": key, "ships": ships})
        battle = {
            "edition": EDITION,
            "table": [72, 48],
            "deployment": deployment or MEETING,
            "asteroids": asteroids or [{"at": [4, 40], "radius": 2}],
            "sides": sides,
            **keys,
        }
        sheets = load_sheets(SHIPS / f"{EDITION}.yaml", ())
        self.campaign: Campaign = campaign_create(
            scenario=scenario_import(scenario=skirmish_scenario(title, battle, sheets)),
            battles="online",
            seed=seed_from(7),
            dice_key="set-up",
        )
        self.factions = {row.key: row for row in self.campaign.factions.all()}
        self.users: dict[str, User] = {}
        for key, name in names.items():
            self.users[key], _ = User.objects.get_or_create(username=name)
            membership_add(
                campaign=self.campaign,
                user=self.users[key],
                role="player",
                faction=self.factions[key],
            )
        campaign_start(campaign=self.campaign)
        self.campaign.refresh_from_db()

    def fight(self, key: str) -> Fight:
        (fight,) = fights_of(self.campaign, self.factions[key])
        return fight

    def sheet(self, key: str) -> PhaseSheet:
        return newest_sheet(self.campaign, self.factions[key], self.fight(key))

    def seal(self, key: str, **places: Any) -> None:
        """Seal these places, or the captain's proposal."""
        payload = {"set_up": places} if places else self.sheet(key)["advice"]
        stop_seal(fight=self.fight(key), faction=self.factions[key], payload=payload)

    def resolve(self) -> None:
        stage = Stage.objects.get(battle__branch=self.campaign.head_branch, status="open")
        assert phase_resolve(stage=stage.pk)
