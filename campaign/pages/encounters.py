"""An encounter on the page: what was read and what it may hide, one's own force, three choices with what they lead to.

And the pages around it: odds by what one believes, of a meeting at hand or of one that might be; what others may know
of one's own fleets. All of it is made of the reader's View and the published scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from campaign.access import Viewer
from campaign.belief.exposure import Exposed, exposure
from campaign.belief.forces import Belief, Decoys
from campaign.belief.meetings import Question, own_ships
from campaign.belief.odds import FIRST, Imagined, Odds, held, imagine, odds_of
from campaign.drawings.strips import Strip
from campaign.pages.chart import colours
from campaign.pages.common import weighed
from campaign.pages.drawn import ship_strip
from campaign.pages.order_parts import CHOICES, Choosing
from campaign.pages.sayings import place_words, strength_words, weeks_ago
from campaign.pages.war import NoViewer, War, not_begun, player_page, war_of
from campaign.process_cache import ProcessCache
from campaign.rules.battle_entries import DECOY_LABEL
from campaign.rules.queries import hostile, ship_classes, systems_by_hex
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.starmap import star_map
from campaign.rules.view import View
from campaign.selectors.rules import rules_of

MANY_SHIPS, FEW_BATTLES = 40, 9  # a battle of more ships takes longer: fewer of them are the first answer
STEPS = (39, 79, 159)  # battles in all, one after another while the reader waits
MOST_DRAWN = 40  # contacts of one kind
FACES = (1, 2, 3, 4, 5, 6)
BELIEFS: tuple[tuple[str, str], ...] = (
    ("likely", "as likely as not"),
    ("none", "none"),
    ("some", "some"),
    ("many", "most that can be"),
)
CAPTAINS = (("", "does as his orders say"), ("end", "fights to the end"))
WHY = {
    "met": "met there this week, and read each other's ships",
    "settlement": "have a settlement there, which reads what comes",
    "marker": "see its marker, and not its ships",
    "before": "met it last week, and know how far it may have gone",
    "": "",
}

# What each choice leads to: (of theirs, what comes of it, whether six faces of a die show a chase).
CARDS: Mapping[str, tuple[str, tuple[tuple[str, str, bool], ...]]] = {
    "fight": (
        "Close with them, whatever they are.",
        (
            ("fight", "Battle.", False),
            ("stand off", "Battle.", False),
            ("withdraw", "They get away, unless a six catches them.", True),
        ),
    ),
    "stand-off": (
        "Stay in the system and watch each other.",
        (
            ("fight", "Battle.", False),
            ("stand off", "Both stay. Nobody holds more than before.", False),
            ("withdraw", "They leave, you stay.", False),
        ),
    ),
    "withdraw": (
        "Leave under FTL at once, and move again next week.",
        (
            ("fight", "You get away, unless a six catches you.", True),
            ("stand off", "You leave.", False),
            ("withdraw", "Both leave. Nobody holds the system this week.", False),
        ),
    ),
}

_samples: ProcessCache[tuple[object, ...], list[Imagined]] = ProcessCache(128)


@dataclass(frozen=True, slots=True)
class Card:
    """A choice. `ifs`: (what they do, what comes of it, whether a die is shown); `note`: what keeps it from all."""

    value: str
    title: str
    lead: str
    ifs: tuple[tuple[str, str, bool], ...]
    note: str


@dataclass(frozen=True, slots=True)
class OwnShip:
    """A ship of one's own at a meeting."""

    name: str
    classification: str
    strip: Strip


@dataclass(frozen=True, slots=True)
class SeenBefore:
    """An older scan of theirs: when, where, and how far that is in weeks of movement."""

    age: str
    place: str
    counts: tuple[tuple[str, int], ...]
    away: str


