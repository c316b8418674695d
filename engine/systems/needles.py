"""Needle beams: snipers at single systems. Each mount looks through one arc only."""

from __future__ import annotations

from engine.ruleset import SystemSpec

NEEDLE_BEAMS = (SystemSpec("needle", "", "Needle beam", 2, 6, "2e.needle-beams", arcs="one", offensive=True),)
