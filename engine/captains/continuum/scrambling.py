"""Which groups a captain scrambles from carriers that fighters attack.

Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
"""

from __future__ import annotations

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.flying import STRENGTH, taken_by
from engine.continuum.craft.scramble import scramble_fault, scramblers
from engine.continuum.craft.targets import attackers_of
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.registry import craft_type

WORTH_A_SCRAMBLE = 2.0  # craft that a group takes in a fight, in the mean, for which it scrambles


def scrambled(state: BattleState, ship: ShipState, doctrine: Doctrine) -> tuple[str, ...]:
    """The bays whose groups a ship under attack of fighters scrambles, those first that do most in a fight: not for a
    few attackers, as a mishap may wreck the bay.

    Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
    """
    rows = {bay: craft_type(ship.profile.craft[ship.profile.index_of[bay]]) for bay in scramblers(state, ship)}
    able = {
        bay: ship.stock[ship.profile.index_of[bay]] * taken_by(row)
        for bay, row in rows.items()
        if ship.sheet.fits[ship.profile.index_of[bay]].type not in doctrine.never
    }
    raiders = [group for group in attackers_of(state, ship) if not group.row.berth]
    able = {bay: taken for bay, taken in able.items() if taken >= WORTH_A_SCRAMBLE}
    if sum(group.craft for group in raiders) < STRENGTH:
        return ()
    bays: tuple[str, ...] = ()
    for bay in sorted(able, key=lambda bay: (-able[bay], bay)):
        if len(bays) < len(raiders) and not scramble_fault(state, ship, (*bays, bay)):
            bays = (*bays, bay)
    return bays
