"""Odds of a pending or imagined encounter: histograms and sentences that improve over time.

Made only from the reader's view and the published scenario. Background workers run the battles
(`campaign.services.simulations`).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from campaign.access import Viewer
from campaign.belief.cases import Case, arrival_week, strongest_contact
from campaign.belief.estimate import Estimate, upper_bound_percent
from campaign.belief.forces import Belief, Decoys
from campaign.belief.meetings import Question, own_ships
from campaign.belief.odds import (
    FEWEST,
    HEADLINE,
    MARGINS,
    Odds,
    interval_coverage,
    odds_of,
    win_margin,
)
from campaign.kinds import SimulationKind
from campaign.models.simulation import Simulation
from campaign.rules.queries import (
    are_hostile,
    can_jump,
    has_contact_at,
    ship_classes,
    sort_by_count,
    systems_by_hex,
)
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sighting
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import View
from campaign.selectors.rules import rules_now
from campaign.services.meetings import (
    MAX_BATTLES,
    belief_of,
    estimate_for,
    meeting_question,
    results_of,
)
from campaign.web.background_battles import STOP, progress, run_background_battles
from campaign.web.seat_marks import seats
from campaign.web.war import War, player_page, war_of
from campaign.words.common import place_words, sighting_age_words, strength_words
from engine.core.phrase import counted_noun, join_phrases, phrase

BELIEFS: tuple[tuple[str, str], ...] = (
    ("likely", phrase("unknown: a likely number is drawn")),
    ("none", phrase("none")),
    ("some", phrase("some")),
    ("many", phrase("as many as possible")),
)
ENEMY_CAPTAINS = (("", phrase("follows its doctrine")), ("end", phrase("fights to the end")))
CASE_TITLES: dict[str, str] = {
    "garrison": phrase("Garrison only"),
    "fleet": phrase("With their main fleet"),
}
# The fragments of the page by the parameter `form`
FRAGMENTS = {"": "campaign/_odds.html", "card": "campaign/_odds_card.html"}
# The histogram in drawing units, as templates/campaign/_odds.html draws it
BAR_WIDTH = 24
GAUGE_WIDTH = 200  # of the gauge, as templates/campaign/_gauge.html draws it
BAR_STEP = 26  # from one bar to the next
HISTOGRAM_WIDTH = 262
LABEL_WIDTH = 40  # of the widest number, 100 %
BASE_LINE = 92
TALLEST_BAR = 74
LOWEST_BAR = 2
RARE_SHARE = 0.05  # bars for a smaller share of battles are drawn paler


def odds_address(war: War, hex_: str, toward: str) -> str:
    """Return the address of the odds of a pending or imagined encounter."""
    return f"{reverse('odds', args=(war.id,))}?{urlencode({'hex': hex_, 'toward': toward})}"


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """One bar of a histogram, for a tenth of losses."""

    x: int  # of its left edge, in drawing units
    y: int  # of its top
    height: int
    percent: int  # of all battles
    is_rare: bool  # few battles; drawn paler

    @property
    def label_x(self) -> int:
        """The middle of its number: that of the bar, if the drawing has room for it."""
        middle = self.x + BAR_WIDTH // 2
        return min(max(middle, LABEL_WIDTH // 2), HISTOGRAM_WIDTH - LABEL_WIDTH // 2)

    @property
    def label_y(self) -> int:
        """The base line of the number above the bar."""
        return self.y - 5


def likeliest_enemy(view: View, hex_: str, holder: str | None, enemies: Sequence[str]) -> str:
    """Return the most likely enemy at a system, or "".

    That is the enemy scanned there last, else the last known holder.
    """
    week_of_scan = {}
    for power in enemies:
        sighting = newest_sighting(view, hex_, power)
        if sighting is not None and sighting.counts:
            week_of_scan[power] = sighting.week
    if week_of_scan:
        return min(week_of_scan, key=lambda power: (-week_of_scan[power], power))
    if holder is not None and holder in enemies:
        return holder
    return ""


def likeliest_target(scenario: Scenario, view: View) -> str:
    """Return the system that the page proposes: where enemies were seen last, or what they hold."""
    systems = systems_by_hex(scenario)
    seen = [sight for sight in view.sightings if sight.counts and sight.hex in systems]
    if seen:
        return max(seen, key=lambda sight: (sight.week, sum(dict(sight.counts).values()))).hex
    for known in view.systems:
        holder = known.superior or known.holder
        if holder and are_hostile(scenario, holder, view.faction):
            return next(hex_ for hex_, system in systems.items() if system.id == known.system)
    return ""


def mobile_fleets(scenario: Scenario, view: View) -> set[str]:
    """Return the keys of the fleets with a ship that can jump."""
    classes = ship_classes(scenario)
    return {ship.fleet for ship in view.ships if can_jump(classes[ship.cls], ship)}


def histogram_bars(counts: tuple[int, ...], runs: int) -> tuple[HistogramBar, ...]:
    """Return the bars of losses in tenths, at most 74 units tall."""
    most = max(counts, default=0)
    bars = []
    for tenth, count in enumerate(counts):
        if count:
            height = max(LOWEST_BAR, round(count / most * TALLEST_BAR))
            bar = HistogramBar(
                x=tenth * BAR_STEP + 1,
                y=BASE_LINE - height,
                height=height,
                percent=round(100 * count / runs),
                is_rare=count / runs < RARE_SHARE,
            )
            bars.append(bar)
    return tuple(bars)


def loss_words_by_tenth(counts: tuple[int, ...], runs: int) -> str:
    """Return the histogram in words."""
    parts = []
    for tenth, count in enumerate(counts):
        if count:
            percent = round(100 * count / runs)
            low = tenth * 10
            parts.append(phrase("{}% of battles: {} to {}% lost", percent, low, low + 10))
    return join_phrases("; ", parts)


@dataclass(frozen=True, slots=True)
class LossHistogram:
    """The losses of one side in the simulated battles."""

    title: str
    seat: int
    bars: tuple[HistogramBar, ...]
    words: str  # the bars in words
    interval: tuple[int, int]  # of losses in per cent


def loss_histograms(odds: Odds, own_seat: int, enemy_seat: int) -> list[LossHistogram]:
    """Return the losses of both sides, the reader's first; empty without battles."""
    if not odds.runs:
        return []
    return [
        LossHistogram(
            title=phrase("What you lose"),
            seat=own_seat,
            bars=histogram_bars(odds.mine, odds.runs),
            words=loss_words_by_tenth(odds.mine, odds.runs),
            interval=odds.mine_interval,
        ),
        LossHistogram(
            title=phrase("What they lose"),
            seat=enemy_seat,
            bars=histogram_bars(odds.theirs, odds.runs),
            words=loss_words_by_tenth(odds.theirs, odds.runs),
            interval=odds.theirs_interval,
        ),
    ]


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance to win, with its margin of error; all figures are in per cent.

    Attributes:
        won: The battles won.
        runs: How many battles were fought.
        percent: None while so few battles were fought that their share says little.
    """

    won: int
    runs: int
    percent: int | None
    low: int
    high: int

    @property
    def gauge_won(self) -> int:
        """The length of the gauge's bar, in drawing units."""
        return round(GAUGE_WIDTH * self.won / self.runs)

    @property
    def gauge_low(self) -> int:
        """The left end of the margin on the gauge, in drawing units."""
        return self.low * GAUGE_WIDTH // 100

    @property
    def gauge_high(self) -> int:
        """The right end of the margin on the gauge, in drawing units."""
        return self.high * GAUGE_WIDTH // 100


