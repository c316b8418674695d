"""Measure the live table of a battle of 68 ships: `python -m tools.bench.film_in_browser`.

A player seals the captain's orders phase by phase in a browser. Printed are, for each phase, how
long its film plays and how much of the page moves. Then the newest film plays again at each size,
with the processor as it is and slowed down four times: printed are the milliseconds from frame to
frame, and the processor time of the page for each frame: script, style, layout and painting, without
the rasteriser, which is a graphics chip's work on other machines. The second row of a size
multiplies that time by four, so that other programs on this machine do not change it.
"""

from __future__ import annotations

import json
import os
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Response

from tests.browser.chromium import chromium
from tests.browser.layout_shifts import watch_shifts
from tests.browser.people import LAPTOP, PHONE, Person, person, wait_until
from tests.browser.test_duels import ESU, NAC
from tests.site.running import Site, run_site

SLOWED = (1, 4)
PHASES = 8  # of the battle
MEASURED_AFTER = 2  # phases: the fire of the first turn, with all ships
LONGEST_FILM = 60_000  # milliseconds
CATEGORIES = "devtools.timeline,disabled-by-default-devtools.timeline,toplevel"
FRAMES = """() => {
  if (window.frameTimes) return;
  window.frameTimes = [];
  const next = (time) => { window.frameTimes.push(time); requestAnimationFrame(next); };
  requestAnimationFrame(next);
}"""
# How long the film of a phase plays, from the first frame with its canvas to the decision.
TIMED = """() => {
  const frame = () => document.querySelector(".frame");
  window.filmBegan = window.filmEnded = 0;
  const look = () => {
    const plays = document.querySelector(".table.filming") !== null;
    if (plays && !window.filmBegan) window.filmBegan = performance.now();
    if (!plays && window.filmBegan && !window.filmEnded) window.filmEnded = performance.now();
    requestAnimationFrame(look);
  };
  look();
}"""
# Whether the page shows another phase than before, and what to seal in it or the result.
SHOWN_NEXT = """before => {
  const form = document.querySelector("#orders");
  const number = (state) => state.split("-")[0];
  const isNext = form && number(form.dataset.at) !== number(before);
  return isNext && document.querySelector("#seal, .result") && !document.querySelector(".arriving");
}"""


