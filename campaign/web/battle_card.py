"""The result card of a battle: what its side was told of the end, in words and drawings.

Everything comes from the side's own report and views, as its replay does, so the card of a battle
that still hides something shows no more than the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.drawings.moment import UNKNOWN, Ships
from campaign.replays.battle_facts import BattleFacts, ShipScore, ShipWorth, TurnLosses, facts_of
from campaign.replays.replay import Replay
from campaign.rules.queries import ship_classes, short_class_name, system_at
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import KnownSystem, View
from campaign.services.shown_odds import ShownOdds
from campaign.sight.reports import BattleSummary
from campaign.web.battle_ends import end_words, ship_ends
from campaign.web.battle_moments import (
    LOST,
    BattleTally,
    SideTally,
    battle_place,
    battle_time,
    own_kinds,
    tally_of,
)
from campaign.web.seat_marks import power_names, seats
from campaign.words.battle.log import SideNames, phases_of
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_kind, counted_noun

CHART_WIDTH = 404  # units
CHART_BASE = 59  # the line between the losses of both sides
CHART_ROOM = 52  # the longest bar
GAP = 1  # between a bar and the line
BAR_SHARE = 0.68  # of the room for a turn
MOST_SILHOUETTES = 48  # of a side; more losses are only counted


@dataclass(frozen=True, slots=True)
class TurnBar:
    """What both sides lost in a turn, as bars of the chart."""

    turn: int
    x: float
    width: float
    theirs: float
    own: float
    is_turning: bool

    @property
    def top(self) -> float:
        """Return where the upper bar begins."""
        return CHART_BASE - GAP - self.theirs

    @property
    def bottom(self) -> float:
        """Return where the lower bar begins."""
        return CHART_BASE + GAP

    @property
    def middle(self) -> float:
        """Return the middle of the bars."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The turn in which the losses of the sides differed most, in points."""

    turn: int
    title: str
    alt: str


@dataclass(frozen=True, slots=True)
class BestShipCard:
    """The reader's ship that scored most."""

    name: str
    kind: str
    figures: str


@dataclass(frozen=True, slots=True)
class SideLosses:
    """What a side lost.

    Attributes:
        kinds: The classification of each lost ship, the largest number first.
        alt: The silhouettes in words.
    """

    seat: int
    title: str
    points: str
    kinds: tuple[str, ...]
    alt: str


@dataclass(frozen=True, slots=True)
class BattleCard:
    """The result of a battle as its page shows it.

    Attributes:
        odds: What the reader was shown before the battle; empty if nothing.
        map_lines: What changed on the map; empty for a single battle.
    """

    place: str
    when: str
    headline: str
    reason: str
    odds: str
    turning_point: TurningPoint | None
    bars: tuple[TurnBar, ...]
    best_ship: BestShipCard | None
    own_seat: int
    their_seat: int
    losses: tuple[SideLosses, SideLosses]
    map_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardSources:
    """What a side was told about a battle.

    Attributes:
        scenario: As the faction knows it.
        body: Its report.
        before: Its view before the battle.
        after: Its view after it.
        shown_odds: The odds of the week's meetings that it was shown.
    """

    scenario: Scenario
    summary: BattleSummary
    body: Mapping[str, Any]
    before: View
    after: View
    replay: Replay
    shown_odds: Sequence[ShownOdds] = ()


def battle_card(sources: CardSources) -> BattleCard:
    """Return the result card of a battle."""
    scenario, body, summary = sources.scenario, sources.body, sources.summary
    kinds = own_kinds(scenario, sources.before)
    tally = tally_of(body, kinds)
    facts = battle_facts(scenario, body, sources.before)
    powers = power_names(scenario)
    numbers = seats(scenario)
    own_seat = numbers.get(tally.own.side.split("+")[0], 0)
    their_seat = 0
    if tally.others:
        their_seat = numbers.get(tally.others[0].side.split("+")[0], 0)
    return BattleCard(
        place=battle_place(scenario, summary.hex),
        when=battle_time(scenario, summary),
        headline=_headline(summary),
        reason=end_words(phases_of(body)[-1]["log"], SideNames({}, powers=powers)),
        odds=_odds(summary, sources.shown_odds),
        turning_point=_turning_point(facts),
        bars=tuple(_bars(facts)),
        best_ship=_best_ship(facts, sources.replay, kinds),
        own_seat=own_seat,
        their_seat=their_seat,
        losses=(
            _own_losses(tally.own, facts, own_seat),
            _their_losses(tally.others, facts, their_seat),
        ),
        map_lines=() if is_skirmish(scenario) else tuple(_map_lines(sources, tally)),
    )