def chance_of(odds: Odds) -> Chance | None:
    """Return the chance to win; None without battles."""
    if not odds.runs:
        return None
    low, high = win_margin(odds.wins, odds.runs)
    percent = round(100 * odds.wins / odds.runs) if odds.runs >= HEADLINE else None
    return Chance(won=odds.wins, runs=odds.runs, percent=percent, low=low, high=high)


class OddsPage:
    """The odds that a request asks for. Faulty parts of the question count as missing."""

    def __init__(self, request: HttpRequest, war: War) -> None:
        self.request = request
        self.war = war
        scenario, view = war.scenario, war.sight.view
        self.enemies = [
            power for power in scenario.factions if are_hostile(scenario, power.id, view.faction)
        ]
        self.hex = self._query_choice("hex", systems_by_hex(scenario))
        self.enemy = self._query_enemy()
        self.decoys = self._query_choice("decoys", dict(BELIEFS)) or BELIEFS[0][0]
        self.captain = self._query_choice("captain", dict(ENEMY_CAPTAINS))
        own_fleets = {fleet.key for fleet in view.fleets}
        self.fleets = tuple(sorted(own_fleets.intersection(request.GET.getlist("fleet"))))
        self.is_watched = STOP not in request.GET
        self.form = self._query_choice("form", FRAGMENTS)
        self.case = cast(Case, self._query_choice("case", CASE_TITLES))

    def _query_choice(self, parameter: str, choices: Container[str]) -> str:
        """Return a parameter of the query if it is one of the choices, else ""."""
        value = self.request.GET.get(parameter, "")
        return value if value in choices else ""

    def _query_enemy(self) -> str:
        """Return the enemy in the query, else the only or the likeliest one, "" without any."""
        enemy_keys = [power.id for power in self.enemies]
        enemy = self._query_choice("toward", enemy_keys)
        if enemy:
            return enemy
        if len(enemy_keys) == 1:
            return enemy_keys[0]
        if not self.hex:
            return ""
        view = self.war.sight.view
        system = systems_by_hex(self.war.scenario)[self.hex]
        holder = None
        for system_state in view.systems:
            if system_state.system == system.id:
                holder = system_state.superior or system_state.holder
        return likeliest_enemy(view, self.hex, holder, enemy_keys)

    @property
    def belief(self) -> Belief:
        """Everything the reader's view allows the reader to assume."""
        return belief_of(self.war.viewer.campaign, self.war.faction, self.war.sight)

    def question(self) -> Question | None:
        """Return the question, or None if it lacks a place, an enemy or own ships."""
        if not (self.hex and self.enemy) or is_skirmish(self.war.scenario):
            return None
        question = Question(
            hex=self.hex,
            toward=self.enemy,
            fleets=self.fleets,
            decoys=cast(Decoys, self.decoys),
            to_the_end=self.captain == "end",
        )
        if not own_ships(self.belief, question):
            return None
        if self.case:
            return replace(question, case=self.case, week=self._arrival_week())
        return question

    def cases(self, question: Question) -> tuple[Question, ...]:
        """Return the cases of what waits at a place out of sight; empty if nothing is known.

        They are the published garrison, and the garrison with the strongest contact that can be
        there when the fleets arrive.
        """
        if self.case or is_watched_place(self.belief, self.hex, self.enemy):
            return ()
        week = self._arrival_week()
        garrison = self.belief.garrison(self.hex, self.enemy)
        contact = strongest_contact(self.belief, self.hex, self.enemy, week)
        cases: list[Case] = []
        if garrison:
            cases.append("garrison")
        if contact is not None:
            cases.append("fleet")
        return tuple(replace(question, case=case, week=week) for case in cases)

    def _arrival_week(self) -> int:
        """Return the week in which the last of the fleets arrives."""
        return arrival_week(self.belief, self.fleets, self.hex)

    def address(self, **changes: str) -> str:
        """Return the address of the same question with some parts changed."""
        parts: list[tuple[str, str]] = [
            ("hex", self.hex),
            ("toward", self.enemy),
            ("decoys", self.decoys),
            ("captain", self.captain),
            ("form", self.form),
            ("case", self.case),
            *(("fleet", key) for key in self.fleets),
            *changes.items(),
        ]
        query = urlencode([part for part in parts if part[1]])
        return f"{reverse('odds', args=(self.war.id,))}?{query}"

    def simulation(self, question: Question) -> Simulation:
        """Return a question's simulated battles; workers add more while the reader waits."""
        war = self.war
        rules_version = rules_now(war.viewer.campaign).version_in(war.week)
        stored_question = meeting_question(
            war.viewer.campaign, war.faction, war.sight, question, rules=rules_version
        )
        return run_background_battles(
            self.request,
            SimulationKind.MEETING,
            stored_question,
            MAX_BATTLES,
            is_watched=self.is_watched,
        )

    @property
    def place(self) -> str:
        """The place of the encounter in words, or "" without one."""
        return place_words(self.war.scenario, self.hex) if self.hex else ""

    def context(self) -> dict[str, object]:
        """Return the context of the page."""
        scenario = self.war.scenario
        enemy_names = {power.id: power.name for power in self.enemies}
        question = self.question()
        context: dict[str, object] = {
            "war": self.war,
            **self.war.tabs(""),
            "odds_page": self,
            "place": self.place,
            "enemy_seat": seats(scenario).get(self.enemy, 0),
            "enemy_name": enemy_names.get(self.enemy, ""),
            "systems": sorted(scenario.systems, key=lambda system: system.name),
            "shown_hex": self.hex or likeliest_target(scenario, self.war.sight.view),
            "fleets": self.war.sight.view.fleets,
            "ticked_fleets": self.fleets
            if question
            else mobile_fleets(scenario, self.war.sight.view),
            "beliefs": BELIEFS,
            "captains": ENEMY_CAPTAINS,
        }
        if question is not None:
            cases = self.cases(question)
            context |= self._simulation_context(cases[-1] if cases else question)
            context["cases"] = [self._case_context(case) for case in cases]
        return context

    def _case_context(self, question: Question) -> dict[str, object]:
        """Return the odds of one case, for its card, with its title and what is supposed there."""
        belief = self.belief
        contact = strongest_contact(belief, self.hex, self.enemy, question.week)
        garrison = strength_words(sort_by_count(belief.garrison(self.hex, self.enemy)))
        if question.case == "garrison" or contact is None:
            note = phrase("Published: {}. It does not move.", garrison)
        else:
            counts = sort_by_count(belief.mobile_counts(contact))
            note = phrase(
                "The strongest contact that can be there: {}, seen at {}, {}.",
                strength_words(counts),
                place_words(self.war.scenario, contact.hex),
                sighting_age_words(self.war.sight.view, contact),
            )
        page = copy(self)
        page.case, page.form = question.case, "card"
        title = CASE_TITLES[question.case]
        return {**page._simulation_context(question), "title": title, "note": note}

    def _simulation_context(self, question: Question) -> dict[str, object]:
        """Return the odds so far, or an estimate before the first battle."""
        row = self.simulation(question)
        odds = odds_of(results_of(row.samples))
        context: dict[str, object] = {
            "simulation": progress(
                row,
                self.address(),
                self.address(**{STOP: "1"}),
                is_watched=self.is_watched,
                fewest=FEWEST,
            ),
            "key": f"-{self.hex}-{self.enemy}",
            "out_of_sight_text": out_of_sight_sentence(self.belief, self.hex, self.enemy),
        }
        is_starting = row.battles_done < FEWEST and row.open and not odds.runs
        if is_starting:
            return context | self._estimate_context(row)
        seat_numbers = seats(self.war.scenario)
        own_seat = seat_numbers.get(self.war.sight.view.faction, 0)
        return context | {
            "odds": odds,
            "sentence": odds_sentence(odds, self.place),
            "chance": chance_of(odds),
            "histograms": loss_histograms(odds, own_seat, seat_numbers.get(self.enemy, 0)),
            "has_enough_battles": odds.runs >= FEWEST,
            "is_interval_widened": 0 < odds.runs <= len(MARGINS),
            "interval_coverage": interval_coverage(odds.runs),
        }

    def _estimate_context(self, row: Simulation) -> dict[str, object]:
        """Return what strengths alone tell while no battle has been fought yet."""
        estimate = estimate_for(row.question, row.key)
        if estimate is None:
            return {}
        return {
            "estimate": strength_sentence(estimate, self.place),
            "estimate_compares_forces": estimate.forces > 0,
            "strength": estimate.median if estimate.forces else None,
        }


