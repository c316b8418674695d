"""An encounter as a scene: place, both fleets, three choices with outcomes, and who commands.

Made only from the reader's view and the published scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.drawings.moment import Moment
from campaign.drawings.strips import Strip
from campaign.forms.faults import Faults, PageFault
from campaign.forms.week.order_parts import EncounterChoice
from campaign.forms.week.week_fields import COMMAND
from campaign.orders.decide import CHOICES
from campaign.orders.take_command import CAPTAIN, command_anchor
from campaign.pages.week.odds import odds_address
from campaign.rules.battle_entries import DECOY_LABEL
from campaign.rules.queries import ship_classes, system_at
from campaign.rules.scenario import Scenario
from campaign.rules.sightings import newest_sighting
from campaign.rules.starmap import star_map, travel_weeks
from campaign.rules.view import View
from campaign.web.encounter_moments import encounter_moment, most_decoys, own_ships_at
from campaign.web.ship_drawings import ship_strip
from campaign.web.war import War
from campaign.words.common import (
    place_words,
    sighting_age_words,
)
from engine.core.phrase import phrase

MAX_OLDER_SCANS = 6
DIE_FACES = (1, 2, 3, 4, 5, 6)

# What each choice means, and its outcomes: (their choice, the outcome, whether to show the die of
# a chase)
CHOICE_TEXTS: Mapping[str, tuple[str, tuple[tuple[str, str, bool], ...]]] = {
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
            (
                phrase("stand off"),
                phrase("Both stay. The system stays with the side that held it."),
                False,
            ),
            ("withdraw", phrase("They leave, you stay."), False),
        ),
    ),
    "withdraw": (
        phrase("Leave by FTL at once, and move again next week."),
        (
            ("fight", phrase("You escape unless a 6 is rolled."), True),
            (phrase("stand off"), phrase("You leave."), False),
            (
                "withdraw",
                phrase("Both leave. If no ships remain, nobody holds the system this week."),
                False,
            ),
        ),
    ),
}
# What a choice risks: a figure, and what it means. The odds of a battle are simulated.
FIGURES: Mapping[str, tuple[str, str]] = {
    "fight": ("", ""),
    "stand-off": ("0", phrase("ships at risk unless they attack")),
    "withdraw": (phrase("5 in 6"), phrase("to get away if they fight")),
}
# The outcomes of a withdrawal, as in CHOICE_TEXTS, if some of the ships cannot leave.
SOME_STUCK_OUTCOMES: tuple[tuple[str, str, bool], ...] = (
    (
        "fight",
        phrase("They attack your ships that cannot leave; the others escape unless a 6 is rolled."),
        True,
    ),
    (phrase("stand off"), phrase("You leave, except your ships that cannot."), False),
    ("withdraw", phrase("Both leave, except your ships that cannot."), False),
)
# The same if none of them can leave.
ALL_STUCK_OUTCOMES: tuple[tuple[str, str, bool], ...] = (
    ("fight", phrase("They attack."), False),
    (phrase("stand off"), phrase("Both stay. The system stays with the side that held it."), False),
    ("withdraw", phrase("They leave, you stay."), False),
)


@dataclass(frozen=True, slots=True)
class ChoiceCard:
    """One of the choices that the player has in an encounter."""

    value: str  # in the form
    title: str
    meaning: str
    figure: str  # what it risks, in large type; empty for the odds of a battle
    figure_text: str  # what the figure means
    outcomes: tuple[tuple[str, str, bool], ...]  # as in CHOICE_TEXTS
    note: str  # why it does not apply to all ships
    seal: str  # the label of the button that seals it


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
    counts: tuple[tuple[str, int], ...]  # (classification, ships)
    distance_text: str


@dataclass(frozen=True, slots=True)
class CommandChoice:
    """Who commands the reader's ships if there is a battle at a place."""

    id: str
    field: str
    place: str
    by: str
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class Encounter:
    """A pending encounter.

    Attributes:
        command: None if the player does not choose, or chooses elsewhere on the page.
    """

    row: EncounterChoice
    command: CommandChoice | None
    moment: Moment
    cards: tuple[ChoiceCard, ...]
    ships: tuple[OwnShip, ...]
    warnings: tuple[str, ...]  # what the scan may hide
    older_scans: tuple[OlderScan, ...]
    odds_address: str


def command_choice(
    scenario: Scenario, hex_: str, drafted: Mapping[str, Any], faults: Faults
) -> CommandChoice:
    """Return who commands a battle in a hex.

    Args:
        drafted: The order of the draft for this hex, of any content.
    """
    id_ = command_anchor(hex_)
    return CommandChoice(
        id=id_,
        field=COMMAND.name(hex_),
        place=place_words(scenario, hex_),
        by=str(drafted.get("by") or CAPTAIN),
        faults=faults.at(id_),
    )


