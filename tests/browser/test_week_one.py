"""Week 1 as two players and an umpire in a real browser: phone, laptop, keyboard, no JavaScript."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import people
from tests.browser.headings import measure_heading
from tests.browser.people import (
    EVERYWHERE,
    LAPTOP,
    PHONE,
    Person,
    Screen,
    person,
    stage_of,
    start_umpired_war,
    wait_for_stage,
    wait_until,
)
from tests.browser.week import ATTACKER, FROST, Table, play
from tests.site.running import Site

pytestmark = pytest.mark.browser
STAGES = (("deploy", 0), ("orders", 1), ("decisions", 1), ("battles", 1))
PAGES = {"deploy": "deploy", "orders": "orders", "decisions": "decisions", "battles": "orders"}
PLAYERS_PAGES = (
    "",
    "visibility/",
    "odds/",
    "odds/?hex=0804",
    "map/",
    "receipts/",
    "reports/",
    "ships/",
    "ships/sheets/",
    "classes/sheets/",
    "public/",
)
UMPIRES_PAGES = (
    "", "host/", "public/",
    *(f"umpire/{tail}" for tail in ("", "map/", "reports/", "stages/", "battles/", "fleets/", "ships/", "ledger/")),
)  # fmt: skip
ON_BY_ITSELF = 60_000  # most milliseconds until a waiting page has updated
TABS = 500  # most presses of the Tab key on a page


def test_week_one(site: Site, browser: Browser) -> None:
    """Ember plays on a phone in the dark theme, Frost on a laptop in the light one; both then look
    at
    all their pages, and the umpire on either. Headings keep their place from page to page.
    """
    campaign, names = start_umpired_war(site, "week")
    phone: dict[str, Any] = {"color_scheme": "dark", "has_touch": True}
    ember, umpire = (
        person(site, browser, names[key], PHONE, **phone) for key in ("ember", "umpire")
    )
    frost = person(site, browser, names["frost"], LAPTOP, color_scheme="light")
    play(Table(campaign, ember, frost, umpire))
    outside = ("/", "/campaigns/new", "/me/")
    of_player, of_umpire = (
        [f"/c/{campaign}/{tail}" for tail in tails] for tails in (PLAYERS_PAGES, UMPIRES_PAGES)
    )
    readers = [(reader, paths) for reader in (ember, frost) for paths in (outside, of_player)]
    for reader, paths in (*readers, (umpire, of_umpire)):
        places: dict[Screen, dict[str, tuple[float, float]]] = {}
        for path in paths:
            reader.go(path)
            for screen in reader.on_screens(*(EVERYWHERE if reader is umpire else ())):
                reader.check_page(path)
                places.setdefault(screen, {})[path] = measure_heading(reader.page)
        assert all(len(set(at.values())) == 1 for at in places.values()), places
    for player in (ember, frost):
        for seq in range(1, 5):
            player.open_and_check(f"/c/{campaign}/reports/{seq}/")
        player.open_and_check(f"/c/{campaign}/map/?week=1&stage=orders")
        player.go(f"/c/{campaign}/ships/")
        with player.page.expect_navigation():
            player.page.locator(":is(.ship-name, .names) a").first.click()
        player.check_page("a ship")
    umpire.open_and_check(f"/c/{campaign}/umpire/factions/ember/", *EVERYWHERE)
    umpire.open_and_check(f"/c/{campaign}/umpire/stages/1/", *EVERYWHERE)
    for act in ("resolve", "extend", "pause"):
        umpire.open_and_check(f"/c/{campaign}/umpire/act/{act}/", *EVERYWHERE)
    for reader in (ember, frost, umpire):
        reader.context.close()


def test_week_is_sealed_by_keyboard(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "keys")
    player, rival = (person(site, browser, names[key]) for key in ("ember", "frost"))
    for kind, week in STAGES:
        player.go(f"/c/{campaign}/{PAGES[kind]}/")
        _press_by_key(player, "seal", "Enter")
        if kind == "deploy":  # and back, and again
            _press_by_key(player, "unseal", "Space")
            _press_by_key(player, "seal", "Space")
        expect(player.page.locator(".sealed")).to_be_visible()
        _seal(rival, campaign, kind, last=True)
        _wait_until_resolved(player, campaign, week, kind)
    wait_for_stage(site, names["ember"], campaign, (2, "orders"))
    with pytest.raises(
        AssertionError,
        match=r"(?s)stands at \(2, 'orders'\), past \(1, 'battles'\).*event=job-done",
    ):
        wait_for_stage(site, names["ember"], campaign, (1, "battles"))
    for each_player in (player, rival):
        each_player.context.close()


def test_waiting_page_updates_by_itself(site: Site, browser: Browser) -> None:
    """Ember has deployed and does nothing more: once Frost has, too, Ember sees the orders for week
    1.
    """
    campaign, names = start_umpired_war(site, "waits")
    ember = person(site, browser, names["ember"], still=False)
    frost = person(site, browser, names["frost"])
    _seal(ember, campaign, "deploy")
    ember.expect_text("This page updates by itself when the stage closes.")
    _seal(frost, campaign, "deploy", last=True)
    expect(ember.page.get_by_role("heading", level=1)).to_contain_text(
        "Orders for week 1", timeout=ON_BY_ITSELF
    )
    for player in (ember, frost):
        player.context.close()


def test_week_is_sealed_without_javascript(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "plain")
    ember, frost = (
        person(site, browser, names[key], java_script_enabled=False) for key in ("ember", "frost")
    )
    for kind, week in STAGES:
        ember.go(f"/c/{campaign}/{PAGES[kind]}/")
        if kind == "orders":
            attacker = ember.page.locator(f"[data-fleet][data-name={ATTACKER}]")
            attacker.get_by_label("Moves to").select_option(FROST)
        if kind == "decisions":
            ember.page.get_by_role("radio", name="Fight", exact=True).check()
        ember.seal()
        _seal(frost, campaign, kind, last=True)
        _wait_until_resolved(ember, campaign, week, kind)
    ember.go(f"/c/{campaign}/")
    ember.page.get_by_role("button", name="Watch the battle").first.click()
    ember.expect_title("Frost")
    ember.go(f"/c/{campaign}/map/")
    expect(ember.page.locator("[data-starmap]")).to_be_visible()
    for player in (ember, frost):
        player.context.close()


def _seal(player: Person, campaign: str, kind: str, last: bool = False) -> None:
    """Seal what the page proposes."""
    player.go(f"/c/{campaign}/{PAGES[kind]}/")
    player.seal(last)


def _wait_until_resolved(player: Person, campaign: str, week: int, kind: str) -> None:
    """Wait until the stage is resolved."""
    wait_until(player.site, lambda: stage_of(player.site, player.name, campaign) != (week, kind))


def _press_by_key(player: Person, action: str, key: str) -> None:
    """Go to a button by the Tab key, and press it by another key."""
    _tab_to(player, f"button[value={action}]")
    reads_back = action == "seal" and player.page.locator("body.live").count()
    with player.page.expect_navigation():
        player.page.keyboard.press(key)
        if reads_back:
            expect(player.page.locator("dialog[open] [data-confirm]")).to_be_focused()
            player.page.keyboard.press(key)


def _tab_to(player: Person, selector: str) -> None:
    """Press Tab until the first such element has the focus."""
    player.page.keyboard.press("Escape")
    for _ in range(TABS):
        player.page.keyboard.press("Tab")
        if player.page.evaluate("([what]) => document.activeElement.matches(what)", [selector]):
            return
    raise AssertionError(f"{selector} cannot be reached by the Tab key")


def test_failed_wait_shows_the_log(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "PATIENCE", 0.3)
    start_umpired_war(site, "vain")
    with pytest.raises(AssertionError, match=r"(?s)it takes too long; .*event=request"):
        wait_until(site, lambda: False)


def test_page_check_finds_faults(site: Site, browser: Browser) -> None:
    """Check the checks: an image without text, grey on grey, a page too wide, a browser error."""
    campaign, names = start_umpired_war(site, "faulty")
    player = person(site, browser, names["ember"])
    player.open_and_check(f"/c/{campaign}/")
    spoil = {
        "image-alt": "document.querySelector('main').append(new Image(9, 9))",
        "color-contrast": "document.querySelector('h1').style.color = document.body.style.background = '#777'; "
        "document.querySelector('main').style.background = '#888'",
        "wider than": "document.querySelector('h1').style.cssText = 'display: block; min-width: 5000px'",
        "complaint": "console.error('complaint')",
    }
    for words, script in spoil.items():
        player.go(f"/c/{campaign}/")
        player.page.evaluate(script)
        with pytest.raises(AssertionError, match=words):
            player.check_page("here")
    player.context.close()
