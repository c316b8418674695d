"""Caches: values are computed once, dropped beyond a limit, and safe for threads."""

from __future__ import annotations

import sys
import threading

from engine.core.cache import Cache


def test_value_is_made_once_and_a_full_cache_is_cleared() -> None:
    cache: Cache[int, str] = Cache(2)
    keys: list[int] = []

    def value(key: int) -> str:
        def make() -> str:
            keys.append(key)
            return str(key)

        return cache.get_or_make(key, make)

    assert [value(1), value(1), value(2), value(3), value(1)] == ["1", "1", "2", "3", "1"]
    assert keys == [1, 2, 3, 1]
    assert cache.get_many((1, 2, 3)) == {1: "1", 3: "3"}


def test_concurrent_clearing_is_no_error() -> None:
    cache: Cache[int, int] = Cache(3)
    over = threading.Event()

    def forgetting() -> None:
        while not over.is_set():
            for key in range(5):
                cache.keep(key, key)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=forgetting)
    thread.start()
    try:
        for _ in range(3000):
            values = cache.get_many(range(5))
            assert all(key == value for key, value in values.items())
            assert cache.get_or_make(7, lambda: 7) == 7
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(before)