def encounter(war: War, row: EncounterChoice, command: CommandChoice | None) -> Encounter:
    """Return an encounter with everything the reader knows about it."""
    scenario, view = war.scenario, war.sight.view
    own_ships = own_ships_at(view, row.hex)
    classes = ship_classes(scenario)
    newest = newest_sighting(view, row.hex, row.toward)
    counts = {} if newest is None else dict(newest.counts)
    ships = []
    for ship in own_ships:
        cls = classes[ship.cls]
        ships.append(OwnShip(ship.name, cls.classification, ship_strip(scenario, cls, ship)))
    return Encounter(
        row=row,
        command=command,
        moment=encounter_moment(scenario, view, row.hex, row.toward),
        cards=tuple(choice_card(value, words, row) for value, words in CHOICES),
        ships=tuple(ships),
        warnings=_warning_lines(scenario, row, counts),
        older_scans=_older_scans(scenario, view, row),
        odds_address=odds_address(war, row.hex, row.toward),
    )


def choice_card(value: str, words: str, row: EncounterChoice) -> ChoiceCard:
    """Return a choice with its outcomes."""
    meaning, outcomes = CHOICE_TEXTS[value]
    figure, figure_text = FIGURES[value]
    note = ""
    if row.stuck_count and value == "withdraw":
        if row.stuck_count == row.own_ship_count:
            outcomes = ALL_STUCK_OUTCOMES
            figure, figure_text = "0", phrase("of your ships can leave")
            note = phrase("None of your ships can leave: they stand off instead.")
        else:
            outcomes = SOME_STUCK_OUTCOMES
            note = phrase("Ships that cannot leave and stand off instead: {}.", row.stuck_count)
    return ChoiceCard(
        value=value,
        title=words.capitalize(),
        meaning=meaning,
        figure=figure,
        figure_text=figure_text,
        outcomes=outcomes,
        note=note,
        seal=phrase("Seal: {}", words),
    )


def _warning_lines(
    scenario: Scenario, row: EncounterChoice, counts: Mapping[str, int]
) -> tuple[str, ...]:
    """Return what the scan may hide or misrepresent, in words.

    Args:
        counts: Scanned ships by classification.
    """
    lines: list[str] = []
    decoys = most_decoys(scenario, counts)
    if decoys:
        lines.append(
            phrase(
                "Decoys appear as escorts: up to {} of the {} may be {}-point decoys.",
                decoys,
                counts[DECOY_LABEL],
                scenario.decoy_points,
            )
        )
    if any(cls.weasel and counts.get(cls.weasel) for cls in scenario.catalogue):
        lines.append(
            phrase("A weasel appears as a larger ship: any capital ship or cruiser may be one.")
        )
    defence_points = _system_defence_points(scenario, row)
    if defence_points:
        lines.append(
            phrase(
                "The system has its own defences: up to {} points according to the scenario. "
                "They cannot leave.",
                defence_points,
            )
        )
    lines.append(phrase("A scan counts docked ships too and does not show damage."))
    return tuple(lines)


def _system_defence_points(scenario: Scenario, row: EncounterChoice) -> int:
    """Return the points that the other side may spend on ships bound to this system."""
    system = system_at(scenario, row.hex)
    if system is None:
        return 0
    points = 0
    for budget in scenario.budgets:
        is_bound_here = budget.ftl == "none" and budget.deploy == (system.id,)
        if budget.faction == row.toward and is_bound_here:
            points += budget.points
    return points


def _older_scans(scenario: Scenario, view: View, row: EncounterChoice) -> tuple[OlderScan, ...]:
    """Return older scans of the same faction, newest first."""
    sightings = []
    for sighting in view.sightings:
        is_present_scan = (sighting.week, sighting.hex) == (view.week, row.hex)
        if sighting.faction == row.toward and sighting.counts and not is_present_scan:
            sightings.append(sighting)
    sightings.sort(key=lambda sighting: (-sighting.week, sighting.hex))
    scans = []
    for sighting in sightings[:MAX_OLDER_SCANS]:
        scan = OlderScan(
            age=sighting_age_words(view, sighting),
            place=place_words(scenario, sighting.hex),
            counts=sighting.counts,
            distance_text=_distance_words(scenario, sighting.hex, row.hex),
        )
        scans.append(scan)
    return tuple(scans)


def _distance_words(scenario: Scenario, start: str, end: str) -> str:
    """Return how far it is from one hex to another, in words."""
    if start == end:
        return phrase("here")
    hexes = star_map(scenario).distance(start, end)
    if hexes is None:
        return phrase("no route")
    return phrase("{} hexes, {} wk", hexes, travel_weeks(scenario, start, end))
