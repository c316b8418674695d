"""What a captain's parties repair first, and when it dumps a power core.

Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Core systems" 10.3
[pc.core-systems]
"""

from __future__ import annotations

from engine.captains.common.doctrine import Doctrine
from engine.continuum.boarding import BoarderOrders
from engine.continuum.cores import BRIDGE, LIFE_SUPPORT, POWER_CORE
from engine.continuum.damage_control import (
    MAX_PARTIES,
    has_control,
    has_foreign_boarders,
    repairable_systems,
)
from engine.continuum.reactors import BLAST_RADIUS
from engine.core.geometry import is_within, squared_length
from engine.core.kinds import FIGHTING
from engine.core.orders import AT_HULL, Control, Repair
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.terms import BOARDING, NO_REPAIRS, REACTOR_BREACH
from engine.systems.outfit import MARINES, parties_of
from engine.view.side_view import Contact, SideView
from engine.weapons.weapon import Trait

# Priority of repairs by type of system. Weapons count by their class; all others have OTHER.
WORTH: dict[str, float] = {
    POWER_CORE: 100.0,
    BRIDGE: 95.0,
    LIFE_SUPPORT: 90.0,
    "firecon": 20.0,
    "advanced-firecon": 22.0,
    "drive": 25.0,
    "screen": 24.0,
    "advanced-screen": 26.0,
    "ftl": 6.0,
}
WEAPON = 10.0
WEAPON_CLASS = 3.0  # in addition, per class
OTHER = 5.0
CHARGE = 85.0  # it may explode on its own
BLIND = 80.0  # a FireCon for a ship without any
NO_THRUST = 60.0  # the drive of a ship without any thrust
LEAVING = 70.0  # the FTL drive of a ship that means to leave


def control_orders(view: SideView, doctrine: Doctrine) -> dict[str, Control]:
    """Return damage control for every ship of the side with a decision to make.

    A "straight" captain gives no orders. The chances of parties on one job add up, so as many as
    possible go to the most wanted system.
    """
    if doctrine.style == "straight":
        return {}
    options = view.terms.options
    result: dict[str, Control] = {}
    for ship in view.own_ships:
        if has_control(ship, options):
            result[ship.id] = _control_of(ship, view, doctrine)
    return result


def board_orders(view: SideView, doctrine: Doctrine) -> BoarderOrders:
    """Return orders for boarders: one fights each visible marine, the rest damage the ship.

    Marines who are left alone shoot anyway, and every marine killed is one less later.
    Rules: Continuum "Boarding" 12.7 [pc.boarding]
    """
    orders: BoarderOrders = {}
    if doctrine.style == "straight" or not view.boarders:
        return orders
    for contact in view.contacts:
        own_boarders = view.boarders.get(contact.id)
        if own_boarders is not None and contact.hostile:  # aboard a friend they only defend
            boarder_count = min(_visible_marines(contact), sum(own_boarders))
            if boarder_count:
                orders[view.side, contact.id] = boarder_count
    return orders


def _visible_marines(contact: Contact) -> int:
    """Return how many marines a contact is known to have left."""
    if contact.sheet is None or contact.lost_systems is None:
        return 0
    lost_ids = contact.lost_systems()
    marines = [fit for fit in contact.sheet.fits if fit.type == MARINES]
    return sum(fit.id not in lost_ids for fit in marines)


def _repelling(ship: ShipState, view: SideView, parties_left: int) -> tuple[tuple[int, str], ...]:
    """Return the parties that fight hostile boarders, three to each while they last.

    They go for boarders who damage the hull, the most harmful ones.
    """
    foes = 0
    for side, units in ship.boarders_by_side().items():
        if view.hostile >> side & 1:
            foes += sum(units)
    teams: list[tuple[int, str]] = []
    while parties_left and len(teams) < foes:
        teams.append((min(parties_left, MAX_PARTIES), AT_HULL))
        parties_left -= teams[-1][0]
    return tuple(teams)


def _control_of(ship: ShipState, view: SideView, doctrine: Doctrine) -> Control:
    """Return a ship's damage control: repel boarders first, then repair what is worth most.

    A reactor about to explode is dumped, which ends the ship's part in the battle, if the ship is
    of no more use or endangers friends.
    """
    repel: tuple[tuple[int, str], ...] = ()
    if BOARDING in view.terms.options and has_foreign_boarders(ship):
        repel = _repelling(ship, view, parties_of(ship))
    parties_left = 0
    if NO_REPAIRS not in view.terms.options:
        parties_left = parties_of(ship) - sum(party_count for party_count, _ in repel)
    reactor_fails = ship.record.reactor > 0
    return Control(
        _repairs(ship, doctrine, parties_left),
        dump=reactor_fails and (_is_useless(ship) or _endangers_friends(ship, view)),
        repel=repel,
    )


def _repairs(ship: ShipState, doctrine: Doctrine, parties_left: int) -> tuple[Repair, ...]:
    """Return the repairs that a number of parties make, in the order of the sheet."""
    index_of = ship.profile.index_of
    fits = {fit.id: fit for fit in ship.sheet.fits}
    most_wanted_first = sorted(
        repairable_systems(ship),
        key=lambda name: (-_worth(ship, fits[name], doctrine), index_of[name]),
    )
    repairs: list[Repair] = []
    for name in most_wanted_first:
        if parties_left:
            repairs.append(Repair(name, min(parties_left, MAX_PARTIES)))
            parties_left -= repairs[-1].parties
    repairs.sort(key=lambda repair: index_of[repair.system])
    return tuple(repairs)


def _worth(ship: ShipState, fit: Fit, doctrine: Doctrine) -> float:
    """Return how urgent the repair of a system is, on the scale of WORTH."""
    urgent = _urgency(ship, fit, doctrine)
    if urgent is not None:
        return urgent
    if fit.type in WORTH:
        return WORTH[fit.type]
    if fit.offensive:
        return WEAPON + WEAPON_CLASS * fit.size
    return OTHER


def _urgency(ship: ShipState, fit: Fit, doctrine: Doctrine) -> float | None:
    """Return the worth of a system that the ship needs in its present state, or None."""
    if fit.type == "drive" and not ship.thrust:
        return NO_THRUST
    if "firecon" in fit.type and not ship.firecons:
        return BLIND
    if fit.type == "ftl" and (doctrine.flee or ship.record.withdrawing):
        return LEAVING
    if Trait.SUICIDE in ship.profile.weapons[ship.profile.index_of[fit.id]].traits:
        return CHARGE
    return None


def _is_useless(ship: ShipState) -> bool:
    """Return whether a ship can do nothing more that would be worth the risk of losing it."""
    armed = any(fit.offensive and ship.alive[index] for index, fit in enumerate(ship.sheet.fits))
    return not (armed and ship.firecons)


def _endangers_friends(ship: ShipState, view: SideView) -> bool:
    """Return whether its explosion would catch more friends than enemies."""
    if REACTOR_BREACH not in view.terms.options:
        return False
    friend_count = foe_count = 0
    for friend in view.own_ships:
        is_other = friend.id != ship.id and friend.status == FIGHTING and not friend.dummy
        if is_other and _is_in_blast(ship, friend):
            friend_count += 1
    for contact in view.contacts:
        if contact.hostile and _is_in_blast(ship, contact):
            foe_count += 1
    return friend_count > foe_count


def _is_in_blast(ship: ShipState, other: ShipState | Contact) -> bool:
    """Return whether the explosion of a ship's power core would reach another ship."""
    return is_within(squared_length(other.x - ship.x, other.y - ship.y), BLAST_RADIUS)
