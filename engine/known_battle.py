"""A battle as one side knows it, for checking its orders and for advice by captains.

It is built only from the side's view. A foreign ship is its contact code with what was seen of it,
an unidentified one a hull without systems, and what is out of sight does not exist. No fault,
advice or delay can therefore reveal anything hidden.

Rules: 2E "Sensors and target identification" [2e.sensors]
"""

from __future__ import annotations

from engine.battle import Battle
from engine.combat.unidentified import unidentified_hull
from engine.core.ids import ShipId
from engine.core.state import BattleState
from engine.view.contact_ships import absent_ship, ship_from_contact
from engine.view.side_view import observe


def known_battle(battle: Battle, side: int) -> Battle:
    """Return the battle at its present stop as `side` knows it.

    The side sees the same, and can give the same orders, in both battles. Foreign ships and groups
    have their contact codes as ids, also in victory conditions.
    """
    true = battle.state
    view = observe(true, side)
    unknown = unidentified_hull(battle.edition)
    foreign = [ship_from_contact(contact, unknown) for contact in view.contacts]
    for contact, ship in zip(view.contacts, foreign, strict=True):
        if not contact.is_speed_known:  # it decloaked this turn, so its velocity is not known yet
            ship.record = ship.record.with_values(decloaked_turn=true.turn)
    ships = [*view.own_ships, *foreign]
    for ship in ships:
        if ship.id in view.boarders:
            ship.set_boarders({side: view.boarders[ship.id]})
    names = true.foreign_names(side)
    for ship in view.own_ships:
        ship.dock = ShipId(names.get(ship.dock, ship.dock))
    state = BattleState(
        true.sides,
        true.hostile,
        true.table,
        true.bogeys,
        turn=true.turn,
        stop=true.stop,
        ships=ships,
        terms=view.terms,
    )
    state.pieces = view.pieces
    on_table: list[str] = [ship.id for ship in ships]
    for piece in view.pieces:  # the ship it came from may be gone
        if piece.home and piece.home not in on_table:
            ships.append(absent_ship(piece.home, piece.owner, unknown))
            on_table.append(piece.home)
    return Battle(battle.edition, battle.options, state, winner=None, events=[])
