"""Odds by what one believes, of a meeting at hand or of one that might be: bars, words, better
while one waits.

All of it is made of the reader's View and the published scenario. Workers fight the battles
(`campaign.services.reckonings`).
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
from campaign.belief.estimate import Estimate, at_most
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
from campaign.kinds import ReckoningKind
from campaign.models.reckoning import Reckoning
from campaign.pages.week.background_battles import STOP, progress, reckoned
from campaign.rules.queries import greatest_first, hostile, systems_by_hex
from campaign.rules.sightings import newest_sighting
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import View
from campaign.selectors.rules import rules_of
from campaign.services.meetings import MOST_BATTLES, belief_of, estimated, meeting_asked, results_of
from campaign.web.seat_marks import seats
from campaign.web.war import War, player_page, war_of
from campaign.words.sayings import place_words, strength_words
from engine.core.phrase import counted_noun, joined_phrases, phrase

BELIEFS: tuple[tuple[str, str], ...] = (
    ("likely", phrase("as likely as not")),
    ("none", phrase("none")),
    ("some", phrase("some")),
    ("many", phrase("most that can be")),
)
CAPTAINS = (("", phrase("does as his orders say")), ("end", phrase("fights to the end")))


def odds_address(war: War, hex_: str, toward: str) -> str:
    """The address of the odds of a meeting: also of one that is only thought of."""
    return f"{reverse('odds', args=(war.id,))}?{urlencode({'hex': hex_, 'toward': toward})}"


@dataclass(frozen=True, slots=True)
class Bar:
    """A tenth in a row of bars: where it stands, how tall it is, and the per cent of battles, where
    worth a number.
    """

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


def likeliest(view: View, hex_: str, holder: str | None, enemies: Sequence[str]) -> str:
    """Whom one would meet at a system where nobody is named: who was read there last, else who has
    it as far as one knows; "" where that is none of them.
    """
    newest = {power: newest_sighting(view, hex_, power) for power in enemies}
    weeks = {
        power: found.week for power, found in newest.items() if found is not None and found.counts
    }
    if weeks:
        return min(weeks, key=lambda power: (-weeks[power], power))
    return holder if holder is not None and holder in enemies else ""


def bars(counts: tuple[int, ...], runs: int) -> tuple[Bar, ...]:
    """The bars of shares lost, in tenths, 74 units tall at most."""
    most = max(counts, default=0)
    found = []
    for n, many in enumerate(counts):
        if many:
            tall = max(2, round(many / most * 74))
            found.append(
                Bar(n * 26 + 1, 92 - tall, tall, round(100 * many / runs), many / runs < 0.05)
            )
    return tuple(found)


def tenth_words(counts: tuple[int, ...], runs: int) -> str:
    """The same in words."""
    return joined_phrases(
        "; ",
        (
            phrase(
                "{} of 100 lose {} to {} per cent", round(100 * many / runs), n * 10, n * 10 + 10
            )
            for n, many in enumerate(counts)
            if many
        ),
    )


class OddsPage:
    """The odds that one request asks for; faulty or missing parts of the question are taken as not
    asked.
    """

    def __init__(self, request: HttpRequest, war: War) -> None:
        self.request, self.war = request, war
        scenario, view = war.scenario, war.sight.view
        given = request.GET
        at = systems_by_hex(scenario)
        self.hex = given.get("hex", "") if given.get("hex", "") in at else ""
        enemies = [
            power for power in scenario.factions if hostile(scenario, power.id, view.faction)
        ]
        self.enemies = enemies
        asked = given.get("toward", "")
        self.toward = asked if any(power.id == asked for power in enemies) else ""
        if not self.toward and len(enemies) == 1:
            self.toward = enemies[0].id
        elif not self.toward and self.hex:
            known = {item.system: item.superior or item.holder for item in view.systems}
            self.toward = likeliest(
                view, self.hex, known.get(at[self.hex].id), [power.id for power in enemies]
            )
        believed = given.get("decoys", "")
        self.decoys = believed if believed in dict(BELIEFS) else BELIEFS[0][0]
        self.captain = (
            given.get("captain", "") if given.get("captain", "") in dict(CAPTAINS) else ""
        )
        own = {fleet.key for fleet in view.fleets}
        self.fleets = tuple(sorted(key for key in given.getlist("fleet") if key in own))
        self.waits = STOP not in given

    @property
    def belief(self) -> Belief:
        """All that the reader's View lets him believe."""
        return belief_of(self.war.viewer.campaign, self.war.faction, self.war.sight)

    def question(self) -> Question | None:
        """What is asked; None where a place, an enemy or ships of one's own are missing."""
        if not (self.hex and self.toward) or is_skirmish(self.war.scenario):
            return None
        question = Question(
            self.hex, self.toward, self.fleets, cast(Decoys, self.decoys), self.captain == "end"
        )
        return question if own_ships(self.belief, question) else None

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

    def reckoning(self, question: Question) -> Reckoning:
        """The battles of a question: workers fight them while the reader waits."""
        war = self.war
        rules = rules_of(war.viewer.campaign).at(war.week)
        asked = meeting_asked(war.viewer.campaign, war.faction, war.sight, question, rules)
        return reckoned(self.request, ReckoningKind.MEETING, asked, MOST_BATTLES, waits=self.waits)

    def context(self) -> dict[str, object]:
        """What the page shows."""
        scenario, view = self.war.scenario, self.war.sight.view
        context: dict[str, object] = {
            "war": self.war,
            **self.war.tabs(""),
            "asked": self,
            "place": place_words(scenario, self.hex) if self.hex else "",
            "seat": seats(scenario).get(self.toward, 0),
            "name": next((power.name for power in self.enemies if power.id == self.toward), ""),
            "systems": sorted(scenario.systems, key=lambda system: system.name),
            "fleets": view.fleets,
            "beliefs": BELIEFS,
            "captains": CAPTAINS,
        }
        question = self.question()
        if question is None:
            return context
        row = self.reckoning(question)
        going = progress(
            row, self.address(), self.address(**{STOP: "1"}), waits=self.waits, fewest=FEWEST
        )
        context |= {"going": going, "key": f"-{self.hex}-{self.toward}"}
        samples = results_of(row.samples)
        context["unseen"] = unseen_sentence(self.belief, self.hex, self.toward, samples)
        odds = odds_of(samples)
        if row.fought < FEWEST and row.open and not odds.runs:
            known = estimated(row.question, row.key)
            said = strength_sentence(known, context["place"]) if known else ""
            return context | {"estimate": said, "weighed": known is not None and known.forces > 0}
        numbers = seats(scenario)
        rows = [
            (phrase("What you lose"), numbers.get(view.faction, 0), odds.mine, odds.mine_interval),
            (
                phrase("What they lose"),
                numbers.get(self.toward, 0),
                odds.theirs,
                odds.theirs_interval,
            ),
        ]
        return context | {
            "odds": odds,
            "sentence": sentence(odds, context["place"]),
            "rows": [
                (title, number, bars(counts, odds.runs), tenth_words(counts, odds.runs), within)
                for title, number, counts, within in rows
                if odds.runs
            ],
            "many": odds.runs >= FEWEST,
            "widened": 0 < odds.runs <= len(MARGINS),
            "held": interval_coverage(odds.runs),
        }


