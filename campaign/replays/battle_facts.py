"""What decided a battle, from one side's report: losses by turn, the turning point, its best ship.

Pure functions of the log that the side read, so they say no more than it does. Docs:
`docs/reference/battle-results.md` has the measures.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from campaign.replays.events import shot_of
from engine.core.kinds import ShipStatus
from engine.events.damage import ShipDamaged
from engine.events.event import Event
from engine.pieces.group_events import GroupLaunched
from engine.pieces.marker import OrdnanceLaunched, OrdnanceStruck
from engine.view.event_reader import read_events


@dataclass(frozen=True, slots=True)
class ShipWorth:
    """What a ship is worth.

    Attributes:
        points: Its cost.
        boxes: Of its hull; 0 if unknown.
        is_own: Whether it is on the reader's side.
    """

    points: float
    boxes: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class TurnLosses:
    """What both sides lost in a turn, as far as the reader saw.

    Attributes:
        own: In points.
        theirs: In points.
        own_ships: How many of the reader's ships were lost.
        their_ships: How many others were lost.
    """

    turn: int
    own: float = 0
    theirs: float = 0
    own_ships: int = 0
    their_ships: int = 0

    @property
    def swing(self) -> float:
        """Return by how much the losses of the sides differ."""
        return abs(self.theirs - self.own)


@dataclass(frozen=True, slots=True)
class ShipScore:
    """What a ship of the reader scored.

    Attributes:
        hits: On ships, by its weapons, craft and missiles.
        destroyed: How many ships it hit last before they were destroyed.
    """

    key: str
    hits: int
    destroyed: int


@dataclass(frozen=True, slots=True)
class BattleFacts:
    """What decided a battle.

    Attributes:
        turning_point: None if no side lost anything.
        scores: Of the reader's ships that hit another.
        own_points: What the reader's side lost.
        their_points: What the others lost, as far as the reader saw.
    """

    turns: tuple[TurnLosses, ...]
    turning_point: TurnLosses | None
    scores: tuple[ShipScore, ...]
    own_points: int
    their_points: int

    @property
    def best_ship(self) -> ShipScore | None:
        """Return the reader's best ship; None if none hit another."""
        return best_of(self.scores)


def best_of(scores: Iterable[ShipScore]) -> ShipScore | None:
    """Return the score with the most hits; of equal ones that with more ships destroyed."""
    return max(scores, key=lambda score: (score.hits, score.destroyed), default=None)


@dataclass(slots=True)
class _Account:
    """What happened so far.

    Attributes:
        points_left: What is left of each ship's points.
        carriers: The ship of each group of craft, and of each marker of missiles.
        last_hit_by: The ship that hit a ship last.
    """

    points_left: dict[str, float]
    lost: set[str] = field(default_factory=set)
    carriers: dict[str, str] = field(default_factory=dict)
    last_hit_by: dict[str, str] = field(default_factory=dict)
    hits: Counter[str] = field(default_factory=Counter)
    destroyed: Counter[str] = field(default_factory=Counter)

    def add_hits(self, shooter: str, target: str, hits: int) -> None:
        """Credit a ship with the hits of its weapons, craft or missiles."""
        ship = self.carriers.get(shooter, shooter)
        if ship not in self.points_left:
            ship = ship.rpartition("/")[0]  # a group in flight since the beginning
        if hits > 0 and target in self.points_left:
            self.hits[ship] += hits
            self.last_hit_by[target] = ship

    def apply(self, event: Event) -> None:
        """Note the hits of an event, and what it launches."""
        shot = shot_of(event)
        if shot is not None:
            if not shot.shoots_down:
                self.add_hits(shot.shooter, shot.target, shot.hits)
            return
        match event:
            case GroupLaunched():
                self.carriers[str(event.group)] = str(event.ship)
            case OrdnanceLaunched():
                self.carriers[str(event.marker)] = str(event.ship)
            case OrdnanceStruck():
                self.add_hits(str(event.marker), str(event.ship), event.points)

    def damage(self, ship: str, points: float) -> float:
        """Take points from a ship, and return how many it had of them."""
        taken = min(self.points_left[ship], points)
        self.points_left[ship] -= taken
        return taken

    def lose(self, ship: str, status: ShipStatus) -> float:
        """Note that a ship is lost, and return the points that it still had."""
        self.lost.add(ship)
        if status == ShipStatus.DESTROYED and ship in self.last_hit_by:
            self.destroyed[self.last_hit_by[ship]] += 1
        return self.damage(ship, self.points_left[ship])

    def newly_lost(
        self, ended: Mapping[str, ShipStatus], lost_statuses: Collection[ShipStatus]
    ) -> list[str]:
        """Return the ships that are lost with these ends, and were not lost before."""
        ships = [ship for ship, status in ended.items() if status in lost_statuses]
        return [ship for ship in ships if ship in self.points_left.keys() - self.lost]


