"""Odds at the command line: leaving stops the battles, and lines say what is known."""

from __future__ import annotations

import argparse
from typing import Any

import httpx
import pytest
from blindjump.odds import odds, words

from tests.clients.test_session import Server

DONE_ANSWER = {"id": "o1", "hex": "0804", "toward": "frost", "battles_done": 20, "battles_wanted": 20, "working": False, "ended": "",
          "empty": 10, "wins": 5, "draws": 1, "losses": 4, "coverage": 82, "by_strength": None,
          "mine": {"tenths": [6, 0, 0, 0, 0, 0, 0, 0, 0, 4], "median": 7, "interval": [0, 100]},
          "theirs": {"tenths": [10, 0, 0, 0, 0, 0, 0, 0, 0, 0], "median": 3, "interval": [0, 9]}}  # fmt: skip
WAITING: dict[str, Any] = {
    **DONE_ANSWER,
    "battles_done": 2,
    "working": True,
    "empty": 0,
    "wins": 2,
    "draws": 0,
    "losses": 0,
}
WAITING |= {"mine": None, "theirs": None}
WARS = {
    "campaigns": [
        {"campaign": "c1", "state": "war", "name": "A war", "faction": "ember", "roles": ["player"]}
    ]
}


def arguments(at_most: float) -> argparse.Namespace:
    return argparse.Namespace(war="", hex="0804", toward="frost", fleet=["ember/f1"], decoys="likely",
                              to_the_end=False, case=None, battles=None, at_most=at_most)  # fmt: skip


def serve(*bodies: Any) -> Server:
    return Server(
        *(
            httpx.Response(200, json=body) if body else httpx.Response(204)
            for body in (WARS, *bodies)
        )
    )


def test_timeout_prints_known_odds_and_stops_the_rest() -> None:
    server = serve(WAITING, None)
    result = odds(arguments(0.0), server.api())
    assert result.answer == WAITING
    assert "2 battles of 20" in result.words
    assert "too few" in result.words
    assert [(request.method, request.url.path) for request in server.requests][1:] == [
        ("POST", "/api/campaigns/c1/odds/"),
        ("DELETE", "/api/campaigns/c1/odds/o1/"),
    ]


def test_interrupt_stops_the_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", interrupted)
    server = serve(WAITING, None)
    with pytest.raises(KeyboardInterrupt):
        odds(arguments(9.0), server.api())
    assert server.requests[-1].method == "DELETE"


def test_odds_wait_for_battles_and_print_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    server = serve(WAITING, WAITING, DONE_ANSWER)
    assert odds(arguments(60.0), server.api()).words.splitlines() == [
        "10 battles of 20 at 0804 against frost",
        "nobody was there in 10 more cases",
        "wins 50%, draws 10%, losses 40%",
        "you lose 7% of the points in the median battle, 0% to 100% in 82% of battles",
        "  0-10%: 60%  90-100%: 40%",
        "they lose 3% of the points in the median battle, 0% to 9% in 82% of battles",
        "  0-10%: 100%",
    ]
    assert server.requests[-1].method == "GET"
    assert words({**WAITING, "ended": "long"}).endswith(
        "the battles take too long: there will be no more"
    )


def test_estimate_is_printed_before_the_first_battle() -> None:
    weighed = {"forces": 40, "median": 120, "interval": [80, 200], "stronger": 30, "empty": 8}
    lines = words({**WAITING, "battles_done": 0, "wins": 0, "by_strength": weighed}).splitlines()
    assert lines[:3] == [
        "0 battles of 20 at 0804 against frost",
        "strength: yours is 120% of theirs (80% to 200%); you are stronger than 30 of 40 estimated forces",
        "nobody was there in 8 more cases",
    ]
    empty_estimate = {"forces": 0, "median": 0, "interval": [0, 0], "stronger": 0, "empty": 19}
    alone = words({**WAITING, "battles_done": 0, "wins": 0, "by_strength": empty_estimate})
    assert "nobody was there in any of 19 estimated cases: there would be no battle" in alone
    assert "strength: " not in alone
