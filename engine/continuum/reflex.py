"""Reflex fields under fire: what of it their ship takes, and what goes back to whoever fired.

Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
"""

from __future__ import annotations

from engine.continuum.damage import wound
from engine.continuum.defences import works
from engine.core.notes import REFLEX
from engine.core.rolls import Effect, Wound
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.damage import Reflected
from engine.systems.fields import reflect
from engine.weapons.weapon import Trait, Weapon

ENERGY = Trait.ENERGY  # by itself: looking a trait up takes longer than asking a row for it


def gives_back(weapon: Weapon, mode: str) -> bool:
    """Whether a weapon's fire is of the kind that a reflex field meets: what standard screens weaken, in the mode in
    which they do.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    return ENERGY in weapon.traits and mode not in weapon.at_system


def reflexes(table: Table, ship: ShipState, hits: list[tuple[ShipState, Effect]]) -> tuple[Wound, ...]:
    """A die for each reflex field that a ship's energy weapons have fired at in its turn, hit or not: changes the
    effects in `hits`, and tells what comes back.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    back: list[Wound] = []
    targets = {target.id: target for target, effect in hits if effect.energy}
    for target in targets.values():
        if not target.notes.get(REFLEX) or not works(target, "reflex-field"):
            continue
        effects = [effect for other, effect in hits if other is target and effect.energy]
        wounds = tuple(one for effect in effects for one in effect.wounds)
        points = sum(one.points for one in wounds)
        die = table.dice.roll("reflex", f"{ship.id}>{target.id}")
        taken, returned = reflect(points, die)
        for effect in effects:
            effect.wounds = ()
        effects[0].wounds = first_of(wounds, taken)
        back += first_of(wounds, returned)
        table.tell(Reflected, target.id, ship.id, die, points, taken, returned)
    return tuple(back)


def first_of(wounds: tuple[Wound, ...], points: int) -> tuple[Wound, ...]:
    """The first so many points of wounds, each going through armour as it did."""
    left: list[Wound] = []
    for one in wounds:
        share = min(one.points, points)
        points -= share
        if share:
            left.append(Wound(share, one.kind, one.depth))
    return tuple(left)


def strike_back(table: Table, ship: ShipState, back: tuple[Wound, ...]) -> None:
    """What reflex fields returned hurts the ship that fired, past its screens."""
    if back:
        wound(table, ship, back, "reflex")
