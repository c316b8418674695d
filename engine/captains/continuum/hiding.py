"""When a captain hides ships under their cloaks: all together, where that leaves the foe little to
fire at, or one that would not live.

Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.captains.common.courses import Option
from engine.captains.common.helm import fire_through
from engine.captains.common.range_tables import compass_of
from engine.captains.continuum.marks import Mark, boxes_of, defences, going, shell_of, strength
from engine.captains.continuum.veiling import exchange
from engine.continuum.defence_orders import cloaking
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.systems.defences import CLOAKS, DEVICE, FIELD, voided

UNDER_DEVICE = 0.2  # of the fire at a ship that still hits it under a cloaking device
# How much the fire that is spared has to outweigh the fire given up.
HIDES: Mapping[str, float] = {DEVICE: 0.7, FIELD: 1.2}
LEAST = 0.2  # points of fire feared below which nobody hides
IDLE = 0.3  # of the most its fire does: a ship that does less is not in the fight yet
LONGEST = 3  # turns a ship vanishes for
# Of the boxes it has left: a ship that could be lost hides rather than do less damage than that
LAST = 0.5


def may_hide(state: BattleState, ship: ShipState, option: Option, never: tuple[str, ...]) -> str:
    """How a ship could cloak this turn (as `cloaking` has it), "" where it cannot or would not."""
    if (
        ship.status != FIGHTING
        or ship.warm
        or ship.docking != FREE
        or ship.record.cloaked > state.turn
    ):
        return ""
    if all(type_ in never for type_ in CLOAKS if type_ in ship.profile.places):
        return ""
    how = cloaking(ship)
    fast = voided(int((option.gx * option.gx + option.gy * option.gy) ** 0.5 + 0.5))
    return "" if how == DEVICE and fast else how


def who_hides(
    state: BattleState, options: Mapping[str, Option], marks: list[Mark], never: tuple[str, ...]
) -> dict[str, int]:
    """The ships that hide, each with the turns it hides for.

    `options`: the moves of the side's ships.

    Nobody vanishes for an ambush while friends who cannot are under fire.
    """
    own = [ship for ship in state.ships if ship.id in options and ship.status == FIGHTING]
    ways = {ship.id: how for ship in own if (how := may_hide(state, ship, options[ship.id], never))}
    if not ways or not marks:
        return {}
    feared = {ship.id: _fire_at(state, ship, options[ship.id], marks) for ship in own}
    given = {
        ship.id: exchange(state, ship, options[ship.id], marks, never).given
        for ship in own
        if ship.id in ways
    }
    if together := _together(ways, feared, given):
        return dict.fromkeys(together, 1)
    left_alone = any(sum(fires) > LEAST for name, fires in feared.items() if name not in ways)
    found: dict[str, int] = {}
    for ship in own:
        if ship.id not in ways:
            continue
        left = ship.sheet.boxes - ship.damage + boxes_of(ship)
        if not left_alone and (
            turns := _ambush(ship, options[ship.id], marks, given[ship.id], never)
        ):
            found[ship.id] = turns
        elif sum(feared[ship.id]) > left and given[ship.id] < left * LAST:
            found[ship.id] = 1
    return found


def _together(
    ways: Mapping[ShipId, str], feared: dict[ShipId, list[float]], given: dict[ShipId, float]
) -> list[ShipId]:
    """The ships that hide together, those first that give up least: who leaves the foe so much less
    to fire at that it outweighs their own fire. Those who can vanish altogether do it all or none.

    `feared`: the fire of each foe at each ship; `given`: theirs, if they stay.
    """
    order = sorted(ways, key=lambda name: (given[name] / (sum(feared[name]) + LEAST), name))
    leaks = {name: UNDER_DEVICE if how == DEVICE else 0.0 for name, how in ways.items()}
    best, together = LEAST, 0
    for number in range(1, len(order) + 1):
        under = order[:number]
        through = [
            [fire * leaks[name] for fire in fires] if name in under else fires
            for name, fires in feared.items()
        ]
        spared = sum(map(max, zip(*feared.values(), strict=True))) - sum(
            map(max, zip(*through, strict=True))
        )
        gain = spared - sum(given[name] * HIDES[ways[name]] for name in under)
        if gain > best:
            best, together = gain, number
    return order[:together] if DEVICE in ways.values() or together == len(order) else []


def _ambush(
    ship: ShipState, option: Option, marks: list[Mark], given: float, never: tuple[str, ...]
) -> int:
    """For how many turns a ship vanishes to come out beside the foe; 0 where it is in the fight or
    far from it.
    """
    if given > strength(ship, never) * IDLE:
        return 0
    away, mark = min(
        (((mark.x - option.x) ** 2 + (mark.y - option.y) ** 2) ** 0.5, n)
        for n, mark in enumerate(marks)
    )
    gx, gy = going(marks[mark].contact)
    speed = (option.gx**2 + option.gy**2) ** 0.5 + (gx * gx + gy * gy) ** 0.5 + ship.thrust
    turns = int(away / max(speed, 1.0) + 0.5)
    return turns if 1 <= turns <= LONGEST else 0


def _fire_at(state: BattleState, ship: ShipState, option: Option, marks: list[Mark]) -> list[float]:
    """The fire each foe could give a ship at the end of a move."""
    (ward, stretch), shell = defences(state, ship), shell_of(ship)
    slope = compass_of(ship.sheet.edition).slope
    return [
        fire_through(
            mark.fire_at(ward, shell),
            option.x - mark.x,
            option.y - mark.y,
            (mark.ux, mark.uy),
            slope,
            stretch,
        )
        for mark in marks
    ]
