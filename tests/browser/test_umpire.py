"""The umpire overview in a real browser: two linked maps, or one at a time on a phone; all wars."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import EVERYWHERE, LAPTOP, PHONE, Person, person
from tests.browser.wars import GUEST, PLAYER, UMPIRE
from tests.browser.week import CENTRE
from tests.site.running import Site

pytestmark = pytest.mark.browser
SCALES = "[...document.querySelectorAll('[data-map]')].map(host => [host.starMap.k, host.starMap.x, host.starMap.y])"
KAKISA, HUDSON = "0605", "1104"


@pytest.fixture(scope="module")
def umpired(played: list[str]) -> str:
    """Return Lafayette in its fourth week, with an umpire."""
    return played[0]


def maps(page: Page) -> list[list[float]]:
    scales: list[list[float]] = page.evaluate(SCALES)
    return scales


def test_both_maps_move_together_and_show_truth_and_knowledge(
    site: Site, browser: Browser, umpired: str
) -> None:
    judge = person(site, browser, UMPIRE, LAPTOP, color_scheme="dark")
    page = judge.page
    judge.open_and_check(f"/c/{umpired}/umpire/?as=nac")
    full_scale = maps(page)[0][0]
    assert len(maps(page)) == 2
    page.locator("[data-tools] [data-zoom=in]").click()
    page.wait_for_function(
        f"was => {{ const [a, b] = {SCALES}; return a.join() === b.join() && a[0] > was; }}",
        arg=full_scale,
    )
    truth = page.locator("[data-map=truth]")
    truth.focus()
    page.keyboard.press("0")
    page.wait_for_function(
        f"was => {{ const [a, b] = {SCALES}; return a.join() === b.join() && a[0] === was; }}",
        arg=full_scale,
    )
    map_text = page.locator("[data-map-says]")
    page.mouse.click(*page.evaluate(CENTRE, KAKISA))
    there = re.compile(
        "Kakisa 0605: held by Eurasian Solar Union; Eurasian Solar Union, Kakisa Watch 7: (.+?)\\."
    )
    expect(map_text).to_contain_text(there)
    shown_ships = there.search(map_text.text_content() or "")
    assert shown_ships
    shown_numbers = map(int, re.findall(r"\d+", shown_ships[1]))
    ships = site.call(UMPIRE, "GET", f"campaigns/{umpired}/umpire/ships/?hex=0605&faction=esu")
    assert sum(shown_numbers) == ships.json["count"] > 0
    expect(map_text).to_contain_text("New Anglian Confederation knows: ")
    cards = page.locator("[data-card]")
    expect(cards.first).to_contain_text("Eurasian Solar Union, Kakisa Watch 7 ")
    page.locator("[data-map=view]").focus()
    page.keyboard.press("i")
    expect(cards.last.get_by_role("button", name="Close")).to_be_focused()
    expect(cards.last).not_to_contain_text("Kakisa Watch 7")
    expect(cards.first).to_be_hidden()
    judge.check_page("what is in a hex")
    page.keyboard.press("Escape")
    expect(cards.last).to_be_hidden()
    truth.focus()
    page.keyboard.press("ArrowUp")
    expect(map_text).to_contain_text(
        "Hex 0604: empty. New Anglian Confederation knows: nothing about it."
    )
    with page.expect_navigation():
        page.get_by_role("navigation", name="Point of view").get_by_role("link", name="ESU").click()
    expect(page.get_by_role("heading", name="What ESU knows")).to_be_visible()
    assert len(maps(page)) == 2
    judge.check_page("as the ESU")
    judge.open_and_check("/umpire/")
    judge.expect_text("The Lafayette Incident", "4 of 7", "0 of 1", "Keys: j and k")
    page.get_by_label("Choose The Lafayette Incident").first.check()
    with page.expect_navigation():
        page.get_by_role("button", name="Pause until…").click()
    judge.expect_text("The Lafayette Incident", "the clock resumes by itself")
    judge.check_page("pausing several wars", *EVERYWHERE)
    judge.open_and_check("/umpire/")
    page.keyboard.press("j")
    expect(page.locator(".tables th a").first).to_be_focused()
    with page.expect_navigation():
        page.keyboard.press("r")
    judge.expect_title("Remind players who have not sealed")
    judge.context.close()


def test_phone_shows_one_map_at_a_time(site: Site, browser: Browser, umpired: str) -> None:
    judge = person(site, browser, UMPIRE, PHONE)
    page = judge.page
    judge.open_and_check(f"/c/{umpired}/umpire/map/?as=nac")
    truth, view = page.locator("[data-map=truth]"), page.locator("[data-map=view]")
    expect(truth).to_be_visible()
    expect(view).to_be_hidden()
    page.get_by_label("As NAC knows it").check()
    expect(view).to_be_visible()
    expect(truth).to_be_hidden()
    expect(view.locator(".flag").first).to_be_attached()
    judge.check_page("what the NAC knows")
    judge.open_and_check("/umpire/")
    judge.context.close()


def test_umpire_pages_work_without_scripts(site: Site, browser: Browser, umpired: str) -> None:
    judge = person(site, browser, UMPIRE, LAPTOP, java_script_enabled=False)
    page = judge.page
    judge.go(f"/c/{umpired}/umpire/?as=esu")
    for side in ("truth", "view"):
        box = page.locator(f"[data-map={side}] svg.starmap").bounding_box()
        assert box is not None
        assert box["height"] > 200
    with page.expect_navigation():
        page.get_by_role("link", name="Remind all : players who have not sealed").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Remind").click()
    judge.expect_text("1 reminder queued for sending.")
    judge.context.close()


def test_guest_watches_and_public_war_is_shown_with_consent(
    site: Site, browser: Browser, umpired: str
) -> None:
    guest = person(site, browser, GUEST, PHONE, color_scheme="dark")
    for tail in ("", "map/", "reports/"):
        guest.open_and_check(f"/c/{umpired}/{tail}")
        guest.expect_text("You are a guest of New Anglian Confederation")
    guest.context.close()
    player, visitor_context = (
        person(site, browser, PLAYER),
        browser.new_context(viewport={"width": 390, "height": 844}),
    )
    looks = Person(site, "", visitor_context, visitor_context.new_page(), (PHONE, "light", False))
    assert looks.page.goto(f"{site.address}/gallery/{umpired}/").status == 404  # type: ignore[union-attr]
    player.open_and_check(f"/c/{umpired}/")
    player.page.get_by_text("Players, timetable, fairness").click()
    player.page.get_by_text("Invite a guest").click()
    player.press("Create link for a guest")
    player.expect_text("Invitation for New Anglian Confederation (guest)")
    player.page.get_by_label("Show this war to the public 2 weeks late").check()
    player.press("Save my choice")
    player.check_page("with its gallery")
    looks.open_and_check("/gallery/")
    with looks.page.expect_navigation():
        looks.page.get_by_role("link", name="The Lafayette Incident").click()
    looks.check_page("a war of the gallery")
    looks.expect_text("Shown up to week 2")
    with looks.page.expect_navigation():
        looks.page.get_by_role("navigation", name="Point of view").get_by_role(
            "link", name="ESU"
        ).click()
    looks.expect_text("What ESU knows")
    for context in (visitor_context, player.context):
        context.close()


def test_umpire_corrects_damage_and_reads_what_each_faction_reads(
    site: Site, browser: Browser, umpired: str
) -> None:
    judge = person(site, browser, UMPIRE, PHONE, locale="de-DE")
    page = judge.page
    ships = site.call(UMPIRE, "GET", f"campaigns/{umpired}/umpire/ships/?faction=esu").json[
        "results"
    ]
    name = ships[0]["name"]
    judge.open_and_check(f"/c/{umpired}/umpire/rulings/")
    page.get_by_label("Schiff, Flotte oder System").fill(name)
    with page.expect_navigation():
        page.get_by_role("button", name="Suchen").click()
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).first.click()
    page.get_by_label("Schadenspunkte").fill("1")
    judge.check_page("the form of a correction", *EVERYWHERE)
    with page.expect_navigation():
        page.get_by_role("button", name="Prüfen").click()
    judge.expect_text("Eurasian Solar Union liest", "Schadenspunkte")
    judge.check_page("a ruling that is ready", *EVERYWHERE)
    page.get_by_label("Begründung").fill("Das Ergebnis am Tisch war strittig.")
    page.get_by_label("Sobald ein Abschnitt beginnt").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Entscheid treffen").click()
    judge.expect_text("Das Ergebnis am Tisch war strittig.")
    judge.check_page("a ruling that waits", *EVERYWHERE)
    with page.expect_navigation():
        page.get_by_role("button", name="Zurückziehen").click()
    judge.context.close()


def test_umpire_proposes_a_fork_and_the_player_agrees(
    site: Site, browser: Browser, umpired: str
) -> None:
    judge = person(site, browser, UMPIRE, PHONE, locale="de-DE")
    judge.open_and_check(f"/c/{umpired}/fork/", *EVERYWHERE)
    judge.page.get_by_label("Beginne mit").select_option("3-decisions")
    judge.press("Diese Abzweigung vorschlagen")
    judge.check_page("a fork that is proposed", *EVERYWHERE)
    player = person(site, browser, PLAYER)
    player.go(f"/c/{umpired}/rollback/")
    player.press("Agree")
    player.expect_text("Every side has agreed to the new war")
    judge.go(f"/c/{umpired}/rollback/")
    with judge.page.expect_navigation():
        judge.page.get_by_role("link", name="Den neuen Krieg öffnen").click()
    judge.expect_text("Dieser Krieg ist eine Abzweigung")
    for context in (player.context, judge.context):
        context.close()
