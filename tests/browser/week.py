"""The first week of First Steps as three people see it: Ember attacks, Frost defends, an umpire keeps the clock."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.seats import Look, Seat, seat
from tests.site.running import Site

FROST = "0804"
CENTRE = """hex => {
  const svg = document.querySelector("[data-starmap]"), d = svg.dataset;
  const [side, height, margin] = [d.side, d.height, d.margin].map(Number);
  const column = Number(hex.slice(0, 2)), row = Number(hex.slice(2));
  const x = margin + side + side * 1.5 * (column - 1);
  const y = margin + height / 2 + height * (row - 1) + (column % 2 ? 0 : height / 2);
  const at = new DOMPoint(x, y).matrixTransform(svg.querySelector(".svg-pan-zoom_viewport").getScreenCTM());
  return [at.x, at.y];
}"""


@dataclass
class Table:
    """Who sits at it."""

    ember: Seat
    frost: Seat
    umpire: Seat

    @property
    def all(self) -> tuple[Seat, ...]:
        return (self.ember, self.frost, self.umpire)

    @property
    def players(self) -> tuple[Seat, ...]:
        return (self.ember, self.frost)


def table_of(
    browser: Browser,
    site: Site,
    war: str,
    names: tuple[str, str, str],
    window: ViewportSize,
    dark: bool,
    look: Look | None = None,
) -> Table:
    ember, frost, umpire = (seat(browser, site, war, name, window, dark=dark, look=look) for name in names)
    return Table(ember, frost, umpire)


def play(table: Table) -> None:
    """From the login to the orders of the second week."""
    for each in table.all:
        each.log_in()
        each.at("")
    deploy(table)
    orders(table)
    decisions(table)
    battles(table)


def deploy(table: Table) -> None:
    table.umpire.at("umpire/")
    table.umpire.reads("awaited")
    for each, fleet in zip(table.players, ("Lance", "Icebreaker"), strict=True):
        each.at("deploy/")
        each.titled("Deployment")
        assert fleet in each.page.locator("input[name^='name-']").evaluate_all("all => all.map(one => one.value)")
        each.seal("force")
    resolve(table, "Orders", 1)


def orders(table: Table) -> None:
    ember, frost = table.players
    ember.at("orders/")
    ember.titled("Orders for week 1")
    click_on_the_map(ember, "Lance", FROST)
    lantern = ember.page.locator("[data-fleet][data-name=Lantern]")
    lantern.get_by_label("Moves to").select_option(FROST)
    ember.page.get_by_role("button", name="Save draft").click()
    ember.reads("Draft saved. It counts once sealed.")
    ember.seal("orders")
    ember.reads("You can unseal until the stage closes")
    lines = " ".join(ember.page.locator("ul.words li").all_inner_texts())
    assert "Lance" in lines
    assert "Lantern" in lines
    ember.page.get_by_role("button", name="Unseal and change").click()
    ember.reads("Draft saved. It counts once sealed.")
    ember.seal("orders")
    table.umpire.at("umpire/")
    expect(table.umpire.page.locator("#seats tbody tr").filter(has_text="Ember")).to_contain_text("sealed")
    expect(table.umpire.page.locator("#seats tbody tr").filter(has_text="Frost")).to_contain_text("awaited")
    frost.at("orders/")
    frost.seal("orders")
    resolve(table, "Decisions", 1)


def click_on_the_map(player: Seat, fleet: str, goal: str) -> None:
    """Choose a fleet by its flag, then click where it goes."""
    page = player.page
    block = page.locator(f"[data-fleet][data-name='{fleet}']")
    page.get_by_role("button", name="Show the whole map").click()
    page.locator("[data-map-frame]").scroll_into_view_if_needed()
    here = block.get_attribute("data-hex")
    chosen = ""
    for _ in range(4):  # a flag chooses the fleets of its hex in turn
        page.mouse.click(*page.evaluate(CENTRE, here))
        chosen = page.locator("[data-map-says]").inner_text()
        if chosen.startswith(f"{fleet}: click where it goes"):
            break
    assert chosen.startswith(fleet), chosen
    page.mouse.click(*page.evaluate(CENTRE, goal))
    expect(page.locator("[data-map-says]")).to_contain_text(f"{fleet} goes to")
    expect(block.get_by_label("Moves to")).to_have_value(goal)


def decisions(table: Table) -> None:
    for each in table.players:
        each.at("decisions/")
        each.titled("Decisions of week 1")
        each.reads("Your fleets have met somebody", "Their contacts")
        each.page.get_by_role("radio", name="Fight").check()
        each.seal("decisions")
    resolve(table, "Battles", 1)


def battles(table: Table) -> None:
    for each in table.players:
        each.at("orders/")
        each.titled("Battles of week 1")
        each.reads("Tell your captains how to fight")
        each.seal("doctrine")
    resolve(table, "Orders", 2)
    for each in table.players:
        each.at("")
        each.reads("Latest report")
        each.at("reports/")
        each.reads("Week 1")
        each.at("")
        each.page.get_by_role("link", name="turn by turn").first.click()
        each.titled("Frost")
        each.seen()


def resolve(table: Table, kind: str, week: int) -> None:
    """The umpire sees that all have sealed, resolves, and sees the next stage."""
    umpire = table.umpire
    umpire.at("umpire/")
    expect(umpire.page.locator("#seats").get_by_text("sealed", exact=True)).to_have_count(2)
    umpire.page.get_by_role("button", name="Resolve now").first.click()
    umpire.reads("Nobody is awaited.")
    umpire.seen()
    umpire.page.get_by_role("button", name="Close and resolve").click()
    umpire.awaits("umpire/", f"{kind.lower()}")
    umpire.titled(f"week {week}")
