"""Odds of a pending or imagined encounter: histograms and sentences that improve over time.

Made only from the reader's view and the published scenario. Background workers run the battles
(`campaign.services.simulations`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from campaign.access import Viewer
from campaign.belief.estimate import Estimate, upper_bound_percent
from campaign.belief.forces import Belief, Decoys
from campaign.belief.meetings import Question, own_ships
from campaign.belief.odds import (
    FEWEST,
    HEADLINE,
    MARGINS,
    Odds,
    SampleResult,
    interval_coverage,
    odds_of,
)
from campaign.kinds import SimulationKind
from campaign.models.simulation import Simulation
from campaign.pages.week.background_battles import STOP, progress, run_background_battles
from campaign.rules.queries import are_hostile, sort_by_count, systems_by_hex
from campaign.rules.sightings import newest_sighting
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import View
from campaign.selectors.rules import rules_of
from campaign.services.meetings import (
    MOST_BATTLES,
    belief_of,
    estimate_for,
    meeting_question,
    results_of,
)
from campaign.web.seat_marks import seats
from campaign.web.war import War, player_page, war_of
from campaign.words.common import place_words, strength_words
from engine.core.phrase import counted_noun, join_phrases, phrase

BELIEFS: tuple[tuple[str, str], ...] = (
    ("likely", phrase("as likely as not")),
    ("none", phrase("none")),
    ("some", phrase("some")),
    ("many", phrase("as many as possible")),
)
ENEMY_CAPTAINS = (("", phrase("follows orders")), ("end", phrase("fights to the end")))


def odds_address(war: War, hex_: str, toward: str) -> str:
    """Return the address of the odds of a pending or imagined encounter."""
    return f"{reverse('odds', args=(war.id,))}?{urlencode({'hex': hex_, 'toward': toward})}"


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """One bar of a histogram, for a tenth of losses."""

    x: int
    y: int
    height: int
    percent: int  # of all battles
    is_rare: bool  # too few battles to show a number

    @property
    def label_x(self) -> int:
        return self.x + 12

    @property
    def label_y(self) -> int:
        return self.y - 5


def likeliest_enemy(view: View, hex_: str, holder: str | None, enemies: Sequence[str]) -> str:
    """Return the most likely enemy at a system, or "".

    That is the enemy scanned there last, else the last known holder.
    """
    newest = {power: newest_sighting(view, hex_, power) for power in enemies}
    weeks = {
        power: sighting.week
        for power, sighting in newest.items()
        if sighting is not None and sighting.counts
    }
    if weeks:
        return min(weeks, key=lambda power: (-weeks[power], power))
    if holder is not None and holder in enemies:
        return holder
    return ""


def histogram_bars(counts: tuple[int, ...], runs: int) -> tuple[HistogramBar, ...]:
    """Return the bars of losses in tenths, at most 74 units tall."""
    most = max(counts, default=0)
    bars_drawn = []
    for n, count in enumerate(counts):
        if count:
            tall = max(2, round(count / most * 74))
            bars_drawn.append(
                HistogramBar(
                    n * 26 + 1, 92 - tall, tall, round(100 * count / runs), count / runs < 0.05
                )
            )
    return tuple(bars_drawn)


def loss_words_by_tenth(counts: tuple[int, ...], runs: int) -> str:
    """Return the histogram in words."""
    return join_phrases(
        "; ",
        (
            phrase("{}% of battles: {} to {}% lost", round(100 * count / runs), n * 10, n * 10 + 10)
            for n, count in enumerate(counts)
            if count
        ),
    )


class OddsPage:
    """The odds that a request asks for. Faulty parts of the question count as missing."""

    def __init__(self, request: HttpRequest, war: War) -> None:
        self.request, self.war = request, war
        scenario, view = war.scenario, war.sight.view
        query = request.GET
        at = systems_by_hex(scenario)
        if query.get("hex", "") in at:
            self.hex = query.get("hex", "")
        else:
            self.hex = ""
        enemies = [
            power for power in scenario.factions if are_hostile(scenario, power.id, view.faction)
        ]
        self.enemies = enemies
        enemy_key = query.get("toward", "")
        if any(power.id == enemy_key for power in enemies):
            self.enemy = enemy_key
        else:
            self.enemy = ""
        if not self.enemy and len(enemies) == 1:
            self.enemy = enemies[0].id
        elif not self.enemy and self.hex:
            holder_by_system = {}
            for item in view.systems:
                holder_by_system[item.system] = item.superior or item.holder
            self.enemy = likeliest_enemy(
                view,
                self.hex,
                holder_by_system.get(at[self.hex].id),
                [power.id for power in enemies],
            )
        decoys = query.get("decoys", "")
        if decoys in dict(BELIEFS):
            self.decoys = decoys
        else:
            self.decoys = BELIEFS[0][0]
        if query.get("captain", "") in dict(ENEMY_CAPTAINS):
            self.captain = query.get("captain", "")
        else:
            self.captain = ""
        own_fleets = {fleet.key for fleet in view.fleets}
        self.fleets = tuple(sorted(key for key in query.getlist("fleet") if key in own_fleets))
        self.is_watched = STOP not in query

    @property
    def belief(self) -> Belief:
        """Everything the reader's view allows the reader to assume."""
        return belief_of(self.war.viewer.campaign, self.war.faction, self.war.sight)

    def question(self) -> Question | None:
        """Return the question, or None if it lacks a place, an enemy or own ships."""
        if not (self.hex and self.enemy) or is_skirmish(self.war.scenario):
            return None
        question = Question(
            self.hex, self.enemy, self.fleets, cast(Decoys, self.decoys), self.captain == "end"
        )
        if own_ships(self.belief, question):
            return question
        return None

    def address(self, **changes: str) -> str:
        """Return the address of the same question with some parts changed."""
        parts: list[tuple[str, str]] = [
            ("hex", self.hex),
            ("toward", self.enemy),
            ("decoys", self.decoys),
            ("captain", self.captain),
            *(("fleet", key) for key in self.fleets),
            *changes.items(),
        ]
        query = urlencode([part for part in parts if part[1]])
        return f"{reverse('odds', args=(self.war.id,))}?{query}"

    def simulation(self, question: Question) -> Simulation:
        """Return a question's simulated battles; workers add more while the reader waits."""
        war = self.war
        rules = rules_of(war.viewer.campaign).at(war.week)
        request_text = meeting_question(
            war.viewer.campaign, war.faction, war.sight, question, rules
        )
        return run_background_battles(
            self.request,
            SimulationKind.MEETING,
            request_text,
            MOST_BATTLES,
            is_watched=self.is_watched,
        )

    def context(self) -> dict[str, object]:
        """Return the context of the page."""
        scenario, view = self.war.scenario, self.war.sight.view
        context: dict[str, object] = {
            "war": self.war,
            **self.war.tabs(""),
            "asked": self,
            "place": place_words(scenario, self.hex) if self.hex else "",
            "seat": seats(scenario).get(self.enemy, 0),
            "name": next((power.name for power in self.enemies if power.id == self.enemy), ""),
            "systems": sorted(scenario.systems, key=lambda system: system.name),
            "fleets": view.fleets,
            "beliefs": BELIEFS,
            "captains": ENEMY_CAPTAINS,
        }
        question = self.question()
        if question is None:
            return context
        row = self.simulation(question)
        simulation = progress(
            row,
            self.address(),
            self.address(**{STOP: "1"}),
            is_watched=self.is_watched,
            fewest=FEWEST,
        )
        context |= {"simulation": simulation, "key": f"-{self.hex}-{self.enemy}"}
        samples = results_of(row.samples)
        context["unseen"] = unseen_sentence(self.belief, self.hex, self.enemy, samples)
        odds = odds_of(samples)
        if row.battles_done < FEWEST and row.open and not odds.runs:
            estimate = estimate_for(row.question, row.key)
            if estimate:
                estimate_text = strength_sentence(estimate, context["place"])
            else:
                estimate_text = ""
            return context | {
                "estimate": estimate_text,
                "weighed": estimate is not None and estimate.forces > 0,
            }
        numbers = seats(scenario)
        rows = [
            (phrase("What you lose"), numbers.get(view.faction, 0), odds.mine, odds.mine_interval),
            (
                phrase("What they lose"),
                numbers.get(self.enemy, 0),
                odds.theirs,
                odds.theirs_interval,
            ),
        ]
        return context | {
            "odds": odds,
            "sentence": odds_sentence(odds, context["place"]),
            "rows": [
                (
                    title,
                    number,
                    histogram_bars(counts, odds.runs),
                    loss_words_by_tenth(counts, odds.runs),
                    interval,
                )
                for title, number, counts, interval in rows
                if odds.runs
            ],
            "many": odds.runs >= FEWEST,
            "widened": 0 < odds.runs <= len(MARGINS),
            "held": interval_coverage(odds.runs),
        }


