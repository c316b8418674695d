"""Who has won: by the agreed conditions, by being the only side left, or by points for losses.

Rules: 2E "Introductory scenario" [2e.first-battle]; 2E "The attack on Convoy 990" [2e.convoy-990];
2E "Mining station Con-Am 12" [2e.con-am-12]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypedDict

from engine.core.kinds import (
    DERELICT_STATUSES,
    DESTROYED,
    FIGHTING,
    FTL,
    HULK,
    IN_PLAY,
    LANDED,
    LEFT_TABLE,
    RETURNING,
    Fate,
    FtlDrive,
)
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import Terms, VictoryCondition
from engine.core.transport import rooms_of, without_room

LOSSES = "losses"  # the side that inflicted the most losses, in points, wins
SCORINGS = (LOSSES,)

INTACT, DAMAGED, CRIPPLED, GONE = 0, 25, 50, 100  # per cent of a ship's points
# A ship that disengaged counts in full.
GONE_STATUSES = (DESTROYED, LEFT_TABLE, RETURNING, FTL, LANDED, *DERELICT_STATUSES)
CRIPPLED_ROWS = 2

ALONE = reason("no-hostile-sides-left", "no hostile sides are left in play")
LAST_TURN = reason("last-turn", "the last turn is over")


def scored_percentage(ship: ShipState) -> int:
    """Return the share of a ship's points, in per cent, that its owner's enemies score.

    All for a ship that is destroyed, disengaged, cloaked or taken over. Half if it is crippled: two
    rows of its track gone, or it has lost all weapons that fire more than once, all FireCons or all
    thrust that it began with. A quarter if it is damaged.

    Rules: Continuum "Introductory scenario" 4.12 [pc.intro-scenario]
    """
    if ship.status in GONE_STATUSES or ship.record.cloaked or ship.is_taken_over:
        return GONE
    if ship.status != FIGHTING:
        return INTACT
    if _crippled(ship):
        return CRIPPLED
    if ship.damage:
        return DAMAGED
    return INTACT


def _crippled(ship: ShipState) -> bool:
    ends = ship.profile.row_ends
    if len(ends) >= CRIPPLED_ROWS:
        rows = ends[CRIPPLED_ROWS - 1][0]
    else:
        rows = ship.sheet.boxes
    if ship.damage >= rows:
        return True
    fits, alive = ship.sheet.fits, ship.alive
    guns = []
    for index, fit in enumerate(fits):
        if fit.offensive and not fit.expendable:
            guns.append(index)
    if guns and not any(alive[index] for index in guns):
        return True
    return bool(ship.profile.firecons and not ship.firecons) or bool(
        ship.sheet.thrust and not ship.thrust
    )


def points_lost(ship: ShipState) -> int:
    """Return the points that a ship's enemies score, rounded down.

    Rules: Continuum 4.12 [pc.intro-scenario]
    """
    if ship.dummy:
        return 0
    return ship.sheet.points * scored_percentage(ship) // 100


def scores(state: BattleState) -> tuple[int, ...]:
    """Return the points of each side: what the sides hostile to it have lost, by owner."""
    lost = [0] * len(state.sides)
    without = stranded_riders(state)
    for ship in state.ships:
        lost[ship.owner] += ship.sheet.points if ship in without else points_lost(ship)
    scores: list[int] = []
    for side in range(len(state.sides)):
        scores.append(
            sum(points for other, points in enumerate(lost) if state.hostile[side] >> other & 1)
        )
    return tuple(scores)


def stranded_riders(state: BattleState) -> list[ShipState]:
    """Return the battleriders left without a mothership that could carry them; they count as lost.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    stranded: list[ShipState] = []
    owners = {ship.owner for ship in state.ships if ship.record.rider}
    for side in sorted(owners):
        own = []
        for ship in state.ships:
            if ship.owner == side and ship.status not in GONE_STATUSES and not ship.is_taken_over:
                own.append(ship)
        riders = []
        for ship in own:
            if ship.record.rider and ship.sheet.ftl == FtlDrive.NONE:
                riders.append(ship)
        rooms: list[int] = []
        for ship in own:
            if ship not in riders:
                rooms += rooms_of(ship.sheet, ship.lost_systems())
        masses = [ship.sheet.mass for ship in riders]
        stranded += [riders[place] for place in without_room(masses, rooms)]
    return stranded


def best_score(state: BattleState) -> tuple[str | None, str]:
    """Return the side that scored most (None for a tie), and the reason.

    Rules: Continuum 4.12 [pc.intro-scenario]
    """
    points_by_side = scores(state)
    best = max(points_by_side)
    first = [side for side, points in enumerate(points_by_side) if points == best]
    summary = ", ".join(
        f"{name} {points}" for name, points in zip(state.sides, points_by_side, strict=True)
    )
    return (state.sides[first[0]] if len(first) == 1 else None), reason(
        "points-scored", "points scored: {}", summary
    )


