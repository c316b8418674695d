"""A scripted player who reads every answer for what it should not say, and keeps his papers of the
whole war.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.rules.orders import Orders
from tests.site.running import Answered
from tests.wars.script import Script
from tests.wars.watch import NAMED, Papers


@dataclass
class Player(Script):
    """A program that reads every answer for what it should not say.

    `asked`: requests, by method.
    """

    faction: str = ""
    others: tuple[str, ...] = ()
    papers: Papers = field(default_factory=lambda: Papers(""))
    asked: Counter[str] = field(default_factory=Counter)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answered:
        answered = super().call(method, path, body, **headers)
        self.asked[method] += 1
        self.papers.read(path, answered.body.decode(), self.others)
        return answered

    def reconsidered(self, orders: Orders) -> Orders:
        """Its fleets get names that nobody else would think of."""
        named = (
            replace(one, name=f"{NAMED}{self.faction} {n}")
            for n, one in enumerate(orders.deploy, 1)
        )
        return replace(orders, deploy=tuple(named))

    def wait(self, ordinal: int) -> Any:
        """Fight, where that is asked, until the stage is over."""
        return self.fight_on([], ordinal)

    def gathered(self) -> Papers:
        """All its papers, the war being over."""
        then = [
            f"?week={stage['week']}&stage={stage['kind']}"
            for stage in self.get("stages/")["stages"]
        ]
        self.papers.views = [self.get(f"view/{one}")["view"] for one in (*then, "")]
        self.papers.battles = [
            self.get(f"battles/{one['id']}/") for one in self.get("battles/")["battles"]
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
        return self.papers
