"""The umpire's report as text, which shows everything and is for the umpire only.

Pure: worlds and events in, lines out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.events.battles import LossCause
from campaign.events.event import Fact, WeekEvent
from campaign.kinds import StageKind
from campaign.rules.queries import result_words, with_all_designs
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.world import Fleet, Holding, Ship, World
from campaign.words.week.registry import WEEK_WORDS
from engine.core.phrase import join_phrases, phrase
from engine.english import Count, counted_kind, counted_noun
from umpire.adjudication.outcome import CARRIED_OFF, BattleResult

LOSS_STATUSES = (*LossCause, CARRIED_OFF)  # how a ship ends that its owner has lost
FACTION_SEPARATOR = "+"  # between the factions in the name of a battle's side


@dataclass(frozen=True, slots=True)
class JournalStep:
    """A resolved stage: the world before and after it, and the events between them."""

    kind: str
    week: int
    before: World
    after: World
    week_events: tuple[WeekEvent, ...]
    results: tuple[BattleResult, ...] = ()


def report_of(scenario: Scenario, step: JournalStep) -> tuple[str, ...]:
    """Return the report's lines for one stage."""
    names = ReportNames(scenario)
    lines: list[str] = []
    if step.kind == StageKind.DEPLOY:
        lines += _deployment(names, step.after)
    if step.kind == StageKind.ORDERS:
        lines += _moves(names, step)
        lines += _meetings(names, step.after)
    if step.kind == StageKind.BATTLES:
        lines += _results(names, step)
    is_single = is_skirmish(scenario)
    events = step.week_events
    if is_single:
        events = tuple(event for event in events if not event.of_a_war)
    lines += _event_lines(names, events)
    if step.kind == StageKind.DECISIONS:
        lines += _engagements(names, step.after)
    ends_week = step.after.week != step.week or step.after.stage == StageKind.OVER
    if ends_week and not is_single:
        lines += _holdings(names, step)
    return tuple(lines)


def result_of(scenario: Scenario, world: World) -> tuple[str, ...]:
    """Return the war's result, and what each faction has left and has lost, in ships and points."""
    points = {}
    for ship_class in with_all_designs(scenario, world).catalogue:
        points[ship_class.name] = ship_class.points
    result = result_words(scenario, world.result) if world.result else phrase("undecided")
    lines = [phrase("Result: {}.", result)]
    for faction in scenario.factions:
        remaining = [ship for ship in world.ships if ship.faction == faction.id]
        lost_ships = [loss.ship for loss in world.losses if loss.ship.faction == faction.id]
        words = phrase(
            "{}: {} left, {} lost",
            faction.name,
            _worth(remaining, points),
            _worth(lost_ships, points),
        )
        lines.append("  " + words)
    return tuple(lines)


def _worth(ships: Sequence[Ship], points: Mapping[str, int]) -> str:
    """Return a number of ships and their cost as text."""
    worth = sum(points[ship.cls] for ship in ships)
    return phrase("{} ({})", counted_noun(len(ships), "ship"), counted_noun(worth, "point"))


class ReportNames:
    """Names of hexes and factions in the report."""

    def __init__(self, scenario: Scenario) -> None:
        self.systems = {system.id: system.name for system in scenario.systems}
        self._hexes = {system.hex: system.name for system in scenario.systems}
        self._factions = {faction.id: faction.name for faction in scenario.factions}

    def place(self, hex_: str) -> str:
        """Return the name of the system in a hex, or of the hex."""
        return self._hexes.get(hex_, phrase("hex {}", hex_) if hex_ else phrase("nowhere"))

    def at(self, hex_: str) -> str:
        """Return "At" and the name of the place, as the beginning of a line."""
        return phrase("At {}", self.place(hex_))

    def fact_text(self, value: Fact) -> Fact:
        """Return an event's fact as the report writes it; a faction's id becomes its name."""
        if isinstance(value, str):
            return self._factions.get(value, value)
        if isinstance(value, int):
            return Count(value)
        return value

    def power(self, faction: str | None) -> str:
        """Return a faction's name as the report writes it."""
        if not faction:
            return phrase("nobody")
        return str(self.fact_text(faction))

    def powers(self, factions: Iterable[str]) -> str:
        """Return the names of the factions of one side, joined."""
        return join_phrases(" and ", [self.power(faction) for faction in factions])


def _deployment(names: ReportNames, world: World) -> Iterable[str]:
    """Yield where each fleet was deployed."""
    ships = Counter(ship.fleet for ship in world.ships)
    for fleet in world.fleets:
        yield phrase(
            "{} deploys at {}, {}",
            _fleet(names, fleet),
            names.place(fleet.hex),
            counted_noun(ships[fleet.key], "ship"),
        )