def battle_facts(scenario: Scenario, body: Mapping[str, Any], before: View) -> BattleFacts:
    """Return what decided a battle, as its side was told.

    Args:
        scenario: As the faction knows it.
        body: The side's report.
        before: The faction's view before the battle.
    """
    phases = phases_of(body)
    ends = [ship_ends([phase]) for phase in phases]
    return facts_of(phases, _worths(scenario, before, phases), ends, LOST)


def ship_scores(body: Mapping[str, Any]) -> tuple[ShipScore, ...]:
    """Return what the reader's ships scored in a battle, from the side's report."""
    phases = phases_of(body)
    worths = {}
    for phase in phases:
        for contact in phase["contacts"]:
            worths[str(contact["id"])] = ShipWorth(points=0, boxes=0, is_own=False)
        for key in phase["own"]:
            worths[key] = ShipWorth(points=0, boxes=0, is_own=True)
    return facts_of(phases, worths, [ship_ends([phase]) for phase in phases], LOST).scores


def _worths(
    scenario: Scenario, before: View, phases: Sequence[Mapping[str, Any]]
) -> dict[str, ShipWorth]:
    """Return what each ship of a battle is worth, decoys of the reader's side left out."""
    classes = ship_classes(scenario)
    own_classes = {ship.key: ship.cls for ship in before.ships}
    worths: dict[str, ShipWorth] = {}
    contacts: dict[str, Mapping[str, Any]] = {}
    for phase in phases:
        for key, ship in phase["own"].items():
            if not ship.get("dummy"):
                worths[key] = _worth(classes.get(own_classes.get(key, "")), is_own=True)
        for contact in phase["contacts"]:  # a later phase may know more of it
            contacts[str(contact["id"])] = contact
    return _contact_worths(classes, contacts) | worths


def _contact_worths(
    classes: Mapping[str, ShipClass], contacts: Mapping[str, Mapping[str, Any]]
) -> dict[str, ShipWorth]:
    """Return what each contact is worth; a bogey counts as the average of its classification."""
    by_name = {short_class_name(name): cls for name, cls in classes.items()} | dict(classes)
    worths = {}
    for key, contact in contacts.items():
        cls = by_name.get(str(contact.get("class", "")))
        if cls is None:
            points = _average(classes.values(), str(contact["classification"]))
            worths[key] = ShipWorth(points, boxes=0, is_own=False)
        else:
            worths[key] = _worth(cls, is_own=False)
    return worths


def _worth(cls: ShipClass | None, *, is_own: bool) -> ShipWorth:
    """Return what a ship of a class is worth; nothing if the class is unknown."""
    if cls is None:
        return ShipWorth(points=0, boxes=0, is_own=is_own)
    return ShipWorth(points=cls.points, boxes=cls.damage_points, is_own=is_own)


def _average(classes: Iterable[ShipClass], classification: str) -> float:
    """Return the average points of the classes of a classification; 0 without any."""
    points = [cls.points for cls in classes if cls.classification == classification]
    return sum(points) / len(points) if points else 0


def _headline(summary: BattleSummary) -> str:
    """Return who won."""
    if not summary.winner:
        return phrase("Drawn")
    return phrase("You won") if summary.winner == summary.side else phrase("You lost")


def _odds(summary: BattleSummary, shown: Sequence[ShownOdds]) -> str:
    """Return the odds that the side was shown before the battle; empty if none."""
    chance = shown_chance(shown, summary.hex)
    return "" if chance is None else phrase("The odds were {} in 100", chance)


def shown_chance(shown: Sequence[ShownOdds], hex_: str) -> int | None:
    """Return the chance in per cent that a side was shown before a battle; None if none was."""
    for item in shown:
        if item["hex"] == hex_ and item["runs"]:
            return round(100 * item["won"] / item["runs"])
    return None


def _turning_point(facts: BattleFacts) -> TurningPoint | None:
    """Return the turning point in words; None if nobody lost anything."""
    turning = facts.turning_point
    if turning is None:
        return None
    alt = phrase(
        "Points lost by turn. The losses differ most in turn {}: they lost {} points, you {}.",
        turning.turn,
        round(turning.theirs),
        round(turning.own),
    )
    return TurningPoint(turning.turn, _turning_title(turning), alt)


def _turning_title(turning: TurnLosses) -> str:
    """Return the turning point in a sentence: by ships, unless their numbers tell the opposite."""
    turn = turning.turn
    own, theirs = turning.own_ships, turning.their_ships
    if theirs != own and (theirs > own) == (turning.theirs > turning.own):
        if not own:
            return phrase("Turn {}: {} of theirs, none of yours", turn, theirs)
        if not theirs:
            return phrase("Turn {}: {} of yours, none of theirs", turn, own)
        return phrase("Turn {}: {} of theirs for {} of yours", turn, theirs, own)
    return phrase(
        "Turn {}: they lost {} points, you {}", turn, round(turning.theirs), round(turning.own)
    )


