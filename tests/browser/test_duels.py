"""Small battles of both editions played online to their ends: by mouse, keyboard, and touch.

The rival seals the captain's proposal through the API.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from campaign.forms.battle.ordnance_form import POINT_HINT
from tests.browser.people import (
    MOST,
    PHONE,
    Person,
    is_of_form_or_film,
    person,
    stage_of,
    wait_until,
    was_accepted,
)
from tests.browser.test_battles import DOT
from tests.site.running import Site

pytestmark = pytest.mark.browser
NAC, ESU = "duel-nac", "duel-esu"
MAX_PHASES = 12
# What covers the middle of a control, if it is not the control itself or part of it.
COVERED = """nodes => nodes.map(node => {
  const box = node.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
  const hit = document.elementFromPoint(x, y);
  return !box.width || node.contains(hit) ? "" : `${node.id || node.textContent} under ${hit?.className}`;
}).filter(Boolean)"""
BUTTONS = ".frame:not(.flow) :is(.tools, .control-panel, .seal) .b:not(.bare)"
# Controls of a panel that a finger would miss.
LOW = """panel => [...panel.querySelectorAll("select, input:not([type=hidden], [type=checkbox]), label.tick")]
  .filter(node => node.getBoundingClientRect().height < 43.5).map(node => node.name || node.textContent)"""
LOW_BUTTONS = """panel => [...panel.querySelectorAll("button, summary")]
  .filter(node => node.offsetHeight && node.getBoundingClientRect().height < 43.5).map(node => node.textContent)"""
# Bytes of battle scripts that a page loaded until it was ready, as sent.
LOADED = """() => performance.getEntriesByType("resource")
  .filter(one => one.name.includes("/js/battle_")).reduce((sum, one) => sum + one.encodedBodySize, 0)"""
SCRIPTS = 16_000  # at most
# How far the contents of a page have moved since it was first drawn: the sum of layout shifts.
SHIFTED = """() => new Promise(done => {
  const sum = list => list.getEntries().reduce((all, one) => all + one.value, 0);
  new PerformanceObserver(list => done(sum(list))).observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(0), 300);
})"""
# The list of speeds is hidden until a film plays.
CHOOSE_SLOWEST = """list => {
  list.selectedIndex = 0;
  list.dispatchEvent(new Event("change"));
}"""
STEADY = 0.1  # "good" by web.dev/cls
SLOW = {
    "offline": False,
    "latency": 120,
    "downloadThroughput": -1,
    "uploadThroughput": -1,
}  # the page is drawn before
# Dice depend on the nonces that browsers make (campaign/rules/fair.py): with these every run is
# the same battle.
SAME_NONCES = "crypto.getRandomValues = bytes => bytes.fill(7)"
LOOKED_AT = ("fighters", "attack", "defend", "control")  # the others are in test_battles
Act = Callable[[Person], None]


@pytest.fixture(scope="module")
def duels(site: Site) -> dict[str, str]:
    """Return the started battles, by how they are played."""
    site.people(NAC, ESU)
    ids = site.run("tests.browser.duels", NAC, ESU).split()
    return dict(zip(("mouse", "keys", "touch", "words"), ids, strict=True))


TO_PORT = re.compile(r"P1(; .+)?")  # a captain may order the ship to do more: that stays


def captain(site: Site, browser: Browser, *size: Any, **options: Any) -> Person:
    """Return the player of the NAC at a browser."""
    player = person(site, browser, NAC, *size, **options)
    player.page.add_init_script(SAME_NONCES)
    return player


def test_battle_by_mouse(site: Site, browser: Browser, duels: dict[str, str]) -> None:
    """A battle of the second edition: ghosts are dragged, rows opened, targets clicked."""
    user = captain(site, browser)

    def plots(player: Person) -> None:
        player.page.locator("#ships .ship", has_text="Frigate").first.click()
        ghost = player.page.locator(".mark.ghost.chosen").bounding_box()
        assert ghost is not None
        player.page.mouse.move(ghost["x"] + ghost["width"] / 2, ghost["y"] + ghost["height"] / 2)
        player.page.mouse.down()
        player.page.mouse.move(*player.page.evaluate(DOT, "P1"), steps=3)
        player.page.mouse.up()
        expect(player.page.locator(".ship.chosen .order")).to_have_value(TO_PORT)
        _check_short_bay_names(player)

    def fires(player: Person) -> None:
        _fire_weapons(player)
        groups = player.page.locator("#ships li[data-row*='/']")
        assert groups.count()
        groups.locator(".ship").first.click()
        expect(player.page.locator(".control-panel .budget")).to_contain_text("craft")
        expect(groups.locator(".ship").first).to_have_class(re.compile("chosen"))

    assert _play_battle(
        user,
        duels["mouse"],
        {"plot": plots, "fighters": _choose_options, "engage": fires},
        _press_seal,
    ) == [
        "plot",
        "fighters",
        "engage",
    ]


def test_battle_by_keyboard(site: Site, browser: Browser, duels: dict[str, str]) -> None:
    """Another one without any pointer: orders by single keys, the seal by Tab and Enter."""
    user = captain(site, browser)

    def plots(player: Person) -> None:
        keys = player.page.keyboard
        for key in ("n", "0", "p", "p", "s"):
            keys.press(key)
        expect(player.page.locator(".ship.chosen .order")).to_have_value("P1")
        expect(player.page.locator("#say")).to_contain_text("P1, course")
        keys.press("n")
        keys.press("c")
        expect(player.page.locator("#count")).to_contain_text("1 by you")
        expect(player.page.locator("#state")).to_contain_text("Draft saved")
        status_line = player.page.locator("#say")
        for key, words in (
            ("t", "MU from"),
            ("ArrowRight", "1.0 MU, bearing 3.1;"),
            ("Shift+ArrowRight", "7.0 MU, bearing 3;"),
        ):
            keys.press(key)
            expect(status_line).to_contain_text(words)
        keys.press("Space")
        expect(status_line).to_have_text(re.compile(r"^\D.*; [\d.]+ MU, bearing"))
        player.check_page("battle, cursor")
        keys.press("Escape")
        expect(player.page.locator("#table .cursor")).to_have_count(0)

    def fires(player: Person) -> None:
        for key in ("0", "b"):
            player.page.keyboard.press(key)
        expect(player.page.locator("#say")).to_contain_text("points expected")

    phases = _play_battle(user, duels["keys"], {"plot": plots, "engage": fires}, _seal_by_keyboard)
    assert phases == ["plot", "engage"]
    _without_keys(user)


def _without_keys(player: Person) -> None:
    """With single keys turned off in the profile, the replay ignores them; arrows still work."""
    replay, dice = player.page.url.removesuffix("result/"), player.page.locator("#dice")
    player.page.goto(replay)
    player.page.keyboard.press("d")
    expect(dice).to_have_attribute("aria-pressed", "true")
    player.go("/me/")
    player.page.get_by_label("Single-key shortcuts").uncheck()
    with player.page.expect_navigation():
        player.page.get_by_role("button", name="Save").first.click()
    player.page.goto(replay)
    player.page.keyboard.press("d")
    player.page.keyboard.press("End")
    seek = player.page.locator("#seek")
    expect(seek).to_have_value(seek.get_attribute("max") or "none")
    expect(dice).to_have_attribute("aria-pressed", "false")


def test_battle_by_touch(site: Site, browser: Browser, duels: dict[str, str]) -> None:
    """A Continuum battle on a phone with craft, point defence and damage control: nothing overlaps."""
    user = captain(site, browser, PHONE, has_touch=True, color_scheme="dark")
    user.tools.send("Network.emulateNetworkConditions", SLOW)

    def plots(player: Person) -> None:
        player.page.locator("#ships .ship").nth(1).tap()
        order, more = (
            player.page.locator(".ship.chosen .order"),
            player.page.locator("#control-panel .more > summary"),
        )
        if "launch" in order.input_value():  # then it keeps its course
            expect(player.page.locator(".reach")).to_have_count(1)
            more.tap()
            while "launch" in (before := order.input_value()):
                player.page.locator("#control-panel [name^=launch-]:checked").first.tap()
                expect(order).not_to_have_value(before)
            more.tap()
        last_position: object = None
        while (
            at := player.page.evaluate(DOT, "P1")
        ) != last_position:  # a closing panel lets the table grow
            last_position = at
            player.page.wait_for_timeout(100)
        player.page.touchscreen.tap(*at)
        expect(player.page.locator(".ship.chosen .order")).to_have_value(TO_PORT)
        _expect_where(player)

    acts: dict[str, Callable[[Person], None]] = {
        "plot": plots,
        "attack": _choose_options,
        "defend": _choose_options,
        "engage": _fire_weapons,
        "control": _repel_boarders,
    }
    phases = _play_battle(user, duels["touch"], acts, _press_seal)
    assert phases.count("plot") == 2
    assert set(phases) == set(acts)


def test_rare_orders_have_fields_on_a_phone(
    site: Site, browser: Browser, duels: dict[str, str]
) -> None:
    """Fields and the written order follow each other; faults are at their fields; both are sealed
    together, with launches.
    """
    player = captain(site, browser, PHONE, has_touch=True)
    wait_until(site, lambda: _is_waiting(site, duels["words"]))
    mine = _fight(site, NAC, duels["words"])
    player.go(f"/c/{duels['words']}/battles/{mine['id']}/now/")
    aimed = _check_launches(player)
    raider = player.page.locator("#ships .ship", has_text="Umbra Raider").first
    raider.tap()
    order, written_order = raider.locator(".order"), player.page.locator("#written")
    written_order.fill("+1")
    player.page.locator("#control-panel .more > summary").tap()
    panel = player.page.locator("#control-panel .seldom")
    cloak = panel.get_by_label("Activate the cloak")
    cloak.fill("3")
    cloak.press("Enter")
    expect(order).to_have_value("+1; cloak 3")
    panel.get_by_label("Roll over").tap()
    expect(order).to_have_value("+1; cloak 3; roll")
    player.check_page("seldom orders")
    assert panel.evaluate(LOW) == []
    written_order.fill("+1; cloak 5")
    written_order.press("Tab")
    expect(cloak).to_have_value("5")
    expect(panel.get_by_label("Roll over")).not_to_be_checked()
    cloak.fill("0")
    cloak.press("Enter")
    expect(panel.locator(".wrong")).to_contain_text("a whole number from 1 to 99")
    cloak.fill("2")  # and sealed before it is read: the form contains it
    player.seal(last=True)
    rows = site.call(NAC, "GET", f"campaigns/{duels['words']}/fights/{mine['id']}/receipts/").json[
        "receipts"
    ]
    assert "+1; cloak 2" in rows[0]["orders"]["plot"].values()
    (launch_orders,) = rows[0]["orders"]["launch"].values()
    assert [[float(part) for part in words.split()] for words in aimed] == [
        launch["at"] for launch in launch_orders
    ]
    assert player.faults == []


def _check_launches(player: Person) -> list[str]:
    """Aim two launchers of a ship, one by touching the table, one by keys; return where."""
    drawer = player.page.locator("details.drawer", has_text="Craft and launches")
    _press(player, drawer.locator("> summary"))
    cards, aims = (
        drawer.locator("[data-card*='salvo launcher']"),
        drawer.locator("input[name^=aim-]"),
    )
    expect(cards).to_have_count(2)
    for card in cards.all():
        card.get_by_role("button", name="Hold").tap()
        expect(card.locator(".ship .pill").first).to_have_text("not launched")
    cards.first.get_by_role("button", name="Aim at").tap()
    expect(player.page.locator("#table .bounds .ring")).to_have_count(1)
    player.page.touchscreen.tap(220, 160)
    expect(aims.first).to_have_value(re.compile(r"^[\d.]+ [\d.]+$"))
    expect(cards.first.locator(".ship .pill").first).to_have_text(f"at {aims.first.input_value()}")
    aim, status_line, keys = (
        cards.nth(1).get_by_role("button", name="Aim at"),
        player.page.locator("#say"),
        player.page.keyboard,
    )
    aim.focus()
    keys.press("Enter")
    expect(status_line).to_contain_text("0.0 MU; in range")
    keys.press("End")
    expect(status_line).to_contain_text("23.9 MU, bearing 3; in range")
    player.check_page("a launcher's cursor")
    keys.press("Shift+ArrowRight")
    expect(status_line).to_contain_text("out of range by 5.9 MU")
    keys.press("Shift+ArrowLeft")
    keys.press("Enter")
    expect(aim).to_be_focused()
    expect(cards.first.locator(".ship")).to_contain_text("2 are launched")  # from one magazine
    assert drawer.evaluate(LOW_BUTTONS) == []
    _press(player, drawer.locator("> summary"))
    return [aim.input_value() for aim in aims.all()]


def _check_short_bay_names(player: Person) -> None:
    """An order with a bay's short name keeps it when a second bay is ticked, or launched by its
    card.
    """
    player.page.locator("#ships .ship", has_text="Light Carrier").first.click()
    order, written_order = (
        player.page.locator(".ship.chosen .order"),
        player.page.locator("#written"),
    )
    captains = order.input_value()
    more, ticks = (
        player.page.locator("#control-panel .more > summary"),
        player.page.locator("#control-panel [name^=launch-]"),
    )
    written_order.fill("launch bay-1")
    written_order.press("Tab")
    more.click()
    expect(ticks.first).to_be_checked()
    ticks.nth(1).check()
    expect(order).to_have_value("launch fighter-bay-1 fighter-bay-2")
    more.click()
    written_order.fill("launch bay-1")
    written_order.press("Tab")
    drawer = player.page.locator("details.drawer", has_text="Craft and launches")
    drawer.locator("> summary").click()
    buttons = drawer.get_by_role("button", name="Launch", exact=True)
    expect(buttons.first).to_have_attribute("aria-pressed", "true")
    buttons.nth(1).click()
    expect(order).to_have_value("launch fighter-bay-1 fighter-bay-2")
    expect(order).not_to_have_class(re.compile("fault"))
    third = buttons.nth(2)  # a carrier launches two groups a turn
    expect(third).to_have_attribute("aria-disabled", "true")
    third.click(force=True)
    expect(player.page.locator("#tell")).to_contain_text("its ship can launch only 2 groups a turn")
    expect(order).to_have_value("launch fighter-bay-1 fighter-bay-2")
    drawer.locator("> summary").click()
    expect(player.page.locator("#table .name.ghost.chosen")).to_have_text(
        re.compile(r"^launch C\d+ V\d+$")
    )  # in short
    player.page.locator(".step [data-do='0+']").click()
    expect(player.page.locator("#tell")).to_contain_text(
        "must fly straight because of its order launch"
    )
    written_order.fill(captains)
    written_order.press("Tab")


def _play_battle(player: Person, campaign: str, acts: dict[str, Act], seal: Act) -> list[str]:
    """Play the battle to its end, and return the phases that occurred.

    Args:
        acts: What to do in a phase, by kind.
    """
    phases: list[str] = []
    for _ in range(MAX_PHASES):
        wait_until(player.site, lambda: _is_waiting(player.site, campaign))
        rival, mine = (_fight(player.site, name, campaign) for name in (ESU, NAC))
        if rival["state"] == "open":
            orders = f"campaigns/{campaign}/fights/{rival['id']}/orders/seal/"
            assert player.site.call(ESU, "POST", orders, {}).status == 201
        if mine["state"] == "over":
            break
        if mine["state"] == "open":
            player.go(f"/c/{campaign}/battles/{mine['id']}/now/")
            phases.append(mine["phase"]["kind"])
            assert 0 < player.page.evaluate(LOADED) <= SCRIPTS, phases
            assert player.page.evaluate(SHIFTED) < STEADY, phases
            acts[phases[-1]](player)
            assert player.page.locator(BUTTONS).evaluate_all(COVERED) == [], phases
            if phases[-1] in LOOKED_AT:
                player.check_page(f"battle, {phases[-1]}")
            with player.page.expect_response(
                is_of_form_or_film
            ) as answered:  # and not from the draft, which is saved meanwhile
                seal(player)
            assert was_accepted(answered.value), player.text()
        wait_until(player.site, partial(_has_moved_on, player.site, campaign, mine["phase"]))
    wait_until(player.site, lambda: stage_of(player.site, NAC, campaign)[1] == "over")
    player.go(f"/c/{campaign}/battles/{mine['id']}/now/")
    assert player.page.url.endswith("/result/"), player.page.url
    return phases


def _has_moved_on(site: Site, campaign: str, phase: Any) -> bool:
    """Return whether the battle has left a phase."""
    return bool(_fight(site, NAC, campaign)["phase"] != phase)


def _fight(site: Site, name: str, campaign: str) -> Any:
    """Return the battle as the API lists it for somebody."""
    return site.call(name, "GET", f"campaigns/{campaign}/fights/").json["fights"][0]


def _is_waiting(site: Site, campaign: str) -> bool:
    """Return whether anybody is asked, or the battle is over."""
    return bool({"open", "over"} & {_fight(site, name, campaign)["state"] for name in (NAC, ESU)})


def _expect_where(player: Person) -> None:
    """Use a card of craft: launch and undo, land on a ship, fly to a touched point, and reset."""
    drawer = player.page.locator("details.drawer", has_text="Craft and launches")
    _press(player, drawer.locator("> summary"))
    card = drawer.locator("li[data-row]").first
    acts, pills = card.locator(".acts"), card.locator(".ship .pill")
    to = card.locator(f"input[placeholder='{POINT_HINT}']").first
    acts.get_by_role("button", name="Stay").tap()
    expect(pills).to_have_text(["no orders"])
    for name in ("Launch", "Land on"):
        act = acts.get_by_role("button", name=name).first
        if act.count():
            act.tap()
            expect(act).to_have_attribute("aria-pressed", "true")
            expect(pills).not_to_have_text(["no orders"])
            act.tap()
            expect(act).to_have_attribute("aria-pressed", "false")
    acts.get_by_role("button", name="Fly to").tap()
    player.page.touchscreen.tap(200, 120)
    expect(to).to_have_value(re.compile(r"^[\d.]+ [\d.]+$"))
    expect(pills).to_contain_text([f"Fly to {to.input_value()}"])
    expect(player.page.locator("#table .place")).not_to_have_count(0)
    player.check_page("craft beside the plots")
    assert drawer.evaluate(LOW_BUTTONS) == []
    acts.get_by_role("button", name="Captain").tap()
    _press(player, drawer.locator("> summary"))


def _press(player: Person, target: Locator) -> None:
    """Press with the person's pointer."""
    if player.page.evaluate("matchMedia('(pointer: coarse)').matches"):
        target.tap()
    else:
        target.click()


