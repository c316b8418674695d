"""An encounter on the page: what was read and what it may hide, one's own force, three choices with
what they lead to.

All of it is made of the reader's View and the published scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.drawings.strips import Strip
from campaign.forms.week.order_parts import Choosing
from campaign.orders.decide import CHOICES
from campaign.pages.week.odds import odds_address
from campaign.rules.battle_entries import DECOY_LABEL
from campaign.rules.queries import greatest_first, ship_classes, system_at
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sighting
from campaign.rules.starmap import star_map, weeks_between
from campaign.rules.view import View
from campaign.web.seat_marks import NOBODY, seat_classes
from campaign.web.ship_drawings import ship_strip
from campaign.web.war import War
from campaign.words.sayings import place_words, seen_when
from engine.core.phrase import phrase

MOST_DRAWN = 40  # contacts of one kind
FACES = (1, 2, 3, 4, 5, 6)

# What each choice leads to: (of theirs, what comes of it, whether six faces of a die show a chase).
CARDS: Mapping[str, tuple[str, tuple[tuple[str, str, bool], ...]]] = {
    "fight": (
        phrase("Close with them, whatever they are."),
        (
            ("fight", phrase("Battle."), False),
            (phrase("stand off"), phrase("Battle."), False),
            ("withdraw", phrase("They get away, unless a six catches them."), True),
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
            ("fight", phrase("You get away, unless a six catches you."), True),
            (phrase("stand off"), phrase("You leave."), False),
            ("withdraw", phrase("Both leave. Nobody holds the system this week."), False),
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A choice.

    `ifs`: (what they do, what comes of it, whether a die is shown); `note`: what keeps it from all.
    """

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
    """A meeting at hand.

    `seat`, `own_seat`: the style classes of theirs and one's own; `contacts`: the kind of each, the
    greatest first; `hides`: what the scan may hide, in words; `ask`: the address of its odds.
    """

    row: Choosing
    seat: str
    own_seat: str
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
    seats = seat_classes(scenario)
    newest = newest_sighting(view, row.hex, row.toward)
    counts = () if newest is None else newest.counts
    return Encounter(
        row=row,
        seat=seats.get(row.toward, NOBODY),
        own_seat=seats.get(view.faction, NOBODY),
        contacts=tuple(
            kind
            for kind, many in greatest_first(dict(counts))
            for _ in range(min(many, MOST_DRAWN))
        ),
        cards=tuple(_card(value, words, row) for value, words in CHOICES),
        ships=tuple(
            OwnShip(
                ship.name,
                classes[ship.cls].classification,
                ship_strip(scenario, classes[ship.cls], ship),
            )
            for ship in crew
        ),
        points=sum(classes[ship.cls].points for ship in crew),
        hides=_hides(scenario, row, dict(counts)),
        before=_seen_before(scenario, view, row),
        ask=odds_address(war, row.hex, row.toward),
    )


def _card(value: str, words: str, row: Choosing) -> Card:
    lead, ifs = CARDS[value]
    stays = row.stuck and value == "withdraw"
    return Card(
        value,
        words.capitalize(),
        lead,
        ifs,
        phrase("{} of yours cannot leave, and stay.", row.stuck) if stays else "",
    )


def _hides(scenario: Scenario, row: Choosing, counts: Mapping[str, int]) -> tuple[str, ...]:
    found: list[str] = []
    escorts = counts.get(DECOY_LABEL, 0)
    most = min(escorts, sum(counts.values()) // 2)
    if scenario.decoys and most:
        cost = scenario.decoy_points
        found.append(
            phrase(
                "Decoys read as escorts: up to {} of the {} may be drones of {} points.",
                most,
                escorts,
                cost,
            )
        )
    if any(cls.weasel and counts.get(cls.weasel) for cls in scenario.catalogue):
        found.append(
            phrase("A weasel reads as a greater ship: a capital ship or a cruiser may be one.")
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
        found.append(
            phrase(
                "The system has defences of its own: up to {} points, as is published. They cannot leave.",
                bound,
            )
        )
    found.append(phrase("A scan counts docked ships too, and says nothing of damage."))
    return tuple(found)


def _seen_before(scenario: Scenario, view: View, row: Choosing) -> tuple[SeenBefore, ...]:
    """Older scans of the same faction, the newest first."""
    chart, found = star_map(scenario), []
    for item in sorted(view.sightings, key=lambda item: (-item.week, item.hex)):
        if (
            item.faction == row.toward
            and item.counts
            and (item.week, item.hex) != (view.week, row.hex)
        ):
            steps = chart.distance(item.hex, row.hex)
            weeks = weeks_between(scenario, item.hex, row.hex)
            away = (
                phrase("here")
                if item.hex == row.hex
                else phrase("no way")
                if steps is None
                else phrase("{} hexes, {} wk", steps, weeks)
            )
            found.append(
                SeenBefore(
                    seen_when(view, item), place_words(scenario, item.hex), item.counts, away
                )
            )
    return tuple(found[:6])
