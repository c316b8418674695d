"""People at their browsers: they log in, look at pages and press buttons; and checks of every page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Error,
    Locator,
    Page,
    Response,
    expect,
)

from tests.site.people import PASSWORD
from tests.site.running import Site

PHONE, LAPTOP = (390, 844), (1280, 800)
Theme = Literal["dark", "light"]
Screen = tuple[tuple[int, int], Theme, bool]  # size, theme, and touch
EVERYWHERE: tuple[Screen, ...] = (
    (PHONE, "dark", True),
    (LAPTOP, "light", False),
)  # screens for checks
MOST = 15_000  # milliseconds for one step in the browser
LONGEST_LOAD = 45_000  # milliseconds for a page; on a busy machine a worker has to wait
PATIENCE = 60.0  # seconds for a stage to resolve
STAGES, OVER = ("deploy", "orders", "decisions", "battles"), "over"
# A waiting page reloads itself, perhaps in the moment in which a test leaves it, and a browser may
# finish neither of two navigations at once. So it does not reload here.
STILL = """document.addEventListener("htmx:beforeRequest", event => {
  if (/\\/(pulse|now)\\//.test(event.detail.pathInfo.requestPath)) event.preventDefault();
});"""
# A named script that a browser process has compiled is not compiled again on the next page.
AXE = f"{Axe().axe_script}\n//# sourceURL=axe.js"
# Run axe's rules, all or `only` some, and return the faults. Colours that have enough contrast keep
# it wherever they meet: those of a text and its background are taken from computed styles, up to
# the first opaque background, and axe does not judge again what is `known`. Where something is
# moved out of its place axe judges each text, unless a page like this one was `seen`. It never
# judges texts in pictures, or on them.
AXE_FAULTS = """async ({known, seen, only}) => {
  const PICTURE = "picture", well = new Set([...known, PICTURE]), unsure = [];
  const grounds = new Map([[null, null]]), opacities = new Map([[null, 1]]);
  const kept = (map, node, make) => map.get(node) ?? map.set(node, make(node)).get(node);
  const opacity = node =>
    kept(opacities, node, () => getComputedStyle(node).opacity * opacity(node.parentElement));
  const moved = ({position, top, right, bottom, left, zIndex, transform, translate}) => transform !== "none"
    || translate !== "none" || position !== "static" && (position !== "relative" || zIndex !== "auto"
    || [top, right, bottom, left].some(way => way !== "auto" && parseFloat(way)));
  const behind = node => kept(grounds, node, () => {
    const style = getComputedStyle(node), color = style.backgroundColor;
    if (style.backgroundImage !== "none") return PICTURE;
    if (style.filter !== "none" || style.mixBlendMode !== "normal") return null;
    if (/^rgb\\(|^color\\([^/]*$/.test(color)) return color;
    const further = moved(style) ? null : behind(node.parentElement);
    return [null, PICTURE].includes(further) || color === "rgba(0, 0, 0, 0)" ? further : `${color} on ${further}`;
  });
  const met = node => {
    if (node.ownerSVGElement) return PICTURE;
    const {color, fontSize, fontWeight, textShadow, webkitTextStroke} = getComputedStyle(node), under = behind(node);
    if (under === PICTURE) return PICTURE;
    if (under === null || opacity(node) !== 1) return null;
    return [color, fontSize, fontWeight, textShadow, webkitTextStroke, under].join(" ");
  };
  const judged = node => { const colours = met(node); return colours === null ? seen : well.has(colours); };
  const written = node => /^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName)
    || [...node.childNodes].some(one => one.nodeType === Node.TEXT_NODE && one.data.trim());
  const rule = axe._audit.rules.find(one => one.id === "color-contrast");
  const matches = rule.given ??= rule.matches;
  rule.matches = function(node, ...given) {
    return written(node) && !judged(node) && matches.call(this, node, ...given);
  };
  const check = axe._audit.checks["color-contrast"];
  const evaluate = check.given ??= check.evaluate;
  check.evaluate = function(node, ...given) {
    if (judged(node)) return true;
    const {data} = this, colours = met(node);
    let ratio;
    this.data = told => { ratio = told.contrastRatio; data.call(this, told); };
    const result = evaluate.call(this, node, ...given);
    if (result && ratio && colours !== null) well.add(colours);
    if (result === undefined && colours !== null) unsure.push(colours);
    return result;
  };
  const found = await axe.run({resultTypes: ["violations"], ...(only.length ? {runOnly: only} : {})});
  return [[...well], unsure,
    found.violations.map(one => [one.id, one.nodes.map(node => node.target).slice(0, 3), one.help])];
}"""
OF_COLOURS = ("color-contrast", "link-in-text-block")  # rules that depend on the theme
# The kinds of elements on a page: tag and parent, roles, names and labels, visibility, and
# scrolling without a keyboard target; after a tab, the class. And the number of duplicate ids, and
# the sequence of landmarks and levels of headings.
KINDS = """() => {
  const all = [...document.querySelectorAll("body, body *")], ids = all.map(one => one.id).filter(Boolean);
  const reached = "a[href], button, input, select, textarea, summary, [tabindex]";
  const scrolls = one => (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
    && /auto|scroll/.test(getComputedStyle(one).overflow) && !one.querySelector(reached);
  const kinds = all.map(one => [
    one.parentElement.tagName, one.tagName, one.hidden, one.disabled, one.labels?.length, !one.textContent.trim(),
    one.checkVisibility({visibilityProperty: true}), scrolls(one),
    ...["role", "type", "tabindex", "lang", "alt"].map(name => one.getAttribute(name)),
    ...one.getAttributeNames().filter(name => name.startsWith("aria-"))].join(" ") + `\\t${one.getAttribute("class")}`);
  const outline = [...document.querySelectorAll("header, nav, main, aside, footer, h1, h2, h3, h4, h5, h6")]
    .filter(one => one.checkVisibility()).map(one => one.tagName).filter((tag, n, tags) => tag !== tags[n - 1]);
  return [...new Set(kinds).add(`${ids.length - new Set(ids).size} duplicate ids`).add(outline.join(" "))].sort();
}"""
WELL: set[str] = set()  # colours that axe found to have enough contrast
# By page: the kinds of elements, whatever their class, in which axe found nothing, on any screen
CHECKED: dict[str, set[str]] = {}
# And at a size, in a theme, nothing about colours
COLOURED: set[tuple[frozenset[str], str, str, bool]] = set()
UNSURE: dict[
    tuple[str, str, bool], set[str]
] = {}  # by page: colours that axe could not judge there
# Ids in addresses: of a war, a week, a ship
NUMBERS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+")
WIDER = "document.documentElement.scrollWidth - window.innerWidth"
# Everything that is checked on a page at each look, at once.
PAGE_STATE = f"""() => [
  document.querySelectorAll("h1").length, {WIDER}, matchMedia("(prefers-color-scheme: dark)").matches, ({KINDS})(),
  Boolean(window.axe)]"""
# Wait until a change of size and theme has taken effect, with scripts and transitions.
FOLLOWED = """async () => {
  for (let frames = 2; frames; frames--) await new Promise(requestAnimationFrame);
  for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
}"""


@dataclass
class Person:
    """Somebody at a browser.

    Attributes:
        screen: The person's usual screen.
        faults: Complaints of the browser.
    """

    site: Site
    name: str
    context: BrowserContext
    page: Page
    screen: Screen = (LAPTOP, "light", False)
    faults: list[str] = field(default_factory=list)

    @cached_property
    def tools(self) -> CDPSession:
        """The developer tools of the page."""
        return self.context.new_cdp_session(self.page)

    def go(self, path: str) -> None:
        """Open a page, which must exist.

        A page that just reloads itself interrupts this; then it is opened again.
        """
        try:
            answered = self.page.goto(self.site.address + path)
        except Error as error:
            if "interrupted by another navigation" not in error.message:
                raise
            answered = self.page.goto(self.site.address + path)
        assert answered is not None, path
        assert answered.status == 200, (path, answered.status)

    def press(self, label: str) -> None:
        """Press the first button of that name, and wait for the page behind it."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=label).first.click()

    def press_or_tap(self, button: Locator) -> None:
        """Click a button, or tap it on a touch screen.

        A click loses its button there when the field that loses the focus moves it.
        """
        if self.screen[2]:
            button.tap()
        else:
            button.click()

    def seal_phase(self, label: str) -> None:
        """Seal the orders of a phase, whose page a script may change without loading another."""
        with self.page.expect_response(is_of_form_or_film):
            self.page.get_by_role("button", name=label).first.click()

    def seal(self, last: bool = False) -> None:
        """Seal the form on the page; its envelope is then on the page.

        Args:
            last: Everybody else has sealed. The stage may be resolved before the page is there, so
                only the answer shows that the seal was accepted.
        """
        reads_back = self.page.locator("body.live").count()
        with self.page.expect_response(is_of_form_or_film) as answered:
            self.press_or_tap(self.page.locator("button[value=seal]"))
            if reads_back:
                self.press_or_tap(self.page.locator("dialog[open] [data-confirm]"))
        assert was_accepted(answered.value), (answered.value.status, self.page.url)
        if not last:
            expect(self.page.get_by_role("heading", name="Sealed")).to_be_visible()

    def expect_text(self, *words: str) -> None:
        """Check that these words are visible on the page."""
        for each in words:
            expect(self.page.get_by_text(each).filter(visible=True).first).to_be_visible()

    def expect_title(self, words: str) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(words)

    def text(self) -> str:
        return self.page.inner_text("main")

    def open_and_check(self, path: str, *screens: Screen) -> None:
        """Open a page and check it."""
        self.go(path)
        self.check_page(path, *screens)

    def check_page(self, path: str, *screens: Screen) -> None:
        """Check what every page must have: one heading, no sideways scrolling, no faults.

        Args:
            screens: The screens to check; by default the person's own.
        """
        for _ in self.on_screens(*screens):
            headings, wider, dark, kinds, has_axe = self.page.evaluate(PAGE_STATE)
            assert headings == 1, path
            assert wider <= 0, f"{path} is wider than the screen"
            self._check_with_axe(path, dark, kinds, has_axe)
            assert self.faults == [], (path, self.faults)

    def on_screens(self, *screens: Screen) -> Iterator[Screen]:
        """Yield these screens in turn, the person's own first and again at the end."""
        now = self.screen
        for screen in sorted(screens or (now,), key=lambda each_screen: each_screen != self.screen):
            if screen != now:
                self._set_screen(now := screen)
            yield screen
        if now != self.screen:
            self._set_screen(self.screen)

    def _set_screen(self, screen: Screen) -> None:
        """Show the page on another screen."""
        (width, height), theme, touch = screen
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=theme)
        self.tools.send("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        self.page.evaluate(FOLLOWED)

    def _check_with_axe(self, path: str, dark: bool, kinds: list[str], has_axe: bool) -> None:
        """Check the page with axe, as far as it is new.

        If each kind of its elements has been checked at this address, whatever its class, only its
        colours are checked again, with another class, size or theme. What only another screen shows
        is a new kind.
        """
        page = NUMBERS.sub("*", path)
        so = (page, str(self.page.viewport_size), dark)
        coloured = (frozenset(kinds), *so)
        if coloured in COLOURED:
            return
        if not has_axe:
            self.tools.send("Runtime.evaluate", {"expression": AXE})
        unsure_kinds = UNSURE.get(so)
        known_kinds = sorted(WELL | (unsure_kinds or set()))
        classless_kinds = {kind.partition("\t")[0] for kind in kinds}
        only = OF_COLOURS if classless_kinds <= CHECKED.get(page, set()) else ()
        well, unsure, faults = self.page.evaluate(
            AXE_FAULTS, {"known": known_kinds, "seen": unsure_kinds is not None, "only": only}
        )
        assert faults == [], (self.name, path, faults)
        WELL.update(set(well) - set(known_kinds))
        UNSURE.setdefault(so, set()).update(unsure)
        CHECKED.setdefault(page, set()).update(classless_kinds)
        COLOURED.add(coloured)


def is_of_a_form(answer: Response) -> bool:
    """Return whether a form requested the page itself, not a script something for it."""
    return answer.request.method == "POST" and answer.request.is_navigation_request()


def is_of_form_or_film(answer: Response) -> bool:
    """Return whether a form requested the page, or the script of a live table sent it."""
    is_sent_by_table = "x-film" in answer.request.headers
    return is_of_a_form(answer) or is_sent_by_table


def was_accepted(answer: Response) -> bool:
    """Return whether an answer to a form does not show the form again with faults."""
    is_for_script = answer.headers.get("content-type", "").startswith("application/json")
    return answer.status == 302 or is_for_script


def visitor(
    site: Site,
    browser: Browser,
    name: str,
    size: tuple[int, int] = LAPTOP,
    still: bool = True,
    **options: Any,
) -> Person:
    """Return somebody without a log-in. `still`: their pages do not reload themselves."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(MOST)
    context.set_default_navigation_timeout(LONGEST_LOAD)
    if still:
        context.add_init_script(STILL)
    page = context.new_page()
    player = Person(
        site,
        name,
        context,
        page,
        (size, options.get("color_scheme", "light"), bool(options.get("has_touch"))),
    )
    page.on(
        "console", lambda line: player.faults.append(line.text) if line.type == "error" else None
    )
    page.on("pageerror", lambda error: player.faults.append(str(error)))
    return player


def person(
    site: Site,
    browser: Browser,
    name: str,
    size: tuple[int, int] = LAPTOP,
    still: bool = True,
    **options: Any,
) -> Person:
    """Return somebody logged in, by the form if their session is not known.

    Args:
        still: Their pages do not reload themselves.
    """
    player = visitor(site, browser, name, size, still, **options)
    if name in site.sessions:
        cookie = {
            "name": settings.SESSION_COOKIE_NAME,
            "value": site.sessions[name],
            "url": site.address,
        }
        player.context.add_cookies([{**cookie, "httpOnly": True, "sameSite": "Lax"}])  # type: ignore[typeddict-item]
        return player
    log_in(player, name)
    return player


def log_in(player: Person, name: str) -> None:
    """Log in by the form in somebody's browser."""
    page = player.page
    page.goto(f"{player.site.address}/accounts/login/")
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    with page.expect_navigation():
        page.locator("form:has(input[name=login]) [type=submit]").click()
    assert "/accounts/login/" not in page.url, page.inner_text("body")


def wait_for_stage(site: Site, name: str, campaign: str, goal: tuple[int, str]) -> None:
    """Wait until this stage is open.

    If the war has gone past it, or it takes too long, the log is shown.
    """

    def there() -> bool:
        now = stage_of(site, name, campaign)
        words = f"the war stands at {now}, past {goal}"
        assert now == goal or _order(now) < _order(goal), (
            f"{words}; the site's log:\n{site.last_lines()}"
        )
        return now == goal

    wait_until(site, there)


def wait_until(site: Site, condition: Callable[[], bool]) -> None:
    """Wait; if it takes too long, the site's last log lines are shown."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, (
            f"it takes too long; the site's log:\n{site.last_lines()}"
        )
        time.sleep(0.2)


def was_requested(site: Site, name: str, campaign: str) -> bool:
    """Return whether the first battle's next phase waits for the player."""
    fights = site.call(name, "GET", f"campaigns/{campaign}/fights/").json["fights"]
    return bool(fights and fights[0]["state"] == "open")


def start_umpired_war(
    site: Site,
    label: str,
    slug: str = "first-steps",
    make_scenario: Callable[[Site, str], str] | None = None,
    **settings: str | bool,
) -> tuple[str, dict[str, str]]:
    """Start a war hosted by an umpire; return its id, and the names of umpire and players.

    Args:
        own: Creates the umpire's own scenario from the one of `slug`, and returns its slug.
    """
    keys = ("ember", "frost") if slug == "first-steps" else ("esu", "nac")
    names = {key: f"{label}-{key}" for key in ("umpire", *keys)}
    site.people(*names.values())
    scenario = make_scenario(site, names["umpire"]) if make_scenario is not None else slug
    payload = {"scenario": scenario, "name": f"War {label}", "umpire": True, **settings}
    opened = site.call(names["umpire"], "POST", "campaigns/", payload)
    assert opened.status == 201, opened
    campaign = str(opened.json["id"])
    for key in keys:
        where = f"campaigns/{campaign}"
        offered = site.call(
            names["umpire"], "POST", f"{where}/invites/", {"role": "player", "faction": key}
        )
        joined = site.call(names[key], "POST", f"{where}/join/", {"token": offered.json["token"]})
        assert joined.status in (200, 201), joined
    start = site.call(names["umpire"], "POST", f"campaigns/{campaign}/start/", {})
    assert start.status == 201, start
    return campaign, names


def _order(stage: tuple[int, str]) -> tuple[bool, int, int]:
    """Return the position of a stage in a war."""
    week, kind = stage
    return (kind == OVER, week, 0 if kind == OVER else STAGES.index(kind))


def stage_of(site: Site, name: str, campaign: str) -> tuple[int, str]:
    """Return the week and kind of the present stage."""
    sheet = site.call(name, "GET", f"campaigns/{campaign}/").json
    return (sheet["stage"]["week"], sheet["stage"]["kind"]) if sheet["stage"] else (0, OVER)
