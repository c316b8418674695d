"""Pulse torpedoes: tubes fixed forward, whose bolts go through screens."""

from __future__ import annotations

from engine.ruleset import SystemSpec

PULSE_TORPEDOES = (
    SystemSpec("pulse-torpedo", "", "Pulse torpedo tube", 5, 15, "2e.pulse-torpedoes", arcs="fore", offensive=True),
)
