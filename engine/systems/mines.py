"""Minelayers, bought with their three mines, and the sweepers that clear them."""

from __future__ import annotations

from engine.ruleset import SystemSpec

MINE_WARFARE = (
    SystemSpec("minelayer", "", "Minelayer with three mines", 3, 10, "2e.mines", expendable=True),
    SystemSpec("minesweeper", "", "Minesweeping system", 5, 20, "2e.mines"),
)
