"""The first week of First Steps for three people: Ember attacks, Frost defends, an umpire watches.

Ember's attack is too weak to take Frost's world, whatever the dice: with all of Ember's fleets
every fifth war would end this week without a second one (tests/umpire/services/test_week_one.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, expect

from tests.browser.people import Person, wait_for_stage

FROST, HALFWAY, MIDWAY = "0804", "0504", "0404"
ATTACKER = "Lantern"  # Ember's fleet that goes to Frost's world
CENTRE = """hex => {
  const host = document.querySelector("[data-map]"), box = host.getBoundingClientRect(), [x, y] = host.starMap.pixelOf(hex);
  return [box.left + x, box.top + y];
}"""
IS_INSIDE_CARD = """card => [...card.querySelectorAll("*")].every(node => {
  if (!node.checkVisibility()) return true;
  const inner = node.getBoundingClientRect(), outer = card.getBoundingClientRect();
  return inner.left >= outer.left && inner.right <= outer.right && inner.bottom <= outer.bottom;
})"""
SAVED = "Draft saved. It counts only once you seal it."


@dataclass(frozen=True)
class Table:
    """A war and its people."""

    campaign: str
    ember: Person
    frost: Person
    umpire: Person

    @property
    def players(self) -> tuple[Person, Person]:
        return (self.ember, self.frost)

    def at(self, player: Person, page: str) -> None:
        """Let somebody open a page of the war and check it."""
        player.open_and_check(f"/c/{self.campaign}/{page}")

    def seal(self, player: Person) -> None:
        """Let somebody seal the form and look at the receipt, which their browser has checked.

        The last one to seal may see the next stage instead.
        """
        last = player is self.frost
        player.seal(last)
        if last:
            return
        player.expect_text("Your browser has checked the digest")
        player.check_page("sealed")

    def reaches(self, week: int, kind: str) -> None:
        """Wait until the stage is resolved and this one opens."""
        wait_for_stage(self.umpire.site, self.umpire.name, self.campaign, (week, kind))


def play(table: Table) -> None:
    """Play from the briefing to the orders of the second week."""
    deploy(table)
    orders(table)
    decisions(table)
    battles(table)
    reports(table)


def deploy(table: Table) -> None:
    for player, fleet in zip(table.players, ("Lance", "Icebreaker"), strict=True):
        table.at(player, "")
        player.expect_text("Briefing")
        table.at(player, "deploy/")
        player.expect_title("Deployment")
        player.expect_text(fleet)
        table.seal(player)
    table.reaches(1, "orders")


def orders(table: Table) -> None:
    """Let Ember send one fleet by the map and one by the form, seal, change its mind, and seal
    again.
    """
    ember, frost = table.players
    table.at(ember, "orders/")
    ember.expect_title("Orders for week 1")
    click_on_the_map(ember, ATTACKER, FROST)
    by_list(ember, "Lance", HALFWAY)
    detached = split_off(ember, "Lance", MIDWAY)
    ember.expect_text(SAVED)
    table.seal(ember)
    sealed = " ".join(ember.page.locator("ul.words li").all_inner_texts())
    assert "Lance" in sealed
    assert "Lantern" in sealed
    ember.press("Unseal and change")
    ember.expect_text(SAVED)
    table.seal(ember)
    ember.expect_text("Revision 2")
    table.at(ember, "receipts/")
    ember.expect_text("proved the unsealing with its withdrawal word")
    check_waiting(table)
    table.at(frost, "orders/")
    click_on_the_map(frost, "Icebreaker", HALFWAY)
    frost.page.locator("[data-undo]").click()
    frost.expect_text("Undone")
    frost.expect_text(SAVED)
    table.seal(frost)
    table.reaches(1, "decisions")
    assert hex_of_ships(table)[detached] == MIDWAY


def hex_of_ships(table: Table) -> dict[str, str]:
    """Return the hex of each of Ember's ships, by name."""
    view = table.umpire.site.call(
        table.ember.name, "GET", f"campaigns/{table.campaign}/view/"
    ).json["view"]
    hexes = {fleet["key"]: fleet["hex"] for fleet in view["fleets"]}
    return {ship["name"]: hexes[ship["fleet"]] for ship in view["ships"]}


