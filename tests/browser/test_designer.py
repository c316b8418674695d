"""A ship is built in a real browser, from nothing to saved: mouse, keyboard, touch, no scripts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from engine.notation.files import fixture_classes
from tests.browser.people import EVERYWHERE, LAPTOP, PHONE, Person, Screen, person, visitor
from tests.site.running import Site

pytestmark = pytest.mark.browser
# For both rulebooks: the added system, its model, the arc that is pressed (a battery first has the
# front three, like every larger beam), and the resulting text.
SHIPS = {
    "second-edition": ("battery", "/B", "P", "B battery (F S)"),
    "continuum": ("beam", "3/", "FS", "beam 3 (F FP)"),
}
PLAIN = {
    "second-edition": "B battery (F S)",
    "continuum": "beam 3 (FS)",
}  # model and arc sent at once
MAX_TABS = 250


def expect_saved(player: Person, words: str, *screens: Screen) -> None:
    """Check that the design is in the library, as it was built."""
    expect(player.page.get_by_text("Saved: ").first).to_be_visible()
    player.expect_text(words)
    player.check_page("a kept design", *screens)
    player.open_and_check("/designs/", *screens)


@pytest.mark.parametrize(("hand", "edition"), [("mouse", "second-edition"), ("touch", "continuum")])
def test_ship_is_designed_by_mouse(site: Site, browser: Browser, edition: str, hand: str) -> None:
    type_, model, arc, words = SHIPS[edition]
    name = f"designer-{hand}-{edition}"
    site.people(name)
    touch = hand == "touch"
    options: dict[str, Any] = {"has_touch": True, "color_scheme": "dark"} if touch else {}
    player = person(site, browser, name, PHONE if touch else LAPTOP, **options)
    player.open_and_check(f"/designs/new/{edition}/", *EVERYWHERE)
    page = player.page

    def press(locator: Locator, **where: Any) -> None:
        (locator.tap if touch else locator.click)(**where)

    press(page.locator(f"#add-{type_}"))
    page.locator("#at-model").select_option(model)
    expect(page.locator(".design-rows li.open .what b")).to_contain_text(
        "3" if "3" in model else "B"
    )
    wedge, box = page.locator(f".arc-{arc}"), page.locator(f"#at-arc-{arc}")
    first = box.is_checked()
    press(wedge, position=_middle(arc))
    expect(page.get_by_text(words).first).to_be_visible()
    before = page.locator("[data-status]").inner_text()
    press(page.locator("#undo"))
    expect(box).to_be_checked(checked=first)
    press(page.locator("#redo"))
    expect(page.locator("[data-status]")).to_have_text(before)
    player.check_page("a ship on the bench", *EVERYWHERE)
    with page.expect_navigation():
        press(page.get_by_role("button", name="Save to your designs"))
    expect_saved(player, words, *EVERYWHERE)
    player.context.close()


def test_list_is_filtered_while_typing(site: Site, browser: Browser) -> None:
    player = visitor(site, browser, "nobody", PHONE)
    player.open_and_check("/help/words/")
    terms, field = player.page.locator("#words dt"), player.page.get_by_role("searchbox")
    everything = terms.count()
    field.fill("wéasel BOAT")
    expect(terms.filter(visible=True)).to_have_text(["Weasel boat"])
    expect(player.page.locator("#words section").filter(visible=True)).to_have_count(1)
    expect(player.page.locator("[data-found]")).to_have_text(f"1 of {everything} shown")
    field.fill("")
    expect(terms.filter(visible=True)).to_have_count(everything)
    player.context.close()


def _middle(arc: str) -> Any:
    """Return where in a rosette's square a wedge is touched, in pixels."""
    return {"FS": {"x": 135.0, "y": 60.0}, "P": {"x": 30.0, "y": 88.0}}[arc]


@pytest.mark.parametrize("edition", SHIPS)
def test_ship_is_designed_by_keyboard(site: Site, browser: Browser, edition: str) -> None:
    type_, _, arc, _ = SHIPS[edition]
    name = f"designer-keys-{edition}"
    site.people(name)
    player = person(site, browser, name)
    player.go(f"/designs/new/{edition}/")
    page = player.page
    _tab_to(player, f"add-{type_}", backwards=False)
    page.keyboard.press("Enter")
    expect(page.locator(".design-rows li.open")).to_be_visible()
    _tab_to(player, f"at-arc-{arc}", backwards=True)
    first = page.locator(f"#at-arc-{arc}").is_checked()
    page.keyboard.press("Space")
    expect(page.locator(f"#at-arc-{arc}")).to_be_checked(checked=not first)
    expect(page.locator(f"#at-arc-{arc}")).to_be_focused()
    _tab_to(player, "keep", backwards=False)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect_saved(player, type_)
    player.context.close()


def _tab_to(player: Person, id_: str, *, backwards: bool) -> None:
    for _ in range(MAX_TABS):
        if player.page.evaluate("document.activeElement.id") == id_:
            return
        player.page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"{id_} is not reached by {MAX_TABS} presses")


@pytest.mark.parametrize("edition", SHIPS)
def test_ship_is_designed_without_scripts(site: Site, browser: Browser, edition: str) -> None:
    type_, model, arc, _ = SHIPS[edition]
    name = f"designer-plain-{edition}"
    site.people(name)
    player = person(site, browser, name, PHONE, java_script_enabled=False)
    player.go(f"/designs/new/{edition}/")
    page = player.page
    with page.expect_navigation():
        page.locator(f"#add-{type_}").click()
    page.locator("#at-model").select_option(model)
    page.locator(f".arc-{arc}").click(position=_middle(arc))
    with page.expect_navigation():
        page.locator("#close-0").click()
    expect(page.locator(".what small").first).to_have_text(PLAIN[edition])
    with page.expect_navigation():
        page.get_by_role("button", name="Save to your designs").click()
    expect(page.get_by_text("Saved: ").first).to_be_visible()
    player.context.close()


def test_class_battles_run_in_the_background_and_stop_on_request(
    site: Site, browser: Browser
) -> None:
    site.people("designer-compares")
    player = person(site, browser, "designer-compares", PHONE)
    classes = fixture_classes("continuum")
    keys = [
        f"continuum/{name}" for name in sorted(classes, key=lambda name: -classes[name].mass)[:2]
    ]  # they last
    player.go(f"/designs/compare/?first={keys[0]}&second={keys[1]}")
    player.page.get_by_role("button", name="Simulate the battle").click()
    odds_text = player.page.locator(".odds-result")
    expect(odds_text).to_contain_text("The result gets more precise while you wait.")
    expect(odds_text).to_contain_text("Margin of error after this many battles")
    odds_text.get_by_role("link", name="Stop simulating").click()
    expect(odds_text).to_contain_text("Simulate more battles")
    player.check_page("battles of two classes")
    before = odds_text.inner_text()
    player.page.wait_for_timeout(1500)
    assert odds_text.inner_text() == before
    assert player.faults == []
    player.context.close()
