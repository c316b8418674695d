"""The orders page in a real browser: by mouse, keys and touch; undone, planned, split, merged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.many_fleets import fold_fleets
from tests.browser.orders_page import (
    FROST,
    HALFWAY,
    HOME,
    NEXT_TO_HOME,
    clear_orders,
    expect_map_text,
    hex_position,
    open_orders_page,
    type_order,
)
from tests.browser.people import LAPTOP, PHONE, Person, Screen, person
from tests.browser.week import SAVED, choose
from tests.site.running import Site

pytestmark = pytest.mark.browser
# The place that somebody types, on a map of three such systems.
TYPED = """async word => {
  const {parsePlace} = await import(new URL("orders_typing.js", document.querySelector("script[src*='js/orders']").src));
  const systems = [["The Vaults", "1205"], ["HR-1306", "1008"], ["Vau", "0101"]].map(([name, hex]) => ({name, hex}));
  return parsePlace({ground: {systems}, isOnMap: hex => hex < "2000"}, word);
}"""
# The fleet that typed words mean, if one name begins another.
PARSED_FLEETS = """async words => {
  const {parseOrder} = await import(new URL("orders_typing.js", document.querySelector("script[src*='js/orders']").src));
  const fleets = ["Lance Guard", "Lance"].map(name => ({name}));
  return parseOrder({ground: {systems: [{name: "Frost", hex: "0804"}]}}, fleets, words).fleet?.name ?? "";
}"""
ELEMENTS = "document.querySelector('[data-map]').starMap.svg.querySelectorAll('*').length"
SMALL_MAP_ELEMENTS = (
    250  # elements of a small map, half of which are enough: the cost of a layout grows with them
)
FINGERED = "Hearth Guard"  # takes ships from Lance by touch


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_orders_page_passes_the_common_checks(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]], size: tuple[int, int]
) -> None:
    campaign, names = ember
    player = person(site, browser, names["ember"], size)
    day_and_night: tuple[Screen, ...] = ((size, "light", False), (size, "dark", False))
    player.open_and_check(f"/c/{campaign}/orders/", *day_and_night)
    player.page.locator("[data-layer=known]").click()
    expect_map_text(player, "Nobody knows about your fleets, as far as you can tell.")
    choose(player, "Lance")
    player.check_page("a fleet chosen", *day_and_night)
    where = player.page.locator(".chosen [data-odds]").get_attribute("href")
    assert where is not None
    assert where.startswith("../odds/?hex=0304&fleet=ember%2Ff")
    assert where.count("fleet=") == 3, "Lance would fight there with all who stay beside it"
    assert 0 < player.page.evaluate(ELEMENTS) < SMALL_MAP_ELEMENTS
    player.open_and_check(f"/c/{campaign}/map/", *day_and_night)
    player.context.close()


def test_fleet_that_must_leave_is_not_ordered_to_stay(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    player = open_orders_page(site, browser, ember)
    page, lance = player.page, choose(player, "Lance")
    page.mouse.click(*hex_position(player, HALFWAY))
    lance.evaluate("(section) => section.closest('[data-fleet]').setAttribute('data-must', '')")
    page.get_by_role("button", name="Stay", exact=True).click()
    expect_map_text(player, "Lance must move this week: it cannot stay.")
    type_order(player, "Lance", "→ hex 0504, 2 hexes, week 1")
    player.context.close()


def test_fleet_is_sent_undone_and_sent_again_by_mouse(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    player = open_orders_page(site, browser, ember)
    page, lance = player.page, choose(player, "Lance")
    page.mouse.click(*hex_position(player, HALFWAY))
    expect_map_text(player, "Lance → hex 0504, week 1")
    type_order(player, "Lance", "→ hex 0504, 2 hexes, week 1")
    page.keyboard.down("Shift")
    page.mouse.click(*hex_position(player, FROST))
    page.keyboard.up("Shift")
    type_order(player, "Lance", "then Frost in week 2")
    alone = page.locator(".chosen [data-odds]").get_attribute("href")
    assert alone is not None
    assert "hex=0804" in alone
    assert alone.count("fleet=") == 1, "nobody else arrives there"
    assert lance.locator("[data-plan]").input_value() == FROST
    page.get_by_role("button", name="Undo: Lance, then Frost").click()
    assert lance.locator("[data-plan]").input_value() == ""
    page.get_by_role("button", name="Redo: Lance, then Frost").click()
    type_order(player, "Lance", "then Frost in week 2")
    player.expect_text(SAVED)
    player.go(f"/c/{ember[0]}/orders/")
    type_order(player, "Lance", "then Frost in week 2")
    for field, value in (("least", "3"), ("choice", "withdraw")):
        answer = page.locator(f"[data-fleet][data-name=Lance] [name^=answer-{field}]").first
        answer.evaluate("(one, value) => one.value = value", value)
    page.locator("button[value=seal]").click()
    readback = page.locator("dialog[open] li")
    expect(readback.filter(has_text="Lance: → hex 0504")).to_contain_text(
        "conditions first (1 condition)"
    )
    expect(readback.filter(has_text="Lantern: No order: stays at Ember")).to_have_count(1)
    player.check_page("read back")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    player.context.close()


def test_orders_are_typed_and_browsed_by_keyboard(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    player = open_orders_page(site, browser, ember)
    keys = player.page.keyboard
    keys.press("/")
    keys.type("lance frost")
    expect(player.page.locator("[data-typed-says]")).to_contain_text(
        "Lance → Frost. Press Enter to order it."
    )
    keys.press("Enter")
    type_order(player, "Lance", "→ Frost, 5 hexes, week 1")
    keys.type("nobody frost")
    keys.press("Enter")
    expect(player.page.locator("[data-typed-says]")).to_contain_text("Which fleet?")
    keys.press("Escape")  # and the map has the focus
    keys.press("n")
    keys.press("n")
    expect_map_text(player, "choose where it goes")
    name = player.page.locator("[data-fleet].chosen").get_attribute("data-name") or ""
    for _ in range(2):
        keys.press("ArrowRight")
    keys.press("Enter")
    type_order(player, name, "→ hex 0504")
    keys.press("Control+z")
    expect_map_text(player, "Undone")
    keys.press("Control+Shift+z")
    type_order(player, name, "→ hex 0504")
    player.expect_text(SAVED)
    typed = [
        player.page.evaluate(TYPED, word)
        for word in ("vaults", "hr 1306", "hr-13", "vau", "0405", "2105", "aults")
    ]
    assert typed == ["1205", "1008", "1008", "0101", "0405", None, None]
    fleets = [
        player.page.evaluate(PARSED_FLEETS, words)
        for words in ("lance frost", "lance guard frost", "guard frost")
    ]
    assert fleets == ["Lance", "Lance Guard", "Lance Guard"]
    player.context.close()


def test_orders_by_touch_on_a_phone(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    player = open_orders_page(site, browser, ember, PHONE, has_touch=True, is_mobile=True)
    page = player.page
    page.get_by_role("button", name="Show the whole map").tap()
    page.locator("[data-fleet][data-name='Lantern'] .top").tap()
    page.locator("[data-map]").scroll_into_view_if_needed()
    _touch_map(player, hex_position(player, HALFWAY), trembles=3)
    type_order(player, "Lantern", "→ hex 0504")
    undo = page.locator("[data-undo]").get_attribute("aria-label") or ""
    _touch_map(player, hex_position(player, FROST), until="[data-card]")
    expect(page.locator("[data-undo]")).to_have_attribute(
        "aria-label", undo
    )  # it is only read, nothing is sent
    page.locator("[data-card] [data-close]").tap()
    lance = choose(player, "Lance")
    lance.locator("details.ships > summary").tap()
    ship = lance.locator("[data-ship]").first
    ship.scroll_into_view_if_needed()
    name = ship.locator("strong").inner_text()
    undo = page.locator("[data-undo]").get_attribute("aria-label") or ""
    _drag_by_touch(player, ship)
    expect(page.locator("[data-undo]")).to_have_attribute(
        "aria-label", undo
    )  # whatever is now under the finger
    _drag_by_touch(player, ship, f"[data-onto]:has-text('{FINGERED}')")
    expect_map_text(player, f"{name} → {FINGERED}")
    ship.scroll_into_view_if_needed()
    _drag_by_touch(player, ship, "[data-new-fleet]")
    expect_map_text(player, f"{name} → Fleet ")
    page.locator("[data-undo]").tap()
    page.locator("[data-undo]").tap()
    expect(page.locator(".fleet.new:visible")).to_have_count(0)
    player.expect_text(SAVED)
    player.check_page("by finger")
    _another_version_is_saved(player)
    player.context.close()


def _another_version_is_saved(player: Person) -> None:
    """The message and its button leave the seal visible, and the page as wide as the screen."""
    page = player.page
    page.evaluate("document.querySelector('input[name=version]').value = '0'")
    choose(player, "Lantern").locator("[data-stay]").tap()
    player.expect_text("Another version was saved")
    for label in ("Save draft", "Seal orders"):
        expect(page.get_by_role("button", name=label)).to_be_in_viewport(ratio=1)
    player.check_page("another version is saved")


def _touch_map(
    player: Person, place: tuple[float, float], trembles: int = 0, until: str = ""
) -> None:
    """Touch the map with a slight tremble, or hold until something is visible."""
    touch, (x, y) = player.context.new_cdp_session(player.page), place
    for event, n in (("touchStart", 0), *(("touchMove", n) for n in range(trembles))):
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": event, "touchPoints": [{"x": x + 4 * (n % 2 == 0), "y": y}]},
        )
    if until:
        expect(player.page.locator(until)).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def _drag_by_touch(player: Person, ship: Locator, onto: str = "") -> None:
    """Hold a finger on a ship until it is picked up, then drag it onto something or drop it."""
    touch, page = player.context.new_cdp_session(player.page), player.page

    def finger(event: str, *places: tuple[float, float]) -> None:
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": event, "touchPoints": [{"x": x, "y": y} for x, y in places]},
        )

    x, y = middle(ship.locator("strong"))
    finger("touchStart", (x, y))
    finger("touchMove", (x + 3, y + 4))
    expect(page.locator(".in-hand")).to_be_visible()
    if onto:
        target = page.locator(onto)
        expect(target).to_be_in_viewport(ratio=1)
        finger("touchMove", middle(target))
        expect(target).to_have_class("drop-here over")
    finger("touchEnd")
    expect(page.locator("[data-drops]")).to_be_hidden()


def change_first(page: Page, change: Callable[[Route], None]) -> None:
    """Let a change answer the first request of the orders page.

    The route stays: taking it back while the page loads can lose requests of its scripts.
    """
    changed: list[Route] = []

    def answer(route: Route) -> None:
        if changed:
            route.continue_()
        else:
            changed.append(route)
            change(route)

    page.route("**/orders/", answer)


def crowd_map(route: Route) -> None:
    """Return the orders page as if the map were large and full."""
    answer = route.fetch()
    before, data, after = re.split(
        r'(?s)(?<=<script id="desk" type="application/json">)(.*?)(?=</script>)', answer.text()
    )
    orders_data = json.loads(data)
    orders_data["ground"] |= {"columns": 48, "rows": 40}
    contact = {
        "power": "frost",
        "n": [0, 1, 0, 0],
        "words": "1 cruiser",
        "week": 1,
        "age": 0,
        "gone": False,
    }
    orders_data["moment"]["contacts"] = [
        contact | {"hex": f"{column:02}{row:02}"}
        for column in range(12, 48, 2)
        for row in range(5, 40, 2)
    ]
    before, replaced = re.subn(
        r'(data-hex=")\d+(" data-name="Lantern")', rf"\g<1>{NEXT_TO_HOME}\2", before
    )
    assert replaced
    route.fulfill(response=answer, body=before + json.dumps(orders_data) + after)


# How many contacts and flags cover another, for a hex of so many pixels.
COVERED = """async size => {
  document.querySelector(".map-host").starMap.centreOn("3020", size / 42);
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const shown = [...document.querySelectorAll(".ghost, .flag")].map(one => {
    const all = [...one.querySelectorAll(".body, .cloth:not(.back), text")].map(part => part.getBoundingClientRect());
    const of = (side, end) => Math[end](...all.map(box => box[side]));
    return [of("left", "min") + 1, of("top", "min") + 1, of("right", "max") - 1, of("bottom", "max") - 1];
  });
  const covers = (a, b) => a !== b && a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
  return [shown.length > 9, shown.filter(one => shown.some(other => covers(one, other))).length];
}"""


def test_clustered_fleets_separate_by_touch_and_take_orders(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    player = person(site, browser, ember[1]["ember"], PHONE, has_touch=True, is_mobile=True)
    page = player.page
    change_first(page, crowd_map)
    player.go(f"/c/{ember[0]}/orders/")
    clear_orders(player)
    page.get_by_role("button", name="Show the whole map").tap()
    expect(page.locator(".ghost[data-cluster]").first).to_be_visible()
    assert [page.evaluate(COVERED, size) for size in (20, 30, 44)] == [[True, 0]] * 3
    page.get_by_role("button", name="Show the whole map").tap()
    own_flags, cluster = page.locator("g.flag"), page.locator("g.flag[data-cluster]")
    expect(cluster).to_have_count(1)
    expect(own_flags).to_have_count(1)  # all of them are one
    assert page.locator(".ghost[data-cluster]").count()
    cluster.tap()
    expect(own_flags).to_have_count(2)
    expect(cluster).to_have_count(0)
    page.locator(f"g.flag[data-hex='{HOME}']").tap()
    page.locator("[data-card]").get_by_role("button", name="Lance").tap()
    expect(page.locator("[data-fleet].chosen")).to_have_attribute("data-name", "Lance")
    page.touchscreen.tap(*hex_position(player, HALFWAY))
    type_order(player, "Lance", "→ hex 0504, 2 hexes, week 1")
    player.expect_text(SAVED)
    player.context.close()


GROUP = "row => row.parentElement.dataset.group"


def test_many_fleets_share_one_form_and_no_order_is_lost(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    player = open_orders_page(site, browser, ember)
    page = player.page
    change_first(page, fold_fleets)
    player.go(f"/c/{ember[0]}/orders/")
    forms, standing = (
        page.locator("[data-list] details.doctrine"),
        page.locator("[data-list] select[name^=standing-]"),
    )
    expect(forms).to_have_count(0)
    lance = choose(player, "Lance")
    group = lance.evaluate(GROUP)
    page.mouse.click(*hex_position(player, HALFWAY))
    type_order(player, "Lance", "→ hex 0504")
    expect(forms).to_have_count(1)
    assert lance.evaluate(GROUP) == group, "it stays in its place while it is chosen"
    lance.get_by_label("If it meets others and you decide nothing").select_option("fight")
    lance.locator("details.doctrine > summary").click()
    lance.get_by_label("Preferred range (MU)").fill("12")
    lantern = choose(player, "Lantern")
    page.mouse.click(*hex_position(player, FROST))
    type_order(player, "Lantern", "→ Frost")
    expect(standing).to_have_count(1)
    lantern.locator("details.ships > summary").click()
    ship = lantern.locator("[data-ship]").first
    ship.locator("[data-to]").select_option(label=f"→ {FINGERED}")
    expect_map_text(player, f"→ {FINGERED}")
    type_order(player, "Lance", "standing order: fight")
    choose(player, "Lance")
    expect(lance.get_by_label("Preferred range (MU)")).to_have_value("12")
    expect(lance.get_by_label("If it meets others and you decide nothing")).to_have_value("fight")
    page.locator("[data-undo]").click()
    expect_map_text(player, "Undone: ")
    page.locator("[data-redo]").click()
    type_order(player, FINGERED, "takes over")
    player.expect_text(SAVED)
    player.go(f"/c/{ember[0]}/orders/")
    type_order(player, "Lance", "→ hex 0504, 2 hexes, week 1; new doctrine; ")
    type_order(player, "Lance", "; standing order: fight")
    type_order(player, "Lantern", "→ Frost")
    type_order(player, "Lantern", f"to {FINGERED}")
    expect(lance.locator("input[name^=range-]")).to_have_value("12")
    player.context.close()


# A drag event as the browser sends it, to what is at a position on the screen or to the dragged
# element. Real dragging with the mouse sometimes hangs in a browser without a window.
DRAG_EVENT = """(drawn, [what, place]) => {
  const data = window.drawnByTest ??= new DataTransfer();
  const [clientX, clientY] = place ?? [0, 0];
  const on = place ? document.elementFromPoint(clientX, clientY) : drawn;
  on.dispatchEvent(new DragEvent(what, {bubbles: true, cancelable: true, dataTransfer: data, clientX, clientY}));
}"""


def middle(target: Locator) -> tuple[float, float]:
    """Return where something is on the screen now.

    The map may redraw it meanwhile, so it is looked up again.
    """
    for _ in range(20):
        expect(target).to_be_visible()
        box = target.bounding_box()
        if box is not None:
            break
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_ships_are_split_off_and_merged_by_dragging(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    """The fleet's form is loaded first."""
    player = open_orders_page(site, browser, ember)
    change_first(player.page, fold_fleets)
    player.go(f"/c/{ember[0]}/orders/")
    page, lance = player.page, player.page.locator("[data-fleet][data-name='Lance']")
    ships = lance.locator("[data-ship]")
    expect(ships).to_have_count(0)
    choose(player, "Lance")
    expect(ships).not_to_have_count(0)
    expect(lance.locator(".pennant text")).to_have_text(str(ships.count()))
    lance.locator("details.ships > summary").click()
    ship = lance.locator("[data-ship]").first
    target = page.locator("[data-new-fleet]")
    # The script for dragging ships is loaded at the first touch
    expect(ship).to_have_attribute("draggable", "true")
    ship.evaluate(DRAG_EVENT, ["dragstart", None])
    expect(target).to_be_in_viewport(
        ratio=1
    )  # for any length of the list: with a ship in hand nobody can scroll
    for event in ("dragover", "drop"):
        ship.evaluate(DRAG_EVENT, [event, middle(target)])
    ship.evaluate(DRAG_EVENT, ["dragend", None])
    expect(target).to_be_hidden()
    new = page.locator(".fleet.new:visible")
    expect(new).to_have_count(1)
    formed = new.get_attribute("data-name") or ""
    expect(new.locator(".top")).to_contain_text(f"{formed} Ember")
    lance.get_by_label("Merge into").select_option(label="Lantern")
    expect(page.locator("[data-fleet][data-name='Lance'] .pennant text")).to_have_text("0")
    type_order(player, "Lance", f"Merged into {formed}, Lantern")
    expect(page.locator("[data-name='Lance']:not(.todo)")).to_be_visible()
    page.keyboard.press("Control+z")  # with the focus in the changed list
    expect_map_text(player, "Undone: Lance merged into Lantern")
    page.locator("[data-undo]").click()
    expect(new).to_have_count(0)
    for name, words in (
        ("Lance", "Lance is unchanged."),
        ("Lantern", "Lance merged into Lantern"),
    ):
        _drag_on_map(player, "Lance", name)  # of three flags beside one star
        expect_map_text(player, words)
    page.locator("[data-undo]").click()
    _without_drives(player)
    player.context.close()