class OutcomeDocument(TypedDict):
    """The outcome of a battle as a document."""

    winner: str | None
    draw: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a battle.

    Attributes:
        winner: A side; None for a draw, or if several friendly sides are left.
        draw: No side won.
        reason: What decided the battle.
    """

    winner: str | None
    draw: bool
    reason: str

    def to_json(self) -> OutcomeDocument:
        return {"winner": self.winner, "draw": self.draw, "reason": self.reason}


def decide_outcome(state: BattleState, *, last: bool) -> Outcome | None:
    """Return the outcome if the end of this turn decides the battle, else None.

    The first condition that holds decides. Conditions for the end of the battle count once no two
    hostile sides are left in play.

    Args:
        last: No turn follows.

    Rules: 2E "Introductory scenario" [2e.first-battle]; 2E "The attack on Convoy 990"
    [2e.convoy-990]; 2E "Mining station Con-Am 12" [2e.con-am-12]; Continuum "Introductory scenario"
    4.12 [pc.intro-scenario]
    """
    conditions = state.terms.victory
    alone, winner = sole_side(state)
    over = alone or last
    for condition in conditions:
        if (over or not condition.at_end) and is_condition_met(state, condition):
            return Outcome(condition.winner or None, not condition.winner, condition.reason)
    if over and state.terms.scoring:
        best, summary = best_score(state)
        return Outcome(best, best is None, summary)
    if alone:
        return Outcome(winner, winner is None and not _is_anybody_left(state), ALONE)
    if last:
        return Outcome(None, True, LAST_TURN)
    return None


def is_condition_met(state: BattleState, condition: VictoryCondition) -> bool:
    """Return whether a condition holds now."""
    return _count(state, condition) >= condition.least


def _count(state: BattleState, condition: VictoryCondition) -> int:
    ships = [ship for ship in state.ships if ship.id in condition.ships]
    ground = _on_ground(state, condition)
    if condition.fate == Fate.DAMAGED:
        return sum(ship.damage for ship in ships) + sum(int(piece.damage) for piece in ground)
    return sum(has_met_fate(ship, condition.fate) for ship in ships) + _ruins(state, condition)


def _on_ground(state: BattleState, condition: VictoryCondition) -> list[Any]:
    """Return the ground targets that a condition names beside ships.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    return [piece for piece in state.pieces if piece.id in condition.ships]


def _ruins(state: BattleState, condition: VictoryCondition) -> int:
    """Count the condition's ground targets in ruins, if it counts destroyed targets."""
    if condition.fate == Fate.DESTROYED:
        return sum(bool(piece.is_ruined) for piece in _on_ground(state, condition))
    return 0


def has_met_fate(ship: ShipState, fate: Fate) -> bool:
    """Return whether a ship has met a fate.

    Stranded ships are destroyed, derelict, or without an FTL drive. A ship that was taken over
    counts as destroyed for its owner and does not escape.

    Rules: 2E "The attack on Convoy 990" [2e.convoy-990]
    """
    if fate == Fate.DESTROYED:
        return ship.status == DESTROYED or ship.is_taken_over
    if fate == Fate.ESCAPED:
        return ship.status == FTL and not ship.is_taken_over
    if ship.is_taken_over:
        return True
    return ship.status != FTL and (ship.status in (DESTROYED, HULK) or not can_jump(ship))


def known_terms(state: BattleState, side: int) -> Terms:
    """Return the terms as one side may act on them.

    Foreign ships have their contact codes, those not identified are left out. `ships` of a
    condition are those that have yet to meet its fate, and `least` is the number still needed (0:
    it holds).
    """
    names: dict[str, str] = {}
    for ship in state.ships:
        names[ship.id] = ship.id if ship.owner == side else ship.contact
    hidden: list[str] = []
    for ship in state.ships:
        if ship.bogey and ship.commander != side:
            hidden.append(ship.id)
    visible: list[str] = []
    for ship in state.ships:
        if ship.commander == side or ship.status == FIGHTING:
            visible.append(ship.id)
    conditions = []
    for condition in state.terms.victory:
        open_targets = []
        for name in condition.ships:
            if name in visible and name not in hidden:
                open_targets.append(name)
        wanting = condition.least
        # Including those left behind
        ground = {piece.id: piece for piece in _on_ground(state, condition)}
        ships = [name for name in condition.ships if name not in ground]
        if condition.fate == Fate.DAMAGED:
            wanting -= sum(state.ship_by_name(name).damage for name in ships if name not in visible)
            wanting -= sum(piece.damage for piece in ground.values())
        else:
            open_targets = [
                name
                for name in open_targets
                if not has_met_fate(state.ship_by_name(name), condition.fate)
            ]
            wanting -= sum(
                has_met_fate(state.ship_by_name(name), condition.fate)
                for name in ships
                if name not in hidden
            )
            wanting -= _ruins(state, condition)
        conditions.append(
            replace(
                condition, ships=tuple(names[name] for name in open_targets), least=max(wanting, 0)
            )
        )
    berths = tuple((names.get(name, name), masses) for name, masses in state.terms.berths)
    return replace(state.terms, victory=tuple(conditions), berths=berths)


def can_jump(ship: ShipState) -> bool:
    """Return whether a ship has a working FTL drive."""
    return ship.profile.ftl >= 0 and ship.alive[ship.profile.ftl] > 0


def sole_side(state: BattleState) -> tuple[bool, str | None]:
    """Return whether no two hostile sides are left in play, and the one remaining side or None."""
    sides_in_play = 0
    for ship in state.ships:
        if not ship.dummy and ship.status in IN_PLAY:
            sides_in_play |= 1 << ship.commander
    here = [side for side in range(len(state.sides)) if sides_in_play >> side & 1]
    if any(state.hostile[side] & sides_in_play for side in here):
        return False, None
    return True, state.sides[here[0]] if len(here) == 1 else None


def _is_anybody_left(state: BattleState) -> bool:
    return any(state.in_play(side) for side in range(len(state.sides)))
