"""The largest numbers of ships and turns, shared by scenarios, orders, fleets and battles.

A battle accepts all ships that can ever meet in a war: those of its scenario, those built later,
and dummy counters.
"""

from __future__ import annotations

FACTIONS = 12
DUMMIES = 50  # counters of one faction
# All factions at the start, with reinforcements; also the limit of a deployment and a fleet list.
SHIPS_OF_A_WAR = 3000
SHIPS_BUILT = 3000  # built later, by all factions
DEFAULT_MAX_TURNS = 30  # of a battle
SHIPS_OF_A_BATTLE = SHIPS_OF_A_WAR + SHIPS_BUILT + DUMMIES * FACTIONS


def ships_of_a_navy(factions: int) -> int:
    """Return how many ships the yards of each faction may build."""
    return (SHIPS_OF_A_WAR + SHIPS_BUILT) // max(1, factions)