def main() -> None:
    """Print a row for each phase, then one for each size and speed of the processor."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with (
        tempfile.TemporaryDirectory(prefix="bj-film-") as folder,
        run_site(Path(folder), collected=True) as site,
        chromium() as browser,
    ):
        site.people(NAC, ESU)
        war = site.run("tests.browser.duels", NAC, ESU, "large").splitlines()[-1].strip()
        player = person(site, browser, NAC)
        watch_shifts(player)
        _open_battle(site, player, war)
        _play_phases(site, player, war, MEASURED_AFTER)
        print(f"{'':<38} {'frame, median':>14} {'95%':>6} {'processor':>10} {'95%':>6}")
        for size in (LAPTOP, PHONE):
            player.page.set_viewport_size({"width": size[0], "height": size[1]})
            player.page.reload()
            for rate in SLOWED:
                _print_row(player, f"{size[0]} pixels, processor 1/{rate}", rate)
        player.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
        player.page.reload()
        _play_phases(site, player, war, PHASES - MEASURED_AFTER)
        player.context.close()


def _fight(site: Site, name: str, war: str) -> Any:
    """Return the battle as the API lists it for somebody."""
    return site.call(name, "GET", f"campaigns/{war}/fights/").json["fights"][0]


def _open_battle(site: Site, player: Person, war: str) -> None:
    """Open the battle, and choose the normal speed."""
    wait_until(site, lambda: _fight(site, NAC, war)["state"] == "open")
    player.go(f"/c/{war}/battles/{_fight(site, NAC, war)['id']}/now/")


def _play_phases(site: Site, player: Person, war: str, count: int) -> None:
    """Seal so many phases, and print what each film takes and moves."""
    page = player.page
    print(f"{'':<22} {'acts':>5} {'film, s':>8} {'layout shift':>13}")
    loads: list[str] = []
    page.on("load", lambda _page: loads.append(page.url))
    total = 0.0
    for _ in range(count):
        mine = _fight(site, NAC, war)
        phase = mine["phase"]
        rival = _fight(site, ESU, war)
        if rival["state"] == "open":
            orders = f"campaigns/{war}/fights/{rival['id']}/orders/seal/"
            assert site.call(ESU, "POST", orders, {}).status == 201
        before = page.locator("#orders").get_attribute("data-at")
        page.evaluate(TIMED)
        page.evaluate("window.shifts = []")
        with page.expect_response(_has_film) as answered:
            page.locator("#seal").click()
        page.wait_for_function(SHOWN_NEXT, arg=before, timeout=LONGEST_FILM)
        page.wait_for_timeout(1000)  # the view glides to the next phase
        film = answered.value.json()["film"] or {"moments": []}
        acts = sum(len(moment.get("acts", [])) for moment in film["moments"])
        seconds = page.evaluate("window.filmEnded - window.filmBegan") / 1000
        shifted = sum(value for value, _ in page.evaluate("window.shifts"))
        total += shifted
        words = f"turn {phase['turn']}, {phase['kind']}"
        print(f"{words:<22} {acts:>5} {seconds:>8.1f} {shifted:>13.5f}")
        if _fight(site, NAC, war)["state"] == "over":
            break
    print(f"together: layout shift {total:.5f}, {len(loads)} page loads\n")


def _has_film(answer: Response) -> bool:
    """Return whether an answer is a film of what followed from sealing."""
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    return is_json and "/now/" in answer.url and bool(answer.json().get("film"))


def _print_row(player: Person, words: str, rate: int) -> None:
    """Play the newest film again, and print what was measured."""
    page, browser = player.page, player.context.browser
    assert browser is not None
    session = player.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    browser.start_tracing(page=page, categories=CATEGORIES.split(","))
    page.evaluate(FRAMES)
    page.locator("[data-watch]").last.dispatch_event("click")
    page.locator(".table.filming").wait_for(timeout=LONGEST_FILM)
    page.evaluate("window.frameTimes.length = 0")
    page.wait_for_function(
        "() => !document.querySelector('.table.filming')", timeout=LONGEST_FILM, polling=250
    )
    times = page.evaluate("window.frameTimes")
    trace = json.loads(browser.stop_tracing())
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    intervals = [later - earlier for earlier, later in pairwise(times)]
    costs = _costs(trace["traceEvents"])
    figures = [share for list_ in (intervals, costs) for share in _shares(list_)]
    print(
        f"{words:<38} {figures[0]:>14.1f} {figures[1]:>6.1f} {figures[2]:>10.1f} {figures[3]:>6.1f}"
    )


def _shares(values: list[float]) -> tuple[float, float]:
    """Return the median, and what 95 in 100 do not exceed."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]


def _costs(events: list[dict[str, Any]]) -> list[float]:
    """Return the milliseconds of processor time that the page's main thread took for each frame."""
    fired = [event for event in events if event["name"] == "FireAnimationFrame"]
    thread = (fired[0]["pid"], fired[0]["tid"])
    frames = sorted({event["ts"] for event in fired})
    tasks = [
        event
        for event in events
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) == thread
    ]
    tasks.sort(key=lambda event: event["ts"])
    costs: list[float] = []
    n = 0
    for task in tasks:
        begins_frame = n < len(frames) and frames[n] < task["ts"] + task["dur"]
        if begins_frame:
            costs.append(0)
        while n < len(frames) and frames[n] < task["ts"] + task["dur"]:
            n += 1
        if costs:
            costs[-1] += task.get("tdur", 0) / 1000
    return costs


if __name__ == "__main__":
    main()
