"""Marks on star maps are in their hexes, at every zoom, on every screen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from campaign.rules.files import fixture_scenario
from campaign.web.chart_data import static_map_data
from tests.browser.layout_shifts import assert_no_layout_shift, watch_shifts
from tests.browser.people import LAPTOP, PHONE, person
from tests.browser.wars import PLAYER
from tests.site.running import Site

pytestmark = pytest.mark.browser
# Maps, each with a system that has a stack of fleets and a contact.
PLACES = (
    ("lafayette", "Kakisa"),
    ("lafayette", "Lafayette"),
    ("three-powers", "The Vaults"),
    ("first-steps", "Ember"),
    ("three-powers", ""),
)
# Draw another map with these fleets and contacts at several zooms; return the marks whose middle is
# outside their hex, with the distance, and the number of marks.
AWAY = """async ({ground, shown, fan}) => {
  const from = document.querySelector("script[src*='js/map']").src;
  const [{StarMap}, {hexAt}] = await Promise.all(["chart.js", "hex.js"].map(
    name => import(new URL(name, from))));
  const host = document.querySelector("[data-map]");
  const map = new StarMap(host, ground);
  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  map.show({...shown, fan});
  await drawn();
  const away = [];
  let marks = 0;
  for (const size of [0, 18, 26, 40, 62, 84, 120]) {
    if (size) map.centreOn(fan, Math.max(map.minZoom, size / 42)); else map.fit();
    await drawn();
    await new Promise(done => setTimeout(done, 60)); // what gathers a crowd may be fetched first
    await drawn();
    const origin = map.svg.getBoundingClientRect();
    for (const mark of map.svg.querySelectorAll(".flag, .ghost, .mark")) {
      const body = mark.querySelector(".cloth:not(.back), .body");
      if (!body || mark.matches("[data-cluster]")) continue;
      const box = body.getBoundingClientRect();
      const x = (box.left + box.right) / 2 - origin.left, y = (box.top + box.bottom) / 2 - origin.top;
      const hex = hexAt((x - map.x) / map.k, (y - map.y) / map.k, ground.columns, ground.rows);
      marks += 1;
      if (hex !== mark.dataset.hex) away.push([size, mark.getAttribute("class"), mark.dataset.hex, hex]);
    }
  }
  return [away, marks];
}"""
COLUMNS = """() => {
  const {starMap: map} = document.querySelector("[data-map]"), [w] = map.size();
  return [map.x, w - map.x - map.width * map.k].every(margin => margin >= 0);
}"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_markers_stay_in_their_hexes_at_every_zoom(
    site: Site, browser: Browser, played: list[str], size: tuple[int, int]
) -> None:
    player = person(site, browser, PLAYER, size)
    watch_shifts(player)
    assert_no_layout_shift(player, f"/c/{played[0]}/orders/")
    for slug, system in PLACES:
        player.go(f"/c/{played[0]}/map/")
        away, marks = player.page.evaluate(AWAY, crowded_map(slug, system))
        assert away == [], (slug, system)
        assert marks > 20, (slug, system)
    player.context.close()


def crowded_map(slug: str, name: str) -> dict[str, Any]:
    """Return a map with three fleets and a contact at a system, a fleet at two others, and
    contacts.
    """
    scenario = fixture_scenario(slug)
    hexes = {system.name: system.hex for system in scenario.systems}
    home = hexes[name] if name else scenario.systems[0].hex
    places = [home, *(hex_ for hex_ in hexes.values() if hex_ != home)]
    fleets = [fleet(n, hex_) for n, hex_ in enumerate([home, home, home, *places[1:3]])]
    contacts = [contact(hex_) for hex_ in [home, *places[1::2]][:14]]
    state = {"fleets": fleets, "contacts": contacts, "holds": {}, "ways": []}
    return {"ground": static_map_data(scenario), "shown": state, "fan": home}


def fleet(number: int, hex_: str) -> dict[str, Any]:
    return {
        "key": f"own/f{number}",
        "name": f"Task Force {number}",
        "hex": hex_,
        "n": [1, 2, 3, 0],
        "seat": 1,
    }


def contact(hex_: str) -> dict[str, Any]:
    words = "1 capital ship, 4 cruisers, 6 escorts"
    return {"hex": hex_, "seat": 2, "n": [1, 4, 6, 0], "words": words, "age": 2, "gone": False}


def test_small_map_is_shown_whole_on_a_phone(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    campaign, names = ember
    player = person(site, browser, names["ember"], PHONE, has_touch=True, is_mobile=True)
    watch_shifts(player)
    for page in ("orders/", "map/"):
        assert_no_layout_shift(player, f"/c/{campaign}/{page}")
        expect(player.page.locator("[data-map] g.flag").first).to_be_visible()
        assert player.page.evaluate(COLUMNS), page
    player.context.close()
