"""How many ships there can be: one table for scenarios, orders, fleets and battles.

What one of them allows the others can do: a battle takes all ships that can ever meet in a war,
those of its scenario, those built later, and dummy counters.
"""

from __future__ import annotations

FACTIONS = 12
DUMMIES = 50  # counters of one faction
# Of all factions as it begins, with reinforcements; also of a deployment and of a fleet list
SHIPS_OF_A_WAR = 3000
SHIPS_BUILT = 3000  # later, by all factions
SHIPS_OF_A_BATTLE = SHIPS_OF_A_WAR + SHIPS_BUILT + DUMMIES * FACTIONS


def ships_of_a_navy(factions: int) -> int:
    """Return up to how many ships yards build for each of so many factions."""
    return (SHIPS_OF_A_WAR + SHIPS_BUILT) // max(1, factions)
