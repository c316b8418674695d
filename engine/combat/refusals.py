"""Why a weapon with orders does not fire, in the words of the log, where both rulebooks say the same."""

from __future__ import annotations

NO_TARGET = "no target in range, in its arcs and in sight"
NO_SYSTEM = "no target in range, in its arc and in sight has that system in working order"
OUT_OF_ACTION = "it is out of action"
SPENT = "it has been fired"
FIRED = "it has fired this turn"
NO_WEAPONS = "a drone has no weapons"
MADE_FAST = "a docked ship cannot fire"
