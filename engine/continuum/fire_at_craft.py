"""Fire of ships at craft that are in no fight, and how those evade it.

Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.continuum.craft.targets import engaged
from engine.continuum.fire_at_bodies import bare_shot, laid_on
from engine.continuum.fire_control import FireControl, FirePhase, pay
from engine.core.orders import Fire
from engine.core.rolls import Effect, Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.pieces.craft_events import Evaded, GroupShotAt
from engine.pieces.group import Group

HITS_ON = 6
EVADING = "the group evades"


def aim_at_group(state: BattleState, ship: ShipState, index: int, fire: Fire, name: str) -> tuple[Group, Shot] | None:
    """The group of that name and the shot at it, before any die, where a weapon may fire at one: hostile, not engaged,
    in range, arc and sight.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    group = state.find(Group, name)
    if group is None or not state.hostile[ship.commander] >> group.commander & 1 or engaged(state, group):
        return None
    shot = bare_shot(state, ship, index, fire, group)
    return None if shot is None else (group, shot)


def evades(phase: FirePhase, ship: ShipState, fires: Sequence[Fire]) -> None:
    """Before a ship fires, in place: groups evade that were told to from as many weapons as it aims at them.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    state = phase.table.state
    for group in state.of(Group):
        if not group.evades_at or group.evading or group.exhausted or engaged(state, group):
            continue
        aimed = [fire for fire in fires if fire.targets[:1] == (group.id,)]
        able = [fire for fire in aimed if aim_at_group(state, ship, _place(ship, fire), fire, group.id) is not None]
        if len(able) >= group.evades_at:
            group.evade()
            phase.table.tell(Evaded, group.id)


def _place(ship: ShipState, fire: Fire) -> int:
    return ship.profile.index_of[fire.weapon]


def fire_at_group(phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl, group: Group, shot: Shot) -> str:
    """A weapon's one die at a group, whatever it is and however far: a 6 takes a craft. Why it does not fire, "" where
    it did.

    Rules: Continuum "Ship fire against fighters" 8.6 [pc.fire-at-fighters]
    """
    if group.evading:
        return EVADING
    if why := laid_on(phase, ship, fire, control, group):
        return why
    table, index = phase.table, ship.profile.index_of[fire.weapon]
    die = table.dice.roll("to-hit", shot.subject)
    hits = int(die >= HITS_ON)
    table.tell(GroupShotAt, ship.id, fire.weapon, group.id, shot.true_distance, (die,), hits)
    pay(table, ship, index, shot.mode, Effect((die,)))
    group.take(table, hits, f"fire:{ship.id}")
    return ""