def _bars(facts: BattleFacts) -> Iterator[TurnBar]:
    """Yield the bars of the chart of losses."""
    if not facts.turns:
        return
    largest = max(max(item.own, item.theirs) for item in facts.turns) or 1
    step = CHART_WIDTH / len(facts.turns)
    width = min(step * BAR_SHARE, CHART_BASE)
    for number, item in enumerate(facts.turns):
        yield TurnBar(
            turn=item.turn,
            x=round(number * step + (step - width) / 2, 1),
            width=round(width, 1),
            theirs=round(CHART_ROOM * item.theirs / largest, 1),
            own=round(CHART_ROOM * item.own / largest, 1),
            is_turning=facts.turning_point is not None and item.turn == facts.turning_point.turn,
        )


def _best_ship(facts: BattleFacts, replay: Replay, kinds: Mapping[str, str]) -> BestShipCard | None:
    """Return the reader's best ship in words."""
    best = facts.best_ship
    if best is None:
        return None
    unit = replay.units.get(best.key)
    return BestShipCard(
        name=unit.name if unit else best.key,
        kind=kinds.get(best.key, unit.size if unit else UNKNOWN),
        figures=score_words(best),
    )


def score_words(score: ShipScore) -> str:
    """Return what a ship scored in words."""
    hits = counted_noun(score.hits, "hit")
    return phrase("{}, {} destroyed", hits, score.destroyed) if score.destroyed else hits


def _own_losses(tally: SideTally, facts: BattleFacts, seat: int) -> SideLosses:
    """Return what the reader's side lost."""
    if not tally.lost:
        return _losses(seat, phrase("You lost no ship"), (), _damage_words(facts.own_points))
    return _losses(
        seat,
        phrase("You lost {}", tally.lost),
        tally.ships,
        counted_noun(facts.own_points, "point"),
    )


def _their_losses(tallies: Sequence[SideTally], facts: BattleFacts, seat: int) -> SideLosses:
    """Return what the other sides lost, as far as the reader saw."""
    lost = sum(tally.lost for tally in tallies)
    about = phrase("about {}", counted_noun(facts.their_points, "point"))
    if not lost:
        words = _damage_words(facts.their_points)
        return _losses(seat, phrase("They lost no ship that you saw"), (), words)
    ships = [item for tally in tallies for item in tally.ships]
    return _losses(seat, phrase("They lost {}", lost), ships, about)


def _damage_words(points: int) -> str:
    """Return damage without lost ships in words."""
    return phrase("damage worth {}", counted_noun(points, "point")) if points else ""


def _losses(seat: int, title: str, ships: Sequence[Ships], points: str) -> SideLosses:
    """Return the losses of a side."""
    kinds: list[str] = []
    words = []
    for item in ships:
        if item.lost:
            kinds += [item.kind] * item.lost
            words.append(counted_kind(item.lost, item.kind))
    return SideLosses(
        seat=seat,
        title=title,
        points=points,
        kinds=tuple(kinds[:MOST_SILHOUETTES]),
        alt=join_phrases(", ", words),
    )


def _map_lines(sources: CardSources, tally: BattleTally) -> Iterator[str]:
    """Yield what a battle changed on the map, as far as the side knows."""
    scenario = sources.scenario
    system = system_at(scenario, sources.summary.hex)
    if system is not None and system.settled:
        before = _known(sources.before, system.id)
        after = _known(sources.after, system.id)
        if after is not None:
            yield _holder_words(scenario, sources, system.name, before, after)
    away = sum(other.away for other in tally.others)
    stayed = sum(other.stayed for other in tally.others)
    if away:
        yield phrase("{} of theirs left the table.", away)
    if stayed:
        yield phrase("Of the ships you saw, {} stayed.", stayed)


def _known(view: View, system: str) -> KnownSystem | None:
    """Return a system as a faction knows it."""
    for item in view.systems:
        if item.system == system:
            return item
    return None


def _holder_words(
    scenario: Scenario,
    sources: CardSources,
    name: str,
    before: KnownSystem | None,
    after: KnownSystem,
) -> str:
    """Return who holds a system after the battle, and whether that changed."""
    if after.state == "contested":
        return phrase("{} is contested.", name)
    if not after.holder:
        return phrase("Nobody holds {}.", name)
    is_changed = before is not None and before.holder != after.holder
    if after.holder in sources.summary.side.split("+"):
        return phrase("{} is now yours.", name) if is_changed else phrase("{} is yours.", name)
    holder = power_names(scenario).get(after.holder, after.holder)
    if is_changed:
        return phrase("{} is now held by the {}.", name, holder)
    return phrase("{} is still held by the {}.", name, holder)
