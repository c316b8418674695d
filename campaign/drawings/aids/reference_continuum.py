"""The dice tables of Continuum, from the engine's tables."""

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
from engine.combat.detection import ACTIVE_RANGE, ADVANCED_ACTIVE_RANGE, PASSIVE_RANGE
from engine.continuum.reactors import BLAST_RADIUS, MASS_PER_DIE
from engine.core.edition import Edition
from engine.core.phrase import phrase
from engine.core.rolls import BEAM_HITS, PROJECTILE_BANDS, PROJECTILE_HITS_ON, dice_in_range
from engine.core.state import ENGAGE, PLOT
from engine.core.terms import VECTOR
from engine.craft import fighters, gunboats
from engine.order_requests.attack import AttackRequest
from engine.order_requests.control import DamageControlRequest
from engine.order_requests.defend import PointDefenceRequest
from engine.ruleset import RuleSet
from engine.systems.defences import SCREEN_REACH, SHRINKS
from engine.weapons import (
    antimatter,
    beams,
    emp,
    grasers,
    kinetics,
    missiles,
    nova,
    ordnance,
    phasers,
    plasma,
    torpedoes,
    wave,
)
from engine.weapons.grasers import HEAVY_BAND
from engine.weapons.point_defence import ADS_REACH, KILLS, PDS_REACH, SCATTER_REACH

BEAM_BAND = 12.0  # MU of a range band of beams
BEAM_CLASSES = (1, 2, 3, 4, 5)
HEAVY_CLASSES = (1, 2, 3)
PROJECTILES = {"": phrase("standard"), "long": phrase("long range"), "short": phrase("short range")}


def continuum_tables(rules: RuleSet, options: Sequence[str]) -> tuple[AidTable, ...]:
    """Return the tables in the order in which a turn needs them."""
    note = phrase("A 6 is rolled again, without screens, except against screen 3.")
    beam_dice = dice_by_class(phrase("Dice of a beam"), BEAM_CLASSES, BEAM_BAND)
    beam_hits = by_die(phrase("Hits of a beam die"), screen_rows(BEAM_HITS), note=note)
    graser_dice = dice_by_class(phrase("Dice of a heavy graser"), HEAVY_CLASSES, HEAVY_BAND)
    shot_down = by_die(phrase("Craft and missiles shot down"), [(phrase("each die"), KILLS)])
    attack, defend, control = AttackRequest.key, PointDefenceRequest.key, DamageControlRequest.key
    flying = _types(missiles, antimatter, plasma)
    return (
        needed_in(beam_dice, ENGAGE, systems=_types(beams, emp, phasers)),
        needed_in(beam_hits, ENGAGE, attack),
        needed_in(graser_dice, ENGAGE, systems=_types(grasers)),
        needed_in(projectiles(), ENGAGE, systems=_types(torpedoes, kinetics)),
        needed_in(stealth(), ENGAGE),
        needed_in(shot_down, attack, defend),
        needed_in(thresholds(rules), ENGAGE, control),
        needed_in(leaving_by_ftl(), PLOT),
        needed_in(templates(), PLOT, ENGAGE, systems=_types(nova, wave, plasma)),
        needed_in(ordnance_ranges(options), PLOT, attack, defend, systems=flying),
        needed_in(ranges(rules), PLOT, attack, defend, ENGAGE),
        needed_in(classifications(rules), ENGAGE),
    )


def _types(*families: ModuleType) -> set[str]:
    """Return the types of the edition's weapons in some families."""
    return weapon_types(Edition.CONTINUUM, *families)


def dice_by_class(title: str, classes: Sequence[int], band: float) -> AidTable:
    """Return the dice of a weapon by class and range."""
    limits = [band * place for place in range(1, len(classes) + 1)]
    rows = []
    for size in classes:
        dice = [dice_in_range(size, limit, band) for limit in limits]
        rows.append((phrase("Class {}", size), *map(number_text, dice)))
    return AidTable(title, (phrase("Class"), *map(up_to, limits)), tuple(rows))


