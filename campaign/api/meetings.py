"""API resources for the odds of a real or imagined meeting, as the caller's faction can believe.

Everything is derived from the faction's view and the published scenario. The same question, asked
here or on the page, shares its battles. Workers fight them: a call returns at once what is known,
and the caller asks again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.requests import body_of, user_of
from campaign.api.resource import Resource, heavy, json_response, played_faction
from campaign.api.schema import documented
from campaign.belief.cases import Case, arrival_week
from campaign.belief.estimate import Estimate
from campaign.belief.forces import Decoys
from campaign.belief.meetings import Question, own_ships
from campaign.belief.odds import Odds, interval_coverage, odds_of
from campaign.errors import NotFound
from campaign.kinds import SimulationKind
from campaign.models.simulation import Simulation
from campaign.rules.own_keys import unknown_fleet
from campaign.rules.queries import are_hostile, systems_by_hex
from campaign.rules.scenario import Scenario
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
from campaign.services.simulations import (
    simulation_by_id,
    simulation_request,
    simulation_stop,
    simulation_watch,
)
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.web.problems import Refusal
from engine.core.errors import RuleViolations, Violation, fault_path

TAG = "knowledge"


@dataclass(frozen=True, slots=True)
class MeetingBody:
    """A meeting with a hostile faction at a system.

    Attributes:
        hex: The hex of the system.
        toward: The hostile faction.
        fleets: Own fleets that would be there, from any place; none for those that are there now.
        decoys: How many of the scanned escorts are decoys; `likely` rolls a die.
        to_the_end: The captain never breaks off; otherwise it follows the fleet's doctrine.
        case: `garrison` for the published defences alone, `fleet` for these and the strongest
            contact that can be there when the fleets arrive; empty for whatever may be there.
        battles: How many battles to fight, at most 159.
    """

    hex: str
    toward: str
    fleets: list[str] = field(default_factory=list)
    decoys: Decoys = "likely"
    to_the_end: bool = False
    case: Case = ""
    battles: int = MAX_BATTLES


@dataclass(frozen=True, slots=True)
class Losses:
    """What a side loses in a battle, in percent of the points it brought.

    Attributes:
        tenths: Number of battles by tenths of its points lost.
        median: The median.
        interval: The interval of later battles' losses, with the confidence `held`.
    """

    tenths: tuple[int, ...]
    median: int
    interval: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ByStrength:
    """Strength of the caller's ships in percent of possible hostile forces, by fire and endurance.

    All values except `empty` are 0 if no drawn force is present.

    Attributes:
        forces: Number of possible forces that were drawn.
        stronger: Against how many of them the caller's ships are the stronger side.
        median: Strength against the median force.
        interval: Strength against the strongest and the weakest force, at most 999.
        empty: Further draws with no hostile force present.
    """

    forces: int
    stronger: int
    median: int
    interval: tuple[int, int]
    empty: int


@dataclass(frozen=True, slots=True)
class MeetingOdds:
    """The results of the battles so far.

    Attributes:
        seq: Number of the view they are derived from.
        battles_done: Battles fought.
        battles_wanted: Battles requested.
        working: More are being fought while the caller keeps asking.
        ended: Why they ended early (`long`, `failed`), else empty.
        empty: Battles in which no enemy was there; the others are won, drawn or lost.
        coverage: Percent of later battles whose losses are expected within the intervals; with
            fewer than 19 battles, as found by trials.
        mine: Null until a battle was fought against an enemy.
        theirs: Null until a battle was fought against an enemy.
        by_strength: Until then, an estimate from strengths alone; null if there is none.
    """

    id: str
    seq: int
    hex: str
    toward: str
    battles_done: int
    battles_wanted: int
    working: bool
    ended: str
    empty: int
    wins: int
    draws: int
    losses: int
    coverage: int
    mine: Losses | None
    theirs: Losses | None
    by_strength: ByStrength | None


class MeetingOddsResource(Resource):
    """The odds of a meeting."""

    @documented(
        "odds",
        "Simulate battles of a meeting, based on what the faction knows",
        {200: MeetingOdds},
        body_type=MeetingBody,
        problems=(404, 409),
        writes=True,
        tag=TAG,
    )
    @heavy
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Request battles, and return how the meeting may end and what it may cost, so far.

        Workers continue for half a minute after each call; ask `odds/<id>/` for progress. Battle n
        is always the same, and the same question, asked here or on the page, finds earlier results.
        409 `single-battle`: the war is a single battle, without meetings.
        """
        viewer = self.viewer(campaign, play=True)
        faction = played_faction(viewer)
        scenario = scenario_of(viewer.campaign)
        body = body_of(request, MeetingBody)
        sight_now = current_sight(viewer.campaign, faction)
        if is_skirmish(scenario):
            raise Refusal(409, "single-battle", "there are odds of meetings in campaigns alone")
        if faults := _faults(scenario, sight_now.view, body):
            raise RuleViolations(faults)
        fleets = tuple(sorted(set(body.fleets)))
        belief = belief_of(viewer.campaign, faction, sight_now)
        question = Question(
            hex=body.hex,
            toward=body.toward,
            fleets=fleets,
            decoys=body.decoys,
            to_the_end=body.to_the_end,
            case=body.case,
            week=arrival_week(belief, fleets, body.hex) if body.case else 0,
        )
        if not own_ships(belief, question):
            if fleets:
                words = "none of these fleets has a ship that can fight"
            else:
                words = "you have no fleet there: name some"
            raise RuleViolations([Violation("fleets", "no-ships", words)])
        question_document = meeting_question(
            viewer.campaign,
            faction,
            sight=sight_now,
            question=question,
            rules=rules_now(viewer.campaign).version_in(sight_now.view.week),
        )
        simulation = simulation_request(
            user=user_of(request),
            kind=SimulationKind.MEETING,
            question=question_document,
            battle_count=body.battles,
        )
        return json_response(_odds_answer(simulation))