@dataclass(frozen=True, slots=True)
class Encounter:
    """A meeting at hand. `contacts`: the kind of each, the greatest first; `hides`: what the scan may hide, in words;
    `ask`: the address of its odds.
    """

    row: Choosing
    seat: str
    contacts: tuple[str, ...]
    cards: tuple[Card, ...]
    ships: tuple[OwnShip, ...]
    points: int
    hides: tuple[str, ...]
    before: tuple[SeenBefore, ...]
    ask: str


def encounter(war: War, row: Choosing) -> Encounter:
    """A choice with all that is known of it."""
    scenario, view = war.scenario, war.sight.view
    here = {fleet.key for fleet in view.fleets if fleet.hex == row.hex and not fleet.in_ftl}
    crew = [ship for ship in view.ships if ship.fleet in here]
    classes = ship_classes(scenario)
    scans = [item for item in view.sightings if item.hex == row.hex and item.faction == row.toward]
    newest = max(scans, key=lambda item: item.week, default=None)
    counts = () if newest is None else newest.counts
    order = {"capital": 0, "cruiser": 1, DECOY_LABEL: 2}
    return Encounter(
        row=row,
        seat=colours(scenario, view.faction).get(row.toward, ""),
        contacts=tuple(
            kind
            for kind, many in sorted(counts, key=lambda item: (order.get(item[0], 3), item[0]))
            for _ in range(min(many, MOST_DRAWN))
        ),
        cards=tuple(_card(value, words, row) for value, words in CHOICES),
        ships=tuple(
            OwnShip(ship.name, classes[ship.cls].classification, ship_strip(scenario, classes[ship.cls], ship))
            for ship in crew
        ),
        points=sum(classes[ship.cls].points for ship in crew),
        hides=_hides(scenario, row, dict(counts)),
        before=_seen_before(scenario, view, row),
        ask=odds_address(war, row.hex, row.toward),
    )


def odds_address(war: War, hex_: str, toward: str) -> str:
    """The address of the odds of a meeting: also of one that is only thought of."""
    return f"{reverse('odds', args=(war.id,))}?{urlencode({'hex': hex_, 'toward': toward})}"


def _card(value: str, words: str, row: Choosing) -> Card:
    lead, ifs = CARDS[value]
    stays = row.stuck and value == "withdraw"
    return Card(value, words.capitalize(), lead, ifs, f"{row.stuck} of yours cannot leave, and stay." if stays else "")


