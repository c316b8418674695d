"""A battle as one side knows it: what orders are judged by and captains advise on, built from the side's view alone.

Nothing of the truth is in it: another side's ship is its contact code with what was seen of it, an unidentified one a
hull without systems, what is out of sight is not there. So no fault, no advice and no delay can tell what is hidden.
Rules: 2E "Sensors and target identification" [2e.sensors]
"""

from __future__ import annotations

from dataclasses import replace

from engine.battle import Battle
from engine.drones import drone
from engine.notation.designs import load_sheet
from engine.pieces import Group
from engine.rigging import full_stock, refit, rig_of
from engine.sheet import Sheet
from engine.state import DESTROYED, BattleState, ShipState
from engine.view import Contact, Flyer, observe

UNKNOWN = "unidentified"


def blinded(battle: Battle, side: int) -> Battle:
    """The battle at its present stop as `side` knows it: what it sees, what it may order and how are the same in both.

    Foreign ships and groups have their contact codes for ids, in the conditions of victory too.
    """
    true = battle.state
    view = observe(true, side)
    unknown = load_sheet(drone(battle.edition, UNKNOWN, "none"))
    ships = [*view.own, *(_ship(contact, unknown) for contact in view.contacts)]
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
            ships.append(_gone(nova.ship, nova.side, unknown))
            on_table.append(nova.ship)
    return Battle(battle.edition, battle.options, state, None, [])


def _ship(contact: Contact, unknown: Sheet) -> ShipState:
    """A contact as a ship of which nothing but what was seen is known."""
    ship = _gone(contact.id, contact.side, contact.sheet or unknown)
    ship.x, ship.y, ship.course, ship.velocity = contact.x, contact.y, contact.course, contact.velocity
    for name in contact.lost() if contact.lost is not None else ():
        ship.alive[ship.rig.index_of[name]] -= 1
    ship.armed, ship.armour, ship.notes, ship.drift = contact.armed, contact.armour, dict(contact.notes), contact.drift
    ship.damage, ship.warm, ship.status = contact.damage, contact.warm, contact.status
    ship.bogey, ship.label = contact.sheet is None, contact.label
    refit(ship)
    return ship


def _gone(id_: str, side: int, sheet: Sheet) -> ShipState:
    """A ship that is not on the table."""
    full = full_stock(sheet)
    return ShipState(
        id=id_,
        side=side,
        sheet=sheet,
        rig=rig_of(sheet),
        x=0.0,
        y=0.0,
        course=12,
        velocity=0,
        damage=0,
        alive=list(rig_of(sheet).whole),
        thrust=0,
        screens=0,
        firecons=0,
        power=(),
        status=DESTROYED,
        bogey=False,
        dummy=False,
        label="",
        contact=id_,
        warm=False,
        holds_fire=False,
        edge="",
        due=0,
        stock=[full.get(fit.id, 0) for fit in sheet.fits],
    )


def _group(flyer: Flyer) -> Group:
    place = flyer.x, flyer.y, flyer.course
    return Group(flyer.id, flyer.side, flyer.id, "", "", flyer.craft, *place, dogfight=flyer.dogfight)
