"""What a process keeps: made once, forgotten when there is too much, and never missed by a thread
that asks.
"""

from __future__ import annotations

import sys
import threading

from engine.core.cache import Cache


def test_a_value_is_made_once_and_all_are_forgotten_when_there_are_too_many() -> None:
    kept: Cache[int, str] = Cache(2)
    made: list[int] = []

    def value(key: int) -> str:
        def make() -> str:
            made.append(key)
            return str(key)

        return kept.made(key, make)

    assert [value(1), value(1), value(2), value(3), value(1)] == ["1", "1", "2", "3", "1"]
    assert made == [1, 2, 3, 1]
    assert kept.known((1, 2, 3)) == {1: "1", 3: "3"}


def test_what_others_forget_meanwhile_is_not_known_and_no_error() -> None:
    kept: Cache[int, int] = Cache(3)
    over = threading.Event()

    def forgetting() -> None:
        while not over.is_set():
            for key in range(5):
                kept.keep(key, key)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=forgetting)
    thread.start()
    try:
        for _ in range(3000):
            found = kept.known(range(5))
            assert all(key == value for key, value in found.items())
            assert kept.made(7, lambda: 7) == 7
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(before)