def unseen_sentence(belief: Belief, hex_: str, toward: str, samples: Sequence[SampleResult]) -> str:
    """Return what is published about a place out of sight, apart from fleets that may be there.

    Empty if a scan of this week covers the place.
    """
    if belief.is_in_sight(hex_, toward):
        return ""
    garrison = belief.garrison(hex_, toward)
    if not garrison:
        return phrase(
            "You cannot see this place now. No defences are published; fleets may be there."
        )
    published = strength_words(sort_by_count(garrison))
    fought_samples = [sample for sample in samples if sample.was_fought]
    if not fought_samples:
        return phrase(
            "You cannot see this place now. Published defences: {}. Fleets may be there too.",
            published,
        )
    alone = [sample for sample in fought_samples if not sample.fleet]
    reinforced = [sample for sample in fought_samples if sample.fleet]
    return phrase(
        "You cannot see this place now. Published defences: {}. They were alone in {} of {} "
        "battles, and you won {} of those. In the other {} a fleet was there too, and you won "
        "{}.",
        published,
        len(alone),
        len(fought_samples),
        sum(sample.result > 0 for sample in alone),
        len(reinforced),
        sum(sample.result > 0 for sample in reinforced),
    )


def strength_sentence(estimate: Estimate, place: object) -> str:
    """Return what strengths alone tell before any battle, or that the place may be empty."""
    if not estimate.forces:
        return phrase(
            "As far as you know, there may be nobody to fight at {}: in {} imagined cases "
            "there was never an enemy, so no battle. With so few cases, the chance that "
            "somebody is there is at most {}%.",
            *(place, estimate.empty, upper_bound_percent(estimate.empty)),
        )
    return phrase(
        "At {}, by strength alone: your ships have {}% of their strength, or {} to {}% "
        "depending on what is there. Of {} forces that may be there, you are stronger than "
        "{}.{}",
        *(
            place,
            estimate.median,
            *estimate.extremes,
            estimate.forces,
            estimate.stronger,
            _no_enemy_sentence(estimate.empty, estimate.forces),
        ),
    )


