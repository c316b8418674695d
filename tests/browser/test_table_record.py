"""A battle recorded on two phones: plots sealed, boxes tapped, ten minutes offline, results."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Route, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browser.people import (
    PHONE,
    Person,
    log_in,
    person,
    stage_of,
    start_umpired_war,
    wait_until,
)
from tests.site.running import Site

pytestmark = pytest.mark.browser
# Touch controls of the record smaller than 44 pixels.
TOO_SMALL = """() => [...document.querySelectorAll("[data-kept] :is(button, summary, input, select)")]
  .map((node) => [node.name || node.tagName, node.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5)).map(([name]) => name)"""
ALL_STORAGE_KEYS = "Object.keys(localStorage).sort()"
TABLE_KEYS = "Object.keys(localStorage).filter((key) => key.startsWith('blind-jump-table/'))"
SECRET, LATER = "P2+3", "S3-1"
FULL = "() => { window.whole = Storage.prototype.setItem; Storage.prototype.setItem = () => { throw new Error(); }; }"
ALLOW_STORAGE = "() => { Storage.prototype.setItem = window.whole; }"
# Whether the worker has cached the page with box 1 of the first ship crossed.
PAGE_IS_CACHED = """async () => {
  const page = await caches.match(location.href);
  return Boolean(page) && (await page.text()).includes(`"crossed": [1]`);
}"""
# What earlier and later releases store of a player.
LEAVE_OLD_KEYS = """() => {
  for (const kind of ["nonce", "held", "table"]) localStorage.setItem(`blind-jump-${kind}/x`, "[]");
}"""
PAGES = """async () => [await caches.keys(), (await navigator.serviceWorker.getRegistrations()).length]"""


def test_table_battle_on_two_phones(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "phones", "carrier-strike", battles="table")
    nac, esu = (person(site, browser, names[key], PHONE, has_touch=True) for key in ("nac", "esu"))
    for player in (nac, esu):
        _open_record(player, campaign)
        player.check_page("record")
        assert player.page.evaluate(TOO_SMALL) == []
    nac.page.locator("input[name=plot-n1]").fill("S9")
    nac.page.reload()  # the input is there again, and Enter in a line seals nothing
    nac.page.locator("input[name=plot-n1]").press("Enter")
    expect(nac.page.locator("input[name=plot-n1]")).to_have_value("S9")
    _seal(nac, SECRET)
    expect(nac.page.locator("input[name=plot-n1]")).to_have_value(SECRET)
    expect(esu.page.locator("#shared")).to_contain_text("missing:")
    assert SECRET not in esu.page.content()
    _seal(esu, "S1")
    expect(esu.page.locator("#shared")).to_contain_text(SECRET, timeout=15_000)
    esu.page.get_by_role("button", name="Continue: movement").tap()
    expect(nac.page.get_by_role("heading", name="Turn 1, movement")).to_be_visible(timeout=15_000)

    nac.page.clock.install()
    nac.context.set_offline(True)
    ship = nac.page.locator(".damage-panel[data-ship=n1]")
    ship.locator("summary").tap()
    last = int(ship.locator("[data-last]").first.get_attribute("data-last") or "0")
    ship.locator(f"[data-box='{last}']").tap()
    expect(ship.locator(".check").first).to_be_visible()
    ship.locator("[data-system=drive]").tap()
    ship.get_by_role("button", name="Roll here").first.tap()
    expect(ship.locator(".check").first).to_contain_text("The check is waiting to be sent.")
    ship.locator("[data-store=hangar-1] [data-step='-1']").tap()
    nac.page.locator("input[name=rolls]").fill("6 2 3")
    nac.page.locator("input[name=rolls]").press("Enter")
    for phase in ("craft and ordnance", "fire", "checks and repairs", "turn 2"):
        nac.page.get_by_role("button", name=f"Continue: {phase}").tap()
    for field in nac.page.locator("input[name^=plot-]").all():
        field.fill(LATER)
    nac.page.evaluate(FULL)
    nac.page.get_by_role("button", name="Seal the plot of turn 2").tap()
    expect(nac.page.locator("#queue")).to_contain_text(
        "has no room to store them: leave the page open"
    )
    nac.page.evaluate(ALLOW_STORAGE)
    nac.page.locator("input[name=rolls]").fill("5")
    nac.page.locator("input[name=rolls]").press("Enter")
    expect(nac.page.locator("input[name=plot-n1]")).to_have_value(LATER)
    nac.page.clock.fast_forward(timedelta(minutes=10).seconds * 1000)
    waiting = nac.page.locator("#queue")
    expect(waiting).to_have_text("11 entries wait to be sent: no network. Nothing is lost.")
    assert nac.page.evaluate(TOO_SMALL) == []
    nac.check_page("without network")
    assert (
        len(nac.page.evaluate(TABLE_KEYS)) == 2
    )  # the entries, and the plot until the site has it
    nac.context.set_offline(False)
    nac.page.clock.run_for(6000)
    expect(waiting).to_be_hidden(timeout=15_000)
    assert nac.page.evaluate(TABLE_KEYS) == []
    expect(esu.page.locator("#shared")).to_contain_text(f"damage {last}", timeout=15_000)
    expect(esu.page.locator("#shared")).to_contain_text("lost: main drive")
    expect(esu.page.locator("#shared .record")).to_contain_text("threshold check")
    expect(ship.locator(".check").first).to_contain_text("Rolled: ")
    expect(esu.page.locator("#shared .record")).to_contain_text("6 2 3 (rolled by hand)")
    esu.check_page("after")
    expect(esu.page.get_by_role("heading", name="Turn 2, plots")).to_be_visible(timeout=15_000)
    assert LATER not in esu.page.content()
    _seal(esu, "0", 2)
    for player in (nac, esu):
        player.press("Copy to the result")
        player.press("Seal result")
    wait_until(site, lambda: stage_of(site, names["nac"], campaign)[1] == "over")
    for player in (nac, esu):
        assert player.faults == []
        player.context.close()


def test_next_user_of_a_browser_finds_no_data_of_the_last(site: Site, browser: Browser) -> None:
    """This holds after logging out, and after a log-in expired and somebody else logs in."""
    campaign, names = start_umpired_war(site, "leaves", "first-battle", battles="table")
    nac = person(site, browser, names["nac"], PHONE)
    _open_record(nac, campaign)
    nac.page.evaluate(LEAVE_OLD_KEYS)
    wait_until(site, lambda: all(nac.page.evaluate(PAGES)))
    address = nac.page.url
    nac.go("/accounts/logout/")
    nac.page.locator("main").get_by_role("button", name="Log out").click()
    expect(nac.page.get_by_role("link", name="Log in").first).to_be_visible()
    assert nac.page.evaluate(ALL_STORAGE_KEYS) == []
    wait_until(site, lambda: nac.page.evaluate(PAGES) == [[], 0])
    nac.page.evaluate(LEAVE_OLD_KEYS)
    log_in(nac, names["esu"])
    assert nac.page.evaluate(ALL_STORAGE_KEYS) == [
        "blind-jump-held/x",
        "blind-jump-reader",
        "blind-jump-table/x",
    ]
    nac.context.clear_cookies(name="sessionid")
    log_in(nac, names["umpire"])
    assert nac.page.evaluate(ALL_STORAGE_KEYS) == ["blind-jump-reader"]
    nac.context.set_offline(True)
    with pytest.raises(PlaywrightError):
        nac.page.goto(address)
    nac.context.close()


def _open_record(player: Person, campaign: str) -> None:
    player.go(f"/c/{campaign}/")
    player.page.get_by_role("button", name="Go to the table").first.click()
    player.page.get_by_role("link", name="keep the record on your phones").click()
    player.expect_title("At the table")


def _seal(player: Person, words: str, turn: int = 1) -> None:
    for field in player.page.locator("input[name^=plot-]").all():
        field.fill(words)
    player.page.get_by_role("button", name=f"Seal the plot of turn {turn}").tap()
    expect(
        player.page.get_by_role("button", name=f"The plot of turn {turn} is sealed")
    ).to_be_visible()
    expect(player.page.locator("#queue")).to_be_hidden(timeout=15_000)


def test_waiting_entries_survive_a_dead_network_and_a_lost_login(
    site: Site, browser: Browser
) -> None:
    campaign, names = start_umpired_war(site, "nowhere", "meeting-engagement", battles="table")
    nac = person(site, browser, names["nac"], PHONE)
    _open_record(nac, campaign)
    nac.page.locator(".damage-panel summary").first.click()
    nac.page.locator(".damage-panel [data-box='1']").first.click()
    expect(nac.page.locator("#queue")).to_be_hidden()
    wait_until(site, lambda: nac.page.evaluate(PAGE_IS_CACHED))
    nac.context.set_offline(True)
    nac.page.reload()  # the page as last read, with the marks
    nac.expect_title("At the table")
    expect(nac.page.locator(".damage-panel [data-box='1']").first).to_have_attribute(
        "aria-pressed", "true"
    )
    nac.page.locator("input[name=rolls]").fill("5")
    nac.page.get_by_role("button", name="Enter", exact=True).first.click()
    expect(nac.page.locator("#queue")).to_have_text(
        "1 entry waits to be sent: no network. Nothing is lost."
    )
    nac.context.set_offline(False)
    expect(nac.page.locator("#shared .record")).to_contain_text(
        "5 (rolled by hand)", timeout=15_000
    )
    methods: list[str] = []

    def refuse(route: Route) -> None:
        methods.append(route.request.method)
        route.abort()

    nac.page.route("**/sync/**", refuse)
    nac.page.locator("input[name=rolls]").fill("4")
    nac.page.get_by_role("button", name="Enter", exact=True).first.click()
    expect(nac.page.locator("#queue")).to_have_text(
        "1 entry waits to be sent: no network. Nothing is lost."
    )
    nac.page.wait_for_timeout(3000)
    assert methods.count("POST") <= 2  # it is no faster offline
    nac.page.unroute("**/sync/**")
    cookies = nac.context.cookies()
    nac.context.clear_cookies()
    expect(nac.page.locator("#queue")).to_contain_text("log in again", timeout=15_000)
    nac.context.add_cookies(cookies)  # type: ignore[arg-type]
    nac.page.reload()
    expect(nac.page.locator("#shared .record")).to_contain_text(
        "4 (rolled by hand)", timeout=15_000
    )
    expect(nac.page.locator("#queue")).to_be_hidden()
    nac.context.close()