def _hides(scenario: Scenario, row: Choosing, counts: Mapping[str, int]) -> tuple[str, ...]:
    found: list[str] = []
    escorts = counts.get(DECOY_LABEL, 0)
    most = min(escorts, sum(counts.values()) // 2)
    if scenario.decoys and most:
        cost = scenario.decoy_points
        found.append(f"Decoys read as escorts: up to {most} of the {escorts} may be drones of {cost} points.")
    if any(cls.weasel and counts.get(cls.weasel) for cls in scenario.catalogue):
        found.append("A weasel reads as a greater ship: a capital ship or a cruiser may be one.")
    system = systems_by_hex(scenario).get(row.hex)
    bound = sum(
        budget.points
        for budget in scenario.budgets
        if system is not None
        and budget.faction == row.toward
        and budget.ftl == "none"
        and budget.deploy == (system.id,)
    )
    if bound:
        found.append(f"The system has defences of its own: up to {bound} points, as is published. They cannot leave.")
    found.append("A scan counts docked ships too, and says nothing of damage.")
    return tuple(found)


def _seen_before(scenario: Scenario, view: View, row: Choosing) -> tuple[SeenBefore, ...]:
    """Older scans of the same faction, the newest first."""
    chart, found = star_map(scenario), []
    for item in sorted(view.sightings, key=lambda item: (-item.week, item.hex)):
        if item.faction == row.toward and item.counts and (item.week, item.hex) != (view.week, row.hex):
            steps = chart.distance(item.hex, row.hex)
            weeks = 0 if not steps else -(-steps // scenario.hexes_per_week)
            away = "here" if item.hex == row.hex else "no way" if steps is None else f"{steps} hexes, {weeks} wk"
            found.append(
                SeenBefore(weeks_ago(view.week - item.week), place_words(scenario, item.hex), item.counts, away)
            )
    return tuple(found[:6])


@dataclass(frozen=True, slots=True)
class Bar:
    """A tenth in a row of bars: where it stands, how tall it is, and the per cent of battles, where worth a number."""

    x: int
    y: int
    height: int
    percent: int
    thin: bool

    @property
    def middle(self) -> int:
        return self.x + 12

    @property
    def above(self) -> int:
        return self.y - 5


def bars(counts: tuple[int, ...], runs: int) -> tuple[Bar, ...]:
    """The bars of shares lost, in tenths, 74 units tall at most."""
    most = max(counts, default=0)
    found = []
    for n, many in enumerate(counts):
        if many:
            tall = max(2, round(many / most * 74))
            found.append(Bar(n * 26 + 1, 92 - tall, tall, round(100 * many / runs), many / runs < 0.05))
    return tuple(found)


def tenth_words(counts: tuple[int, ...], runs: int) -> str:
    """The same in words."""
    return "; ".join(
        f"{round(100 * many / runs)} of 100 lose {n * 10} to {n * 10 + 10} per cent"
        for n, many in enumerate(counts)
        if many
    )


class OddsPage:
    """The odds that one request asks for; faulty or missing parts of the question are taken as not asked."""

    def __init__(self, request: HttpRequest, war: War) -> None:
        self.request, self.war = request, war
        scenario, view = war.scenario, war.sight.view
        given = request.GET
        at = systems_by_hex(scenario)
        self.hex = given.get("hex", "") if given.get("hex", "") in at else ""
        enemies = [power for power in scenario.factions if hostile(scenario, power.id, view.faction)]
        self.enemies = enemies
        asked = given.get("toward", "")
        self.toward = asked if any(power.id == asked for power in enemies) else ""
        if not self.toward and len(enemies) == 1:
            self.toward = enemies[0].id
        believed = given.get("decoys", "")
        self.decoys = believed if believed in dict(BELIEFS) else BELIEFS[0][0]
        self.captain = given.get("captain", "") if given.get("captain", "") in dict(CAPTAINS) else ""
        own = {fleet.key for fleet in view.fleets}
        self.fleets = tuple(sorted(key for key in given.getlist("fleet") if key in own))
        self.wanted = given.get("battles", "")

    def question(self) -> Question | None:
        """What is asked; None where a place, an enemy or ships of one's own are missing."""
        if not (self.hex and self.toward) or is_skirmish(self.war.scenario):
            return None
        question = Question(self.hex, self.toward, self.fleets, cast(Decoys, self.decoys), self.captain == "end")
        return question if own_ships(Belief(self.war.scenario, self.war.sight.view), question) else None

    def address(self, **more: str) -> str:
        """The address of the same question, with something else."""
        parts: list[tuple[str, str]] = [
            ("hex", self.hex),
            ("toward", self.toward),
            ("decoys", self.decoys),
            ("captain", self.captain),
            *(("fleet", key) for key in self.fleets),
            *more.items(),
        ]
        return f"{reverse('odds', args=(self.war.id,))}?{urlencode([part for part in parts if part[1]])}"

    def samples(self, question: Question) -> tuple[list[Imagined], int]:
        """The samples asked for, and how many battles come next; 0 after the last. Each is fought once in a process."""
        war = self.war
        belief = Belief(war.scenario, war.sight.view)
        ships = sum(map(len, own_ships(belief, question))) + len(
            belief.force(question.hex, question.toward, 0, question.decoys).ships
        )
        first = FEW_BATTLES if ships > MANY_SHIPS else FIRST
        steps = (first, *STEPS)
        count = next((step for step in steps if str(step) == self.wanted), first)
        sha256 = war.viewer.campaign.scenario.sha256
        rules = rules_of(war.viewer.campaign).at(war.week)
        key = (war.id, sha256, war.faction.key, war.sight.etag, question, rules)
        with weighed(self.request):
            done = _samples.made(key, list)
            found = done[:count]
            if len(found) < count:
                found += imagine(belief, question, range(len(found), count), rules)
                _samples.keep(key, found)
        return found, next((step for step in steps if step > count), 0)

    def context(self) -> dict[str, object]:
        """What the page shows."""
        scenario, view = self.war.scenario, self.war.sight.view
        shades = colours(scenario, view.faction)
        context: dict[str, object] = {
            "war": self.war,
            "asked": self,
            "place": place_words(scenario, self.hex) if self.hex else "",
            "name": next((power.name for power in self.enemies if power.id == self.toward), ""),
            "systems": sorted(scenario.systems, key=lambda system: system.name),
            "fleets": view.fleets,
            "beliefs": BELIEFS,
            "captains": CAPTAINS,
            "here": [fleet.name for fleet in view.fleets if fleet.hex == self.hex and not fleet.in_ftl],
        }
        question = self.question()
        if question is None:
            return context
        samples, more = self.samples(question)
        odds = odds_of(samples)
        rows = [
            ("What you lose", "own", odds.mine, odds.mine_within),
            ("What they lose", shades.get(self.toward, ""), odds.theirs, odds.theirs_within),
        ]
        return context | {
            "odds": odds,
            "sentence": sentence(odds, context["place"]),
            "rows": [
                (title, shade, bars(counts, odds.runs), tenth_words(counts, odds.runs), within)
                for title, shade, counts, within in rows
                if odds.runs
            ],
            "held": held(odds.runs),
            "more": self.address(battles=str(more)) if more else "",
            "stop": self.address(battles=str(len(samples))) + "&stop=1" if more else "",
            "stopped": bool(self.request.GET.get("stop")),
            "next": more,
        }


def sentence(odds: Odds, place: object) -> str:
    """Odds as one says them."""
    if not odds.runs:
        return f"By all you know nobody may be there to fight at {place}."
    won, drawn = (round(100 * many / odds.runs) for many in (odds.won, odds.drawn))
    nobody = odds.empty and round(100 * odds.empty / (odds.runs + odds.empty))
    also = f" In {nobody} of 100 cases nobody is there." if nobody else ""
    return (
        f"You win {won} of 100 battles at {place}, and {drawn} are drawn. A usual one costs you "
        f"{odds.mine_usual} per cent of your points, and them {odds.theirs_usual} per cent of theirs.{also}"
    )


@player_page
def odds(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The odds of a meeting, at hand or thought of; a fragment for htmx."""
    try:
        war = war_of(viewer)
    except NoViewer:
        return not_begun(viewer)
    part = "_odds" if request.headers.get("HX-Request") == "true" else "odds"
    return render(request, f"campaign/{part}.html", OddsPage(request, war).context())


@dataclass(frozen=True, slots=True)
class ExposedRow:
    """A fleet, and what others may know of it, in words."""

    name: str
    place: str
    seen: str
    by: str
    why: str
    reads: str


@player_page
def known_of_me(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What others may know of the reader's fleets."""
    try:
        war = war_of(viewer)
    except NoViewer:
        return not_begun(viewer)
    rows = [_exposed(war.scenario, item) for item in exposure(war.scenario, war.sight.view)]
    return render(request, "campaign/known_of_me.html", {"war": war, "rows": rows})


def _exposed(scenario: Scenario, item: Exposed) -> ExposedRow:
    names = {power.id: power.name for power in scenario.factions}
    where = place_words(scenario, item.fleet.hex) + (", in FTL space" if item.fleet.in_ftl else "")
    by = " and ".join(names[power] for power in item.by)
    return ExposedRow(
        item.fleet.name, where, item.seen, by, WHY[item.why], strength_words(item.reads) if item.reads else ""
    )


urlpatterns = [
    path("c/<str:c>/odds/", odds, name="odds"),
    path("c/<str:c>/known-of-me/", known_of_me, name="known-of-me"),
]
