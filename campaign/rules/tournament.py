"""Tournaments: the table of results so far, and the pairs of the next round.

A Swiss tournament pairs neighbours in the table who have not met yet; in a round robin all players
meet each other once. Pairing follows from the results alone, without dice.

Rules: Continuum "Tournament fleets" 18.2 [pc.fleet-composition, camp.tournament]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.kinds import PAIRINGS

SWISS, ALL = PAIRINGS
MIN_PLAYERS, MAX_PLAYERS = 2, 64
DEFAULT_WIN, DEFAULT_DRAW = 3, 1

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one battle.

    Attributes:
        winner: The player who won; None: a draw.
        scored: The points that each player scored in the battle, in the order of the pair.
    """

    round: int
    pair: Pair
    winner: str | None
    scored: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bye:
    """A round in which a player has no opponent."""

    round: int
    player: str


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament and its results so far.

    Attributes:
        players: The names of the players; of equal players the earlier comes first in the table.
        rounds: The number of rounds of a Swiss tournament; see `round_count`.
        win: The points for a win, and for a round without an opponent.
        draw: The points for a draw.
        dropped: The players who dropped out; they stay in the table and are not paired any more.
    """

    players: tuple[str, ...]
    rounds: int
    pairing: str = SWISS
    win: int = DEFAULT_WIN
    draw: int = DEFAULT_DRAW
    results: tuple[Result, ...] = ()
    byes: tuple[Bye, ...] = ()
    dropped: frozenset[str] = frozenset()


@dataclass(slots=True)
class TableRow:
    """A player's line in the table.

    Attributes:
        points: For wins, draws and rounds without an opponent.
        scored: Points scored in battles.
        lost: Points that opponents scored in these battles.
        played: Number of battles.
    """

    player: str
    points: int = 0
    scored: int = 0
    lost: int = 0
    played: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the line as JSON."""
        return {
            "player": self.player,
            "points": self.points,
            "scored": self.scored,
            "lost": self.lost,
            "played": self.played,
        }


@dataclass(frozen=True, slots=True)
class NextRound:
    """The next round of a tournament; without pairs if the tournament is over.

    Attributes:
        byes: The players without an opponent. Several are possible only in a round robin, if
            players have dropped out.
    """

    number: int
    pairs: tuple[Pair, ...] = ()
    byes: tuple[str, ...] = ()
    is_over: bool = False


def table_of(tournament: Tournament) -> list[TableRow]:
    """Return the table, best player first.

    Points decide, then the difference of scores, then the score, then the list of players.
    """
    rows = {player: TableRow(player) for player in tournament.players}
    for result in tournament.results:
        _add_result(rows, tournament, result)
    for bye in tournament.byes:
        rows[bye.player].points += tournament.win
    return sorted(rows.values(), key=lambda row: (-row.points, row.lost - row.scored, -row.scored))


def _add_result(rows: dict[str, TableRow], tournament: Tournament, result: Result) -> None:
    first, second = (rows[player] for player in result.pair)
    for row, scored, lost in (
        (first, result.scored[0], result.scored[1]),
        (second, result.scored[1], result.scored[0]),
    ):
        row.played += 1
        row.scored += scored
        row.lost += lost
        if result.winner is None:
            row.points += tournament.draw
        elif result.winner == row.player:
            row.points += tournament.win


def round_count(tournament: Tournament) -> int:
    """Return the number of rounds: as agreed, or until all players have met."""
    if tournament.pairing == SWISS:
        return tournament.rounds
    count = len(tournament.players)
    return count - 1 + count % 2


def next_round(tournament: Tournament) -> NextRound:
    """Return the round after the last one of which there is a result.

    A tournament also ends when fewer than two players are left in it.
    """
    number = _last_round(tournament) + 1
    players_left = len(tournament.players) - len(tournament.dropped)
    if number > round_count(tournament) or players_left < MIN_PLAYERS:
        return NextRound(number, is_over=True)
    if tournament.pairing == ALL:
        return _circle_round(tournament.players, number, tournament.dropped)
    return _swiss_round(tournament, number)


def _last_round(tournament: Tournament) -> int:
    rounds = [result.round for result in tournament.results]
    rounds += [bye.round for bye in tournament.byes]
    return max(rounds, default=0)


def _circle_round(players: Sequence[str], number: int, dropped: Collection[str] = ()) -> NextRound:
    """Pair the players around a circle: the first keeps the place, the others turn by one a round.

    An odd number of players leaves one place empty; its neighbour has no opponent. The places of
    players who dropped out stay empty as well.
    """
    places: list[str | None] = list(players)
    if len(places) % 2:
        places.append(None)
    turns = (number - 1) % (len(places) - 1)
    others = places[1:]
    circle = [places[0], *others[len(others) - turns :], *others[: len(others) - turns]]
    pairs = []
    byes = []
    half = len(circle) // 2
    for facing in zip(circle[:half], reversed(circle[half:]), strict=True):
        present = [player for player in facing if player is not None and player not in dropped]
        if len(present) == len(facing):
            pairs.append((present[0], present[1]))
        else:
            byes += present
    return NextRound(number, tuple(pairs), tuple(byes))


def _swiss_round(tournament: Tournament, number: int) -> NextRound:
    """Pair the players in the order of the table.

    Of an odd number the lowest who has not yet been without an opponent is left out.
    """
    order = []
    for row in table_of(tournament):
        if row.player not in tournament.dropped:
            order.append(row.player)
    byes = []
    if len(order) % 2:
        byes.append(_left_out(order, {bye.player for bye in tournament.byes}))
        order.remove(byes[0])
    earlier_pairs = {frozenset(result.pair) for result in tournament.results}
    pairs = _new_pairs(tuple(order), earlier_pairs, set())
    if pairs is None:
        pairs = tuple(zip(order[::2], order[1::2], strict=True))
    return NextRound(number, pairs, tuple(byes))


def _left_out(order: Sequence[str], had_bye: Collection[str]) -> str:
    """Return the lowest player without a bye so far, or the lowest if all had one."""
    for player in reversed(order):
        if player not in had_bye:
            return player
    return order[-1]


def _new_pairs(
    order: tuple[str, ...], met: Collection[frozenset[str]], hopeless: set[tuple[str, ...]]
) -> tuple[Pair, ...] | None:
    """Return the first way in the order of the table to pair players who have not met.

    Args:
        order: The players still to be paired, best first.
        met: The pairs that have met.
        hopeless: Players who cannot all be paired; those found here are added.

    Returns:
        None if there is no way.
    """
    if not order:
        return ()
    if order in hopeless:
        return None
    highest = order[0]
    for place in range(1, len(order)):
        if frozenset((highest, order[place])) in met:
            continue
        rest = _new_pairs(order[1:place] + order[place + 1 :], met, hopeless)
        if rest is not None:
            return ((highest, order[place]), *rest)
    hopeless.add(order)
    return None
