"""Pictures of the designer: a ship with the arcs of a weapon open, and two classes compared."""

from __future__ import annotations

from playwright.sync_api import Page

from tools.screens.screen import Screen, Wars


def _cruiser(page: Page) -> None:
    """Build a hull with fire control, point defence and a screen, and open a beam's arcs."""
    for type_ in ("firecon", "pds", "screen", "beam"):
        group = page.locator(f"details:has(#add-{type_})")
        if group.get_attribute("open") is None:
            group.locator("summary").click()
        rows = page.locator(".design-rows > li").count()
        page.locator(f"#add-{type_}").click()
        page.locator(f"#row-{rows}").wait_for()
    page.locator("#at-model").select_option("3/")
    page.locator("#row-3 .what b", has_text="3").wait_for()
    page.locator("#row-3").scroll_into_view_if_needed()


def _new(_wars: Wars, _page: Page) -> str:
    return "/designs/new/continuum/"


def _comparison_page(_wars: Wars, page: Page) -> str:
    page.goto(f"{_wars['address']}/designs/compare/")
    keys = [
        option.get_attribute("value") for option in page.locator("select[name=first] option").all()
    ]
    continuum_keys = [key for key in keys if key and key.startswith("continuum/")]
    return f"/designs/compare/?first={continuum_keys[0]}&second={continuum_keys[1]}"


SCREENS = (
    Screen("designer", _new, _cruiser),
    Screen("designer-compared", _comparison_page, views=(("laptop", "light"),)),
)
