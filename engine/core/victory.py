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
from engine.core.reason import Reason, reason
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
    """Return the percentage of a ship's points that its owner's enemies score.

    All of them for a ship that is destroyed, disengaged, cloaked or taken over; half if it is
    crippled; a quarter if it is damaged.

    Rules: Continuum "Introductory scenario" 4.12 [pc.intro-scenario]
    """
    if ship.status in GONE_STATUSES or ship.record.cloaked or ship.is_taken_over:
        return GONE
    if ship.status != FIGHTING:
        return INTACT
    if _is_crippled(ship):
        return CRIPPLED
    if ship.damage:
        return DAMAGED
    return INTACT


def _is_crippled(ship: ShipState) -> bool:
    """Return whether two rows of its track are gone, or all guns, FireCons or thrust it began with.

    Rules: Continuum "Introductory scenario" 4.12 [pc.intro-scenario]
    """
    if ship.damage >= _boxes_in_crippling_rows(ship) or _has_lost_all_guns(ship):
        return True
    has_lost_firecons = bool(ship.profile.firecons) and not ship.firecons
    has_lost_thrust = ship.sheet.thrust > 0 and not ship.thrust
    return has_lost_firecons or has_lost_thrust


def _boxes_in_crippling_rows(ship: ShipState) -> int:
    """Return the boxes of the first two rows of the damage track, or of the whole track."""
    ends = ship.profile.row_ends
    if len(ends) >= CRIPPLED_ROWS:
        return ends[CRIPPLED_ROWS - 1][0]
    return ship.sheet.boxes


def _has_lost_all_guns(ship: ShipState) -> bool:
    """Return whether a ship began with weapons that fire more than once and none of them works."""
    has_guns = False
    for index, fit in enumerate(ship.sheet.fits):
        if fit.offensive and not fit.expendable:
            if ship.alive[index]:
                return False
            has_guns = True
    return has_guns


def points_lost(ship: ShipState) -> int:
    """Return the points that a ship's enemies score, rounded down.

    Rules: Continuum 4.12 [pc.intro-scenario]
    """
    if ship.dummy:
        return 0
    return ship.sheet.points * scored_percentage(ship) // 100


def scores(state: BattleState) -> tuple[int, ...]:
    """Return the points of each side: what the sides hostile to it have lost, by owner."""
    lost_points = [0] * len(state.sides)
    stranded = stranded_riders(state)
    for ship in state.ships:
        if ship in stranded:
            lost_points[ship.owner] += ship.sheet.points
        else:
            lost_points[ship.owner] += points_lost(ship)
    scores: list[int] = []
    for side in range(len(state.sides)):
        enemies = [other for other in range(len(state.sides)) if state.hostile[side] >> other & 1]
        scores.append(sum(lost_points[enemy] for enemy in enemies))
    return tuple(scores)


def stranded_riders(state: BattleState) -> list[ShipState]:
    """Return the battleriders left without a mothership that could carry them; they count as lost.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    stranded: list[ShipState] = []
    owners = {ship.owner for ship in state.ships if ship.record.rider}
    for owner in sorted(owners):
        stranded += _stranded_riders_of(state, owner)
    return stranded


def _stranded_riders_of(state: BattleState, owner: int) -> list[ShipState]:
    """Return a side's riders without FTL drive for which its other ships have no room."""
    riders: list[ShipState] = []
    rooms: list[int] = []
    for ship in state.ships:
        if ship.owner != owner or ship.is_taken_over or ship.status in GONE_STATUSES:
            continue
        if ship.record.rider and ship.sheet.ftl == FtlDrive.NONE:
            riders.append(ship)
        else:
            rooms += rooms_of(ship.sheet, ship.lost_systems())
    masses = [rider.sheet.mass for rider in riders]
    return [riders[index] for index in without_room(masses, rooms)]


def best_score(state: BattleState) -> tuple[str | None, str]:
    """Return the side that scored most (None for a tie), and the reason.

    Rules: Continuum 4.12 [pc.intro-scenario]
    """
    points_by_side = dict(zip(state.sides, scores(state), strict=True))
    best = max(points_by_side.values())
    leaders = [side for side, points in points_by_side.items() if points == best]
    summary = ", ".join(f"{side} {points}" for side, points in points_by_side.items())
    winner = leaders[0] if len(leaders) == 1 else None
    return winner, reason("points-scored", "points scored: {}", summary)


