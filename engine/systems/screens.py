"""Defensive screens: one generator a level, each a system by itself, three at most."""

from __future__ import annotations

from engine.ruleset import SystemSpec

SCREENS = (SystemSpec("screen", "", "Screen generator", 3, 25, "2e.screens", most=3, civil=True, most_on_merchant=1),)
