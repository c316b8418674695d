"""Antimatter suicide charges: set off by order, or by damage that nobody mended in time.

Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
"""

from __future__ import annotations

from engine.combat.rows import settle
from engine.combat.shields import apart, layers_over
from engine.combat.wounds import wound
from engine.dice import Dice
from engine.events.damage import Burned, ChargeRolled, Destroyed, Detonated
from engine.events.event import Sink
from engine.notes import DETONATING, FOR_GOOD, note
from engine.rolls import HULL, PLAIN, Wound
from engine.ship import BERTHED, DESTROYED, FIGHTING, HULK, IN_PLAY, ShipState
from engine.state import BattleState
from engine.systems.antimatter import AT_THE_CORE, EXPLODES_ON, blast_dice, burn
from engine.systems.screens import MOST_OWN

CHARGE = "suicide-charge"
ON_TABLE = (FIGHTING, HULK)  # whoever an explosion reaches


def unspent(ship: ShipState) -> tuple[str, ...]:
    """The charges of a ship that have not gone off, damaged or not."""
    names = (ship.sheet.fits[place].id for place in ship.rig.places.get(CHARGE, ()))
    return tuple(name for name in names if note(FOR_GOOD, name) not in ship.notes)


def detonate(state: BattleState, turn: int, dice: Dice, sink: Sink | None) -> None:
    """Phase 13 begins: ships that were so ordered blow themselves up, shot to pieces in this turn's fire or not, all at
    once and with all their charges. What they do to others goes into the checks of this phase.

    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """
    for ship in [ship for ship in state.ships if ship.status == FIGHTING and ship.notes.get(DETONATING)]:
        charges = unspent(ship)
        if charges:
            _blast(state, ship, charges, turn, dice, sink)
            wound(ship, (Wound(ship.sheet.boxes, HULL),), CHARGE, turn, sink)
            ship.destroy()
            if sink is not None:
                sink(Destroyed(turn, ship.id, CHARGE))


def follow_destruction(state: BattleState, turn: int, dice: Dice, sink: Sink | None) -> None:
    """A phase that destroys ships at once ends: those that were to blow themselves up do so; who is hurt checks now.

    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """
    for ship in [ship for ship in state.ships if ship.status == DESTROYED and ship.notes.get(DETONATING)]:
        charges = unspent(ship)
        if charges:
            before = {other.id: other.damage for other in state.ships}
            _blast(state, ship, charges, turn, dice, sink)
            _settle_all(state, before, ship, turn, dice, sink)


def damaged_charges(state: BattleState, turn: int, dice: Dice, sink: Sink | None) -> None:
    """Phase 15: a die for every damaged charge, all before any goes off; who is hurt checks at once.

    The ship that carries it takes it on its hull past armour and screens, and may live. Under a cloaking field, or off
    the table, nobody else is touched.
    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """
    going_off: list[tuple[ShipState, tuple[str, ...]]] = []
    for ship in state.ships:
        damaged = [name for name in unspent(ship) if not ship.alive[ship.rig.index_of[name]]]
        if not damaged or ship.status not in (*IN_PLAY, HULK):
            continue
        rolls = tuple((name, dice.roll("charge", f"{ship.id}/{name}")) for name in damaged)
        if sink is not None:
            sink(ChargeRolled(turn, ship.id, rolls))
        charges = tuple(name for name, die in rolls if die >= EXPLODES_ON)
        if charges:
            going_off.append((ship, charges))
    for ship, charges in going_off:
        before = {other.id: other.damage for other in state.ships}
        _blast(state, ship, charges, turn, dice, sink)
        thrown, points = burn(AT_THE_CORE * len(charges), 0, dice, f"{ship.id}/{charges[0]}>{ship.id}")
        if sink is not None:
            sink(Burned(turn, ship.id, f"{CHARGE}:{ship.id}", thrown, 0, points))
        wound(ship, (Wound(points, HULL),), f"{CHARGE}:{ship.id}", turn, sink)
        _settle_all(state, before, ship, turn, dice, sink)


def _blast(
    state: BattleState, ship: ShipState, charges: tuple[str, ...], turn: int, dice: Dice, sink: Sink | None
) -> None:
    """Charges go off: what they do to every other ship within 3 MU, friends too, in file order."""
    ship.burn_out(charges)
    if sink is not None:
        sink(Detonated(turn, ship.id, (ship.x, ship.y), charges))
    if ship.status not in (*ON_TABLE, DESTROYED):
        return
    for other in state.ships:
        if other is ship or other.status not in ON_TABLE or other.docking == BERTHED:
            continue
        number = blast_dice(apart(ship, other), len(charges))
        if not number:
            continue
        screens = min(layers_over(state, other)[0], MOST_OWN)
        thrown, points = burn(number, screens, dice, f"{ship.id}/{charges[0]}>{other.id}")
        if sink is not None:
            sink(Burned(turn, other.id, f"{CHARGE}:{ship.id}", thrown, screens, points))
        wound(other, (Wound(points, PLAIN),), f"{CHARGE}:{ship.id}", turn, sink)


def _settle_all(
    state: BattleState, before: dict[str, int], ship: ShipState, turn: int, dice: Dice, sink: Sink | None
) -> None:
    """Whoever an explosion hurt is destroyed or checks now."""
    for other in state.ships:
        if other.damage > before[other.id] and other.status in (*IN_PLAY, HULK):
            settle(state, other, before[other.id], f"{CHARGE}:{ship.id}", turn, dice, sink)
