"""Limits for the fleet of a single battle: points, shares by classification, ships without FTL.

Rules: Continuum "Tournament fleets" 18.2 [pc.fleet-composition], "System defence ships" 11.8
[pc.system-defence]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.errors import Violation, fault_path
from engine.core.kinds import FtlDrive
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.core.terms import OVERLOAD
from engine.core.transport import MAX_RIDER_MASS, rooms_of, without_room
from engine.english import plural
from engine.ruleset import rules_of
from engine.weapons.registry import weapon_of

Faults = Iterator[Violation]

ESCORT, CRUISER, CAPITAL = "escort", "cruiser", "capital"
PATROL, HALF_CAPITALS, ESCORTED, NO_SMALL_CARRIERS = (
    "patrol",
    "half-capitals",
    "escorted",
    "no-small-carriers",
)
LIMITS = (PATROL, HALF_CAPITALS, ESCORTED, NO_SMALL_CARRIERS)
DECOY_POINTS = 20  # what a decoy drone costs a fleet


def fleet_violations(
    sheets: Sequence[Sheet],
    points: int | None = None,
    limits: Sequence[str] = (),
    *,
    without_ftl: bool = False,
    decoys: int = 0,
) -> tuple[Violation, ...]:
    """Return everything that keeps a fleet out of a battle; places are `ships[number]` or "".

    Args:
        points: The most points that the fleet may cost.
        limits: Any of patrol (no capital ships, at most half the points in cruisers), half-capitals
            (at most half the points in capital ships with their fighters), escorted (at least one
            cruiser and one escort for each capital ship) and no-small-carriers (only capital ships
            carry craft).
        without_ftl: Whether the players agreed to allow ships without FTL drives.
        decoys: The number of decoy drones, which cost `DECOY_POINTS` each.
    """
    faults: list[Violation] = []
    total = sum(sheet.points for sheet in sheets)
    cost = total + DECOY_POINTS * decoys
    if points is not None and cost > points:
        words = reason(
            "too-many-points", "the fleet costs {} points; the limit is {}", cost, points
        )
        faults.append(Violation("", "too-many-points", words))
    for limit, check in CHECKS:
        if limit in limits:
            faults += check(sheets, total)
    faults += _overloads(sheets)
    if not without_ftl:
        faults += _stranded(sheets)
    return tuple(faults)


def points_by_classification(sheets: Sequence[Sheet]) -> dict[str, int]:
    """Return the points that a fleet spends on each classification, in the order of its ships."""
    points: dict[str, int] = {}
    for sheet in sheets:
        points[sheet.classification] = points.get(sheet.classification, 0) + sheet.points
    return points


def _patrol(sheets: Sequence[Sheet], total: int) -> Faults:
    """Yield faults for capital ships, and for more than half the points in cruisers."""
    for number, sheet in enumerate(sheets):
        if sheet.classification == CAPITAL:
            words = reason(
                "capital-on-patrol", "{} is a capital ship; patrols cannot have any", sheet.cls
            )
            yield Violation(fault_path("ships", number), "capital-on-patrol", words)
    yield from _at_most_half(sheets, total, CRUISER)


def _half_capitals(sheets: Sequence[Sheet], total: int) -> Faults:
    """Yield a fault if more than half the points are spent on capital ships."""
    yield from _at_most_half(sheets, total, CAPITAL)


def _at_most_half(sheets: Sequence[Sheet], total: int, classification: str) -> Faults:
    """Yield a fault if more than half the points are spent on ships of a classification."""
    points = points_by_classification(sheets).get(classification, 0)
    if 2 * points > total:
        words = reason(
            "points-spent-ships-half",
            "{} of {} points are spent on {} ships; the limit is half",
            points,
            total,
            classification,
        )
        yield Violation("", "over-half", words)


def _escorted(sheets: Sequence[Sheet], _total: int) -> Faults:
    """Yield faults if there are fewer cruisers, or fewer escorts, than capital ships."""
    capitals = sum(sheet.classification == CAPITAL for sheet in sheets)
    for classification in (CRUISER, ESCORT):
        number = sum(sheet.classification == classification for sheet in sheets)
        if number < capitals:
            words = reason(
                "capital-ships-need-many",
                "{} capital ships need as many ships of class {}; the fleet has {}",
                capitals,
                classification,
                number,
            )
            yield Violation("", "unescorted", words)


def _no_small_carriers(sheets: Sequence[Sheet], _total: int) -> Faults:
    """Yield a fault for every ship with bays for craft that is no capital ship."""
    for number, sheet in enumerate(sheets):
        bays = rules_of(sheet.edition).profile.bays
        if sheet.classification != CAPITAL and any(fit.type in bays for fit in sheet.fits):
            words = reason(
                "class-carries-craft-only",
                "{} (class {}) carries craft; only capital ships may",
                sheet.cls,
                sheet.classification,
            )
            yield Violation(fault_path("ships", number), "small-carrier", words)


CHECKS = (
    (PATROL, _patrol),
    (HALF_CAPITALS, _half_capitals),
    (ESCORTED, _escorted),
    (NO_SMALL_CARRIERS, _no_small_carriers),
)


def _overloads(sheets: Sequence[Sheet]) -> Faults:
    """Yield faults if only some of the pulse torpedoes that could be overloaded can be.

    Rules: Continuum "Overloaded pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """
    has_upgraded = False
    without_upgrade: dict[tuple[int, str], None] = {}  # ships by number, and types of torpedoes
    for number, sheet in enumerate(sheets):
        for fit in sheet.fits:
            if fit.variant not in weapon_of(sheet.edition, fit.type).overloads:
                continue
            if OVERLOAD in fit.flags:
                has_upgraded = True
            else:
                without_upgrade[number, fit.type] = None
    if not has_upgraded:
        return
    for number, type_ in without_upgrade:
        words = reason(
            "cannot-overloaded-others-fleet",
            "the {} of {} cannot be overloaded, but others in the fleet can",
            plural(type_.replace("-", " ")),
            sheets[number].cls,
        )
        yield Violation(fault_path("ships", number), "all-or-none", words)


def _stranded(sheets: Sequence[Sheet]) -> Faults:
    """Yield a fault for every ship without FTL for which no mothership has room.

    Only battleriders of up to 60 mass can be carried. The largest is stowed first.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs], "System defence ships" 11.8
    [pc.system-defence]
    """
    riders: list[tuple[int, int]] = []  # mass, and the number of the ship
    stranded: list[tuple[int, int]] = []
    rooms: list[int] = []
    for number, sheet in enumerate(sheets):
        rooms += rooms_of(sheet)
        if sheet.ftl == FtlDrive.NONE:
            group = riders if sheet.mass <= MAX_RIDER_MASS else stranded
            group.append((sheet.mass, number))
    for index in without_room([mass for mass, _ in riders], rooms):
        stranded.append(riders[index])
    for mass, number in sorted(stranded, key=lambda row: (-row[0], row[1])):
        if mass > MAX_RIDER_MASS:
            words = reason(
                "no-ftl-drive-no-battlerider",
                "{} has no FTL drive and is too large for a battlerider (mass {} at most)",
                sheets[number].cls,
                MAX_RIDER_MASS,
            )
        else:
            words = reason(
                "no-ftl-drive-no",
                "{} has no FTL drive, and no mothership of the fleet can carry mass {}",
                sheets[number].cls,
                mass,
            )
        yield Violation(fault_path("ships", number), "no-ftl", words)