def unseen_sentence(belief: Belief, hex_: str, toward: str, samples: Sequence[SampleResult]) -> str:
    """What is published of a place out of sight, apart from fleets that may be there.

    Empty where a scan of this week reads the place.
    """
    if belief.is_in_sight(hex_, toward):
        return ""
    garrison = belief.garrison(hex_, toward)
    if not garrison:
        return phrase(
            "You do not see this place now. No defences are published here; fleets may be there."
        )
    published = strength_words(greatest_first(garrison))
    fought = [sample for sample in samples if sample.met]
    if not fought:
        return phrase(
            "You do not see this place now. Published defences: {}. Fleets may be there besides.",
            published,
        )
    alone = [sample for sample in fought if not sample.fleet]
    reinforced = [sample for sample in fought if sample.fleet]
    return phrase(
        "You do not see this place now. Published defences: {}. They were alone in {} of {} "
        "battles, of which you won {}. In the other {} a fleet was there, and you won {}.",
        published,
        len(alone),
        len(fought),
        sum(sample.result > 0 for sample in alone),
        len(reinforced),
        sum(sample.result > 0 for sample in reinforced),
    )


def strength_sentence(known: Estimate, place: object) -> str:
    """What strengths alone tell before any battle, or that nobody may be there."""
    if not known.forces:
        return phrase(
            "By all you know nobody may be there to fight at {}: in none of the {} cases imagined is anybody, and no "
            "battle follows. As far as so few cases tell, somebody is there in {} of 100 at most.",
            *(place, known.empty, at_most(known.empty)),
        )
    return phrase(
        "At {}, by strength alone: your ships come to {} per cent of theirs, or {} to {} by what may be there. "
        "Of the forces drawn, {} in all, you are stronger than {}.{}",
        *(
            place,
            known.median,
            *known.extremes,
            known.forces,
            known.stronger,
            _nobody(known.empty, known.forces),
        ),
    )


def sentence(odds: Odds, place: object) -> str:
    """Odds as one says them; of a few battles how these ended, for that says little of others."""
    if not odds.runs:
        return phrase("By all you know nobody may be there to fight at {}.", place)
    also = _nobody(odds.empty, odds.runs)
    if odds.runs < HEADLINE:
        fought = counted_noun(odds.runs, "battle")
        return phrase(
            "So far, at {}: {} fought, {} won, {} drawn.{}",
            place,
            fought,
            odds.won,
            odds.drawn,
            also,
        )
    won, drawn = (round(100 * many / odds.runs) for many in (odds.won, odds.drawn))
    return phrase(
        "You win {} of 100 battles at {}, and {} are drawn. A usual one costs you {} per cent "
        "of your points, and them {} per cent of theirs.{}",
        won,
        place,
        drawn,
        odds.mine_median,
        odds.theirs_median,
        also,
    )


def _nobody(empty: int, others: int) -> str:
    """How often nobody is there, as a further sentence; nothing where always somebody is."""
    nobody = empty and round(100 * empty / (empty + others))
    return phrase(" In {} of 100 cases nobody is there.", nobody) if nobody else ""


@player_page
def odds(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The odds of a meeting, at hand or thought of; a fragment for htmx."""
    war = war_of(viewer)
    part = "_odds" if request.headers.get("HX-Request") == "true" else "odds"
    return render(request, f"campaign/{part}.html", OddsPage(request, war).context())


urlpatterns = [path("c/<str:c>/odds/", odds, name="odds")]
