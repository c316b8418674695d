"""Scripts as a browser fetches them from a collected build: each module under one address, so that it runs once; and
what they say is in the reader's language.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Browser

from tests.browser.people import person, war
from tests.site.running import Site

pytestmark = pytest.mark.browser
HASH = re.compile(r"\.[0-9a-f]{12}(?=\.)")
SCALE = "() => document.querySelector('[data-map]').starMap.k"
ONE_STEP = 1.5


def test_a_module_is_fetched_under_one_address_and_one_click_zooms_once(site: Site, browser: Browser) -> None:
    campaign, names = war(site, "scripts")
    player = person(site, browser, names["ember"])
    fetched: list[str] = []
    player.context.set_extra_http_headers({"Accept-Language": "de"})
    player.page.on("request", lambda request: fetched.append(request.url.partition("?")[0]))
    player.go(f"/c/{campaign}/deploy/")
    player.page.get_by_role("button", name="Die ganze Karte zeigen").click()
    before = player.page.evaluate(SCALE)
    player.page.get_by_role("button", name="Vergrößern").click()
    player.page.wait_for_function(f"before => ({SCALE})() > before", arg=before)
    assert player.page.evaluate(SCALE) / before == pytest.approx(ONE_STEP, abs=0.01)
    assert re.search(r"von [\d.]+ Punkten übrig", player.page.inner_text("[data-purses]"))
    scripts = [address for address in fetched if address.endswith(".js")]
    assert all(any(f"/{name}." in address for address in scripts) for name in ("chart", "phrase", "de")), scripts
    assert [address for address in scripts if not HASH.search(address)] == []
    assert [name for name, times in Counter(HASH.sub("", address) for address in scripts).items() if times > 1] == []
    # A script that cannot be fetched is told of, whether the page begins with it or wants it later.
    lost = player.page.locator("#script-lost")
    assert not lost.is_visible()
    player.page.evaluate("() => { setTimeout(() => import('/static/js/nothing.js')) }")
    lost.wait_for(state="visible")
    player.page.route("**/deploy_cards.*", lambda route: route.abort())
    player.page.reload()
    lost.wait_for(state="visible")
    assert "Speichere, was du getippt hast" in lost.inner_text()
    player.context.close()
