"""The formation in which a computer admiral sets up for each of its battles."""

from __future__ import annotations

from campaign.rules.orders import BattleSetUp
from campaign.rules.scenario import Scenario
from campaign.rules.set_up_sheets import known_file, own_ids
from campaign.rules.view import View
from engine.captains.line_up import choose_formation
from engine.notation.battles import read_battle


def choose_set_ups(scenario: Scenario, view: View) -> tuple[BattleSetUp, ...]:
    """Return the formations that suit the admiral's fleets; fleets without one begin in ranks."""
    set_ups = []
    for sheet in view.set_ups:
        ids = own_ids(sheet)
        state = read_battle(known_file(scenario, view, sheet), {}).state
        formation = choose_formation([ship for ship in state.ships if ship.id in ids])
        if formation:
            set_ups.append(BattleSetUp(sheet.hex, formation=formation))
    return tuple(set_ups)
