"""Fighter bays: hangar, launch gear and a full group of six craft in one system, for carriers and dreadnoughts."""

from __future__ import annotations

from engine.ruleset import SystemSpec

FIGHTER_BAYS = (
    SystemSpec("fighter-bay", "", "Fighter bay with its group", 6, 20, "2e.fighters", classifications=("capital",)),
)
