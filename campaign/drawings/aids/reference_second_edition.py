"""The dice tables of the second edition, from the engine's tables."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from campaign.drawings.aids.reference_tables import (
    by_die,
    classifications,
    die_or_more,
    distances,
    leaving_by_ftl,
    mu_text,
    needed_in,
    number_text,
    screen_rows,
    thresholds,
    two_figures,
    up_to,
    weapon_types,
)
from campaign.drawings.aids.sheets import AidTable
from engine.combat.detection import ACTIVE_RANGE, PASSIVE_RANGE
from engine.core.edition import Edition
from engine.core.phrase import phrase
from engine.core.state import ENGAGE, PLOT
from engine.craft.fighters import STANDARD
from engine.order_requests.flights import FlightRequest
from engine.ruleset import RuleSet
from engine.systems.defences import BEAM_POINTS
from engine.weapons import beams, mines, missiles, needles, nova, point_defence, torpedoes
from engine.weapons.point_defence import AREA_RANGE, KILLS


def second_edition_tables(rules: RuleSet, _options: Sequence[str]) -> tuple[AidTable, ...]:
    """Return the tables in the order in which a turn needs them."""
    fighters = FlightRequest.key
    shot_down = by_die(phrase("Craft shot down"), [(phrase("each die"), KILLS)])
    return (
        needed_in(batteries(), ENGAGE, systems=_types(beams)),
        needed_in(by_die(phrase("Damage of a beam die"), screen_rows(BEAM_POINTS)), ENGAGE),
        needed_in(torpedo(), ENGAGE, systems=_types(torpedoes)),
        needed_in(packs(), ENGAGE, systems=_types(missiles)),
        needed_in(shot_down, fighters, ENGAGE, systems=_types(point_defence) | {"fighter-bay"}),
        needed_in(thresholds(rules), ENGAGE),
        needed_in(leaving_by_ftl(), PLOT),
        needed_in(nova_cannon(), PLOT, ENGAGE, systems=_types(nova)),
        needed_in(ranges(rules), PLOT, fighters, ENGAGE),
        needed_in(classifications(rules), ENGAGE),
    )


def _types(*families: ModuleType) -> set[str]:
    """Return the types of the edition's weapons in some families."""
    return weapon_types(Edition.SECOND_EDITION, *families)


def batteries() -> AidTable:
    """Return the dice of each class of battery by range."""
    rows = []
    for model, dice in beams.DICE_BY_BAND.items():
        rows.append((phrase("Class {}", model), *map(number_text, dice)))
    columns = (phrase("Battery"), *map(up_to, beams.BANDS))
    return AidTable(phrase("Dice of a battery"), columns, tuple(rows))


def torpedo() -> AidTable:
    """Return the die with which a pulse torpedo hits, by range."""
    columns = (phrase("Range"), *map(up_to, torpedoes.BANDS))
    row = (phrase("hits on"), *map(die_or_more, torpedoes.HITS_ON))
    note = phrase("A hit does the damage of another die; screens have no effect.")
    return AidTable(phrase("Pulse torpedo"), columns, (row,), note=note)


def packs() -> AidTable:
    """Return the dice of a submunition pack by range."""
    columns = (phrase("Range"), *map(up_to, missiles.BANDS))
    return AidTable(
        phrase("Submunition pack"), columns, ((phrase("dice"), *map(number_text, missiles.DICE)),)
    )


def nova_cannon() -> AidTable:
    """Return the size, movement and damage of a nova template in each of its turns."""
    rows = []
    for turn, flare in enumerate(nova.FLARES, 1):
        rows.append((str(turn), mu_text(2 * flare.radius), mu_text(flare.move), f"{flare.dice}D6"))
    columns = (phrase("Game turn"), phrase("Across"), phrase("Moves"), phrase("Damage"))
    return AidTable(phrase("Nova cannon"), columns, tuple(rows))


def ranges(rules: RuleSet) -> AidTable:
    """Return other distances and dice."""
    return distances(
        phrase("Ranges"),
        (
            (phrase("Range of passive scans"), mu_text(PASSIVE_RANGE)),
            (phrase("Range of active scans"), mu_text(ACTIVE_RANGE)),
            (
                phrase("Fighters fly, and fire to"),
                two_figures(mu_text(STANDARD.speed), mu_text(STANDARD.reach)),
            ),
            (phrase("Area defence"), mu_text(AREA_RANGE)),
            (
                phrase("Needle beam; the system is lost on"),
                two_figures(mu_text(needles.REACH), needles.KILLS_ON),
            ),
            (phrase("Mine; its dice"), two_figures(mu_text(mines.REACH), mines.MINE_DICE)),
            (phrase("Docking"), mu_text(rules.docking.reach)),
        ),
    )
