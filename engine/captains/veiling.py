"""When a captain hides or covers his ships: cloaks, reflex fields, stealth, ECM.

Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]; Continuum "Reflex field" 7.25 [pc.reflex-field]
"""

from __future__ import annotations

from typing import NamedTuple

from engine.captains.courses import Option
from engine.captains.expected import STEP, STEPS
from engine.captains.marks import Mark, bearer_of, defences, facing, shell_of
from engine.captains.range_tables import arc_place, range_table
from engine.combat.shields import stealth_of, veiled, works
from engine.combat.veils import cloaking
from engine.movement.drives import AFLOAT
from engine.notes import CLOAKED, STEALTH_ACTIVE
from engine.state import FIGHTING, FREE, BattleState, ShipState
from engine.systems import stealth
from engine.systems.cloaks import DEVICE, voided

Words = list[tuple[str, tuple[str, ...]]]
CLOAKS = ("cloaking-device", "cloaking-field", "tuffley-cloak")
LOCKING_ON = ("salvo-launcher", "salvo-rack", "heavy-missile", "antimatter-missile", "hangar", "combined-hangar")
ORDERED = (*CLOAKS, "reflex-field", "stealth-field", "ecm")
UNDER_DEVICE = 0.2  # of the fire at a ship that still hits it under a cloaking device
# How much the fire a ship is spared has to outweigh the fire it gives up.
HIDES, REFLECTS = 1.2, 1.3
LEAST = 0.2  # points of fire feared below which nobody hides


class Exchange(NamedTuple):
    """The fire of a turn at the end of a move: given, and feared."""

    given: float
    taken: float


def exchange(
    state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...],
    level: int | None = None,
) -> Exchange:  # fmt: skip
    """What fire a ship may expect to give and to take at the end of a move. It fires at one foe, the best; foes share
    theirs among all they see. `level`: of stealth, where it is to have another than it has.
    """
    ward, stretch = defences(state, ship)
    level = stealth_of(ship) if level is None else level
    stretch = stretch if not (ship.sheet.stealth or level) else stealth.seems(1.0, level)
    bearer, shell = bearer_of(ship, never), shell_of(ship)
    ux, uy = facing(option.course, ship.sheet.beta)
    given = taken = 0.0
    for mark in marks:
        dx, dy = mark.x - option.x, mark.y - option.y
        distance = (dx * dx + dy * dy) ** 0.5
        step = int(distance * mark.stretch / STEP)
        if step < STEPS and distance <= stealth.aims_to(level):
            table = range_table(bearer, ship.sheet, mark.ward, mark.shell)
            given = max(given, table[arc_place(dx, dy, ux, uy) * STEPS + step])
        step = int(distance * stretch / STEP)
        if step < STEPS:
            taken += mark.fire_at(ward, shell)[arc_place(-dx, -dy, mark.ux, mark.uy) * STEPS + step]
    friends = sum(other.side == ship.side and other.status in AFLOAT for other in state.ships)
    return Exchange(given, taken / max(friends, 1))


def may_hide(state: BattleState, ship: ShipState, never: tuple[str, ...]) -> str:
    """How a ship could cloak this turn (as `cloaking` has it), "" where it cannot or would not."""
    if ship.status != FIGHTING or ship.warm or ship.docking != FREE or ship.notes.get(CLOAKED, 0) > state.turn:
        return ""
    if all(type_ in never for type_ in CLOAKS if type_ in ship.rig.places):
        return ""
    return cloaking(ship)


def hides(how: str, swap: Exchange, option: Option) -> bool:
    """Whether a ship rather hides through the fire of this turn than joins in it."""
    if too_fast(how, option):
        return False
    spared = swap.taken * (1.0 - UNDER_DEVICE if how == DEVICE else 1.0)
    return spared > LEAST and spared > swap.given * HIDES


def too_fast(how: str, option: Option) -> bool:
    """Whether a move is too fast for a cloak of this kind."""
    return how == DEVICE and voided(int((option.gx * option.gx + option.gy * option.gy) ** 0.5 + 0.5))


def under_cover(state: BattleState, ship: ShipState) -> bool:
    """Whether a ship will still be under its cloak when fire begins this turn."""
    return ship.notes.get(CLOAKED, 0) > state.turn


def may_veil(ship: ShipState) -> bool:
    """Whether a ship has anything to order about its defences at all."""
    return ship.sheet.stealth == stealth.MOST or any(name in ship.rig.places for name in ORDERED)


def _reflects(state: BattleState, ship: ShipState, swap: Exchange, never: tuple[str, ...]) -> bool:
    """Whether a ship raises its reflex field: outgunned, for behind it a ship fires nothing."""
    if not works(ship, "reflex-field") or "reflex-field" in never or veiled(ship) or under_cover(state, ship):
        return False
    return swap.taken > LEAST and swap.taken > swap.given * REFLECTS


def defence_words(
    state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...], swap: Exchange
) -> Words:
    """The words about a ship's own defences, but for cloaks, in a plot that flies this move. `swap`: the fire there."""
    words: Words = []
    if not marks or ship.status != FIGHTING or not may_veil(ship):
        return words
    if _reflects(state, ship, swap, never):
        words.append(("reflex", ()))
    words += _scanning(state, ship, option, marks, never)
    hunted = any(name in mark.ship.rig.places for mark in marks for name in LOCKING_ON)
    if hunted and works(ship, "ecm") and "ecm" not in never:
        words.append(("jam", ("ecm",)))
    return words


def _scanning(state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...]) -> Words:
    """Whether a ship of much stealth scans actively: where that lets it fire farther than it costs."""
    fields = works(ship, "stealth-field")
    if stealth.level(stealth.hull_level(ship.sheet, ship.damage), fields, active=False) < stealth.MOST:
        return []
    passive, active = (exchange(state, ship, option, marks, never, level) for level in (stealth.MOST, 1))
    wanted = active.given - active.taken > passive.given - passive.taken
    if wanted == bool(ship.notes.get(STEALTH_ACTIVE)):
        return []
    return [("stealth", ("active" if wanted else "passive",))]