def facts_of(
    phases: Sequence[Mapping[str, Any]],
    worths: Mapping[str, ShipWorth],
    ends: Sequence[Mapping[str, ShipStatus]],
    lost: Collection[ShipStatus],
) -> BattleFacts:
    """Return what decided a battle.

    Args:
        phases: Of the side's report.
        worths: Of every ship that the report shows, decoys left out, by key.
        ends: For each phase, the status of the ships that left the battle in it.
        lost: The statuses of ships that are lost.
    """
    account = _Account({key: worth.points for key, worth in worths.items()})
    losses: dict[int, TurnLosses] = {}
    for phase, ended in zip(phases, ends, strict=True):
        amounts = _phase_amounts(read_events(phase["log"]), account, worths)
        lost_ships = account.newly_lost(ended, lost)
        for ship in lost_ships:
            amounts[ship] += account.lose(ship, ended[ship])
        turn = int(phase["turn"])
        losses[turn] = _added(losses.get(turn, TurnLosses(turn)), amounts, lost_ships, worths)
    turns = tuple(item for turn, item in sorted(losses.items()) if turn)
    turning = max(turns, key=lambda item: item.swing, default=None)
    return BattleFacts(
        turns=turns,
        turning_point=turning if turning is not None and turning.swing else None,
        scores=tuple(_own_scores(account, worths)),
        own_points=round(sum(item.own for item in turns)),
        their_points=round(sum(item.theirs for item in turns)),
    )


def _phase_amounts(
    events: Iterable[Event], account: _Account, worths: Mapping[str, ShipWorth]
) -> defaultdict[str, float]:
    """Return the points that damage took from each ship in a phase."""
    amounts: defaultdict[str, float] = defaultdict(float)
    for event in events:
        account.apply(event)
        if not isinstance(event, ShipDamaged) or event.ship not in worths:
            continue
        worth = worths[event.ship]
        if worth.boxes:
            points = worth.points * event.points / worth.boxes
            amounts[event.ship] += account.damage(event.ship, points)
    return amounts


def _added(
    before: TurnLosses,
    amounts: Mapping[str, float],
    lost: Sequence[str],
    worths: Mapping[str, ShipWorth],
) -> TurnLosses:
    """Return the losses of a turn with those of one more phase."""
    own = sum(amount for key, amount in amounts.items() if worths[key].is_own)
    own_ships = sum(worths[key].is_own for key in lost)
    return TurnLosses(
        turn=before.turn,
        own=before.own + own,
        theirs=before.theirs + sum(amounts.values()) - own,
        own_ships=before.own_ships + own_ships,
        their_ships=before.their_ships + len(lost) - own_ships,
    )


def _own_scores(account: _Account, worths: Mapping[str, ShipWorth]) -> Iterator[ShipScore]:
    """Yield what the reader's ships scored."""
    for key in sorted(account.hits):
        if key in worths and worths[key].is_own:
            yield ShipScore(key, account.hits[key], account.destroyed[key])
