"""Who has won: the agreed conditions of a battle, else the side that is left alone.

Rules: 2E "Introductory scenario" [2e.first-battle]; 2E "The attack on Convoy 990" [2e.convoy-990];
2E "Mining station Con-Am 12" [2e.con-am-12]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.core.scoring import scored
from engine.core.ship import DESTROYED, FIGHTING, FTL, HULK, IN_PLAY, ShipState
from engine.core.state import BattleState
from engine.core.terms import Condition, Terms

ALONE = "no hostile sides are left in play"
LAST_TURN = "the last turn is over"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a battle ended. `winner`: a side, None where nobody won or several sides that are no enemies are left.

    `draw`: nobody won; `why`: what decided it.
    """

    winner: str | None
    draw: bool
    why: str

    def to_json(self) -> dict[str, Any]:
        return {"winner": self.winner, "draw": self.draw, "why": self.why}


def judge(state: BattleState, *, last: bool) -> Outcome | None:
    """The outcome where a turn's end decides the battle, or `last` says that no turn follows; None while it goes on.

    The first condition that holds counts. Those judged at the end count once no two hostile sides are left in play.
    Rules: 2E "Introductory scenario" [2e.first-battle]; 2E "The attack on Convoy 990" [2e.convoy-990];
    2E "Mining station Con-Am 12" [2e.con-am-12]; Continuum "Introductory scenario" 4.12 [pc.intro-scenario]
    """
    conditions = state.terms.victory
    alone, winner = sole_side(state)
    over = alone or last
    for condition in conditions:
        if (over or not condition.at_end) and holds(state, condition):
            return Outcome(condition.winner or None, not condition.winner, condition.why)
    if over and state.terms.scoring:
        best, told = scored(state)
        return Outcome(best, best is None, told)
    if alone:
        return Outcome(winner, winner is None and not _anybody(state), ALONE)
    return Outcome(None, True, LAST_TURN) if last else None


def holds(state: BattleState, condition: Condition) -> bool:
    """Whether a condition holds now."""
    return _count(state, condition) >= condition.least


def _count(state: BattleState, condition: Condition) -> int:
    ships = [ship for ship in state.ships if ship.id in condition.ships]
    if condition.fate == "damaged":
        return sum(ship.damage for ship in ships)
    return sum(met(ship, condition.fate) for ship in ships)


def met(ship: ShipState, fate: str) -> bool:
    """Whether a ship has met a fate. `stranded`: destroyed, adrift, or without a drive that could take it into FTL.

    Rules: 2E "The attack on Convoy 990" [2e.convoy-990]
    """
    if fate == "destroyed":
        return ship.status == DESTROYED
    if fate == "escaped":
        return ship.status == FTL
    return ship.status != FTL and (ship.status in (DESTROYED, HULK) or not jumps(ship))


def known_terms(state: BattleState, side: int) -> Terms:
    """The terms as one side may act on them: foreign ships under their contact codes, those not identified left out.

    `ships` of a condition are those still to meet its fate, `least` what is still wanting of it (0: it holds).
    """
    called = {ship.id: ship.id if ship.side == side else ship.contact for ship in state.ships}
    hidden = [ship.id for ship in state.ships if ship.bogey and ship.side != side]
    shown = [ship.id for ship in state.ships if ship.side == side or ship.status == FIGHTING]
    conditions = []
    for condition in state.terms.victory:
        left = [name for name in condition.ships if name in shown and name not in hidden]
        wanting = condition.least
        if condition.fate == "damaged":
            wanting -= sum(state.ship(name).damage for name in condition.ships if name not in shown)
        else:
            left = [name for name in left if not met(state.ship(name), condition.fate)]
            wanting -= sum(met(state.ship(name), condition.fate) for name in condition.ships if name not in hidden)
        conditions.append(replace(condition, ships=tuple(called[name] for name in left), least=max(wanting, 0)))
    berths = tuple((called.get(name, name), masses) for name, masses in state.terms.berths)
    return replace(state.terms, victory=tuple(conditions), berths=berths)


def jumps(ship: ShipState) -> bool:
    """Whether a ship has a working FTL drive."""
    return ship.rig.ftl >= 0 and ship.alive[ship.rig.ftl] > 0


def sole_side(state: BattleState) -> tuple[bool, str | None]:
    """Whether no two hostile sides are left in play, and the side that alone is left (None: nobody, or several)."""
    left = 0
    for ship in state.ships:
        if not ship.dummy and ship.status in IN_PLAY:
            left |= 1 << ship.side
    here = [side for side in range(len(state.sides)) if left >> side & 1]
    if any(state.hostile[side] & left for side in here):
        return False, None
    return True, state.sides[here[0]] if len(here) == 1 else None


def _anybody(state: BattleState) -> bool:
    return any(state.in_play(side) for side in range(len(state.sides)))
