"""Pictures of the other pages of players and umpires.

Every page with its picture, and those without one with the reason: `tools.screens.addresses`.
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tools.screens.screen import PLAYER, UMPIRE, Screen, Wars, at, linked

LAPTOP, PHONE = (("laptop", "light"),), (("phone", "dark"),)
Path = Callable[[Wars, Page], str]


def _of(tail: str, war: str = "lafayette") -> Path:
    """Return an address of a war."""
    return lambda wars, _page: f"/c/{wars[war]}/{tail}"


def _copied_scenario_page(wars: Wars, page: Page) -> str:
    """Copy the first scenario, and open the copy's page."""
    page.goto(f"{wars['address']}/scenarios/")
    page.locator("button[value=begin]").first.click()
    page.wait_for_url("**/scenarios/*/*/")
    return page.url.removeprefix(str(wars["address"])).split("?")[0]


def _text(wars: Wars, page: Page) -> str:
    """Open the same scenario as text."""
    return _copied_scenario_page(wars, page).rsplit("/", 2)[0] + "/text/"


def _run_odds(page: Page) -> None:
    """Simulate the odds of a meeting where the first fleet is."""
    page.locator("main form [type=submit]").click()
    page.locator(".hists").wait_for()  # only once battles give a result


def _play_balance(page: Page) -> None:
    """Open a scenario's balance after its wars were played."""
    page.locator("nav.parts a[href*='/balance']").click()
    page.locator("button[value=play]").click()
    page.locator("button[value=stop]").wait_for()
    page.locator("button[value=play]").wait_for(timeout=120_000)


def _saved_design(page: Page) -> None:
    """Save a design in the design library."""
    page.locator("#add-pds").evaluate("node => node.closest('details').open = true")
    page.locator("#add-pds").click()
    page.locator("#row-0").wait_for()
    page.locator("button[value=keep]").click()
    page.goto(page.url.split("/designs/")[0] + "/designs/")


def _opened_tournament(page: Page) -> None:
    """Open a tournament in which the reader plays, too."""
    page.locator("[name=name]").fill("Friday Cup")
    page.locator("[name=plays]").check()
    page.locator("main form [type=submit]").click()
    page.wait_for_url("**/tournaments/*/")


def _open_design(page: Page) -> None:
    """Open that design in the designer."""
    _saved_design(page)
    page.locator(".ship-name a").first.click()
    page.locator("#row-0").wait_for()


def _calls(page: Page) -> None:
    """Open a call of the API."""
    page.locator(".opblock-summary-control").nth(3).click()
    page.locator(".opblock-body").wait_for()


def _fork(wars: Wars, _page: Page) -> str:
    """Return the address of the wars between computers from a week."""
    return f"/c/{wars['lafayette-over']}/fork/?week=2&play=1"


def _page(
    name: str, path: Path, views: tuple[tuple[str, str], ...] = LAPTOP, user: str = PLAYER
) -> Screen:
    return Screen(name, path, user=user, views=views, small=True)


def _umpire_page(part: str, path: Path | None = None) -> Screen:
    return _page(f"umpire-{part}", path or _of(f"umpire/{part}/"), user=UMPIRE)


SCREENS = (
    _page("home", at("/"), PHONE),
    _page("campaign-new", at("/campaigns/new")),
    _page("aids", at("/aids/"), PHONE),
    _page("aid-reference", at("/aids/reference/"), PHONE),
    _page("help", at("/help/"), PHONE),
    _page("help-orders", at("/help/orders/")),
    _page("help-words", at("/help/words/"), PHONE),
    _page("league", at("/league/")),
    _page("daily", at("/daily/")),
    _page("profile", at("/me/"), PHONE),
    Screen(
        "api", at("/api/docs/"), _calls, views=(("laptop", "dark"), ("phone", "light")), small=True
    ),
    _page("battle-new", at("/battles/new")),
    _page("tournament-new", at("/tournaments/new")),
    Screen("tournament", at("/tournaments/new"), _opened_tournament, views=PHONE),
    _page("scenarios", at("/scenarios/")),
    _page("scenario", _copied_scenario_page),
    _page("scenario-text", _text),
    Screen("scenario-balance", _copied_scenario_page, _play_balance, views=LAPTOP, small=True),
    Screen("designs", at("/designs/new/continuum/"), _saved_design, views=LAPTOP, small=True),
    Screen("design", at("/designs/new/continuum/"), _open_design, views=LAPTOP, small=True),
    _page("lobby", _of("")),
    _page("war-designer", _of("designer/")),
    Screen("odds", _of("odds/"), _run_odds, views=PHONE, small=True),
    _page("visibility", _of("visibility/")),
    _page("receipts", _of("receipts/"), PHONE),
    _page("table-result", linked("at-table", "", "/battles/")),
    _page("reports", _of("reports/")),
    _page("report", _of("reports/6/"), PHONE),
    _page("ships", _of("ships/")),
    _page("ship", linked("lafayette", "ships/", "/s1")),
    _page("ship-sheets", _of("ships/sheets/")),
    _page("classes", _of("classes/")),
    _page("class-sheets", _of("classes/sheets/")),
    _page("gallery", at("/gallery/")),
    _page("public", _of("public/")),
    _page("ledger", _of("ledger/")),
    _page("check", _of("check/")),
    _page("rollback", _of("rollback/")),
    _page("fork", _fork, (*LAPTOP, *PHONE)),
    _page("story-battle", linked("lafayette-over", "story/", "/story/battles/")),
    _umpire_page("reports"),
    _umpire_page("stages"),
    _umpire_page("stage", _of("umpire/stages/9/")),
    _umpire_page("battles"),
    _umpire_page("battle", linked("lafayette", "umpire/battles/", "/umpire/battles/")),
    _umpire_page("faction", _of("umpire/factions/esu/")),
    _umpire_page("fleets"),
    _umpire_page("ships"),
    _umpire_page("events"),
    _umpire_page("rulings"),
    _umpire_page("checklist"),
    _umpire_page("time-line"),
    _umpire_page("opened"),
    _umpire_page("notes"),
    _umpire_page("ledger"),
)
