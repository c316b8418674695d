"""A single battle in a real browser: turns by touch and mouse, and the results of a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.browser.people import (
    LAPTOP,
    PHONE,
    Person,
    person,
    stage_of,
    start_umpired_war,
    wait_until,
    was_requested,
)
from tests.site.running import Site

pytestmark = pytest.mark.browser
# The position on the screen that the current ship reaches by an order, from the script's own dots.
DOT = """async (order) => {
  const files = performance.getEntriesByType("resource").map((one) => one.name);
  const { flyPlot, parseOrder } = await import(files.find((name) => name.includes("/battle_rules.")));
  const data = JSON.parse(document.getElementById("battle").textContent);
  const id = document.querySelector(".ship.chosen").closest("[data-row]").dataset.row, ship = data.ships[id];
  const [x, y] = flyPlot(ship, parseOrder(order)).path.at(-1), world = document.querySelector("#table .world");
  const at = new DOMPoint(x, y).matrixTransform(world.getScreenCTM());
  return [at.x, at.y];
}"""
# Touch controls less than 44 pixels high or wide; ships on the table have chips instead.
TOO_SMALL = """() => [...document.querySelectorAll("button:not(.sr), summary, a.back, .ship, .written")]
  .map((node) => [node.className, node.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
  .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
# Names on the table that overlap, or leave it.
OVERLAPS = """() => {
  const frame = document.getElementById("table").getBoundingClientRect();
  const names = [...document.querySelectorAll("#table .name")], boxes = names.map((n) => n.getBoundingClientRect());
  const out = (b) => b.left < frame.left || b.right > frame.right || b.top < frame.top || b.bottom > frame.bottom;
  const on = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  const bad = (a, i) => out(a) || boxes.some((b, j) => j > i && on(a, b));
  return names.filter((_, i) => bad(boxes[i], i)).map((n) => n.textContent);
}"""


def test_online_battle_turns_by_touch_and_by_mouse(site: Site, browser: Browser) -> None:
    """The first turn on a phone, the second with a mouse; the foe has no scripts."""
    campaign, names = start_umpired_war(site, "online", "first-battle")
    esu = person(site, browser, names["esu"], java_script_enabled=False)
    ways: tuple[tuple[Callable[[Person], str], tuple[int, int], dict[str, Any]], ...] = (
        (_plot_by_touch, PHONE, {"has_touch": True, "color_scheme": "dark"}),
        (_plot_by_mouse, LAPTOP, {}),
    )
    moved = []  # the ship that the player ordered in each turn
    aimed = ("", "")
    for turn, (plot, size, options) in enumerate(ways, 1):
        nac = person(site, browser, names["nac"], size, **options)
        for phase in ("movement", "fire")[
            :turn
        ]:  # in the first turn all are out of range, so nobody is asked to fire
            for player in (nac, esu):
                _open_battle(player, campaign, "Give orders")
                player.expect_title(f"turn {turn}, {phase}")
                if player is nac:
                    if phase == "movement":
                        moved.append(plot(player))
                    elif plot is _plot_by_mouse:
                        aimed = _aim_weapons(player)
                    player.check_page(f"battle, turn {turn}, {phase}")
                    assert player.page.locator("[aria-live]").count() == 1
                    player.page.evaluate("window.isSamePage = true")
                player.seal_phase("Seal orders")
                player.expect_text("Sealed")
            wait_until(site, lambda: was_requested(site, names["nac"], campaign))
        expect(nac.page.locator("h1")).to_contain_text(f"turn {turn + 1}, movement", timeout=20_000)
        assert nac.page.evaluate("window.isSamePage")
        nac.context.close()
    fight = site.call(names["nac"], "GET", f"campaigns/{campaign}/fights/").json["fights"][0]["id"]
    receipts = site.call(
        names["nac"], "GET", f"campaigns/{campaign}/fights/{fight}/receipts/"
    ).json["receipts"]
    plots = [row["orders"]["plot"] for row in receipts if row["kind"] == "plot"]
    assert [orders[ship] for orders, ship in zip(plots, moved, strict=True)] == ["P1", "P1"]
    (fire,) = (dict(row["orders"]["engage"]) for row in receipts if row["kind"] == "engage")
    ship, target = aimed
    firsts = [player["target"] for player in fire[ship]]
    assert {first[0] if isinstance(first, list) else first for first in firsts} == {target}
    esu.context.close()


def _chosen_order(player: Person) -> Locator:
    """Return the order field of the current ship."""
    return player.page.locator(".ship.chosen .order")


def _dot_position(player: Person, order: str) -> tuple[float, float]:
    """Return the pixel position of the dot at which the current ship ends by this order."""
    return tuple(player.page.evaluate(DOT, order))


def _chosen_ship(player: Person) -> str:
    """Return the id of the current ship."""
    return player.page.locator(".ship.chosen").locator("xpath=..").get_attribute("data-row") or ""


def _plot_by_touch(player: Person) -> str:
    """Choose the second ship by a chip, and its dot by a tap, and return its id.

    Targets are large, and names do not overlap.
    """
    chip = player.page.locator("#ships .ship").nth(1)
    chip.tap()
    player.page.touchscreen.tap(*_dot_position(player, "P1"))
    expect(_chosen_order(player)).to_have_value("P1")
    assert player.page.evaluate(TOO_SMALL) == []
    assert player.page.evaluate(OVERLAPS) == []
    return _chosen_ship(player)


def _plot_by_mouse(player: Person) -> str:
    """Drag the ghost of the second ship to a dot, change it by the steppers, and return its id."""
    player.page.locator("#ships .ship").nth(1).click()
    ghost = player.page.locator(".mark.ghost.chosen")
    box = ghost.bounding_box()
    assert box is not None
    player.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    player.page.mouse.down()
    player.page.mouse.move(*_dot_position(player, "P1+1"), steps=4)
    player.page.mouse.up()
    expect(_chosen_order(player)).to_have_value("P1+1")
    player.page.get_by_role("button", name="slower").click()
    expect(_chosen_order(player)).to_have_value("P1")
    expect(_chosen_order(player)).to_have_class(re.compile("mine"))
    assert player.page.evaluate(OVERLAPS) == []
    return _chosen_ship(player)


def _aim_weapons(player: Person) -> tuple[str, str]:
    """Let a ship hold its fire, then fire a group of weapons, then all that bear."""
    cells = player.page.locator(".aim .cell")
    for _ in range(5):
        if cells.count():
            break
        player.page.keyboard.press("n")
    player.page.get_by_role("button", name="Hold", exact=True).click()
    expect(cells.first).to_have_attribute("aria-pressed", "false")
    cells.first.click(button="right")  # one fewer, and after none: all
    expect(cells.first).to_have_attribute("aria-pressed", "true")
    player.page.get_by_role("button", name="Hold", exact=True).click()
    expect(cells.first).to_have_attribute("aria-pressed", "false")
    ship = _chosen_ship(player)
    target = cells.first.get_attribute("data-at")
    assert ship
    assert target
    cells.first.click()
    expect(cells.first).to_have_attribute("aria-pressed", "true")
    expect(player.page.locator("#say")).to_contain_text("points expected")
    player.page.get_by_role("button", name="Hold", exact=True).click()
    player.page.locator(f".who[data-all='{target}']").click()
    for cell in player.page.locator(f".cell[data-at='{target}']").all():
        expect(cell).to_have_attribute("aria-pressed", "true")
    expect(player.page.locator(".budget").first).to_contain_text("1 of")
    assert player.page.evaluate(OVERLAPS) == []
    return ship, target


def test_table_results_are_entered_compared_and_end_the_battle(
    site: Site, browser: Browser
) -> None:
    campaign, names = start_umpired_war(site, "table", "first-battle", battles="table")
    nac = person(site, browser, names["nac"], PHONE)
    esu = person(site, browser, names["esu"])
    _open_battle(nac, campaign, "Go to the table")
    nac.page.get_by_role("link", name="sheets and the set-up").click()
    nac.expect_title("Sheets")
    nac.check_page("sheets")
    for damage in (2, 3):
        for player in (nac, esu):
            _open_battle(player, campaign, "Go to the table")
            player.check_page("table")
            player.page.locator("input[name=damage-n1]").fill(str(damage if player is nac else 3))
            player.press("Seal result")
        if damage == 2:
            wait_until(site, lambda: _round(site, names["nac"], campaign) == 1)
            _open_battle(nac, campaign, "Go to the table")
            nac.expect_text("The results do not agree")
            nac.check_page("what differs")
    wait_until(site, lambda: stage_of(site, names["nac"], campaign)[1] == "over")
    nac.go(f"/c/{campaign}/")
    expect(nac.page.get_by_text("Read the whole story").first).to_be_visible()
    for player in (nac, esu):
        player.context.close()


def _open_battle(player: Person, campaign: str, label: str) -> None:
    """Open the battle by the war room's next action."""
    player.go(f"/c/{campaign}/")
    with player.page.expect_navigation():
        player.page.get_by_role("button", name=label).first.click()


def _round(site: Site, name: str, campaign: str) -> int:
    """Return how often the results of the table differed."""
    tables = site.call(name, "GET", f"campaigns/{campaign}/tables/").json["tables"]
    return int(tables[0]["round"])


def test_saved_order_whose_answer_is_lost_is_not_offered_again(
    site: Site, browser: Browser
) -> None:
    """The page shows what the browser has stored, so the player has nothing to choose."""
    campaign, names = start_umpired_war(site, "lost-answer", "first-battle")
    nac = person(site, browser, names["nac"], LAPTOP)
    _open_battle(nac, campaign, "Give orders")

    def lose_answer(route: Route) -> None:
        if route.request.headers.get("x-draft"):
            route.fetch()
            route.abort()
        else:
            route.continue_()

    nac.page.route("**/now/", lose_answer)
    nac.page.locator("#written").fill("abc")
    nac.page.locator("#written").blur()
    expect(nac.page.locator("[data-state]")).to_contain_text("Not saved yet")
    nac.page.unroute("**/now/")
    nac.faults.clear()
    nac.page.reload()
    expect(nac.page.locator("#written")).to_have_value("abc")
    expect(nac.page.locator(".banner.lost")).to_have_count(0)
    assert "held/" not in nac.page.evaluate("JSON.stringify(localStorage)")
    nac.context.close()