def _choose_options(player: Person) -> None:
    """Give each unit with a choice nothing, then the first cell, then the captain's proposal."""
    cells, box = (
        player.page.locator(".control-panel .cell"),
        player.page.locator(".control-panel .fields"),
    )
    for chip in player.page.locator("#ships .ship").all():
        _press(player, chip)
        if cells.count():
            break
    captains = player.page.get_by_role("button", name="Captain’s")
    _press(player, player.page.locator(".control-panel [data-do=hold]"))
    if not cells.count():  # only fields, in the same place
        expect(box).to_have_attribute("open", "")
    else:
        expect(player.page.locator(".cell[aria-pressed=true]:not([data-at='0'])")).to_have_count(
            0
        )  # boarders: none
        _press(player, cells.first)
        expect(cells.first).to_have_attribute("aria-pressed", "true")
    if captains.is_enabled():
        _press(player, captains)
        expect(captains).to_be_disabled()
        expect(player.page.locator("#count")).to_contain_text("0 by you")


def _repel_boarders(player: Person) -> None:
    """Send most parties against each boarder in the first turn, then restore the captain's choice."""
    boarded = player.page.locator("#ships li", has_text="Reaver").locator(".ship").first
    if boarded.count():
        _press(player, boarded)
    cells = player.page.locator(
        ".aim tr", has_text="Parties against boarders wrecking the ship"
    ).locator(".cell")
    if cells.count():
        _press(player, player.page.get_by_role("button", name="None"))
        expect(player.page.locator(".control-panel .budget")).to_contain_text("0 of")
        _press(player, cells.last)
        expect(player.page.locator("#say")).to_contain_text("boarders expected")
        expect(player.page.locator(".control-panel .budget")).not_to_contain_text("0 of")
        expect(player.page.locator(".control-panel .budget.bad")).to_have_count(0)
        captains = player.page.get_by_role("button", name="Captain’s")
        if captains.is_enabled():
            _press(player, captains)
        expect(captains).to_be_disabled()
    _choose_options(player)


