"""Reads a tournament from its document, with the place of every fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from campaign.kinds import MAX_ROUNDS, PAIRINGS
from campaign.rules.tournament import (
    ALL,
    DEFAULT_DRAW,
    DEFAULT_WIN,
    MAX_PLAYERS,
    MIN_PLAYERS,
    SWISS,
    Bye,
    Result,
    Tournament,
)
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.phrase import phrase
from engine.notation.reading import Reader, is_pair, join_place

KEYS = ("players", "rounds", "pairing", "win", "draw", "results", "byes", "dropped")
RESULT_KEYS = ("round", "a", "b", "winner", "scored")
BYE_KEYS = ("round", "player")


def read_tournament(document: object) -> Tournament:
    """Return the tournament of a document.

    Raises:
        RuleViolations: With every fault.
    """
    if not isinstance(document, Mapping):
        words = phrase("a tournament must be an object with keys and values")
        raise RuleViolations([Violation("", "not-a-mapping", words)])
    reader = Reader()
    reader.keys(document, KEYS, "")
    players = _players(reader, document)
    pairing = SWISS
    if "pairing" in document:
        pairing = reader.choice(document, "pairing", PAIRINGS)
    rounds = _rounds(reader, document, pairing)
    win = _points(reader, document, "win", DEFAULT_WIN)
    draw = _points(reader, document, "draw", DEFAULT_DRAW)
    results = _results(reader, document, players)
    byes = _byes(reader, document, players)
    dropped = _dropped_players(reader, document, players)
    _check_once_a_round(reader, results, byes)
    if reader.faults:
        raise RuleViolations(reader.faults)
    return Tournament(
        players=players,
        rounds=rounds,
        pairing=pairing,
        win=win,
        draw=draw,
        results=tuple(results.values()),
        byes=tuple(byes.values()),
        dropped=dropped,
    )


def _players(reader: Reader, document: Mapping[object, object]) -> tuple[str, ...]:
    items = reader.items(document, "players")
    players: list[str] = []
    for number, item in enumerate(items):
        where = fault_path("players", number)
        name = reader.text_value(item, where)
        if name and name in players:
            reader.fault(where, "player-twice", phrase("two players have the name '{}'", name))
        players.append(name)
    if "players" in document and not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        words = phrase("a tournament has from {} to {} players", MIN_PLAYERS, MAX_PLAYERS)
        reader.fault("players", "players", words)
    return tuple(players)


def _rounds(reader: Reader, document: Mapping[object, object], pairing: str) -> int:
    if pairing == ALL and "rounds" not in document:
        return 1
    return _round_number(reader, document, "rounds")


def _points(reader: Reader, document: Mapping[object, object], key: str, default: int) -> int:
    points = reader.number(document, key, default=default)
    if points < 0:
        reader.fault(key, key, phrase("expected a number of 0 or more"))
    return points


def _results(
    reader: Reader, document: Mapping[object, object], players: Sequence[str]
) -> dict[str, Result]:
    """Return the results by their places in the document."""
    results = {}
    for where, item in _rows(reader, document, "results", RESULT_KEYS):
        first = _player(reader, item, "a", where, players)
        second = _player(reader, item, "b", where, players)
        if first and first == second:
            reader.fault(f"{where}.b", "own-opponent", phrase("nobody plays against themselves"))
        results[where] = Result(
            round=_round_number(reader, item, "round", where),
            pair=(first, second),
            winner=_winner(reader, item, where, (first, second)),
            scored=_scored(reader, item, where),
        )
    return results


def _winner(
    reader: Reader, item: Mapping[Any, Any], where: str, pair: tuple[str, str]
) -> str | None:
    winner = item.get("winner")
    if winner is None:
        return None
    if not isinstance(winner, str) or (all(pair) and winner not in pair):
        words = phrase("expected {} or {}, or nobody for a draw", *pair)
        reader.fault(f"{where}.winner", "winner", words)
    return str(winner)


def _scored(reader: Reader, item: Mapping[Any, Any], where: str) -> tuple[int, int]:
    scored = item.get("scored", (0, 0))
    if is_pair(scored) and all(type(points) is int and points >= 0 for points in scored):
        return (scored[0], scored[1])
    words = phrase("expected the points that each of the two players scored")
    reader.fault(f"{where}.scored", "scored", words)
    return (0, 0)


def _byes(
    reader: Reader, document: Mapping[object, object], players: Sequence[str]
) -> dict[str, Bye]:
    """Return the rounds without an opponent by their places in the document."""
    byes = {}
    for where, item in _rows(reader, document, "byes", BYE_KEYS):
        player = _player(reader, item, "player", where, players)
        byes[where] = Bye(_round_number(reader, item, "round", where), player)
    return byes


def _dropped_players(
    reader: Reader, document: Mapping[object, object], players: Sequence[str]
) -> frozenset[str]:
    """Return the players who dropped out."""
    dropped = set()
    for number, item in enumerate(reader.items(document, "dropped", default=())):
        where = fault_path("dropped", number)
        name = reader.text_value(item, where)
        if name and name not in players:
            reader.faults.append(_unknown_player(name, players, where))
        dropped.add(name)
    return frozenset(dropped)


def _rows(
    reader: Reader, document: Mapping[object, object], key: str, keys: Sequence[str]
) -> list[tuple[str, Mapping[Any, Any]]]:
    """Return the rows of a list with their places."""
    rows = []
    for number, item in enumerate(reader.items(document, key, default=())):
        where = fault_path(key, number)
        if isinstance(item, Mapping):
            reader.keys(item, keys, where)
            rows.append((where, item))
        else:
            words = phrase("expected an object with {}", ", ".join(keys))
            reader.fault(where, "not-a-mapping", words)
    return rows


def _player(
    reader: Reader, item: Mapping[Any, Any], key: str, where: str, players: Sequence[str]
) -> str:
    name = reader.text(item, key, where)
    if name and name not in players:
        reader.faults.append(_unknown_player(name, players, f"{where}.{key}"))
        return ""
    return name


def _unknown_player(name: str, players: Sequence[str], where: str) -> Violation:
    words = phrase("no player is called '{}'; choose from {}", name, ", ".join(players))
    return Violation(where, "unknown-player", words)


def _round_number(reader: Reader, data: Mapping[Any, Any], key: str, where: str = "") -> int:
    """Return a number of rounds, or the number of a round."""
    number = reader.number(data, key, where)
    if data.get(key) == number and not 1 <= number <= MAX_ROUNDS:
        words = phrase("a tournament has from 1 to {} rounds", MAX_ROUNDS)
        reader.fault(join_place(where, key), "rounds", words)
    return number


def _check_once_a_round(
    reader: Reader, results: Mapping[str, Result], byes: Mapping[str, Bye]
) -> None:
    """Report players with two entries for the same round."""
    counts: Counter[tuple[int, str]] = Counter()
    entries = [(where, result.round, result.pair) for where, result in results.items()]
    entries += [(where, bye.round, (bye.player, "")) for where, bye in byes.items()]
    for where, number, players in entries:
        for player in filter(None, dict.fromkeys(players)):
            counts[number, player] += 1
            if counts[number, player] == 2:
                words = phrase("{} has two entries for round {}", player, number)
                reader.fault(where, "round-twice", words)
