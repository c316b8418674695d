"""The limits of a battle by points: what each side's fleet may cost, and what it may consist of.

    points: 1500           # the most points of each side
    value: cpv             # points (default), or combat points of Continuum
    limits: [patrol]       # those of `engine.design.fleets`
    without_ftl: true      # ships without FTL drives may take part
    identical: true        # all sides have the same ships

A side with `muster: {}` instead of ships chooses them before the battle.

Rules: Continuum "Tournament fleets" 18.2 [pc.fleet-composition]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.canonical import digest
from engine.core.edition import EDITIONS
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.terms import CPV
from engine.design.fleets import LIMITS, fleet_violations
from engine.notation.designs import sheet_once
from engine.notation.reading import Reader, prefix_places, ship_entries
from engine.ruleset import rules_of

POINTS, VALUE, IDENTICAL, MUSTER = "points", "value", "identical", "muster"
BY_POINTS = "points"
NO_SHIPS = "no-ships"  # the code of the fault of a side that has yet to choose its ships
LIMIT_KEYS = (POINTS, "limits", "without_ftl")  # each of them makes a battle one of limited fleets
JUDGED_KEYS = (*LIMIT_KEYS, VALUE, IDENTICAL)  # all that only limits fleets
MAX_POINTS = 1_000_000


@dataclass(frozen=True, slots=True)
class FleetLimits:
    """What limits the fleets of a battle.

    Attributes:
        points: The most points of a fleet; None: any number.
        value: points or cpv.
        limits: Limits of composition (`engine.design.fleets`).
        without_ftl: Whether ships without FTL drives may take part.
        identical: Whether all fleets must consist of the same ships.
        are_judged: Whether the battle has any limit but `identical`.
    """

    points: int | None = None
    value: str = BY_POINTS
    limits: tuple[str, ...] = ()
    without_ftl: bool = False
    identical: bool = False
    are_judged: bool = False


@dataclass(frozen=True, slots=True)
class Fleet:
    """The fleet of a side.

    Attributes:
        sheets: The ships, without decoys.
        places: Where each ship is listed, relative to the side.
    """

    sheets: tuple[Sheet, ...]
    decoys: int = 0
    places: tuple[str, ...] = ()


def read_fleet_limits(reader: Reader, document: Mapping[object, object]) -> FleetLimits:
    """Return the limits of a battle file; faults go to the reader."""
    points = None
    if POINTS in document:
        points = reader.number(document, POINTS)
        if document[POINTS] == points and not 1 <= points <= MAX_POINTS:
            words = phrase("expected a number of points from 1 to {}", MAX_POINTS)
            reader.fault(POINTS, POINTS, words)
        if points < 1:
            points = None
    value = BY_POINTS
    if VALUE in document:
        value = reader.choice(document, VALUE, values_of(str(document.get("edition"))))
    return FleetLimits(
        points,
        value or BY_POINTS,
        _limits(reader, document),
        without_ftl=reader.flag(document, "without_ftl"),
        identical=reader.flag(document, IDENTICAL),
        are_judged=any(key in document for key in LIMIT_KEYS),
    )


def values_of(edition: str) -> tuple[str, ...]:
    """Return the values by which fleets of an edition can be limited."""
    if edition in EDITIONS:
        options = [option.name for option in rules_of(edition).choices]
        if CPV not in options:
            return (BY_POINTS,)
    return (BY_POINTS, CPV)


def _limits(reader: Reader, document: Mapping[object, object]) -> tuple[str, ...]:
    limits = tuple(str(limit) for limit in reader.items(document, "limits", default=()))
    for number, limit in enumerate(limits):
        if limit not in LIMITS:
            words = phrase("no limit {!r}; choose from {}", limit, ", ".join(LIMITS))
            reader.fault(fault_path("limits", number), "unknown-limit", words)
    return limits


def read_muster(reader: Reader, side: Mapping[object, object], where: str) -> bool:
    """Return whether a side chooses its ships before the battle; it is a fault in a battle file."""
    if MUSTER not in side:
        return False
    spot = f"{where}.{MUSTER}"
    muster = side[MUSTER]
    if isinstance(muster, Mapping):
        reader.keys(muster, (), spot)
    else:
        reader.fault(spot, "not-a-mapping", phrase("expected an object without keys: {}", "{}"))
    if "ships" in side:
        words = phrase("a side either has ships or chooses them, not both")
        reader.fault(spot, "ships-and-muster", words)
        return False
    words = phrase("this side has yet to choose its ships")
    reader.fault(where, NO_SHIPS, words)
    return True


def check_fleets(
    reader: Reader,
    document: Mapping[object, object],
    limits: FleetLimits,
    ships: Sequence[ShipState],
    options: Sequence[str],
) -> None:
    """Report every side of a battle file whose ships exceed its limits."""
    fleets = _fleets(document, ships)
    for side, fleet in fleets.items():
        where = fault_path("sides", side)
        reader.faults += prefix_places(where, fleet_faults(fleet, limits, options))
    if limits.identical:
        _check_identical(reader, fleets)


def _fleets(document: Mapping[object, object], ships: Sequence[ShipState]) -> dict[int, Fleet]:
    """Return the fleet of each side by its number, without sides that have unreadable ships."""
    places = {str(entry.get("id")): where for where, entry in ship_entries(document)}
    listed = Counter(where.partition(".")[0] for where, _ in ship_entries(document))
    fleets = {}
    for side in sorted({ship.owner for ship in ships}):
        own_ships = [ship for ship in ships if ship.owner == side]
        if len(own_ships) < listed[fault_path("sides", side)]:
            continue
        real_ships = [ship for ship in own_ships if not ship.dummy]
        fleets[side] = Fleet(
            tuple(ship.sheet for ship in real_ships),
            decoys=len(own_ships) - len(real_ships),
            places=tuple(places[ship.id].partition(".")[2] for ship in real_ships),
        )
    return fleets


def fleet_faults(fleet: Fleet, limits: FleetLimits, options: Sequence[str]) -> Iterator[Violation]:
    """Yield every fault of a fleet under the limits of a battle."""
    if not limits.are_judged:
        return
    sheets = fleet.sheets
    if limits.value == CPV:
        sheets = tuple(_priced_by_cpv(sheet, options) for sheet in sheets)
    faults = fleet_violations(
        sheets,
        limits.points,
        limits.limits,
        without_ftl=limits.without_ftl,
        decoys=fleet.decoys,
    )
    for fault in faults:
        where = fault.where
        if where and fleet.places:
            where = fleet.places[_number_in(where)]
        yield Violation(where, fault.code, fault.message)


def _number_in(where: str) -> int:
    """Return the number of a ship in the place of a fault of a fleet."""
    return int(where.partition("[")[2].rstrip("]"))


def _priced_by_cpv(sheet: Sheet, options: Sequence[str]) -> Sheet:
    """Return a sheet whose points are its combat points.

    Rules: Continuum "Combat points value" 18.3 [pc.cpv]
    """
    return sheet_once(repr(sheet.design), sheet.design, (*options, CPV))


def _check_identical(reader: Reader, fleets: Mapping[int, Fleet]) -> None:
    """Report every side whose ships differ from those of the first."""
    compositions = {side: _composition(fleet) for side, fleet in fleets.items()}
    first = compositions.get(0)
    for side, composition in compositions.items():
        if composition != first:
            words = phrase("all sides must have the same ships as the first")
            reader.fault(fault_path("sides", side), "not-identical", words)


def _composition(fleet: Fleet) -> Counter[str]:
    """Return how many ships of each design a fleet has, and its decoys."""
    counts: Counter[str] = Counter(digest(_unnamed(sheet.design)) for sheet in fleet.sheets)
    counts["decoy"] = fleet.decoys
    return counts


def _unnamed(design: Mapping[str, Any]) -> dict[str, Any]:
    """Return a design without the name of its class, which changes nothing in a battle."""
    return {key: value for key, value in design.items() if key not in ("class", "name")}
