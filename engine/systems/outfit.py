"""Systems other than weapons and defences, and the crew of Continuum ships.

The systems are bays, FireCons, minesweepers, parties and marines; the crew is crew factors, damage
control parties and boarding parties.

Rules: Continuum "Crew casualties" 10.5 [pc.damage-control]
"""

from __future__ import annotations

from engine.core.kinds import SweepOutcome
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.prices.system_price import CORE, FIGHTERS, MINES, SystemSpec

FIGHTER_BAYS = (
    SystemSpec(
        "fighter-bay",
        variant="",
        title=phrase("Fighter bay with its group"),
        mass=6,
        points=20,
        rule="2e.fighters",
        classifications=("capital",),
        group=FIGHTERS,
    ),
)

CARRIER_BAYS = 3  # the number of bays that makes a ship a carrier
LAUNCHES, CARRIER_LAUNCHES = 1, 2  # groups a turn
LANDINGS = 1  # groups a turn, for all ships

# System types of an extra damage control party and of a boarding party
PARTY, MARINES = "damage-control", "marines"


def launches_per_turn(bays: int) -> int:
    """Return how many groups a ship with this many fighter bays launches in a turn.

    Rules: 2E "Fighters" [2e.fighters]
    """
    if bays >= CARRIER_BAYS:
        return CARRIER_LAUNCHES
    return LAUNCHES


def bay_name(word: str) -> str:
    """Return a bay's id from its name in an order: `bay-2` is short for `fighter-bay-2`."""
    if word.startswith("bay-"):
        return f"fighter-{word}"
    return word


def short_bay_name(bay: str) -> str:
    """Return the shortest name that an order may use for a bay: `bay-2` for `fighter-bay-2`."""
    short = bay.removeprefix("fighter-")
    if bay_name(short) == bay:
        return short
    return bay


FIRE_CONTROL = (
    SystemSpec(
        "firecon",
        variant="",
        title=phrase("Extra fire control system"),
        mass=3,
        points=10,
        rule="2e.fire-control",
        group=CORE,
    ),
)


SWEEPER = "minesweeper"
MINESWEEPERS = (
    SystemSpec(
        SWEEPER,
        variant="",
        title=phrase("Minesweeping system"),
        mass=5,
        points=20,
        rule="2e.mines",
        group=MINES,
    ),
)

REACH = 3.0  # MU of a minesweeper

# The effect of a minesweeper's die on a mine.
SWEEPING: tuple[str, ...] = (
    "",
    SweepOutcome.DETONATES,
    SweepOutcome.MISSED,
    *(SweepOutcome.SWEPT,) * 4,
)


def remaining_crew_factors(ship: ShipState) -> int:
    """Return the crew factors whose box on the damage track is not crossed off.

    Rules: Continuum "Crew casualties" 10.5 [pc.damage-control]
    """
    return sum(box > ship.damage for box in ship.sheet.crew)


def parties_of(ship: ShipState) -> int:
    """Return the available damage control parties: one for each crew factor, and extra ones.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Additional damage
    control parties" 13.13 [pc.berthing]
    """
    extra_parties = ship.profile.indexes_by_type.get(PARTY, ())
    total = remaining_crew_factors(ship) + sum(ship.alive[index] for index in extra_parties)
    return max(total - ship.record.parties_away, 0)


def magazine_fault(ship: ShipState, fit: Fit) -> str:
    """Return why no magazine feeds a launcher, "" if a working one does.

    Rules: Continuum "Mountings and magazines" 6.6 [pc.salvo-missiles]
    """
    if not fit.magazine:
        return reason("no-magazine-feeds", "no magazine supplies it")
    if ship.alive[ship.profile.index_of[fit.magazine]]:
        return ""
    return reason("magazine-out-of-action", "its {} is out of action", fit.magazine)


def marines_of(ship: ShipState) -> list[int]:
    """Return the indexes in `Sheet.fits` of the marines that are alive and aboard.

    Rules: Continuum "Marines" 12.7 [pc.boarding]
    """
    away = ship.record.marines_away
    result: list[int] = []
    for index in ship.profile.indexes_by_type.get(MARINES, ()):
        if ship.alive[index] and ship.sheet.fits[index].id not in away:
            result.append(index)
    return result
