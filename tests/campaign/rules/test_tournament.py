"""Tournaments: tables, pairs of the next round, and faults of their documents."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from campaign.rules.tournament import MAX_PLAYERS, next_round, table_of
from campaign.rules.tournament_file import read_tournament
from engine.core.errors import RuleViolations
from tests.umpire.test_war_command import run


def result(
    number: int, first: str, second: str, winner: str | None, scored: tuple[int, int] = (0, 0)
) -> dict[str, Any]:
    return {"round": number, "a": first, "b": second, "winner": winner, "scored": list(scored)}


def pairs_after(results: list[dict[str, Any]], players: str, **more: Any) -> list[str]:
    """Return the next pairs of a tournament of players with names of one letter, as `ab`."""
    document = {"players": list(players), "rounds": 5, "results": results, **more}
    return ["".join(pair) for pair in next_round(read_tournament(document)).pairs]


def faults(**document: Any) -> set[tuple[str, str]]:
    with pytest.raises(RuleViolations) as refused:
        read_tournament({"players": ["a", "b", "c"], "rounds": 2, **document})
    return {(fault.where, fault.code) for fault in refused.value.violations}


def test_the_command_prints_table_and_pairs() -> None:
    """Points decide, then the difference of scores, then the score, then the list of players."""
    document = {
        "players": ["ann", "bob", "cat", "dan", "eve"],
        "rounds": 3,
        "pairing": "swiss",
        "win": 3,
        "draw": 1,
        "results": [
            result(1, "ann", "bob", "ann", (300, 100)),
            result(1, "cat", "dan", None, (50, 50)),
        ],
        "byes": [{"round": 1, "player": "eve"}],
    }
    status, answer = run("tournament", document)
    assert status == 0
    rows = [tuple(row.values()) for row in answer.pop("table")]
    assert rows == [
        ("ann", 3, 300, 100, 1),
        ("eve", 3, 0, 0, 0),
        ("cat", 1, 50, 50, 1),
        ("dan", 1, 50, 50, 1),
        ("bob", 0, 100, 300, 1),
    ]
    # Bob is the lowest who has not been left out. Ann cannot play Eve: Cat and Dan have met.
    pairs = [["ann", "cat"], ["eve", "dan"]]
    assert answer == {"round": 2, "pairs": pairs, "bye": "bob", "over": False}


def test_swiss_pairs_neighbours_who_have_not_met() -> None:
    assert pairs_after([], "abcdef") == ["ab", "cd", "ef"]
    first_round = [result(1, "a", "b", "a"), result(1, "c", "d", "c")]
    assert pairs_after(first_round, "abcd") == ["ac", "bd"]
    rounds = [*first_round, result(2, "a", "c", "a"), result(2, "b", "d", "b")]
    assert pairs_after(rounds, "abcd") == ["ad", "bc"]


def test_players_meet_again_when_no_other_way_is_left() -> None:
    everybody = []
    for number, (first, second) in enumerate(combinations("abcd", 2), start=1):
        everybody.append(result(number, first, second, first))
    assert pairs_after(everybody, "abcd", rounds=9) == ["ab", "cd"]


def test_a_swiss_tournament_is_over_after_its_rounds() -> None:
    document = {"players": ["a", "b"], "rounds": 1, "results": [result(1, "a", "b", "a")]}
    status, answer = run("tournament", document)
    assert (status, answer["pairs"], answer["over"]) == (0, [], True)


@pytest.mark.parametrize("players", ["ab", "abcd", "abcde", "abcdefgh"])
def test_everybody_meets_everybody_once(players: str) -> None:
    met = set()
    results: list[dict[str, Any]] = []
    byes: list[dict[str, Any]] = []
    rounds = len(players) - 1 + len(players) % 2
    for number in range(1, rounds + 1):
        document = {"players": list(players), "pairing": "all", "results": results, "byes": byes}
        coming = next_round(read_tournament(document))
        assert coming.number == number
        assert not coming.is_over
        for first, second in coming.pairs:
            met.add(frozenset((first, second)))
            results.append(result(number, first, second, None))
        byes += [{"round": number, "player": player} for player in coming.byes]
    tournament = read_tournament(document | {"results": results, "byes": byes})
    assert next_round(tournament).is_over
    assert len(met) == len(results) == len(players) * (len(players) - 1) / 2
    assert len({row.points for row in table_of(tournament)}) == 1


def test_the_circle_turns_by_one() -> None:
    assert pairs_after([], "abcdef", pairing="all") == ["af", "be", "cd"]
    played = [result(1, "a", "f", None), result(1, "b", "e", None), result(1, "c", "d", None)]
    assert pairs_after(played, "abcdef", pairing="all") == ["ae", "fd", "bc"]


def test_players_who_dropped_out_are_not_paired_and_stay_in_the_table() -> None:
    played = [result(1, "a", "b", "a"), result(1, "c", "d", "c")]
    document = {"players": list("abcd"), "rounds": 3, "results": played, "dropped": ["a"]}
    status, answer = run("tournament", document)
    assert (status, answer["pairs"], answer["bye"]) == (0, [["c", "b"]], "d")
    assert (answer["byes"], answer["table"][0]["player"]) == (["d"], "a")
    assert run("tournament", document | {"dropped": ["a", "b", "c"]})[1]["over"]


def test_opponents_of_players_who_dropped_out_of_a_circle_have_no_opponent() -> None:
    document = {"players": list("abcde"), "pairing": "all", "dropped": ["b", "d"]}
    coming = next_round(read_tournament(document))
    assert (coming.pairs, sorted(coming.byes)) == ((), ["a", "c", "e"])


def test_many_players_are_paired_at_once() -> None:
    """Twenty rounds of the largest tournament: whoever is higher in the list wins."""
    players = [f"p{number:02}" for number in range(MAX_PLAYERS)]
    results: list[dict[str, Any]] = []
    met = set()
    for number in range(1, 21):
        document = {"players": players, "rounds": 20, "results": results}
        for first, second in next_round(read_tournament(document)).pairs:
            met.add(frozenset((first, second)))
            results.append(result(number, first, second, min(first, second)))
    assert len(met) == len(results) == 20 * MAX_PLAYERS // 2


def test_faults() -> None:
    unknown = result(1, "a", "x", "a")
    assert faults(results=[unknown]) == {("results[0].b", "unknown-player")}
    assert faults(results=[result(1, "a", "b", "c")]) == {("results[0].winner", "winner")}
    assert faults(results=[result(1, "a", "a", None)]) == {("results[0].b", "own-opponent")}
    twice = [result(1, "a", "b", "a"), result(1, "b", "c", "b")]
    assert faults(results=twice) == {("results[1]", "round-twice")}
    assert faults(results=[{**twice[0], "scored": [1, -1]}]) == {("results[0].scored", "scored")}
    assert faults(byes=[{"round": 1, "player": "x"}]) == {("byes[0].player", "unknown-player")}
    assert faults(dropped=["x"]) == {("dropped[0]", "unknown-player")}
    assert faults(players=["a", "a"]) == {("players[1]", "player-twice")}
    assert faults(players=["a"]) == {("players", "players")}
    assert faults(pairing="cup") == {("pairing", "unknown-pairing")}
    assert faults(rounds=0) == {("rounds", "rounds")}
    assert faults(draw=-1) == {("draw", "draw")}
