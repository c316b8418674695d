"""A battle as one side knows it: what orders are judged by and captains advise on, built from the side's view alone.

Nothing of the truth is in it: another side's ship is its contact code with what was seen of it, an unidentified one a
hull without systems, what is out of sight is not there. So no fault, no advice and no delay can tell what is hidden.
Rules: 2E "Sensors and target identification" [2e.sensors]
"""

from __future__ import annotations

from dataclasses import replace

from engine.battle import Battle
from engine.combat.decoys import unidentified_hull
from engine.core.state import BattleState
from engine.pieces import Group
from engine.view.seen_ships import absent, ship_seen
from engine.view.side_view import Flyer, observe


def blinded(battle: Battle, side: int) -> Battle:
    """The battle at its present stop as `side` knows it: what it sees, what it may order and how are the same in both.

    Foreign ships and groups have their contact codes for ids, in the conditions of victory too.
    """
    true = battle.state
    view = observe(true, side)
    unknown = unidentified_hull(battle.edition)
    ships = [*view.own, *(ship_seen(contact, unknown) for contact in view.contacts)]
    called = true.called_by(side)
    for ship in view.own:
        ship.dock = called.get(ship.dock, ship.dock)
    state = BattleState(true.sides, true.hostile, true.table, true.bogeys, true.turn, true.stop, ships, view.terms)
    state.groups = [*view.groups, *(_group(flyer) for flyer in view.flyers)]
    state.mines = [replace(mine, known=1 << side) for mine in view.mines]
    state.rocks, state.novas = view.rocks, view.novas
    on_table = [ship.id for ship in ships]
    for nova in view.novas:  # whoever fired it may be gone since
        if nova.ship not in on_table:
            ships.append(absent(nova.ship, nova.side, unknown))
            on_table.append(nova.ship)
    return Battle(battle.edition, battle.options, state, None, [])


def _group(flyer: Flyer) -> Group:
    place = flyer.x, flyer.y, flyer.course
    return Group(flyer.id, flyer.side, flyer.id, "", "", flyer.craft, *place, dogfight=flyer.dogfight)
