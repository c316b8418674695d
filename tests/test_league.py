"""The league of bots: all meet all from both seats, and better play is rated higher."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tools.bench.league import BOTS, TABLE, War, play_war, schedule, table
from tools.bench.league import Result as Ended


def test_twenty_bots_differ() -> None:
    assert len(BOTS) == 20
    assert len({bot.name for bot in BOTS}) == 20
    assert len({repr(bot.character).partition(",")[2] for bot in BOTS}) == 20


def test_every_pair_of_bots_plays_both_seats_with_equal_dice() -> None:
    wars = schedule(("first-steps",), 380)
    pairs = Counter(tuple(bot for _, bot in war.seats) for war in wars)
    assert len(pairs) == 20 * 19
    assert set(pairs.values()) == {1}
    for first_war, other in zip(wars[::2], wars[1::2], strict=True):
        assert first_war.seed == other.seed
        assert [bot for _, bot in first_war.seats] == [bot for _, bot in reversed(other.seats)]


def test_only_two_faction_scenarios_are_played() -> None:
    with pytest.raises(ValueError, match="three-powers"):
        schedule(("three-powers",), 1)


def test_war_is_reproducible() -> None:
    war = schedule(("first-steps",), 1, first=7)[0]
    first, again = play_war(war), play_war(war)
    assert (first.winner, first.war) == (again.winner, again.war)


def test_winner_is_rated_higher_and_an_easy_seat_is_compensated() -> None:
    wars = schedule(("first-steps",), 380)
    best = [
        Ended(
            war, next(seat for seat, bot in war.seats if bot == min(b for _, b in war.seats)), 0.1
        )
        for war in wars
    ]
    standings = table(best)
    assert standings["bots"][0]["name"] == BOTS[0].name
    assert standings["bots"][-1]["name"] == BOTS[-1].name
    assert standings["bots"][0]["won"] == 38
    easy = table([Ended(war, "ember", 0.1) for war in wars])
    assert {line["won"] for line in easy["bots"]} == {19}
    ember, frost = (line["rating"] for line in easy["seats"])
    assert ember > 25 > frost
    assert ember - frost > max(line["rating"] for line in easy["bots"]) - min(
        line["rating"] for line in easy["bots"]
    )


def test_draws_change_little_and_errors_shrink() -> None:
    wars = schedule(("first-steps",), 100)
    standings = table([Ended(war, None, 0.1) for war in wars])
    assert {line["drawn"] for line in standings["bots"]} == {10}
    assert all(abs(line["rating"] - 25) < 1 and line["error"] < 8 for line in standings["bots"])


def test_stored_table_is_complete() -> None:
    stored_table = json.loads(TABLE.read_text(encoding="utf-8"))
    assert {(line["name"], line["words"]) for line in stored_table["bots"]} == {
        (bot.name, bot.words) for bot in BOTS
    }
    assert (
        sum(line["won"] + line["drawn"] + line["lost"] for line in stored_table["bots"])
        == 2 * stored_table["wars"]
    )
    assert stored_table["wars"] == 1000
    assert isinstance(schedule(("first-steps",), 1)[0], War)