def split_off(player: Person, fleet: str, goal: str) -> str:
    """Form a new fleet of a fleet's first ship and send it there by the map; return the ship's
    name.
    """
    page, block = player.page, choose(player, fleet)
    block.locator("details.ships > summary").click()
    ship = block.locator("[data-ship]").first
    formed = ship.locator("[data-to] option", has_text="(new)").first.get_attribute("value")
    ship.locator("[data-to]").select_option(formed)
    section = page.locator(f"[data-fleet='{formed}']")
    section.locator(".top").click()
    page.locator("[data-map]").scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(CENTRE, goal))
    expect(section.locator(".top")).to_contain_text(f"→ hex {goal}")
    return ship.locator("strong").inner_text()


def choose(player: Person, fleet: str) -> Locator:
    """Choose a fleet by its line in the list; return its part of the form."""
    block = player.page.locator(f"[data-fleet][data-name='{fleet}']")
    if block.locator(".top").get_attribute("aria-expanded") != "true":
        block.locator(".top").click()
    expect(player.page.locator("[data-map-says]")).to_contain_text(f"{fleet}: choose where it goes")
    return block


def click_on_the_map(player: Person, fleet: str, goal: str) -> None:
    """Choose a fleet, then click its destination."""
    page = player.page
    block = choose(player, fleet)
    page.get_by_role("button", name="Show the whole map").click()
    page.locator("[data-map]").scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(CENTRE, goal))
    expect(page.locator("[data-map-says]")).to_contain_text(f"{fleet} →")
    expect(block.locator("[data-move]")).to_have_value(goal)


def by_list(player: Person, fleet: str, goal: str) -> None:
    """Send a fleet by the list of the plain form."""
    block = choose(player, fleet)
    block.get_by_text("Choose from a list, or type the route").click()
    block.get_by_label("Moves to").select_option(goal)


def check_waiting(table: Table) -> None:
    """Check that the umpire sees who has sealed."""
    umpire = table.umpire
    table.at(umpire, "umpire/")
    rows = umpire.page.locator("#seats li")
    expect(rows.filter(has_text="Ember")).to_contain_text("sealed")
    expect(rows.filter(has_text="Frost")).to_contain_text("awaited")


def decisions(table: Table) -> None:
    for player in table.players:
        table.at(player, "decisions/")
        player.expect_title("You have met them")
        player.expect_text("Your fleets have met others", "What the scan may hide", "battles won")
        assert player.page.locator(".choice-face").first.evaluate(IS_INSIDE_CARD), (
            "a choice's words stand outside its card"
        )
        player.page.get_by_role("radio", name="Fight", exact=True).check()
        expect(player.page.locator("button[value=seal]")).to_have_text("Seal: fight")
        player.page.get_by_role(
            "link", name="Calculate the odds"
        ).first.click()  # at once, and back
        player.expect_title("If there is a battle")
        table.at(player, "decisions/")
        expect(player.page.get_by_role("radio", name="Fight", exact=True)).to_be_checked()
        table.seal(player)
    table.reaches(1, "battles")


def battles(table: Table) -> None:
    """Let Ember instruct its captains; Frost does not, and the umpire does not wait for it."""
    ember, umpire = table.ember, table.umpire
    for player in reversed(table.players):
        table.at(player, "orders/")
        player.expect_title("Battles in week 1")
        player.expect_text("Tell your captains how to fight")
    table.seal(ember)
    check_waiting(table)
    umpire.press("Close stage now")
    umpire.expect_text("Not sealed yet", "Frost Assembly")
    umpire.check_page("resolve")
    umpire.press("Close the stage")
    table.reaches(2, "orders")
    table.at(umpire, "umpire/")
    umpire.expect_title("Week 2")
    umpire.expect_text("closed the stage at once")


def reports(table: Table) -> None:
    """Check what both sides read of the week, and of the battle turn by turn."""
    for player in table.players:
        table.at(player, "reports/")
        player.expect_text("Week 1")
        table.at(player, "")
        player.expect_text("Latest report")
        player.page.get_by_role("button", name="Watch the battle").first.click()
        player.expect_title("Frost")
        player.check_page("battle")
