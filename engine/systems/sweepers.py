"""Minesweepers: they set mines off, or clear them."""

from __future__ import annotations

from engine.pricelists.ware import SystemSpec

SWEEPER = "minesweeper"
MINESWEEPERS = (SystemSpec(SWEEPER, "", "Minesweeping system", 5, 20, "2e.mines"),)

REACH = 3.0  # MU of a minesweeper

# What a minesweeper's die does to a mine.
DETONATES, MISSED, SWEPT = "detonates", "missed", "swept"
SWEEPING: tuple[str, ...] = ("", DETONATES, MISSED, SWEPT, SWEPT, SWEPT, SWEPT)