def _without_drives(player: Person) -> None:
    """A fleet that cannot jump disappears once all its ships are in others, and returns by undo."""
    page, stays = player.page, "no ship with a working FTL drive"
    guard = page.locator(f"[data-fleet][data-name='{FINGERED}']")
    guard.locator(".top").click()
    expect_map_text(player, f"{FINGERED} stays where it is.")
    type_order(player, FINGERED, stays)
    expect(guard.locator("[data-goto]")).to_be_hidden()
    if not guard.get_by_label(
        "Merge into"
    ).is_visible():  # a draft with orders for its ships shows them
        guard.locator("details.ships > summary").click()
    guard.get_by_label("Merge into").select_option(label="Lantern")
    type_order(player, FINGERED, "Merged into Lantern")
    choose(player, "Lance").get_by_label("Merge into").select_option(label=FINGERED)
    type_order(player, FINGERED, "no move ordered")
    choose(player, FINGERED)
    expect(guard.locator("[data-goto]")).to_be_visible()
    page.mouse.click(*hex_position(player, HALFWAY))
    type_order(player, FINGERED, "→ hex 0504, 2 hexes, week 1")
    choose(player, "Lantern")
    page.mouse.click(*hex_position(player, HALFWAY))
    expect(page.locator("[data-fleet][data-name='Lantern'] .why")).to_contain_text(
        "has no working FTL drive"
    )
    page.locator("[data-undo]").click()
    player.expect_text(SAVED)
    page.locator("[data-undo]").click()
    page.locator("[data-undo]").click()
    type_order(player, FINGERED, "Merged into Lantern")
    page.locator("[data-undo]").click()
    type_order(player, FINGERED, stays)
    page.locator("[data-redo]").click()
    page.locator("[data-redo]").click()
    type_order(player, FINGERED, "no move ordered")
    player.expect_text(SAVED)


