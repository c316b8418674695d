"""A war at its first battle, fought online: Ember at Frost's world."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from campaign import models
from campaign.rules.files import fixture_scenario
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.orders import WeekOrders
from campaign.services.phases import Fight, fights_of, newest_sheet, phase_violations
from campaign.services.scenarios import scenario_import
from campaign.store.battle_documents import PhaseSheet
from tests.row_cache import build_once
from tests.sealing import orders_seal, stop_seal
from tests.umpire.services.wars import ATTACK, play_until
from umpire.services.battle_phases import phase_resolve
from umpire.services.wars import campaign_start

TIMETABLE: dict[str, Any] = {"schema": 1, "zone": "UTC", "hours": {}, "early_close": None}


SHARE = "5a" * 32  # of one side; the server fills in those of the others


class OnlineWar:
    """The war, its week's stage, and its battle.

    By the rules of version 1.0 the battle begins with the plots of turn 1, without a set-up.
    """

    def __init__(
        self,
        *,
        players: tuple[str, ...] = ("ember", "frost"),
        timetable: dict[str, Any] | None = None,
        battles: str = "online",
        umpire: bool = False,
        seed: str = "7" * 64,
        rules: str = "1.0",
        commanders: tuple[str, ...] = (),
    ) -> None:
        """Return the war.

        Args:
            commanders: The factions that take command, in a war where players choose.
        """

        def build() -> dict[str, Any]:
            self._build(players, timetable, battles, umpire, seed, rules, commanders)
            return self.__dict__

        how = f"{'+'.join(players)} {battles} {umpire} {seed} {rules} {commanders}"
        self.__dict__ = build() if timetable else build_once(f"fights {how}", build)

    def _build(
        self,
        players: tuple[str, ...],
        timetable: dict[str, Any] | None,
        battles: str,
        umpire: bool,
        seed: str,
        rules: str,
        commanders: tuple[str, ...],
    ) -> None:
        self.campaign: models.Campaign = campaign_create(
            scenario=scenario_import(scenario=fixture_scenario("first-steps")),
            timetable=TIMETABLE | (timetable or {}),
            admirals={"ember": ATTACK},
            battles=battles,
            seed=seed,
            dice_key="online",
        )
        self.campaign.ruleset["rules_version"] = rules
        self.campaign.save(update_fields=["ruleset"])
        self.factions = {row.key: row for row in self.campaign.factions.all()}
        self.users: dict[str, User] = {}
        for key in players:
            user, _ = User.objects.get_or_create(username=f"player-{key}")
            self.users[key] = user
            membership_add(
                campaign=self.campaign, user=user, role="player", faction=self.factions[key]
            )
        if umpire:
            self.users["umpire"], _ = User.objects.get_or_create(username="umpire")
            membership_add(campaign=self.campaign, user=self.users["umpire"], role="umpire")
        stage = play_until("decisions", campaign_start(campaign=self.campaign))
        for key in commanders:
            self._take_command(stage, key)
        self.stage: models.Stage = play_until("battles", stage)
        self.battle = models.Battle.objects.get(branch__campaign=self.campaign)

    def _take_command(self, stage: models.Stage, key: str) -> None:
        """Seal decisions to fight in person wherever a faction has met others."""
        decisions = []
        for item in WeekOrders(stage, self.factions[key]).view.open_decisions:
            decisions.append({"hex": item.hex, "toward": item.toward, "choice": "fight"})
        commands = [{"hex": item["hex"], "by": "player"} for item in decisions]
        payload = {"schema": 1, "decide": decisions, "take_command": commands}
        orders_seal(stage=stage, faction=self.factions[key], payload=payload)

    def fight(self, key: str) -> Fight:
        (online_fight,) = fights_of(self.campaign, self.factions[key])
        return online_fight

    def sheet(self, key: str) -> PhaseSheet:
        return newest_sheet(self.campaign, self.factions[key], self.fight(key))

    def advice(self, key: str) -> dict[str, Any]:
        return {**self.sheet(key)["advice"]}

    def seal(self, key: str, payload: Any = None, **more: Any) -> Any:
        """Seal orders, or the captain's proposal."""
        orders = self.advice(key) if payload is None else payload
        return stop_seal(fight=self.fight(key), faction=self.factions[key], payload=orders, **more)

    def open_phase(self) -> models.Stage | None:
        return models.Stage.objects.filter(battle=self.battle, status="open").first()

    def orders(self, key: str, fleeing: str) -> dict[str, Any]:
        """Return the captain's proposal; a fleeing side warms up the drives of all its ships."""
        sheet = self.sheet(key)
        away = {"plot": dict.fromkeys(sheet["mine"], "ftl")}
        if key == fleeing and sheet["kind"] == "plot" and not phase_violations(sheet, away):
            return away
        return {**sheet["advice"]}

    def play(self, *, now: datetime | None = None, most: int = 200, fleeing: str = "") -> int:
        """Play the captains' proposals until the battle is over or so many phases; return how many.

        Args:
            fleeing: The faction that leaves under FTL at once.
        """
        for number in range(most):
            stage = self.open_phase()
            if stage is None:
                return number
            for key in self.users:
                if key in self.factions and self.fight(key).state == "open":
                    share = SHARE if key == "ember" else ""
                    self.seal(key, self.orders(key, fleeing), now=now, share=share)
            assert phase_resolve(stage=stage.pk, now=now)
        return most