def odds_sentence(odds: Odds, place: object) -> str:
    """Return the odds as a sentence.

    With few battles it tells how these ended, because they say little about others.
    """
    if not odds.runs:
        return phrase("As far as you know, there may be nobody to fight at {}.", place)
    also = _no_enemy_sentence(odds.empty, odds.runs)
    if odds.runs < HEADLINE:
        battles_text = counted_noun(odds.runs, "battle")
        return phrase(
            "So far, at {}: {} fought, {} won, {} drawn.{}",
            place,
            battles_text,
            odds.wins,
            odds.draws,
            also,
        )
    win_percent, draw_percent = (
        round(100 * count / odds.runs) for count in (odds.wins, odds.draws)
    )
    return phrase(
        "You win {}% of battles at {}; {}% are drawn. In a typical battle you lose {}% of your "
        "points; they lose {}%.{}",
        win_percent,
        place,
        draw_percent,
        odds.mine_median,
        odds.theirs_median,
        also,
    )


def _no_enemy_sentence(empty: int, battles: int) -> str:
    """Return how often no enemy is there as a sentence, or "" if there always is one."""
    percent = empty and round(100 * empty / (empty + battles))
    if percent:
        return phrase(" In {}% of cases nobody is there.", percent)
    return ""


@player_page
def odds(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the odds of an encounter; a fragment for htmx."""
    war = war_of(viewer)
    if request.headers.get("HX-Request") == "true":
        part = "_odds"
    else:
        part = "odds"
    return render(request, f"campaign/{part}.html", OddsPage(request, war).context())


urlpatterns = [path("c/<str:c>/odds/", odds, name="odds")]
