"""FireCons bought beyond those a classification brings as standard."""

from __future__ import annotations

from engine.pricelists.ware import SystemSpec

FIRE_CONTROL = (SystemSpec("firecon", "", "Extra fire control system", 3, 10, "2e.fire-control"),)
