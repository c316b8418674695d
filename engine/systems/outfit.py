"""Systems sold by the piece that are neither weapons nor defences: fighter bays, FireCons, minesweepers."""

from __future__ import annotations

from engine.core.kinds import SweepOutcome
from engine.pricelists.ware import SystemSpec

FIGHTER_BAYS = (
    SystemSpec("fighter-bay", "", "Fighter bay with its group", 6, 20, "2e.fighters", classifications=("capital",)),
)

CARRIER_BAYS = 3  # a ship built with as many bays is a carrier
LAUNCHES, CARRIER_LAUNCHES = 1, 2  # groups a turn
LANDINGS = 1  # groups a turn, carrier or not


def launches(bays: int) -> int:
    """How many groups a ship with so many fighter bays launches in a turn. Rules: 2E "Fighters" [2e.fighters]"""
    return CARRIER_LAUNCHES if bays >= CARRIER_BAYS else LAUNCHES


def bay_name(word: str) -> str:
    """A bay's id as an order may name it: `bay-2` is short for `fighter-bay-2`."""
    return f"fighter-{word}" if word.startswith("bay-") else word


FIRE_CONTROL = (SystemSpec("firecon", "", "Extra fire control system", 3, 10, "2e.fire-control"),)


SWEEPER = "minesweeper"
MINESWEEPERS = (SystemSpec(SWEEPER, "", "Minesweeping system", 5, 20, "2e.mines"),)

REACH = 3.0  # MU of a minesweeper

# What a minesweeper's die does to a mine.
SWEEPING: tuple[str, ...] = ("", SweepOutcome.DETONATES, SweepOutcome.MISSED, *(SweepOutcome.SWEPT,) * 4)
