"""A war at its first battle, which is fought at a table."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from django.contrib.auth.models import User

from campaign.models import Battle, Campaign, Faction, Stage
from campaign.rules.files import fixture_scenario
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.scenarios import scenario_import
from campaign.services.tables import tables_of
from tests.row_cache import build_once
from tests.sealing import orders_seal, table_seal
from tests.umpire.services.wars import ATTACK, play_until
from umpire.services.tables import table_compare
from umpire.services.wars import campaign_start


class TableWar:
    """A war at its first battles, Ember at Frost's world, both with a player."""

    def __init__(
        self, *, players: tuple[str, ...] = ("ember", "frost"), umpire: bool = False
    ) -> None:
        def build() -> dict[str, Any]:
            self._build(players, umpire)
            return self.__dict__

        self.__dict__ = build_once(f"at a table {'+'.join(players)} {umpire}", build)

    def _build(self, players: tuple[str, ...], umpire: bool) -> None:
        scenario = scenario_import(scenario=fixture_scenario("first-steps"))
        self.campaign: Campaign = campaign_create(
            scenario=scenario,
            battles="table",
            admirals={"ember": ATTACK},
            seed="7" * 64,
            dice_key="tables",
        )
        self.factions: dict[str, Faction] = {row.key: row for row in self.campaign.factions.all()}
        self.people: dict[str, User] = {}
        for key in players:
            user = self.people[key] = User.objects.create_user(key)
            membership_add(
                campaign=self.campaign, user=user, role="player", faction=self.factions[key]
            )
        if umpire:
            self.umpire = User.objects.create_user("umpire")
            membership_add(campaign=self.campaign, user=self.umpire, role="umpire")
        self.stage: Stage = play_until("battles", campaign_start(campaign=self.campaign))
        self.battle = Battle.objects.get(branch__campaign=self.campaign)

    def table(self, key: str) -> Any:
        (found_table,) = tables_of(self.campaign, self.factions[key])
        return found_table

    def draft(self, key: str) -> dict[str, Any]:
        """Return the result that the faction's form begins with."""
        table = self.table(key)
        return deepcopy(dict(table.stage.drafts.get(faction=self.factions[key]).payload))

    def seal(self, key: str, payload: dict[str, Any]) -> Any:
        return table_seal(table=self.table(key), faction=self.factions[key], payload=payload)

    def doctrines(self) -> None:
        for faction in self.factions.values():
            orders_seal(stage=self.stage, faction=faction, payload={"schema": 1})

    def codes(self) -> dict[str, str]:
        """Return the contact code of every ship by its id."""
        return {
            ship["id"]: ship["contact"]
            for side in self.battle.start["sides"]
            for ship in side["ships"]
        }

    def seal_same(self, hurt: int = 1) -> None:
        """Let both enter the same: Frost's first ship lost some boxes, its drones were identified."""
        for key, payload in self.agreed_entries(hurt).items():
            self.seal(key, payload)
        assert table_compare(stage=self.table("ember").stage.pk) == "agreed"

    def agreed_entries(self, hurt: int) -> dict[str, dict[str, Any]]:
        entries = {key: self.draft(key) for key in ("ember", "frost")}
        ship = self.first_ship("frost")
        entries["frost"]["ships"][ship]["damage"] = hurt
        entries["ember"]["ships"][self.codes()[ship]]["damage"] = hurt
        return entries

    def first_ship(self, side: str) -> str:
        """Return the first real ship of a side."""
        ships = next(part["ships"] for part in self.battle.start["sides"] if part["name"] == side)
        return str(next(ship["id"] for ship in ships if not ship.get("dummy")))
