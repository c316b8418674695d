"""Week 1 as two players and an umpire in a real browser: at phone and laptop width, by keyboard, without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.people import LAPTOP, PHONE, Person, person, stage_of, wait_until, war
from tests.site.running import Site

pytestmark = pytest.mark.browser
STAGES = (("deploy", 0), ("orders", 1), ("decisions", 1), ("battles", 1))
PAGES = {"deploy": "deploy", "orders": "orders", "decisions": "decisions", "battles": "orders"}
PLAYERS_PAGES = ("", "map/", "receipts/", "reports/", "ships/", "public/")
UMPIRES_PAGES = (
    "", "host/", "public/",
    *(f"umpire/{tail}" for tail in ("", "map/", "reports/", "stages/", "battles/", "fleets/", "ships/", "ledger/")),
)  # fmt: skip
pytestmark = pytest.mark.browser
TABS = 500  # presses of the Tab key a page may need at most


def sealed(player: Person, campaign: str, kind: str) -> None:
    """Seal what the page proposes, and read the receipt."""
    player.check(f"/c/{campaign}/{PAGES[kind]}/")
    player.page.locator("button[value=seal]").first.click()
    player.page.wait_for_selector(".sealed")
    assert "Revision 1" in player.text()
    if player.page.evaluate("typeof document.querySelector('[data-check]').dataset") == "object":
        player.page.wait_for_selector("[data-check].good")


@pytest.mark.parametrize(
    ("label", "size", "scheme"), [("phone", PHONE, "dark"), ("laptop", LAPTOP, "light")], ids=["phone", "laptop"]
)
def test_week_one(site: Site, browser: Browser, label: str, size: tuple[int, int], scheme: str) -> None:
    campaign, names = war(site, label)
    umpire, ember, frost = (
        person(site, browser, names[key], size, color_scheme=scheme) for key in ("umpire", "ember", "frost")
    )
    for kind, week in STAGES:
        assert stage_of(site, names["umpire"], campaign) == (week, kind)
        sealed(ember, campaign, kind)
        umpire.check(f"/c/{campaign}/umpire/")
        assert "sealed" in umpire.text()
        sealed(frost, campaign, kind)
        wait_until(lambda now=(week, kind): stage_of(site, names["umpire"], campaign) != now)  # type: ignore[misc]
    assert stage_of(site, names["umpire"], campaign) == (2, "orders")
    for path in ("/", "/campaigns/new", "/me/", *(f"/c/{campaign}/{tail}" for tail in PLAYERS_PAGES)):
        ember.check(path)
    for seq in range(1, 5):
        ember.check(f"/c/{campaign}/reports/{seq}/")
    ember.check(f"/c/{campaign}/map/?week=1&stage=orders")
    for tail in UMPIRES_PAGES:
        umpire.check(f"/c/{campaign}/{tail}")
    umpire.check(f"/c/{campaign}/umpire/factions/ember/")
    umpire.check(f"/c/{campaign}/umpire/stages/1/")
    for act in ("resolve", "extend", "pause"):
        umpire.check(f"/c/{campaign}/umpire/act/{act}/")
    for name, tail in (("map", "map/"), ("orders", "orders/")):
        ember.go(f"/c/{campaign}/{tail}")
        ember.picture(f"{name}-{label}-{scheme}")
    umpire.go(f"/c/{campaign}/umpire/")
    umpire.picture(f"umpire-{label}-{scheme}")
    for one in (umpire, ember, frost):
        one.context.close()


def test_a_week_is_sealed_by_keyboard_alone(site: Site, browser: Browser) -> None:
    campaign, names = war(site, "keys")
    player = person(site, browser, names["ember"])
    player.go(f"/c/{campaign}/deploy/")
    _tab_to(player, "button[value=seal]")
    with player.page.expect_navigation():
        player.page.keyboard.press("Enter")
    assert player.page.locator(".sealed").count() == 1, player.text()
    _tab_to(player, "button[value=unseal]")
    with player.page.expect_navigation():
        player.page.keyboard.press("Enter")
    assert player.page.locator(".sealed").count() == 0
    player.context.close()


def test_a_week_is_sealed_without_javascript(site: Site, browser: Browser) -> None:
    campaign, names = war(site, "plain")
    players = [person(site, browser, names[key], java_script_enabled=False) for key in ("ember", "frost")]
    for kind, week in STAGES[:2]:
        for player in players:
            player.go(f"/c/{campaign}/{PAGES[kind]}/")
            player.page.locator("button[value=seal]").first.click()
            assert player.page.locator(".sealed").count() == 1, player.text()
        wait_until(lambda now=(week, kind): stage_of(site, names["ember"], campaign) != now)  # type: ignore[misc]
    for player in players:
        player.go(f"/c/{campaign}/map/")
        assert player.page.locator("svg").count() >= 1
        player.context.close()


def _tab_to(player: Person, selector: str) -> None:
    """Press Tab until the first such element has the focus."""
    player.page.keyboard.press("Escape")
    for _ in range(TABS):
        player.page.keyboard.press("Tab")
        if player.page.evaluate("([what]) => document.activeElement.matches(what)", [selector]):
            return
    raise AssertionError(f"{selector} cannot be reached by the Tab key")


def test_a_page_with_faults_would_be_found(site: Site, browser: Browser) -> None:
    """The checks themselves: an image without words, a page too wide, a complaint of the browser."""
    campaign, names = war(site, "faulty")
    player = person(site, browser, names["ember"])
    player.check(f"/c/{campaign}/")
    spoil = {
        "image-alt": "document.querySelector('main').append(new Image(9, 9))",
        "wider than": "document.querySelector('h1').style.cssText = 'display: block; width: 5000px'",
        "complaint": "console.error('complaint')",
    }
    for words, script in spoil.items():
        player.go(f"/c/{campaign}/")
        player.page.evaluate(script)
        with pytest.raises(AssertionError, match=words):
            player.look("here")
    player.context.close()