def _moves(names: ReportNames, step: JournalStep) -> Iterable[str]:
    """Yield the moves of fleets."""
    before = {fleet.key: fleet for fleet in step.before.fleets}
    for fleet in step.after.fleets:
        old = before.get(fleet.key)
        if old is not None and old.hex != fleet.hex:
            yield phrase(
                "{} moves from {} to {}",
                _fleet(names, fleet),
                names.place(old.hex),
                names.place(fleet.hex),
            )


def _meetings(names: ReportNames, world: World) -> Iterable[str]:
    """Yield who met where, and the scans."""
    for pair in world.pairs:
        yield phrase(
            "{}: {} and {} meet", names.at(pair.hex), names.power(pair.a), names.power(pair.b)
        )
    for scan in world.scans:
        counts = [counted_kind(count, label) for label, count in scan.counts]
        if counts:
            contacts = join_phrases(", ", counts)
        else:
            contacts = phrase("nothing")
        yield phrase(
            "{}: {} scans {}: {}",
            names.at(scan.hex),
            names.power(scan.viewer),
            names.power(scan.target),
            contacts,
        )


def _engagements(names: ReportNames, world: World) -> Iterable[str]:
    """Yield the battles that will be fought."""
    for engagement in world.engagements:
        sides = join_phrases(" against ", [names.powers(side) for side in engagement.sides])
        place = names.at(engagement.hex)
        if engagement.caught:
            caught = join_phrases(", ", [names.power(faction) for faction in engagement.caught])
            yield phrase("{}: battle, {}; caught: {}", place, sides, caught)
        else:
            yield phrase("{}: battle, {}", place, sides)


def _results(names: ReportNames, step: JournalStep) -> Iterable[str]:
    """Yield how each battle ended."""
    hexes = {engagement.key: engagement.hex for engagement in step.before.engagements}
    owner = {ship.key: ship.faction for ship in step.before.ships}
    for result in step.results:
        loss_counts: Counter[str] = Counter()
        for item in result.ships:
            if item.ship in owner:
                loss_counts[owner[item.ship]] += item.status in LOSS_STATUSES
        losses = []
        for faction, count in sorted(loss_counts.items()):
            losses.append(_losses(names.power(faction), count))
        if result.winner:
            victors = names.powers(result.winner.split(FACTION_SEPARATOR))
            outcome_text = phrase("won by {}", victors)
        else:
            outcome_text = phrase("without a winner")
        yield phrase(
            "{}: battle over after {}, {}; {}",
            names.at(hexes[result.engagement]),
            counted_noun(result.turns, "turn"),
            outcome_text,
            join_phrases(", ", losses),
        )


def _losses(power: str, ships: int) -> str:
    """Return how many ships a faction lost in a battle."""
    if ships:
        return phrase("{} loses {}", power, counted_noun(ships, "ship"))
    return phrase("{} loses no ship", power)


def _event_lines(names: ReportNames, events: Sequence[WeekEvent]) -> Iterable[str]:
    """Yield the events that the report mentions, one line each."""
    for event in events:
        line = WEEK_WORDS[type(event)].journal
        if line is None:
            continue
        facts = {key: names.fact_text(value) for key, value in event.facts}
        facts |= line.values(event)
        facts["place"] = names.at(event.hex)
        facts["whom"] = join_phrases(", ", [names.power(faction) for faction in event.audience])
        yield line.message.format_map(facts)


def _holdings(names: ReportNames, step: JournalStep) -> Iterable[str]:
    """Yield the systems whose holder or state changed, then all systems by holder."""
    before = {holding.system: holding for holding in step.before.holdings}
    for holding in step.after.holdings:
        old = before[holding.system]
        if (old.holder, old.state) != (holding.holder, holding.state):
            yield phrase("{} is {}", names.systems[holding.system], _state(names, holding))
    by_holder: dict[str, list[str]] = {}
    for holding in step.after.holdings:
        holder = names.power(holding.holder) if holding.holder else ""
        by_holder.setdefault(holder, []).append(names.systems[holding.system])
    free_systems = by_holder.pop("", [])
    for holder in sorted(by_holder):
        yield phrase("Held by {}: {}", holder, ", ".join(by_holder[holder]))
    if free_systems:
        yield phrase("Held by nobody: {}", ", ".join(free_systems))


def _state(names: ReportNames, holding: Holding) -> str:
    """Return who holds a system, and whether that is disputed."""
    if holding.state == "contested":
        return phrase("contested")
    if holding.holder:
        text = phrase("held by {}", names.power(holding.holder))
    else:
        text = phrase("held by nobody")
    if holding.state == "stand-off":
        return phrase("{}, in a stand-off", text)
    return text


def _fleet(names: ReportNames, fleet: Fleet) -> str:
    """Return a fleet's name and faction."""
    return phrase("{fleet} of {power}", fleet=fleet.name, power=names.power(fleet.faction))
