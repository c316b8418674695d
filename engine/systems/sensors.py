"""Weasels: decoy emitters that give a small ship the signature of a cruiser or of a capital ship.

Sensors themselves come free with every hull. A ship shows one signature, so it carries one weasel.
"""

from __future__ import annotations

from engine.ruleset import SystemSpec

WEASELS = (
    SystemSpec("weasel", "cruiser", "Weasel, cruiser signature", 1, 20, "2e.dummies", most=1),
    SystemSpec("weasel", "capital", "Weasel, capital signature", 1, 40, "2e.dummies", most=1),
)