def projectiles() -> AidTable:
    """Return the ranges to which projectile weapons hit on each die."""
    rows = []
    for model, bands in PROJECTILE_BANDS.items():
        rows.append((PROJECTILES[model], *(f"{band:g}" for band in bands)))
    columns = (phrase("Hits on"), *map(die_or_more, PROJECTILE_HITS_ON))
    note = phrase("Up to so many MU, for torpedoes and kinetic guns.")
    return AidTable(phrase("Projectile weapons"), columns, tuple(rows), note=note)


def stealth() -> AidTable:
    """Return by how much stealth shortens the range bands of those who fire at a ship."""
    rows = []
    for level, (part, whole) in enumerate(SHRINKS[1:], 1):
        rows.append((str(level), f"{part}/{whole}", f"{BEAM_BAND * part / whole:g} MU"))
    columns = (phrase("Level"), phrase("Share"), phrase("Band of a beam"))
    return AidTable(phrase("Stealth shortens range bands"), columns, tuple(rows))


def templates() -> AidTable:
    """Return the figures of nova templates by turn and of waves by distance."""
    rows = []
    for turn, flare in enumerate(nova.FLARES, 1):
        name = phrase("Nova cannon, turn {}", turn)
        rows.append((name, mu_text(2 * flare.radius), f"{flare.dice}D6"))
    for distance, radius, dice in wave.WAVE:
        rows.append(
            (phrase("Wave gun, to {} MU", f"{distance:g}"), mu_text(2 * radius), f"{dice}D6")
        )
    radius = ordnance.PLASMA_RADIUS
    rows.append((phrase("Plasma bolt"), mu_text(2 * radius), phrase("a die for each class")))
    columns = (phrase("Template"), phrase("Across"), phrase("Damage"))
    return AidTable(phrase("Templates"), columns, tuple(rows), widths=(3, 1, 2))


def ordnance_ranges(options: Sequence[str]) -> AidTable:
    """Return how far ordnance flies, finds ships and explodes."""
    lock_on = ordnance.LOCK_ON_VECTOR if VECTOR in options else ordnance.LOCK_ON
    reach = ordnance.MISSILE_REACH
    rows = [
        (phrase("Missile, standard"), mu_text(reach[ordnance.STANDARD][1])),
        (phrase("Missile, extended range"), mu_text(reach[ordnance.EXTENDED][1])),
        (phrase("Missiles find a ship within"), mu_text(lock_on)),
        (phrase("Plasma bolt"), mu_text(ordnance.PLASMA_REACH)),
        (phrase("Antimatter missile"), mu_text(ordnance.ANTIMATTER_REACH)),
    ]
    for distance, die in ordnance.ROCKET_NEEDS:
        rows.append((phrase("Rocket hits, to {} MU", f"{distance:g}"), die_or_more(die)))
    for distance, dice in ordnance.WARHEAD:
        rows.append((phrase("Antimatter, to {} MU", f"{distance:g}"), f"{dice}D6"))
    return distances(phrase("Ordnance"), rows)


def ranges(rules: RuleSet) -> AidTable:
    """Return other distances."""
    return distances(
        phrase("Ranges"),
        (
            (phrase("Range of passive scans"), mu_text(PASSIVE_RANGE)),
            (phrase("Range of active scans"), mu_text(ACTIVE_RANGE)),
            (phrase("The same with an advanced FireCon"), mu_text(ADVANCED_ACTIVE_RANGE)),
            (
                phrase("Point defence, scattergun"),
                two_figures(mu_text(PDS_REACH), mu_text(SCATTER_REACH)),
            ),
            (phrase("Area defence"), mu_text(ADS_REACH)),
            (phrase("Area screen"), mu_text(SCREEN_REACH)),
            (
                phrase("Fighters fly, fast ones"),
                two_figures(mu_text(fighters.SPEED), mu_text(fighters.SPEED_FAST)),
            ),
            (
                phrase("Gunboats fly, and fire to"),
                two_figures(mu_text(gunboats.SPEED), mu_text(gunboats.REACH)),
            ),
            (phrase("Docking"), mu_text(rules.docking.reach)),
            (
                phrase("Reactor explosion; a die for each"),
                phrase("{}; {} mass", mu_text(BLAST_RADIUS), MASS_PER_DIE),
            ),
        ),
    )
