"""The browser's preview of plain moves equals the engine's for a thousand plots."""

from __future__ import annotations

import random
from math import dist
from typing import Any

import pytest
from playwright.sync_api import Browser

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.plot_data import plots_data
from engine.battle import Battle, start
from engine.core.dice import Dice
from engine.notation.orders import parse_plot
from engine.order_requests.plot import plot_faults
from engine.stops import resolve_documents
from tests.browser.people import person, start_umpired_war, wait_until, was_requested
from tests.site.running import Site

pytestmark = pytest.mark.browser
SHIPS, ROUNDS = 24, 14  # for each ruleset: 3 of them make 1,008 plots
RULESETS: dict[str, tuple[str, list[str]]] = {
    "second edition": ("second-edition", []),
    "continuum": ("continuum", []),
    "vectors": ("continuum", ["vector"]),
}
SPACING = 200  # MU around each ship, so that none sees, scans or hits another
CLOSE = 1e-6
FLY = """async ({ src, plots }) => {
  const { plotFault, flyPlot, parseOrder } = await import(src);
  return plots.map(([ship, text]) => {
    const plot = parseOrder(text, Boolean(ship.drift));
    const { path, course, v } = flyPlot(ship, plot);
    return [plotFault(ship, plot), ...path.at(-1), course, v];
  });
}"""


def fleet(edition: str, options: list[str], luck: random.Random) -> Battle:
    """Return ships of every thrust and speed, each alone, before their first turn."""
    ships = []
    for n in range(SHIPS):
        design = {
            "class": f"Hull {n % 9}",
            "edition": edition,
            "kind": "warship",
            "thrust": n % 9,
            "ftl": "none",
        }
        design |= {"mass": 60, "systems": []} | (
            {"hull": {"boxes": 20, "rows": 4}} if edition == "continuum" else {}
        )
        if edition == "continuum" and n % 5 == 4:
            design["drive"] = "advanced"
        design["class"] = f"Hull {n}"
        place = {
            "at": [SPACING * (n % 6 + 1), SPACING * (n // 6 + 1)],
            "course": luck.randint(1, 12),
        }
        ships.append(
            {
                "id": f"r{n}",
                "design": design,
                **place,
                "velocity": luck.choice((0, 1, 2, 5, 9, 12, 17)),
            }
        )
    far = {
        "id": "b1",
        "design": design | {"class": "Far"},
        "at": [SPACING * 9, SPACING * 9],
        "course": 12,
        "velocity": 0,
    }
    sides = [{"name": "red", "ships": ships}, {"name": "blue", "ships": [far]}]
    return start(
        {
            "edition": edition,
            "options": options,
            "table": [SPACING * 10, SPACING * 10],
            "sides": sides,
        }
    )


def text_of(vector: bool, luck: random.Random) -> str:
    """Return a random order, legal or not."""
    if vector:
        kinds = [
            luck.choice(("TP", "TS", "MD", "PP", "PS", "PR")) for _ in range(luck.randint(1, 3))
        ]
        burns = [f"{kind}{luck.randint(1, 7)}" for kind in kinds]
        return " ".join(burns)
    turns = luck.choice(("", "P", "S"))
    move = f"{turns}{luck.randint(1, 5)}" if turns else ""
    return move + luck.choice(("", f"{luck.randint(-8, 8):+d}")) or "+0"


@pytest.mark.rule("2e.movement", "pc.movement", "pc.vector")
def test_thousand_plots_move_in_the_browser_as_in_the_engine(site: Site, browser: Browser) -> None:
    luck = random.Random(12)
    plots: list[tuple[dict[str, Any], str]] = []
    expected: list[tuple[bool, float, float, int, int]] = []
    for edition, options in RULESETS.values():
        battle = fleet(edition, options, luck)
        state = battle.state
        sight = FormSight(state, 0, frozenset(ship.id for ship in state.ships), {})
        plots_by_ship = plots_data(sight, {}, {})
        for _ in range(ROUNDS):
            texts = {ship.id: text_of(bool(options), luck) for ship in sight.ships}
            parsed = {key: parse_plot(text, "", edition)[0] for key, text in texts.items()}
            sound = {
                key: plot is not None and not plot_faults(state, state.ship_by_name(key), plot)
                for key, plot in parsed.items()
            }
            moved_battle, _ = resolve_documents(
                battle, {0: {"plot": {key: texts[key] for key in texts if sound[key]}}}, Dice(1)
            )
            for key, text in texts.items():
                ship = moved_battle.state.ship_by_name(key)
                plots.append((plots_by_ship[key], text))
                expected.append((sound[key], ship.x, ship.y, ship.course, ship.velocity))
    assert len(plots) >= 1000
    assert 200 < sum(sound for sound, *_ in expected) < 900, "plots of both kinds"
    answers = _in_the_browser(site, browser, plots)
    wrong = [
        (ship["main"], ship["turning"], text, answer, truth)
        for (ship, text), answer, truth in zip(plots, answers, expected, strict=True)
        if not _agree(answer, truth)
    ]
    assert wrong == []


def _agree(answer: list[Any], truth: tuple[bool, float, float, int, int]) -> bool:
    fault, x, y, course, v = answer
    sound, *end = truth
    if not sound or fault:
        return sound == (not fault)
    return dist((x, y), end[:2]) < CLOSE and [course, v] == end[2:]


def _in_the_browser(
    site: Site, browser: Browser, plots: list[tuple[dict[str, Any], str]]
) -> list[Any]:
    campaign, names = start_umpired_war(site, "rules", "first-battle")
    nac = person(site, browser, names["nac"])
    wait_until(site, lambda: was_requested(site, names["nac"], campaign))
    fetched: list[str] = []
    nac.page.on("request", lambda request: fetched.append(request.url))
    nac.go(f"/c/{campaign}/")
    nac.press("Give orders")
    nac.page.wait_for_selector("#control-panel-name:not(:empty)")
    (src,) = [address for address in fetched if "/battle_rules." in address]
    answers: list[Any] = nac.page.evaluate(FLY, {"src": src, "plots": plots})
    nac.context.close()
    return answers