def _fire_weapons(player: Person) -> None:
    """Let ships with a target hold their fire, then fire everything at the first target."""
    cells = player.page.locator(".aim .cell")
    expect(
        player.page.locator("#control-panel")
    ).to_be_visible()  # its script loads the code for fields
    for chip in player.page.locator("#ships .ship").all():
        if cells.count():
            break
        _press(player, chip)
    _press(player, player.page.get_by_role("button", name="Hold", exact=True))
    expect(cells.first).to_have_attribute("aria-pressed", "false")
    _press(player, player.page.locator(".who").first)
    expect(player.page.locator("#say")).to_contain_text("points expected")


def _press_seal(player: Person) -> None:
    """Press the button; the film of the first phase is skipped, that of the second not shown."""
    phase = (player.page.locator("#orders").get_attribute("data-at") or "").partition("-")[0]
    if phase == "1":
        player.page.emulate_media(reduced_motion="reduce")
    elif phase == "0":
        player.page.locator("#speed").evaluate(CHOOSE_SLOWEST)
    _press(player, player.page.locator("#seal"))
    if phase == "0":
        _skip_film(player)
    elif phase == "1":
        expect(player.page.locator("#happened")).to_have_attribute("open", "", timeout=MOST)
        expect(player.page.locator("canvas.film")).to_have_count(0)
        player.page.emulate_media(reduced_motion="no-preference")


def _skip_film(player: Person) -> None:
    """Speed a film up and skip it by keys, or skip it by a tap on the table."""
    page = player.page
    expect(page.locator("#skip")).to_be_focused(timeout=MOST)
    if player.screen[2]:  # this player has turned single keys off
        page.touchscreen.tap(200, 120)
    else:
        page.keyboard.press(".")
        expect(page.locator("#speed")).to_have_value("1")
        page.keyboard.press("Space")
    expect(page.locator("#helm")).to_be_hidden(timeout=MOST)
    kept = "0.5" if player.screen[2] else "1"
    expect(page.locator("#speed")).to_have_value(kept)
    expect(page.locator("#say")).to_contain_text("Next")
    expect(page.locator("#table")).to_be_focused()
    expect(page.locator("[data-watch]:visible")).to_have_count(1)


def _seal_by_keyboard(player: Person) -> None:
    """Go to the button by Tab, and press Enter."""
    for _ in range(80):
        player.page.keyboard.press("Tab")
        if player.page.evaluate("document.activeElement.id") == "seal":
            break
    player.page.keyboard.press("Enter")
