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
from campaign.rules.queries import with_all_designs
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.world import Fleet, Holding, Ship, World
from campaign.words.week.registry import WEEK_WORDS
from engine.core.phrase import join_phrases, phrase
from engine.english import Count, counted_kind, counted_noun, short_name
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
    gazetteer = ReportNames(scenario)
    lines: list[str] = []
    if step.kind == StageKind.DEPLOY:
        lines += _deployment(gazetteer, step.after)
    if step.kind == StageKind.ORDERS:
        lines += _moves(gazetteer, step)
        lines += _meetings(gazetteer, step.after)
    if step.kind == StageKind.BATTLES:
        lines += _results(gazetteer, step)
    single = is_skirmish(scenario)
    lines += _event_lines(
        gazetteer, [event for event in step.week_events if not (single and event.of_a_war)]
    )
    if step.kind == StageKind.DECISIONS:
        lines += _engagements(gazetteer, step.after)
    if not single and (step.after.week != step.week or step.after.stage == StageKind.OVER):
        lines += _holdings(gazetteer, step)
    return tuple(lines)


def result_of(scenario: Scenario, world: World) -> tuple[str, ...]:
    """Return the war's result, and what each faction has left and has lost, in ships and points."""
    points = {}
    for ship_class in with_all_designs(scenario, world).catalogue:
        points[ship_class.name] = ship_class.points
    lines = [phrase("Result: {}.", phrase(world.result) if world.result else phrase("undecided"))]
    for faction in scenario.factions:
        remaining = [ship for ship in world.ships if ship.faction == faction.id]
        lost = [loss.ship for loss in world.losses if loss.ship.faction == faction.id]
        lines.append(
            "  "
            + phrase(
                "{}: {} left, {} lost",
                faction.name,
                _worth(remaining, points),
                _worth(lost, points),
            )
        )
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

    def fact_text(self, value: Fact) -> Fact:
        """Return an event's fact as the report writes it; a faction's id becomes its short name."""
        if isinstance(value, str):
            if value in self._factions:
                return short_name(value)
            return value
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
    ships = Counter(ship.fleet for ship in world.ships)
    for fleet in world.fleets:
        yield phrase(
            "{} deploys at {}, {}",
            _fleet(names, fleet),
            names.place(fleet.hex),
            counted_noun(ships[fleet.key], "ship"),
        )


def _moves(names: ReportNames, step: JournalStep) -> Iterable[str]:
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
    for pair in world.pairs:
        yield phrase(
            "{}: {} and {} meet", names.place(pair.hex), names.power(pair.a), names.power(pair.b)
        )
    for scan in world.scans:
        counts = [counted_kind(count, label) for label, count in scan.counts]
        if counts:
            contacts = join_phrases(", ", counts)
        else:
            contacts = phrase("nothing")
        yield phrase(
            "{}: {} scans {}: {}",
            names.place(scan.hex),
            names.power(scan.viewer),
            names.power(scan.target),
            contacts,
        )


def _engagements(names: ReportNames, world: World) -> Iterable[str]:
    for engagement in world.engagements:
        sides = join_phrases(" against ", [names.powers(side) for side in engagement.sides])
        place = names.place(engagement.hex)
        if engagement.caught:
            caught = join_phrases(", ", [names.power(faction) for faction in engagement.caught])
            yield phrase("{}: battle, {}; caught: {}", place, sides, caught)
        else:
            yield phrase("{}: battle, {}", place, sides)


def _results(names: ReportNames, step: JournalStep) -> Iterable[str]:
    hexes = {engagement.key: engagement.hex for engagement in step.before.engagements}
    owner = {ship.key: ship.faction for ship in step.before.ships}
    for result in step.results:
        lost = Counter(
            owner[item.ship]
            for item in result.ships
            if item.status in LOSS_STATUSES and item.ship in owner
        )
        factions = sorted({owner[item.ship] for item in result.ships if item.ship in owner})
        losses = join_phrases(
            ", ", [_losses(names.power(faction), lost[faction]) for faction in factions]
        )
        if result.winner:
            victors = names.powers(result.winner.split(FACTION_SEPARATOR))
        else:
            victors = ""
        place = names.place(hexes[result.engagement])
        if victors:
            outcome_text = phrase("won by {}", victors)
        else:
            outcome_text = phrase("without a winner")
        yield phrase(
            "{}: battle over after {}, {}; {}",
            place,
            counted_noun(result.turns, "turn"),
            outcome_text,
            losses,
        )


def _losses(power: str, ships: int) -> str:
    if ships:
        return phrase("{} loses {}", power, counted_noun(ships, "ship"))
    return phrase("{} loses no ship", power)


def _event_lines(names: ReportNames, events: Sequence[WeekEvent]) -> Iterable[str]:
    for event in events:
        line = WEEK_WORDS[type(event)].journal
        if line is None:
            continue
        facts = {key: names.fact_text(value) for key, value in event.facts}
        facts |= line.values(event)
        facts["place"] = names.place(event.hex)
        facts["whom"] = join_phrases(", ", [names.power(faction) for faction in event.audience])
        yield line.message.format_map(facts)


def _holdings(names: ReportNames, step: JournalStep) -> Iterable[str]:
    old = {holding.system: holding for holding in step.before.holdings}
    for holding in step.after.holdings:
        if (old[holding.system].holder, old[holding.system].state) != (
            holding.holder,
            holding.state,
        ):
            yield phrase("{} is {}", names.systems[holding.system], _state(names, holding))
    by_holder: dict[str, list[str]] = {}
    for holding in step.after.holdings:
        by_holder.setdefault(names.power(holding.holder), []).append(names.systems[holding.system])
    for holder in sorted(by_holder):
        yield phrase("Held by {}: {}", holder, ", ".join(by_holder[holder]))


def _state(names: ReportNames, holding: Holding) -> str:
    if holding.state == "contested":
        return phrase("contested")
    text = phrase("held by {}", names.power(holding.holder))
    if holding.state == "stand-off":
        return phrase("{}, in a stand-off", text)
    return text


def _fleet(names: ReportNames, fleet: Fleet) -> str:
    return f"{names.power(fleet.faction)} {fleet.name}"
