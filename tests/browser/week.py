"""The first week of First Steps as three people see it: Ember attacks, Frost defends, an umpire watches the clock.

Ember's attack is too weak to take Frost's world, whatever the dice say: with all of Ember's fleets every fifth war is
over after this week, and no second one opens (tests/umpire/services/test_week_one.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import expect

from tests.browser.people import Person, reached

FROST, HALFWAY = "0804", "0504"
ATTACKER = "Lantern"  # the fleet of Ember that goes to Frost's world
CENTRE = """hex => {
  const svg = document.querySelector("[data-starmap]"), d = svg.dataset;
  const [side, height, margin] = [d.side, d.height, d.margin].map(Number);
  const column = Number(hex.slice(0, 2)), row = Number(hex.slice(2));
  const x = margin + side + side * 1.5 * (column - 1);
  const y = margin + height / 2 + height * (row - 1) + (column % 2 ? 0 : height / 2);
  const at = new DOMPoint(x, y).matrixTransform(svg.querySelector(".svg-pan-zoom_viewport").getScreenCTM());
  return [at.x, at.y];
}"""


@dataclass(frozen=True)
class Table:
    """A war and who sits at it."""

    campaign: str
    ember: Person
    frost: Person
    umpire: Person

    @property
    def players(self) -> tuple[Person, Person]:
        return (self.ember, self.frost)

    def at(self, who: Person, page: str) -> None:
        """Somebody opens a page of the war and looks at it."""
        who.check(f"/c/{self.campaign}/{page}")

    def seal(self, who: Person) -> None:
        """Somebody seals the form before him and looks at the receipt, which his browser has checked."""
        who.page.locator("button[value=seal]").click()
        expect(who.page.get_by_role("heading", name="Sealed")).to_be_visible()
        who.reads("Your browser has checked the digest")
        who.look("sealed")

    def reaches(self, week: int, kind: str) -> None:
        """The stage is resolved, and this one opens."""
        reached(self.umpire.site, self.umpire.name, self.campaign, (week, kind))


def play(table: Table) -> None:
    """From the briefing to the orders of the second week."""
    deploy(table)
    orders(table)
    decisions(table)
    battles(table)
    told(table)


def deploy(table: Table) -> None:
    for who, fleet in zip(table.players, ("Lance", "Icebreaker"), strict=True):
        table.at(who, "")
        who.reads("Briefing")
        table.at(who, "deploy/")
        who.titled("Deployment")
        assert fleet in who.page.locator("input[name^='name-']").evaluate_all("all => all.map(one => one.value)")
        table.seal(who)
    table.reaches(1, "orders")


def orders(table: Table) -> None:
    """Ember sends one fleet by the map and one by the form, seals, thinks again, and seals again."""
    ember, frost = table.players
    table.at(ember, "orders/")
    ember.titled("Orders for week 1")
    click_on_the_map(ember, ATTACKER, FROST)
    ember.page.locator("[data-fleet][data-name=Lance]").get_by_label("Moves to").select_option(HALFWAY)
    ember.press("Save draft")
    ember.reads("Draft saved. It counts only once it is sealed.")
    table.seal(ember)
    sealed = " ".join(ember.page.locator("ul.words li").all_inner_texts())
    assert "Lance" in sealed
    assert "Lantern" in sealed
    ember.press("Unseal and change")
    ember.reads("Draft saved. It counts only once it is sealed.")
    table.seal(ember)
    ember.reads("Revision 2")
    awaited(table)
    table.at(frost, "orders/")
    click_on_the_map(frost, "Icebreaker", HALFWAY)  # and thinks better of it
    table.at(frost, "orders/")
    table.seal(frost)
    table.reaches(1, "decisions")


def click_on_the_map(player: Person, fleet: str, goal: str) -> None:
    """Choose a fleet by its flag, then click where it goes."""
    page = player.page
    block = page.locator(f"[data-fleet][data-name='{fleet}']")
    says = page.locator("[data-map-says]")
    page.get_by_role("button", name="Show the whole map").click()
    page.locator("[data-map-frame]").scroll_into_view_if_needed()
    flag = page.locator(f"[data-stack='{block.get_attribute('data-hex')}']").first
    for _ in range(4):  # a flag chooses the fleets of its hex in turn
        flag.click()
        if says.inner_text().startswith(fleet):
            break
    expect(says).to_contain_text(f"{fleet}: click where it goes")
    page.mouse.click(*page.evaluate(CENTRE, goal))
    expect(says).to_contain_text(f"{fleet} goes to")
    expect(block.get_by_label("Moves to")).to_have_value(goal)


def awaited(table: Table) -> None:
    """The umpire sees who has sealed."""
    umpire = table.umpire
    table.at(umpire, "umpire/")
    rows = umpire.page.locator("#seats tbody tr")
    expect(rows.filter(has_text="Ember")).to_contain_text("sealed")
    expect(rows.filter(has_text="Frost")).to_contain_text("not sealed")


def decisions(table: Table) -> None:
    for who in table.players:
        table.at(who, "decisions/")
        who.titled("Decisions of week 1")
        who.reads("Your fleets have met others", "Their contacts")
        who.page.get_by_role("radio", name="Fight").check()
        table.seal(who)
    table.reaches(1, "battles")


def battles(table: Table) -> None:
    """Ember tells its captains how to fight; Frost does not, and the umpire does not wait for it."""
    ember, umpire = table.ember, table.umpire
    for who in reversed(table.players):
        table.at(who, "orders/")
        who.titled("Battles of week 1")
        who.reads("Tell your captains how to fight")
    table.seal(ember)
    awaited(table)
    umpire.press("Resolve without them")
    umpire.reads("Not sealed yet", "Frost Assembly")
    umpire.look("resolve")
    umpire.press("Close and resolve")
    table.reaches(2, "orders")
    table.at(umpire, "umpire/")
    umpire.titled("week 2")
    umpire.reads("resolved the stage at once", "Last report: week 1, battles")


def told(table: Table) -> None:
    """What both sides read of the week, and of the battle turn by turn."""
    for who in table.players:
        table.at(who, "reports/")
        who.reads("Week 1")
        table.at(who, "")
        who.reads("Latest report")
        who.page.get_by_role("link", name="turn by turn").first.click()
        who.titled("Frost")
        who.look("battle")
