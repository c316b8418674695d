"""In-process caches: `Cache` for values by key, `rules_cache` for functions of the weapon tables.

Functions of plain values use `functools.cache` or `lru_cache`. There is no other cache mechanism.
`python -m tools.caches` lists all caches; docs/reference/caches.md says what each of them saves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Generic, ParamSpec, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_CLEAR_CALLBACKS: list[Callable[[], None]] = []


class Cache(dict[Key, Value], Generic[Key, Value]):
    """A process-wide cache of values by key; None is not a valid value.

    The same key always has the same value, so entries never become stale. A key therefore contains
    everything that the value depends on: the reader's language if the value contains text; the hash
    of a faction's view and the faction if the value shows what that faction may know.

    The cache is emptied when it holds `most` values and when the weapon tables change
    (`clear_all_caches`). With `most` 0 it keeps nothing.

    The cache can be used from several threads. Two threads that ask for a new key at the same time
    may both make its value; one of the two is kept.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        _CLEAR_CALLBACKS.append(self.clear)

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, making it first if it is not cached."""
        try:
            return self[key]
        except KeyError:
            return self.keep(key, make())

    def get_many(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return the cached values of these keys, even while other threads empty the cache."""
        entries = ((key, self.get(key)) for key in keys)
        return {key: value for key, value in entries if value is not None}

    def keep(self, key: Key, value: Value) -> Value:
        """Cache a value and return it."""
        if len(self) >= self.most:
            self.clear()
        if self.most:
            self[key] = value
        return value


def rules_cache(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Cache the results of a function of its arguments and the weapon tables.

    The results are dropped when the tables change. It also accepts functions whose arguments are
    classes, which mypy rejects as keys of `functools.cache`.
    """
    cached = lru_cache(4096)(function)
    _CLEAR_CALLBACKS.append(cached.cache_clear)
    return cached  # type: ignore[return-value]  # lru_cache forgets the parameters


def clear_all_caches() -> None:
    """Empty every `Cache` and every `rules_cache` after the weapon tables have changed."""
    for clear in _CLEAR_CALLBACKS:
        clear()