def _drag_on_map(player: Person, fleet: str, onto: str) -> None:
    """Drag a fleet's flag to another's name, after the draft is saved."""
    expect(player.page.locator("[data-list]")).not_to_have_attribute("aria-busy", "true")
    (x, y), (to_x, to_y) = (
        middle(player.page.locator("g.flag", has_text=name).locator("text").first)
        for name in (fleet, onto)
    )
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(to_x + 12, to_y)
    player.page.mouse.move(to_x, to_y)
    player.page.mouse.up()


def disable_drive(route: Route) -> None:
    """Return the orders page as if Lance's first ship had lost its FTL drive."""
    answer = route.fetch()
    body, replaced = re.subn(
        r'(?s)(data-name="Lance".*?data-kind="\w+")', r'\1 data-held="1"', answer.text(), count=1
    )
    assert replaced
    route.fulfill(response=answer, body=body)


def test_button_leaves_crippled_ships_behind_and_each_hex_has_a_list(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    """With keys only, and still after sealing."""
    campaign, _ = ember
    player = open_orders_page(site, browser, ember)
    change_first(player.page, disable_drive)
    player.go(f"/c/{campaign}/orders/")
    page, keys = player.page, player.page.keyboard
    fleet_card, host = page.locator("[data-card]"), page.locator("[data-map]")
    host.focus()
    keys.press("n")
    expect_map_text(player, "choose where it goes")
    expect(page.locator("[data-fleet].chosen .cripples")).to_contain_text("1 cannot jump:")
    page.locator("[data-fleet].chosen [data-leave]").press("Enter")
    expect_map_text(player, "1 of Lance left at Ember")
    player.expect_text(SAVED)
    host.focus()
    keys.press("i")
    expect(fleet_card).to_contain_text("Lance (crippled)")
    expect(fleet_card.locator("button").first).to_be_focused()
    player.check_page("what is in a hex")
    keys.press("Escape")
    expect(fleet_card).to_be_hidden()
    expect(host).to_be_focused()
    player.go(f"/c/{campaign}/orders/")
    player.seal()
    expect_map_text(player, "Sealed. The map shows your orders.")  # now it takes keys
    host.focus()
    for _ in range(3):
        keys.press("ArrowUp")
    expect_map_text(player, "Hex 0301")
    keys.press("i")
    expect(fleet_card).to_contain_text("Nothing is known about it.")
    expect(fleet_card.get_by_role("button", name="Close")).to_be_focused()
    keys.press("Escape")
    expect(fleet_card).to_be_hidden()
    expect(host).to_be_focused()
    player.press("Unseal and change")
    player.go(f"/c/{campaign}/map/")  # to look at: the same list
    host.focus()
    keys.press("i")
    expect(fleet_card.get_by_role("button", name="Close")).to_be_focused()
    expect(fleet_card.locator("li")).to_contain_text(["Lance"])
    keys.press("Escape")
    expect(host).to_be_focused()
    page.mouse.click(*hex_position(player, HALFWAY), button="right")
    expect(fleet_card).to_contain_text("Nothing is known about it.")
    player.context.close()
