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
from engine.core.sheet import Sheet
from engine.core.state import BattleState
from engine.view.contact_ships import absent_ship, ship_from_contact
from engine.view.side_view import observe


def known_battle(battle: Battle, side: int) -> Battle:
    """Return the battle at its present stop as `side` knows it.

    The side sees the same, and can give the same orders, in both battles. Foreign ships and groups
    have their contact codes as ids, also in victory conditions.
    """
    true_state = battle.state
    view = observe(true_state, side)
    unknown_hull = unidentified_hull(battle.edition)
    foreign_ships = [ship_from_contact(contact, unknown_hull) for contact in view.contacts]
    for contact, ship in zip(view.contacts, foreign_ships, strict=True):
        if not contact.is_speed_known:  # it decloaked this turn, so its velocity is not known yet
            ship.record = ship.record.with_values(decloaked_turn=true_state.turn)
    ships = [*view.own_ships, *foreign_ships]
    for ship in ships:
        if ship.id in view.boarders:
            ship.set_boarders({side: view.boarders[ship.id]})
    names = true_state.foreign_names(side)
    for ship in view.own_ships:
        ship.dock = ShipId(names.get(ship.dock, ship.dock))
    state = BattleState(
        true_state.sides,
        true_state.hostile,
        true_state.table,
        true_state.bogeys,
        turn=true_state.turn,
        stop=true_state.stop,
        ships=ships,
        terms=view.terms,
    )
    state.pieces = view.pieces
    state.set_up = view.set_up
    state.firing = view.firing
    if side in true_state.lets:
        state.lets = {side: true_state.lets[side]}
    _add_absent_carriers(state, unknown_hull)
    return Battle(battle.edition, battle.options, state, winner=None, events=[])


def _add_absent_carriers(state: BattleState, unknown_hull: Sheet) -> None:
    """Add the ships that pieces came from and that may be gone, as ships out of the battle."""
    ids: set[str] = {ship.id for ship in state.ships}
    for piece in state.pieces:
        if piece.home and piece.home not in ids:
            state.ships.append(absent_ship(piece.home, piece.owner, unknown_hull))
            ids.add(piece.home)
