"""An encounter on the decisions page: the scan, the own force, and three choices with outcomes.

Made only from the reader's view and the published scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.drawings.strips import Strip
from campaign.forms.week.order_parts import EncounterChoice
from campaign.orders.decide import CHOICES
from campaign.pages.week.odds import odds_address
from campaign.rules.battle_entries import DECOY_LABEL
from campaign.rules.queries import ship_classes, sort_by_count, system_at
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sighting
from campaign.rules.starmap import star_map, travel_weeks
from campaign.rules.view import View
from campaign.web.seat_marks import NOBODY, seat_classes
from campaign.web.ship_drawings import ship_strip
from campaign.web.war import War
from campaign.words.common import place_words, sighting_age_words
from engine.core.phrase import phrase

MOST_SYMBOLS = 40  # symbols per kind of contact
FACES = (1, 2, 3, 4, 5, 6)

# Outcomes of each choice: (their choice, the outcome, whether to show the die of a chase).
CARDS: Mapping[str, tuple[str, tuple[tuple[str, str, bool], ...]]] = {
    "fight": (
        phrase("Attack them, whatever they are."),
        (
            ("fight", phrase("Battle."), False),
            (phrase("stand off"), phrase("Battle."), False),
            ("withdraw", phrase("They escape unless a 6 is rolled."), True),
        ),
    ),
    "stand-off": (
        phrase("Stay in the system and watch each other."),
        (
            ("fight", phrase("Battle."), False),
            (phrase("stand off"), phrase("Both stay. Nobody holds more than before."), False),
            ("withdraw", phrase("They leave, you stay."), False),
        ),
    ),
    "withdraw": (
        phrase("Leave under FTL at once, and move again next week."),
        (
            ("fight", phrase("You escape unless a 6 is rolled."), True),
            (phrase("stand off"), phrase("You leave."), False),
            ("withdraw", phrase("Both leave. Nobody holds the system this week."), False),
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A choice."""

    value: str
    title: str
    lead: str
    # (their choice, the outcome, whether to show a die)
    outcomes: tuple[tuple[str, str, bool], ...]
    note: str  # why it does not apply to all ships


@dataclass(frozen=True, slots=True)
class OwnShip:
    """One of the reader's ships at an encounter."""

    name: str
    classification: str
    strip: Strip


@dataclass(frozen=True, slots=True)
class OlderScan:
    """An older scan of the same faction: when, where, and how many weeks of movement away."""

    age: str
    place: str
    counts: tuple[tuple[str, int], ...]
    distance_text: str


@dataclass(frozen=True, slots=True)
class Encounter:
    """A pending encounter."""

    row: EncounterChoice
    seat: str  # CSS class of the other faction
    own_seat: str  # CSS class of the reader's faction
    contacts: tuple[str, ...]  # kind of each contact, largest first
    cards: tuple[Card, ...]
    ships: tuple[OwnShip, ...]
    points: int
    warnings: tuple[str, ...]  # what the scan may hide
    older_scans: tuple[OlderScan, ...]
    odds_address: str


def encounter(war: War, row: EncounterChoice) -> Encounter:
    """Return an encounter with everything the reader knows about it."""
    scenario, view = war.scenario, war.sight.view
    here = set()
    for fleet in view.fleets:
        if fleet.hex == row.hex and not fleet.in_ftl:
            here.add(fleet.key)
    own_ships = [ship for ship in view.ships if ship.fleet in here]
    classes = ship_classes(scenario)
    seats = seat_classes(scenario)
    newest = newest_sighting(view, row.hex, row.toward)
    counts = () if newest is None else newest.counts
    contacts = []
    for kind, count in sort_by_count(dict(counts)):
        for _ in range(min(count, MOST_SYMBOLS)):
            contacts.append(kind)
    ships = []
    for ship in own_ships:
        ships.append(
            OwnShip(
                ship.name,
                classes[ship.cls].classification,
                ship_strip(scenario, classes[ship.cls], ship),
            )
        )
    return Encounter(
        row=row,
        seat=seats.get(row.toward, NOBODY),
        own_seat=seats.get(view.faction, NOBODY),
        contacts=tuple(contacts),
        cards=tuple(_card(value, words, row) for value, words in CHOICES),
        ships=tuple(ships),
        points=sum(classes[ship.cls].points for ship in own_ships),
        warnings=_warning_lines(scenario, row, dict(counts)),
        older_scans=_older_scans(scenario, view, row),
        odds_address=odds_address(war, row.hex, row.toward),
    )


def _card(value: str, words: str, row: EncounterChoice) -> Card:
    lead, ifs = CARDS[value]
    stays = row.stuck_count and value == "withdraw"
    return Card(
        value,
        words.capitalize(),
        lead,
        ifs,
        phrase("{} of your ships cannot leave and will stay.", row.stuck_count) if stays else "",
    )


def _warning_lines(
    scenario: Scenario, row: EncounterChoice, counts: Mapping[str, int]
) -> tuple[str, ...]:
    lines: list[str] = []
    escorts = counts.get(DECOY_LABEL, 0)
    most = min(escorts, sum(counts.values()) // 2)
    if scenario.decoys and most:
        cost = scenario.decoy_points
        lines.append(
            phrase(
                "Decoys appear as escorts: up to {} of the {} may be drones of {} points.",
                most,
                escorts,
                cost,
            )
        )
    if any(cls.weasel and counts.get(cls.weasel) for cls in scenario.catalogue):
        lines.append(
            phrase("A weasel appears as a larger ship: any capital ship or cruiser may be one.")
        )
    system = system_at(scenario, row.hex)
    bound = sum(
        budget.points
        for budget in scenario.budgets
        if system is not None
        and budget.faction == row.toward
        and budget.ftl == "none"
        and budget.deploy == (system.id,)
    )
    if bound:
        lines.append(
            phrase(
                "The system has its own defences: up to {} points according to the scenario. "
                "They cannot leave.",
                bound,
            )
        )
    lines.append(phrase("A scan counts docked ships too and does not show damage."))
    return tuple(lines)


def _older_scans(scenario: Scenario, view: View, row: EncounterChoice) -> tuple[OlderScan, ...]:
    """Return older scans of the same faction, newest first."""
    chart = star_map(scenario)
    scans = []
    for item in sorted(view.sightings, key=lambda item: (-item.week, item.hex)):
        if (
            item.faction == row.toward
            and item.counts
            and (item.week, item.hex) != (view.week, row.hex)
        ):
            steps = chart.distance(item.hex, row.hex)
            weeks = travel_weeks(scenario, item.hex, row.hex)
            if item.hex == row.hex:
                away = phrase("here")
            elif steps is None:
                away = phrase("no route")
            else:
                away = phrase("{} hexes, {} wk", steps, weeks)
            scans.append(
                OlderScan(
                    sighting_age_words(view, item),
                    place_words(scenario, item.hex),
                    item.counts,
                    away,
                )
            )
    return tuple(scans[:6])
