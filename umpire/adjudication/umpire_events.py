"""Events that an umpire writes, and their delivery when a stage opens: pure.

A report, a rumour, a reported contact, reinforcements, a bulletin or a paragraph of the newspaper
is written while one stage is open and delivered when a later one opens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from campaign.events.event import WeekEvent
from campaign.events.umpire import Bulletin, ContactReported, Intelligence, PressItem
from campaign.events.war import ReinforcementArrived
from campaign.kinds import StageKind, UmpireEventKind
from campaign.rules.forces import reinforce
from campaign.rules.objective_checks import CLASSIFICATIONS
from campaign.rules.plain_text import text_faults
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Reinforcement, Scenario
from campaign.rules.starmap import star_map
from campaign.rules.world import World
from engine.core.errors import Violation
from engine.core.phrase import phrase
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.outcome import StageOutcome

LONGEST_TEXT = 2000  # characters
LONGEST_HEADLINE = 120  # characters
MOST_CONTACTS = 99  # of one classification
MOST_SHIPS = 30  # of one class in one reinforcement


@dataclass(frozen=True, slots=True)
class UmpireEvent:
    """An event as the umpire wrote it. It is delivered when `stage` of `week` opens.

    Attributes:
        factions: The factions to which it is delivered.
        unconfirmed: A report or rumour is marked as unconfirmed for its readers.
        power: The faction of a reported contact.
        counts: Its contacts by classification.
        name: The name of the fleet that arrives.
        ships: The ships that arrive: (class, number).
    """

    kind: str
    factions: tuple[str, ...]
    week: int
    stage: str
    text: str = ""
    headline: str = ""
    hex: str = ""
    unconfirmed: bool = False
    power: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    name: str = ""
    ships: tuple[tuple[str, int], ...] = ()

    def to_facts(self) -> dict[str, Any]:
        """Return the event as its act stores it."""
        return {
            "kind": str(self.kind),
            "factions": list(self.factions),
            "week": self.week,
            "stage": str(self.stage),
            "text": self.text,
            "headline": self.headline,
            "hex": self.hex,
            "unconfirmed": self.unconfirmed,
            "power": self.power,
            "counts": [list(pair) for pair in self.counts],
            "name": self.name,
            "ships": [list(pair) for pair in self.ships],
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> UmpireEvent:
        """Return the event that an act stores."""
        return cls(
            kind=facts["kind"],
            factions=tuple(facts["factions"]),
            week=facts["week"],
            stage=facts["stage"],
            text=facts["text"],
            headline=facts["headline"],
            hex=facts["hex"],
            unconfirmed=facts["unconfirmed"],
            power=facts["power"],
            counts=tuple((kind, number) for kind, number in facts["counts"]),
            name=facts["name"],
            ships=tuple((cls_name, number) for cls_name, number in facts["ships"]),
        )


def event_violations(scenario: Scenario, event: UmpireEvent) -> list[Violation]:
    """Return all faults of an event, whatever the time of its delivery."""
    if event.kind not in tuple(UmpireEventKind):
        return [Violation("kind", "unknown-kind", phrase("there is no such kind of event"))]
    faults = _addressee_faults(scenario, event)
    if event.kind == UmpireEventKind.CONTACT:
        return faults + _place_faults(scenario, event) + _contact_faults(scenario, event)
    if event.kind == UmpireEventKind.REINFORCEMENTS:
        return faults + _place_faults(scenario, event) + _ship_faults(scenario, event)
    if event.hex:
        faults += _place_faults(scenario, event)
    if not event.text:
        faults.append(Violation("text", "missing", phrase("write a text")))
    faults += text_faults(event.text, LONGEST_TEXT, phrase("the text of an event"))
    if event.kind == UmpireEventKind.PRESS:
        faults += _headline_faults(event)
    return faults


def _addressee_faults(scenario: Scenario, event: UmpireEvent) -> list[Violation]:
    """Return the faults of the factions to which an event is delivered."""
    keys = {faction.id for faction in scenario.factions}
    faults = []
    for key in event.factions:
        if key not in keys:
            words = phrase("no faction '{}'", key)
            faults.append(Violation("factions", "unknown-faction", words))
    if not event.factions:
        faults.append(Violation("factions", "missing", phrase("choose a faction")))
    if event.kind == UmpireEventKind.REINFORCEMENTS and len(event.factions) > 1:
        words = phrase("reinforcements arrive for one faction")
        faults.append(Violation("factions", "one-faction", words))
    if event.kind == UmpireEventKind.BULLETIN and set(event.factions) != keys:
        words = phrase("a bulletin is for all factions")
        faults.append(Violation("factions", "all-factions", words))
    return faults


def _place_faults(scenario: Scenario, event: UmpireEvent) -> list[Violation]:
    """Return the faults of the hex of an event."""
    if star_map(scenario).has(event.hex):
        return []
    return [Violation("hex", "unknown-hex", phrase("must be a hex of the map"))]


def _contact_faults(scenario: Scenario, event: UmpireEvent) -> list[Violation]:
    """Return the faults of a reported contact."""
    faults = []
    if event.power not in {faction.id for faction in scenario.factions}:
        words = phrase("choose the faction whose ships are reported")
        faults.append(Violation("power", "unknown-faction", words))
    elif event.power in event.factions:
        words = phrase("a faction knows its own ships")
        faults.append(Violation("power", "own-ships", words))
    kinds = [kind for kind, _ in event.counts]
    if len(set(kinds)) != len(kinds) or not set(kinds) <= set(CLASSIFICATIONS):
        words = phrase("must name classifications of ships, each once")
        faults.append(Violation("counts", "unknown-classification", words))
    if not event.counts or any(not 1 <= number <= MOST_CONTACTS for _, number in event.counts):
        words = phrase("must be from 1 to {} contacts", MOST_CONTACTS)
        faults.append(Violation("counts", "bad-number", words))
    return faults


def _ship_faults(scenario: Scenario, event: UmpireEvent) -> list[Violation]:
    """Return the faults of ships that arrive."""
    faults = []
    classes = ship_classes(scenario)
    names = [name for name, _ in event.ships]
    for name in names:
        if name not in classes:
            words = phrase("there is no class '{}'", name)
            faults.append(Violation("ships", "unknown-class", words))
    is_number_bad = any(not 1 <= number <= MOST_SHIPS for _, number in event.ships)
    if not event.ships or is_number_bad or len(set(names)) != len(names):
        words = phrase("name each class once, with 1 to {} ships", MOST_SHIPS)
        faults.append(Violation("ships", "bad-number", words))
    if not event.name:
        faults.append(Violation("name", "missing", phrase("name the fleet")))
    faults += text_faults(event.name, LONGEST_HEADLINE, phrase("the name of a fleet"))
    if event.stage != StageKind.ORDERS:
        words = phrase("reinforcements arrive at the start of a week, when its orders open")
        faults.append(Violation("when", "not-at-start", words))
    return faults


def _headline_faults(event: UmpireEvent) -> list[Violation]:
    """Return the faults of a headline."""
    if not event.headline:
        return [Violation("headline", "missing", phrase("write a headline"))]
    faults = text_faults(event.headline, LONGEST_HEADLINE, phrase("a headline"))
    return [replace(fault, where="headline") for fault in faults]


def deliver_umpire_events(
    index: ScenarioIndex, outcome: StageOutcome, events: Iterable[UmpireEvent]
) -> StageOutcome:
    """Add to the outcome of a stage what its umpires wrote for the stage that now opens.

    Args:
        events: All events that umpires have written, in order; others than those due are ignored.
    """
    world = outcome.world
    week_events = list(outcome.week_events)
    for event in events:
        if (event.week, event.stage) != (world.week, world.stage):
            continue
        if event.kind == UmpireEventKind.REINFORCEMENTS:
            world, arrival = _arrival(index, world, event)
            week_events.append(arrival)
        else:
            week_events.append(_week_event(event))
    return StageOutcome(world, tuple(week_events))


def _week_event(event: UmpireEvent) -> WeekEvent:
    """Return the event of a week that delivers a text or a contact."""
    if event.kind == UmpireEventKind.CONTACT:
        return ContactReported(event.factions, event.hex, event.power, event.counts)
    if event.kind == UmpireEventKind.BULLETIN:
        return Bulletin(event.factions, event.hex, event.text)
    if event.kind == UmpireEventKind.PRESS:
        return PressItem(event.factions, event.hex, event.headline, event.text)
    return Intelligence(
        event.factions,
        event.hex,
        event.text,
        unconfirmed=int(event.unconfirmed),
        truth=str(event.kind),
    )


def _arrival(
    index: ScenarioIndex, world: World, event: UmpireEvent
) -> tuple[World, ReinforcementArrived]:
    """Add the ships that arrive, and return the event of which their owner is notified."""
    (faction,) = event.factions
    arrival = Reinforcement(
        id="umpire",
        faction=faction,
        week=event.week,
        hex=event.hex,
        name=event.name,
        ships=event.ships,
    )
    lost_ships = [loss.ship for loss in world.losses]
    fleet, ships = reinforce(index.scenario, arrival, world.fleets, world.ships, lost_ships)
    world = replace(
        world,
        fleets=tuple(sorted((*world.fleets, fleet), key=attrgetter("key"))),
        ships=tuple(sorted((*world.ships, *ships), key=attrgetter("key"))),
    )
    notice = ReinforcementArrived(
        event.factions, event.hex, fleet.name, len(ships), index.points(ships)
    )
    return world, notice