def is_watched_place(belief: Belief, hex_: str, toward: str) -> bool:
    """Return whether a scan of this week covers a place, or the side is in contact there."""
    return belief.is_in_sight(hex_, toward) or has_contact_at(belief.view, hex_)


def out_of_sight_sentence(belief: Belief, hex_: str, toward: str) -> str:
    """Return what is published about a place out of sight, apart from fleets that may be there."""
    if is_watched_place(belief, hex_, toward):
        return ""
    garrison = belief.garrison(hex_, toward)
    if not garrison and _has_fleet_at(belief.view, hex_):
        return phrase(
            "Your fleets are there and have met none of theirs. No defences are published. The "
            "odds are for fleets that may still come."
        )
    if not garrison:
        return phrase(
            "You cannot see this place now. No defences are published; fleets may be there."
        )
    return phrase(
        "You cannot see this place now. Published defences: {}. Fleets may be there too.",
        strength_words(sort_by_count(garrison)),
    )


def _has_fleet_at(view: View, hex_: str) -> bool:
    """Return whether the side has a fleet in a hex, apart from those in FTL space."""
    return any(fleet.hex == hex_ and not fleet.in_ftl for fleet in view.fleets)


def strength_sentence(estimate: Estimate, place: object) -> str:
    """Return what strengths alone tell before any battle, or that the place may be empty."""
    if not estimate.forces:
        return phrase(
            "As far as you know, there may be nobody to fight at {}: in {} imagined cases "
            "there was never an enemy, so no battle. With so few cases, the chance that "
            "somebody is there is at most {}%.",
            place,
            estimate.empty,
            upper_bound_percent(estimate.empty),
        )
    return phrase(
        "At {}, by strength alone: your ships have {}% of their strength, or {} to {}% "
        "depending on what is there. Of {} forces that may be there, you are stronger than "
        "{}.{}",
        place,
        estimate.median,
        *estimate.extremes,
        estimate.forces,
        estimate.stronger,
        _no_enemy_sentence(estimate.empty, estimate.forces),
    )


