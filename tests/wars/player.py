"""A scripted player who searches every answer for forbidden names, and keeps all documents."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.rules.orders import Orders
from tests.site.running import SiteAnswer
from tests.wars.record_checks import FLEET_NAME_PREFIX, PlayerRecord
from tests.wars.script import Script


@dataclass
class Player(Script):
    """A program that searches every answer for what it should not contain.

    Attributes:
        asked: The number of requests, by method.
    """

    faction: str = ""
    others: tuple[str, ...] = ()
    record: PlayerRecord = field(default_factory=lambda: PlayerRecord(""))
    request_count: Counter[str] = field(default_factory=Counter)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> SiteAnswer:
        answered = super().call(method, path, body, **headers)
        self.request_count[method] += 1
        self.record.read_answer(path, answered.body.decode(), self.others)
        return answered

    def revise_orders(self, orders: Orders) -> Orders:
        """Give its fleets unmistakable names."""
        fleets = (
            replace(fleet, name=f"{FLEET_NAME_PREFIX}{self.faction} {n}")
            for n, fleet in enumerate(orders.deploy, 1)
        )
        return replace(orders, deploy=tuple(fleets))

    def wait(self, ordinal: int) -> Any:
        """Fight where asked, until the stage is over."""
        return self.fight_on([], ordinal)

    def gather_record(self) -> PlayerRecord:
        """Return all its documents after the war."""
        then = [
            f"?week={stage['week']}&stage={stage['kind']}"
            for stage in self.get("stages/")["stages"]
        ]
        self.record.views = [self.get(f"view/{item}")["view"] for item in (*then, "")]
        self.record.battles = [
            self.get(f"battles/{item['id']}/") for item in self.get("battles/")["battles"]
        ]
        for report in self.get("reports/")["reports"]:
            self.get(f"reports/{report['id']}/")
        for name in (
            "map/",
            "seats/",
            "ledger/",
            "stages/",
            "fleets/",
            "ships/",
            "contacts/",
            "classes/",
        ):
            self.get(name)
        return self.record
