"""The set-up before a battle in a real browser: by mouse and by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.people import LAPTOP, PHONE, Person, person, wait_until, was_requested
from tests.site.running import Site

pytestmark = pytest.mark.browser
# The position on the screen of a place on the table.
PIXEL = """([x, y]) => {
  const world = document.querySelector("#table .world");
  const at = new DOMPoint(x, y).matrixTransform(world.getScreenCTM());
  return [at.x, at.y];
}"""


def test_sides_drag_their_ships_into_place_and_the_battle_begins(
    site: Site, browser: Browser
) -> None:
    names = {"nac": "set-up-nac", "esu": "set-up-esu"}
    site.people(*names.values())
    campaign = site.run("tests.browser.set_ups", *names.values()).split()[-1]
    nac = person(site, browser, names["nac"], LAPTOP)
    _open(nac, campaign)
    _drag_asteroid(nac)
    wait_until(site, lambda: was_requested(site, names["esu"], campaign))
    _open(nac, campaign)
    _drag_ships(nac)
    nac.check_page("set-up")
    nac.seal_phase("Seal set-up")
    nac.expect_text("Sealed")
    esu = person(site, browser, names["esu"], PHONE, has_touch=True, color_scheme="dark")
    _open(esu, campaign)
    _set_up_on_phone(esu)
    esu.check_page("set-up on a phone")
    esu.seal_phase("Seal set-up")
    wait_until(site, lambda: was_requested(site, names["nac"], campaign))
    _open(nac, campaign)
    nac.expect_title("turn 1, movement")
    (fight,) = site.call(names["esu"], "GET", f"campaigns/{campaign}/fights/").json["fights"]
    battle = site.call(names["esu"], "GET", f"campaigns/{campaign}/fights/{fight['id']}/").json
    assert [contact["at"] for contact in battle["view"]["contacts"]] == [[4, 10], [3, 24]]
    assert {ship["course"] for ship in battle["view"]["own"].values()} == {10}
    for player in (nac, esu):
        player.context.close()


def _open(player: Person, campaign: str) -> None:
    """Open the battle from the war room."""
    player.go(f"/c/{campaign}/")
    player.page.locator("a[href$='/now/']").first.click()
    player.page.wait_for_url("**/now/**")


def _row(player: Person, number: int) -> Locator:
    return player.page.locator("#ships > li").nth(number)


def _order(player: Person, number: int) -> Locator:
    return _row(player, number).locator(".ship .order")


def _drag(player: Person, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one place on the table to another, in MU."""
    mouse = player.page.mouse
    mouse.move(*player.page.evaluate(PIXEL, start))
    mouse.down()
    mouse.move(*player.page.evaluate(PIXEL, end), steps=4)
    mouse.up()


def _drag_asteroid(player: Person) -> None:
    """Place the asteroid by mouse and by keys, before all ships."""
    expect(_order(player, 0)).to_have_text("36 24")
    _drag(player, (36, 24), (3, 24))
    expect(_row(player, 0).locator(".fault")).to_contain_text("from an edge")
    _drag(player, (3, 24), (40, 30))
    expect(_order(player, 0)).to_have_text("40 30")
    player.page.keyboard.press("Shift+ArrowUp")
    expect(_order(player, 0)).to_have_text("40 31")
    player.check_page("asteroids of a set-up")
    player.seal_phase("Seal set-up")


def _drag_ships(player: Person) -> None:
    """Place a ship by mouse, out of the zone and back, and hold another in FTL."""
    player.expect_title("set-up before turn 1")
    expect(player.page.locator("#table .zone.own")).to_have_count(1)
    _drag(player, (3, 12), (20, 12))
    expect(_row(player, 2).locator(".fault")).to_contain_text("outside the deployment area")
    _drag(player, (20, 12), (4, 10))
    expect(_row(player, 2).locator(".fault")).to_have_count(0)
    expect(_order(player, 2)).to_have_text("4 10 · V8")
    player.page.mouse.wheel(0, 120)
    expect(_row(player, 2).get_by_label("Course")).to_have_value("4")
    player.page.keyboard.press("p")
    expect(_row(player, 2).get_by_label("Course")).to_have_value("3")
    player.page.keyboard.press("n")
    player.page.keyboard.press("n")
    player.page.get_by_role("button", name="Hold in FTL").click()
    expect(_order(player, 1)).to_contain_text("FTL 2")
    _row(player, 0).get_by_label("Velocity").fill("5")
    _row(player, 0).get_by_label("Velocity").press("Tab")
    expect(_order(player, 0)).to_have_text("3 24 · V5")


def _set_up_on_phone(player: Person) -> None:
    """Select both ships with a frame, and turn them; take a formation and the proposal."""
    player.page.get_by_role("button", name="Select several").tap()
    _drag(player, (60, 5), (71, 45))
    player.expect_text("2 ships selected")
    player.page.locator("#formation").select_option("column")
    expect(_order(player, 0)).to_have_class("order mine")
    player.page.get_by_role("button", name="Take the captain’s proposal").first.tap()
    expect(_order(player, 0)).to_have_class("order")
    player.page.get_by_role("button", name="one point to starboard").tap()
    player.page.get_by_role("button", name="Mirror").tap()
    player.page.get_by_role("button", name="Mirror").tap()