def odds_sentence(odds: Odds, place: object) -> str:
    """Return the odds as a sentence.

    With few battles it tells how these ended, because they say little about others.
    """
    if not odds.runs:
        return phrase("As far as you know, there may be nobody to fight at {}.", place)
    no_enemy_text = _no_enemy_sentence(odds.empty, odds.runs)
    if odds.runs < HEADLINE:
        battles_text = counted_noun(odds.runs, "battle")
        return phrase(
            "Simulated so far: {} at {}. You won {} and drew {}.{}",
            battles_text,
            place,
            odds.wins,
            odds.draws,
            no_enemy_text,
        )
    return phrase(
        "You win {}% of battles at {}; {}% are drawn. In a typical battle you lose {}% of your "
        "points; they lose {}%.{}",
        round(100 * odds.wins / odds.runs),
        place,
        round(100 * odds.draws / odds.runs),
        odds.mine_median,
        odds.theirs_median,
        no_enemy_text,
    )


def _no_enemy_sentence(empty: int, battles: int) -> str:
    """Return how often no enemy is there as a sentence, or "" if there (almost) always is one.

    Args:
        empty: Imagined cases without an enemy.
        battles: Cases with one.
    """
    if not empty:
        return ""
    percent = round(100 * empty / (empty + battles))
    if percent:
        return phrase(" In {}% of cases nobody is there.", percent)
    return ""


@player_page
def odds(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the odds of an encounter; a fragment for htmx."""
    page = OddsPage(request, war_of(viewer))
    context = page.context()
    if request.headers.get("HX-Request") == "true":
        return render(request, FRAGMENTS[page.form], context)
    return render(request, "campaign/odds.html", context)


urlpatterns = [path("c/<str:c>/odds/", odds, name="odds")]
