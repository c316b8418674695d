"""The caches of a process: `Cache` for values by key, `derived` for functions of weapons' rows.

Functions of plain values take `functools.cache` or `lru_cache`; nothing else keeps values. `python
-m tools.caches` lists all of them, docs/reference/caches.md says what each saves.
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
    """Values by key, none of them None, in the memory of a process.

    The same key gives the same value, so nothing in it grows stale. A key names everything the
    value depends on: the reader's language, where it has words in it; the hash of a faction's view
    and the faction, where it shows what one faction may know.

    Limit: at most `most` values. When there are too many, all are forgotten; with 0, nothing is
    kept. All are forgotten, too, when the weapons change (`forget_all`).

    Threads: any number of them may ask. Two that ask for a new key at once may both make its value;
    one is kept.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        _CLEAR_CALLBACKS.append(self.clear)

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; the first time it is made."""
        try:
            return self[key]
        except KeyError:
            return self.keep(key, make())

    def get_many(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return the kept values of these keys, whatever other threads forget meanwhile."""
        entries = ((key, self.get(key)) for key in keys)
        return {key: value for key, value in entries if value is not None}

    def keep(self, key: Key, value: Value) -> Value:
        """Keep a value from now on, and return it."""
        if len(self) >= self.most:
            self.clear()
        if self.most:
            self[key] = value
        return value


def rules_cache(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Keep what a function has worked out from its arguments and the rows of weapons, until these
    change.

    Also for functions of classes, which mypy does not take for keys of `functools.cache`.
    """
    cached = lru_cache(4096)(function)
    _CLEAR_CALLBACKS.append(cached.cache_clear)
    return cached  # type: ignore[return-value]  # lru_cache forgets the parameters


def clear_all_caches() -> None:
    """Forget what every `Cache` and every `derived` function keeps: the weapons have changed."""
    for clear in _CLEAR_CALLBACKS:
        clear()