class MeetingOddsAskedResource(Resource):
    """The odds of a meeting that the caller has requested."""

    @documented(
        "odds_asked",
        "The progress of simulated battles of a meeting",
        {200: MeetingOdds},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, meeting: str) -> HttpResponse:
        """Return the results so far; workers continue for another half minute.

        404 after a day without a call.
        """
        row = self.find_simulation(campaign, meeting)
        simulation_watch(row)
        return json_response(_odds_answer(row))

    @documented(
        "odds_stop",
        "Stop simulated battles of a meeting",
        {204: None},
        problems=(404, 403),
        tag=TAG,
    )
    def delete(self, request: Request, campaign: str, meeting: str) -> HttpResponse:
        """Stop fighting. The results so far stay for a later request."""
        simulation_stop(self.find_simulation(campaign, meeting))
        return HttpResponse(status=204)

    def find_simulation(self, campaign: str, meeting: str) -> Simulation:
        """Return the row, if the caller requested it for the faction they still play.

        Raises:
            NotFound: They did not, or do not play it any more.
        """
        viewer = self.viewer(campaign, play=True)
        row = simulation_by_id(user_of(self.request), SimulationKind.MEETING, meeting)
        here = (str(viewer.campaign.public_id), played_faction(viewer).key)
        if (row.question["campaign"], row.question["faction"]) != here:
            raise NotFound("there are no such battles")
        return row


def _faults(scenario: Scenario, view: View, body: MeetingBody) -> list[Violation]:
    """Return all faults of a question, judged only by the public map and the view."""
    faults = []
    if body.hex not in systems_by_hex(scenario):
        faults.append(Violation("hex", "no-such-system", "name the hex of a system, such as 0304"))
    hostile_ids = []
    for power in scenario.factions:
        if are_hostile(scenario, power.id, view.faction):
            hostile_ids.append(power.id)
    if body.toward not in hostile_ids:
        faults.append(
            Violation("toward", "unknown-faction", "name a faction that you are at war with")
        )
    own_keys = {fleet.key for fleet in view.fleets}
    for place, key in enumerate(body.fleets):
        if key not in own_keys:
            faults.append(unknown_fleet(fault_path("fleets", place), key))
    if not 1 <= body.battles <= MAX_BATTLES:
        words = f"1 to {MAX_BATTLES} battles can be simulated"
        faults.append(Violation("battles", "out-of-range", words))
    return faults


def _odds_answer(row: Simulation) -> MeetingOdds:
    """Return the results so far; before the first battle, an estimate from strengths."""
    odds = odds_of(results_of(row.samples))
    has_results = odds.runs > 0
    question = row.question["asked"]
    estimate = None
    if row.open and not has_results:
        estimate = estimate_for(row.question, row.key)
    return MeetingOdds(
        id=str(row.public_id),
        seq=row.question["seq"],
        hex=question["hex"],
        toward=question["toward"],
        battles_done=row.battles_done,
        battles_wanted=row.battles_wanted,
        working=row.open,
        ended=row.ending,
        empty=odds.empty,
        wins=odds.wins,
        draws=odds.draws,
        losses=odds.losses,
        coverage=interval_coverage(odds.runs),
        mine=_own_losses(odds) if has_results else None,
        theirs=_their_losses(odds) if has_results else None,
        by_strength=None if estimate is None else _by_strength(estimate),
    )


def _by_strength(estimate: Estimate) -> ByStrength:
    return ByStrength(
        forces=estimate.forces,
        stronger=estimate.stronger,
        median=estimate.median,
        interval=estimate.extremes,
        empty=estimate.empty,
    )


def _own_losses(odds: Odds) -> Losses:
    return Losses(odds.mine, odds.mine_median, odds.mine_interval)


def _their_losses(odds: Odds) -> Losses:
    return Losses(odds.theirs, odds.theirs_median, odds.theirs_interval)
