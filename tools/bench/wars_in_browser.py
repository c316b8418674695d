"""Players who play a whole war through pages: deploy, order, decide, seal, and read the results.

Every page they open is checked like in the browser tests (one heading, no sideways scrolling,
nothing found by axe, no error of the browser), and searched for names of other factions.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from playwright.sync_api import Locator

from campaign.rules.hexes import distance
from campaign.rules.scenario import Scenario
from tests.browser.people import Person
from tests.wars.record_checks import FLEET_NAME_PREFIX, PlayerRecord

WEEKLY_PAGES = (
    "",
    "map/",
    "reports/",
    "ships/",
    "visibility/",
    "receipts/",
)  # each week, before the orders
LARGE = 3  # minimum number of ships in a fleet that advances
STAYS = 0.15  # probability that such a fleet stays
CHOICES = ("Fight", "Fight", "Withdraw")


@dataclass
class BrowserPlayer:
    """A person at a browser who plays a faction.

    Attributes:
        looked: How many pages they have read.
        done: What they ordered.
    """

    person: Person
    campaign: str
    faction: str
    other_factions: tuple[str, ...]
    scenario: Scenario
    dice: Random
    documents: PlayerRecord
    looked: int = 0
    acts: Counter[str] = field(default_factory=Counter)

    def at(self, page: str) -> None:
        """Open a page of the war, check it and read it."""
        path = f"/c/{self.campaign}/{page}"
        self.person.open_and_check(path)
        self.looked += 1
        self.documents.read_answer(path, self.person.page.content(), self.other_factions)

    def follow_call(self) -> bool:
        """Follow the war room's button, and return whether it asked for something."""
        self.at("")
        button = self.person.page.locator(".next-step:not(.calm) a[role=button]")
        if not button.count():
            return False
        self.acts[button.inner_text()] += 1
        with self.person.page.expect_navigation():
            button.click()
        return True

    def answer(self, kind: str, last: bool) -> None:
        """Do what the stage asks for, and seal.

        Args:
            last: All others have sealed.
        """
        if kind == "orders":
            for page in WEEKLY_PAGES[1:]:
                self.at(page)
        assert self.follow_call(), (
            f"{self.faction} is called to nothing at {kind}: {self.person.text()[:600]}"
        )
        self.person.check_page(kind)
        self.documents.read_answer(
            self.person.page.url, self.person.page.content(), self.other_factions
        )
        {"deploy": self.deploy, "orders": self.orders, "decisions": self.decide}.get(
            kind, lambda: None
        )()
        self.person.seal(last)

    def deploy(self) -> None:
        """Accept the proposed force, with other names."""
        for n, name in enumerate(
            self.person.page.locator("form input[name^='name-']:visible").all(), 1
        ):
            name.fill(f"{FLEET_NAME_PREFIX}{self.faction} {n}")

    def orders(self) -> None:
        """Send large fleets towards foreign worlds, or own ones if there are none; dock damaged
        ships.
        """
        home = {system.hex for system in self.scenario.systems if system.owner == self.faction}
        goals = sorted(
            system.hex
            for system in self.scenario.systems
            if system.settled and system.hex not in home
        ) or sorted(home)
        for block in self.person.page.locator("section[data-fleet]").all():
            if block.locator("[data-ship]").count() >= LARGE and self.dice.random() >= STAYS:
                self.move(block, goals)
            elif not block.get_attribute("data-must") and block.get_attribute("data-hex") in home:
                self.dock(block)

    def move(self, block: Locator, goals: list[str]) -> None:
        """Send a fleet to one of the reachable hexes that are nearest to a goal."""
        move_select = block.locator("select[data-move]")
        if not move_select.count() or block.get_attribute("data-hex") in goals:
            return
        hexes = [
            hex_
            for hex_ in move_select.locator("option").evaluate_all(
                "all => all.map(one => one.value)"
            )
            if hex_
        ]
        if not hexes:
            return
        near = [(min(distance(hex_, goal) for goal in goals), hex_) for hex_ in hexes]
        best = min(near)[0]
        goal = self.dice.choice([hex_ for steps, hex_ in near if steps == best])
        self.unfold(block)
        if not move_select.is_visible():
            block.get_by_text("Choose from a list, or type the route").click()
        move_select.select_option(goal)
        self.acts["moves"] += 1

    def dock(self, block: Locator) -> None:
        """Tick the boxes of ships that a base here can help."""
        if not block.locator("input[name^='dock-'], input[name^='replenish-']").count():
            return
        damaged_rows = block.locator("[data-ship]").filter(
            has=self.person.page.locator(".who .tag")
        )
        for ship in damaged_rows.all():
            for box in ship.locator("input[name^='dock-'], input[name^='replenish-']").all():
                self.unfold(block)
                if block.locator("details.ships").get_attribute("open") is None:
                    block.locator("details.ships > summary").click()
                box.check()
                self.acts[re.split("-", box.get_attribute("name") or "")[0]] += 1

    def unfold(self, block: Locator) -> None:
        """Open a fleet's line."""
        if block.locator(".top").get_attribute("aria-expanded") != "true":
            block.locator(".top").click()

    def decide(self) -> None:
        """Choose to fight, most of the time."""
        for group in self.person.page.locator("fieldset:has(input[type=radio])").all():
            choice = group.get_by_role("radio", name=self.dice.choice(CHOICES), exact=False)
            if choice.count() and choice.first.is_enabled():
                choice.first.check()
                self.acts["decisions"] += 1

    def read_story(self) -> None:
        """Read the pages of a finished war: every report and battle, by their links."""
        for page in (*WEEKLY_PAGES, "gazette/", "gazette/chronicle/"):
            self.at(page)
        self.person.open_and_check(
            f"/c/{self.campaign}/story/"
        )  # all orders and reports are public now
        links = re.compile(rf"/c/{self.campaign}/((?:reports|battles)/[^#?]+)$")
        for page in ("reports/", ""):
            self.person.go(f"/c/{self.campaign}/{page}")
            links_shown = self.person.page.locator("main a[href]")
            hrefs = links_shown.evaluate_all("all => all.map(one => one.getAttribute('href'))")
            for match in filter(None, map(links.match, sorted(set(hrefs)))):
                self.at(match[1])