def scores_in(text: str) -> list[tuple[str, str]]:
    """Return the sides with their points if a text is a reason of `best_score`, else nothing."""
    if not isinstance(text, Reason) or text.code != "points-scored":
        return []
    (summary,) = text.values
    pairs = [part.rpartition(" ") for part in str(summary).split(", ")]
    return [(side, points) for side, _, points in pairs]


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
    no_enemies_left, winner = sole_side(state)
    over = no_enemies_left or last
    condition = _first_condition_met(state, over=over)
    if condition is not None:
        return Outcome(condition.winner or None, not condition.winner, condition.reason)
    if over and state.terms.scoring:
        best, summary = best_score(state)
        return Outcome(best, best is None, summary)
    if no_enemies_left:
        return Outcome(winner, winner is None and not _is_anybody_left(state), ALONE)
    if last:
        return Outcome(None, True, LAST_TURN)
    return None


def _first_condition_met(state: BattleState, *, over: bool) -> VictoryCondition | None:
    """Return the first condition that holds; conditions for the end count only if it is `over`."""
    for condition in state.terms.victory:
        if (over or not condition.at_end) and is_condition_met(state, condition):
            return condition
    return None


def is_condition_met(state: BattleState, condition: VictoryCondition) -> bool:
    """Return whether a condition holds now."""
    return _progress(state, condition) >= condition.least


def _progress(state: BattleState, condition: VictoryCondition) -> int:
    """Return how many ships and targets met the condition's fate, or their damage points."""
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
    names: dict[str, str] = {ship.id: _name_for(ship, side) for ship in state.ships}
    conditions = [_known_condition(state, condition, side) for condition in state.terms.victory]
    berths = tuple((names.get(name, name), masses) for name, masses in state.terms.berths)
    return replace(state.terms, victory=tuple(conditions), berths=berths)


def _known_condition(
    state: BattleState, condition: VictoryCondition, side: int
) -> VictoryCondition:
    """Return a condition as one side may know it; see `known_terms`."""
    ground_targets = _on_ground(state, condition)  # including those left behind
    ground_ids = [target.id for target in ground_targets]
    ships = [state.ship_by_name(name) for name in condition.ships if name not in ground_ids]
    if condition.fate == Fate.DAMAGED:
        # Damage of ships still in sight is counted by the side itself.
        unseen_ships = [ship for ship in ships if not _is_in_sight(state, ship, side)]
        progress = sum(ship.damage for ship in unseen_ships)
        progress += sum(target.damage for target in ground_targets)
        remaining = ships
    else:
        known_ships = [ship for ship in ships if not _is_unidentified(ship, side)]
        progress = sum(has_met_fate(ship, condition.fate) for ship in known_ships)
        progress += _ruins(state, condition)
        remaining = [ship for ship in ships if not has_met_fate(ship, condition.fate)]
    names = []
    for ship in remaining:
        if _is_in_sight(state, ship, side) and not _is_unidentified(ship, side):
            names.append(_name_for(ship, side))
    return replace(condition, ships=tuple(names), least=max(condition.least - progress, 0))


def _is_in_sight(state: BattleState, ship: ShipState, side: int) -> bool:
    """Return whether a side commands a ship or sees it fight."""
    if state.set_up is not None and state.set_up.hides(ship, side):
        return False
    return ship.commander == side or ship.status == FIGHTING


def _is_unidentified(ship: ShipState, side: int) -> bool:
    """Return whether a ship is a bogey to a side."""
    return ship.bogey and ship.commander != side


def _name_for(ship: ShipState, side: int) -> str:
    """Return a side's name for a ship: the id of its own ships, the contact code of others."""
    if ship.owner == side:
        return ship.id
    return ship.contact


def can_jump(ship: ShipState) -> bool:
    """Return whether a ship has a working FTL drive."""
    return ship.profile.ftl >= 0 and ship.alive[ship.profile.ftl] > 0


def sole_side(state: BattleState) -> tuple[bool, str | None]:
    """Return whether no two hostile sides are left in play, and the one remaining side or None."""
    sides_in_play = 0
    for ship in state.ships:
        if not ship.dummy and ship.status in IN_PLAY:
            sides_in_play |= 1 << ship.commander
    present = [side for side in range(len(state.sides)) if sides_in_play >> side & 1]
    if any(state.hostile[side] & sides_in_play for side in present):
        return False, None
    return True, state.sides[present[0]] if len(present) == 1 else None


def _is_anybody_left(state: BattleState) -> bool:
    """Return whether any side has real ships that are on the table or may come to it."""
    return any(state.in_play(side) for side in range(len(state.sides)))
